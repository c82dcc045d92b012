"use strict";
// The graph, and lookups in it. Events, links, articles and claims are referred to by their index in the lists of `data`.

const data = JSON.parse(document.getElementById("data").textContent);

const eventIndices = new Map(data.events.map((event, index) => [event.id, index]));
const linksOfEvent = data.events.map(() => []);
data.links.forEach((link, index) => {
  linksOfEvent[link.source].push(index);
  linksOfEvent[link.target].push(index);
});
const storyOfEvent = data.events.map(() => null);
data.stories.forEach((story, index) => {
  story.events.forEach((event) => { storyOfEvent[event] = index; });
  const ends = new Set(story.links.flatMap(endsOf));
  story.linkedEvents = story.events.filter((event) => ends.has(event));
});

const eventAddress = (index) => `#${encodeURIComponent(data.events[index].id)}`;
const linkAddress = (index) => `#link/${index}`;
const storyAddress = (index) => `#story/${encodeURIComponent(data.events[data.stories[index].lead].id)}`;

function endsOf(link) {
  return [data.links[link].source, data.links[link].target];
}

/** Link indices, strongest first. */
function byStrength(links) {
  return [...links].sort((a, b) => data.links[b].strength - data.links[a].strength || a - b);
}

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
