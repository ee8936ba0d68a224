// What the samples are filtered by. A filter has a kind, and a value that is a text, so that it fits in a link.
// A part of the page adds its own kind:
//   filterKinds.slice = (value) => ({ label, test })   label: of its chip; test(row): whether the row stays
// and sets it with setFilter("slice", value). Charts are drawn of what the filters leave, but for those that a chart sets
// itself (isOfChart): else a chart would show what was clicked in it, and nothing beside it.

const filterKinds = {
  gain: (value) => {
    const [low, high] = rangeOf(value);
    const name = `Δ ${data.types[chosen.type]} F`;
    const test = (row) => isBetween(gain(chosen.type, row), low, high, true);
    return { label: `${name}${text("colon")}[${low === null ? "…" : short(low)}, ${high === null ? "…" : short(high)})`, test, isOfChart: true };
  },
};
const filters = new Map(); // kind: value

/** A range as a text, and back; null has no bound. */
const rangeText = (low, high) => [low, high].map((value) => (value === null ? "" : Number(value.toFixed(6)))).join("~");
const rangeOf = (value) => value.split("~").map((each) => (each === "" || Number.isNaN(Number(each)) ? null : Number(each)));

/** Whether a value is in a range; of a bar the upper end belongs to the next one. */
function isBetween(value, low, high, isBar) {
  if (value === null) return false;
  return (low === null || value >= low - 1e-9) && (high === null || (isBar ? value < high - 1e-9 : value <= high));
}

/** Show only what a filter leaves, beside the other filters; null takes it away. */
function setFilter(kind, value) {
  if (value === null) filters.delete(kind);
  else filters.set(kind, String(value));
  if (value !== null) return showSamples();
  table.top = 0;
  drawTable();
}

/** The tests of all filters, those that charts set apart; a value that can't be read is taken away. */
function filterTests() {
  const found = { all: [], ofChart: [] };
  for (const [kind, value] of [...filters]) {
    const filter = filterKinds[kind]?.(value);
    if (filter) (filter.isOfChart ? found.ofChart : found.all).push(filter.test);
    else filters.delete(kind);
  }
  return found;
}

function drawFilters() {
  filterTests(); // takes away what can't be read
  const chips = [...filters].map(([kind, value]) => {
    const { label } = filterKinds[kind](value);
    const remove = () => {
      setFilter(kind, null);
      byId("search").focus();
    };
    const name = text("removeFilter", { name: label });
    return make("li", {}, make("bdi", {}, label), make("button", { type: "button", "aria-label": name, title: name, onclick: remove }, "×"));
  });
  byId("filters").replaceChildren(...chips);
  byId("filters").hidden = !chips.length;
  markSlices();
}

linkParts.push({
  write(params) {
    for (const [kind, value] of filters) params.set(kind, value);
  },
  read(params) {
    filters.clear();
    for (const kind of Object.keys(filterKinds)) if (params.has(kind)) filters.set(kind, params.get(kind));
  },
});
