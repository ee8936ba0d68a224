// The table of samples: filtered, sorted, and shown a hundred at a time.

const ROWS_ON_VIEW = 100;
const table = {
  sort: null, // a key of columns(); null is the first score
  descending: false, // worst first
  top: 0, // the place of the first row on view, a multiple of ROWS_ON_VIEW
  range: { low: null, high: null, isBar: false }, // of scores; of a bar the upper end belongs to the next one
  outcome: "all",
  base: [], // rows that all filters leave but those that a chart has set
  rows: [], // what is left, in order
  chartsOf: null, // the rows that the charts show
  drawing: 0, // of the last drawing, so that an older one stops
  typing: 0, // the timer that waits for the end of typing
};

/** The columns: a key, a heading, the type of its scores, a value to sort by, the unit that it is a whole number of, and how it is shown. */
function columns() {
  const unit = data.scale / 10000;
  const { type } = chosen;
  const all = [{ key: "name", heading: text(data.ids ? "id" : "number"), value: (row) => (data.ids ? nameRank(row) : data.numbers.rows.at(row)), unit: 1 }];
  (data.slices?.columns ?? []).forEach(({ name, labels, given }, place) => {
    const show = (label) => (label === null ? "–" : sliceButton({ column: name, label: labels[label] }));
    if (given) all.push({ key: `column${place}`, heading: name, value: (row) => data.numbers.slices.at(place, row), unit: 1, show });
  });
  if (hasSeveral()) {
    for (const system of comparedSystems()) {
      all.push({ key: `system${system}`, heading: data.systems[system], type, system, value: (row) => score(system, type, row), unit, show: shown });
    }
    all.push({ key: "gain", heading: "Δ", type, value: (row) => gain(type, row), unit, show: shownGain });
  } else {
    data.types.forEach((name, place) => {
      all.push({ key: place === type ? "score" : `type${place}`, heading: name, value: (row) => score(0, place, row), unit, show: shown });
    });
  }
  all.push({ key: "length", heading: text("length"), value: referenceLength, unit: 1, show: whole });
  return all;
}

let nameRanks = null; // made once it is asked for

/** The place of a row's name among all: numbers in names by their size, else by the characters, in any browser the same. */
function nameRank(row) {
  if (!nameRanks) {
    const keys = data.ids.map((name) => name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(20, "0")));
    const places = new Map([...keys].sort().map((key, place) => [key, place]));
    nameRanks = keys.map((key) => places.get(key));
  }
  return nameRanks[row];
}

/** The column that is sorted by: of the first system's score, if not another that is there. */
const sortKey = (all = columns()) => (all.some(({ key }) => key === table.sort) ? table.sort : usualSort());

const usualSort = () => (hasSeveral() ? `system${chosen.first}` : "score");

function clearRange() {
  filters.delete("gain");
  table.range = { low: null, high: null, isBar: false };
  byId("low").value = byId("high").value = "";
}

/** Show the rows whose score is in the range of a bar; null has no bound. */
function setScoreRange(low, high) {
  const rounded = (value) => (value === null ? null : Number(value.toFixed(6)));
  table.range = { low: rounded(low), high: rounded(high), isBar: true };
  byId("low").value = table.range.low ?? "";
  byId("high").value = table.range.high ?? "";
  showSamples();
}

/** Draw the table from its beginning, and bring it into view. */
async function showSamples() {
  table.top = byId("samples-view").scrollTop = 0;
  byId("samples-part").scrollIntoView();
  await drawTable();
}

/** The rows that are left: for the charts, and for the table; nothing if another drawing began meanwhile. */
async function filteredRows(drawing) {
  const { all: tests, ofChart: rowTests } = filterTests();
  const { low, high, isBar } = table.range;
  const [type, systems, wanted] = [chosen.type, comparedSystems(), { won: 1, equal: 0, lost: -1 }[table.outcome]];
  if (wanted !== undefined) tests.push((row) => outcome(type, row) === wanted);
  if (notes.filter !== "all") tests.push(hasMark);
  if (low !== null || high !== null) rowTests.push((row) => systems.some((system) => isBetween(score(system, type, row), low, high, isBar)));
  const passing = [];
  for (let row = 0; row < nRows(); row += 1) {
    if (tests.every((test) => test(row))) passing.push(row);
  }
  const isFound = searchTest();
  const base = isFound ? await foundRows(passing, isFound, drawing) : passing;
  return base && { base, rows: rowTests.length ? base.filter((row) => rowTests.every((test) => test(row))) : base };
}

/** The rows in which something is found. Texts take their time: the page answers meanwhile, and says how far it is. */
async function foundRows(rows, isFound, drawing) {
  const found = [];
  const known = knownRows();
  let last = performance.now();
  for (const [place, row] of rows.entries()) {
    known[row] ||= (await isFound(row)) ? 1 : -1;
    if (known[row] > 0) found.push(row);
    if (performance.now() - last < A_MOMENT) continue;
    byId("count").textContent = text("searching", { done: percent(place / rows.length) });
    await pause();
    if (drawing !== table.drawing) return null;
    last = performance.now();
  }
  return found;
}

/** Rows by a whole number, ties in the order given; those that have none (null) come last. */
function sortedBy(rows, rank) {
  // Number and place in one number: the browser sorts numbers itself, without a call for each two of them.
  const keys = Float64Array.from(rows, (row, place) => (rank(row) ?? 2 ** 31) * rows.length + place).sort();
  return Array.from(keys, (key) => rows[key - Math.floor(key / rows.length) * rows.length]);
}

function sorted(rows, all) {
  const { value, unit } = all.find(({ key }) => key === sortKey(all));
  const sign = table.descending ? -1 : 1;
  return sortedBy(rows, (row) => {
    const found = value(row);
    return found === null ? null : sign * Math.round(found / unit);
  });
}

async function drawTable() {
  const drawing = (table.drawing += 1);
  byId("samples").setAttribute("aria-busy", "true");
  if (search.wanted) byId("count").textContent = text("searching", { done: "" });
  drawFilters();
  const began = performance.now();
  const found = await filteredRows(drawing);
  if (drawing !== table.drawing) return;
  const all = columns();
  table.base = found.base;
  table.rows = sorted(found.rows, all);
  byId("samples").tHead.replaceChildren(headings(all));
  const count = table.rows.length ? text("count", { shown: whole(table.rows.length), all: whole(nRows()) }) : text("none");
  byId("count").textContent = search.problem || count;
  drawRows(all);
  writeLink();
  waitForCharts();
  await Promise.all([writeTexts(drawing), drawWaiting(began, () => drawing === table.drawing)]);
  if (drawing !== table.drawing) return;
  markFound();
  byId("samples").setAttribute("aria-busy", String(table.typing > 0));
}

/** The rows on view; their texts come a moment later. */
function drawRows(all) {
  const focused = document.activeElement?.dataset.row;
  const n = table.rows.length;
  table.top = Math.max(0, Math.min(table.top, n - 1));
  table.top -= table.top % ROWS_ON_VIEW;
  const rows = table.rows.slice(table.top, table.top + ROWS_ON_VIEW).map((row) => sampleRow(row, all));
  byId("samples").tBodies[0].replaceChildren(...rows);
  oneStop(rows.map((row) => row.querySelector("[data-row]")));
  const turn = (key, top) => make("button", { type: "button", id: `page-${key}`, disabled: top < 0 || top >= n, onclick: () => turnTo(top, key) }, text(key));
  const range = `${whole(table.top + 1)}–${whole(table.top + rows.length)}`;
  byId("turn").replaceChildren(...(n > ROWS_ON_VIEW ? [turn("previous", table.top - ROWS_ON_VIEW), range, turn("next", table.top + ROWS_ON_VIEW)] : []));
  if (focused) document.querySelector(`#samples [data-row="${focused}"]`)?.focus();
}

async function turnTo(top, key) {
  table.top = top;
  byId("samples-view").scrollTop = 0;
  await drawTable();
  const button = byId(`page-${key}`);
  (button?.disabled ? byId("turn").querySelector(":enabled") : button)?.focus();
}

function sampleRow(row, all) {
  const name = rowName(row);
  const button = make("button", { type: "button", "aria-label": text("openSample", { name }), "data-row": row }, make("bdi", {}, name));
  const cells = all.slice(1).map((column) => {
    const number = column.value(row);
    const colour = column.key !== "gain" || !number ? "" : number > 0 ? " up" : " down";
    return make("td", { class: columnClass(column) + colour }, column.show(number));
  });
  const words = make("td", { class: "text" });
  const star = starButton(row);
  star.tabIndex = -1; // the sample has one too
  return make("tr", { "data-of": row }, make("th", { scope: "row" }, button, star), ...cells, words);
}

/** Write the texts of the rows on view. In another order than that of the file each is in another page of texts. */
async function writeTexts(drawing) {
  let last = performance.now();
  for (const row of [...byId("samples").tBodies[0].rows]) {
    const content = await rowContent(Number(row.dataset.of));
    if (drawing !== table.drawing) return;
    row.querySelector(".text").replaceChildren(...excerpts(Number(row.dataset.of), content));
    if (performance.now() - last < A_MOMENT) continue;
    await pause();
    last = performance.now();
  }
}

/** Give the focus to the sample that was open, if the table still has it. */
async function focusRow(row) {
  const place = table.rows.indexOf(row);
  if (place < 0) return;
  if (place < table.top || place >= table.top + ROWS_ON_VIEW) {
    table.top = place;
    await drawTable();
  }
  document.querySelector(`#samples [data-row="${row}"]`)?.focus();
}

/** The charts are to be drawn again where other rows are left for them. */
function waitForCharts() {
  const [now, before] = [table.base, table.chartsOf];
  if (before && now.length === before.length && now.every((row, place) => row === before[place])) return;
  table.chartsOf = now;
  wait(chartDrawings);
}

const columnClass = ({ key }) => (key === "name" ? "" : key.startsWith("column") ? "hide-narrow" : key === "length" ? "number hide-narrow" : "number");

function headings(all) {
  const sortedKey = sortKey(all);
  const cells = all.map((column) => {
    const { key, heading, type, system } = column;
    const isSorted = key === sortedKey;
    const arrow = isSorted ? (table.descending ? " ▼" : " ▲") : "";
    const order = isSorted ? (table.descending ? "descending" : "ascending") : "none";
    const button = make("button", { type: "button", "data-sort": key, onclick: () => sortBy(key) },
      ...(system === undefined ? [] : [keyOf(system)]), make("bdi", { title: heading }, cutTo(heading, 105)),
      type === undefined ? arrow : make("span", { class: "range" }, `${data.types[type]} F`, arrow));
    return make("th", { scope: "col", "aria-sort": order, class: columnClass(column) }, button);
  });
  const marks = hasSeveral() ? comparedSystems().map((system) => make("mark", { "data-system": system }, text("matchedOnly", { name: data.systems[system] }))) : [make("mark", {}, text("matched"))];
  return make("tr", {}, ...cells, make("th", { scope: "col", class: "text" }, make("div", { class: "marks-help" }, make("span", {}, text("texts")), ...(MATCHES[data.types[chosen.type]] ? marks : []))));
}

async function sortBy(key) {
  if (sortKey() === key) table.descending = !table.descending;
  else [table.sort, table.descending] = [key, key === "gain" || key === "length"];
  table.top = 0;
  byId("samples-view").scrollTop = 0;
  await drawTable();
  document.querySelector(`[data-sort="${key}"]`)?.focus();
}

/** Two buttons that put on top where one of the two systems is better by most, and what the range of scores is of. */
function drawWins() {
  const type = data.types[chosen.type];
  byId("range-name").textContent = hasSeveral() ? text("ofEither", { type }) : `${type} F`;
  if (!hasSeveral()) return;
  const wins = (system, descending) => make("button", { type: "button", onclick: () => {
    [table.sort, table.descending] = ["gain", descending];
    showSamples();
  } }, text("largestWins", { name: data.systems[system] }));
  byId("largest-wins").replaceChildren(wins(chosen.first, true), wins(chosen.second, false));
}

function drawOutcomes() {
  if (!hasSeveral()) return;
  byId("outcome-label").hidden = false;
  const [first, second] = comparedSystems().map((system) => data.systems[system]);
  const names = { all: text("all"), won: text("better", { name: first }), equal: text("equal"), lost: text("better", { name: second }) };
  const options = Object.entries(names).map(([value, name]) => make("option", { value }, name));
  byId("outcome").replaceChildren(...options);
  byId("outcome").value = table.outcome;
}

function startTable() {
  byId("samples").tBodies[0].addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-of]");
    if (row && !event.target.closest("[data-label]")) openPair(Number(row.dataset.of));
  });
  const readForm = () => {
    const number = (id) => (byId(id).value === "" ? null : Number(byId(id).value));
    [search.wanted, search.mode] = [byId("search").value.trim(), byId("search-mode").value];
    table.range = { low: number("low"), high: number("high"), isBar: false };
    table.outcome = byId("outcome").value || "all";
    notes.filter = byId("marked").value;
    table.top = 0;
  };
  const drawAfter = (milliseconds) => {
    clearTimeout(table.typing);
    table.typing = setTimeout(() => {
      table.typing = 0;
      drawTable();
    }, milliseconds);
    byId("samples").setAttribute("aria-busy", "true");
  };
  byId("filter").addEventListener("input", () => {
    readForm(); // at once, as something else may draw the table meanwhile
    drawAfter(150);
  });
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  byId("filter").addEventListener("reset", () => {
    filters.clear();
    setTimeout(() => { // once the fields are empty
      readForm();
      drawTable();
    });
    byId("samples").setAttribute("aria-busy", "true");
  });
}

linkParts.push({
  write(params) {
    writeUnless(params, "sort", sortKey(), usualSort());
    if (table.descending) params.set("descending", "yes");
    writeUnless(params, "at", table.top + 1, 1);
    const { low, high, isBar } = table.range;
    if (low !== null || high !== null) params.set(isBar ? "bar" : "score", rangeText(low, high));
  },
  read(params) {
    table.sort = params.get("sort");
    table.descending = params.get("descending") === "yes";
    table.top = Math.floor(Number(params.get("at"))) - 1 || 0;
    const [low = null, high = null] = rangeOf(params.get("bar") ?? params.get("score") ?? "~");
    table.range = { low, high, isBar: params.has("bar") };
    [byId("low").value, byId("high").value] = [low ?? "", high ?? ""];
  },
});
linkChoice("outcome", table, "outcome", (value) => ["won", "equal", "lost"].includes(value));
