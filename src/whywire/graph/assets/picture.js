"use strict";
// The picture of a story's graph, drawn by Cytoscape.js on a canvas.

const CARD = { width: 190, padding: 12, line: 19, caption: 20, font: 15, small: 12.5, lines: 5 };
const READABLE = 0.75; // below this zoom titles are too small to read, so a large story starts at its beginning
const MARGIN = 28;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

const measure = document.createElement("canvas").getContext("2d");

/** Break a title into lines that fit a card; the last one ends in an ellipsis when the title goes on. */
function titleLines(title) {
  measure.font = `${CARD.font}px ${FONT}`;
  const fits = (text) => measure.measureText(text).width <= CARD.width - 2 * CARD.padding;
  const lines = [""];
  for (const word of title.split(/\s+/u)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (fits(longer)) {
      lines[lines.length - 1] = longer;
      continue;
    }
    if (lines.at(-1)) lines.push("");
    for (const letter of word) {
      if (!fits(lines.at(-1) + letter)) lines.push("");
      lines[lines.length - 1] += letter;
    }
  }
  if (lines.length <= CARD.lines) return lines;
  let last = Array.from(lines[CARD.lines - 1]);
  while (last.length && !fits(`${last.join("")}…`)) last.pop();
  return [...lines.slice(0, CARD.lines - 1), `${last.join("").trimEnd()}…`];
}

/** Keep each line in the title's own direction: a canvas knows only the page's. */
function directed(lines, title) {
  const isolate = RIGHT_TO_LEFT.test(title) ? "\u2067" : "\u2066";
  return lines.map((line) => `${isolate}${line}\u2069`).join("\n");
}

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
        "text-margin-x": "data(shift)", "text-margin-y": -CARD.caption / 2,
      },
    },
    {
      selector: "node.caption",
      style: {
        "background-opacity": 0, "border-width": 0, events: "no", color: colour.muted, "font-size": CARD.small,
        "text-margin-y": 0, "z-index": 1,
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
      style: { "line-style": "dashed", "line-color": colour.refute, "target-arrow-color": colour.refute },
    },
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
  const { spots, routes } = layOut(cards, links, downwards);
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
    const whole = cy.elements().renderedBoundingBox();
    const first = cy.getElementById(`event ${events[0]}`).renderedBoundingBox();
    const middle = (size, low, high) => size / 2 - (low + high) / 2;
    const x = middle(box.clientWidth, ...(whole.w < box.clientWidth ? [whole.x1, whole.x2] : [first.x1, first.x2]));
    const y = middle(box.clientHeight, ...(whole.h < box.clientHeight ? [whole.y1, whole.y2] : [first.y1, first.y2]));
    cy.panBy(downwards ? { x, y: MARGIN - whole.y1 } : { x: MARGIN - whole.x1, y });
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
    const view = cy.extent();
    const spot = chosen.boundingBox();
    const inView = spot.x1 >= view.x1 && spot.x2 <= view.x2 && spot.y1 >= view.y1 && spot.y2 <= view.y2;
    if (!inView) cy.center(chosen);
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

function cardOf(place) {
  const lines = titleLines(data.events[place].title);
  return {
    lines,
    width: CARD.width,
    height: lines.length * CARD.line + CARD.caption + 2 * CARD.padding - 4,
  };
}

function cardElements(place, card, position) {
  const event = data.events[place];
  const rightToLeft = RIGHT_TO_LEFT.test(event.title);
  const side = rightToLeft ? "right" : "left";
  const caption = `${shortTimeWords(event.first)}  ·  ${count(event.articles.length, "report")}`;
  const textWidth = (lines, font) => {
    measure.font = `${font}px ${FONT}`;
    return Math.max(...lines.map((line) => measure.measureText(line).width));
  };
  // Labels are centred; this moves them to the card's edge.
  const shift = (width) => ((rightToLeft ? 1 : -1) * (card.width - 2 * CARD.padding - width)) / 2;
  return [
    {
      group: "nodes",
      position,
      data: {
        id: `event ${place}`, place, side, width: card.width, height: card.height,
        label: directed(card.lines, event.title), shift: shift(textWidth(card.lines, CARD.font)),
      },
    },
    {
      group: "nodes",
      classes: "caption",
      position: { x: position.x, y: position.y + card.height / 2 - CARD.padding - 5 },
      data: {
        id: `caption ${place}`, of: place, side, width: card.width, height: 1,
        label: caption, shift: shift(textWidth([caption], CARD.small)),
      },
    },
  ];
}

function linkElement(place, { from, to, bends }, spots) {
  const link = data.links[place];
  const port = ({ x, y }, spot) => `${x - spot.x}px ${y - spot.y}px`;
  return {
    group: "edges",
    classes: [link.class, link.kind, link.closedBy === null ? "" : "closed"].join(" "),
    data: {
      id: `link ${place}`, place, source: `event ${link.source}`, target: `event ${link.target}`,
      width: 1 + link.strength / 25, label: String(Math.round(link.strength)),
      leaves: port(from, spots.get(link.source)), enters: port(to, spots.get(link.target)),
      ...offLine(bends, from, to),
    },
  };
}
