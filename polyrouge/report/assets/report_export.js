// Tables and figures as files, of what is on view: one menu for each section.

/** A menu, whose entries are made when it opens; an entry is what `action` or `group` gives. */
function menu(label, name, entries) {
  const summary = make("summary", { "aria-label": `${label}${text("colon")}${name}` }, label);
  const list = make("div");
  const details = make("details", { class: "menu" }, summary, list);
  details.addEventListener("toggle", () => details.open && list.replaceChildren(...entries()));
  details.addEventListener("click", async (event) => {
    const act = acts.get(event.target);
    if (!act) return;
    details.open = false;
    summary.focus();
    const said = await act();
    if (!said) return;
    summary.textContent = said;
    setTimeout(() => { summary.textContent = label; }, 4000);
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.preventDefault(); // the sample stays open
    details.open = false;
    summary.focus();
  });
  details.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !details.contains(event.relatedTarget)) details.open = false;
  });
  return details;
}

const acts = new WeakMap(); // what a button of a menu does; it may return what to say

function action(key, label, act) {
  const button = make("button", { type: "button", "data-save": key }, label);
  acts.set(button, act);
  return button;
}

/** The actions of a table or a figure, after its name. */
const group = (name, actions) => make("div", { class: "group", role: "group", "aria-label": name }, make("span", {}, name), ...actions);

const tableActions = (name, table) => [
  action("CSV", "CSV", () => saveFile(`${name}.csv`, "text/csv", csvOf(tableRows(table, false)))),
  action("JSON", "JSON", () => saveFile(`${name}.json`, "application/json", JSON.stringify(objectsOf(tableRows(table, true)), null, 1))),
];

/** A frame of another page may not print, which makes the PDF. */
const figureActions = (name, svg) => [
  action("SVG", "SVG", () => saveFile(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(figureAlone(svg)))),
  ...(isEmbedded() ? [] : [action("PDF", "PDF", () => printFigure(svg))]),
];

/** What a table is called: by its caption, or as what it stands in. */
const nameOf = (table) => table.caption?.textContent || byId(table.closest("[aria-labelledby]").getAttribute("aria-labelledby")).textContent;

/** The figures and tables of a section that hold something. */
function sectionGroups(section) {
  const figures = [...section.querySelectorAll("figure")].map((each) => [each.querySelector("h3").textContent, each.querySelector("svg")]);
  const tables = [...section.querySelectorAll("table")].filter(({ rows }) => rows.length).map((each) => [nameOf(each), each]);
  return [
    ...figures.map(([name, svg]) => group(name, figureActions(name, svg))),
    ...tables.map(([name, table]) => Object.assign(group(name, tableActions(name, table)), { table })),
  ];
}

/** What a paper takes: the main table with a caption, how it was made, and the figure; then the other tables of scores. */
function paperEntries() {
  const main = byId(data.comparison ? "board" : "scores");
  const intervals = make("input", { type: "checkbox" });
  const choice = data.comparison && data.confidence ? [make("label", {}, intervals, text("withIntervals"))] : [];
  const copy = (content = text(intervals.checked ? "paper" : "paperBare")) => copyText(content, () => saveFile("table.tex", "text/x-tex", content));
  const numbers = () => saveFile("numbers.json", "application/json", JSON.stringify(allNumbers(), null, 1));
  const others = sectionGroups(byId("scores-part")).filter(({ table }) => table !== main);
  return [
    ...choice, action("paper", text("copyPaper"), copy), group(text("scores"), tableActions(text("scores"), main)),
    group(text("figure"), figureActions(text("scores"), byId("means").querySelector("svg"))), ...others, action("numbers", text("allNumbers"), numbers),
  ];
}

function saveFile(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Copy, or do something else where the browser does not let this page copy. Returns what to say. */
async function copyText(content, instead) {
  try {
    await navigator.clipboard.writeText(content);
    return text("copied");
  } catch {
    return instead();
  }
}

const oneLine = (content) => content.replace(/\s+/g, " ").trim();

/** A copy of a cell without what is drawn in it. */
function undrawn(cell) {
  const copy = cell.cloneNode(true);
  for (const each of copy.querySelectorAll("svg")) each.remove();
  return copy;
}

/** A number as programs write it, or any other text as it is. */
function plainValue(shown, asNumber) {
  if (!/^[≤<+−]?[\d,]*\d(\.\d+)?$/.test(shown)) return shown;
  const plain = shown.replace(/[≤<+,]/g, "").replace("−", "-");
  return asNumber ? Number(plain) : plain;
}

/** The numbers of a text under names of their own: "[1, 2]" is low and high, "3 / 4" takes both names of "hits / all". */
function namedNumbers(name, shown, asNumber) {
  const value = (each) => plainValue(each, asNumber);
  const interval = shown.match(/^\[(.+), (.+)\]$/);
  if (interval) return [[`${name} low`, value(interval[1])], [`${name} high`, value(interval[2])]];
  const [names, values] = [name, shown].map((each) => each.split(" / "));
  if (names.length > 1 && names.length === values.length) return names.map((each, place) => [each, value(values[place])]);
  const share = shown.match(/^([\d.]+)%$/);
  return share ? [[`${name} %`, value(share[1])]] : [[name, value(shown)]];
}

/** What a cell says, by the names of columns: its own text, and what is raised or small in it. */
function cellColumns(cell, head, asNumber) {
  if (!cell) return [];
  const copy = undrawn(cell);
  const parts = [...copy.querySelectorAll("[data-part]")].flatMap((each) => {
    each.remove();
    const names = text(each.dataset.part).split(" / ").map((name) => `${head} ${name}`);
    return namedNumbers(names.join(" / "), oneLine(each.textContent), asNumber);
  });
  const own = oneLine(copy.textContent);
  return [...(cell.tagName === "TH" ? [[head, own]] : namedNumbers(head, own, asNumber)), ...parts];
}

/** The heads of a table, and the cells of its body by row and column; what spans several stands in each. */
function tableGrid(element) {
  const grid = [];
  [...element.rows].filter((row) => !row.hidden).forEach((row, y) => {
    grid[y] ??= [];
    let x = 0;
    for (const cell of row.cells) {
      if (cell.classList.contains("drawing")) continue;
      while (grid[y][x] !== undefined) x += 1;
      for (let down = 0; down < cell.rowSpan; down += 1) (grid[y + down] ??= [])[x] = cell;
      x += cell.colSpan;
    }
  });
  return grid;
}

/** The rows of a table as maps from the names of its columns to values, one column for each number. */
function tableRows(element, asNumber) {
  const [heads, ...body] = tableGrid(element);
  const names = heads.map((head) => oneLine(undrawn(head).textContent));
  const cells = body.map((row) => names.map((name, x) => cellColumns(row[x], name, asNumber)));
  const columns = names.flatMap((_, x) => [...new Set(cells.flatMap((row) => row[x].map(([name]) => name)))]);
  const maps = cells.map((row) => new Map(row.flat()));
  return [columns, ...maps.map((row) => columns.map((name) => row.get(name) ?? ""))];
}

function csvOf(rows) {
  const quoted = (value) => {
    const raw = value === null || value === undefined ? "" : String(value);
    const cell = /^[=+\-@\t\r]/.test(raw) && /[^\d\s.,%…+\-–−]/.test(raw) ? `'${raw}` : raw; // or a spreadsheet computes it
    return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return `\ufeff${rows.map((row) => row.map(quoted).join(",")).join("\r\n")}\r\n`; // the mark tells Excel that it is UTF-8
}

const objectsOf = ([heads, ...rows]) => rows.map((row) => Object.fromEntries(row.map((cell, place) => [heads[place], cell])));

const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "opacity", "font-size", "font-weight", "font-family", "text-anchor"];

/** A figure with its colours inside, on white. */
function figureAlone(svg) {
  const { theme } = document.documentElement.dataset;
  document.documentElement.dataset.theme = "light"; // as paper is
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((each) => [...each.querySelectorAll("*")]);
  to.forEach((element, place) => {
    const style = getComputedStyle(from[place]);
    for (const name of DRAWN) element.setAttribute(name, style.getPropertyValue(name));
  });
  document.documentElement.dataset.theme = theme;
  for (const each of copy.querySelectorAll(".target")) each.remove();
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.prepend(draw("rect", { width, height, fill: "#fff" }));
  for (const [name, value] of Object.entries({ width, height, xmlns: "http://www.w3.org/2000/svg" })) copy.setAttribute(name, value);
  return copy;
}

/** Print a figure alone on a page of its size: the browser's printing embeds the fonts, and saves as PDF. */
function printFigure(svg) {
  const alone = figureAlone(svg);
  const rules = document.styleSheets[0];
  const place = rules.insertRule(`@page { size: ${alone.getAttribute("width")}px ${alone.getAttribute("height")}px; margin: 0; }`, rules.cssRules.length);
  const sheet = make("div", { id: "sheet" }, alone);
  document.body.append(sheet);
  addEventListener("afterprint", () => {
    sheet.remove();
    rules.deleteRule(place);
  }, { once: true });
  print();
}

/** All numbers of the report but those of the samples. */
const allNumbers = () => ({ signature: data.signature, types: data.types, systems: data.systems, scale: data.scale, n_samples: nRows(), means: data.means, comparison: data.comparison, ...data.numbersOfParts });

/** The rows that the filters leave, with all scores and texts, as objects. */
async function sampleObjects() {
  const found = [];
  const rounded = (value) => (value === null ? null : Number(value.toFixed(digits())));
  for (const row of table.rows) {
    const content = await rowContent(row);
    const each = { number: data.numbers.rows.at(row) };
    if (data.ids) each.id = data.ids[row];
    data.systems.forEach((system, place) => {
      data.types.forEach((type, column) => {
        ["precision", "recall", "fmeasure"].forEach((measure, at) => { each[`${system} ${type} ${measure}`] = rounded(score(place, column, row, at)); });
      });
    });
    data.systems.forEach((system, place) => { each[`${system} prediction`] = content.predictions[place].text; });
    const { star, note } = noteOf(row);
    found.push({ ...each, ...sliceObject(row), ...sourceObject(row, content), references: content.references.map(({ text: reference }) => reference), star, note });
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

/** Say how many rows a long table has, beside the box that shows all of them. */
function drawExports() {
  const rowsOf = (label) => label.parentElement.previousElementSibling.querySelectorAll("tbody tr:not([hidden])").length;
  for (const label of document.querySelectorAll(".all span")) label.textContent = text("showAll", { n: whole(rowsOf(label)) });
  for (const place of document.querySelectorAll(".saves")) {
    const section = place.closest("section");
    const name = byId(section.getAttribute("aria-labelledby")).textContent;
    place.replaceChildren(section.id === "scores-part" ? menu(text("forPaper"), name, paperEntries) : menu(text("save"), name, () => sectionGroups(section)));
  }
  const samples = () => ["CSV", "JSON"].map((kind) => action(kind, kind, () => saveSamples(kind)));
  byId("sample-exports").replaceChildren(menu(text("save"), text("samples"), samples));
}
