"use strict";
// One story: its heading, its picture with controls, its links as a list, and its timeline.

const filters = { strength: 0, causes: true, refutes: true, said: true, shown: true };
const passes = (link) => link.strength >= filters.strength && filters[link.kind] && link.rests.some((kind) => filters[kind]);

let picture = null; // the one being shown

function renderStory(place) {
  const story = data.stories[place];
  const { first, last } = timesOf(story.events);
  const withLinks = story.links.length > 0;
  const links = make("div", { id: "links" });
  const hidden = make("p", { class: "hint", "aria-live": "polite" });

  function refilter() {
    const shown = story.links.filter((link) => passes(data.links[link]));
    shown.sort((a, b) => data.links[b].strength - data.links[a].strength || a - b);
    links.replaceChildren(shown.length
      ? pagedList(shown, linkRow, { size: 12, class: "rows" })
      : make("p", { class: "hint" }, "No link passes these filters."));
    const gone = story.links.length - shown.length;
    hidden.textContent = gone ? `${count(gone, "link")} hidden by the filters` : "";
    picture?.filter(passes);
  }

  closePicture();
  document.getElementById("story").replaceChildren(
    make("a", { class: "back", href: "#" }, "‹ All stories"),
    make("h2", { id: "story-title", tabindex: -1, dir: "auto" }, data.events[story.lead].title),
    make("p", { class: "facts" }, [
      rangeWords(first, last), count(story.events.length, "event"),
      count(reportCount(story.events), "report"), withLinks ? count(story.links.length, "link") : "no links",
    ].join(" · ")),
    ...(withLinks ? [make("section", { class: "sheet", "aria-label": "Causal graph" },
      controls(refilter), make("div", { class: "frame" }, pictureBox(), zoomButtons()),
      make("p", { id: "picture-part", class: "hint", "aria-live": "polite" }), pictureLegend()),
    make("section", { class: "part", "aria-labelledby": "links-title" },
      make("h3", { id: "links-title" }, "Links"), hidden, links)] : []),
    make("section", { class: "part", "aria-labelledby": "timeline-title" },
      make("h3", { id: "timeline-title" }, "Timeline"), timeline(story.events, first, last)),
  );
  if (!withLinks) return;
  drawAround(story, [story.linked.includes(story.lead) ? story.lead : story.linked[0]]);
  refilter();
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

function drawAround(story, focus) {
  const part = toDraw(story, focus);
  closePicture();
  picture = drawPicture(document.getElementById("picture"), part);
  picture.filter(passes);
  const some = `The picture shows ${number(part.events.length)} of ${count(story.events.length, "event")}`;
  let words = "";
  if (part.events.length < story.linked.length) {
    words = `${some}, those most strongly linked around “${data.events[focus[0]].title}”. `
      + "Choose any event or link to see what surrounds it.";
  } else if (story.linked.length < story.events.length) words = `${some}, those with links. The timeline has all of them.`;
  document.getElementById("picture-part").textContent = words;
}

function closePicture() {
  picture?.close();
  picture = null;
}

/** Bring an event or a link forward in the picture of its story, if it is of it, drawing another part if need be. */
function pointOut(kind, place, story) {
  if (!(kind === "event" ? story.linked : story.links).includes(place)) {
    picture?.choose(null);
    return;
  }
  if (!picture.holds(kind, place)) {
    drawAround(story, kind === "event" ? [place] : [data.links[place].source, data.links[place].target]);
  }
  picture.choose(kind, place);
}

function controls(changed) {
  const value = make("output", { for: "strength" });
  const slider = make("input", {
    type: "range", id: "strength", min: 0, max: 100, step: 1, value: filters.strength,
    oninput: () => { filters.strength = Number(slider.value); update(); },
  });
  const words = () => (filters.strength === 0 ? "all" : `${filters.strength} and stronger`);
  function update() {
    value.textContent = words();
    slider.setAttribute("aria-valuetext", words());
    changed();
  }
  const check = (kind, label) => make("label", { class: "check" },
    make("input", {
      type: "checkbox", id: `show-${kind}`, checked: filters[kind],
      onchange: (event) => { filters[kind] = event.target.checked; changed(); },
    }), label);

  value.textContent = words();
  slider.setAttribute("aria-valuetext", words());
  let lowest = 0;
  const scale = data.classes.map(({ name, highest }) => {
    const mark = make("span", { class: `mark ${name}` }, name);
    mark.style.flexGrow = highest - lowest;
    lowest = highest;
    return mark;
  });
  return make("div", { class: "controls" },
    make("div", { class: "strength" },
      make("label", { for: "strength" }, "Minimum strength: ", value),
      slider,
      make("div", { class: "scale", "aria-hidden": "true" }, scale)),
    make("div", { class: "checks" },
      check("causes", "Causes"), check("refutes", "Refutations"),
      check("said", "Said in sentences"), check("shown", "Shown by headlines")));
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
  return make("ul", { class: "legend" },
    entry("cause", "led to (the thicker, the stronger)"),
    entry("refute", "refuted or corrected by"),
    entry("closed", "closed: refuted later"),
    make("li", { class: "aside" }, "Ctrl + wheel or pinch zooms"));
}

function linkRow(place) {
  const link = data.links[place];
  return make("a", { class: `link-row ${link.kind}`, href: linkAddress(place), "data-link": place },
    strengthChip(link),
    make("span", { class: "link-words" },
      make("span", { dir: "auto" }, data.events[link.source].title),
      make("span", { class: "verb" }, `→ ${KIND_WORDS[link.kind]}`),
      make("span", { dir: "auto" }, data.events[link.target].title),
      link.closedBy === null ? null : make("span", { class: "tag" }, "closed"),
      make("span", { class: "tag" }, link.rests.join(", "))));
}

function strengthChip(link) {
  return make("span", { class: `chip ${link.class}`, title: `Strength ${link.strength} of 100` },
    make("b", {}, String(Math.round(link.strength))), make("small", {}, link.class));
}

// --- The timeline: a row an event, a bar from its first report to its last. ---

const STEPS = [1 / 24, 3 / 24, 6 / 24, 12 / 24, 1, 2, 7, 14, 30, 91, 182, 365].map((days) => days * DAY);

function timeline(events, first, last) {
  const scale = first === null ? null : timeScale(events, first, last);
  const rows = pagedList(events, (place) => timelineRow(place, scale), { size: 30, class: "timeline" });
  if (scale) rows.prepend(timeAxis(scale));
  return rows;
}

/** The span of time shown, its step between marks, and where in it (0 to 100) a time stands. */
function timeScale(events, first, last) {
  const known = events.map((place) => data.events[place]).filter((event) => event.last !== null);
  const from = Date.parse(first);
  const until = Math.max(...known.map(lastInstant), from + DAY / 24);
  const step = STEPS.find((size) => (until - from) / size <= 6) ?? Math.ceil((until - from) / 6 / DAY) * DAY;
  return { from, until, step, at: (time) => (100 * (time - from)) / (until - from) };
}

function timeAxis({ from, until, step, at }) {
  const axis = make("div", { class: "axis", "aria-hidden": "true" });
  for (let time = Math.ceil(from / step) * step; time <= until; time += step) {
    const words = step < DAY ? clockFormat.format(time) : shortDayFormat.format(time);
    const midnight = step < DAY && time % DAY === 0;
    const tick = make("span", { class: "tick" }, midnight ? shortDayFormat.format(time) : words);
    tick.style.left = `${at(time)}%`;
    axis.append(tick);
  }
  return make("div", { class: "timeline-head" }, axis);
}

function timelineRow(place, scale) {
  const event = data.events[place];
  const outlets = outletsOf(event);
  const names = outlets.length > 3 ? `${outlets.slice(0, 3).join(", ")} and ${outlets.length - 3} more` : outlets.join(", ");
  const track = make("span", { class: "track", "aria-hidden": "true" });
  if (scale && event.first !== null) {
    const bar = make("span", { class: "bar" });
    const left = scale.at(Date.parse(event.first));
    bar.style.left = `min(${left}%, 100% - 8px)`;
    bar.style.width = `${scale.at(lastInstant(event)) - left}%`;
    track.append(bar);
  }
  return make("a", { class: "timeline-row", href: eventAddress(place) },
    make("time", { datetime: event.first }, shortTimeWords(event.first)),
    track,
    make("span", { class: "what" },
      make("span", { class: "event-title", dir: "auto" }, event.title),
      make("span", { class: "facts" }, [count(event.articles.length, "report"), names].filter(Boolean).join(" · "))));
}
