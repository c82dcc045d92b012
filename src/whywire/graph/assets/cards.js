"use strict";
// The cards of the picture, one an event: what stands on them and how large they are.

const CARD = { width: 190, padding: 12, line: 19, smallLine: 16, numberWidth: 24, font: 15, small: 12.5, lines: 5 };
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

const measure = document.createElement("canvas").getContext("2d");

/** Break words into lines that fit a card; the last one ends in an ellipsis when there is more. */
function brokenLines(words, font, most) {
  measure.font = `${font}px ${FONT}`;
  const fits = (text) => measure.measureText(text).width <= CARD.width - 2 * CARD.padding;
  const lines = [""];
  for (const word of words.split(/\s+/u)) {
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
    if (lines.length > most) break;
  }
  if (lines.length <= most) return lines;
  const last = Array.from(lines.slice(most - 1).join(" "));
  while (last.length && !fits(`${last.join("")}…`)) last.pop();
  return [...lines.slice(0, most - 1), `${last.join("").trimEnd()}…`];
}

/** Keep each line in the title's own direction: a canvas knows only the page's. */
function directed(lines, title) {
  const isolate = RIGHT_TO_LEFT.test(title) ? "\u2067" : "\u2066";
  return lines.map((line) => `${isolate}${line}\u2069`).join("\n");
}

/** What stands on an event's card: its words, and below them, small, where they stand, when, and in how many reports. */
function cardOf(place) {
  const event = data.events[place];
  const { words, headline } = titleParts(place);
  const lines = brokenLines(words, CARD.font, headline === null ? CARD.lines : CARD.lines - 1);
  const facts = `${shortTimeWords(event.first)} · ${count(event.articles.length, "report")}`;
  const whence = headline === null ? [] : brokenLines(`(${headline})`, CARD.small, 1);
  const small = [...(event.planned ? ["planned"] : []), ...brokenLines(facts, CARD.small, 2)];
  return {
    title: { lines, text: directed(lines, words) },
    caption: { lines: [...whence, ...small], text: [directed(whence, headline ?? ""), small.join("\n")].filter(Boolean).join("\n") },
    width: CARD.width,
    height: lines.length * CARD.line + (whence.length + small.length) * CARD.smallLine + 2 * CARD.padding,
  };
}

function cardElements(place, card, position) {
  const { title, planned } = data.events[place];
  const rightToLeft = RIGHT_TO_LEFT.test(title);
  const side = rightToLeft ? "right" : "left";
  // Labels are centred; this moves them to the card's edge.
  const shift = ({ lines }, font) => {
    measure.font = `${font}px ${FONT}`;
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
        id: `event ${place}`, place, side, width: card.width, height: card.height,
        label: card.title.text, shift: shift(card.title, CARD.font), rise: -captionHeight / 2,
      },
    },
    {
      group: "nodes",
      classes: "caption",
      position: { x: position.x, y: position.y + (card.height - captionHeight) / 2 - CARD.padding + 3 },
      data: {
        id: `caption ${place}`, of: place, side, width: card.width, height: 1, rise: 0,
        label: card.caption.text, shift: shift(card.caption, CARD.small),
      },
    },
  ];
}

/** Let the cards of events with many links grow, so that their numbers do not cover one another. */
function makeRoomForLinks(cards, links, downwards) {
  const counts = new Map([...cards.keys()].map((event) => [event, { source: 0, target: 0 }]));
  for (const place of links) {
    for (const end of ["source", "target"]) counts.get(data.links[place][end])[end] += 1;
  }
  const [side, step] = downwards ? ["width", CARD.numberWidth] : ["height", CARD.smallLine];
  for (const [event, card] of cards) {
    const { source, target } = counts.get(event);
    card[side] = Math.max(card[side], Math.max(source, target) * step + 2 * CARD.padding);
  }
}
