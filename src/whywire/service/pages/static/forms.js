"use strict";
// Forms that change something: a form with data-send="POST" sends its fields as JSON to its action, a route of the API,
// with the key that the reader typed. The key stays in this tab (session storage), and is sent to no other address.
// The other data-… of a form are explained at the macro `sending` (templates/macros.html).

const KEPT_KEY = "whywire key";

/**
 * The JSON body of a form: numbers and booleans as such; empty fields left out, or null with data-null. A field
 * "apart.event" is the field "event" of an object "apart". The values of checked boxes with data-list are a list.
 */
function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || (field.type === "radio" && !field.checked)) continue;
    const path = field.name.split(".");
    const name = path.pop();
    const part = () => path.reduce((outer, inner) => (outer[inner] ??= {}), body);
    if (field.dataset.list !== undefined) {
      if (field.checked) (part()[name] ??= []).push(field.value);
    } else if (field.type === "checkbox") part()[name] = field.checked;
    else if (field.value !== "") part()[name] = field.type === "number" || field.dataset.number !== undefined ? Number(field.value) : field.value;
    else if (field.dataset.null !== undefined) part()[name] = null;
  }
  return body;
}

/** What is sent: a file as it is, else the fields; nothing with a method that has no body. */
function requestOf(form) {
  const method = form.dataset.send;
  const file = form.dataset.body && form.querySelector("[type='file']").files[0];
  const key = sessionStorage.getItem(KEPT_KEY);
  const headers = { "content-type": form.dataset.body || "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const hasBody = method !== "GET" && method !== "DELETE";
  return { method, headers, body: hasBody ? file || JSON.stringify(bodyOf(form)) : undefined };
}

/** Put the parts of an answer in JSON into words that name them, such as {added}. */
function filled(words, answer) {
  const shown = (part) => (Array.isArray(part) ? part.map((one) => `${one.where}: ${one.reason}`).join("; ") : part);
  return words.replace(/\{(\w+)\}/g, (_, name) => shown(answer[name]));
}

/** Let the browser save an answer as a file. */
async function save(answer, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The words of an answer that refused: a problem in JSON (RFC 9457). */
async function reasonOf(answer) {
  try {
    const problem = await answer.json();
    const reasons = (problem.errors ?? []).filter((error) => !problem.detail?.includes(error.reason));
    return [problem.detail || problem.title, ...reasons.map((error) => `${error.where}: ${error.reason}`)].join("; ");
  } catch {
    return `${answer.status} ${answer.statusText}`;
  }
}

/** Show that a form was sent: its words for that, another page, or this one anew. What listens to `sent` is renewed. */
async function conclude(form, answer, said) {
  const { save: file, done, then, shows, label } = form.dataset;
  if (file) await save(answer, file);
  const value = shows && (await answer.clone().json())[shows];
  if (value) said.textContent = `${label} ${value}`;
  else if (done) {
    said.textContent = done.includes("{") ? filled(done, await answer.json()) : done;
    document.body.dispatchEvent(new Event("sent"));
  } else if (then) location.assign(then);
  else location.reload();
}

async function send(event) {
  event.preventDefault();
  const form = event.target;
  const said = form.querySelector("[role='status']");
  const button = event.submitter;
  if (button) button.disabled = true;
  said.textContent = form.dataset.sending;
  try {
    const answer = await fetch(form.action, requestOf(form));
    if (answer.ok) await conclude(form, answer, said);
    else said.textContent = await reasonOf(answer);
  } catch (error) {
    said.textContent = String(error.message || error);
  }
  if (button) button.disabled = false;
}

/** Show what needs scripts, and what needs a key if there is one. */
function reveal() {
  const key = sessionStorage.getItem(KEPT_KEY) || "";
  for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-needs-key]")) part.hidden = !key;
  for (const field of document.querySelectorAll("[data-key]")) if (field !== document.activeElement) field.value = key;
}

document.addEventListener("input", (event) => {
  if (event.target.dataset.key === undefined) return;
  sessionStorage.setItem(KEPT_KEY, event.target.value.trim());
  reveal();
});
document.addEventListener("submit", (event) => {
  if (event.target.dataset.send) send(event);
  else if (event.target.querySelector("[data-key]")) event.preventDefault();
});
document.addEventListener("htmx:load", reveal); // a part of the page came anew
reveal();
