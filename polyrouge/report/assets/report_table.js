// The table of samples: filtered and sorted. report_rows.js draws those rows that are near the view.

const table = {
  sort: null, // a key of columns(); null is the first score
  descending: false, // worst first
  top: 0, // the place of the first row on view
  range: { low: null, high: null, isBar: false }, // of scores; of a bar the upper end belongs to the next one
  outcome: "all",
  base: [], // rows that all filters leave but those that a chart has set
  rows: [], // what is left, in order
  chartsOf: null, // the rows that the charts show
  drawing: 0, // of the last drawing, so that an older one stops
  typing: 0, // the timer that waits for the end of typing
};

/** The columns: a key, a heading, a value to sort by, the unit that it is a whole number of, and how it is shown. */
function columns() {
  const unit = data.scale / 10000;
  const all = [{ key: "name", heading: data.ids ? "id" : "number", value: (row) => (data.ids ? nameRank(row) : data.numbers.rows.at(row)), unit: 1 }];
  const types = hasSeveral() ? [chosen.type] : data.types.map((_, type) => type);
  for (const type of types) {
    data.systems.forEach((name, system) => {
      const heading = hasSeveral() ? name : data.types[type];
      const key = hasSeveral() ? `system${system}` : type === chosen.type ? "score" : `type${type}`;
      all.push({ key, name: heading, value: (row) => score(system, type, row), unit, show: shown });
    });
  }
  if (hasSeveral()) all.push({ key: "gain", heading: "delta", value: (row) => gain(chosen.type, row), unit, show: shownGain });
  all.push(...sourceColumns());
  all.push({ key: "length", heading: "length", value: referenceLength, unit: 1, show: whole, narrow: true });
  return all;
}

let nameRanks = null; // made once it is asked for

/** The place of a row's name among all: numbers in names by their size, else by the characters, in any browser the same. */
function nameRank(row) {
  if (!nameRanks) {
    const keys = data.ids.map((name) => name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(20, "0")));
    const order = keys.map((_, place) => place).sort((a, b) => (keys[a] < keys[b] ? -1 : Number(keys[a] > keys[b])));
    nameRanks = new Int32Array(keys.length);
    order.forEach((each, place) => {
      const isSame = place && keys[each] === keys[order[place - 1]];
      nameRanks[each] = isSame ? nameRanks[order[place - 1]] : place;
    });
  }
  return nameRanks[row];
}

/** The column that is sorted by: of the first system's score, if not another that is there. */
function sortKey(all = columns()) {
  const first = hasSeveral() ? "system0" : "score";
  return all.some(({ key }) => key === table.sort) ? table.sort : first;
}

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
  table.top = 0;
  drawTable();
  byId("count").scrollIntoView({ block: "nearest" });
}

/** Tests of the outcome and of the range of scores, none where all rows stay. */
function rangeTests() {
  const { low, high, isBar } = table.range;
  const type = chosen.type;
  const systems = data.systems.map((_, system) => system);
  return low === null && high === null ? [] : [(row) => systems.some((system) => isBetween(score(system, type, row), low, high, isBar))];
}

function outcomeTests() {
  const wanted = { won: 1, equal: 0, lost: -1 }[table.outcome];
  return wanted === undefined ? [] : [(row) => outcome(chosen.type, row) === wanted];
}

/** The rows that are left: for the charts, and for the table; nothing if another drawing began meanwhile. */
async function filteredRows(drawing) {
  const { all, ofChart } = filterTests();
  const tests = [...outcomeTests(), ...(notes.filter === "all" ? [] : [hasMark]), ...all];
  const rowTests = [...rangeTests(), ...ofChart];
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
  await Promise.all([writeTexts(), drawWaiting(began, () => drawing === table.drawing)]);
  if (drawing !== table.drawing) return;
  markFound();
  byId("samples").setAttribute("aria-busy", String(table.typing > 0));
}

/** The charts are to be drawn again where other rows are left for them. */
function waitForCharts() {
  const [now, before] = [table.base, table.chartsOf];
  if (before && now.length === before.length && now.every((row, place) => row === before[place])) return;
  table.chartsOf = now;
  for (const draw of chartDrawings) {
    waiting.delete(draw);
    waiting.add(draw);
  }
}

function headings(all) {
  const sortedKey = sortKey(all);
  const cells = all.map(({ key, heading, name, narrow }) => {
    const isSorted = key === sortedKey;
    const label = heading ? text(heading) : name;
    const arrow = isSorted ? (table.descending ? " ▼" : " ▲") : "";
    const order = isSorted ? (table.descending ? "descending" : "ascending") : "none";
    const button = make("button", { type: "button", "data-sort": key, onclick: () => sortBy(key) }, make("bdi", {}, label), arrow);
    return make("th", { scope: "col", "aria-sort": order, class: (key === "name" ? "" : "number") + (narrow ? " hide-narrow" : "") }, button);
  });
  return make("tr", { "aria-rowindex": 1 }, ...cells, make("th", { scope: "col" }, text("reference")));
}

function sortBy(key) {
  if (sortKey() === key) table.descending = !table.descending;
  else [table.sort, table.descending] = [key, key === "gain" || key === "length"];
  table.top = 0;
  drawTable().then(() => document.querySelector(`[data-sort="${key}"]`)?.focus());
}

function drawOutcomes() {
  byId("outcome-label").hidden = !hasSeveral();
  const options = ["all", "won", "equal", "lost"].map((key) => make("option", { value: key }, text(key)));
  byId("outcome").replaceChildren(...options);
  byId("outcome").value = table.outcome;
}

function startTable() {
  const widthOf = (name) => name.length + (name.match(/[\u1100-\uffff]/g) || []).length; // in digits
  const longest = data.ids ? data.ids.reduce((most, name) => Math.max(most, widthOf(name)), 0) : String(nRows()).length;
  byId("samples").style.setProperty("--name-length", longest); // so that the column keeps its width while other names come
  startRows();
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
    const all = columns();
    writeUnless(params, "sort", sortKey(all), all[1].key);
    if (table.descending) params.set("descending", "yes");
    const { low, high, isBar } = table.range;
    if (low !== null || high !== null) params.set(isBar ? "bar" : "score", rangeText(low, high));
    writeUnless(params, "outcome", table.outcome, "all");
  },
  read(params) {
    table.sort = params.get("sort");
    table.descending = params.get("descending") === "yes";
    const [low = null, high = null] = rangeOf(params.get("bar") ?? params.get("score") ?? "~");
    table.range = { low, high, isBar: params.has("bar") };
    [byId("low").value, byId("high").value] = [low ?? "", high ?? ""];
    table.outcome = ["won", "equal", "lost"].includes(params.get("outcome")) ? params.get("outcome") : "all";
  },
});
