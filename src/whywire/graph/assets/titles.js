"use strict";
// Titles of events. One that cannot be understood alone comes as "words (headline)": the words are the event's,
// the headline only says where they stand, so it is dimmed and cut short.

/** The event's own words, and the headline behind them where it has one. */
function titleParts(place) {
  const { title, articles } = data.events[place];
  const headline = articles.map((article) => data.articles[article].title).find((name) => title.endsWith(` (${name})`));
  return headline === undefined
    ? { words: title, headline: null }
    : { words: title.slice(0, title.length - headline.length - 3), headline };
}

/** The title as an element, `tag` and `attributes` its own. */
function titleElement(place, tag = "span", attributes = {}) {
  const { words, headline } = titleParts(place);
  return make(tag, { dir: "auto", ...attributes }, words,
    headline === null ? null : make("span", { class: "whence", title: headline }, ` (${shortened(headline, 48)})`),
    data.events[place].planned ? plannedTag() : null);
}

function plannedTag() {
  return make("span", { class: "tag planned", dir: "ltr" }, "planned");
}

/** The text if it has at most `most` characters, else its first words and an ellipsis. */
function shortened(text, most) {
  const letters = Array.from(text);
  if (letters.length <= most) return text;
  const start = letters.slice(0, most).join("");
  return `${start.replace(/\s+\S*$/u, "") || start}…`;
}
