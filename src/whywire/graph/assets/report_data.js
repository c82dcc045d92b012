"use strict";
// The graph of this report, lookups in it, and the addresses of what it shows.

const data = new GraphData(JSON.parse(byId("data").textContent));

const eventIndices = new Map(data.events.map((event, index) => [event.id, index]));
const storyOfEvent = data.events.map(() => null);
data.stories.forEach((story, index) => {
  story.events.forEach((event) => { storyOfEvent[event] = index; });
});

const eventAddress = (index) => `#${encodeURIComponent(data.events[index].id)}`;
const linkAddress = (index) => `#link/${index}`;
const storyAddress = (index) => `#story/${encodeURIComponent(data.events[data.stories[index].lead].id)}`;

/** The end of the interval in which an event was last seen. */
function lastInstant(event) {
  return Date.parse(event.lastSeen) + (isDateOnly(event.lastSeen) ? DAY : 0);
}

/** The earliest and the latest time of events, as written; nulls if none has a time. */
function timeRange(events) {
  const dated = events.map((index) => data.events[index]).filter((event) => event.firstSeen !== null);
  if (!dated.length) return { first: null, last: null };
  const earlier = (a, b) => (Date.parse(a) <= Date.parse(b) ? a : b);
  return {
    first: dated.map((event) => event.firstSeen).reduce(earlier),
    last: dated.map((event) => event.lastSeen).reduce((a, b) => (earlier(a, b) === a ? b : a)),
  };
}

/** How many different articles mention these events. */
function articleCount(events) {
  return new Set(events.flatMap((index) => data.events[index].articles)).size;
}

/** The outlets that reported an event, each once. */
function outletsOf(event) {
  return [...new Set(event.articles.map((index) => data.articles[index].source).filter(Boolean))];
}

/** The address if it is of the web, else null: an article may come with `javascript:` or `file:`. */
function webAddress(url) {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}
