// Search in ids and texts: as written, by token, or by pattern; what was found is shown in colour.

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

/** Whether one of a text's tokens is the word that is searched for, as it stands in the text, in any case. */
function hasToken({ characters, tokens }, wanted) {
  return tokens.some((place) => place && characters.slice(...place).join("").toLowerCase() === wanted);
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
  const wanted = search.wanted.toLowerCase();
  const isIn = search.mode === "token" ? (each) => holds(each.text) && hasToken(each, wanted) : (each) => holds(each.text);
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
  for (const element of document.querySelectorAll("#samples .text div, #samples tbody th bdi, #pair .body-text")) {
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

/** The beginning of a row's prediction, or the part of its first text around what was found in that. */
function preview({ predictions, references }) {
  const all = [predictions[comparedSystems()[0]], ...references, ...predictions].map((each) => each.text);
  const { find } = (search.wanted && finder()) || {};
  const string = (find && all.find((each) => find(each).length)) ?? all[0];
  const place = find?.(string)[0]?.[0] ?? 0;
  return place < 60 ? string.slice(0, 300) : `…${string.slice(place - 30, place + 270)}`;
}

linkParts.push({
  write(params) {
    writeUnless(params, "search", search.wanted || null, null);
    writeUnless(params, "by", search.mode, "text");
  },
  read(params) {
    search.wanted = params.get("search") || "";
    search.mode = ["text", "token", "pattern"].includes(params.get("by")) ? params.get("by") : "text";
    [byId("search").value, byId("search-mode").value] = [search.wanted, search.mode];
  },
});
