"use strict";
// The causal graph of a story as one component: the drawing with its keys and zoom buttons, how many events it shows,
// and a legend. The report page and the pages of the service both mount it.

/**
 * Append the graph of a story to an element.
 *
 * @param element - in the document, so that it has a width.
 * @param graph - GraphData.
 * @param story - one of `graph.stories`, with links.
 * @param open - {event, link}: called with the index of what a person chooses.
 * @param passes - {link, kind}: whether a link passes all filters, and whether its kinds do.
 */
function mountGraph(element, graph, story, open, passes) {
  let view = null;
  let selection = initialSelection(); // which events of the story the graph shows
  let highlighted = { kind: null, index: null };

  const box = graphBox(() => view);
  const controls = selectionControls(graph, story, (change) => {
    selection = change(selection);
    draw();
  });
  element.append(controls.element, make("div", { class: "frame" }, box, zoomButtons(() => view)), graphLegend(graph));

  function draw() {
    const subgraph = selectedSubgraph(graph, story, selection, passes.kind);
    view?.close();
    view = drawGraph(box, graph, subgraph, open);
    view.filter(passes.link);
    view.highlight(highlighted.kind, highlighted.index);
    controls.update(selection, new Set(subgraph.events), box);
  }

  draw();
  return {
    get cy() { return view.cy; },
    contains: (kind, index) => view.contains(kind, index),
    restyle: () => view.restyle(),
    close: () => view.close(),

    /** Apply the filters again; where kinds changed, a large story may show other events. */
    filter(kindsChanged) {
      if (kindsChanged && selection.limit && story.linkedEvents.length > selection.limit) draw();
      else view.filter(passes.link);
    },

    /** Highlight the links of a causal chain; those of events that are not drawn are drawn first. */
    highlightChain(links) {
      highlighted = { kind: null, index: null };
      if (!links.every((link) => view.contains("link", link))) {
        links.flatMap((link) => graph.endsOf(link)).forEach((event) => selection.requested.add(event));
        draw();
      }
      view.highlightChain(links);
    },

    /** Highlight an event or a link, none if `kind` is null; if it is not drawn, draw it with its neighbours first. */
    highlight(kind, index) {
      highlighted = { kind, index };
      const ofStory = kind === "event" ? story.linkedEvents : story.links;
      if (kind !== null && ofStory.includes(index) && !view.contains(kind, index)) {
        (kind === "event" ? [index] : graph.endsOf(index)).forEach((event) => selection.requested.add(event));
        draw();
      } else view.highlight(kind, index);
    },
  };
}

function graphBox(view) {
  const box = make("div", {
    id: "graph", class: "graph", tabindex: 0, role: "application", "aria-label": GRAPH_WORDS.label,
    onkeydown: (event) => moveGraph(event, view()),
  });
  // The wheel scrolls the page; with Ctrl, or as a pinch, it zooms the graph.
  box.addEventListener("wheel", (event) => {
    if (event.ctrlKey) event.preventDefault();
    else event.stopImmediatePropagation();
  }, { capture: true, passive: false });
  // So does a finger as long as the whole graph is in view (base.css); Cytoscape.js forgets the touch, which is no tap.
  box.addEventListener("touchmove", (event) => {
    if (event.touches.length > 1 || !box.classList.contains("whole")) return;
    event.stopImmediatePropagation();
    window.dispatchEvent(new Event("touchcancel"));
  }, { capture: true });
  return box;
}

function moveGraph(event, view) {
  const step = 60;
  const offsets = {
    ArrowLeft: { x: step, y: 0 }, ArrowRight: { x: -step, y: 0 },
    ArrowUp: { x: 0, y: step }, ArrowDown: { x: 0, y: -step },
  };
  if (offsets[event.key]) view.panBy(offsets[event.key]);
  else if (event.key === "+" || event.key === "=") view.zoomBy(1.25);
  else if (event.key === "-") view.zoomBy(0.8);
  else if (event.key === "0") view.fit();
  else return;
  event.preventDefault();
}

function zoomButtons(view) {
  const button = (sign, name, onclick) => make("button", { type: "button", "aria-label": name, title: name, onclick }, sign);
  return make("div", { class: "zoom" },
    button("+", GRAPH_WORDS.zoomIn, () => view().zoomBy(1.25)),
    button("−", GRAPH_WORDS.zoomOut, () => view().zoomBy(0.8)),
    button(GRAPH_WORDS.fit, GRAPH_WORDS.fitAll, () => view().fit()));
}

/**
 * How many events the graph shows, and buttons for more; hidden if it shows all.
 *
 * @param change - called with a function from the selection to the next one.
 */
function selectionControls(graph, story, change) {
  const unlinkedCount = story.events.length - story.linkedEvents.length;
  const status = make("p", { id: "selection-status", class: "hint", "aria-live": "polite" });
  const button = (id, words, next) => make("button", { type: "button", id, class: "quiet", onclick: () => change(next) }, words);
  const more = button("more-events", GRAPH_WORDS.more, (now) => ({ ...now, limit: now.limit + SELECTION.more }));
  const all = button("all-events", GRAPH_WORDS.all, (now) => ({ ...now, limit: Infinity }));
  const first = button("first-events", GRAPH_WORDS.mainOnly, ({ unlinked }) => ({ ...initialSelection(), unlinked }));
  const element = make("div", { class: "selection", hidden: story.main.length === story.events.length },
    status, more, all, first,
    unlinkedCount ? make("label", { class: "check" },
      make("input", {
        type: "checkbox", id: "show-unlinked",
        onchange: (event) => change((now) => ({ ...now, unlinked: event.target.checked })),
      }), GRAPH_WORDS.unlinked(unlinkedCount)) : null);

  function update({ limit, requested, unlinked }, shown, box) {
    const wanted = unlinked ? story.events : story.linkedEvents;
    const isAll = wanted.every((event) => shown.has(event)); // main events may have no links, so counts would deceive
    status.textContent = isAll
      ? GRAPH_WORDS.allShown(wanted.length, unlinked)
      : GRAPH_WORDS.someShown(shown.size, story.events.length, !limit, requested.size > 0);
    const focused = document.activeElement;
    more.hidden = all.hidden = isAll;
    first.hidden = !limit && !requested.size;
    if (focused?.hidden) box.focus({ preventScroll: true });
  }

  return { element, update };
}

function graphLegend(graph) {
  const entry = (kind, words) => make("li", {}, make("span", { class: `stroke ${kind}` }), words);
  const someLink = (test) => graph.links.some(test);
  return make("ul", { class: "legend" },
    entry("causes", GRAPH_WORDS.causes),
    someLink((link) => link.kind === "refutes") ? entry("refutes", GRAPH_WORDS.refutes) : null,
    graph.evidenceKinds.length > 1 ? graph.evidenceKinds.map((kind) => entry(kind, GRAPH_WORDS[kind])) : null,
    someLink((link) => link.closedBy !== null) ? entry("closed", GRAPH_WORDS.closed) : null,
    graph.events.some((event) => event.planned)
      ? make("li", {}, make("span", { class: "box planned" }), GRAPH_WORDS.planned) : null,
    make("li", { class: "aside" }, GRAPH_WORDS.hint));
}
