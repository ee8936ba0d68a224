// The table of samples: filtered, sorted, and shown a page at a time.

const TABLE_ROWS = 50;
const table = {
  sort: null, // a key of columns(); null is the first score
  descending: false, // worst first
  page: 0,
  range: { low: null, high: null, isBar: false }, // of scores; of a bar the upper end belongs to the next one
  outcome: "all",
  base: [], // rows that all filters leave but those that a chart has set
  rows: [], // what is left, in order
  chartsOf: null, // what the rows of the charts were left by
  drawing: 0, // of the last drawing, so that an older one stops
  typing: 0, // the timer that waits for the end of typing
};

/** The columns: a key, a heading, a value to sort by, and how it is shown. */
function columns() {
  const all = [{ key: "name", heading: data.ids ? "id" : "number", value: (row) => (data.ids ? data.ids[row] : data.numbers.rows.at(row)) }];
  const types = hasSeveral() ? [chosen.type] : data.types.map((_, type) => type);
  for (const type of types) {
    data.systems.forEach((name, system) => {
      const heading = hasSeveral() ? name : data.types[type];
      const key = hasSeveral() ? `system${system}` : type === chosen.type ? "score" : `type${type}`;
      all.push({ key, name: heading, value: (row) => score(system, type, row), show: shown });
    });
  }
  if (hasSeveral()) all.push({ key: "gain", heading: "delta", value: (row) => gain(chosen.type, row), show: shownGain });
  all.push(...sourceColumns());
  all.push({ key: "length", heading: "length", value: referenceLength, show: whole, narrow: true });
  return all;
}

/** The column that is sorted by: of the first system's score, if not another that is there. */
function sortKey() {
  const first = hasSeveral() ? "system0" : "score";
  return columns().some(({ key }) => key === table.sort) ? table.sort : first;
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
  table.page = 0;
  drawTable();
  byId("count").scrollIntoView({ block: "nearest" });
}

function isInRange(row) {
  const { low, high, isBar } = table.range;
  if (low === null && high === null) return true;
  return data.systems.some((_, system) => isBetween(score(system, chosen.type, row), low, high, isBar));
}

function hasOutcome(row) {
  if (table.outcome === "all") return true;
  const value = outcome(chosen.type, row);
  return value !== null && { won: value > 0, equal: value === 0, lost: value < 0 }[table.outcome];
}

/** The rows that are left: for the charts, and for the table. */
async function filteredRows() {
  const base = [];
  const { all, ofChart } = filterTests();
  const isFound = searchTest();
  for (let row = 0; row < nRows(); row += 1) {
    if (!hasOutcome(row) || !hasMark(row) || !all.every((test) => test(row))) continue;
    if (!isFound || (await isFound(row))) base.push(row);
  }
  return { base, rows: base.filter((row) => isInRange(row) && ofChart.every((test) => test(row))) };
}

function sorted(rows) {
  const { value } = columns().find((each) => each.key === sortKey());
  const sign = table.descending ? -1 : 1;
  const keyed = rows.map((row) => [value(row), row]);
  keyed.sort(([a, rowA], [b, rowB]) => {
    if (a === null || b === null) return (a === null) - (b === null) || rowA - rowB; // left out: always last
    const order = typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
    return sign * order || rowA - rowB;
  });
  return keyed.map(([, row]) => row);
}

async function drawTable() {
  const drawing = (table.drawing += 1);
  byId("samples").setAttribute("aria-busy", "true");
  if (search.wanted) byId("count").textContent = text("searching");
  drawFilters();
  const found = await filteredRows();
  if (drawing !== table.drawing) return;
  table.base = found.base;
  const rows = sorted(found.rows);
  table.rows = rows;
  table.page = Math.max(0, Math.min(table.page, Math.ceil(rows.length / TABLE_ROWS) - 1));
  const visible = rows.slice(table.page * TABLE_ROWS, (table.page + 1) * TABLE_ROWS);
  const contents = await Promise.all(visible.map(rowContent));
  if (drawing !== table.drawing) return;
  const all = columns();
  byId("samples").tHead.replaceChildren(headings(all));
  byId("samples").tBodies[0].replaceChildren(...visible.map((row, place) => tableRow(row, contents[place], all)));
  const count = rows.length ? text("count", { shown: whole(rows.length), all: whole(nRows()) }) : text("none");
  byId("count").textContent = search.problem || count;
  drawPager();
  markFound();
  writeLink();
  drawFilteredCharts();
  byId("samples").setAttribute("aria-busy", String(table.typing > 0));
}

/** Draw the charts again where other rows are left for them. */
function drawFilteredCharts() {
  const leftBy = table.base.join();
  if (leftBy === table.chartsOf) return;
  table.chartsOf = leftBy;
  drawCharts(table.base);
  drawMoved(table.base);
  drawMeasureChart(table.base);
}

function headings(all) {
  const cells = all.map(({ key, heading, name, narrow }) => {
    const isSorted = key === sortKey();
    const label = heading ? text(heading) : name;
    const arrow = isSorted ? (table.descending ? " ▼" : " ▲") : "";
    const order = isSorted ? (table.descending ? "descending" : "ascending") : "none";
    const button = make("button", { type: "button", "data-sort": key, onclick: () => sortBy(key) }, make("bdi", {}, label), arrow);
    return make("th", { scope: "col", "aria-sort": order, class: (key === "name" ? "" : "number") + (narrow ? " hide-narrow" : "") }, button);
  });
  return make("tr", {}, ...cells, make("th", { scope: "col" }, text("reference")));
}

function sortBy(key) {
  if (sortKey() === key) table.descending = !table.descending;
  else [table.sort, table.descending] = [key, key === "gain" || key === "length"];
  table.page = 0;
  drawTable().then(() => document.querySelector(`[data-sort="${key}"]`)?.focus());
}

function tableRow(row, content, all) {
  const name = rowName(row);
  const label = text("openSample", { name });
  const button = make("button", { type: "button", "aria-label": label, "data-row": row, onkeydown: moveFocus }, make("bdi", {}, name));
  const cells = all.slice(1).map(({ value, show, key, narrow }) => {
    const number = value(row);
    const colour = key !== "gain" || !number ? "" : number > 0 ? " up" : " down";
    return make("td", { class: `number${colour}${narrow ? " hide-narrow" : ""}` }, show(number));
  });
  const reference = make("td", { class: "text" }, make("div", { dir: "auto" }, preview(content.references[0].text)));
  return make("tr", { onclick: () => openPair(row) }, make("th", { scope: "row" }, button, starButton(row)), ...cells, reference);
}

/** Up and down go from row to row. */
function moveFocus(event) {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!step) return;
  event.preventDefault();
  event.target.closest("tr")[step]?.querySelector("[data-row]").focus();
}

function drawPager() {
  const count = Math.max(1, Math.ceil(table.rows.length / TABLE_ROWS));
  const turn = (by) => () => {
    table.page += by;
    drawTable();
  };
  byId("pager").replaceChildren(
    make("button", { type: "button", id: "previous-page", disabled: table.page === 0, onclick: turn(-1) }, text("previousPage")),
    make("span", {}, text("page", { page: whole(table.page + 1), pages: whole(count) })),
    make("button", { type: "button", id: "next-page", disabled: table.page + 1 >= count, onclick: turn(1) }, text("nextPage")),
  );
  byId("pager").hidden = count === 1;
}

function drawOutcomes() {
  byId("outcome-label").hidden = !hasSeveral();
  const options = ["all", "won", "equal", "lost"].map((key) => make("option", { value: key }, text(key)));
  byId("outcome").replaceChildren(...options);
  byId("outcome").value = table.outcome;
}

function startTable() {
  const readForm = () => {
    const number = (id) => (byId(id).value === "" ? null : Number(byId(id).value));
    [search.wanted, search.mode] = [byId("search").value.trim(), byId("search-mode").value];
    table.range = { low: number("low"), high: number("high"), isBar: false };
    table.outcome = byId("outcome").value || "all";
    notes.filter = byId("marked").value;
    table.page = 0;
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
    writeUnless(params, "sort", sortKey(), columns()[1].key);
    if (table.descending) params.set("descending", "yes");
    writeUnless(params, "page", table.page + 1, 1);
    const { low, high, isBar } = table.range;
    if (low !== null || high !== null) params.set(isBar ? "bar" : "score", rangeText(low, high));
    writeUnless(params, "outcome", table.outcome, "all");
  },
  read(params) {
    table.sort = params.get("sort");
    table.descending = params.get("descending") === "yes";
    table.page = Math.max(0, Number(params.get("page") || 1) - 1) || 0;
    const [low = null, high = null] = rangeOf(params.get("bar") ?? params.get("score") ?? "~");
    table.range = { low, high, isBar: params.has("bar") };
    [byId("low").value, byId("high").value] = [low ?? "", high ?? ""];
    table.outcome = ["won", "equal", "lost"].includes(params.get("outcome")) ? params.get("outcome") : "all";
  },
});
