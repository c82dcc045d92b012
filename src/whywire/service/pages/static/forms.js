"use strict";
// Forms that change something: a form with data-send="POST" sends its fields as JSON to its action, a route of the API,
// with the key that the reader typed. The key stays in this tab (session storage), and is sent to no other address.

const KEPT_KEY = "whywire key";

/**
 * The JSON body of a form: numbers and booleans as such, empty fields left out. A field "apart.event" is the field
 * "event" of an object "apart". The values of checked boxes with data-list are a list.
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
  }
  return body;
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

async function send(event) {
  event.preventDefault();
  const form = event.target;
  const said = form.querySelector("[role='status']");
  const button = event.submitter;
  const method = form.dataset.send;
  if (button) button.disabled = true;
  said.textContent = form.dataset.sending;
  const key = sessionStorage.getItem(KEPT_KEY);
  try {
    const answer = await fetch(form.action, {
      method,
      headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: method === "DELETE" ? undefined : JSON.stringify(bodyOf(form)),
    });
    const { shows, label } = form.dataset;
    const value = answer.ok && shows ? (await answer.json())[shows] : null;
    if (!answer.ok) said.textContent = await reasonOf(answer);
    else if (value) said.textContent = `${label} ${value}`;
    else if (form.dataset.done) said.textContent = form.dataset.done;
    else location.reload();
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
