"use strict";
// One story: its heading, its picture with controls, its links as a list, and its timeline.

let picture = null; // the one being shown
let part = openingPart(); // what of the story is wanted in it
let pointed = { kind: null, place: null }; // what is brought forward in it

function renderStory(place) {
  const story = data.stories[place];
  const { first, last } = timesOf(story.events);
  const withLinks = story.links.length > 0;
  const links = make("div", { id: "links" });
  const hidden = make("p", { class: "hint", "aria-live": "polite" });

  function refilter(otherKinds) {
    const shown = story.links.filter((link) => passes(data.links[link]));
    shown.sort((a, b) => data.links[b].strength - data.links[a].strength || a - b);
    links.replaceChildren(shown.length
      ? pagedList(shown, linkRow, { size: 12, class: "rows" })
      : make("p", { class: "hint" }, "No link passes these filters."));
    const gone = story.links.length - shown.length;
    hidden.textContent = gone ? `${count(gone, "link")} hidden by the filters` : "";
    if (otherKinds && story.linked.length > part.most) drawStory(story);
    else picture.filter(passes);
  }

  closePicture();
  document.getElementById("story").replaceChildren(
    make("a", { class: "back", href: "#" }, "‹ All stories"),
    titleElement(story.lead, "h2", { id: "story-title", tabindex: -1 }),
    make("p", { class: "facts" }, [
      rangeWords(first, last), count(story.events.length, "event"),
      count(reportCount(story.events), "report"), withLinks ? count(story.links.length, "link") : "no links",
    ].join(" · ")),
    ...(withLinks ? [make("section", { class: "sheet", "aria-label": "Causal graph" },
      filterControls(refilter), partControls(story),
      make("div", { class: "frame" }, pictureBox(), zoomButtons()), pictureLegend()),
    make("section", { class: "part", "aria-labelledby": "links-title" },
      make("h3", { id: "links-title" }, "Links"), hidden, links)] : []),
    make("section", { class: "part", "aria-labelledby": "timeline-title" },
      make("h3", { id: "timeline-title" }, "Timeline"), timeline(story.events, first, last)),
  );
  if (!withLinks) return;
  part = openingPart();
  pointed = { kind: null, place: null };
  drawStory(story);
  refilter(false);
}

// --- The picture ---

function pictureBox() {
  const box = make("div", {
    id: "picture", class: "picture", tabindex: 0, role: "application", onkeydown: movePicture,
    "aria-label": "Picture of the causal graph. Arrow keys move it, plus and minus zoom, 0 fits it. "
      + "The links are listed below it.",
  });
  // The wheel scrolls the page, as everywhere on it; with Ctrl (or a pinch) it zooms the picture alone.
  box.addEventListener("wheel", (event) => {
    if (event.ctrlKey) event.preventDefault();
    else event.stopImmediatePropagation();
  }, { capture: true, passive: false });
  return box;
}

function movePicture(event) {
  const step = 60;
  const pans = {
    ArrowLeft: { x: step, y: 0 }, ArrowRight: { x: -step, y: 0 },
    ArrowUp: { x: 0, y: step }, ArrowDown: { x: 0, y: -step },
  };
  if (pans[event.key]) picture.panBy(pans[event.key]);
  else if (event.key === "+" || event.key === "=") picture.zoomBy(1.25);
  else if (event.key === "-") picture.zoomBy(0.8);
  else if (event.key === "0") picture.fit();
  else return;
  event.preventDefault();
}

function drawStory(story) {
  const drawn = partOf(story, part, passesKind);
  closePicture();
  picture = drawPicture(document.getElementById("picture"), drawn);
  picture.filter(passes);
  picture.choose(pointed.kind, pointed.place);
  sayPart(story, drawn.events.length);
}

/** What the picture shows of the story, and buttons for more; nothing where it shows all. */
function partControls(story) {
  const unlinked = story.events.length - story.linked.length;
  const redraw = (change) => () => {
    change();
    drawStory(story);
  };
  const button = (id, words, change) => make("button", { type: "button", id, class: "quiet", onclick: redraw(change) }, words);
  return make("div", { class: "part-shown", hidden: !unlinked && story.linked.length <= PART.first },
    make("p", { id: "picture-part", class: "hint", "aria-live": "polite" }),
    button("more-events", "Show more", () => { part.most += PART.first; }),
    button("all-events", "Show all", () => { part.most = Infinity; }),
    button("first-events", "Strongest only", () => { part = { ...openingPart(), alone: part.alone }; }),
    unlinked ? make("label", { class: "check" },
      make("input", {
        type: "checkbox", id: "alone",
        onchange: (event) => redraw(() => { part.alone = event.target.checked; })(),
      }), `Also events without links (${number(unlinked)})`) : null);
}

function sayPart(story, amount) {
  const total = part.alone ? story.events.length : story.linked.length;
  const all = amount === total;
  const asked = part.asked.size ? " and what was asked for" : "";
  const noun = part.alone ? "events" : "events with links";
  byId("picture-part").textContent = all
    ? `All ${number(amount)} ${noun} shown`
    : `${number(amount)} of ${number(total)} ${noun} shown: the strongest links${asked}`;
  const had = document.activeElement;
  byId("more-events").hidden = byId("all-events").hidden = all;
  byId("first-events").hidden = part.most === PART.first && !part.asked.size;
  if (had?.hidden) byId("picture").focus({ preventScroll: true });
}

function closePicture() {
  picture?.close();
  picture = null;
}

/** Bring an event or a link forward in the picture of its story, drawing what surrounds it too if need be. */
function pointOut(kind, place, story) {
  pointed = { kind, place };
  const isLinked = (kind === "event" ? story.linked : story.links).includes(place);
  if (isLinked && !picture.holds(kind, place)) {
    (kind === "event" ? [place] : endsOf(place)).forEach((event) => part.asked.add(event));
    drawStory(story);
  } else picture?.choose(kind, place);
}

function pointAtNothing() {
  pointed = { kind: null, place: null };
  picture?.choose(null);
}

function zoomButtons() {
  const button = (sign, name, act) =>
    make("button", { type: "button", "aria-label": name, title: name, onclick: act }, sign);
  return make("div", { class: "zoom" },
    button("+", "Zoom in", () => picture.zoomBy(1.25)),
    button("−", "Zoom out", () => picture.zoomBy(0.8)),
    button("Fit", "Fit the whole graph", () => picture.fit()));
}

function pictureLegend() {
  const entry = (kind, words) => make("li", {}, make("span", { class: `stroke ${kind}` }), words);
  const isThere = (test) => data.links.some(test);
  return make("ul", { class: "legend" },
    entry("causes", "led to (the thicker, the stronger)"),
    isThere((link) => link.kind === "refutes") ? entry("refutes", "refuted or corrected by") : null,
    restsOnPage.length > 1 ? restsOnPage.map((kind) => entry(kind, RESTS[kind].words)) : null,
    isThere((link) => link.closedBy !== null) ? entry("closed", "closed: refuted later") : null,
    data.events.some((event) => event.planned) ? make("li", {}, make("span", { class: "box planned" }), "planned") : null,
    make("li", { class: "aside" }, "Ctrl + wheel or pinch zooms"));
}

function linkRow(place) {
  const link = data.links[place];
  return make("a", { class: `link-row ${link.kind}`, href: linkAddress(place), "data-link": place },
    strengthChip(link),
    make("span", { class: "link-words" },
      titleElement(link.source),
      make("span", { class: "verb" }, `→ ${KIND_WORDS[link.kind]}`),
      titleElement(link.target),
      make("span", { class: "tags" },
        make("span", { class: `tag ${strongestRest(link)}` }, link.rests.join(", ")),
        link.closedBy === null ? null : make("span", { class: "tag" }, "closed"))));
}

function strengthChip(link) {
  return make("span", { class: `chip ${link.class}`, title: `Strength ${link.strength} of 100` },
    make("b", {}, String(Math.round(link.strength))), make("small", {}, link.class));
}
