// Tables and figures as files: CSV, JSON, LaTeX, SVG and PNG, of what is on view.

/** A bar of buttons that save something: rows() gives [heads, ...rows], svg() an element, json() a value. */
function exportBar(name, { rows, svg, json }) {
  const save = { };
  if (rows) {
    save.CSV = () => saveFile(`${name}.csv`, "text/csv", csvOf(rows()));
    save.JSON = () => saveFile(`${name}.json`, "application/json", JSON.stringify(json ? json() : objectsOf(rows()), null, 1));
    save.LaTeX = () => saveFile(`${name}.tex`, "text/x-tex", latexOf(rows()));
  }
  if (svg) {
    save.SVG = () => saveFile(`${name}.svg`, "image/svg+xml", svgText(svg()));
    save.PNG = () => savePng(`${name}.png`, svg());
  }
  const buttons = Object.entries(save).map(([kind, act]) =>
    make("button", { type: "button", "data-save": kind, "aria-label": text("saveAs", { name, kind }), onclick: act }, kind));
  return make("div", { class: "exports" }, ...buttons);
}

function saveFile(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** The cells of a table as texts, each head with those above it; what spans several columns stands in each. */
function tableRows(element) {
  const grid = [];
  const shownText = (cell) => {
    const copy = cell.cloneNode(true);
    for (const each of copy.querySelectorAll("script, .exports, svg")) each.remove();
    for (const each of copy.querySelectorAll(".range")) each.before(" ");
    return copy.textContent.replace(/\s+/g, " ").trim();
  };
  [...element.rows].forEach((row, y) => {
    grid[y] ??= [];
    let x = 0;
    for (const cell of row.cells) {
      while (grid[y][x] !== undefined) x += 1;
      for (let down = 0; down < cell.rowSpan; down += 1) {
        grid[y + down] ??= [];
        for (let right = 0; right < cell.colSpan; right += 1) grid[y + down][x + right] = down ? "" : shownText(cell);
      }
    }
  });
  const nHeads = element.tHead ? element.tHead.rows.length : 0;
  const heads = (grid[0] || []).map((_, x) => grid.slice(0, nHeads).map((row) => row[x]).filter(Boolean).join(" "));
  return [heads, ...grid.slice(nHeads)];
}

function csvOf(rows) {
  const quoted = (value) => {
    const cell = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return `\ufeff${rows.map((row) => row.map(quoted).join(",")).join("\r\n")}\r\n`; // the mark tells Excel that it is UTF-8
}

const objectsOf = ([heads, ...rows]) => rows.map((row) => Object.fromEntries(row.map((cell, place) => [heads[place] || `column ${place + 1}`, cell])));

function latexOf([heads, ...rows]) {
  const escapes = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$", "–": "--", "≤": "$\\le$", "Δ": "$\\Delta$" };
  const escaped = (value) => String(value ?? "").replace(/[\\~^−–≤Δ]|[&%$#_{}]/g, (found) => escapes[found] ?? `\\${found}`);
  const line = (row) => `${row.map(escaped).join(" & ")} \\\\`;
  const columns = `l${"r".repeat(heads.length - 1)}`;
  return [`% ${data.signature}`, `\\begin{tabular}{${columns}}`, "\\toprule", line(heads), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}", ""].join("\n");
}

const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "text-anchor"];

/** A figure with its colours inside, as a file of its own. */
function svgText(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((each) => [...each.querySelectorAll("*")]);
  to.forEach((element, place) => {
    const style = getComputedStyle(from[place]);
    for (const name of DRAWN) element.setAttribute(name, style.getPropertyValue(name));
  });
  for (const each of copy.querySelectorAll(".target")) each.remove();
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  const back = draw("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor });
  copy.prepend(back);
  for (const [name, value] of Object.entries({ width, height, xmlns: "http://www.w3.org/2000/svg" })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

async function savePng(name, svg, times = 3) {
  const address = URL.createObjectURL(new Blob([svgText(svg)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = make("canvas", { width: image.width * times, height: image.height * times });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => saveFile(name, "image/png", blob));
}

/** All numbers of the report but those of the samples. */
const allNumbers = () => ({ signature: data.signature, types: data.types, systems: data.systems, scale: data.scale, n_samples: nRows(), means: data.means, comparison: data.comparison, ...data.numbersOfParts });

/** The rows that the filters leave, with all scores and texts, as objects. */
async function sampleObjects() {
  const found = [];
  for (const row of table.rows) {
    const content = await rowContent(row);
    const each = { number: data.numbers.rows.at(row) };
    if (data.ids) each.id = data.ids[row];
    data.systems.forEach((system, place) => {
      data.types.forEach((type, column) => {
        ["precision", "recall", "fmeasure"].forEach((measure, at) => { each[`${system} ${type} ${measure}`] = score(place, column, row, at); });
      });
    });
    const { star, note } = noteOf(row);
    data.systems.forEach((system, place) => { each[`${system} prediction`] = content.predictions[place].text; });
    Object.assign(each, sliceObject(row), sourceObject(row, content));
    found.push({ ...each, references: content.references.map((each) => each.text), star, note });
  }
  return found;
}

async function saveSamples(kind) {
  const found = await sampleObjects();
  if (kind === "JSON") return saveFile("samples.json", "application/json", JSON.stringify({ signature: data.signature, samples: found }, null, 1));
  const heads = Object.keys(found[0] || {});
  const cell = (value) => (Array.isArray(value) ? JSON.stringify(value) : value);
  return saveFile("samples.csv", "text/csv", csvOf([heads, ...found.map((each) => heads.map((head) => cell(each[head])))]));
}

function drawExports() {
  for (const place of document.querySelectorAll("[data-export]")) {
    const of = byId(place.dataset.export);
    place.replaceChildren(exportBar(place.dataset.export, { rows: () => tableRows(of) }));
  }
  const save = (kind) => make("button", { type: "button", "data-save": kind, "aria-label": text("saveAs", { name: text("samples"), kind }), onclick: () => saveSamples(kind) }, kind);
  byId("sample-exports").replaceChildren(make("span", { class: "soft" }, text("saveSamples")), save("CSV"), save("JSON"));
  const numbers = () => saveFile("numbers.json", "application/json", JSON.stringify(allNumbers(), null, 1));
  byId("all-numbers").replaceChildren(make("button", { type: "button", "data-save": "numbers", onclick: numbers }, text("allNumbers")));
}
