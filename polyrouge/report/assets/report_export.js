// Tables and figures as files: CSV, JSON, LaTeX, SVG and PNG, of what is on view.

/** A bar of buttons that save what a table shows, or the drawing that svg() gives. */
function exportBar(name, { table, svg }) {
  const save = {};
  if (table) {
    save.CSV = () => saveFile(`${name}.csv`, "text/csv", csvOf(tableRows(table, "CSV")));
    save.JSON = () => saveFile(`${name}.json`, "application/json", JSON.stringify(objectsOf(tableRows(table, "JSON")), null, 1));
    save.LaTeX = () => saveFile(`${name}.tex`, "text/x-tex", latexOf(table));
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

const oneLine = (content) => content.replace(/\s+/g, " ").trim();

/** A copy of a cell without what is drawn in it. */
function undrawn(cell) {
  const copy = cell.cloneNode(true);
  for (const each of copy.querySelectorAll("script, .exports, svg")) each.remove();
  return copy;
}

/** A number as programs write it; any other text as it is. */
function plainNumber(shown) {
  return /^[+−]?[\d,]*\d(\.\d+)?$/.test(shown) ? shown.replace(/[+,]/g, "").replace("−", "-") : shown;
}

/** What a cell says: its own text under "", and what is raised or small in it by the key of its name. */
function cellParts(cell, asNumber) {
  const copy = undrawn(cell);
  const parts = [...copy.querySelectorAll("[data-part]")].map((each) => {
    each.remove();
    return [each.dataset.part, oneLine(each.textContent).replaceAll("−", "-")];
  });
  const own = oneLine(copy.textContent);
  if (cell.tagName === "TH") return new Map([["", own], ...parts]);
  const plain = plainNumber(own);
  return new Map([["", asNumber && plain && !Number.isNaN(Number(plain)) ? Number(plain) : plain], ...parts]);
}

const LATEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$", "–": "--", "…": "\\dots{}", "≤": "$\\le$", "Δ": "$\\Delta$" };
const inLatex = (content) => content.replace(/[\\~^−–…≤Δ]|[&%$#_{}]/g, (found) => LATEX[found] ?? `\\${found}`);

/** A cell as LaTeX sets it: bold, raised and small as on view. */
function latexCell(cell) {
  const set = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return inLatex(node.data);
    const inner = [...node.childNodes].map(set).join("");
    if (!inner.trim()) return inner;
    if (node.tagName === "STRONG") return `\\textbf{${inner}}`;
    if (node.tagName === "SUP") return `\\textsuperscript{${inner}}`;
    return node.dataset.part ? ` {\\scriptsize ${inner}}` : inner;
  };
  return new Map([["", oneLine([...undrawn(cell).childNodes].filter((each) => each.nodeType !== Node.COMMENT_NODE).map(set).join(""))]]);
}

const CONTENT = { CSV: (cell) => cellParts(cell, false), JSON: (cell) => cellParts(cell, true), LaTeX: latexCell };

/** The cells of a table by row and column, without those of drawings; what spans several stands in each, but a head once. */
function tableGrid(element) {
  const nHeads = element.tHead ? element.tHead.rows.length : 0;
  const grid = [];
  [...element.rows].forEach((row, y) => {
    grid[y] ??= [];
    let x = 0;
    for (const cell of row.cells) {
      if (cell.classList.contains("drawing")) continue;
      while (grid[y][x] !== undefined) x += 1;
      for (let down = 0; down < cell.rowSpan; down += 1) {
        grid[y + down] ??= [];
        for (let right = 0; right < cell.colSpan; right += 1) grid[y + down][x + right] = down && y < nHeads ? null : cell;
      }
    }
  });
  return [grid.slice(0, nHeads), grid.slice(nHeads)];
}

/** The rows of a table for a kind of file, the heads first, each with those above it; parts of cells have their own columns. */
function tableRows(element, kind) {
  const contents = tableGrid(element).map((rows) => rows.map((row) => row.map((cell) => (cell ? CONTENT[kind](cell) : new Map()))));
  const [headRows, body] = contents;
  const heads = (headRows[0] || []).map((_, x) => headRows.map((row) => row[x]?.get("")).filter(Boolean).join(" "));
  const parts = heads.map((_, x) => [...new Set(body.flatMap((row) => [...(row[x]?.keys() ?? [])]))].filter(Boolean));
  const named = heads.flatMap((head, x) => [head, ...parts[x].map((part) => `${head} ${text(part)}`)]);
  return [named, ...body.map((row) => row.flatMap((content, x) => ["", ...parts[x]].map((part) => content.get(part) ?? "")))];
}

function csvOf(rows) {
  const quoted = (value) => {
    const raw = value === null || value === undefined ? "" : String(value);
    const cell = /^[=+\-@\t\r]/.test(raw) && /[^\d\s.,%…+\-–−]/.test(raw) ? `'${raw}` : raw; // or a spreadsheet computes it
    return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return `\ufeff${rows.map((row) => row.map(quoted).join(",")).join("\r\n")}\r\n`; // the mark tells Excel that it is UTF-8
}

const objectsOf = ([heads, ...rows]) => rows.map((row) => Object.fromEntries(row.map((cell, place) => [heads[place] || `column ${place + 1}`, cell])));

function latexOf(element) {
  const [heads, ...rows] = tableRows(element, "LaTeX");
  const [, body] = tableGrid(element);
  const line = (row) => `${row.join(" & ")} \\\\`;
  const columns = heads.map((_, x) => (body.every((row) => row[x]?.tagName === "TH") ? "l" : "r")).join("");
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
    place.replaceChildren(exportBar(place.dataset.export, { table: of }));
  }
  const save = (kind) => make("button", { type: "button", "data-save": kind, "aria-label": text("saveAs", { name: text("samples"), kind }), onclick: () => saveSamples(kind) }, kind);
  byId("sample-exports").replaceChildren(make("span", { class: "soft" }, text("saveSamples")), save("CSV"), save("JSON"));
  const numbers = () => saveFile("numbers.json", "application/json", JSON.stringify(allNumbers(), null, 1));
  byId("all-numbers").replaceChildren(make("button", { type: "button", "data-save": "numbers", onclick: numbers }, text("allNumbers")));
}
