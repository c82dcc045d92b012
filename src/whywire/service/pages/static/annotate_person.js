"use strict";
// Who annotates, and what this browser keeps: the personal token, marks of items that are not answered yet, and answers
// that could not be sent. Everything is kept under the campaign and the person, so that two people can share a browser.

const CAMPAIGN = byId("annotate").dataset.campaign;
const LANGUAGE = byId("annotate").dataset.language;
const CAMPAIGN_ROUTE = `${document.body.dataset.root}/v1/campaigns/${encodeURIComponent(CAMPAIGN)}`;
const KEPT = `whywire annotate ${CAMPAIGN} `;
const RETRY_SECONDS = 5;
const LASTING = new Set([404, 409, 422]); // refusals of the answer itself

/** Keep a value in this browser; returns whether there was room for it. */
function keep(name, value) {
  try {
    localStorage.setItem(KEPT + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
const forget = (name) => localStorage.removeItem(KEPT + name);
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + name));
  } catch {
    return null;
  }
}

/** The person of this browser, {name, token}; null if nobody has joined. A personal link brings one along. */
function whoIsHere() {
  const linked = /^#((?:%[0-9a-f]{2}|[^%])+):([\w-]+)$/i.exec(location.hash);
  if (linked) {
    keep("person", { name: decodeURIComponent(linked[1]), token: linked[2] });
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return kept("person");
}

let person = whoIsHere();

const personalLink = () => `${location.origin}${document.body.dataset.root}/annotate/${encodeURIComponent(CAMPAIGN)}#${encodeURIComponent(person.name)}:${person.token}`;
const own = (name) => `${person.name} ${name}`;

/** A refusal of the service, in its own words. */
class RefusedError extends Error {
  constructor(status, words) {
    super(words);
    this.status = status;
  }
}

/** No connection, or a service that is busy: to be tried again. */
class AwayError extends Error {}

/** Ask the service as this person; returns what it answers. Throws RefusedError or AwayError. */
async function ask(method, path, body) {
  const headers = { ...(person ? { "x-annotator": person.token } : {}), ...(body === undefined ? {} : { "content-type": "application/json" }) };
  let answer;
  try {
    answer = await fetch(CAMPAIGN_ROUTE + path, { method, headers, cache: "no-store", body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new AwayError(say("no connection"));
  }
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) throw new AwayError(await reasonOf(answer));
  if (!answer.ok) throw new RefusedError(answer.status, await reasonOf(answer));
  return answer.status === 204 ? null : answer.json();
}

/** The items whose answers wait to be sent. */
function unsent() {
  const prefix = KEPT + own("unsent ");
  return Object.keys(localStorage).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

/** Keep an answer until the service has it; returns whether there was room. */
const keepAnswer = (item, waiting) => keep(own(`unsent ${item}`), waiting);

/** Send an answer, the kept one by default; returns what the service says of it. A refused answer is kept no longer. */
async function sendAnswer(item, waiting = kept(own(`unsent ${item}`))) {
  const name = own(`unsent ${item}`);
  const isSame = () => JSON.stringify(kept(name)) === JSON.stringify(waiting); // else it was changed meanwhile
  try {
    const said = await ask("PUT", `/answers/${encodeURIComponent(item)}`, waiting);
    if (isSame()) forget(name);
    return said;
  } catch (error) {
    if (LASTING.has(error.status) && isSame()) forget(name);
    throw error;
  }
}
