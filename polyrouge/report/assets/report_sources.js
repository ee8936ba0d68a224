// Sources: how much is copied and from where, and what the source lacks.

const COUNTED = 10000; // measures of samples are kept times this
const sources = { measure: 0 };

// For each measure the texts of its name, and of what it says in one sentence.
const MEASURE_TEXTS = {
  coverage: ["coverage", "coverageHelp"],
  density: ["density", "densityHelp"],
  compression: ["compression", "compressionHelp"],
  repetition: ["repetition", "repetitionHelp"],
  source_position: ["sourcePosition", "positionHelp"],
  unsupported: ["unsupported", "unsupportedHelp"],
};
const measureTexts = (name) => MEASURE_TEXTS[name] || ["novel", "novelHelp"]; // novel_1, novel_2 ...
const measureName = (name) => text(measureTexts(name)[0], { n: name.split("_")[1] });
const measureHelp = (name) => text(measureTexts(name)[1]);

function sourceValue(system, measure, row) {
  const value = data.numbers.sources.at(system, measure, row);
  return value === null ? null : value / COUNTED;
}

const shownMeasure = (value) => (value === null ? "–" : value.toFixed(4));

function sourcesTable() {
  const names = [...data.sources.measures, "unsupported"];
  const head = data.systems.map((system, place) => make("th", { scope: "col" },
    ...(hasSeveral() ? [make("span", { class: "key", "data-system": place }), make("bdi", {}, system)] : [text("mean")])));
  const rows = names.map((name) => {
    const cells = data.sources.means.map((means, system) => {
      const value = shownMeasure(means[name]);
      if (name !== "unsupported") return make("td", {}, value);
      const pick = () => setFilter("lacking", data.systems[system]);
      return make("td", {}, make("button", { type: "button", "aria-label": text("showLacking", { name: data.systems[system], value }), onclick: pick }, value));
    });
    return make("tr", { "data-measure": name }, make("th", { scope: "row" }, measureName(name)), ...cells, make("td", { class: "words soft" }, measureHelp(name)));
  });
  return make("table", { class: "numbers", id: "sources-table" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, text("measure")), ...head, make("th", { scope: "col" }, text("says")))), make("tbody", {}, ...rows));
}

/** The samples by one of the measures; a bar shows its samples. */
function drawMeasureChart(rows) {
  if (!data.sources) return;
  const name = data.sources.measures[sources.measure];
  const systems = data.systems.map((_, system) => system);
  const series = systems.map((system) => valuesOf(rows, (row) => sourceValue(system, sources.measure, row)));
  const most = series.reduce((high, values) => largest(values, high), 1);
  const pick = (low, high, last) => setFilter("measure", `${name}~${rangeText(low, last ? null : high)}`);
  byId("sources-chart").replaceChildren(figure("measurePlot", histogram(series, 0, most, measureName(name), pick, systems), text("chartHelp")));
}

/** Columns of the table of samples: the chosen measure of the systems on view. */
function sourceColumns() {
  if (!data.sources) return [];
  const name = measureName(data.sources.measures[sources.measure]);
  return slicedSystems().map((system) => ({
    key: `source${system}`, name: hasSeveral() ? `${name} ${data.systems[system]}` : name, value: (row) => sourceValue(system, sources.measure, row), unit: 1 / COUNTED, show: shownMeasure, narrow: true,
  }));
}

/** The measures of a row, its source and what that lacks, for a file. */
function sourceObject(row, content) {
  if (!data.sources) return {};
  const found = { source: content.source.x };
  data.systems.forEach((system, place) => {
    data.sources.measures.forEach((name, measure) => { found[`${system} ${name}`] = sourceValue(place, measure, row); });
    [found[`${system} unsupported_numbers`], found[`${system} unsupported_names`]] = content.source.u[place];
  });
  return found;
}

function drawSources() {
  if (!data.sources) return;
  const table = sourcesTable();
  byId("sources-place").replaceChildren(table);
  byId("sources-exports").replaceChildren(exportBar(text("sources"), { table }));
  byId("measure").replaceChildren(...data.sources.measures.map((name, place) => make("option", { value: place }, measureName(name))));
  byId("measure").value = sources.measure;
}

// In the view of a sample

/** The fragments of a system, each the first character and the one behind the last in its text and in the source. */
function unpackedFragments(packed) {
  const found = [];
  let [end, endInSource] = [0, 0];
  for (let place = 0; place < packed.length; place += 4) {
    const [gap, length, ahead, longer] = packed.slice(place, place + 4);
    const [start, from] = [end + gap, endInSource + ahead];
    [end, endInSource] = [start + length, from + length + longer];
    found.push([start, end, from, endInSource]);
  }
  return found;
}

/** Fragments as pieces to colour: on the side of the prediction (0) or of the source (2). */
function fragmentPieces(fragments, side) {
  const pieces = fragments.map((each, run) => [each[side], each[side + 1], run]).sort((a, b) => a[0] - b[0]);
  let end = 0;
  for (const piece of pieces) { // one place of the source may be copied twice
    piece[0] = Math.max(piece[0], end);
    piece[1] = Math.max(piece[1], piece[0]);
    end = piece[1];
  }
  return pieces;
}

/** Where in the source the copied runs stand, from its beginning to its end. */
function sourceStrip(fragments, length, system) {
  const label = text("stripLabel", { n: whole(fragments.length) });
  const svg = draw("svg", { viewBox: "0 0 1000 14", class: "strip", preserveAspectRatio: "none", "data-system": hasSeveral() ? system : 0, role: "img", "aria-label": label });
  svg.append(draw("rect", { class: "whole", x: 0, y: 0, width: 1000, height: 14 }));
  const x = scaleOf(0, length || 1, 0, 1000);
  for (const [, , from, to] of fragments) svg.append(draw("rect", { class: "part", x: x(from), y: 0, width: Math.max(2, x(to) - x(from)), height: 14 }));
  return svg;
}

function lackingChips([numbers, names]) {
  const all = [...numbers, ...names];
  if (!all.length) return make("p", { class: "soft" }, text("nothing"));
  return make("ul", { class: "chips", dir: "auto" }, ...all.map((each) => make("li", {}, each)));
}

/** The predictions and the source with what was copied in colour. */
function drawSourceContent(content, predictions) {
  const { x, u } = content.source;
  const f = content.source.f.map(unpackedFragments);
  const characters = Array.from(x);
  const group = (system) => `source-${system}`;
  const panels = predictions.map((prediction, system) => {
    const title = hasSeveral() ? data.systems[system] : text("prediction");
    const values = data.sources.measures.slice(0, 2).map((name, measure) => `${measureName(name)} ${shownMeasure(sourceValue(system, measure, pair.row))}`);
    const side = panel(title, prediction, fragmentPieces(f[system], 0), group(system), values.join(text("comma")), hasSeveral() && system === pair.system);
    if (hasSeveral()) side.dataset.system = system;
    side.append(make("h4", {}, text("lacking")), lackingChips(u[system]));
    return side;
  });
  const strips = predictions.map((_, system) => make("div", { class: "strip-line" },
    make("span", { class: "soft" }, ...(hasSeveral() ? [make("span", { class: "key", "data-system": system }), make("bdi", {}, data.systems[system])] : [text("prediction")])),
    sourceStrip(f[system], characters.length, system)));
  const ends = make("div", { class: "strip-ends soft" }, make("span", {}, text("beginning")), make("span", {}, text("end")));
  const source = panel(text("source"), { characters, tokens: [] }, fragmentPieces(f[pair.system], 2), group(pair.system), null, false);
  if (hasSeveral()) source.dataset.system = pair.system;
  byId("pair-content").replaceChildren(make("div", { class: "texts" }, ...panels),
    make("h3", {}, text("strip")), make("p", { class: "soft" }, text("stripHelp")), ...strips, ends, source);
  markFound();
  writeLink();
}

function startSources() {
  if (!data.sources) return;
  byId("sources-part").hidden = false;
  data.numbersOfParts = { ...data.numbersOfParts, sources: Object.fromEntries(data.systems.map((name, system) => [name, data.sources.means[system]])) };
  VIEWS.push({ key: "source", draw: drawSourceContent });
  filterKinds.lacking = (name) => {
    const system = data.systems.indexOf(name);
    return system >= 0 && { label: text("lackingOf", { name }), test: (row) => data.numbers.lacking.at(system, row) > 0 };
  };
  filterKinds.measure = (value) => {
    const [name, low, high] = value.split("~");
    const measure = data.sources.measures.indexOf(name);
    const [from, to] = rangeOf(`${low}~${high}`);
    const isIn = (row) => data.systems.some((_, system) => isBetween(sourceValue(system, measure, row), from, to, true));
    return measure >= 0 && { label: `${measureName(name)}${text("colon")}${from === null ? "…" : short(from)} – ${to === null ? "…" : short(to)}`, test: isIn, isOfChart: true };
  };
  byId("measure").addEventListener("change", (event) => {
    sources.measure = Number(event.target.value);
    drawMeasureChart(table.base);
    drawTable();
  });
  linkParts.push({
    write: (params) => writeUnless(params, "shown", data.sources.measures[sources.measure], data.sources.measures[0]),
    read: (params) => { sources.measure = Math.max(0, data.sources.measures.indexOf(params.get("shown"))); },
  });
  parts.push(drawSources);
}
