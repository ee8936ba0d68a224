// What is missed and added, outputs that look wrong, and why two systems differ: the numbers of examine_systems.
// Each number shows its samples: the filter "found" has a value such as "missed.0.0.3": of system 0 and tokens the fourth.

let examination = null;
const shownUnits = { system: 0, order: 1 }; // order 0: tokens; 1: bigrams, of which fewer are and, the, 的

const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)}%`);
const unitText = (tokens) => tokens.join(" ");
const rowOfSample = (sample) => data.rowOfNumber.get(sample + 1);

/** The difference of two systems taken apart, as first minus second, whichever way it was found; or nothing. */
function movedOf(first, second, order) {
  const key = `rouge${order + 1}`;
  const found = (a, b) => examination.moved.find((each) => each.key === key && each.first === data.systems[a] && each.second === data.systems[b]);
  const same = found(first, second);
  if (same) return same;
  const other = found(second, first);
  if (!other) return null;
  const turned = (units) => units.map((each) => ({ ...each, gained: each.lost, lost: each.gained, difference: -each.difference }));
  return {
    ...{ key, first: other.second, second: other.first, difference: -other.difference, gained: other.lost, lost: other.gained },
    ...{ score_difference: -other.score_difference, units_gained: turned(other.units_lost), units_lost: turned(other.units_gained) },
  };
}

// What each number stands for: its name, and the entry with its samples.
const foundEntries = {
  missed: (system, order, place) => unitEntry("missed", system, order, place),
  added: (system, order, place) => unitEntry("added", system, order, place),
  fault(system, place) {
    const entry = examination.systems[system]?.faults[place];
    return entry && [`${text(`fault_${entry.kind}`)} (${data.systems[system]})`, entry];
  },
  moved(first, second, order, side, place) {
    const units = movedOf(first, second, order)?.[side ? "units_lost" : "units_gained"];
    return units?.[place] && [`${unitText(units[place].tokens)}${text("colon")}${data.systems[first]} / ${data.systems[second]}`, units[place]];
  },
};

function unitEntry(side, system, order, place) {
  const entry = examination.systems[system]?.units[order]?.[side][place];
  return entry && [`${text(`${side}Units`)}${text("colon")}${unitText(entry.tokens)} (${data.systems[system]})`, entry];
}

filterKinds.found = (value) => {
  const [kind, ...places] = value.split(".");
  const [name, entry] = foundEntries[kind]?.(...places.map(Number)) || [];
  if (!entry) return null;
  const rows = new Set(entry.samples.map(rowOfSample));
  const cut = entry.n_samples > rows.size ? ` – ${text("firstSamples", { n: whole(rows.size), all: whole(entry.n_samples) })}` : "";
  return { label: name + cut, test: (row) => rows.has(row) };
};

/** A number that shows its samples. */
function sampleButton(number, value) {
  const [name, entry] = foundEntries[value[0]](...value.slice(1));
  if (!entry.n_samples) return number;
  const label = `${name}${text("colon")}${text("showSamples", { n: whole(entry.n_samples) })}`;
  return make("button", { type: "button", "aria-label": label, title: label, onclick: () => setFilter("found", value.join(".")) }, number);
}

function fillTable(id, heads, rows) {
  const head = heads.map((each) => make("th", { scope: "col", class: each instanceof Node ? "long" : null }, each));
  const lines = rows.map(([first, ...cells]) => make("tr", {}, make("th", { scope: "row" }, first), ...cells.map((cell) => make("td", {}, cell))));
  if (!lines.length) lines.push(make("tr", {}, make("td", { class: "soft", colspan: heads.length }, text("nothing"))));
  byId(id).replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines));
  oneStop([...byId(id).querySelectorAll("button")]);
}

function drawUnits() {
  const { system, order } = shownUnits;
  const totals = examination.systems[system].units[order];
  const { hits, reference_total: reference, prediction_total: prediction } = totals;
  const values = { hits, reference, prediction, missed: reference - hits, added: prediction - hits };
  const sums = text("unitSums", Object.fromEntries(Object.entries(values).map(([key, value]) => [key, whole(value)])));
  byId("found-sums").textContent = sentences(sums, data.numbers.rows.values.some((_, row) => referenceCount(row) > 1) && text(`ofSeveral_${examination.reference_rule}`));
  for (const side of ["missed", "added"]) {
    const heads = [text("unit"), text(`${side}Count`), text(`${side}Total`), text("share"), text("samples")];
    fillTable(side, heads, totals[side].map((each, place) => [
      make("bdi", {}, unitText(each.tokens)), whole(each.count), whole(each.total), percent(each.share),
      sampleButton(whole(each.n_samples), [side, system, order, place]),
    ]));
  }
}

/** The problems that some output has; the others are named below: no output has them, or the rule does not fit the references. */
function drawFaults() {
  const all = examination.systems[0].faults.map(({ kind }, place) => ({ kind, place, of: examination.systems.map((system) => system.faults[place]) }));
  const isUnchecked = ({ of }) => !of.some((each) => each.applies);
  const isAbsent = ({ of }) => of.every((each) => each.applies && !each.n_samples);
  const listed = all.filter((each) => !isUnchecked(each) && !isAbsent(each));
  fillTable("faults", [text("fault"), ...data.systems.map((_, system) => named(system))], listed.map(({ kind, place, of }) => [
    make("span", {}, text(`fault_${kind}`), make("span", { class: "rule", "data-part": "rule" }, text(`rule_${kind}`))),
    ...of.map((each, number) => (each.applies ? sampleButton(whole(each.n_samples), ["fault", number, place]) : "–")),
  ]));
  byId("faults-part").open = listed.length > 0;
  const list = all.filter(isAbsent).map(({ kind }) => text(`fault_${kind}`)).join(text("listComma"));
  byId("faults-none").textContent = sentences(list && text("noneOf", { list }), ...all.filter(isUnchecked).map(({ kind }) => text(`unchecked_${kind}`)));
}

function drawMovedHits() {
  const [{ first, second }, { order }] = [chosen, shownUnits];
  const moved = movedOf(first, second, order);
  const [one, other] = [data.systems[first], data.systems[second]];
  for (const id of ["gained", "lost", "gained-title", "lost-title"]) byId(id).replaceChildren();
  if (!moved) {
    byId("why-sums").textContent = text("notTakenApart", { first: one, second: other });
    return;
  }
  const signed = (value) => (value > 0 ? "+" : "") + whole(value).replace("-", "−");
  const sums = { first: one, second: other, difference: signed(moved.difference), gained: whole(moved.gained), lost: whole(moved.lost), score: shownGain(moved.score_difference), key: moved.key };
  byId("why-sums").textContent = text("whySums", sums);
  const sides = [["gained", "units_gained", one, other], ["lost", "units_lost", other, one]];
  sides.forEach(([id, name, has, lacks], side) => {
    byId(`${id}-title`).textContent = text("moreHits", { has, lacks });
    const heads = [text("unit"), text("difference"), ...[one, other].map((name) => make("bdi", {}, text("hitsOfOne", { name }))), text("samples")];
    fillTable(id, heads, moved[name].map((each, place) => [
      make("bdi", {}, unitText(each.tokens)), signed(each.difference), whole(each.gained), whole(each.lost),
      sampleButton(whole(each.n_samples), ["moved", first, second, order, side, place]),
    ]));
  });
}

function drawFound() {
  if (hasSeveral()) byId("found-system").value = shownUnits.system;
  byId("found-order").value = shownUnits.order;
  drawUnits();
  drawFaults();
  if (hasSeveral()) drawMovedHits();
}

function startFound() {
  if (hasSeveral()) byId("found-system").append(...data.systems.map((name, place) => make("option", { value: place }, name)));
  for (const key of hasSeveral() ? ["system", "order"] : ["order"]) {
    byId(`found-${key}`).addEventListener("change", (event) => {
      shownUnits[key] = Number(event.target.value);
      drawFound();
      drawExports();
      writeLink();
    });
  }
  parts.push(drawFound);
  linkParts.push({
    write(params) {
      writeUnless(params, "foundSystem", data.systems[shownUnits.system], data.systems[usualPair()[0]]);
      writeUnless(params, "foundOrder", shownUnits.order, data.usualUnits);
    },
    read(params) {
      const asked = data.systems.indexOf(params.get("foundSystem"));
      shownUnits.system = asked < 0 ? usualPair()[0] : asked;
      shownUnits.order = { 0: 0, 1: 1 }[params.get("foundOrder")] ?? data.usualUnits;
    },
  });
}
