// Slices: where a system loses. A click on a slice filters the samples, and so the charts.

const slices = { column: "", loser: "first" }; // "" shows all columns; "second": where the second system loses

const columnOf = (name) => data.slices.columns.find((column) => column.name === name);

/** The columns on view: of what systems have copied only that of those that are compared. */
const shownColumns = () => data.slices.columns.filter(({ system }) => system === null || comparedSystems().some((each) => data.systems[each] === system));

/** "reference length: ≤ 20"; the columns that this page has made have their names in its language. */
function columnName(name) {
  const { given, system } = columnOf(name);
  if (given) return name;
  if (system !== null) return hasSeveral() ? `${text("coverage")}${text("colon")}${system}` : text("coverage");
  return { "reference length": text("referenceLengthColumn"), references: text("referencesColumn") }[name] ?? name;
}

/** What was found for the two chosen systems on each slice; first minus second, whichever way it is kept. */
function pairedSlices() {
  const [first, second] = [data.systems[chosen.first], data.systems[chosen.second]];
  const found = new Map();
  for (const each of data.slices.differences) {
    if (each.key !== data.types[chosen.type]) continue;
    const place = `${each.column}\n${each.label}`;
    if (each.first === first && each.second === second) found.set(place, each);
    if (each.first === second && each.second === first) {
      const turned = (bound) => (bound === null ? null : -bound);
      found.set(place, { ...each, difference: -each.difference, low: turned(each.high), high: turned(each.low) });
    }
  }
  return found;
}

/** The slices on view by column, in each where one of the two systems loses most, or the only one has the lowest mean; small ones last. */
function shownSlices() {
  const name = data.types[chosen.type];
  const differences = hasSeveral() ? pairedSlices() : new Map();
  const names = shownColumns().map(({ name: column }) => column);
  const wanted = names.includes(slices.column) ? [slices.column] : names;
  const rows = data.slices.slices.filter(({ column }) => wanted.includes(column)).map((each) => {
    const mean = (system) => each.systems[data.systems[system]][name];
    const pair = differences.get(`${each.column}\n${each.label}`) || null;
    const difference = hasSeveral() ? mean(chosen.first).mean - mean(chosen.second).mean : mean(0).mean;
    return { ...each, mean, pair, order: pair ? pair.difference : difference };
  });
  const sign = hasSeveral() && slices.loser === "second" ? -1 : 1;
  const isSmall = ({ n_samples: n }) => n < data.slices.fewest;
  const place = ({ column }) => names.indexOf(column);
  return rows.sort((a, b) => place(a) - place(b) || isSmall(a) - isSmall(b) || sign * (a.order - b.order));
}

/** A dot with its interval on a line from low to high; the upright line is 0, or the mean of all samples. */
function intervalDrawing({ value, from, to }, { low, high, middle }, system) {
  const x = scaleOf(low, high, 4, 176);
  const svg = draw("svg", { viewBox: "0 0 180 16", class: "interval", "data-system": system, "aria-hidden": "true" });
  svg.append(draw("line", { class: "axis", x1: 4, x2: 176, y1: 8, y2: 8 }), draw("line", { class: "middle", x1: x(middle), x2: x(middle), y1: 0, y2: 16 }));
  if (from !== null) svg.append(draw("line", { class: "span", x1: x(from), x2: x(to), y1: 8, y2: 8 }));
  svg.append(draw("circle", { class: "estimate", cx: x(value), cy: 8, r: 4 }));
  return svg;
}

/** What is drawn beside a slice, and the ends of the axis for all of them. */
function sliceDrawings(rows) {
  const found = rows.map(({ mean, pair, order }) => {
    if (!hasSeveral()) return { value: mean(0).mean, from: mean(0).low, to: mean(0).high };
    return pair ? { value: pair.difference, from: pair.low, to: pair.high } : { value: order, from: null, to: null };
  });
  const ends = found.flatMap(({ value, from, to }) => [value, from ?? value, to ?? value]);
  if (hasSeveral()) {
    const reach = ends.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || data.scale;
    return { found, axis: { low: -reach, high: reach, middle: 0 } };
  }
  return { found, axis: { low: 0, high: ends.reduce((most, value) => Math.max(most, value), data.scale), middle: data.means[0][data.types[chosen.type]] } };
}

function sliceButton({ column, label }) {
  const kind = `slice ${column}`;
  const pick = () => setFilter(kind, filters.get(kind) === label ? null : label);
  return make("button", { type: "button", "data-column": column, "data-label": label, "aria-pressed": String(filters.get(kind) === label), onclick: pick }, make("bdi", {}, label));
}

/** Which slices the samples are filtered by. */
function markSlices() {
  for (const button of document.querySelectorAll("[data-label]")) {
    button.setAttribute("aria-pressed", String(filters.get(`slice ${button.dataset.column}`) === button.dataset.label));
  }
}

/** The slices of a row, by column, for a file. */
function sliceObject(row) {
  const found = {};
  (data.slices?.columns || []).forEach(({ name, labels }, place) => {
    const at = data.numbers.slices.at(place, row);
    found[`slice ${name}`] = at === null ? null : labels[at];
  });
  return found;
}

/** A row; the first of a column names it for all of them. */
function sliceRow(each, drawing, axis, columnSize) {
  const { mean, pair } = each;
  const means = comparedSystems().map((system) => {
    const { mean: value, low, high } = mean(system);
    const range = low === null ? [] : [make("span", { class: "range", "data-part": "interval" }, `[${shown(low)}, ${shown(high)}]`)];
    return make("td", { class: hasSeveral() ? "hide-narrow" : null }, shown(value), ...range);
  });
  const differences = [];
  if (hasSeveral()) {
    const value = shownGain(each.order);
    const cell = make("td", { class: pair?.significant ? (each.order > 0 ? "up" : "down") : "" }, pair?.significant ? make("strong", {}, value) : value);
    if (pair && pair.low !== null) cell.append(make("span", { class: "range", "data-part": "interval" }, `[${shownGain(pair.low)}, ${shownGain(pair.high)}]`));
    differences.push(cell, make("td", {}, pair ? pair.shown_p : "–"));
  }
  const column = columnSize ? [make("th", { scope: "rowgroup", rowspan: columnSize }, make("bdi", {}, columnName(each.column)))] : [];
  return make("tr", {}, ...column, make("th", { scope: "row" }, sliceButton(each)), make("td", {}, whole(each.n_samples)), ...means, ...differences,
    make("td", { class: "drawing" }, intervalDrawing(drawing, axis, hasSeveral() ? null : 0)));
}

function drawSlices() {
  if (!data.slices) return;
  const rows = shownSlices();
  const drawings = sliceDrawings(rows);
  const heads = hasSeveral()
    ? [...comparedSystems().map((system) => make("th", { scope: "col", class: "hide-narrow" }, named(system))), make("th", { scope: "col" }, text("difference")), make("th", { scope: "col" }, "p")]
    : [make("th", { scope: "col" }, text("mean"))];
  const head = make("tr", {}, make("th", { scope: "col" }, text("columnHead")), make("th", { scope: "col" }, text("slice")), make("th", { scope: "col" }, "n"), ...heads, make("th", { scope: "col", class: "drawing" }, hasSeveral() ? "Δ" : "F"));
  byId("slices-table").replaceChildren(make("caption", {}, `${text("slices")}${text("colon")}${data.types[chosen.type]} F`),
    make("thead", {}, head), make("tbody", {}, ...rows.map((row, place) => sliceRow(row, drawings.found[place], drawings.axis, row.column !== rows[place - 1]?.column && rows.filter(({ column }) => column === row.column).length))));
  oneStop([...byId("slices-table").querySelectorAll("button")]);
  markSlices();
  const isCompared = rows.some(({ pair }) => pair);
  byId("slices-help").textContent = slicesHelp(rows, isCompared);
  const options = [["", text("allColumns")], ...shownColumns().map(({ name }) => [name, columnName(name)])];
  byId("slice-column").replaceChildren(...options.map(([value, label]) => make("option", { value }, label)));
  byId("slice-column").value = options.some(([value]) => value === slices.column) ? slices.column : "";
  if (!hasSeveral()) return;
  byId("slice-loser").replaceChildren(...["first", "second"].map((side) => make("option", { value: side }, data.systems[chosen[side]])));
  byId("slice-loser").value = slices.loser;
}

/** How the table is sorted, and over which slices the p values are corrected. */
function slicesHelp(rows, isCompared) {
  const few = data.slices.fewest;
  if (!hasSeveral()) return text("slicesHelpOne", { few });
  if (!isCompared) return text("slicesHelpNone", { first: data.slices.baseline || "" });
  const loser = data.systems[chosen[slices.loser]];
  const tested = rows.filter(({ pair }) => pair?.n_tests);
  if (!tested.length) return sentences(text("slicesUntested", { few, loser }), text("slicesClick"));
  const named = data.slices.columns.filter((column) => column.named).map(({ name }) => name);
  const n = tested.find(({ column }) => named.includes(column))?.pair.n_tests; // of one of them, others are corrected by themselves
  const family = n ? text("slicesNamed", { n: whole(n), columns: named.join(text("listComma")) }) : text("slicesEach");
  const values = { few, family, resamples: whole(data.slices.n_resamples), loser };
  return sentences(text("slicesHelp", values), text("uncorrected"), text("slicesClick"));
}

function startSlices() {
  if (!data.slices) return;
  byId("slices-part").hidden = false;
  data.numbersOfParts = { ...data.numbersOfParts, slices: data.slices };
  data.slices.columns.forEach(({ name, labels }, place) => {
    filterKinds[`slice ${name}`] = (label) => {
      const at = labels.indexOf(label);
      return at < 0 ? null : { label: `${columnName(name)}${text("colon")}${label}`, test: (row) => data.numbers.slices.at(place, row) === at };
    };
  });
  for (const key of hasSeveral() ? ["loser", "column"] : ["column"]) {
    byId(`slice-${key}`).addEventListener("change", (event) => {
      slices[key] = event.target.value;
      drawSlices();
      writeLink();
    });
  }
  linkChoice("slices", slices, "column", columnOf);
  linkChoice("loses", slices, "loser", (value) => value === "second");
  parts.push(drawSlices);
}
