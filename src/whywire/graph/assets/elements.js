"use strict";
// Creating elements, and formatting numbers and times. Text is only added as text nodes, so no title can become markup.

/** Create an element. Attributes that are null or false are left out; children are nodes, strings or null. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

/** A list of the first `size` items, with a button that doubles the number of items shown. */
function pagedList(items, render, { size = 20, ...attributes } = {}) {
  const list = make("ul", attributes);
  const more = make("button", { type: "button", class: "quiet more", onclick: showMore });
  const box = make("div", {}, list, more);
  let shown = 0;

  function showMore(event) {
    const added = items.slice(shown, shown + Math.max(size, shown)).map((item) => make("li", {}, render(item)));
    list.append(...added);
    shown += added.length;
    more.hidden = shown >= items.length;
    more.textContent = `Show more (${formatNumber(items.length - shown)} left)`;
    if (event) added[0].querySelector("a, button")?.focus();
  }

  showMore();
  return box;
}

const byId = (id) => document.getElementById(id);

// --- Numbers ---

const LOCALE = { en: "en-GB" }[document.documentElement.lang] ?? document.documentElement.lang;

function formatNumber(value) {
  return value.toLocaleString(LOCALE);
}

/** "1 event", "2 events". */
function formatCount(amount, noun) {
  return `${formatNumber(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

/** A probability with two digits, never as certainty: 0.9999 is "> 0.99". */
function formatProbability(probability) {
  if (probability > 0.99) return "> 0.99";
  return probability < 0.01 ? "< 0.01" : probability.toFixed(2);
}

// --- Times. A time is "2026-03-04", where only the date is known, or "2026-03-04T10:00:00Z". ---

const DAY = 24 * 60 * 60 * 1000;
const dayFormat = new Intl.DateTimeFormat(LOCALE, {
  day: "numeric", month: "short", year: "numeric", timeZone: "UTC",
});
const shortDayFormat = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" });
const clockFormat = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

function isDateOnly(time) {
  return !time.includes("T");
}

/** "4 Mar 2026" or "4 Mar 2026, 10:00". */
function formatTime(time, days = dayFormat) {
  if (time === null) return GRAPH_WORDS.timeUnknown;
  const date = new Date(time);
  return isDateOnly(time) ? days.format(date) : `${days.format(date)}, ${clockFormat.format(date)}`;
}

/** "4 Mar" or "4 Mar, 10:00": where the year is clear. */
function formatShortTime(time) {
  return formatTime(time, shortDayFormat);
}

/** "4 Mar 2026" or "1 – 31 Mar 2026"; `end` is the day after the last. */
function formatEventTime({ start, end }) {
  return dayFormat.formatRange(new Date(start), new Date(Date.parse(end) - DAY));
}

/** "1 – 9 Mar 2026". */
function formatTimeRange(first, last) {
  if (first === null) return GRAPH_WORDS.timeUnknown;
  return dayFormat.formatRange(new Date(first), new Date(last ?? first));
}
