"use strict";
// The page of a campaign: joining by a chosen name, one's personal link, one's own labels, and leaving.

const joining = byId("join");
const joined = byId("joined");
const told = byId("person-said");

function showPerson() {
  joining.hidden = person !== null;
  joined.hidden = person === null;
  if (!person) return;
  byId("person-name").textContent = person.name;
  byId("personal-link").value = personalLink();
}

/** Do something as this person, and say what came of it. */
async function attempt(act, done = "") {
  told.textContent = "";
  try {
    await act();
    told.textContent = done;
  } catch (error) {
    told.textContent = error.message;
  }
}

joining.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = byId("name").value.trim().replace(/\s+/g, " ");
  attempt(async () => {
    person = null;
    const { token } = await ask("POST", "/people", { name });
    person = { name, token };
    keep("person", person);
    showPerson();
    byId("start").focus();
  });
});

byId("copy-link").addEventListener("click", () => attempt(async () => {
  byId("personal-link").select();
  await navigator.clipboard.writeText(personalLink());
}, say("copied")));

byId("own-labels").addEventListener("click", () => attempt(async () => {
  const rows = [];
  for (let after = ""; after !== null;) {
    const page = await ask("GET", `/answers${after && `?after=${encodeURIComponent(after)}`}`);
    rows.push(...page.items);
    after = page.next ?? null;
  }
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await save(new Response(lines, { headers: { "content-type": "application/jsonl" } }), `labels-${CAMPAIGN}.jsonl`);
}));

/** Forget the person, and all that this browser keeps of theirs. */
function leave() {
  const prefix = KEPT + own("");
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
  forget("person");
  person = null;
  showPerson();
}

byId("leave").addEventListener("click", () => attempt(async () => {
  if (unsent().length) throw new Error(say("wait to be sent", { count: unsent().length }));
  leave();
}));

byId("erase").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    await ask("DELETE", "/people/me");
    leave();
  }, say("erased"));
});

showPerson();
