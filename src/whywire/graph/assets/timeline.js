"use strict";
// The timeline of a story: one row for each event, with a bar from its first article to its last.

const TICK_STEPS = [1 / 24, 3 / 24, 6 / 24, 12 / 24, 1, 2, 7, 14, 30, 91, 182, 365].map((days) => days * DAY);

function timeline(events, first) {
  const scale = first === null ? null : timeScale(events, first);
  const rows = pagedList(events, (index) => timelineRow(index, scale), { size: 30, class: "timeline" });
  if (scale) rows.prepend(timeAxis(scale));
  return rows;
}

/** The interval shown, the step between its ticks, and the position of a time in it (0 to 100). */
function timeScale(events, first) {
  const dated = events.map((index) => data.events[index]).filter((event) => event.lastSeen !== null);
  const start = Date.parse(first);
  const end = Math.max(...dated.map(lastInstant), start + DAY / 24);
  const step = TICK_STEPS.find((size) => (end - start) / size <= 6) ?? Math.ceil((end - start) / 6 / DAY) * DAY;
  return { start, end, step, position: (time) => (100 * (time - start)) / (end - start) };
}

function timeAxis({ start, end, step, position }) {
  const axis = make("div", { class: "axis", "aria-hidden": "true" });
  for (let time = Math.ceil(start / step) * step; time <= end; time += step) {
    const format = step < DAY && time % DAY !== 0 ? clockFormat : shortDayFormat;
    const tick = make("span", { class: "tick" }, format.format(time));
    tick.style.left = `${position(time)}%`;
    axis.append(tick);
  }
  return make("div", { class: "timeline-head" }, axis);
}

function timelineRow(index, scale) {
  const event = data.events[index];
  const outlets = outletsOf(event);
  const names = outlets.length > 3 ? `${outlets.slice(0, 3).join(", ")} and ${outlets.length - 3} more` : outlets.join(", ");
  const track = make("span", { class: "track", "aria-hidden": "true" });
  if (scale && event.firstSeen !== null) {
    const bar = make("span", { class: "bar" });
    const left = scale.position(Date.parse(event.firstSeen));
    bar.style.left = `min(${left}%, 100% - 8px)`;
    bar.style.width = `${scale.position(lastInstant(event)) - left}%`;
    track.append(bar);
  }
  return make("a", { class: "timeline-row", href: eventAddress(index) },
    make("time", { datetime: event.firstSeen }, formatShortTime(event.firstSeen)),
    track,
    make("span", { class: "what" },
      titleElement(index, "span", { class: "event-title" }),
      make("span", { class: "facts" }, [formatCount(event.articles.length, "article"), names].filter(Boolean).join(" · "))));
}
