"use strict";
// What the pages of results and of curation have in common: they ask with the key that the reader typed (forms.js).

const OWNED = byId("annotate").dataset.campaign;
const LANGUAGE = byId("annotate").dataset.language;
const OWNED_ROUTE = `${document.body.dataset.root}/v1/campaigns/${encodeURIComponent(OWNED)}`;
const KIND = byId("annotate").dataset.kind;
const PAGE_ROWS = 500;
const ownerSaid = byId("owner-said");

/** Ask with the key; throws with the words of a refusal. */
async function askOwned(path, { method = "GET", body } = {}) {
  const key = sessionStorage.getItem(KEPT_KEY);
  const answer = await fetch(OWNED_ROUTE + path, {
    method,
    headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await reasonOf(answer));
  return answer.status === 204 ? null : answer.json();
}

/** All rows of a list that comes in pages. */
async function allOwned(path) {
  const rows = [];
  for (let after = ""; after !== null;) {
    const page = await askOwned(`${path}${path.includes("?") ? "&" : "?"}limit=${PAGE_ROWS}${after && `&after=${encodeURIComponent(after)}`}`);
    rows.push(...page.items);
    after = page.next ?? null;
  }
  return rows;
}

/** Do something with the key, and say why it failed. */
async function withKey(act) {
  ownerSaid.textContent = "";
  try {
    await act();
  } catch (error) {
    ownerSaid.textContent = error.message;
  }
}

/** Show what needs the key now if there is one, and again whenever another is typed. */
function whenKeyed(show) {
  let typing = null;
  const again = () => {
    byId("owned").hidden = !sessionStorage.getItem(KEPT_KEY);
    if (sessionStorage.getItem(KEPT_KEY)) withKey(show);
  };
  document.addEventListener("input", (event) => {
    if (event.target.dataset.key === undefined) return;
    clearTimeout(typing);
    typing = setTimeout(again, 400);
  });
  again();
}

const asPercent = (share) => (share === null || share === undefined ? "–" : share.toLocaleString(LOCALE, { style: "percent", maximumFractionDigits: 0 }));

function asDuration(seconds) {
  const [amount, unit] = seconds < 90 ? [seconds, "second"] : seconds < 5400 ? [seconds / 60, "minute"] : [seconds / 3600, "hour"];
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: amount < 10 ? 1 : 0 }).format(amount);
}

/** A table with a heading for each column; cells are words or elements. */
function table(headings, rows) {
  return make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": headings[0] },
    make("table", {}, make("thead", {}, make("tr", {}, headings.map((heading) => make("th", { scope: "col" }, heading)))),
      make("tbody", {}, rows.map(([first, ...rest]) => make("tr", {}, make("th", { scope: "row" }, first), rest.map((cell) => make("td", {}, cell)))))));
}
