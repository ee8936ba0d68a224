// Checkpoints of a training: the means by step with their intervals, and the samples that changed from one to the next.

const stepText = (step) => step.toLocaleString(language === "zh" ? "zh-CN" : "en-US", { maximumFractionDigits: 6 });

/** The system that is the checkpoint of a step; -1 where many checkpoints are not all shown. */
const systemOfStep = (place) => data.curves.shown.indexOf(place);

function curve(column, key) {
  const { steps, means, low, high } = data.curves;
  const values = means.map((row) => row[column]);
  const [lows, highs] = [low, high].map((bounds) => (bounds ? bounds.map((row) => row[column]) : values));
  const [least, most] = [Math.min(...lows), Math.max(...highs)];
  const room = (most - least || data.scale * 0.02) * 0.1;
  const side = (steps.at(-1) - steps[0]) * 0.04;
  const { svg, x, y } = axes([steps[0] - side, steps.at(-1) + side], [Math.max(0, least - room), most + room], text("step"), `${key} F`, { role: "group", "data-system": 0 });
  const line = (bounds) => bounds.map((value, place) => `${x(steps[place]).toFixed(1)} ${y(value).toFixed(1)}`);
  if (low) svg.append(draw("path", { class: "band", d: `M${[...line(highs), ...line(lows).reverse()].join("L")}Z` }));
  svg.append(draw("path", { class: "curve", d: `M${line(values).join("L")}` }));
  const points = steps.map((step, place) => {
    const interval = low ? ` [${shown(lows[place])}, ${shown(highs[place])}]` : "";
    const label = `${text("step")} ${stepText(step)}${text("colon")}${shown(values[place])}${interval}`;
    return draw("circle", { class: "point", cx: x(step), cy: y(values[place]), r: 5, role: "button", "aria-label": label });
  });
  svg.append(targetGroup(points, (place) => compareSteps(Math.max(0, place - 1), Math.max(1, place))));
  const title = `${key}${text("colon")}${text("meanBySteps")}`;
  return make("figure", {}, make("h3", {}, title), svg);
}

/** Compare a checkpoint with the one before it in charts and table, where both are shown. */
function compareSteps(before, after) {
  const [first, second] = [systemOfStep(before), systemOfStep(after)];
  if (first >= 0 && second >= 0) comparePair({ first, second });
}

function drawCurves() {
  if (!data.curves) return;
  const { steps, keys, changes } = data.curves;
  fitCharts(byId("curves"), 1);
  byId("curves").replaceChildren(curve(chosen.type, keys[chosen.type]));
  const note = text("curvesNote");
  byId("curves-note").textContent = data.curves.shown.length < steps.length ? `${note} ${text("curvesCut", { n: steps.length, shown: data.curves.shown.length })}` : note;
  const sample = (each) => make("button", { type: "button", class: "inline", onclick: () => openPair(rowOfSample(each.sample)) },
    make("bdi", {}, rowName(rowOfSample(each.sample))), ` ${shownGain(each.difference)}`);
  const some = (list) => make("span", { class: "changed" }, ...list.slice(0, 3).flatMap((each) => [sample(each), " "]));
  const key = keys[chosen.type];
  const rows = changes.filter((each) => each.key === key).map((each) => {
    const [before, after] = [steps.indexOf(each.before), steps.indexOf(each.after)];
    const name = `${stepText(each.before)} → ${stepText(each.after)}`;
    const canCompare = systemOfStep(before) >= 0 && systemOfStep(after) >= 0;
    const button = make("button", { type: "button", class: "inline", onclick: () => compareSteps(before, after) }, name);
    const column = keys.indexOf(key);
    const moved = data.curves.means[after][column] - data.curves.means[before][column];
    return [canCompare ? button : name, shownGain(moved), whole(each.better), whole(each.worse), some(each.up), some(each.down)];
  });
  const heads = [text("steps"), `Δ ${key}`, text("becameBetter"), text("becameWorse"), text("roseMost"), text("fellMost")];
  fillTable("checkpoint-changes", heads, rows);
}

parts.push(drawCurves);
