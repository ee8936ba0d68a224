// Charts, drawn as SVG in the colours of the page.

const BINS = 20;
const MOST_DOTS = 2000; // more samples are drawn as a grid of shades
const CELL = 7; // of the grid
const BOX = { width: 480, height: 260, left: 56, right: 10, top: 10, bottom: 38 };

/** A map from numbers to places on an axis. */
const scaleOf = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

/** Round steps that fit a range. */
function ticks(low, high, count = 5) {
  const rough = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  const values = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step) {
    values.push(Number(value.toPrecision(10)));
  }
  return values;
}

const shortFormat = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
const short = (value) => shortFormat.format(value).replace("-", "−");

/** An SVG with axes; returns it with the maps of both. */
function axes([lowX, highX], [lowY, highY], labelX, labelY, { counts, ...attributes }) {
  const svg = draw("svg", { viewBox: `0 0 ${BOX.width} ${BOX.height}`, ...attributes });
  const x = scaleOf(lowX, highX, BOX.left, BOX.width - BOX.right);
  const y = scaleOf(lowY, highY, BOX.height - BOX.bottom, BOX.top);
  const bottom = BOX.height - BOX.bottom;
  const levels = ticks(lowY, highY).filter((value) => !counts || Number.isInteger(value));
  for (const value of levels) {
    svg.append(draw("line", { class: "axis", x1: BOX.left, x2: BOX.width - BOX.right, y1: y(value), y2: y(value) }));
    svg.append(draw("text", { x: BOX.left - 5, y: y(value) + 4, "text-anchor": "end" }, short(value)));
  }
  for (const value of ticks(lowX, highX, 6)) {
    svg.append(draw("text", { x: x(value), y: bottom + 15, "text-anchor": "middle" }, short(value)));
  }
  svg.append(draw("text", { x: (BOX.left + BOX.width) / 2, y: BOX.height - 5, "text-anchor": "middle" }, labelX));
  svg.append(draw("text", { x: 12, y: 120, "text-anchor": "middle", transform: "rotate(-90 12 120)" }, labelY));
  return { svg, x, y };
}

/** The end of the axis of scores: some conventions' scores go beyond the scale. */
function highest() {
  let most = data.scale;
  data.systems.forEach((_, system) => {
    for (let row = 0; row < nRows(); row += 1) most = Math.max(most, score(system, chosen.type, row) ?? 0);
  });
  return most;
}

/**
 * Targets as one group, which shows the label of that under the pointer. A click picks one, by its place. Arrow keys go from
 * one to the next, Tab to one of them only; Enter and the blank do what a click does.
 */
function targetGroup(targets, pick) {
  targets.forEach((target, place) => target.setAttribute("tabindex", place ? -1 : 0));
  const title = draw("title");
  const group = draw("g", {}, title, ...targets);
  group.addEventListener("pointerover", (event) => { title.textContent = event.target.getAttribute("aria-label"); });
  group.addEventListener("click", (event) => {
    const place = targets.indexOf(event.target);
    if (place >= 0) pick(place);
  });
  group.addEventListener("keydown", (event) => {
    const place = targets.indexOf(event.target);
    const move = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const next = move && targets[place + move];
    const acts = event.key === "Enter" || event.key === " ";
    if (acts) pick(place);
    if (next) {
      targets[place].setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus();
    }
    if (move || acts) event.preventDefault();
  });
  return group;
}

/** Bars of counts, one series a system; a click or Enter on a bar filters the table. */
function histogram(series, low, high, label, pick, systems = series.map((_, place) => place)) {
  const width = (high - low) / BINS;
  const counts = series.map((values) => {
    const bins = new Array(BINS).fill(0);
    for (const value of values) {
      if (!Number.isNaN(value)) bins[Math.min(BINS - 1, Math.max(0, Math.floor((value - low) / width + 1e-9)))] += 1;
    }
    return bins;
  });
  const most = Math.max(1, ...counts.flat());
  const { svg, x, y } = axes([low, high], [0, most], label, text("samplesAxis"), { role: "group", counts: true });
  const bar = (x(low + width) - x(low) - 2) / series.length;
  const targets = [];
  for (let bin = 0; bin < BINS; bin += 1) {
    const from = low + bin * width;
    counts.forEach((bins, place) => {
      const height = y(0) - y(bins[bin]);
      const left = x(from) + 1 + place * bar;
      svg.append(draw("rect", { class: "bar", "data-system": systems[place], x: left, y: y(0) - height, width: bar, height }));
    });
    const values = { low: short(from), high: short(from + width), n: counts.map((bins) => whole(bins[bin])).join(" / ") };
    const target = draw("rect", {
      ...{ class: "target", x: x(from), y: BOX.top, width: x(from + width) - x(from), height: y(0) - BOX.top },
      role: "button",
      "aria-label": text("binLabel", values),
    });
    targets.push(target);
  }
  svg.append(targetGroup(targets, (bin) => pick(low + bin * width, low + (bin + 1) * width, bin === BINS - 1)));
  return svg;
}

/**
 * Points, or for many a grid of shades. A point opens its sample, a cell of the grid shows its samples in the table.
 * @param points the rows with the numbers of each on both axes
 */
function scatter({ svg, x, y }, { rows, valuesX, valuesY }, system = 0) {
  const target = (name, label, attributes) => draw(name, { ...attributes, "data-system": system, role: "button", "aria-label": label });
  const isPoint = (place) => !Number.isNaN(valuesX[place]) && !Number.isNaN(valuesY[place]);
  if (rows.length <= MOST_DOTS) {
    const points = Array.from(rows.keys()).filter(isPoint).sort((a, b) => valuesX[a] - valuesX[b] || valuesY[a] - valuesY[b]);
    const dots = points.map((place) => target("circle", rowName(rows[place]), { class: "dot", cx: x(valuesX[place]), cy: y(valuesY[place]), r: 3.5 }));
    svg.append(targetGroup(dots, (place) => openPair(rows[points[place]])));
    return;
  }
  const lines = Math.ceil(BOX.height / CELL) + 1;
  const counts = new Int32Array((Math.ceil(BOX.width / CELL) + 1) * lines);
  const cellOf = (place) => Math.floor(x(valuesX[place]) / CELL) * lines + Math.floor(y(valuesY[place]) / CELL);
  for (let place = 0; place < rows.length; place += 1) if (isPoint(place)) counts[cellOf(place)] += 1;
  const most = Math.log1p(largest(counts, 0));
  const found = Array.from(counts.keys()).filter((cell) => counts[cell]);
  const cells = found.map((cell) => {
    const shade = { "fill-opacity": 0.2 + 0.8 * (Math.log1p(counts[cell]) / most) };
    const place = { x: Math.floor(cell / lines) * CELL, y: (cell % lines) * CELL, width: CELL, height: CELL };
    return target("rect", text("cellLabel", { n: whole(counts[cell]) }), { class: "cell", ...place, ...shade });
  });
  svg.append(targetGroup(cells, (cell) => pickRows(rows.filter((_, place) => isPoint(place) && cellOf(place) === found[cell]))));
}

/** The line of the mean in each of twelve ranges on the first axis; nothing if there is no point. */
function meanLine({ x, y }, { valuesX, valuesY }, high) {
  const groups = Array.from({ length: 12 }, () => ({ n: 0, x: 0, y: 0 }));
  valuesX.forEach((value, place) => {
    if (Number.isNaN(valuesY[place])) return;
    const group = groups[Math.min(11, Math.floor((value / high) * 12))];
    group.n += 1;
    group.x += value;
    group.y += valuesY[place];
  });
  return groups.filter(({ n }) => n).map((group) => `${x(group.x / group.n).toFixed(1)} ${y(group.y / group.n).toFixed(1)}`).join("L");
}

/** Score against the reference's length, with the mean of each of twelve ranges of length. */
function lengthChart(rows) {
  const lengths = valuesOf(rows, referenceLength);
  const high = largest(lengths, 1);
  // A dot or a shade for each system hides those of others: of many samples and systems only the two that are compared have them.
  const some = rows.length * chartScores.length > MOST_DOTS ? slicedSystems() : [...chartScores.keys()];
  const help = text("lengthHelp", { n: whole(rows.length) }) + (some.length < chartScores.length ? ` ${text("twoOfMany")}` : "");
  const chart = axes([0, high * 1.03], [0, highest()], text("tokens"), `${data.types[chosen.type]} F`, { role: "group", "aria-label": help });
  const lines = [];
  chartScores.forEach((values, system) => {
    const points = { rows, valuesX: lengths, valuesY: values };
    if (some.includes(system)) scatter(chart, points, system);
    const line = meanLine(chart, points, high);
    const own = data.systems.length > 2 ? { "data-system": system } : { "stroke-dasharray": system ? "5 3" : null };
    if (line) lines.push(draw("path", { class: "mean", d: `M${line}`, ...own }));
  });
  chart.svg.append(...lines);
  return figure("lengthPlot", chart.svg, help);
}

function figure(title, svg, help) {
  const exports = exportBar(text(title), { svg: () => svg });
  return make("figure", {}, make("h3", {}, text(title)), svg, make("figcaption", {}, help), exports);
}

/** One system against the other. */
function bothChart(rows) {
  const help = text("bothHelp", { n: whole(rows.length) });
  const range = [0, highest()];
  const chart = axes(range, range, data.systems[chosen.first], data.systems[chosen.second], { role: "group", "aria-label": help });
  const [x, y] = [chart.x, chart.y];
  chart.svg.append(draw("line", { class: "diagonal", x1: x(0), y1: y(0), x2: x(range[1]), y2: y(range[1]) }));
  scatter(chart, { rows, valuesX: chartScores[chosen.first], valuesY: chartScores[chosen.second] });
  return figure("bothPlot", chart.svg, help);
}

/** Charts as wide as their place, so that labels stay legible. */
function fitCharts(place) {
  BOX.width = Math.max(260, Math.min(480, place.clientWidth - 26));
}

// The charts are of the rows in table.chartsOf. Each is drawn by itself, so that the page can answer in between.
let chartScores = []; // of each system, F of these rows

function readChartScores() {
  chartScores = data.systems.map((_, system) => valuesOf(table.chartsOf, (row) => score(system, chosen.type, row)));
  fitCharts(byId("charts"));
}

function placeChart(place, chart) {
  const before = byId("charts").children[place];
  if (before) before.replaceWith(chart);
  else byId("charts").append(chart);
}

function drawHistogram() {
  const name = `${data.types[chosen.type]} F`;
  const chart = figure("histogram", histogram(chartScores, 0, highest(), name, (low, high, last) => setScoreRange(low, last ? null : high)), text("chartHelp"));
  if (hasSeveral()) {
    const names = data.systems.map((system, place) =>
      make("span", {}, make("span", { class: "key", "data-system": place }), make("bdi", {}, system)));
    chart.querySelector("h3").after(make("div", { class: "legend" }, ...names));
  }
  placeChart(0, chart);
}

function drawDifferences() {
  if (!hasSeveral()) return;
  const gains = valuesOf(table.chartsOf, (row) => gain(chosen.type, row));
  const reach = largest(gains.map(Math.abs), 0) || data.scale;
  const pick = (low, high, last) => setFilter("gain", rangeText(low, last ? null : high));
  placeChart(2, figure("differencePlot", histogram([gains], -reach, reach, `Δ ${data.types[chosen.type]} F`, pick), text("chartHelp")));
}

const chartDrawings = [
  readChartScores,
  drawHistogram,
  () => placeChart(1, lengthChart(table.chartsOf)),
  drawDifferences,
  () => hasSeveral() && placeChart(3, bothChart(table.chartsOf)),
  () => drawMeasureChart(table.chartsOf),
  () => drawMoved(table.chartsOf),
];

/** The samples on which one of two systems is better by most. */
async function drawMoved(all) {
  if (!hasSeveral()) return;
  const type = chosen.type;
  const rows = sortedBy(all.filter((row) => outcome(type, row)), (row) => -Math.round((gain(type, row) / data.scale) * 10000));
  const lists = [
    ["movedUp", "up", rows.filter((row) => outcome(type, row) > 0).slice(0, 5)],
    ["movedDown", "down", rows.filter((row) => outcome(type, row) < 0).slice(-5).reverse()],
  ];
  const columns = [];
  for (const [title, className, some] of lists) {
    const items = [];
    for (const row of some) {
      const reference = (await rowContent(row)).references[0].text;
      const number = make("span", { class: `number ${className}` }, shownGain(gain(type, row)));
      const preview = make("span", { class: "preview", dir: "auto" }, reference);
      items.push(make("li", {}, make("button", { onclick: () => openPair(row) }, number, make("bdi", {}, rowName(row)), preview)));
    }
    if (!items.length) items.push(make("li", { class: "soft" }, text("nothing")));
    columns.push(make("div", {}, make("h3", {}, text(title)), make("ol", {}, ...items)));
  }
  if (all === table.chartsOf) byId("moved").replaceChildren(...columns);
}

/** Who differs from whom: for each two of many systems the difference of the row's minus the column's. */
function drawMatrix() {
  const place = byId("matrix");
  if (!place || !data.comparison) return;
  const name = data.types[chosen.type];
  const counts = { n: whole((data.systems.length * (data.systems.length - 1)) / 2), resamples: whole(data.comparison.n_resamples) };
  byId("board-help").textContent = text("boardHelp", counts);
  const shownPairs = new Map();
  for (const pair of data.comparison.pairs.filter((each) => each.key === name)) {
    shownPairs.set(`${pair.first}\n${pair.second}`, { ...pair, sign: 1, won: pair.wins, lost: pair.losses });
    shownPairs.set(`${pair.second}\n${pair.first}`, { ...pair, sign: -1, won: pair.losses, lost: pair.wins });
  }
  const head = data.systems.map((system) => make("th", { scope: "col" }, make("bdi", {}, system)));
  const rows = data.systems.map((system, first) => {
    const cells = data.systems.map((other, second) => {
      const pair = shownPairs.get(`${system}\n${other}`);
      if (!pair) return make("td", {}, "");
      const value = pair.sign * pair.difference;
      const number = shownGain(value);
      const button = make("button", { type: "button", onclick: () => comparePair({ first, second }) },
        pair.significant ? make("strong", {}, number) : number,
        make("span", { class: "range", "data-part": "outcomes" }, `${whole(pair.won)} / ${whole(pair.ties)} / ${whole(pair.lost)}`));
      return make("td", { class: pair.significant ? (value > 0 ? "up" : "down") : "soft" }, button);
    });
    return make("tr", {}, make("th", { scope: "row" }, make("span", { class: "key", "data-system": first }), make("bdi", {}, system)), ...cells);
  });
  const title = `${text("matrix")}${text("colon")}${name} F`;
  const table = make("table", { class: "numbers matrix" }, make("caption", {}, title),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "heard" }, text("systemHead"))), ...head)), make("tbody", {}, ...rows));
  place.replaceChildren(make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": title }, table),
    exportBar(title, { table }), make("p", { class: "soft" }, text("matrixHelp")));
}
