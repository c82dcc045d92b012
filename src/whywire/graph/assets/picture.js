"use strict";
// The picture of a story's graph, drawn by Cytoscape.js on a canvas.

const READABLE = 0.75; // below this zoom titles are too small to read, so a large picture starts at its strongest link
const SURVEYED = 0.45; // as far away as the picture is moved to show all of what is chosen
const MARGIN = 28;

/** The palette as the canvas needs it: plain colours in place of CSS variables. */
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

function pictureStyle() {
  const colour = palette();
  return [
    {
      selector: "node",
      style: {
        shape: "round-rectangle", "corner-radius": 8, width: "data(width)", height: "data(height)",
        "background-color": colour.surface, "border-color": colour.line, "border-width": 1.5,
        label: "data(label)", color: colour.ink, "font-family": FONT, "font-size": CARD.font,
        "line-height": CARD.line / CARD.font, "text-wrap": "wrap", "text-max-width": CARD.width,
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
      selector: "edge",
      style: {
        "curve-style": "unbundled-bezier", "edge-distances": "endpoints",
        "control-point-distances": "data(distances)", "control-point-weights": "data(weights)",
        "source-endpoint": "data(leaves)", "target-endpoint": "data(enters)",
        width: "data(width)", "line-color": colour.none, "target-arrow-color": colour.none,
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
    { selector: "edge.judged", style: { "line-style": "dashed", "line-dash-pattern": [1, 5], "line-cap": "round" } },
    { selector: "node.planned", style: { "border-style": "dashed", "border-color": colour.muted } },
    { selector: "edge.closed", style: { opacity: 0.4 } },
    { selector: "edge.hidden", style: { display: "none" } },
    { selector: ".apart", style: { opacity: 0.35 } },
    { selector: ".dimmed", style: { opacity: 0.25 } },
    { selector: "node.chosen", style: { "border-color": colour.accent, "border-width": 3 } },
    { selector: "edge.chosen", style: { opacity: 1, "underlay-color": colour.accent, "underlay-opacity": 0.25, "underlay-padding": 5 } },
    { selector: "node:active, edge:active", style: { "overlay-opacity": 0.08 } },
  ];
}

/** A route's bends as Cytoscape.js wants them: along the straight line from `a` to `b`, and off it. */
function offLine(bends, a, b) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const along = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  return {
    weights: bends.map((p) => ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / length),
    distances: bends.map((p) => (p.y - a.y) * along.x - (p.x - a.x) * along.y),
  };
}

/**
 * Draw events and the links among them, and keep the picture in step with what is chosen.
 *
 * @param box - the element to draw in.
 * @param events - in order of time.
 * @param links - all of them between these events.
 */
function drawPicture(box, { events, links }) {
  const downwards = box.clientWidth < 560;
  const cards = new Map(events.map((place) => [place, cardOf(place)]));
  makeRoomForLinks(cards, links, downwards);
  const room = (box.clientWidth - 2 * MARGIN) / READABLE;
  const { spots, routes } = layOut(cards, links, downwards, room);
  box.style.height = `clamp(16rem, ${heightFor(cards, spots, box.clientWidth)}px, min(62vh, 36rem))`;

  const cy = cytoscape({
    container: box,
    elements: [
      ...events.flatMap((place) => cardElements(place, cards.get(place), spots.get(place))),
      ...links.map((place) => linkElement(place, routes.get(place), spots)),
    ],
    style: pictureStyle(),
    layout: { name: "preset" },
    minZoom: 0.05,
    maxZoom: 2.5,
    autoungrabify: true,
    autounselectify: true,
    boxSelectionEnabled: false,
  });

  cy.on("tap", "node", ({ target }) => { location.hash = eventAddress(target.data("place")); });
  cy.on("tap", "edge", ({ target }) => { location.hash = linkAddress(target.data("place")); });
  cy.on("mouseover", "node, edge", () => { box.style.cursor = "pointer"; });
  cy.on("mouseout", "node, edge", () => { box.style.cursor = ""; });

  function fit() {
    cy.fit(undefined, MARGIN);
    if (cy.zoom() > 1) {
      cy.zoom(1);
      cy.center();
    }
  }

  function start() {
    fit();
    if (cy.zoom() >= READABLE) return;
    cy.zoom(READABLE);
    cy.pan({ x: MARGIN, y: MARGIN });
    if (links.length) {
      const link = cy.getElementById(`link ${strongest(links)}`);
      bringIntoView(link.connectedNodes(), link.target());
    }
    const { x1, x2, y1, y2 } = cy.elements().renderedBoundingBox();
    cy.panBy({ x: intoBox(x1, x2, box.clientWidth), y: intoBox(y1, y2, box.clientHeight) });
  }

  /** Centre elements that are not all in view, from further away if need be, or else one of them. */
  function bringIntoView(elements, one) {
    const view = cy.extent();
    const { x1, x2, y1, y2, w, h } = elements.boundingBox();
    if (x1 >= view.x1 && x2 <= view.x2 && y1 >= view.y1 && y2 <= view.y2) return;
    const zoom = Math.min(cy.zoom(), (box.clientWidth - 2 * MARGIN) / w, (box.clientHeight - 2 * MARGIN) / h);
    if (zoom >= SURVEYED) cy.zoom(zoom);
    cy.center(zoom >= SURVEYED ? elements : one);
  }

  function zoomBy(factor) {
    const middle = { x: box.clientWidth / 2, y: box.clientHeight / 2 };
    cy.zoom({ level: cy.zoom() * factor, renderedPosition: middle });
  }

  /** Show the links that pass; events left without one step back. */
  function filter(passes) {
    cy.batch(() => {
      cy.edges().forEach((edge) => edge.toggleClass("hidden", !passes(data.links[edge.data("place")])));
      cy.nodes("[^of]").forEach((node) => {
        const apart = node.connectedEdges().not(".hidden").empty();
        node.add(captionOf(node)).toggleClass("apart", apart);
      });
    });
  }

  /** Bring one event or link forward, with what it touches; nothing when `kind` is null. */
  function choose(kind, place) {
    cy.elements().removeClass("chosen dimmed");
    const chosen = kind === null ? cy.collection() : cy.getElementById(`${kind} ${place}`);
    if (chosen.empty()) return;
    const near = chosen.isNode() ? chosen.closedNeighborhood() : chosen.union(chosen.connectedNodes());
    cy.elements().not(near).not(captionOf(near.nodes())).addClass("dimmed");
    chosen.addClass("chosen");
    cy.resize();
    bringIntoView(near, chosen.isNode() ? chosen : chosen.target());
  }

  function captionOf(nodes) {
    return nodes.reduce((found, node) => found.union(cy.getElementById(`caption ${node.data("place")}`)), cy.collection());
  }

  start();
  return {
    cy, fit, zoomBy, filter, choose,
    panBy: (offset) => cy.panBy(offset),
    holds: (kind, place) => cy.getElementById(`${kind} ${place}`).nonempty(),
    restyle: () => cy.style(pictureStyle()),
    close: () => cy.destroy(),
  };
}

/** How far to move what reaches from `low` to `high` so that it is in the middle of its box, or no edge of it is empty. */
function intoBox(low, high, size) {
  if (high - low < size - 2 * MARGIN) return size / 2 - (low + high) / 2;
  return Math.min(0, MARGIN - low) + Math.max(0, size - MARGIN - high);
}

/** How high a box of this width must be to show the whole picture at a readable size. */
function heightFor(cards, spots, width) {
  const extent = (axis, side) => {
    let [low, high] = [Infinity, -Infinity];
    for (const [event, spot] of spots) {
      low = Math.min(low, spot[axis] - cards.get(event)[side] / 2);
      high = Math.max(high, spot[axis] + cards.get(event)[side] / 2);
    }
    return high - low;
  };
  const zoom = Math.min(1, Math.max(READABLE, (width - 2 * MARGIN) / extent("x", "width")));
  return extent("y", "height") * zoom + 4 * MARGIN;
}

const strongest = (links) => links.reduce((a, b) => (data.links[b].strength > data.links[a].strength ? b : a));

function linkElement(place, { from, to, bends }, spots) {
  const link = data.links[place];
  const port = ({ x, y }, spot) => `${x - spot.x}px ${y - spot.y}px`;
  return {
    group: "edges",
    classes: [link.class, link.kind, strongestRest(link), link.closedBy === null ? "" : "closed"].join(" "),
    data: {
      id: `link ${place}`, place, source: `event ${link.source}`, target: `event ${link.target}`,
      width: 1 + link.strength / 25, label: String(Math.round(link.strength)),
      leaves: port(from, spots.get(link.source)), enters: port(to, spots.get(link.target)),
      ...offLine(bends, from, to),
    },
  };
}
