// What the page itself does in the browser; its head loads it. The names are called by layout.py, try_tab.py and files_tab.py.

/** The language of the link, else the one chosen last, else the browser's. */
window.pageLanguage = () => {
  const asked = new URLSearchParams(location.search).get("lang");
  let kept = null;
  try { kept = localStorage.getItem("polyrouge-language"); } catch (error) { /* no storage in this frame */ }
  const own = (navigator.languages?.[0] || navigator.language || "").toLowerCase().startsWith("zh") ? "zh" : "en";
  return [asked, kept, own].find((each) => each === "en" || each === "zh");
};

// The page is built in English. A visitor who reads Chinese sees it once it is filled; should that not happen, after a
// few seconds.
if (pageLanguage() === "zh") {
  const root = document.documentElement;
  root.classList.add("pr-waiting");
  setTimeout(() => root.classList.remove("pr-waiting"), 10000);
}

/** The language, and what stands after ? in the address. If the page is filled again, nothing can be typed until then. */
window.pageOpens = () => {
  const language = pageLanguage();
  document.documentElement.lang = language;
  const behind = new URLSearchParams(location.hash.slice(1)); // of a report; its settings alone leave the browser
  const settings = behind.has("report") ? behind.get("settings") || "convention=default" : "";
  if (language !== "en" || location.search || settings) {
    const tabs = document.getElementById("page-tabs");
    if (tabs) tabs.inert = true;
  }
  return [language, location.search.slice(1), settings];
};

window.pageIsFilled = () => {
  const tabs = document.getElementById("page-tabs");
  if (tabs) tabs.inert = false;
  document.documentElement.classList.remove("pr-waiting");
};

window.languageIsChosen = (language, ...rest) => {
  document.documentElement.lang = language;
  try { localStorage.setItem("polyrouge-language", language); } catch (error) { /* no storage in this frame */ }
  return [language, ...rest];
};

window.showLink = (query) => {
  if (!query) return "";
  history.replaceState(null, "", "?" + query + location.hash); // behind # is how the report of the files is looked at
  const hash = location.hash.slice(1);
  if (window.parent !== window) window.parent.postMessage({ queryString: query, hash }, "https://huggingface.co");
  return location.origin + location.pathname + "?" + query;
};

window.goToReport = () => {
  const status = document.getElementById("file-status");
  const place = status?.getBoundingClientRect();
  if (place && (place.top < 0 || place.bottom > innerHeight / 2)) status.scrollIntoView({ block: "start" });
};
