"use strict";
// An item with the answers of all people side by side, and the curator's own, which decides.

const CURATOR = "curator";
const ITEM = byId("annotate").dataset.item;
let curating = null;

async function show() {
  const { item, votes } = await askOwned(`/items/${encodeURIComponent(ITEM)}`);
  const given = votes.filter((vote) => vote.person !== CURATOR);
  const decided = votes.find((vote) => vote.person === CURATOR);
  curating = new Task(KIND, item, decided ? KINDS[KIND].from(decided.answer) : null, showState);
  curating.mount(byId("task"));
  byId("controls").hidden = false;
  byId("decided").hidden = !decided;
  byId("sides").replaceChildren(...given.map((vote, index) => make("li", { class: `card${vote.counted ? "" : " uncounted"}` },
    make("h3", {}, vote.person, vote.counted ? null : make("span", { class: "tag" }, say("withdrawn"))),
    KINDS[KIND].describe(item, vote.answer),
    make("button", { type: "button", "aria-label": `${say("take answer")}: ${vote.person}`, onclick: () => { curating.take(vote.answer); byId("task").scrollIntoView({ block: "nearest" }); } }, say("take answer")))));
  byId("no-answers").hidden = given.length > 0;
  showState();
}

function showState() {
  byId("missing").textContent = curating.missing;
  byId("send").disabled = !curating.answer;
  byId("undo").disabled = !curating.past.length;
  byId("said").textContent = "";
}

byId("send").addEventListener("click", () => withKey(async () => {
  await askOwned("/votes", { method: "POST", body: { votes: [{ item: ITEM, person: CURATOR, answer: curating.answer }] } });
  await show();
  byId("said").textContent = say("decided");
}));
byId("undo").addEventListener("click", () => curating.undo());
whenKeyed(show);
