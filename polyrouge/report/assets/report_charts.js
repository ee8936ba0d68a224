// Charts, drawn as SVG in the colours of the page. Of many systems they show the two that are compared.

const MOST_DOTS = 2000; // of more samples as many are drawn, spread evenly over them
const BOX = { width: 480, height: 260, left: 56, right: 10, top: 26, bottom: 38 };

/** A map from numbers to places on an axis. */
const scaleOf = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);
const logScaleOf = (low, high, from, to) => {
  const place = scaleOf(Math.log(low), Math.log(high), from, to);
  return (value) => place(Math.log(value));
};

/** A round step that cuts a range into about as many parts, at most. */
function roundStep(range, count) {
  const rough = (range || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough * (1 - 1e-9));
}

function ticks(low, high, count = 5) {
  const step = roundStep(high - low, count);
  const first = Math.ceil(low / step - 1e-9);
  const n = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: n }, (_, place) => Number(((first + place) * step).toPrecision(10)));
}

/** 1, 2, 5, 10 … in a range. */
const logTicks = (low, high) => [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((each) => each * 10 ** power)).filter((each) => each >= low && each <= high);

const shortFormat = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
const short = (value) => shortFormat.format(value).replace("-", "−");
const fixed = (place) => Number(place.toFixed(1)); // of a path: files stay small

/** About as many units as a label takes; it may not be on the page yet, so nothing measures it. */
const textWidth = (label) => [...label].reduce((sum, character) => sum + (character > "\u2e80" ? 11.5 : 6.3), 0);

/** A label, its middle cut to some units. */
function cutTo(label, width) {
  const parts = [...label];
  while (parts.length > 2 && textWidth(parts) > width) parts.splice(Math.floor(parts.length / 2), parts.includes("…") ? 2 : 1, "…");
  return parts.join("");
}

/** An SVG with axes; returns it with the maps of both. */
function axes([lowX, highX], [lowY, highY], labelX, labelY, { counts, isLog, ...attributes }) {
  const svg = draw("svg", { width: BOX.width, viewBox: `0 0 ${BOX.width} ${BOX.height}`, ...attributes });
  const x = (isLog ? logScaleOf : scaleOf)(lowX, highX, BOX.left, BOX.width - BOX.right);
  const y = scaleOf(lowY, highY, BOX.height - BOX.bottom, BOX.top);
  const bottom = BOX.height - BOX.bottom;
  for (const value of ticks(lowY, highY).filter((each) => !counts || Number.isInteger(each))) {
    svg.append(draw("line", { class: "axis", x1: BOX.left, x2: BOX.width - BOX.right, y1: y(value), y2: y(value) }));
    svg.append(draw("text", { x: BOX.left - 5, y: y(value) + 4, "text-anchor": "end" }, short(value)));
  }
  for (const value of isLog ? logTicks(lowX, highX) : ticks(lowX, highX, 6)) {
    svg.append(draw("text", { x: x(value), y: bottom + 15, "text-anchor": "middle" }, short(value)));
  }
  svg.append(draw("text", { x: (BOX.left + BOX.width) / 2, y: BOX.height - 5, "text-anchor": "middle" }, labelX));
  svg.append(draw("text", { x: 12, y: 120, "text-anchor": "middle", transform: "rotate(-90 12 120)" }, labelY));
  return { svg, x, y };
}

/** The names of systems above a chart, in their colours, so that a saved figure has them too. */
function legend(svg, systems = comparedSystems()) {
  let x = BOX.left;
  for (const system of systems) {
    const label = cutTo(data.systems[system], Math.min(180, (BOX.width - BOX.left) / systems.length - 32));
    svg.append(draw("rect", { class: "bar", "data-system": system, x, y: 4, width: 10, height: 10 }), draw("text", { x: x + 14, y: 13 }, label));
    x += textWidth(label) + 32;
  }
}

/** The end of the axis of scores: some conventions' scores go beyond the scale. */
const highest = () => comparedSystems().reduce((most, system) => largest(chartScores[system], most), data.scale);

/** Targets as one group, which shows the label of that under the pointer; a click, Enter or the blank picks one by its place. */
function targetGroup(targets, pick) {
  oneStop(targets);
  const title = draw("title");
  const group = draw("g", {}, title, ...targets);
  const act = (event) => targets.includes(event.target) && pick(targets.indexOf(event.target));
  group.addEventListener("pointerover", (event) => { title.textContent = event.target.getAttribute("aria-label"); });
  group.addEventListener("click", act);
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act(event);
  });
  return group;
}

/**
 * Bars of counts; a click or Enter on a bar filters the table.
 * @param colour the system of a bar's colour, by where the bar begins
 */
function histogram(values, [low, high], label, pick, colour) {
  const step = roundStep(high - low, 20);
  const first = Math.floor(low / step + 1e-9);
  const n = Math.max(1, Math.ceil(high / step - 1e-9) - first);
  const start = (bin) => Number(((first + bin) * step).toPrecision(10));
  const counts = new Array(n).fill(0);
  for (const value of values) {
    if (!Number.isNaN(value)) counts[Math.min(n - 1, Math.max(0, Math.floor(value / step + 1e-9) - first))] += 1;
  }
  const { svg, x, y } = axes([start(0), start(n)], [0, Math.max(1, ...counts)], label, text("samplesAxis"), { role: "group", counts: true });
  const bar = x(start(1)) - x(start(0)) - 2;
  const targets = counts.map((count, bin) => {
    const [from, to] = [start(bin), start(bin + 1)];
    const height = y(0) - y(count);
    if (height) svg.append(draw("rect", { class: "bar", "data-system": colour(from), x: fixed(x(from) + 1), y: fixed(y(0) - height), width: fixed(bar), height: fixed(height) }));
    const said = text("binLabel", { low: short(from), high: short(to), n: whole(count) });
    return draw("rect", { class: "target", x: x(from), y: BOX.top, width: x(to) - x(from), height: y(0) - BOX.top, role: "button", "aria-label": said });
  });
  if (low < 0) svg.append(draw("line", { class: "middle", x1: x(0), x2: x(0), y1: BOX.top, y2: y(0) }));
  svg.append(targetGroup(targets, (bin) => pick(start(bin), start(bin + 1), bin === n - 1)));
  return svg;
}

/** The places of numbers in two arrays that are points, at most MOST_DOTS, spread evenly. */
function somePoints(valuesX, valuesY) {
  const all = Array.from(valuesX.keys()).filter((place) => !Number.isNaN(valuesX[place]) && !Number.isNaN(valuesY[place]));
  const step = Math.max(1, all.length / MOST_DOTS);
  return Array.from({ length: Math.min(all.length, MOST_DOTS) }, (_, place) => all[Math.floor(place * step)]);
}

/** Dots of one colour as one path, which keeps files small; a click opens the sample of the nearest of all in `dots`. */
function addDots({ svg }, dots, system) {
  if (dots.length) svg.append(draw("path", { class: "dots", "data-system": system, d: dots.map((dot) => `M${fixed(dot.x)} ${fixed(dot.y)}h0`).join("") }));
}

function openNearest({ svg }, dots) {
  const title = draw("title");
  svg.prepend(title);
  const nearest = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = BOX.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const distance = (dot) => Math.hypot(dot.x - x, dot.y - y);
    const found = dots.reduce((best, dot) => (!best || distance(dot) < distance(best) ? dot : best), null);
    return found && distance(found) < 12 ? found : null;
  };
  svg.addEventListener("pointermove", (event) => {
    const dot = nearest(event);
    title.textContent = dot ? rowName(dot.row) : "";
  });
  svg.addEventListener("click", (event) => {
    const dot = nearest(event);
    if (dot) openPair(dot.row);
  });
}

/** The line of the mean in each of twelve parts of the first axis. */
function meanLine({ x, y }, valuesX, valuesY) {
  const groups = Array.from({ length: 12 }, () => ({ n: 0, x: 0, y: 0 }));
  valuesX.forEach((value, place) => {
    if (Number.isNaN(valuesY[place]) || Number.isNaN(value)) return;
    const group = groups[Math.max(0, Math.min(11, Math.floor(((x(value) - BOX.left) / (BOX.width - BOX.right - BOX.left)) * 12)))];
    group.n += 1;
    group.x += x(value);
    group.y += y(valuesY[place]);
  });
  return groups.filter(({ n }) => n).map((group) => `${fixed(group.x / group.n)} ${fixed(group.y / group.n)}`).join("L");
}

/** Score against the reference's length, with the mean of each of twelve ranges of length. */
function lengthChart(rows) {
  const lengths = valuesOf(rows, (row) => Math.max(1, referenceLength(row)));
  const ends = [lengths.reduce((least, each) => Math.min(least, each), Infinity), largest(lengths, 2)];
  const isLog = ends[1] / ends[0] >= 10;
  const range = isLog ? ends : [0, ends[1] * 1.03];
  const chart = axes(rows.length ? range : [0, 1], [0, highest()], text(isLog ? "logTokens" : "tokens"), `${data.types[chosen.type]} F`, { role: "img", "aria-label": text("lengthPlot"), isLog });
  const all = comparedSystems().flatMap((system) => {
    const dots = somePoints(lengths, chartScores[system]).map((place) => ({ row: rows[place], x: chart.x(lengths[place]), y: chart.y(chartScores[system][place]) }));
    addDots(chart, dots, system);
    return dots;
  });
  chartScores.forEach((values, system) => {
    const line = meanLine(chart, lengths, values);
    const isFaded = !comparedSystems().includes(system);
    if (line) chart.svg.append(draw("path", { class: isFaded ? "mean faded" : "mean", d: `M${line}`, "data-system": system }));
  });
  openNearest(chart, all);
  legend(chart.svg);
  return figure("lengthPlot", chart.svg, dotsHelp("lengthHelp", rows));
}

const dotsHelp = (key, rows) => text(key, { n: whole(rows.length) }) + (rows.length > MOST_DOTS ? ` ${text("someDots", { n: whole(MOST_DOTS) })}` : "");

function figure(title, svg, help) {
  return make("figure", {}, make("h3", {}, text(title)), svg, make("figcaption", {}, help));
}

/** One system against the other; a dot has the colour of the better one. */
function bothChart(rows) {
  const range = [0, highest()];
  const chart = axes(range, range, cutTo(data.systems[chosen.first], 300), cutTo(data.systems[chosen.second], 180), { role: "img", "aria-label": text("bothPlot") });
  const [one, other] = [chartScores[chosen.first], chartScores[chosen.second]];
  chart.svg.append(draw("line", { class: "middle", x1: chart.x(0), y1: chart.y(0), x2: chart.x(range[1]), y2: chart.y(range[1]) }));
  const dots = somePoints(one, other).map((place) => ({ row: rows[place], x: chart.x(one[place]), y: chart.y(other[place]), better: outcome(chosen.type, rows[place]) }));
  for (const [sign, system] of [[1, chosen.first], [-1, chosen.second], [0, null]]) addDots(chart, dots.filter(({ better }) => better === sign), system);
  openNearest(chart, dots);
  legend(chart.svg);
  return figure("bothPlot", chart.svg, dotsHelp("bothHelp", rows));
}

/** Charts as wide as their places, so many in one element, so that labels stay as large as they are. */
function fitCharts(element, n) {
  while (element.children.length < n) element.append(make("figure"));
  BOX.width = Math.max(260, Math.min(480, element.firstChild.clientWidth - 26));
}

// The charts are of the rows in table.chartsOf. Each is drawn by itself, so that the page can answer in between.
let chartScores = []; // of each system, F of these rows

function readChartScores() {
  chartScores = data.systems.map((_, system) => valuesOf(table.chartsOf, (row) => score(system, chosen.type, row)));
  fitCharts(byId("charts"), hasSeveral() ? 3 : 2);
}

const placeChart = (place, chart) => byId("charts").children[place].replaceWith(chart);

/** Of one system; of two the differences say more. */
function scoreChart() {
  const pick = (low, high, last) => setScoreRange(low, last ? null : high);
  const svg = histogram(chartScores[0], [0, highest()], `${data.types[chosen.type]} F`, pick, () => 0);
  legend(svg);
  return figure("histogram", svg, text("chartHelp"));
}

function differenceChart() {
  const gains = valuesOf(table.chartsOf, (row) => gain(chosen.type, row));
  const reach = largest(gains.map(Math.abs), 0) || data.scale;
  const pick = (low, high, last) => setFilter("gain", rangeText(low, last ? null : high));
  const svg = histogram(gains, [-reach, reach], `Δ ${data.types[chosen.type]} F`, pick, (from) => (from < 0 ? chosen.second : chosen.first));
  legend(svg);
  return figure("differencePlot", svg, text("differenceHelp"));
}

const chartDrawings = [
  readChartScores,
  () => placeChart(0, hasSeveral() ? differenceChart() : scoreChart()),
  () => placeChart(1, lengthChart(table.chartsOf)),
  () => hasSeveral() && placeChart(2, bothChart(table.chartsOf)),
];

/** What scores lie between, as rows of the figure; the system itself is there already. */
function contextRows(key) {
  const label = (name) => text(`point_${name.replace(/^lead-.*/, "lead")}`, { n: name.slice(5) });
  return Object.entries(data.context ?? {}).filter(([name]) => !name.startsWith("system")).map(([name, means]) => ({ label: label(name), system: null, means, key }));
}

/** The means with their intervals: of several systems, or of one in its context, by the chosen type, of one alone by all types. */
function meansChart(width) {
  const key = data.types[chosen.type];
  const isOfType = hasSeveral() || data.context;
  const rows = isOfType
    ? [...data.systems.map((label, system) => ({ label, system, means: data.means[system], key })), ...contextRows(key)].sort((a, b) => b.means[key] - a.means[key])
    : data.types.map((each) => ({ label: each, system: 0, means: data.means[0], key: each }));
  const ends = rows.map(({ means, key: of }) => [means[`${of}_low`] ?? means[of], means[of], means[`${of}_high`] ?? means[of]]);
  const [line, mostName] = [26, 0.38 * width];
  const left = 16 + Math.min(mostName, 1.15 * Math.max(...rows.map(({ label }) => textWidth(label))));
  const [least, most] = [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, , high]) => high))];
  const room = (most - least || data.scale * 0.1) * 0.06;
  const x = scaleOf(least - room, most + room, left, width - 52);
  const bottom = line * rows.length + 8;
  const svg = draw("svg", { width, viewBox: `0 0 ${width} ${bottom + 34}`, role: "img", "aria-label": text("meansPlot", { type: key }) });
  for (const value of ticks(least - room, most + room)) {
    svg.append(draw("line", { class: "axis", x1: x(value), x2: x(value), y1: 4, y2: bottom }));
    svg.append(draw("text", { x: x(value), y: bottom + 14, "text-anchor": "middle" }, short(value)));
  }
  rows.forEach(({ label, system }, place) => {
    const y = 18 + line * place;
    const [low, mean, high] = ends[place];
    const lit = draw("g", { "data-system": system }, draw("line", { class: "span", x1: fixed(x(low)), x2: fixed(x(high)), y1: y, y2: y }), draw("circle", { class: "estimate", cx: fixed(x(mean)), cy: y, r: 4.5 }));
    svg.append(draw("text", { class: "strong", x: left - 10, y: y + 4, "text-anchor": "end" }, cutTo(label, mostName)), lit, draw("text", { class: "strong", x: width - 4, y: y + 4, "text-anchor": "end" }, shown(mean)));
  });
  const hasInterval = `${key}_low` in data.means[0];
  const label = text(hasInterval ? "meansAxis" : "meansAxisAlone", { type: isOfType ? key : "ROUGE", level: data.confidence });
  svg.append(draw("text", { x: (left + width - 52) / 2, y: bottom + 29, "text-anchor": "middle" }, label));
  return svg;
}

/** What stands beside the tables of means: what the letters say, the pairs of the chosen type, and the figure. */
function drawOverview() {
  const letters = [...document.querySelectorAll("#board sup")].map((each) => each.textContent.length);
  if (data.comparison) byId("board").style.setProperty("--letters", Math.max(...letters)); // first, as it moves the figure
  byId("means").replaceChildren(meansChart(byId("means").clientWidth || 460)); // so that its labels are as large as other texts
  if (!data.comparison) return;
  const { n_resamples: resamples, alpha } = data.comparison;
  const level = text("level", { alpha, holm: data.systems.length > 2 ? text("holm") : "" });
  byId("board-help").textContent = sentences(text("boardIntervals", { level: data.confidence }), text("boardHelp", { resamples: whole(resamples), level }));
  if (data.systems.length < 3) return;
  for (const row of document.querySelectorAll("#differences [data-key]")) row.hidden = row.dataset.key !== data.types[chosen.type];
  oneStop([...document.querySelectorAll("#differences tr:not([hidden]) [data-pair]")]);
}

function startOverview() {
  for (const button of document.querySelectorAll("[data-pair]")) {
    const [first, second] = button.dataset.pair.split(" ").map(Number);
    button.addEventListener("click", () => comparePair({ first, second }));
  }
}
