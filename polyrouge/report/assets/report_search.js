// Search in ids and texts: as written, by token, or by pattern; what was found is shown in colour.

const EXCERPT = 300; // characters of a text in the table
const MOST_BEFORE = 60; // characters before what an excerpt is to show
const search = { wanted: "", mode: "text", problem: "", known: null };

/** A function that tells whether a string holds what is searched for, and one that finds all its places. */
function finder() {
  if (search.mode === "pattern") {
    let pattern;
    try {
      pattern = new RegExp(search.wanted, "giu");
    } catch (error) {
      return { problem: text("badPattern", { why: error.message }) };
    }
    const find = (string) => [...string.matchAll(pattern)].filter(([found]) => found).map((found) => [found.index, found[0].length]);
    return { holds: (string) => string.search(pattern) >= 0, find };
  }
  const wanted = search.wanted.toLowerCase();
  const find = (string) => {
    const found = [];
    const small = string.toLowerCase();
    if (small.length !== string.length) return found; // lower case moved the places
    for (let at = small.indexOf(wanted); at >= 0; at = small.indexOf(wanted, at + wanted.length)) found.push([at, wanted.length]);
    return found;
  };
  return { holds: (string) => string.toLowerCase().includes(wanted), find };
}

/** A test of rows, which reads their texts; null where nothing is searched for. */
function searchTest() {
  search.problem = "";
  if (!search.wanted) return null;
  const { holds, problem } = finder();
  if (problem) {
    search.problem = problem;
    return null;
  }
  // Of a token: as it stands in the text, in any case.
  const isToken = (place, { characters }) => place && characters.slice(...place).join("").toLowerCase() === search.wanted.toLowerCase();
  const isIn = (side) => holds(side.text) && (search.mode !== "token" || side.tokens.some((place) => isToken(place, side)));
  return async (row) => {
    if (search.mode !== "token" && holds(rowName(row))) return true;
    const content = await rowContent(row);
    return [...content.predictions, ...content.references].some(isIn);
  };
}

/** Of each row what is known of this search: 1 found, -1 not, 0 not looked at. Another order or filter need not read texts again. */
function knownRows() {
  const { wanted, mode, known } = search;
  if (known?.wanted !== wanted || known.mode !== mode) search.known = { wanted, mode, rows: new Int8Array(nRows()) };
  return search.known.rows;
}

/** Colour what was found in the texts on view, without a change to them. */
function markFound() {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete("found");
  const { find } = search.wanted ? finder() : {};
  if (!find) return;
  const ranges = [];
  for (const element of document.querySelectorAll("#samples .text q, #samples tbody th bdi, #pair .body-text")) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    let whole = "";
    while (walker.nextNode()) {
      nodes.push([whole.length, walker.currentNode]);
      whole += walker.currentNode.data;
    }
    const pointAt = (place, isEnd) => {
      const index = nodes.findLastIndex(([start]) => (isEnd ? start < place : start <= place));
      return [nodes[index][1], place - nodes[index][0]];
    };
    for (const [start, length] of find(whole)) {
      const range = new Range();
      range.setStart(...pointAt(start, false));
      range.setEnd(...pointAt(start + length, true));
      ranges.push(range);
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

/** The reference of a row and the outputs, each around what was found in it, or what only one system matches. */
function excerpts(row, content) {
  const systems = comparedSystems();
  const reference = betterReference(systems, chosen.type, row);
  const { ofReference, ofOutputs, tokensOf } = matchMarks(content, systems, reference, chosen.type);
  const { find } = (search.wanted && finder()) || {};
  const excerpt = (side, marks, system) => {
    const pieces = colouredPieces(side, tokensOf(side), marks).filter(([, , mark]) => !hasSeveral() || !mark.startsWith(";"));
    const found = find?.(side.text)[0];
    const place = found ? Array.from(side.text.slice(0, found[0])).length : (hasSeveral() && pieces[0]?.[0]) || 0;
    const start = place < MOST_BEFORE ? 0 : place - MOST_BEFORE / 2;
    const inside = (at) => Math.max(0, at - start);
    const nodes = shownText(side.characters.slice(start, start + EXCERPT), pieces.filter(([from]) => from < start + EXCERPT).map(([from, to, mark]) => [inside(from), inside(to), mark]));
    return make("div", { dir: "auto" }, system === null ? make("span", { class: "key" }) : keyOf(system), make("q", {}, start ? "…" : "", ...nodes));
  };
  return [excerpt(content.references[reference], ofReference, null), ...systems.map((system, place) => excerpt(content.predictions[system], ofOutputs[place], hasSeveral() ? system : null))];
}

linkChoice("search", search, "wanted", (value) => value !== null, "search");
linkChoice("by", search, "mode", (value) => ["token", "pattern"].includes(value), "search-mode");
