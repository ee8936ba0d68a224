// What the page itself does in the browser; its head loads it. The names are called by layout.py, text_tabs.py and files_tab.py.

/** What this browser has under a key, after a value is stored ("": removed); null where it keeps nothing, as in some frames. */
window.kept = (key, value) => {
  try {
    if (value !== undefined) localStorage[value ? "setItem" : "removeItem"](key, value);
    return localStorage.getItem(key) ?? "";
  } catch {
    return null;
  }
};

/** The language of the link, else the one chosen last, else the browser's. */
window.pageLanguage = () => {
  const asked = new URLSearchParams(location.search).get("lang");
  const own = (navigator.languages?.[0] || navigator.language || "").toLowerCase().startsWith("zh") ? "zh" : "en";
  return [asked, kept("polyrouge-language"), own].find((each) => each === "en" || each === "zh");
};

// The page is built in English. A visitor who reads Chinese sees it once it is filled; should that not happen, after a
// few seconds.
if (pageLanguage() === "zh") {
  const root = document.documentElement;
  root.classList.add("pr-waiting");
  setTimeout(() => root.classList.remove("pr-waiting"), 10000);
}

/** Whether the link names files, which report_frame.js opens. */
window.isOfData = () => new URLSearchParams(location.search).has("data");

/** The language, and what stands after ? in the address. If the page is filled again, nothing can be typed until then. */
window.pageOpens = () => {
  const language = pageLanguage();
  document.documentElement.lang = language;
  const behind = new URLSearchParams(location.hash.slice(1)); // of a report; its settings alone leave the browser
  const ofData = isOfData() ? location.search.slice(1) : "";
  const settings = behind.has("report") ? behind.get("settings") || "convention=default" : ofData;
  if (language !== "en" || location.search || settings) document.getElementById("page-tabs")?.toggleAttribute("inert", true);
  return [language, location.search.slice(1), settings];
};

window.filled = new Promise((resume) => {
  window.pageIsFilled = () => {
    document.getElementById("page-tabs")?.toggleAttribute("inert", false);
    document.documentElement.classList.remove("pr-waiting");
    openedLink = shownLink();
    resume();
  };
});

window.languageIsChosen = (language, ...rest) => {
  document.documentElement.lang = language;
  kept("polyrouge-language", language);
  return [language, ...rest];
};

/** What stands behind ? and # of the address, here and in that of the Space. */
window.writeAddress = (queryString, hash) => {
  history.replaceState(null, "", location.pathname + (queryString && `?${queryString}`) + (hash && `#${hash}`));
  if (parent !== window) parent.postMessage({ queryString, hash }, "https://huggingface.co");
};

/** Copy a text, and say so on the button until the next click or key. */
window.copyBy = async (button, text, done, failed) => {
  const before = button.textContent;
  // Without https there is no clipboard, and some frames may not write there.
  button.textContent = await navigator.clipboard?.writeText(text).then(() => done, () => failed) ?? failed;
  const back = () => { if ([done, failed].includes(button.textContent)) button.textContent = before; };
  ["pointerdown", "keydown"].forEach((name) => document.addEventListener(name, back, { once: true, capture: true }));
};

// Which type is shown of the pair: the row of the scores that was clicked last. A link in the address goes once it is no
// longer that of what is shown.
let view = new URLSearchParams(location.search).get("view");
let openedLink = null;
const shownLink = () => document.querySelector("#try-more [data-link]")?.dataset.link ?? null;
const unfolded = new Set(); // names of what stays open when it is drawn anew

window.pageShows = () => {
  const names = [...document.querySelectorAll("#try-scores [data-view]")].map((each) => each.dataset.view);
  const name = names.includes(view) ? view : names[0];
  document.querySelectorAll("[data-view]").forEach((each) => {
    const button = each.querySelector("[aria-pressed]");
    if (button) button.ariaPressed = each.dataset.view === name;
    else each.hidden = each.dataset.view !== name;
  });
  document.querySelectorAll(".pr-text").forEach((text) => {
    text.querySelectorAll("mark").forEach((mark, n) => { mark.tabIndex = n ? -1 : 0; }); // arrow keys go on
  });
  document.querySelectorAll(".pr-fold").forEach((each) => { each.open = unfolded.has(each.dataset.fold); });
  if (openedLink !== null && shownLink() !== openedLink) {
    openedLink = null;
    const staying = [...new URLSearchParams(location.search)].filter(([key]) => ["lang", "data"].includes(key));
    if (location.search) writeAddress(new URLSearchParams(staying).toString(), location.hash.slice(1));
  }
};

document.addEventListener("toggle", ({ target }) => {
  if (target.dataset?.fold) unfolded[target.open ? "add" : "delete"](target.dataset.fold);
}, true);

document.addEventListener("click", ({ target }) => {
  const row = target.closest?.("tr[data-view]");
  const button = target.closest?.("button[data-done]");
  if (row) {
    view = row.dataset.view;
    pageShows();
  } else if (button?.dataset.link) {
    const ours = `lang=${document.documentElement.lang}${view ? `&view=${view}` : ""}`;
    writeAddress(`${ours}&${button.dataset.link}`, location.hash.slice(1));
    openedLink = shownLink();
    copyBy(button, location.href.split("#")[0], button.dataset.done, button.dataset.failed);
  } else if (button) {
    copyBy(button, button.previousElementSibling.textContent, button.dataset.done, button.textContent);
  }
});

// The twin of a run lights up under the pointer and the focus; arrow keys go from run to run.
const light = ({ target }) => {
  document.querySelectorAll(".pr-lit").forEach((each) => each.classList.remove("pr-lit"));
  const run = target.closest?.(".pr-pair mark");
  const twins = run?.closest(".pr-texts").querySelectorAll(`[data-run="${run.dataset.run}"]`) ?? [];
  for (const twin of twins) twin.classList.add("pr-lit");
};
document.addEventListener("pointerover", light);
document.addEventListener("focusin", light);
// What is typed takes the place of the convention that stands there; else it finds nothing.
["focusin", "click"].forEach((name) => document.addEventListener(name, ({ target }) => {
  if (target.matches?.("#try-choice input, #file-choice input")) target.select();
}));
document.addEventListener("keydown", ({ key, target }) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (!step || !target.matches(".pr-text mark")) return;
  const marks = [...target.parentElement.querySelectorAll("mark")];
  marks[marks.indexOf(target) + step]?.focus();
});

window.goToReport = () => {
  const { top, bottom } = document.getElementById("file-status").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight / 2) document.getElementById("file-status").scrollIntoView({ block: "start" });
};
