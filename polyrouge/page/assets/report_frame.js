// Opens the files that a link names, and shows the report of files in a frame that has no rights of this page, in the page's
// language and theme. Gradio runs this when it draws the element, whose value names the report; see files_tab.frame_html.
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
const say = (key, values) => words()[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const listed = (names) => names.join(looks().language === "zh" ? "、" : ", ");
const make = (name, properties) => Object.assign(document.createElement(name), properties);

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
  const isExample = listed(asked.files) === `${looks().language}_news.jsonl`; // as the button gives it in this language
  const toOpen = isOfData() ? "askedData" : isExample ? "askedExample" : "askedFiles";
  const key = !shown?.frame ? toOpen : shown.key === asked.key ? "askedShown" : "askedOther";
  const sentence = say(key, { files: listed(asked.files), rows: asked.rows.toLocaleString() });
  askedPlace().classList.add("pr-info");
  for (const each of [askedPlace(), document.querySelector(".pr-is-asked")]) if (each) each.textContent = sentence;
}

// ?data=ADDRESS&data=… : this browser fetches the files, never the server, and uploads them as its visitor does.
const LONGEST_ADDRESS = 200; // of what is shown
let toldData = []; // of an address, or of all: [key of words, values]
let openedData = null; // names of the files, where all are there

/** Say what has become of it; without a word, the same again in another language. */
function tellData(...told) {
  if (told.length) toldData = told;
  const lines = toldData.map(([key, { files = [], hosts = [], ...values }]) => make("p", {
    className: files.length ? "pr-info" : "pr-error", textContent: say(key, { ...values, files: listed(files), hosts: listed(hosts) }),
  }));
  document.querySelector(".pr-data").replaceChildren(...lines);
}

/** Names of files: the ends of their addresses, as long as it takes to tell them apart. */
function namesOf(addresses) {
  // As what stands behind ? is decoded: nothing in it is an error.
  const decoded = (part) => new URLSearchParams(`x=${part.replace(/[+&]/g, encodeURIComponent)}`).get("x").replaceAll("/", "-");
  const parts = addresses.map(({ pathname }) => pathname.split("/").map(decoded));
  const ends = (n) => parts.map((each) => each.slice(-n).join("-"));
  const n = parts[0].findIndex((_, before) => new Set(ends(before + 1)).size === parts.length) + 1;
  return n ? ends(n) : ends(1).map((name, place) => `${place + 1}-${name}`);
}

/** The file of an address; else what is wrong with it, to be told. */
async function fetched(address, name) {
  const { megabytes, types } = askedPlace().dataset;
  const values = { address: address.href.slice(0, LONGEST_ADDRESS), name: name || address.href, most: megabytes };
  if (!types.split(" ").some((each) => name.toLowerCase().endsWith(each))) return ["unknownFormat", values];
  let size = 0;
  const isLarge = () => size > megabytes * 1_000_000;
  const transform = (part, out) => ((size += part.length), isLarge() ? out.error() : out.enqueue(part));
  try {
    const { ok, status, body } = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" });
    if (!ok) return ["dataStatus", { ...values, status }];
    return new File([await new Response(body.pipeThrough(new TransformStream({ transform }))).blob()], name);
  } catch {
    return [isLarge() ? "dataLarge" : "dataFailed", values];
  }
}

async function openData() {
  if (!isOfData()) return;
  const texts = [...new Set(new URLSearchParams(location.search).getAll("data"))];
  const { systems } = askedPlace().dataset;
  if (texts.length > systems) return tellData(["limitSystems", { n: texts.length, most: systems }]);
  const addresses = texts.map((each) => (URL.canParse(each, location) ? new URL(each, location) : { protocol: "" }));
  const bad = texts.filter((_, n) => !/^https?:$/.test(addresses[n].protocol));
  if (bad.length) return tellData(...bad.map((each) => ["dataAddress", { address: each.slice(0, LONGEST_ADDRESS) }]));
  const [names, hosts] = [namesOf(addresses), [...new Set(addresses.map(({ host }) => host))]];
  tellData(["dataOpening", { files: names, hosts }]);
  const all = await Promise.all(addresses.map((each, n) => fetched(each, names[n])));
  const [files, failures] = [true, false].map((isFile) => all.filter((each) => each instanceof File === isFile));
  const opened = files.map(({ name }) => name);
  if (!failures.length) openedData = opened.join("/");
  tellData(...failures, ...(files.length ? [["dataOpened", { files: opened, hosts }]] : []));
  if (!files.length) return;
  await filled; // or what fills the page would take the place of what the upload shows
  const input = () => document.querySelector("#file-upload input[type=file]");
  while (!input()) await new Promise((resume) => setTimeout(resume, 100));
  const box = new DataTransfer();
  for (const each of files) box.items.add(each);
  input().files = box.files;
  input().dispatchEvent(new Event("change", { bubbles: true }));
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
  return notes !== null && kept(storedAs(shown.key), notes.length ? JSON.stringify(notes) : "") !== null;
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
  const { key, link } = place.dataset;
  const query = new URLSearchParams(location.search);
  query.delete("data");
  if (isOfData() && new URLSearchParams(link).getAll("file").join("/") !== openedData) writeAddress(query.toString(), location.hash.slice(1));
  const search = isOfData() ? location.search.slice(1) : ""; // with the addresses of these files
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
    holds.textContent = words()[search ? "dataLinkHolds" : "reportLinkHolds"];
    frame.title = words().reportTitle;
  };
  fill.hidden = !frame.requestFullscreen; // as on a phone of Apple
  fill.addEventListener("click", () => frame.requestFullscreen());
  copy.addEventListener("click", () => {
    if (search) writeAddress(search, location.hash.slice(1)); // the first tab may have written its own
    const done = words()[place.classList.contains("pr-long") ? "reportLinkLong" : "copied"];
    copyBy(copy, location.href, done, words().linkYourself);
  });
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups");
  const given = { ...looks(), link: views.get(key) ?? "", notes: kept(storedAs(key)) ?? "" };
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
new MutationObserver(() => { tellAsked(); tellData(); }).observe(document.documentElement, { attributeFilter: ["lang"] });
watch("value", showReport);
showReport();
openData();
