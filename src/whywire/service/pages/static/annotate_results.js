"use strict";
// The owner's page of a campaign: its people, what is left to do, what people agree on and what they dispute.

const MOST_ROWS = 200;
const method = byId("method");
let results = [];

const labelOf = (answer) => (KIND === "relation" ? say(`label ${answer.relation}`) : KIND === "strength" ? formatNumber(answer.score) : KIND === "counterfactual" ? say(answer.counterfactual ? "is counterfactual" : "not counterfactual") : sizeOf(answer));

/** What a long answer holds, in short. */
function sizeOf(answer) {
  if (answer.groups) return say("count groups", { count: answer.groups.length });
  if (answer.events) return `${say("count events", { count: answer.events.length })}, ${say("count links", { count: answer.links.length })}`;
  return say("count relations", { count: answer.relations.length });
}

function showPeople({ items, estimate }) {
  const left = estimate.answers
    ? [say("estimate answers", { count: formatNumber(estimate.answers) }), asDuration(estimate.seconds), estimate.pay ? say("estimate pay", { pay: formatNumber(estimate.pay) }) : ""]
    : [say("estimate none")];
  byId("estimate").textContent = left.filter(Boolean).join(" · ");
  const rows = items.map((one) => {
    const accuracy = (role) => (one.given[role] ? one.right[role] / one.given[role] : null);
    const change = (act) => askOwned(`/people/${encodeURIComponent(one.name)}/${act}`, { method: "POST" }).then(show);
    const button = make("button", { type: "button", "aria-label": `${say(one.excluded ? "restore" : "withdraw")}: ${one.name}`, onclick: () => withKey(() => change(one.excluded ? "restore" : "withdraw")) }, say(one.excluded ? "restore" : "withdraw"));
    return [one.name, one.excluded ? make("span", { class: "state failing" }, say("withdrawn")) : say(`stage ${one.stage}`), formatNumber(one.worked), one.seconds ? asDuration(one.seconds) : "–", asPercent(one.agreement), asPercent(accuracy("exam")), asPercent(accuracy("control")), one.last ? formatTime(one.last) : "–", button];
  });
  byId("people").replaceChildren(rows.length ? table(["name", "stage", "answers", "speed", "agreement", "exam", "controls", "last answer", "action"].map((name) => say(`people ${name}`)), rows) : make("p", { class: "hint" }, say("people none")));
}

const isSettled = (row) => row.agreed || row.curated;

function showResults() {
  const wanted = byId("which").value;
  const passes = { all: () => true, agreed: isSettled, disputed: (row) => !isSettled(row), expert: (row) => row.for_expert };
  const shown = results.filter(passes[wanted]);
  const rows = shown.slice(0, MOST_ROWS).map((row) => [
    make("a", { href: `${location.pathname.replace(/results$/, "curate")}/${encodeURIComponent(row.item)}` }, row.item),
    row.answer ? labelOf(row.answer) : "–", asPercent(row.share), say(row.curated ? "curated" : row.agreed ? "agreed" : row.for_expert ? "for expert" : "disputed"), formatNumber(row.answers)]);
  byId("results").replaceChildren(
    make("p", { class: "figures" }, say("results of", { agreed: formatNumber(results.filter(isSettled).length), total: formatNumber(results.length) })),
    rows.length ? table(["item", "answer", "share", "agreed", "answers"].map((name) => say(`results ${name}`)), rows) : make("p", { class: "hint" }, say("results none")),
    ...(shown.length > MOST_ROWS ? [make("p", { class: "hint" }, say("results first", { most: MOST_ROWS, total: formatNumber(shown.length) }))] : []));
}

/** Disputed items first, the most disputed of them before the others. */
async function show() {
  const [people, rows] = await Promise.all([askOwned("/people"), allOwned(`/results?method=${method.value}`)]);
  results = rows.toSorted((one, other) => isSettled(one) - isSettled(other) || (one.share ?? 0) - (other.share ?? 0));
  showPeople(people);
  showResults();
}

const asLines = (rows) => new Response(rows.map((row) => `${JSON.stringify(row)}\n`).join(""), { headers: { "content-type": "application/jsonl" } });
byId("save-results").addEventListener("click", () => withKey(() => save(asLines(results), `results-${OWNED}.jsonl`)));
byId("save-votes").addEventListener("click", () => withKey(async () => save(asLines(await allOwned("/votes")), `votes-${OWNED}.jsonl`)));
method.addEventListener("change", () => withKey(show));
byId("which").addEventListener("change", showResults);
byId("save-items").addEventListener("click", () => withKey(async () => save(asLines(await allOwned("/items")), `items-${OWNED}.jsonl`)));
whenKeyed(show);
