// Shows the report of uploaded files in a frame that has no rights of this page, in the page's language and theme.
// Gradio runs this when it draws the element, whose value names the file; see files_tab.frame_html.
// Such a frame has no address and can keep nothing. So it tells this page how it is looked at, which then stands behind #
// of the page's address, and its notes, which the page keeps under the report's key. The key is the server's word; what
// the frame says is taken as texts of a known form and size, and nothing else.

const LONGEST_LINK = 6000;
const LONGEST_NOTES = 1_000_000;
const MOST_FILES = 12;
const LONGEST_NAME = 100;
const views = new Map(); // by the key of a report: how it was looked at last
let shown = null; // { frame, key, link, place } of the report in the frame

const looks = () => ({
  language: document.documentElement.lang.startsWith("zh") ? "zh" : "en",
  theme: document.body.classList.contains("dark") ? "dark" : "light",
});

let asked = null; // what the link in the address says of its report: { key, files, rows }
const askedPlace = () => document.querySelector("#file-asked .pr-asked"); // it has the words of both languages, too
const words = () => JSON.parse(askedPlace().dataset.words)[looks().language];

function readAsked() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (!link.has("report")) return;
  const files = link.getAll("file").slice(0, MOST_FILES).map((name) => name.slice(0, LONGEST_NAME));
  asked = { key: link.get("report"), files, rows: Number.parseInt(link.get("rows"), 10) || "?" };
  views.set(asked.key, (link.get("view") ?? "").slice(0, LONGEST_LINK));
}

/** Say which files the link belongs to, and whether the report that is shown is theirs: above the upload, and at it. */
function tellAsked() {
  if (!asked) return;
  const key = !shown?.frame ? "askedFiles" : shown.key === asked.key ? "askedShown" : "askedOther";
  const values = { files: asked.files.join(looks().language === "zh" ? "、" : ", "), rows: asked.rows.toLocaleString() };
  const sentence = words()[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  askedPlace().classList.add("pr-info");
  for (const each of [askedPlace(), document.querySelector(".pr-is-asked")]) if (each) each.textContent = sentence;
}

/** What stands behind # of the address; what is before it stays. */
const writeHash = (hash) => writeAddress(location.search.slice(1), hash);

/** Notes as they may be kept: a list of a sample's number and { star, note }; null if it is anything else. */
function checkedNotes(value) {
  const isNote = ([number, { star, note }]) =>
    Number.isSafeInteger(number) && typeof star === "boolean" && typeof note === "string";
  try {
    const all = JSON.parse(value);
    return all.every(isNote) ? all.map(([number, { star, note }]) => [number, { star, note }]) : null;
  } catch {
    return null;
  }
}

const storedAs = (key) => `polyrouge-notes-${key}`; // as the downloaded report calls it

function keepNotes(value) {
  const notes = checkedNotes(value);
  if (notes === null) return false;
  try {
    if (notes.length) localStorage.setItem(storedAs(shown.key), JSON.stringify(notes));
    else localStorage.removeItem(storedAs(shown.key));
    return true;
  } catch {
    return false; // this browser keeps nothing, or has no room
  }
}

function keptNotes(key) {
  try {
    return localStorage.getItem(storedAs(key)) ?? "";
  } catch {
    return "";
  }
}

function keepView(view) {
  views.set(shown.key, view);
  const isLong = view.length > LONGEST_LINK;
  shown.place.classList.toggle("pr-long", isLong);
  writeHash(shown.link + (view && !isLong ? `&view=${encodeURIComponent(view)}` : ""));
}

addEventListener("message", (event) => {
  if (!shown || event.source !== shown.frame.contentWindow || event.origin !== "null") return;
  const { kind, value } = event.data ?? {};
  if (typeof value !== "string" || value.length > LONGEST_NOTES) return;
  if (kind === "link") keepView(value);
  else if (kind === "notes") event.source.postMessage({ kept: keepNotes(value) }, "*");
});

addEventListener("hashchange", () => {
  readAsked();
  tellAsked();
  if (asked && asked.key === shown?.key) shown.frame.contentWindow.postMessage({ link: views.get(asked.key) }, "*");
});

/** A value of an attribute. */
const attribute = (value) => value.replace(/[&"<>]/g, (each) => `&#${each.charCodeAt(0)};`);

async function showReport() {
  const place = element.querySelector(".pr-report");
  if (place?.firstChild) return;
  if (shown) {
    shown = null;
    writeHash("");
  }
  if (!place) return tellAsked();
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  place.append(make("p", { className: "pr-soft", textContent: words().reportLoading }));
  const { root, api_prefix: prefix } = window.gradio_config;
  const answer = await fetch(`${root}${prefix ?? "/gradio_api"}/file=${place.dataset.file}`).catch(() => null);
  const report = answer?.ok ? await answer.text() : null;
  if (report === null) {
    place.firstChild.textContent = words().reportGone;
    return;
  }
  const frame = make("iframe", {});
  const tools = make("div", { className: "pr-tools" });
  const [fill, copy] = ["pr-fill", "pr-copy"].map((className) => make("button", { type: "button", className }));
  const holds = make("p", { className: "pr-soft" });
  const name = () => {
    fill.textContent = words().reportFill;
    copy.textContent = words().reportLink;
    holds.textContent = words().reportLinkHolds;
    frame.title = words().reportTitle;
  };
  fill.hidden = !frame.requestFullscreen; // as on a phone of Apple
  fill.addEventListener("click", () => frame.requestFullscreen());
  copy.addEventListener("click", () => {
    const done = words()[place.classList.contains("pr-long") ? "reportLinkLong" : "copied"];
    copyBy(copy, location.href, done, words().linkYourself);
  });
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups");
  const { key, link } = place.dataset;
  const given = { ...looks(), link: views.get(key) ?? "", notes: keptNotes(key) };
  const attributes = Object.entries(given).map(([each, value]) => `data-${each}="${attribute(value)}"`).join(" ");
  frame.srcdoc = report.replace("<html ", () => `<html data-embedded ${attributes} `);
  name();
  tools.append(make("p", { className: "pr-is-asked" }), fill, copy, holds);
  shown = { frame, key, link, place };
  place.replaceChildren(tools, frame);
  tellAsked();
  const follower = new MutationObserver(() => {
    if (!frame.isConnected) return follower.disconnect();
    name();
    frame.contentWindow.postMessage(looks(), "*");
  });
  follower.observe(document.documentElement, { attributeFilter: ["lang"] });
  follower.observe(document.body, { attributeFilter: ["class"] });
}

readAsked();
tellAsked();
new MutationObserver(tellAsked).observe(document.documentElement, { attributeFilter: ["lang"] });
watch("value", showReport);
showReport();
