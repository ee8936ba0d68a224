// Stars and notes of samples. They stay in this browser, under the key of what was scored, and can be saved as a file.
// Inside another page that page keeps them: it is told what they are, and answers whether it could.

const notes = {
  all: new Map(), // by the sample's number: { star, note }
  isKept: true, // whether the browser keeps them
  filter: "all",
};

const noteOf = (row) => notes.all.get(data.numbers.rows.at(row)) || { star: false, note: "" };

function setNote(row, changes) {
  if (!isEmbedded() && notes.isKept) readNotes(); // another tab may have written meanwhile
  const changed = { ...noteOf(row), ...changes };
  const number = data.numbers.rows.at(row);
  if (changed.star || changed.note) notes.all.set(number, changed);
  else notes.all.delete(number);
  const value = JSON.stringify([...notes.all]);
  if (isEmbedded()) parent.postMessage({ kind: "notes", value }, "*");
  else notes.isKept = remembered(`notes-${data.key}`, value) !== null;
  drawNoteLine();
}

function readNotes() {
  try {
    const kept = isEmbedded() ? document.documentElement.dataset.notes : remembered(`notes-${data.key}`);
    if (kept) notes.all = new Map(JSON.parse(kept));
  } catch {
    // What stands there is none of ours: the notes are those of this page.
  }
}

/** A button that stars a sample. */
function starButton(row) {
  const pressed = noteOf(row).star;
  const toggle = (event) => {
    event.stopPropagation();
    const star = !noteOf(row).star;
    setNote(row, { star });
    for (const button of document.querySelectorAll(`[data-star="${row}"]`)) button.setAttribute("aria-pressed", star);
  };
  const label = text("star", { name: rowName(row) });
  return make("button", { type: "button", class: "star", "data-star": row, "aria-pressed": String(pressed), "aria-label": label, title: label, onclick: toggle });
}

/** The field for the note of a sample. */
function noteField(row) {
  const field = make("textarea", { id: "pair-note", rows: 2, dir: "auto", "data-of": row });
  field.value = noteOf(row).note;
  field.addEventListener("input", () => setNote(row, { note: field.value.trim() }));
  field.addEventListener("keydown", (event) => event.stopPropagation()); // arrows move in the text, not to the next sample
  return make("label", { class: "note-field" }, make("span", {}, text("note")), field);
}

/** How many there are, and whether they are kept. */
function drawNoteLine() {
  const all = [...notes.all.values()];
  const values = { stars: whole(all.filter(({ star }) => star).length), notes: whole(all.filter(({ note }) => note).length) };
  byId("note-line").textContent = all.length ? `${text("noteCount", values)}${notes.isKept ? "" : ` ${text("notKept")}`}` : "";
}

const hasMark = (row) => ({ starred: noteOf(row).star, noted: noteOf(row).note !== "" })[notes.filter];

linkChoice("marked", notes, "filter", (value) => ["starred", "noted"].includes(value), "marked");
