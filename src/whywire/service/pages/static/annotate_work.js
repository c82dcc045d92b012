"use strict";
// The page on which items are answered: one at a time, each kept in this browser until the service has its answer.

const CONFLICT = 409;

const box = byId("task");
const sendButton = byId("send");
const undoButton = byId("undo");
const backButton = byId("back");
const said = byId("said");
const waits = byId("waits");
const stage = byId("stage");

let task = null; // of the item that is shown
let begun = 0; // when it was shown, in milliseconds, but for the time in which the page was hidden
let hiddenAt = null;
let retry = null;
let isReading = false; // whether a person reads what was right

const secondsSince = () => Math.round((Date.now() - begun) / 100) / 10;

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = Date.now();
  else if (hiddenAt !== null) begun += Date.now() - hiddenAt;
});

function showWaiting() {
  const count = unsent().length;
  waits.textContent = count ? say("wait to be sent", { count }) : "";
  waits.hidden = !count;
}

/** Show a message instead of an item. */
function tell(heading, ...rest) {
  task = null;
  isReading = false;
  byId("controls").hidden = true;
  box.replaceChildren(make("div", { class: "empty" }, make("h2", { tabindex: "-1" }, heading), ...rest));
  box.querySelector("h2").focus();
}

/** Show an item; `previous` is the answer that it has already. */
function showItem(item, previous = null) {
  const draft = kept(own(`draft ${item.id}`));
  task = new Task(box.dataset.kind, item, draft?.draft ?? (previous && KINDS[box.dataset.kind].from(previous)), keepDraft);
  isReading = false;
  begun = Date.now() - 1000 * (draft?.seconds ?? 0);
  hiddenAt = document.hidden ? Date.now() : null;
  said.textContent = "";
  byId("controls").hidden = false;
  task.mount(box);
  showState();
  box.focus({ preventScroll: true });
  task.view.focus();
  scrollTo({ top: 0 });
}

function keepDraft() {
  keep(own(`draft ${task.item.id}`), { draft: task.draft, seconds: secondsSince() });
  said.textContent = "";
  showState();
}

function showState() {
  const missing = task.missing;
  sendButton.disabled = !task.answer;
  byId("missing").textContent = missing;
  undoButton.disabled = !task.past.length;
  const last = kept(own("last"));
  backButton.disabled = !last || last.item.id === task.item.id;
}

async function sendTask() {
  const { item, answer } = task;
  if (!answer) return;
  sendButton.disabled = true;
  const waiting = { answer, seconds: secondsSince() };
  const isKept = keepAnswer(item.id, waiting);
  try {
    const verdict = await sendAnswer(item.id, waiting);
    sent(item, answer);
    if (verdict?.right === null || verdict?.right === undefined) await nextItem();
    else showVerdict(item, verdict);
  } catch (error) {
    if (error instanceof AwayError && isKept) wait(item, answer, error);
    else {
      if (error.status === CONFLICT) await nextItem(); // the first answer holds
      else showState(); // the marks stay, to be mended or sent again
      said.textContent = error.message;
    }
  }
  showWaiting();
}

/** An answer has arrived: its marks are needed no longer, but one can go back to it. */
function sent(item, answer) {
  forget(own(`draft ${item.id}`));
  if (item.role === "work") keep(own("last"), { item, answer });
  else forget(own("last"));
}

/** The connection is lost: the answer is kept here, and sent when it is back. */
function wait(item, answer, error) {
  if (item.role === "work") keep(own("last"), { item, answer });
  tell(say("not sent yet"), make("p", {}, `${error.message}. ${say("kept here")}`), ...(item.role === "work" ? [keyButton("b", say("back"), goBack)] : []));
  showWaiting();
  tryLater();
}

function tryLater() {
  clearTimeout(retry);
  retry = setTimeout(sendWaiting, RETRY_SECONDS * 1000);
}

/** Send what waits, then go on. */
async function sendWaiting() {
  clearTimeout(retry);
  for (const item of unsent()) {
    try {
      await sendAnswer(item);
      if (item !== task?.item.id) forget(own(`draft ${item}`));
    } catch (error) {
      if (error instanceof AwayError) return tryLater();
      said.textContent = error.message;
    } finally {
      showWaiting();
    }
  }
  if (task === null && !isReading) await nextItem();
}

/** Ask for an item, and show it or why there is none. */
async function nextItem() {
  try {
    const { item, number, reason, standing } = await ask("GET", "/next");
    stage.textContent = item ? `${say(`stage ${item.role}`)} · ${say("item", { number: formatNumber(number) })}` : "";
    if (item) showItem(item);
    else tell(say(`reason ${reason}`), make("p", {}, say(`reason ${reason} text`, { count: standing.worked })));
  } catch (error) {
    if (error instanceof AwayError) {
      tell(say("waiting"), make("p", {}, error.message));
      tryLater();
    } else if (error.status === 401) join();
    else tell(say("refused"), make("p", {}, error.message));
  }
}

/** Whether an answer of training was right, why, and what would have been. */
function showVerdict(item, { right, gold, hint }) {
  const next = keyButton("Enter", say("next"), nextItem, { class: "primary" });
  byId("controls").hidden = true;
  task = null;
  isReading = true;
  for (const field of box.querySelectorAll("input, button, select")) field.disabled = true;
  for (const field of box.querySelectorAll("[data-hotkey]")) field.removeAttribute("data-hotkey");
  box.append(make("section", { class: `card verdict ${right ? "right" : "not-right"}`, "aria-labelledby": "verdict" },
    make("h2", { id: "verdict", tabindex: "-1" }, say(right ? "right" : "not right")),
    hint ? make("p", { dir: "auto" }, hint) : null,
    gold ? make("div", {}, make("p", { class: "label" }, say("gold")), KINDS[box.dataset.kind].describe(item, gold)) : null,
    next));
  byId("verdict").focus();
  byId("verdict").scrollIntoView({ block: "nearest" });
}

/** Go back to the item before, to change the answer. */
function goBack() {
  const last = kept(own("last"));
  if (!last || last.item.id === task?.item.id) return;
  stage.textContent = say("item before");
  showItem(last.item, last.answer);
}

function join() {
  tell(say("not joined"), make("p", {}, make("a", { href: `${document.body.dataset.root}/annotate/${encodeURIComponent(CAMPAIGN)}` }, say("join first"))));
}

sendButton.addEventListener("click", sendTask);
undoButton.addEventListener("click", () => task?.undo());
backButton.addEventListener("click", goBack);
addEventListener("online", sendWaiting);
if (person) {
  byId("whose").textContent = person.name;
  showWaiting();
  sendWaiting();
} else join();
