"use strict";
// Small helpers to build the page. Text is only ever added as text nodes, so no title can become markup.

/** Make an element. Attributes that are null or false are left out; children are nodes or strings. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

/** A list that shows `size` items at first and, each time it is asked for more, twice as many. */
function pagedList(items, render, { size = 20, ...attributes } = {}) {
  const list = make("ul", attributes);
  const more = make("button", { type: "button", class: "quiet more", onclick: show });
  const box = make("div", {}, list, more);
  let shown = 0;

  function show(event) {
    const added = items.slice(shown, shown + Math.max(size, shown)).map((item) => make("li", {}, render(item)));
    list.append(...added);
    shown += added.length;
    more.hidden = shown >= items.length;
    more.textContent = `Show more (${number(items.length - shown)} left)`;
    if (event) added[0].querySelector("a, button")?.focus();
  }

  show();
  return box;
}

function number(value) {
  return value.toLocaleString("en");
}

function count(amount, noun) {
  return `${number(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

// --- Times. A time is "2026-03-04", where only the day is known, or "2026-03-04T10:00:00Z". ---

const DAY = 24 * 60 * 60 * 1000;
const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric", month: "short", year: "numeric", timeZone: "UTC",
});
const shortDayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const clockFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

function isDayOnly(time) {
  return !time.includes("T");
}

/** "4 Mar 2026" or "4 Mar 2026, 10:00". */
function timeWords(time) {
  if (time === null) return "time unknown";
  const date = new Date(time);
  return isDayOnly(time) ? dayFormat.format(date) : `${dayFormat.format(date)}, ${clockFormat.format(date)}`;
}

/** "4 Mar" or "4 Mar, 10:00": for places where the year is clear. */
function shortTimeWords(time) {
  if (time === null) return "time unknown";
  const date = new Date(time);
  return isDayOnly(time) ? shortDayFormat.format(date) : `${shortDayFormat.format(date)}, ${clockFormat.format(date)}`;
}

/** "4 Mar 2026" or "1 – 31 Mar 2026": when an event happened; `end` is the day after the last. */
function whenWords({ start, end }) {
  return dayFormat.formatRange(new Date(start), new Date(Date.parse(end) - DAY));
}

/** "1 – 9 Mar 2026". */
function rangeWords(first, last) {
  if (first === null) return "time unknown";
  return dayFormat.formatRange(new Date(first), new Date(last ?? first));
}
