"use strict";
// The graph as the page got it, and how to find one's way in it. Events, links, articles and claims
// are named by their place in the lists of `data`.

const data = JSON.parse(document.getElementById("data").textContent);

const ORDER_WORDS = {
  forward: "Order in time: the first event came before the second.",
  same_time: "Order in time: the times are too coarse to tell which came first.",
  unknown: "Order in time: unknown, since at least one of the two has no time.",
  said: "Order in time: a sentence says so, though by the times the second event came first.",
};
/** What a link may rest on, the strongest ground first. */
const RESTS = {
  said: { words: "said in a sentence", filter: "Said in sentences" },
  shown: { words: "shown by headlines", filter: "Shown by headlines" },
  judged: { words: "judged by a model", filter: "Judged by a model" },
};
const strongestRest = (link) => Object.keys(RESTS).find((kind) => link.rests.includes(kind));
const restsOnPage = Object.keys(RESTS).filter((kind) => data.links.some((link) => link.rests.includes(kind)));
const KIND_WORDS = { causes: "led to", refutes: "refuted or corrected by" };

const eventPlaces = new Map(data.events.map((event, place) => [event.id, place]));
const linksOfEvent = data.events.map(() => []);
data.links.forEach((link, place) => {
  linksOfEvent[link.source].push(place);
  linksOfEvent[link.target].push(place);
});
const storyOfEvent = data.events.map(() => null);
data.stories.forEach((story, place) => {
  story.events.forEach((event) => { storyOfEvent[event] = place; });
  const ends = new Set(story.links.flatMap((link) => [data.links[link].source, data.links[link].target]));
  story.linked = story.events.filter((event) => ends.has(event));
});

const eventAddress = (place) => `#${encodeURIComponent(data.events[place].id)}`;
const linkAddress = (place) => `#link/${place}`;
const storyAddress = (place) => `#story/${encodeURIComponent(data.events[data.stories[place].lead].id)}`;

/** The time an event was last seen, as the last instant it may have been. */
function lastInstant(event) {
  return Date.parse(event.last) + (isDayOnly(event.last) ? DAY : 0);
}

/** The earliest and latest time among events, as written; nulls when none has a time. */
function timesOf(places) {
  const known = places.map((place) => data.events[place]).filter((event) => event.first !== null);
  if (!known.length) return { first: null, last: null };
  const earlier = (a, b) => (Date.parse(a) <= Date.parse(b) ? a : b);
  return {
    first: known.map((event) => event.first).reduce(earlier),
    last: known.map((event) => event.last).reduce((a, b) => (earlier(a, b) === a ? b : a)),
  };
}

/** The reports that mention any of the events, each once. */
function reportCount(places) {
  return new Set(places.flatMap((place) => data.events[place].articles)).size;
}

/** The outlets that reported an event, each once. */
function outletsOf(event) {
  return [...new Set(event.articles.map((place) => data.articles[place].source).filter(Boolean))];
}

/** Only the web's own addresses become links; a title may come with `javascript:` or `file:`. */
function webAddress(url) {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}
