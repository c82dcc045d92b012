"use strict";
// The view of a story's graph, drawn by Cytoscape.js on a canvas.

const MIN_READABLE_ZOOM = 0.75; // below it titles are too small to read, so a large graph starts at its strongest link
const MIN_OVERVIEW_ZOOM = 0.45; // the smallest zoom at which all of a highlighted event's neighbours are shown
const MARGIN = 16;

/** The colours of the style sheet, without CSS variables, as a canvas needs them. */
function palette() {
  const probe = document.body.appendChild(make("span"));
  const names = ["ink", "muted", "surface", "line", "accent", "refute", "none", "low", "medium", "high"];
  const colours = Object.fromEntries(names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  }));
  probe.remove();
  return colours;
}

function graphStyle() {
  const colour = palette();
  return [
    {
      selector: "node",
      style: {
        shape: "round-rectangle", "corner-radius": 8, width: "data(width)", height: "data(height)",
        "background-color": colour.surface, "border-color": colour.line, "border-width": 1.5,
        label: "data(label)", color: colour.ink, "font-family": FONT, "font-size": CARD.font,
        "line-height": CARD.line / CARD.font, "text-wrap": "wrap", "text-max-width": "data(width)",
        "text-valign": "center", "text-halign": "center", "text-justification": "data(side)",
        "text-margin-x": "data(shift)", "text-margin-y": "data(rise)",
      },
    },
    {
      selector: "node.caption",
      style: {
        "background-opacity": 0, "border-width": 0, events: "no", color: colour.muted, "font-size": CARD.small,
        "line-height": CARD.smallLine / CARD.small, "text-margin-y": 0, "z-index": 1,
      },
    },
    {
      selector: "node.axis",
      style: { shape: "rectangle", "background-opacity": 1, "background-color": colour.line },
    },
    {
      selector: "edge",
      style: {
        "curve-style": "unbundled-bezier", "edge-distances": "endpoints",
        "control-point-distances": "data(distances)", "control-point-weights": "data(weights)",
        "source-endpoint": "data(leaves)", "target-endpoint": "data(enters)",
        width: "data(width)", opacity: "data(sureness)", "line-color": colour.none, "target-arrow-color": colour.none,
        "target-arrow-shape": "triangle", "arrow-scale": 0.9,
        "target-label": "data(label)", "target-text-offset": 22, "font-family": FONT,
        "font-size": CARD.small, color: colour.ink, "text-background-color": colour.surface,
        "text-background-opacity": 1, "text-background-padding": 1, "min-zoomed-font-size": 6,
      },
    },
    ...["low", "medium", "high"].map((name) => ({
      selector: `edge.${name}`,
      style: { "line-color": colour[name], "target-arrow-color": colour[name] },
    })),
    {
      selector: "edge.refutes",
      style: { "line-color": colour.refute, "target-arrow-color": colour.refute, "target-arrow-shape": "tee" },
    },
    { selector: "edge.shown", style: { "line-style": "dashed", "line-dash-pattern": [9, 4] } },
    { selector: "edge.implied", style: { "line-style": "dashed", "line-dash-pattern": [1, 5], "line-cap": "round" } },
    { selector: "node.planned", style: { "border-style": "dashed", "border-color": colour.muted } },
    { selector: "edge.closed", style: { opacity: 0.4 } },
    { selector: "edge.hidden", style: { display: "none" } },
    { selector: ".unlinked", style: { opacity: 0.5 } },
    { selector: ".dimmed", style: { opacity: 0.4 } },
    { selector: "node.highlighted", style: { "border-color": colour.accent, "border-width": 3 } },
    {
      selector: "edge.highlighted",
      style: { opacity: 1, "underlay-color": colour.accent, "underlay-opacity": 0.25, "underlay-padding": 5 },
    },
    { selector: "node:active, edge:active", style: { "overlay-opacity": 0.08 } },
  ];
}

/** How opaque an arrow is: the less sure the link, the paler. */
const sureness = (probability) => 0.4 + 0.6 * probability;

/** Control points as Cytoscape.js takes them: their positions along the line from `a` to `b` and distances from it. */
function relativeToLine(points, a, b) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const along = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  return {
    weights: points.map((p) => ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / length),
    distances: points.map((p) => (p.y - a.y) * along.x - (p.x - a.x) * along.y),
  };
}

/**
 * Draw events and the links among them, and return functions to move, filter and highlight them.
 *
 * @param box - the element to draw in.
 * @param graph - GraphData.
 * @param events - in order of time.
 * @param links - all of them between these events.
 * @param open - {event, link}: called with the index of what is chosen.
 */
function drawGraph(box, graph, { events, links }, open) {
  const isVertical = box.clientWidth < 560;
  const onTimeLine = events.length <= ON_TIME_LINE; // few events: they are shown whole, as far as they can be read then
  const width = isVertical && onTimeLine ? box.clientWidth - 2 * MARGIN - ARC.lane : CARD.width;
  const cards = new Map(events.map((event) => [event, eventCard(graph, event, width)]));
  enlargeForLinks(graph, cards, links, isVertical && !onTimeLine);
  const availableWidth = (box.clientWidth - 2 * MARGIN) / MIN_READABLE_ZOOM;
  const { positions, routes, columns } = layOut(graph, cards, links, isVertical, availableWidth);
  const most = onTimeLine ? (isVertical ? "300vh" : "90vh") : "min(62vh, 36rem)";
  box.style.height = `clamp(16rem, ${readableHeight(cards, positions, box.clientWidth)}px, ${most})`;

  const cy = cytoscape({
    container: box,
    elements: [
      ...events.flatMap((event) => cardElements(graph.events[event], event, cards.get(event), positions.get(event))),
      ...links.map((link) => linkElement(graph.links[link], link, routes.get(link), positions)),
      ...columnAxis(graph, columns, cards, positions),
    ],
    style: graphStyle(),
    layout: { name: "preset" },
    minZoom: 0.05,
    maxZoom: 2.5,
    autoungrabify: true,
    autounselectify: true,
    boxSelectionEnabled: false,
  });

  cy.on("tap", "node", ({ target }) => open.event(target.data("index")));
  cy.on("tap", "edge", ({ target }) => open.link(target.data("index")));
  cy.on("viewport", () => box.classList.toggle("whole", isInView()));
  cy.on("mouseover", "node, edge", () => { box.style.cursor = "pointer"; });
  cy.on("mouseout", "node, edge", () => { box.style.cursor = ""; });

  function isInView() {
    const { x1, x2, y1, y2 } = cy.elements().renderedBoundingBox();
    return Math.min(x1, y1) >= 0 && x2 <= box.clientWidth && y2 <= box.clientHeight;
  }

  function fit() {
    cy.fit(undefined, MARGIN);
    if (cy.zoom() > 1) {
      cy.zoom(1);
      cy.center();
    }
  }

  function start() {
    fit();
    if (cy.zoom() >= (onTimeLine ? MIN_OVERVIEW_ZOOM : MIN_READABLE_ZOOM)) return;
    cy.zoom(MIN_READABLE_ZOOM);
    cy.pan({ x: MARGIN, y: MARGIN });
    if (links.length) {
      const link = cy.getElementById(`link ${graph.byWeight(links)[0]}`);
      bringIntoView(link.connectedNodes(), link.target());
    }
    const { x1, x2, y1, y2 } = cy.elements().renderedBoundingBox();
    cy.panBy({ x: offsetIntoBox(x1, x2, box.clientWidth), y: offsetIntoBox(y1, y2, box.clientHeight) });
  }

  /** Centre elements unless all are in view; zoom out if necessary, or centre only one of them. */
  function bringIntoView(elements, one) {
    const view = cy.extent();
    const { x1, x2, y1, y2, w, h } = elements.boundingBox();
    if (x1 >= view.x1 && x2 <= view.x2 && y1 >= view.y1 && y2 <= view.y2) return;
    const zoom = Math.min(cy.zoom(), (box.clientWidth - 2 * MARGIN) / w, (box.clientHeight - 2 * MARGIN) / h);
    if (zoom >= MIN_OVERVIEW_ZOOM) cy.zoom(zoom);
    cy.center(zoom >= MIN_OVERVIEW_ZOOM ? elements : one);
  }

  function zoomBy(factor) {
    const middle = { x: box.clientWidth / 2, y: box.clientHeight / 2 };
    cy.zoom({ level: cy.zoom() * factor, renderedPosition: middle });
  }

  /** Show the links that pass the filters; fade events that have others only. */
  function filter(passes) {
    cy.batch(() => {
      cy.edges().forEach((edge) => edge.toggleClass("hidden", !passes(graph.links[edge.data("index")])));
      cy.nodes("[^of]").forEach((node) => {
        const edges = node.connectedEdges();
        node.add(captionOf(node)).toggleClass("unlinked", edges.nonempty() && edges.not(".hidden").empty());
      });
    });
  }

  /** Highlight one event or link and its neighbours; none if `kind` is null. */
  function highlight(kind, index) {
    cy.elements().removeClass("highlighted dimmed");
    const target = kind === null ? cy.collection() : cy.getElementById(`${kind} ${index}`);
    if (target.empty()) return;
    const neighbourhood = target.isNode() ? target.closedNeighborhood() : target.union(target.connectedNodes());
    cy.elements().not(neighbourhood).not(captionOf(neighbourhood.nodes())).addClass("dimmed");
    target.addClass("highlighted");
    cy.resize();
    bringIntoView(neighbourhood, target.isNode() ? target : target.target());
  }

  /** Highlight some links and the events that they join, and fade all others. */
  function highlightChain(links) {
    cy.elements().removeClass("highlighted dimmed");
    const edges = links.reduce((found, link) => found.union(cy.getElementById(`link ${link}`)), cy.collection());
    const chain = edges.union(edges.connectedNodes());
    cy.elements().not(chain).not(captionOf(chain.nodes())).addClass("dimmed");
    edges.addClass("highlighted");
    bringIntoView(chain, edges.target());
  }

  function captionOf(nodes) {
    return nodes.reduce((found, node) => found.union(cy.getElementById(`caption ${node.data("index")}`)), cy.collection());
  }

  start();
  return {
    cy, fit, zoomBy, filter, highlight, highlightChain,
    panBy: (offset) => cy.panBy(offset),
    contains: (kind, index) => cy.getElementById(`${kind} ${index}`).nonempty(),
    restyle: () => cy.style(graphStyle()),
    close: () => cy.destroy(),
  };
}

/** How far to move a range so that it is centred in a box or, if it is larger, leaves no margin empty. */
function offsetIntoBox(low, high, size) {
  if (high - low < size - 2 * MARGIN) return size / 2 - (low + high) / 2;
  return Math.min(0, MARGIN - low) + Math.max(0, size - MARGIN - high);
}

/** How high a box of this width must be to show the whole graph at a readable zoom. */
function readableHeight(cards, positions, width) {
  const extent = (axis, side) => {
    let [low, high] = [Infinity, -Infinity];
    for (const [event, position] of positions) {
      low = Math.min(low, position[axis] - cards.get(event)[side] / 2);
      high = Math.max(high, position[axis] + cards.get(event)[side] / 2);
    }
    return high - low;
  };
  const zoom = Math.min(1, Math.max(MIN_READABLE_ZOOM, (width - 2 * MARGIN) / extent("x", "width")));
  return extent("y", "height") * zoom + 4 * MARGIN;
}

/** A line above the columns, with the times from which on the events behind them were reported. */
function columnAxis(graph, columns, cards, positions) {
  if (!columns.length) return [];
  const top = Math.min(...[...positions].map(([event, { y }]) => y - cards.get(event).height / 2));
  const middles = columns.map(([event]) => positions.get(event).x);
  const [left, right] = [middles[0] - CARD.width / 2, middles.at(-1) + CARD.width / 2];
  const times = columns.map(([event]) => graph.events[event].firstSeen);
  const isLater = (time, number) => time !== null && times.slice(0, number).every((before) => before === null || before < time);
  const caption = (id, classes, position, data) =>
    ({ group: "nodes", classes: `caption ${classes}`, position, data: { id, of: -1, side: "left", height: 1, rise: 0, shift: 0, label: "", ...data } });
  return [
    caption("axis", "axis", { x: (left + right) / 2, y: top - 16 }, { width: right - left, height: 2 }),
    ...times.flatMap((time, number) => (isLater(time, number)
      ? [caption(`column ${number}`, "", { x: middles[number], y: top - 32 }, { width: CARD.width, label: formatShortTime(time) })]
      : [])),
  ];
}

function linkElement(link, index, { from, to, controlPoints }, positions) {
  const port = ({ x, y }, position) => `${x - position.x}px ${y - position.y}px`;
  return {
    group: "edges",
    classes: [link.class, link.kind, mainEvidenceKind(link), link.closedBy === null ? "" : "closed"].join(" "),
    data: {
      id: `link ${index}`, index, source: `event ${link.source}`, target: `event ${link.target}`,
      width: 1 + link.strength / 25, label: String(Math.round(link.strength)), sureness: sureness(link.probability),
      leaves: port(from, positions.get(link.source)), enters: port(to, positions.get(link.target)),
      ...relativeToLine(controlPoints, from, to),
    },
  };
}
