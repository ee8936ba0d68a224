// What the rest of the page stands on: elements, languages, theme, and the data, unpacked when needed.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; texts become text nodes, never markup. */
function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG. */
function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// Languages

const allTexts = JSON.parse(byId("texts").textContent);
let language = "en";

/** A text of the interface, with {names} filled in. */
function text(key, values = {}) {
  const blank = (found, end) => (language === "zh" && /\p{Script=Han}/u.test(end) ? "" : found); // none between Chinese characters
  return allTexts[language][key].replace(/( ?)\{(\w+)\}( ?)/g, (found, before, name, after) => {
    const value = String(values[name] ?? `{${name}}`);
    return blank(before, value.slice(0, 1)) + value + blank(after, value.slice(-1));
  });
}

const sentences = (...parts) => parts.filter(Boolean).join(text("sentenceGap"));
const formats = { en: new Intl.NumberFormat("en-US"), zh: new Intl.NumberFormat("zh-CN") }; // one is slow to make
const whole = (number) => formats[language].format(number);

/** Whether another page shows this one in a frame, where it can keep nothing, and has no address to write to. */
const isEmbedded = () => document.documentElement.hasAttribute("data-embedded");

/** A choice that is kept for the next report, where the browser lets a file keep one. */
function remembered(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(`polyrouge-${key}`, value);
    return localStorage.getItem(`polyrouge-${key}`);
  } catch {
    return null;
  }
}

function setLanguage(chosen) {
  language = chosen in allTexts ? chosen : "en";
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  byId("language").value = language;
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  byId("contents").setAttribute("aria-label", text("contents"));
}

function setTheme(chosen) {
  byId("theme").value = chosen;
  const isDark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

// Rows are numbered from the worst to the best; `data` has what all need, a page the texts of some (report_data.js).

let data = null;
const nRows = () => data.numbers.rows.shape[0];
const rowName = (row) => (data.ids ? data.ids[row] : String(data.numbers.rows.at(row)));
const hasSeveral = () => data.systems.length > 1;
const comparedSystems = () => (hasSeveral() ? [chosen.first, chosen.second] : [0]);
const keyOf = (system) => make("span", { class: "key", "data-system": system });
const named = (system) => make("span", {}, keyOf(system), make("bdi", {}, data.systems[system]));

/** A score as it is shown, on the scale of the settings; null for a row that is left out. */
function score(system, type, row, measure = 2) {
  const value = data.numbers.scores.at(system, type, measure, row);
  return value === null ? null : (value / 10000) * data.scale;
}

/** By how much the first of the two chosen systems is better. */
function gain(type, row) {
  const [first, second] = [score(chosen.first, type, row), score(chosen.second, type, row)];
  return first === null || second === null ? null : first - second;
}

/** Which system is better, by the scores before they were rounded for this page: 1 the first, -1 the second, 0 neither. */
function outcome(type, row) {
  const { ranks } = data.numbers;
  const [first, second] = [ranks.at(chosen.first, type, row), ranks.at(chosen.second, type, row)];
  return first === null || second === null ? null : Math.sign(first - second);
}

/** A number of each row, NaN where it has none (null). */
function valuesOf(rows, value) {
  const found = new Float64Array(rows.length);
  for (let place = 0; place < rows.length; place += 1) found[place] = value(rows[place]) ?? NaN;
  return found;
}

/** The largest of some numbers, some of which may be NaN; the least one that it can be. */
function largest(values, least) {
  let most = least;
  for (const value of values) if (value > most) most = value;
  return most;
}

const digits = () => (data.scale < 10 ? 4 : 2);
const shown = (value) => (value === null ? "–" : value.toFixed(digits()));
const shownGain = (value) => (value === null ? "–" : (value > 0 ? "+" : "") + value.toFixed(digits()).replace("-", "−"));

/** The reference that a system's score of a type is that of. */
const bestReference = (system, type, row) => data.numbers.best.at(system, type, row) ?? 0;

const referenceCount = (row) => data.numbers.referenceStarts.at(row + 1) - data.numbers.referenceStarts.at(row);

/** Tokens of the reference that the first system's first type was scored with. */
function referenceLength(row) {
  return data.numbers.referenceLengths.at(data.numbers.referenceStarts.at(row) + bestReference(0, 0, row));
}

// What the user has chosen; every part draws itself from this.
const chosen = { type: 0, first: 0, second: 1 };

/** The two that are compared first: of many the best and the next by the first type. */
function usualPair() {
  const mean = (system) => data.means[system][data.types[0]];
  const places = [...data.systems.keys()];
  return data.systems.length > 2 && !data.curves ? places.sort((a, b) => mean(b) - mean(a)) : places;
}

/** Compare two other systems in the charts and the table. */
function comparePair(systems) {
  const before = [chosen.first, chosen.second];
  Object.assign(chosen, systems);
  if (chosen.first === chosen.second) [chosen.first, chosen.second] = [before[1], before[0]]; // they change places
  byId("first").value = chosen.first;
  byId("second").value = chosen.second;
  clearRange();
  redraw();
}

// Parts of the page that stand beside the charts and the table: functions that draw them, each from `chosen`.
const parts = [];

// What is still to be drawn, in order. The table is drawn at once; of all else, as much as fits in a moment, then the page
// answers, shows what it has, and goes on. A later drawing takes over what is left.
const waiting = new Set();
const A_MOMENT = 50; // milliseconds

/** Let the page answer, and show what has been drawn. */
function pause() {
  return new Promise((resume) => {
    requestAnimationFrame(() => setTimeout(resume));
    setTimeout(resume, 2 * A_MOMENT); // in a tab that is not on view there are no frames
  });
}

/** Draw what waits, as long as isWanted(); the page has not answered since a time. */
async function drawWaiting(since, isWanted) {
  let last = since;
  for (const draw of waiting) {
    if (performance.now() - last > A_MOMENT) {
      await pause();
      if (!isWanted()) return;
      last = performance.now();
    }
    waiting.delete(draw);
    await draw();
    if (!isWanted()) return;
  }
}

function wait(draws) {
  for (const draw of draws) {
    waiting.delete(draw);
    waiting.add(draw);
  }
}

async function redraw() {
  drawOverview();
  drawOutcomes();
  drawWins();
  drawNoteLine();
  table.chartsOf = null; // draw the charts too
  wait([...parts, drawExports]);
  await drawTable();
  if (byId("pair").open) drawPair();
}

const stops = new WeakMap(); // for an element that Tab takes as one with others: all of them

/** Make elements one stop of Tab: arrow keys, Home and End go from one to another. */
function oneStop(elements) {
  elements.forEach((element, place) => {
    element.setAttribute("tabindex", place ? -1 : 0);
    stops.set(element, elements);
  });
}

document.addEventListener("focusin", ({ target }) => {
  for (const each of stops.get(target) ?? []) each.setAttribute("tabindex", each === target ? 0 : -1);
});

document.addEventListener("keydown", (event) => {
  const all = stops.get(event.target);
  if (!all || event.altKey || event.ctrlKey || event.metaKey) return;
  const place = all.indexOf(event.target);
  const next = { ArrowRight: place + 1, ArrowDown: place + 1, ArrowLeft: place - 1, ArrowUp: place - 1, Home: 0, End: all.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  all[next]?.focus();
});

/** The contents list leads to sections that are there, and marks the one on view; # in the address is for links. */
function startContents() {
  const links = [...document.querySelectorAll("#contents a")];
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = links.find(({ hash }) => hash === `#${target.id}`);
      if (isIntersecting) links.forEach((each) => each.setAttribute("aria-current", each === link));
    }
  }, { rootMargin: "-30% 0px -65% 0px" });
  for (const link of links) {
    const section = byId(link.hash.slice(1));
    link.parentElement.hidden = section.hidden;
    watcher.observe(section);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      section.scrollIntoView();
    });
  }
}

/** Inside another page, which has switches of its own, the report follows these, and what the page says of its link. */
function followPage(event) {
  if (event.source !== parent) return;
  if ("kept" in event.data) {
    notes.isKept = event.data.kept;
    return drawNoteLine();
  }
  if ("link" in event.data) return followLink(event.data.link);
  setTheme(event.data.theme === "dark" ? "dark" : "light");
  setLanguage(event.data.language);
  if (document.documentElement.dataset.ready === "yes") redraw(); // else it is drawn in a moment
}

async function start() {
  const isChinese = (navigator.language || "").toLowerCase().startsWith("zh");
  const asked = document.documentElement.dataset; // by a page that this one is shown in
  setLanguage(asked.language || remembered("language") || (isChinese ? "zh" : "en"));
  setTheme(asked.theme || remembered("theme") || "auto");
  if (isEmbedded()) addEventListener("message", followPage);
  byId("theme").addEventListener("change", (event) => {
    remembered("theme", event.target.value);
    setTheme(event.target.value);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme(byId("theme").value));
  if (!("DecompressionStream" in window)) {
    byId("problem").textContent = text("tooOld");
    byId("problem").hidden = false;
    return;
  }
  await unpackData();
  for (const [place, name] of data.types.entries()) byId("type").append(make("option", { value: place }, name));
  byId("type").addEventListener("change", (event) => {
    chosen.type = pair.view = Number(event.target.value);
    clearRange();
    redraw();
  });
  byId("language").addEventListener("change", (event) => {
    remembered("language", event.target.value);
    setLanguage(event.target.value);
    redraw();
  });
  for (const place of data.systems.length > 2 ? ["first", "second"] : []) {
    byId(place).append(...data.systems.map((name, system) => make("option", { value: system }, name)));
    byId(place).value = chosen[place];
    byId(place).addEventListener("change", (event) => comparePair({ [place]: Number(event.target.value) }));
  }
  matchMedia("(max-width: 40rem)").addEventListener("change", redraw);
  Object.assign(chosen, { first: usualPair()[0], second: usualPair()[1] });
  readNotes();
  startOverview();
  startFound();
  startLink();
  startTable();
  startPair();
  startSlices();
  startSources();
  startContents();
  readLink();
  await redraw();
  await openLinkedPair();
  document.documentElement.dataset.ready = "yes";
}
