// One sample: its texts side by side, what they share and what they don't.

const VIEWS = [
  { key: "ngram1", match: 0, width: 1 },
  { key: "ngram2", match: 1, width: 2 },
  { key: "ngram3", match: 2, width: 3 },
  { key: "lcs", match: 3, width: 1 },
  { key: "lsum", match: 4, width: 1, bySentence: true },
];
const pair = { row: null, view: 0, system: 0, reference: 0, drawing: 0, linked: null };

/** Show a row, its best reference first. */
async function openPair(row) {
  pair.row = row;
  chooseBest();
  if (!byId("pair").open) byId("pair").showModal();
  await drawPair();
  byId("pair").scrollTop = 0;
}

function chooseBest() {
  pair.reference = bestReference(pair.system, chosen.type, pair.row);
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
    writeUnless(params, "view", VIEWS[pair.view].key, VIEWS[0].key);
    if (hasSeveral()) writeUnless(params, "system", data.systems[pair.system], data.systems[0]);
  },
  read(params) {
    pair.linked = Number(params.get("sample")) || null;
    pair.view = Math.max(0, VIEWS.findIndex(({ key }) => key === params.get("view")));
    pair.system = Math.max(0, data.systems.indexOf(params.get("system")));
    if (!pair.linked && byId("pair").open) byId("pair").close();
  },
});

function startPair() {
  const dialog = byId("pair");
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && event.target.type !== "radio") turnPair(step);
  });
  dialog.addEventListener("close", () => {
    writeLink();
    document.querySelector(`[data-row="${pair.row}"]`)?.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside it
  });
  const partners = (event, isOn) => {
    const run = event.target.dataset?.run;
    if (!run) return;
    for (const mark of dialog.querySelectorAll(`mark[data-run="${run}"]`)) mark.classList.toggle("partner", isOn);
  };
  dialog.addEventListener("mouseover", (event) => partners(event, true));
  dialog.addEventListener("mouseout", (event) => partners(event, false));
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
  if (drawing !== pair.drawing) return;
  const focused = document.activeElement?.id;
  const name = rowName(pair.row);
  const button = (id, key, disabled, onclick) => make("button", { type: "button", id, disabled, onclick }, text(key));
  const head = make("div", { class: "pair-head" },
    make("div", { class: "heading" }, make("h2", { id: "pair-title" }, make("bdi", {}, text("sample", { name }))), starButton(pair.row)),
    make("div", { class: "pager" },
      button("pair-previous", "previous", neighbour(-1) === undefined, () => turnPair(-1)),
      button("pair-next", "next", neighbour(1) === undefined, () => turnPair(1)),
      button("pair-close", "close", false, () => byId("pair").close())));
  const body = make("div", { class: "pair-body" },
    make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": text("scores") }, scoreTable()),
    noteField(pair.row),
    pairControls(content),
    make("div", { id: "pair-content" }));
  byId("pair").replaceChildren(head, body);
  drawContent(content);
  const again = focused && byId(focused);
  (again && !again.disabled ? again : byId("pair-close")).focus();
}

/** Precision, recall and F of each type, and which reference they are those of. */
function scoreTable() {
  const several = referenceCount(pair.row) > 1;
  const heads = data.systems.flatMap((system) => ["precision", "recall", null].map((key) => {
    const title = hasSeveral() ? [make("bdi", {}, system), " "] : [];
    return make("th", { scope: "col" }, ...title, key ? text(key) : "F");
  }));
  const rows = data.types.map((name, type) => {
    const cells = data.systems.flatMap((_, system) => {
      const best = data.numbers.best.at(system, type, pair.row);
      const won = several && best !== null ? ` (${text("referenceNumber", { n: best + 1 })})` : "";
      return [0, 1, 2].map((measure) => make("td", {}, shown(score(system, type, pair.row, measure)) + (measure === 2 ? won : "")));
    });
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells);
  });
  const top = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, text("type")), ...heads));
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
  const redrawn = (key) => (place) => {
    pair[key] = place;
    drawContent(content);
  };
  const groups = [radios("view", text("view"), VIEWS.map((view) => text(view.key)), pair.view, redrawn("view"))];
  if (hasSeveral()) {
    const choose = (place) => {
      pair.system = place;
      chooseBest();
      drawPair(); // each system has a best reference of its own
    };
    groups.push(radios("system", text("system"), data.systems, pair.system, choose));
  }
  if (content.references.length > 1) {
    const best = data.numbers.best.at(pair.system, chosen.type, pair.row);
    const names = content.references.map((_, n) => text(best === n ? "bestReference" : "referenceNumber", { n: n + 1 }));
    groups.push(radios("reference", text("reference"), names, pair.reference, redrawn("reference")));
    const types = data.types[chosen.type];
    if (best !== null) groups.push(make("span", { class: "soft" }, text("bestHelp", { types })));
  }
  return make("div", { class: "controls" }, ...groups);
}

function drawContent(content) {
  const view = VIEWS[pair.view];
  const { predictions } = content;
  const reference = content.references[pair.reference];
  if (view.draw) return view.draw(content, predictions);
  const tokensOf = (side) => (view.bySentence ? side.bySentence : side.tokens);
  const sides = predictions.map((prediction, system) => {
    const match = content.hits(pair.reference, system, view.match);
    const runs = match ? runsOf(match, view.width) : { ours: new Map(), theirs: new Map() };
    const ours = colouredPieces(prediction, tokensOf(prediction), runs.ours);
    return { match, runs, ours, theirs: colouredPieces(reference, tokensOf(reference), runs.theirs) };
  });
  const panels = predictions.map((prediction, system) => {
    const title = hasSeveral() ? data.systems[system] : text("prediction");
    const isChosen = hasSeveral() && system === pair.system;
    return panel(title, prediction, sides[system].ours, system, hitsLine(sides[system].match), isChosen);
  });
  const name = content.references.length > 1 ? text("referenceNumber", { n: pair.reference + 1 }) : text("reference");
  panels.push(panel(name, reference, sides[pair.system].theirs, pair.system, null, false));
  const parts = [make("div", { class: "texts" }, ...panels)];
  const prediction = predictions[pair.system];
  const hits = (type) => content.hits(pair.reference, pair.system, type);
  if (view.key === "lcs" && hits(view.match)) {
    const aligned = alignment(prediction, reference, hits(view.match));
    if (aligned && hasSeveral()) aligned.dataset.system = pair.system;
    if (aligned) parts.push(make("h3", {}, text("aligned")), make("p", { class: "soft" }, text("alignedHelp")), aligned);
  }
  if (view.key === "lsum" && hits(view.match)) parts.push(make("h3", {}, text("sentences")), sentenceHits(reference, sides[pair.system]));
  const words = hits(VIEWS[0].match);
  if (words) {
    parts.push(make("h3", {}, text("missing")), chips(reference, new Set(words.theirs)));
    parts.push(make("h3", {}, text("extra")), chips(prediction, new Set(words.ours)));
  }
  byId("pair-content").replaceChildren(...parts);
  markFound();
  writeLink();
}

function hitsLine(match) {
  if (!match) return text("noUnits");
  return text("hits", { hits: whole(match.ours.length), prediction: whole(match.ofPrediction), reference: whole(match.ofReference) });
}

function panel(title, side, pieces, group, line, isChosen) {
  const body = side.characters.length ? marked(side.characters, pieces, group) : [make("span", { class: "soft" }, text("empty"))];
  const lost = side.tokens.filter((place) => place === null).length;
  return make("div", { class: isChosen ? "side chosen" : "side", "data-system": hasSeveral() ? group : null },
    make("h3", {}, ...(hasSeveral() ? [make("span", { class: "key" })] : []), make("bdi", {}, title)),
    make("div", { class: "body-text", dir: "auto" }, ...body),
    ...(line ? [make("p", { class: "soft" }, line)] : []),
    ...(lost ? [make("p", { class: "soft" }, text("lostTokens", { n: lost }))] : []));
}

/** The tokens that are in no hit, each once with how often, in order. */
function chips(side, matched) {
  const counts = new Map();
  side.tokens.forEach((place, token) => {
    if (place === null || matched.has(token)) return;
    const word = side.characters.slice(...place).join("");
    counts.set(word, (counts.get(word) || 0) + 1);
  });
  if (!counts.size) return make("p", { class: "soft" }, text("nothing"));
  const items = [...counts].map(([word, count]) => make("li", {}, count > 1 ? `${word} ×${count}` : word));
  return make("ul", { class: "chips", dir: "auto" }, ...items);
}

/** For each sentence of the reference how many of its tokens are hits. */
function sentenceHits(reference, side) {
  const items = [];
  let first = 0;
  for (const sentence of reference.sentences) {
    const found = sentence.filter((_, index) => side.runs.theirs.has(first + index)).length;
    const placed = sentence.filter((place) => place !== null);
    first += sentence.length;
    if (!placed.length) continue;
    const [start, end] = [placed[0][0], placed.at(-1)[1]];
    const label = text("sentenceHits", { hits: found, n: sentence.length });
    const meter = make("meter", { min: 0, max: sentence.length, value: found, "aria-label": label });
    const body = make("div", { class: "body-text", dir: "auto" }, ...marked(reference.characters, side.theirs, pair.system, start, end));
    items.push(make("li", {}, make("div", { class: "soft" }, label, meter), body));
  }
  return make("ul", { class: "sentence-hits", "data-system": hasSeveral() ? pair.system : null }, ...items);
}
