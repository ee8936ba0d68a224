// What is chosen stands in the link behind #, so that a link shows the same again. Inside another page the link is that
// page's: it is told what is chosen, and says in data-link what to begin with.

const linkParts = []; // each { write(params), read(params) }; read() gets what write() has put there, or nothing of it
let linkIsRead = false; // nothing is written before

/** Write what is chosen into the address. */
function writeLink() {
  if (!linkIsRead) return;
  const params = new URLSearchParams();
  for (const part of linkParts) part.write(params);
  const hash = params.toString();
  if (isEmbedded()) parent.postMessage({ kind: "link", value: hash }, "*");
  else history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

/** Choose what the address says; what it does not name, or names wrongly, is as at the beginning. */
function readLink() {
  const params = new URLSearchParams(isEmbedded() ? document.documentElement.dataset.link : location.hash.slice(1));
  linkIsRead = false;
  for (const part of linkParts) part.read(params);
  linkIsRead = true;
}

/** Show what a link says that was opened later. */
async function followLink(hash) {
  if (isEmbedded()) document.documentElement.dataset.link = hash;
  if (!linkIsRead) return; // it is in a moment
  readLink();
  await redraw();
  await openLinkedPair();
}

/** A value that only stands in the link where it is not the usual one. */
function writeUnless(params, key, value, usual) {
  if (value !== usual && value !== null && value !== undefined) params.set(key, value);
}

/** A property of an object stands in the link, where it is not as it is now; a field shows it, too. */
function linkChoice(key, object, name, isAllowed, field) {
  const usual = object[name];
  linkParts.push({
    write: (params) => writeUnless(params, key, object[name], usual),
    read(params) {
      object[name] = isAllowed(params.get(key)) ? params.get(key) : usual;
      if (field) byId(field).value = object[name];
    },
  });
}

async function copyLink({ currentTarget: button }) {
  button.textContent = await copyText(location.href, () => text("copyYourself"));
  setTimeout(() => { button.textContent = text("copyLink"); }, 4000);
}

function startLink() {
  const place = (names, name, usual) => (names.includes(name) ? names.indexOf(name) : usual);
  linkParts.unshift({
    write(params) {
      writeUnless(params, "type", data.types[chosen.type], data.types[0]);
      if (!hasSeveral()) return;
      const [first, second] = usualPair();
      writeUnless(params, "first", data.systems[chosen.first], data.systems[first]);
      writeUnless(params, "second", data.systems[chosen.second], data.systems[second]);
    },
    read(params) {
      chosen.type = place(data.types, params.get("type"), 0);
      byId("type").value = chosen.type;
      if (!hasSeveral()) return;
      const usual = usualPair();
      const [first, second] = ["first", "second"].map((side, at) => place(data.systems, params.get(side), usual[at]));
      Object.assign(chosen, first === second ? { first: usual[0], second: usual[1] } : { first, second });
      if (data.systems.length > 2) [byId("first").value, byId("second").value] = [chosen.first, chosen.second];
    },
  });
  addEventListener("hashchange", () => followLink());
  byId("copy-link").addEventListener("click", copyLink);
}
