// Texts with their matched tokens in colour.

/**
 * Runs of hits: neighbours in both texts are one run. Returns for each side a map from token to run, and from
 * tokens of the prediction to those of the reference, `twins`.
 * @param match `ours` and `theirs`: first positions in the prediction and in the reference
 * @param width tokens of a hit
 */
function runsOf({ ours, theirs }, width) {
  const pairs = [];
  ours.forEach((first, index) => {
    for (let step = 0; step < width; step += 1) pairs.push([first + step, theirs[index] + step]);
  });
  pairs.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const runs = new Map();
  const sides = { ours: new Map(), theirs: new Map(), twins: new Map() };
  let count = 0;
  for (const [our, their] of pairs) {
    const key = `${our},${their}`;
    if (runs.has(key)) continue;
    const before = runs.get(`${our - 1},${their - 1}`);
    const run = before === undefined ? count++ : before;
    runs.set(key, run);
    if (!sides.ours.has(our)) {
      sides.ours.set(our, run);
      sides.twins.set(our, their);
    }
    if (!sides.theirs.has(their)) sides.theirs.set(their, run);
  }
  return sides;
}

/**
 * Pieces of a text to colour, [start, end, mark], in order: neighbours of one mark with the blanks between them.
 * @param marks by token what marked() takes: the system that alone matches it, or "", and the runs that light up together
 */
function colouredPieces({ characters }, tokens, marks) {
  const pieces = [];
  let lastToken = -2;
  tokens.forEach((place, token) => {
    const mark = marks.get(token);
    if (place === null || mark === undefined) return;
    const last = pieces.at(-1);
    const isNext = last && lastToken === token - 1 && last[2] === mark;
    if (isNext && /^[^\S\n]*$/.test(characters.slice(last[1], place[0]).join(""))) last[1] = Math.max(last[1], place[1]);
    else pieces.push([place[0], place[1], mark]);
    lastToken = token;
  });
  return withoutOverlap(pieces);
}

/** Pieces in order, none over another: tokens of one character (by NFKC) overlap, and one place of a source may be copied twice. */
function withoutOverlap(pieces) {
  let end = 0;
  for (const piece of pieces.sort((a, b) => a[0] - b[0])) {
    piece[0] = Math.max(piece[0], end);
    piece[1] = Math.max(piece[1], piece[0]);
    end = piece[1];
  }
  return pieces;
}

/** Characters as text and marks; what nobody would see is said. */
const shownText = (characters, pieces) => (characters.some((character) => character.trim()) ? marked(characters, pieces) : [make("span", { class: "soft" }, text("empty"))]);

/** Characters as text and marks. */
function marked(characters, pieces) {
  const nodes = [];
  const slice = (from, to) => characters.slice(from, to).join("");
  let cursor = 0;
  for (const [from, to, mark] of pieces) {
    if (from === to) continue;
    const [system, runs] = mark.split(";");
    nodes.push(slice(cursor, from), make("mark", { "data-system": system || null, "data-run": runs }, slice(from, to)));
    cursor = to;
  }
  return [...nodes, slice(cursor)];
}
