"use strict";
// The cards of the graph, one for each event: their text and their size.

const CARD = { width: 190, padding: 12, line: 19, smallLine: 16, numberWidth: 24, font: 15, small: 12.5, maxLines: 5 };
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

const measure = document.createElement("canvas").getContext("2d");

/** Break text into at most `maxLines` lines that fit a card of a width; the last one ends in an ellipsis if there is more. */
function wrapText(text, fontSize, maxLines, width) {
  measure.font = `${fontSize}px ${FONT}`;
  const fits = (line) => measure.measureText(line).width <= width - 2 * CARD.padding;
  const lines = [""];
  for (const word of text.split(/\s+/u)) {
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
    if (lines.length > maxLines) break;
  }
  if (lines.length <= maxLines) return lines;
  const last = Array.from(lines.slice(maxLines - 1).join(" "));
  while (last.length && !fits(`${last.join("")}…`)) last.pop();
  return [...lines.slice(0, maxLines - 1), `${last.join("").trimEnd()}…`];
}

/** Give each line the title's own direction; a canvas would use the page's. */
function withDirection(lines, title) {
  const isolate = RIGHT_TO_LEFT.test(title) ? "\u2067" : "\u2066";
  return lines.map((line) => `${isolate}${line}\u2069`).join("\n");
}

/** The card of an event: its title, and a caption of its time and number of articles. */
function eventCard(graph, index, width = CARD.width) {
  const event = graph.events[index];
  const lines = wrapText(event.title, CARD.font, CARD.maxLines, width);
  const facts = `${formatShortTime(event.firstSeen)} · ${GRAPH_WORDS.articles(event.articles.length)}`;
  const small = [...(event.planned ? [GRAPH_WORDS.planned] : []), ...wrapText(facts, CARD.small, 2, width)];
  return {
    title: { lines, text: withDirection(lines, event.title) },
    caption: { lines: small, text: small.join("\n") },
    width,
    height: lines.length * CARD.line + small.length * CARD.smallLine + 2 * CARD.padding,
  };
}

function cardElements({ title, planned }, index, card, position) {
  const rightToLeft = RIGHT_TO_LEFT.test(title);
  const side = rightToLeft ? "right" : "left";
  // Cytoscape.js centres labels; this moves them to the edge of the card.
  const shift = ({ lines }, fontSize) => {
    measure.font = `${fontSize}px ${FONT}`;
    const width = Math.max(...lines.map((line) => measure.measureText(line).width));
    return ((rightToLeft ? 1 : -1) * (card.width - 2 * CARD.padding - width)) / 2;
  };
  const captionHeight = card.caption.lines.length * CARD.smallLine;
  return [
    {
      group: "nodes",
      classes: planned ? "planned" : "",
      position,
      data: {
        id: `event ${index}`, index, side, width: card.width, height: card.height,
        label: card.title.text, shift: shift(card.title, CARD.font), rise: -captionHeight / 2,
      },
    },
    {
      group: "nodes",
      classes: "caption",
      position: { x: position.x, y: position.y + (card.height - captionHeight) / 2 - CARD.padding + 3 },
      data: {
        id: `caption ${index}`, of: index, side, width: card.width, height: 1, rise: 0,
        label: card.caption.text, shift: shift(card.caption, CARD.small),
      },
    },
  ];
}

/** Enlarge the cards of events with many links, so that the numbers at the links do not overlap. */
function enlargeForLinks(graph, cards, links, isVertical) {
  const counts = new Map([...cards.keys()].map((event) => [event, { source: 0, target: 0 }]));
  for (const link of links) {
    for (const end of ["source", "target"]) counts.get(graph.links[link][end])[end] += 1;
  }
  const [side, step] = isVertical ? ["width", CARD.numberWidth] : ["height", CARD.smallLine];
  for (const [event, card] of cards) {
    const { source, target } = counts.get(event);
    card[side] = Math.max(card[side], Math.max(source, target) * step + 2 * CARD.padding);
  }
}
