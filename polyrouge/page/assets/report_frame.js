// Shows the report of uploaded files in a frame that has no rights of this page, in the page's language and theme.
// Gradio runs this when it draws the element, whose value names the file; see file_views.frame_html.

const looks = () => ({
  language: document.documentElement.lang.startsWith("zh") ? "zh" : "en",
  theme: document.body.classList.contains("dark") ? "dark" : "light",
});

async function showReport() {
  const place = element.querySelector(".pr-report");
  document.documentElement.classList.remove("pr-filled");
  if (!place || place.firstChild) return;
  const words = () => JSON.parse(place.dataset.words)[looks().language];
  place.append(Object.assign(document.createElement("p"), { className: "pr-soft", textContent: words().reportLoading }));
  const { root, api_prefix: prefix } = window.gradio_config;
  let report = null;
  try {
    const answer = await fetch(`${root}${prefix ?? "/gradio_api"}/file=${place.dataset.file}`);
    if (answer.ok) report = await answer.text();
  } catch (error) { /* the server can't be reached */ }
  if (report === null) {
    place.firstChild.textContent = words().reportGone;
    return;
  }
  const frame = document.createElement("iframe");
  const button = Object.assign(document.createElement("button"), { type: "button", className: "pr-fill" });
  const name = () => {
    const isFilled = document.documentElement.classList.contains("pr-filled");
    button.textContent = words()[isFilled ? "reportShrink" : "reportFill"];
    frame.title = words().reportTitle;
  };
  button.addEventListener("click", () => {
    document.documentElement.classList.toggle("pr-filled");
    name();
  });
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups");
  const { language, theme } = looks();
  frame.srcdoc = report.replace("<html ", `<html data-embedded data-language="${language}" data-theme="${theme}" `);
  name();
  place.replaceChildren(button, frame);
  const follower = new MutationObserver(() => {
    if (!frame.isConnected) return follower.disconnect();
    name();
    frame.contentWindow.postMessage(looks(), "*");
  });
  follower.observe(document.documentElement, { attributeFilter: ["lang"] });
  follower.observe(document.body, { attributeFilter: ["class"] });
}

watch("value", showReport);
showReport();
