"use strict";
// Titles of events as text.

function titleElement(index, tag = "span", attributes = {}) {
  const { title, planned } = data.events[index];
  return make(tag, { dir: "auto", ...attributes }, title,
    planned ? make("span", { class: "tag planned", dir: "ltr" }, "planned") : null);
}
