"use strict";
// What is common to all kinds of task: the words of the page, the draft of an answer with its undo, and hot keys.

const WORDS = JSON.parse(byId("annotate-words").textContent);

/** A text of the page, with values put into it; a counted one has forms by plural. */
function say(name, values = {}) {
  const text = WORDS[name] ?? name;
  const form = typeof text === "string" ? text : text[new Intl.PluralRules(document.documentElement.lang).select(values.count)] ?? text.other;
  return form.replace(/\{(\w+)\}/g, (_, value) => values[value]);
}

/**
 * The kinds of task, by name; each is in a file of its own:
 * start(item): an empty draft; from(answer): the draft that leads to an answer; answer(draft, item): the answer, or null
 * where something is missing; missing(draft, item): what, in words; describe(item, answer): the answer for reading;
 * mount(box, item, task): shows what is asked in a box, and returns {show(), focus()}: shows the draft, takes the focus.
 */
const KINDS = {};

/** A button with its hot key on it. */
function keyButton(key, words, act, attributes = {}) {
  return make("button", { type: "button", "data-hotkey": key, "aria-keyshortcuts": key, onclick: act, ...attributes }, keyCap(key), ` ${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}

const keyCap = (key) => make("kbd", { class: "key-cap", "aria-hidden": "true" }, key === "Enter" ? "⏎" : key.toUpperCase());

/** Give a box other content; the focus stays on what has the same name there. */
function refill(box, ...children) {
  const focused = box.contains(document.activeElement) ? document.activeElement : null;
  const nameOf = (one) => `${one.localName} ${one.getAttribute("aria-label") ?? one.textContent}`;
  const name = focused && nameOf(focused);
  box.replaceChildren(...children);
  if (name) [...box.querySelectorAll("button, select, input")].find((one) => nameOf(one) === name)?.focus({ preventScroll: true });
}

/** A person's work on an item: the draft, what can be undone, and the view. */
class Task {
  /** `changed` is called after each change of the draft. */
  constructor(kind, item, draft, changed) {
    this.kind = KINDS[kind];
    this.item = item;
    this.draft = draft ?? this.kind.start(item);
    this.past = [];
    this.changed = changed;
  }

  mount(box) {
    box.replaceChildren();
    this.view = this.kind.mount(box, this.item, this);
    this.view.show();
  }

  get answer() {
    return this.kind.answer(this.draft, this.item);
  }

  get missing() {
    return this.answer ? "" : this.kind.missing(this.draft, this.item);
  }

  /** Change the draft by a function; it can be undone. */
  change(act) {
    const before = JSON.stringify(this.draft);
    act(this.draft);
    if (JSON.stringify(this.draft) === before) return;
    this.past.push(before);
    this.view.show();
    this.changed(this);
  }

  undo() {
    if (!this.past.length) return;
    this.draft = JSON.parse(this.past.pop());
    this.view.show();
    this.changed(this);
  }

  /** Go on from another answer. */
  take(answer) {
    this.change((draft) => {
      for (const name of Object.keys(draft)) delete draft[name];
      Object.assign(draft, structuredClone(this.kind.from(answer)));
    });
  }
}

/** The key that an event means: a Latin letter where it stands on the keyboard, whatever alphabet is chosen. */
function keyOf(event) {
  if (/^[a-z0-9]$/i.test(event.key) || event.key.length > 1) return event.key.length > 1 ? event.key : event.key.toLowerCase();
  return /^(Key|Digit|Numpad)(.)$/.exec(event.code)?.[2].toLowerCase() ?? event.key;
}

const HOT_KEYS_OFF = "whywire hot keys off";

/** Click what has the hot key that was pressed, unless a person types into a field. */
function pressHotKey(event) {
  const target = event.target;
  const isTyping = target.matches("textarea, select, input:not([type='radio'], [type='checkbox'], [type='range'])");
  const key = keyOf(event);
  const sends = key === "Enter" && (event.ctrlKey || event.metaKey);
  if (!sends) {
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (key === "Enter" && target.matches("button, a, summary")) return;
    if (key !== "Enter" && localStorage.getItem(HOT_KEYS_OFF)) return;
  }
  const hot = [...document.querySelectorAll(`[data-hotkey="${CSS.escape(key)}"]`)].find((one) => !one.disabled && one.offsetParent !== null);
  if (!hot) return;
  event.preventDefault();
  hot.click();
}

document.addEventListener("keydown", pressHotKey);
for (const box of document.querySelectorAll("[data-hot-keys]")) {
  box.checked = !localStorage.getItem(HOT_KEYS_OFF);
  box.addEventListener("change", () => { if (box.checked) localStorage.removeItem(HOT_KEYS_OFF); else localStorage.setItem(HOT_KEYS_OFF, "1"); });
}

/** Radio buttons in a row, with hot keys; `choices` are [{value, key, words, why}], where `why` says why one is impossible. */
function radios(name, legend, choices, choose) {
  const rows = choices.map(({ value, key, words, why }) =>
    make("label", { class: `choice${why ? " impossible" : ""}` },
      make("input", { type: "radio", name, value, "data-hotkey": key, "aria-keyshortcuts": key, disabled: Boolean(why), onchange: () => choose(value) }),
      keyCap(key), make("span", {}, words, why ? make("small", {}, why) : null)));
  const box = make("fieldset", { class: "choices" }, make("legend", {}, legend), rows);
  return { box, show: (value) => { for (const input of box.querySelectorAll("input")) input.checked = input.value === value; } };
}
