"use strict";
// The words in the graph, in English; a page in another language changes them before it mounts a graph.

const GRAPH_WORDS = {
  articles: (amount) => formatCount(amount, "article"),
  planned: "planned",
  timeUnknown: "time unknown",

  label: "Causal graph. Arrow keys move it, plus and minus zoom, 0 fits it. The links are listed below it.",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Fit",
  fitAll: "Fit the whole graph",

  more: "Show more",
  all: "Show all",
  mainOnly: "Main events only",
  unlinked: (amount) => `Also events without links (${formatNumber(amount)})`,
  allShown: (amount, unlinked) => `All ${formatNumber(amount)} ${unlinked ? "events" : "events with links"} shown`,
  someShown: (amount, total, main, requested) =>
    `${formatNumber(amount)} of ${formatNumber(total)} events shown: ${main ? "the main ones" : "those of the strongest links"}`
    + `${requested ? " and those you opened" : ""}`,

  causes: "led to (number and width: strength; paler: less sure)",
  refutes: "refuted or corrected by",
  said: "said in a sentence",
  shown: "shown by headlines",
  implied: "implied by an article",
  closed: "closed: denied later",
  hint: "Select an event or a link for its evidence. Ctrl + wheel or pinch zooms.",
};
