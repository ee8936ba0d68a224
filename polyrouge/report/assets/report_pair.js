// The reading view of one sample: the reference pinned, two outputs beside it, and what each of them matches.

// The types whose matches the file holds.
const MATCHES = { rouge1: { match: 0, width: 1 }, rouge2: { match: 1, width: 2 }, rougeL: { match: 2, width: 1 }, rougeLsum: { match: 3, width: 1, bySentence: true } };
const viewNames = () => [...data.types, ...(data.sources ? ["source"] : [])];
const viewType = () => (pair.view < data.types.length ? pair.view : chosen.type); // whose score is shown
const pair = { row: null, view: 0, shown: null, reference: 0, drawing: 0, linked: null };

/** The systems side by side: those that are compared, or others that were chosen here. */
const shownSystems = () => pair.shown ?? comparedSystems();

/** Show another type, or the source, with the reference that the better system's score is that of. */
function chooseView(view) {
  pair.view = view;
  pair.reference = betterReference(shownSystems(), viewType(), pair.row);
}

function betterReference([first, second], type, row) {
  const isSecond = second !== undefined && score(second, type, row) > score(first, type, row);
  return bestReference(isSecond ? second : first, type, row);
}

async function openPair(row) {
  pair.row = row;
  chooseView(pair.view);
  if (!byId("pair").open) byId("pair").showModal();
  await drawPair();
  byId("pair").scrollTop = 0;
}

/** Open the sample that the link names. */
async function openLinkedPair() {
  const row = data.rowOfNumber.get(pair.linked);
  if (row !== undefined) await openPair(row);
  pair.linked = null;
  writeLink();
}

linkParts.push({
  write(params) {
    if (!byId("pair").open && !pair.linked) return;
    params.set("sample", pair.linked || data.numbers.rows.at(pair.row));
    writeUnless(params, "view", viewNames()[pair.view], data.types[chosen.type]);
    pair.shown?.forEach((system, place) => params.set(`side${place}`, data.systems[system]));
  },
  read(params) {
    pair.linked = Number(params.get("sample")) || null;
    pair.view = viewNames().includes(params.get("view")) ? viewNames().indexOf(params.get("view")) : chosen.type;
    const sides = [0, 1].map((place) => data.systems.indexOf(params.get(`side${place}`)));
    pair.shown = sides.includes(-1) ? null : sides;
    if (!pair.linked && byId("pair").open) byId("pair").close();
  },
});

function startPair() {
  const dialog = byId("pair");
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, k: -1, j: 1 }[event.key];
    const isTaken = event.target.type === "radio" && event.key.startsWith("Arrow");
    if (step && !isTaken && !event.ctrlKey && !event.metaKey && !event.altKey) turnPair(step);
  });
  dialog.addEventListener("close", () => {
    writeLink();
    focusRow(pair.row);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside it
  });
  const light = (event, isOn) => {
    for (const run of event.target.dataset?.run?.split(" ") ?? []) {
      for (const mark of dialog.querySelectorAll(`mark[data-run~="${run}"]`)) mark.classList.toggle("partner", isOn);
    }
  };
  dialog.addEventListener("mouseover", (event) => light(event, true));
  dialog.addEventListener("mouseout", (event) => light(event, false));
}

/** The row that is so many steps further in the table, if there is one. */
function neighbour(step) {
  const place = table.rows.indexOf(pair.row);
  return place < 0 ? undefined : table.rows[place + step];
}

function turnPair(step) {
  const row = neighbour(step);
  if (row !== undefined) openPair(row);
}

async function drawPair() {
  const drawing = (pair.drawing += 1);
  const content = await rowContent(pair.row);
  if (drawing === pair.drawing) fillPair(content);
}

function fillPair(content) {
  const focused = document.activeElement?.closest("#pair [id]")?.id;
  const name = rowName(pair.row);
  const button = (id, label, disabled, onclick) => make("button", { type: "button", id, disabled, onclick }, label);
  const head = make("div", { class: "pair-head" },
    make("div", { class: "heading" }, make("h2", { id: "pair-title" }, make("bdi", {}, text("sample", { name }))), starButton(pair.row)),
    make("div", { class: "pager" },
      button("pair-previous", `${text("previous")} (k)`, neighbour(-1) === undefined, () => turnPair(-1)),
      button("pair-next", `${text("next")} (j)`, neighbour(1) === undefined, () => turnPair(1)),
      button("pair-close", text("close"), false, () => byId("pair").close())));
  const body = make("div", { class: "pair-body" },
    pairControls(content),
    make("div", { id: "pair-content" }),
    make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": text("scores") }, scoreTable()),
    noteField(pair.row));
  byId("pair").replaceChildren(head, body);
  drawContent(content);
  const again = focused && byId(focused);
  (again && again !== byId("pair") && !again.disabled ? again : byId("pair-close")).focus();
}

/** Precision, recall and F of each type, and which reference they are those of. */
function scoreTable() {
  const several = referenceCount(pair.row) > 1;
  const heads = shownSystems().flatMap(() => ["precision", "recall", null].map((key) => make("th", { scope: "col" }, key ? text(key) : "F")));
  const systems = hasSeveral() ? [make("tr", {}, make("td"), ...shownSystems().map((system) => make("th", { scope: "colgroup", colspan: 3 }, named(system))))] : [];
  const rows = data.types.map((name, type) => {
    const cells = shownSystems().flatMap((system) => {
      const best = data.numbers.best.at(system, type, pair.row);
      const won = several && best !== null ? ` (${text("referenceNumber", { n: best + 1 })})` : "";
      return [0, 1, 2].map((measure) => make("td", {}, shown(score(system, type, pair.row, measure)) + (measure === 2 ? won : "")));
    });
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  });
  const top = make("thead", {}, ...systems, make("tr", {}, make("th", { scope: "col" }, text("type")), ...heads));
  return make("table", { class: "numbers" }, top, make("tbody", {}, ...rows));
}

/** A group of which one is chosen; the browser's own arrow keys work in it. */
function radios(name, legend, options, value, choose) {
  const labels = options.map((label, place) => {
    const input = make("input", { type: "radio", name, id: `${name}-${place}`, checked: place === value, onchange: () => choose(place) });
    return make("label", {}, input, make("bdi", {}, label));
  });
  return make("fieldset", {}, make("legend", {}, legend), ...labels);
}

function pairControls(content) {
  const redrawn = (choose) => (place) => {
    choose(place);
    fillPair(content);
  };
  const groups = [radios("view", text("view"), viewNames().map((name) => (name === "source" ? text(name) : name)), pair.view, redrawn(chooseView))];
  if (content.references.length > 1) {
    const bests = shownSystems().map((system) => data.numbers.best.at(system, viewType(), pair.row));
    const names = content.references.map((_, n) => {
      const owners = shownSystems().filter((__, place) => bests[place] === n).map((system) => data.systems[system]);
      return text("referenceNumber", { n: n + 1 }) + (owners.length ? ` ★${hasSeveral() ? ` ${owners.join(text("listComma"))}` : ""}` : "");
    });
    groups.push(radios("reference", text("reference"), names, pair.reference, redrawn((place) => { pair.reference = place; })));
    groups.push(make("span", { class: "soft" }, text(bests.every((best) => best === null) ? `combined_${data.rule}` : "bestHelp", { type: data.types[viewType()] })));
  }
  return make("div", { class: "controls" }, ...groups);
}

/** The name of an output, or of many systems a menu to see another one in its place, and its score. */
function outputHead(system, place) {
  const name = !hasSeveral() ? text("prediction") : data.systems.length < 3 ? make("bdi", {}, data.systems[system]) : make("select", { id: `side-${place}`, "aria-label": text("system"), onchange: (event) => {
    pair.shown = [...shownSystems()];
    pair.shown[place] = Number(event.target.value);
    openPair(pair.row);
  } }, ...data.systems.map((each, value) => make("option", { value, selected: value === system }, each)));
  const scores = shownSystems().map((each) => score(each, viewType(), pair.row));
  const isBest = hasSeveral() && scores[place] !== null && scores.every((each) => !(each > scores[place])) && new Set(scores).size > 1;
  return [...(hasSeveral() ? [keyOf(system)] : []), name, make("span", { class: "soft" }, `${data.types[viewType()]} F `, make(isBest ? "strong" : "span", {}, shown(scores[place])))];
}

/** The hits of systems with a reference, and the marks of that reference and of the outputs by token; see colouredPieces(). */
function matchMarks(content, systems, reference, type) {
  const view = MATCHES[data.types[type]] ?? {};
  const matches = systems.map((system) => (view.width ? content.hits(reference, system, view.match) : null));
  const runs = matches.map((match) => runsOf(match ?? { ours: [], theirs: [] }, view.width));
  const isAlone = (place, token) => systems.length > 1 && runs.every(({ theirs }, other) => other === place || !theirs.has(token));
  const ofReference = new Map();
  runs.forEach(({ theirs }, place) => theirs.forEach((run, token) => {
    const before = ofReference.get(token);
    ofReference.set(token, isAlone(place, token) ? `${systems[place]};${place}-${run}` : before ? `${before} ${place}-${run}` : `;${place}-${run}`);
  }));
  const ofOutputs = runs.map(({ ours, twins }, place) => new Map([...ours].map(([token, run]) => [token, `${isAlone(place, twins.get(token)) ? systems[place] : ""};${place}-${run}`])));
  return { matches, ofReference, ofOutputs, tokensOf: (side) => (view.bySentence ? side.bySentence : side.tokens) };
}

function drawContent(content) {
  if (pair.view >= data.types.length) return drawSourceContent(content);
  const systems = shownSystems();
  const { matches, tokensOf, ofReference, ofOutputs } = matchMarks(content, systems, pair.reference, pair.view);
  const all = data.rule === "pooled" && content.references.length > 1 ? content.references.map((_, reference) => matchMarks(content, systems, reference, pair.view).matches) : [];
  const reference = content.references[pair.reference];
  const name = content.references.length > 1 ? text("referenceNumber", { n: pair.reference + 1 }) : text("reference");
  const panels = [panel([name], reference, tokensOf(reference), ofReference, "side pinned", null, text("reference"))];
  systems.forEach((system, place) => {
    const prediction = content.predictions[system];
    panels.push(panel(outputHead(system, place), prediction, tokensOf(prediction), ofOutputs[place], "side", sentences(hitsLine("hits", [matches[place]]), all.length && hitsLine("hitsOfAll", all.map((of) => of[place]))), hasSeveral() ? data.systems[system] : text("prediction")));
  });
  const help = systems.length > 1 && matches.every(Boolean) ? [make("p", { class: "soft marks-help" }, make("mark", {}, text("matchedBoth")), ...systems.map((system) => make("mark", { "data-system": system }, text("matchedOnly", { name: data.systems[system] }))))] : [];
  byId("pair-content").replaceChildren(...help, make("div", { class: `texts of-${systems.length}` }, ...panels));
  markFound();
  writeLink();
}

/** How many hits there are with some references, added up. */
function hitsLine(key, matches) {
  if (!matches.every(Boolean)) return text(MATCHES[data.types[pair.view]] ? "noUnits" : "notMarked");
  const sum = (number) => whole(matches.reduce((before, match) => before + number(match), 0));
  return text(key, { hits: sum(({ ours }) => ours.length), prediction: sum(({ ofPrediction }) => ofPrediction), reference: sum(({ ofReference }) => ofReference) });
}

/** A text with its marks, and under it the tokens that have none. */
function panel(head, side, tokens, marks, className, line, label) {
  const lost = side.tokens.filter((place) => place === null).length;
  const unmatched = tokens.filter((place, token) => place !== null && !marks.has(token)).map((place) => side.characters.slice(...place).join(""));
  return textCard(head, side, colouredPieces(side, tokens, marks), className, label,
    ...(line ? [make("p", { class: "soft" }, line)] : []),
    ...(marks.size && unmatched.length ? [make("details", { class: "unmatched" }, make("summary", {}, text("unmatched", { n: whole(unmatched.length) })), wordList(unmatched))] : []),
    ...(lost ? [make("p", { class: "soft" }, text("lostTokens", { n: lost }))] : []));
}

function textCard(head, { characters }, pieces, className, label, ...below) {
  const body = shownText(characters, pieces);
  return make("div", { class: className, role: "group", "aria-label": label, tabindex: className.includes("pinned") ? 0 : null },
    make("h3", {}, ...head), make("div", { class: "body-text", dir: "auto" }, ...body), ...below);
}

/** Words, each once, with how often it occurs. */
function wordList(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) || 0) + 1);
  return make("ul", { class: "chips", dir: "auto" }, ...[...counts].map(([word, count]) => make("li", {}, count > 1 ? `${word} ×${count}` : word)));
}
