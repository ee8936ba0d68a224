// The rows of the table of samples: one scrolling list of all that are left, of which those near the view are drawn.
// All rows have one height, so rows of the height of those that are not drawn keep each one at its place.

const DRAWN_ROWS = 60; // three times those on view: a key or a turn of the wheel finds them drawn
const REST = 100; // milliseconds without a move, after which the list is at rest
const SLOW = 4; // milliseconds: a text that takes longer was in a page that had to be unpacked
const list = {
  height: 36, // of a row, as measured
  head: 36, // the height of the heads
  onView: 18, // rows that fit; measured once, as each look would make the browser lay out what is being drawn
  drawn: new Map(), // by the place in table.rows: the element
  columns: [], // of what is drawn
  current: 0, // the place that Tab goes to
  isReading: false, // whether texts are on their way
  resting: 0, // the timer that waits for the end of scrolling
};

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const listView = () => byId("samples-view");

/** Draw the list anew, with table.top as its first row on view. */
function drawRows(all) {
  const focused = focusedPlace();
  const focusedRow = focused === null ? null : Number(list.drawn.get(focused).dataset.of);
  const body = byId("samples").tBodies[0];
  list.columns = all;
  list.drawn.clear();
  body.replaceChildren();
  byId("samples").setAttribute("aria-rowcount", table.rows.length + 1);
  table.top = clamp(table.top, 0, Math.max(0, table.rows.length - 1));
  list.current = table.top;
  placeRows();
  fixColumns();
  measureRows();
  scrollToTop();
  const again = focusedRow === null ? -1 : table.rows.indexOf(focusedRow);
  if (again >= 0) focusPlace(again);
}

/** Where the list stands, as far as there are rows below; the browser keeps what it can scroll to. */
function scrollToTop() {
  listView().scrollTop = table.top * list.height;
  table.top = Math.round(listView().scrollTop / list.height);
  placeRows();
}

/** Keep the columns as wide as the rows now drawn need, whatever comes into view: nothing jumps, and layout is quick. */
function fixColumns() {
  const element = byId("samples");
  const heads = [...element.tHead.rows[0].cells];
  element.classList.remove("fixed");
  const widths = heads.map((head) => head.getBoundingClientRect().width);
  heads.forEach((head, place) => { head.style.width = `${widths[place]}px`; });
  element.classList.add("fixed");
}

/** The heights of a row and of the view, which the size of letters and the zoom decide. */
function measureRows() {
  const places = [...list.drawn.keys()];
  const [first, last] = [places[0], places.at(-1)];
  const top = (place) => list.drawn.get(place).getBoundingClientRect().top;
  const height = last > first ? (top(last) - top(first)) / (last - first) : 0;
  const isOther = height > 0 && height !== list.height;
  if (isOther) list.height = height;
  list.head = byId("samples").tHead.offsetHeight;
  list.onView = Math.max(1, Math.floor((listView().clientHeight - list.head) / list.height));
  if (isOther) placeRows();
}

function focusedPlace() {
  const row = document.activeElement?.closest("#samples tbody tr");
  return row ? Number(row.getAttribute("aria-rowindex")) - 2 : null;
}

/** Draw the rows near the view, take the others away, and fill the place of these. The row with the focus stays. */
function placeRows() {
  const [body, n] = [byId("samples").tBodies[0], table.rows.length];
  const size = Math.min(n, list.resting && n > DRAWN_ROWS ? 2 * list.onView : DRAWN_ROWS); // fewer while it moves
  const from = clamp(table.top - Math.floor((size - list.onView) / 2), 0, n - size);
  const wanted = Array.from({ length: size }, (_, place) => from + place);
  const focused = focusedPlace();
  if (focused !== null && focused < from) wanted.unshift(focused);
  else if (focused !== null && focused >= from + size) wanted.push(focused);
  const kept = new Set(wanted);
  for (const [place, row] of list.drawn) {
    if (kept.has(place)) continue;
    row.remove();
    list.drawn.delete(place);
  }
  for (const gap of body.querySelectorAll(".gap")) gap.remove();
  let [next, before] = [body.firstChild, -1]; // rows that stay are not moved, which would take the focus from them
  const addGap = (rows) => {
    const gap = make("tr", { class: "gap", "aria-hidden": "true" });
    gap.style.height = `${rows * list.height}px`;
    if (rows) body.insertBefore(gap, next);
  };
  const drawn = new Map();
  for (const place of wanted) {
    addGap(place - before - 1);
    const row = list.drawn.get(place) || sampleRow(place);
    if (row === next) next = next.nextSibling;
    else body.insertBefore(row, next);
    drawn.set(place, row);
    before = place;
  }
  addGap(n - before - 1);
  list.drawn = drawn;
  byId("printed").textContent = text("printed", { from: whole(n && from + 1), to: whole(from + size), all: whole(n) });
  markCurrent();
}

/** Tab goes to one row only: that with the focus, or the one that had it last, or else the first on view. */
function markCurrent() {
  const seen = list.current >= table.top && list.current < table.top + list.onView;
  list.current = focusedPlace() ?? (seen ? list.current : table.top);
  for (const [place, row] of list.drawn) {
    for (const button of row.querySelectorAll("button")) button.tabIndex = place === list.current ? 0 : -1;
  }
}

function sampleRow(place) {
  const row = table.rows[place];
  const name = rowName(row);
  const label = text("openSample", { name });
  const button = make("button", { type: "button", "aria-label": label, "data-row": row }, make("bdi", {}, name));
  const cells = list.columns.slice(1).map(({ value, show, key, narrow }) => {
    const number = value(row);
    const colour = key !== "gain" || !number ? "" : number > 0 ? " up" : " down";
    return make("td", { class: `number${colour}${narrow ? " hide-narrow" : ""}` }, show(number));
  });
  const reference = make("td", { class: "text" }, make("div", { dir: "auto" }));
  return make("tr", { "aria-rowindex": place + 2, "data-of": row }, make("th", { scope: "row" }, button, starButton(row)), ...cells, reference);
}

/** Write the text of a row; true if that took long. */
async function writeText(element) {
  const began = performance.now();
  element.dataset.read = "yes";
  const content = await rowContent(Number(element.dataset.of));
  element.querySelector(".text div").textContent = preview(content.references[0].text);
  return performance.now() - began > SLOW;
}

/**
 * Write the texts of the rows on view, and then of the others that are drawn. In another order than that of the file each
 * is in another page of texts: so while the list moves only one of these is unpacked from time to time.
 */
async function writeTexts() {
  if (list.isReading) return;
  list.isReading = true;
  for (;;) {
    const without = [...list.drawn].filter(([, row]) => !row.dataset.read);
    const seen = without.filter(([place]) => place >= table.top && place <= table.top + list.onView).map(([, row]) => row);
    if (!without.length) break;
    const isMoving = list.resting > 0;
    const some = seen.length && !isMoving ? seen : [seen[0] || without[0][1]];
    const wasSlow = (await Promise.all(some.map(writeText))).some(Boolean);
    markFound();
    if (wasSlow) await new Promise((resume) => { setTimeout(resume, isMoving ? 2 * REST : 0); });
  }
  list.isReading = false;
}

function followScroll() {
  const top = Math.round(listView().scrollTop / list.height);
  if (top === table.top) return; // to the side
  table.top = top;
  clearTimeout(list.resting);
  list.resting = setTimeout(() => {
    list.resting = 0;
    placeRows();
    writeLink();
    writeTexts();
  }, REST);
  const isDrawn = (place) => list.drawn.has(clamp(place, 0, table.rows.length - 1));
  const ahead = list.onView / 4;
  if (!isDrawn(Math.floor(top - ahead)) || !isDrawn(Math.ceil(top + list.onView + ahead))) placeRows();
  else markCurrent();
  writeTexts();
}

/** Give the focus to the row at a place, and scroll as far as that needs. */
function focusPlace(place) {
  const [view, top] = [listView(), place * list.height];
  const room = (list.onView - 1) * list.height;
  view.scrollTop = clamp(view.scrollTop, top - room, top);
  followScroll();
  if (!list.drawn.has(place)) placeRows();
  list.drawn.get(place)?.querySelector("[data-row]").focus();
}

/** Give the focus to the sample that was open, if the table still has it. */
function focusRow(row) {
  const place = table.rows.indexOf(row);
  if (place >= 0) focusPlace(place);
}

/** Up and down go from row to row, also to those that are not drawn yet. */
function moveFocus(event) {
  const place = focusedPlace();
  if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const [step, last] = [list.onView - 1 || 1, table.rows.length - 1];
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, PageDown: place + step, PageUp: place - step, Home: 0, End: last }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  focusPlace(clamp(next, 0, last));
}

function startRows() {
  const body = byId("samples").tBodies[0];
  listView().addEventListener("scroll", followScroll, { passive: true });
  body.addEventListener("keydown", moveFocus);
  body.addEventListener("focusin", markCurrent);
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-of]");
    if (row) openPair(Number(row.dataset.of));
  });
  addEventListener("resize", () => {
    fixColumns();
    measureRows();
    followScroll();
  });
}

linkParts.push({
  write: (params) => writeUnless(params, "at", table.top + 1, 1),
  read(params) {
    table.top = Math.max(0, Math.floor(Number(params.get("at") || 1)) - 1) || 0;
  },
});
