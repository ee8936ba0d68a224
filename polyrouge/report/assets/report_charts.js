// Charts, drawn as SVG in the colours of the page.

const BINS = 20;
const MOST_DOTS = 2000; // more samples are drawn as a grid of shades
const BOX = { width: 480, height: 260, left: 46, right: 10, top: 10, bottom: 38 };

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

const short = (value) => value.toLocaleString("en-US", { maximumSignificantDigits: 4 }).replace("-", "−");

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

/** Arrow keys go from one target to the next, Tab to one of them only; Enter and the blank do what a click does. */
function moveByArrows(targets) {
  targets.forEach((target, place) => {
    target.setAttribute("tabindex", place ? -1 : 0);
    target.addEventListener("keydown", (event) => {
      const move = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      const next = move && targets[place + move];
      const acts = event.key === "Enter" || event.key === " ";
      if (acts) target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      if (next) {
        target.setAttribute("tabindex", -1);
        next.setAttribute("tabindex", 0);
        next.focus();
      }
      if (move || acts) event.preventDefault();
    });
  });
}

/** Bars of counts, one series a system; a click or Enter on a bar filters the table. */
function histogram(series, low, high, label, pick, systems = series.map((_, place) => place)) {
  const width = (high - low) / BINS;
  const counts = series.map((values) => {
    const bins = new Array(BINS).fill(0);
    for (const value of values) {
      if (value !== null) bins[Math.min(BINS - 1, Math.max(0, Math.floor((value - low) / width + 1e-9)))] += 1;
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
      onclick: () => pick(from, from + width, bin === BINS - 1),
    }, draw("title", {}, text("binLabel", values)));
    targets.push(target);
    svg.append(target);
  }
  moveByArrows(targets);
  return svg;
}

/** Points, or for many a grid of shades. A point opens its sample, a cell of the grid shows its samples in the table. */
function scatter({ svg, x, y }, points, system = 0) {
  const targets = [];
  const add = (name, label, attributes) => {
    targets.push(draw(name, { ...attributes, "data-system": system, role: "button", "aria-label": label }, draw("title", {}, label)));
  };
  if (points.length <= MOST_DOTS) {
    for (const [row, valueX, valueY] of points.toSorted((a, b) => a[1] - b[1] || a[2] - b[2])) {
      add("circle", rowName(row), { class: "dot", cx: x(valueX), cy: y(valueY), r: 3.5, onclick: () => openPair(row) });
    }
    moveByArrows(targets);
    svg.append(...targets);
    return;
  }
  const size = 7;
  const cells = new Map();
  for (const [row, valueX, valueY] of points) {
    const key = `${Math.floor(x(valueX) / size)},${Math.floor(y(valueY) / size)}`;
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(row);
  }
  const most = Math.log1p([...cells.values()].reduce((n, rows) => Math.max(n, rows.length), 0));
  for (const [key, rows] of cells) {
    const [column, line] = key.split(",").map(Number);
    const shade = { "fill-opacity": 0.2 + 0.8 * (Math.log1p(rows.length) / most) };
    const place = { x: column * size, y: line * size, width: size, height: size, onclick: () => pickRows(rows) };
    add("rect", text("cellLabel", { n: whole(rows.length) }), { class: "cell", ...place, ...shade });
  }
  targets.sort((a, b) => a.getAttribute("x") - b.getAttribute("x") || a.getAttribute("y") - b.getAttribute("y"));
  moveByArrows(targets);
  svg.append(...targets);
}

/** Score against the reference's length, with the mean of each of twelve ranges of length. */
function lengthChart(rows) {
  const [type, n] = [chosen.type, rows.length];
  const high = rows.reduce((most, row) => Math.max(most, referenceLength(row)), 1);
  const help = text("lengthHelp", { n: whole(n) });
  const chart = axes([0, high * 1.03], [0, highest()], text("tokens"), `${data.types[type]} F`, { role: "group", "aria-label": help });
  const lines = [];
  data.systems.forEach((_, system) => {
    const points = [];
    for (const row of rows) {
      const value = score(system, type, row);
      if (value !== null) points.push([row, referenceLength(row), value]);
    }
    scatter(chart, points, system);
    const groups = Array.from({ length: 12 }, () => []);
    for (const point of points) groups[Math.min(11, Math.floor((point[1] / high) * 12))].push(point);
    const path = groups.filter((group) => group.length).map((group) => {
      const mean = (column) => group.reduce((sum, point) => sum + point[column], 0) / group.length;
      return `${chart.x(mean(1)).toFixed(1)} ${chart.y(mean(2)).toFixed(1)}`;
    });
    if (path.length) {
      const own = data.systems.length > 2 ? { "data-system": system } : { "stroke-dasharray": system ? "5 3" : null };
      lines.push(draw("path", { class: "mean", d: `M${path.join("L")}`, ...own }));
    }
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
  const points = [];
  for (const row of rows) {
    const [first, second] = [score(chosen.first, chosen.type, row), score(chosen.second, chosen.type, row)];
    if (first !== null && second !== null) points.push([row, first, second]);
  }
  scatter(chart, points);
  return figure("bothPlot", chart.svg, help);
}

/** Charts as wide as their place, so that labels stay legible. */
function fitCharts(place) {
  BOX.width = Math.max(260, Math.min(480, place.clientWidth - 26));
}

/** Draw the charts of some rows. */
function drawCharts(rows) {
  fitCharts(byId("charts"));
  const name = data.types[chosen.type];
  const series = data.systems.map((_, system) => rows.map((row) => score(system, chosen.type, row)));
  const first = histogram(series, 0, highest(), `${name} F`, (low, high, last) => setScoreRange(low, last ? null : high));
  const charts = [figure("histogram", first, text("chartHelp")), lengthChart(rows)];
  if (hasSeveral()) {
    const gains = rows.map((row) => gain(chosen.type, row));
    const reach = gains.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || data.scale;
    const pick = (low, high, last) => setFilter("gain", rangeText(low, last ? null : high));
    const moved = histogram([gains], -reach, reach, `Δ ${name} F`, pick);
    charts.push(figure("differencePlot", moved, text("chartHelp")), bothChart(rows));
    const names = data.systems.map((system, place) =>
      make("span", {}, make("span", { class: "key", "data-system": place }), make("bdi", {}, system)));
    charts[0].querySelector("h3").after(make("div", { class: "legend" }, ...names));
  }
  byId("charts").replaceChildren(...charts);
}

/** The samples on which one of two systems is better by most. */
async function drawMoved(all) {
  if (!hasSeveral()) return;
  const type = chosen.type;
  const rows = all.filter((row) => outcome(type, row));
  rows.sort((a, b) => gain(type, b) - gain(type, a));
  const lists = [
    ["movedUp", "up", rows.filter((row) => outcome(type, row) > 0).slice(0, 5)],
    ["movedDown", "down", rows.filter((row) => outcome(type, row) < 0).slice(-5).reverse()],
  ];
  const columns = [];
  for (const [title, className, some] of lists) {
    const items = [];
    for (const row of some) {
      const reference = (await rowContent(row)).r[0].x;
      const number = make("span", { class: `number ${className}` }, shownGain(gain(type, row)));
      const preview = make("span", { class: "preview", dir: "auto" }, reference);
      items.push(make("li", {}, make("button", { onclick: () => openPair(row) }, number, make("bdi", {}, rowName(row)), preview)));
    }
    if (!items.length) items.push(make("li", { class: "soft" }, text("nothing")));
    columns.push(make("div", {}, make("h3", {}, text(title)), make("ol", {}, ...items)));
  }
  if (type === chosen.type) byId("moved").replaceChildren(...columns);
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
        make("span", { class: "range" }, `${whole(pair.won)} / ${whole(pair.ties)} / ${whole(pair.lost)}`));
      return make("td", { class: pair.significant ? (value > 0 ? "up" : "down") : "soft" }, button);
    });
    return make("tr", {}, make("th", { scope: "row" }, make("span", { class: "key", "data-system": first }), make("bdi", {}, system)), ...cells);
  });
  const title = `${text("matrix")}${text("colon")}${name} F`;
  const table = make("table", { class: "numbers matrix" }, make("caption", {}, title),
    make("thead", {}, make("tr", {}, make("td", {}), ...head)), make("tbody", {}, ...rows));
  place.replaceChildren(make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": title }, table),
    exportBar(title, { rows: () => tableRows(table) }), make("p", { class: "soft" }, text("matrixHelp")));
}
