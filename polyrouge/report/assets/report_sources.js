// Sources: how much is copied, and from where.

const COUNTED = 10000; // measures of samples are kept times this

const measureKind = (name) => name.replace(/_\d+$/, ""); // novel_1, novel_2 ... are of one
const measureName = (name) => text(measureKind(name), { n: name.split("_")[1] });

function sourceValue(system, measure, row) {
  const value = data.numbers.sources.at(system, measure, row);
  return value === null ? null : value / COUNTED;
}

/** A share as a percentage; other measures are lengths and times. */
const shownMeasure = (value, name) => (value === null ? "–" : name === "density" || name === "compression" ? value.toFixed(1) : percent(value));

function drawSources() {
  if (!data.sources) return;
  const heads = [text("measure"), ...(hasSeveral() ? data.systems.map((_, system) => named(system)) : [text("mean")])];
  fillTable("sources-table", heads, data.sources.measures.map((name, place, names) => {
    const cells = data.sources.means.map((means) => shownMeasure(means[name], name));
    const isNew = measureKind(name) !== measureKind(names[place - 1] ?? ""); // the n-grams have one sentence
    return [make("span", { "data-measure": name }, measureName(name), ...(isNew ? [make("span", { class: "rule", "data-part": "rule" }, text(`${measureKind(name)}Help`))] : [])), ...cells];
  }));
}

/** The measures of a row and its source, for a file. */
function sourceObject(row, content) {
  if (!data.sources) return {};
  const found = { source: content.source.x };
  data.systems.forEach((system, place) => {
    data.sources.measures.forEach((name, measure) => { found[`${system} ${name}`] = sourceValue(place, measure, row); });
  });
  return found;
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
const fragmentPieces = (fragments, side, mark) => withoutOverlap(fragments.map((each, run) => [each[side], each[side + 1], `${mark}-${run}`]));

/** Pieces of one text in order; where those of two systems overlap, one that is of neither alone. */
function sharedPieces([first, second = []]) {
  const ends = [...new Set([...first, ...second].flatMap(([from, to]) => [from, to]))].sort((a, b) => a - b);
  const around = (pieces, from, to) => pieces.find((piece) => piece[0] <= from && piece[1] >= to)?.[2];
  return ends.slice(1).flatMap((to, place) => {
    const marks = [first, second].map((pieces) => around(pieces, ends[place], to)).filter(Boolean);
    return marks.length ? [[ends[place], to, marks.length > 1 ? `;${marks.map((mark) => mark.split(";")[1]).join(" ")}` : marks[0]]] : [];
  });
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

/** The source pinned, and the outputs with what was copied in colour. */
function drawSourceContent(content) {
  const { x, f } = content.source;
  const source = { characters: Array.from(x) };
  const systems = shownSystems();
  const fragments = systems.map((system) => unpackedFragments(f[system]));
  const pieces = fragments.map((each, place) => [0, 2].map((side) => fragmentPieces(each, side, `${hasSeveral() ? systems[place] : ""};${place}`)));
  const panels = systems.map((system, place) => {
    const values = data.sources.measures.slice(0, 2).map((name, measure) => `${measureName(name)} ${shownMeasure(sourceValue(system, measure, pair.row), name)}`);
    return textCard(outputHead(system, place), content.predictions[system], pieces[place][0], "side", hasSeveral() ? data.systems[system] : text("prediction"),
      make("p", { class: "soft" }, values.join(text("comma"))), sourceStrip(fragments[place], source.characters.length, system));
  });
  panels.unshift(textCard([text("source")], source, sharedPieces(pieces.map(([, ofSource]) => ofSource)), "side pinned", text("source")));
  byId("pair-content").replaceChildren(make("p", { class: "soft" }, text("stripHelp")), make("div", { class: `texts of-${systems.length}` }, ...panels));
  markFound();
  writeLink();
}

function startSources() {
  if (!data.sources) return;
  byId("sources-part").hidden = false;
  data.numbersOfParts = { ...data.numbersOfParts, sources: Object.fromEntries(data.systems.map((name, system) => [name, data.sources.means[system]])) };
  parts.push(drawSources);
}
