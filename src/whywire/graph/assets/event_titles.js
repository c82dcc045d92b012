"use strict";
// Titles of events. A title that cannot be understood alone is "words (headline)": the words are the event's own, the
// headline of their article gives the context, so it is shown dimmed and shortened.

/** The event's own words, and the headline that gives their context, or null. */
function titleParts(index) {
  const { title, articles } = data.events[index];
  const headline = articles.map((article) => data.articles[article].title).find((name) => title.endsWith(` (${name})`));
  return headline === undefined
    ? { words: title, headline: null }
    : { words: title.slice(0, title.length - headline.length - 3), headline };
}

function titleElement(index, tag = "span", attributes = {}) {
  const { words, headline } = titleParts(index);
  return make(tag, { dir: "auto", ...attributes }, words,
    headline === null ? null : make("span", { class: "title-context", title: headline }, ` (${shortened(headline, 48)})`),
    data.events[index].planned ? make("span", { class: "tag planned", dir: "ltr" }, "planned") : null);
}

/** The text if it has at most `length` characters, else its first words and an ellipsis. */
function shortened(text, length) {
  const letters = Array.from(text);
  if (letters.length <= length) return text;
  const start = letters.slice(0, length).join("");
  return `${start.replace(/\s+\S*$/u, "") || start}…`;
}
