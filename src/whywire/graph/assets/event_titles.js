"use strict";
// Titles of events as text. The headline that gives a title its context is shown dimmed and shortened.

function titleElement(index, tag = "span", attributes = {}) {
  const { words, headline } = data.titleParts(index);
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
