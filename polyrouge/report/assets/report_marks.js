// Texts with their shared tokens in colour, and one text above the other.

const HUES = 6;

/**
 * Runs of hits: neighbours in both texts are one run. Returns for each side a map from token to run.
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
  const sides = { ours: new Map(), theirs: new Map() };
  let count = 0;
  for (const [our, their] of pairs) {
    const key = `${our},${their}`;
    if (runs.has(key)) continue;
    const before = runs.get(`${our - 1},${their - 1}`);
    const run = before === undefined ? count++ : before;
    runs.set(key, run);
    if (!sides.ours.has(our)) sides.ours.set(our, run);
    if (!sides.theirs.has(their)) sides.theirs.set(their, run);
  }
  return sides;
}

/** Pieces of a text to colour, [start, end, run], in order: neighbours of a run with the blanks between them. */
function colouredPieces({ characters }, tokens, runs) {
  const pieces = [];
  let lastToken = -2;
  tokens.forEach((place, token) => {
    const run = runs.get(token);
    if (place === null || run === undefined) return;
    const last = pieces.at(-1);
    const isNext = last && lastToken === token - 1 && last[2] === run;
    if (isNext && /^[^\S\n]*$/.test(characters.slice(last[1], place[0]).join(""))) last[1] = Math.max(last[1], place[1]);
    else pieces.push([place[0], place[1], run]);
    lastToken = token;
  });
  pieces.sort((a, b) => a[0] - b[0]);
  let end = 0;
  for (const piece of pieces) {
    piece[0] = Math.max(piece[0], end); // tokens of one character (by NFKC) overlap
    piece[1] = Math.max(piece[1], piece[0]);
    end = piece[1];
  }
  return pieces;
}

/** The characters from start to end as text and marks. */
function marked(characters, pieces, group, start = 0, end = characters.length) {
  const nodes = [];
  const slice = (from, to) => characters.slice(from, to).join("");
  let cursor = start;
  for (const [from, to, run] of pieces) {
    if (to <= start || from >= end || from === to) continue;
    nodes.push(slice(cursor, from));
    nodes.push(make("mark", { "data-hue": run % HUES, "data-run": `${group}-${run}` }, slice(Math.max(from, start), to)));
    cursor = to;
  }
  nodes.push(slice(cursor, end));
  return nodes;
}

/** Reference above, prediction below, matched parts in one column; null where they don't go forward in both. */
function alignment(prediction, reference, { ours, theirs }) {
  const pairs = ours.map((our, index) => [our, theirs[index]]);
  const isForward = pairs.every(([our, their], index) => !index || (our > pairs[index - 1][0] && their > pairs[index - 1][1]));
  if (!isForward || pairs.some(([our, their]) => !prediction.tokens[our] || !reference.tokens[their])) return null;
  const cells = [];
  const add = (kind, above, below) => {
    if (above.trim() || below.trim()) {
      const parts = [make("span", { class: "theirs" }, above.trim()), make("span", { class: "ours" }, below.trim())];
      cells.push(make("span", { class: kind }, ...parts));
    }
  };
  const slice = (side, from, to) => side.characters.slice(from, to).join("");
  let [ourEnd, theirEnd] = [0, 0];
  for (let index = 0; index < pairs.length; ) {
    let last = index;
    while (last + 1 < pairs.length && pairs[last + 1][0] === pairs[last][0] + 1 && pairs[last + 1][1] === pairs[last][1] + 1) last += 1;
    const [ourStart, theirStart] = [prediction.tokens[pairs[index][0]][0], reference.tokens[pairs[index][1]][0]];
    add("gap", slice(reference, theirEnd, theirStart), slice(prediction, ourEnd, ourStart));
    [ourEnd, theirEnd] = [prediction.tokens[pairs[last][0]][1], reference.tokens[pairs[last][1]][1]];
    add("same", slice(reference, theirStart, theirEnd), slice(prediction, ourStart, ourEnd));
    index = last + 1;
  }
  add("gap", slice(reference, theirEnd), slice(prediction, ourEnd));
  return make("div", { class: "aligned", dir: "auto" }, ...cells);
}
