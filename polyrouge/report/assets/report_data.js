// What the file holds, unpacked when needed: numbers of all rows at the start, texts, tokens and hits page by page.

const MOST_PAGES = 100;
const pages = new Map(); // by number: a promise of the page
const packedPages = document.querySelectorAll("script.page"); // not a live list, which is counted anew after each change

/** Whole numbers with several places; at() gives null where there is none. */
class Numbers {
  constructor(buffer, begin, { bytes, shape, start }) {
    const Type = { 1: Int8Array, 2: Int16Array, 4: Int32Array }[bytes];
    this.values = new Type(buffer, begin + start, shape.reduce((product, size) => product * size, 1));
    this.shape = shape;
  }

  // Millions of calls for one click: with (...place) each would make an array.
  at(first, second, third, fourth) {
    let index = first;
    if (second !== undefined) index = index * this.shape[1] + second;
    if (third !== undefined) index = index * this.shape[2] + third;
    if (fourth !== undefined) index = index * this.shape[3] + fourth;
    const value = this.values[index];
    return value < 0 ? null : value;
  }
}

/** A value as packing.py packs it: the length of its JSON, the JSON, and the numbers that it names. */
async function unpacked(element) {
  const binary = atob(element.textContent);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place += 1) bytes[place] = binary.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const behind = 4 + new DataView(buffer).getUint32(0, true);
  const value = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, behind - 4)));
  for (const [name, column] of Object.entries(value.numbers ?? {})) value.numbers[name] = new Numbers(buffer, behind, column);
  return value;
}

async function unpackData() {
  [data, examination] = await Promise.all([byId("index"), byId("examination")].map(unpacked));
  data.numbersOfParts = { examination, checkpoints: data.curves };
  data.rowOfNumber = new Map();
  data.numbers.rows.values.forEach((number, row) => data.rowOfNumber.set(number, row));
}

/** The sums of the values before each place; the last is that of all. */
function offsetsOf(values) {
  const offsets = new Int32Array(values.length + 1);
  for (let place = 0; place < values.length; place += 1) offsets[place + 1] = offsets[place] + values[place];
  return offsets;
}

/** Some rows: their texts with tokens and hits, which are read when they are asked for. See rows.py for the columns. */
class RowPage {
  constructor({ texts, references, sources, numbers }) {
    Object.assign(this, { texts, references, sources, numbers });
    const nSystems = data.systems.length;
    this.firstText = offsetsOf(references.map((n) => nSystems + n));
    this.firstPair = offsetsOf(references.map((n) => nSystems * n));
    this.firstToken = offsetsOf(numbers.tokens.values);
    this.firstSentence = offsetsOf(numbers.sentences.values);
    this.firstHit = offsetsOf(numbers.hits.values.map((hits) => Math.max(0, hits)));
    this.ownTokens = Int32Array.from(this.texts, (_, place) => {
      if (!numbers.hasOwn.at(place)) return 0;
      const sizes = numbers.sentenceTokens.values.subarray(this.firstSentence[place], this.firstSentence[place + 1]);
      return sizes.reduce((sum, size) => sum + size, 0);
    });
    this.firstOwnToken = offsetsOf(this.ownTokens);
  }

  /** A row: `predictions` and `references` are PlacedTexts, `source` what ReportSources.page_row gives. */
  row(row) {
    const first = this.firstText[row];
    const behind = first + data.systems.length;
    const all = this.texts.slice(first, this.firstText[row + 1]).map((_, place) => new PlacedText(this, first + place));
    return {
      predictions: all.slice(0, behind - first),
      references: all.slice(behind - first),
      source: this.sources?.[row],
      /** Hits of a system with a reference by the place of a type in SHOWN_TYPES: see hitsOf. */
      hits: (reference, system, type) => this.hitsOf(this.firstPair[row] + reference * data.systems.length + system, type),
    };
  }

  /** First positions of the hits of a pair on both sides, and the totals; null where other hits count than can be shown. */
  hitsOf(pair, type) {
    const { hits, totals, ours, theirs } = this.numbers;
    if (hits.at(pair, type) === null) return null;
    const place = pair * hits.shape[1] + type;
    const summed = (column) => {
      let last = 0;
      return Array.from(column.values.subarray(this.firstHit[place], this.firstHit[place + 1]), (step) => (last += step));
    };
    const [ofPrediction, ofReference] = [totals.at(pair, type, 0), totals.at(pair, type, 1)];
    return { ours: summed(ours), theirs: summed(theirs), ofPrediction, ofReference };
  }
}

/** One text of a page of rows. */
class PlacedText {
  constructor(page, place) {
    this.page = page;
    this.place = place;
    this.text = page.texts[place];
  }

  /** Its characters, not UTF-16 units. */
  get characters() {
    return (this.readCharacters ??= Array.from(this.text));
  }

  /** Places of its tokens, [start, end] in characters, or null. */
  get tokens() {
    const { firstToken, numbers } = this.page;
    return (this.readTokens ??= places(numbers.starts, numbers.lengths, firstToken[this.place], firstToken[this.place + 1]));
  }

  /** Places of the tokens of all sentences, one after the other. */
  get bySentence() {
    const { numbers, firstOwnToken: first } = this.page;
    if (!numbers.hasOwn.at(this.place)) return this.tokens;
    return (this.readOwn ??= places(numbers.ownStarts, numbers.ownLengths, first[this.place], first[this.place + 1]));
  }

  /** The same, a list for each sentence. */
  get sentences() {
    const { numbers, firstSentence } = this.page;
    const sizes = numbers.sentenceTokens.values.subarray(firstSentence[this.place], firstSentence[this.place + 1]);
    const offsets = offsetsOf(sizes);
    return Array.from(sizes, (_, sentence) => this.bySentence.slice(offsets[sentence], offsets[sentence + 1]));
  }
}

/** Places from columns that hold starts relative to the one before; a token that is not in the text has the length -1. */
function places(starts, lengths, first, behind) {
  const found = [];
  let start = 0;
  for (let token = first; token < behind; token += 1) {
    start += starts.values[token];
    found.push(lengths.values[token] < 0 ? null : [start, start + lengths.values[token]]);
  }
  return found;
}

/** The texts and hits of a row. */
async function rowContent(row) {
  const number = Math.floor(row / data.rowsAPage);
  if (!pages.has(number)) {
    pages.set(number, unpacked(packedPages[number]).then((value) => new RowPage(value)));
    if (pages.size > MOST_PAGES) pages.delete(pages.keys().next().value); // the oldest: a search reads them all
  }
  return (await pages.get(number)).row(row % data.rowsAPage);
}
