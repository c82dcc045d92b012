"use strict";
// One story: its heading, its graph with controls, its links as a list, and its timeline.

let graphView = null; // of the current story, if it has links
let selection = initialSelection(); // which events of the story the graph shows
let highlighted = { kind: null, index: null }; // the event or link of the details panel

function renderStory(index) {
  const story = data.stories[index];
  const { first, last } = timeRange(story.events);
  const hasLinks = story.links.length > 0;
  const links = make("div", { id: "links" });
  const hiddenCount = make("p", { class: "hint", "aria-live": "polite" });

  function applyFilters(kindsChanged) {
    const shown = byStrength(story.links.filter((link) => passesFilters(data.links[link])));
    links.replaceChildren(shown.length
      ? pagedList(shown, linkRow, { size: 12, class: "rows" })
      : make("p", { class: "hint" }, "No link passes these filters."));
    const hidden = story.links.length - shown.length;
    hiddenCount.textContent = hidden ? `${formatCount(hidden, "link")} hidden by the filters` : "";
    if (kindsChanged && story.linkedEvents.length > selection.limit) drawStory(story);
    else graphView.filter(passesFilters);
  }

  closeGraphView();
  byId("story").replaceChildren(
    make("a", { class: "back", href: "#" }, "‹ All stories"),
    titleElement(story.lead, "h2", { id: "story-title", tabindex: -1 }),
    make("p", { class: "facts" }, [
      formatTimeRange(first, last), formatCount(story.events.length, "event"),
      formatCount(articleCount(story.events), "article"), hasLinks ? formatCount(story.links.length, "link") : "no links",
    ].join(" · ")),
    ...(hasLinks ? [
      make("section", { class: "sheet", "aria-label": "Causal graph" },
        filterControls(applyFilters), selectionControls(story),
        make("div", { class: "frame" }, graphBox(), zoomButtons()), graphLegend()),
      storySection("Links", "Strongest first. Open a link for its evidence.", hiddenCount, links)] : []),
    storySection("Timeline", "Each bar runs from the first article on an event to the last. Open an event for its articles.",
      timeline(story.events, first)),
  );
  if (!hasLinks) return;
  selection = initialSelection();
  highlighted = { kind: null, index: null };
  drawStory(story);
  applyFilters(false);
}

function storySection(title, hint, ...content) {
  const id = `${title.toLowerCase()}-title`;
  return make("section", { class: "story-section", "aria-labelledby": id },
    make("h3", { id }, title), make("p", { class: "hint" }, hint), ...content);
}

// --- The graph ---

function graphBox() {
  const box = make("div", {
    id: "graph", class: "graph", tabindex: 0, role: "application", onkeydown: moveGraph,
    "aria-label": "Causal graph. Arrow keys move it, plus and minus zoom, 0 fits it. The links are listed below it.",
  });
  // The wheel scrolls the page; with Ctrl, or as a pinch, it zooms the graph.
  box.addEventListener("wheel", (event) => {
    if (event.ctrlKey) event.preventDefault();
    else event.stopImmediatePropagation();
  }, { capture: true, passive: false });
  return box;
}

function moveGraph(event) {
  const step = 60;
  const offsets = {
    ArrowLeft: { x: step, y: 0 }, ArrowRight: { x: -step, y: 0 },
    ArrowUp: { x: 0, y: step }, ArrowDown: { x: 0, y: -step },
  };
  if (offsets[event.key]) graphView.panBy(offsets[event.key]);
  else if (event.key === "+" || event.key === "=") graphView.zoomBy(1.25);
  else if (event.key === "-") graphView.zoomBy(0.8);
  else if (event.key === "0") graphView.fit();
  else return;
  event.preventDefault();
}

function drawStory(story) {
  const subgraph = selectedSubgraph(story, selection, passesKind);
  closeGraphView();
  graphView = drawGraph(byId("graph"), subgraph);
  graphView.filter(passesFilters);
  graphView.highlight(highlighted.kind, highlighted.index);
  updateSelectionStatus(story, subgraph.events.length);
}

function closeGraphView() {
  graphView?.close();
  graphView = null;
}

/** How many events the graph shows, and buttons for more; hidden if it shows all. */
function selectionControls(story) {
  const unlinkedCount = story.events.length - story.linkedEvents.length;
  const redraw = (change) => () => {
    change();
    drawStory(story);
  };
  const button = (id, words, change) => make("button", { type: "button", id, class: "quiet", onclick: redraw(change) }, words);
  return make("div", { class: "selection", hidden: !unlinkedCount && story.linkedEvents.length <= SELECTION.first },
    make("p", { id: "selection-status", class: "hint", "aria-live": "polite" }),
    button("more-events", "Show more", () => { selection.limit += SELECTION.first; }),
    button("all-events", "Show all", () => { selection.limit = Infinity; }),
    button("first-events", "Strongest only", () => { selection = { ...initialSelection(), unlinked: selection.unlinked }; }),
    unlinkedCount ? make("label", { class: "check" },
      make("input", {
        type: "checkbox", id: "show-unlinked",
        onchange: (event) => redraw(() => { selection.unlinked = event.target.checked; })(),
      }), `Also events without links (${formatNumber(unlinkedCount)})`) : null);
}

function updateSelectionStatus(story, shownCount) {
  const total = selection.unlinked ? story.events.length : story.linkedEvents.length;
  const isAll = shownCount === total;
  const requested = selection.requested.size ? " and the events you opened" : "";
  const noun = selection.unlinked ? "events" : "events with links";
  byId("selection-status").textContent = isAll
    ? `All ${formatNumber(shownCount)} ${noun} shown`
    : `${formatNumber(shownCount)} of ${formatNumber(total)} ${noun} shown: the strongest links${requested}`;
  const focused = document.activeElement;
  byId("more-events").hidden = byId("all-events").hidden = isAll;
  byId("first-events").hidden = selection.limit === SELECTION.first && !selection.requested.size;
  if (focused?.hidden) byId("graph").focus({ preventScroll: true });
}

/** Highlight an event or a link in the graph of its story; if it is not drawn, draw it with its neighbours first. */
function highlight(kind, index, story) {
  highlighted = { kind, index };
  const hasLinks = (kind === "event" ? story.linkedEvents : story.links).includes(index);
  if (hasLinks && !graphView.contains(kind, index)) {
    (kind === "event" ? [index] : endsOf(index)).forEach((event) => selection.requested.add(event));
    drawStory(story);
  } else graphView?.highlight(kind, index);
}

function clearHighlight() {
  highlighted = { kind: null, index: null };
  graphView?.highlight(null);
}

function zoomButtons() {
  const button = (sign, name, onclick) => make("button", { type: "button", "aria-label": name, title: name, onclick }, sign);
  return make("div", { class: "zoom" },
    button("+", "Zoom in", () => graphView.zoomBy(1.25)),
    button("−", "Zoom out", () => graphView.zoomBy(0.8)),
    button("Fit", "Fit the whole graph", () => graphView.fit()));
}

function graphLegend() {
  const entry = (kind, words) => make("li", {}, make("span", { class: `stroke ${kind}` }), words);
  const someLink = (test) => data.links.some(test);
  return make("ul", { class: "legend" },
    entry("causes", "led to (number and width: strength)"),
    someLink((link) => link.kind === "refutes") ? entry("refutes", LINK_KIND_LABELS.refutes) : null,
    evidenceKindsOnPage.length > 1
      ? evidenceKindsOnPage.map((kind) => entry(kind, EVIDENCE_KINDS[kind].label)) : null,
    someLink((link) => link.closedBy !== null) ? entry("closed", "closed: refuted later") : null,
    data.events.some((event) => event.planned) ? make("li", {}, make("span", { class: "box planned" }), "planned") : null,
    make("li", { class: "aside" }, "Select an event or a link for its evidence. Ctrl + wheel or pinch zooms."));
}

// --- The list of links ---

function linkRow(index) {
  const link = data.links[index];
  return make("a", { class: `link-row ${link.kind}`, href: linkAddress(index), "data-link": index },
    strengthChip(link),
    make("span", { class: "link-words" },
      titleElement(link.source),
      make("span", { class: "verb" }, `→ ${LINK_KIND_LABELS[link.kind]}`),
      titleElement(link.target),
      make("span", { class: "tags" },
        make("span", { class: `tag ${mainEvidenceKind(link)}` }, link.evidenceKinds.join(", ")),
        link.closedBy === null ? null : make("span", { class: "tag" }, "closed"))));
}

function strengthChip(link) {
  return make("span", { class: `chip ${link.class}`, title: `Strength ${Math.round(link.strength)} of 100` },
    make("b", {}, String(Math.round(link.strength))), make("small", {}, link.class));
}
