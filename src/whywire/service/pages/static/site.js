"use strict";
// What every page does besides what its markup does: a slider beside the day picker, a notice when news comes in, and
// opening what the address names. Everything works without it.

const MILLISECONDS_A_DAY = 24 * 60 * 60 * 1000;

/** Put a slider of days beside each day picker; moving it chooses the day. */
function addSliders(root) {
  for (const form of root.querySelectorAll("form[data-first]:not(:has([type='range']))")) {
    const picker = form.querySelector("[type='date']");
    const days = (day) => Math.round(Date.parse(day) / MILLISECONDS_A_DAY);
    const dayOf = (number) => new Date(number * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = days(form.dataset.first);
    slider.max = days(form.dataset.last);
    slider.value = days(picker.value || form.dataset.last);
    slider.setAttribute("aria-label", picker.closest("label").querySelector(".label").textContent);
    const words = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
    const say = () => slider.setAttribute("aria-valuetext", words.format(slider.value * MILLISECONDS_A_DAY));
    slider.addEventListener("input", () => { picker.value = dayOf(slider.value); say(); });
    say();
    picker.closest("label").after(slider);
  }
}

const namedByAddress = () => document.getElementById(decodeURIComponent(location.hash.slice(1)));

/** Open the details that the address names, bring them into view and move the focus there. */
function openNamed() {
  const named = namedByAddress();
  if (named?.localName !== "details") return;
  for (let box = named; box; box = box.parentElement) {
    if (box.localName === "details") box.open = true;
    if (box.localName === "li") box.hidden = false;
  }
  named.scrollIntoView({ block: "center" });
  named.querySelector("summary").focus({ preventScroll: true });
}

let printing = false;
const isOpen = new WeakMap(); // whether a part was open when it was last looked at
for (const part of document.querySelectorAll("details")) isOpen.set(part, part.open);

/**
 * Keep in the address which part was opened last, so that it can be passed on. A browser also tells, at any later time,
 * of parts that a page opens as it loads, or for a moment.
 */
function keepOpened({ target }) {
  if (target.localName !== "details" || !target.id || printing || isOpen.get(target) === target.open) return;
  isOpen.set(target, target.open);
  const isInside = target.contains(namedByAddress()); // it or what is in it is named already
  if (target.open === isInside) return;
  const hash = target.open ? `#${encodeURIComponent(target.id)}` : "";
  history.replaceState(history.state, "", location.pathname + location.search + hash);
}

/** Open everything while the page is printed. */
function openForPrint() {
  printing = true;
  for (const closed of document.querySelectorAll("main details:not([open], .narrow)")) {
    closed.open = true;
    closed.dataset.opened = "";
  }
}

function closeAfterPrint() {
  for (const opened of document.querySelectorAll("details[data-opened]")) {
    opened.open = false;
    delete opened.dataset.opened;
  }
  printing = false;
}

/**
 * Say when news came in since the page was made, and offer to show it. Only a page that is looked at listens: a browser
 * opens few connections to one server, and each listener has one.
 */
function listen() {
  const live = document.getElementById("live");
  if (!live.dataset.from) return;
  let stream = null;
  const notice = () => {
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = live.dataset.reload;
    link.addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
    live.replaceChildren(`${live.dataset.came} `, link);
    document.removeEventListener("visibilitychange", follow);
    stream.close();
  };
  function follow() {
    stream?.close();
    if (document.hidden) return;
    stream = new EventSource(`${document.body.dataset.root}/v1/changes/stream?after=${encodeURIComponent(live.dataset.from)}`);
    for (const kind of [...live.dataset.kinds.split(","), "reset"]) stream.addEventListener(kind, notice);
  }
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => stream?.close());
  follow();
}

addSliders(document);
openNamed();
listen();
addEventListener("hashchange", openNamed);
document.addEventListener("toggle", keepOpened, true);
addEventListener("beforeprint", openForPrint);
addEventListener("afterprint", closeAfterPrint);

// An address that can be passed on has no empty parameters, and each parameter once.
document.addEventListener("htmx:configRequest", ({ detail: { formData } }) => {
  for (const name of new Set(formData.keys())) {
    const given = formData.getAll(name).findLast(Boolean);
    if (given === undefined) formData.delete(name);
    else formData.set(name, given);
  }
});

let movedSlider = false; // the slider with which a person chose the day that is being shown
document.addEventListener("htmx:beforeSwap", () => { movedSlider = document.activeElement.matches("form[data-first] [type='range']"); });
document.addEventListener("htmx:afterSettle", () => {
  addSliders(document);
  if (movedSlider) document.querySelector("form[data-first] [type='range']")?.focus({ preventScroll: true });
  movedSlider = false;
});
