// Says which files the link in the address belongs to, as they are not in it, and whether the report that is shown is
// theirs: above the upload, and at the report. Gradio runs this when it draws the element; see files_tab.asked_html.

const MOST_FILES = 12;
const LONGEST_NAME = 100;
let asked = null; // { key, files, rows } of the link
let shownKey = null;

function readLink() {
  const params = new URLSearchParams(location.hash.slice(1));
  if (!params.has("report")) return;
  const files = params.getAll("file").slice(0, MOST_FILES).map((name) => name.slice(0, LONGEST_NAME));
  asked = { key: params.get("report"), files, rows: Number.parseInt(params.get("rows"), 10) || "?" };
}

function draw() {
  const place = element.querySelector(".pr-asked");
  if (!place) return;
  const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
  const key = shownKey === null ? "askedFiles" : shownKey === asked?.key ? "askedShown" : "askedOther";
  const sentence = JSON.parse(place.dataset.words)[language][key];
  const values = asked && { files: asked.files.join(language === "zh" ? "、" : ", "), rows: asked.rows.toLocaleString() };
  place.textContent = asked ? sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]) : "";
  place.classList.toggle("pr-info", asked !== null);
  const atReport = document.querySelector(".pr-is-asked");
  if (atReport) atReport.textContent = place.textContent;
}

readLink();
draw();
addEventListener("hashchange", () => {
  readLink();
  draw();
});
document.addEventListener("polyrouge-report", (event) => {
  shownKey = event.detail;
  draw();
});
new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["lang"] });
