"use strict";
// The timeline of a story: a row an event, a bar from its first report to its last.

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
      titleElement(place, "span", { class: "event-title" }),
      make("span", { class: "facts" }, [count(event.articles.length, "report"), names].filter(Boolean).join(" · "))));
}
