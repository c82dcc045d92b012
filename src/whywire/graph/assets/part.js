"use strict";
// Which part of a story the picture shows: first the events of its strongest links, more on request.

const PART = {
  first: 40, // events a story opens with; more are a tangle that nobody reads
  neighbours: 12, // how many come along with an event that was asked for
  goingOn: 15, // how much weaker a link may be that goes on from an event shown than one that stands elsewhere
};

/** What of a story is wanted: how many events, which besides these, and whether those without links are. */
const openingPart = () => ({ most: PART.first, asked: new Set(), alone: false });

/**
 * The events and links to draw, in the order of the story.
 *
 * @param passes - which links the filters let through; the ends of the others come last.
 */
function partOf(story, { most, asked, alone }, passes) {
  const chosen = strongestEvents(story, most, passes);
  asked.forEach((event) => [event, ...nearest(story, event)].forEach((one) => chosen.add(one)));
  const isLinked = new Set(story.linked);
  return {
    events: story.events.filter((event) => (isLinked.has(event) ? chosen.has(event) : alone)),
    links: story.links.filter((link) => chosen.has(data.links[link].source) && chosen.has(data.links[link].target)),
  };
}

/** The ends of the strongest links, at most `most`; one that goes on from these is preferred to one elsewhere. */
function strongestEvents(story, most, passes) {
  if (story.linked.length <= most) return new Set(story.linked);
  const events = new Set();
  const left = new Set(story.links);
  const newEnds = (link) => endsOf(link).filter((event) => !events.has(event));
  const worth = (link) => data.links[link].strength + (newEnds(link).length < 2 ? PART.goingOn : 0)
    + (passes(data.links[link]) ? 1000 : 0);
  while (events.size < most && left.size) {
    const best = bestOf(left, worth);
    left.delete(best);
    const added = newEnds(best);
    if (events.size + added.length <= most) added.forEach((event) => events.add(event));
  }
  return events;
}

/** The one worth most; of equal ones that with more reports, then the first. */
function bestOf(links, worth) {
  let best = null;
  for (const link of links) {
    const mine = [worth(link), reportsOf(link)];
    if (best === null || mine[0] > best.mine[0] || (mine[0] === best.mine[0] && mine[1] > best.mine[1])) best = { link, mine };
  }
  return best.link;
}

/** An event's neighbours in its story, by its strongest links. */
function nearest(story, event) {
  const inside = new Set(story.links);
  return linksOfEvent[event].filter((link) => inside.has(link))
    .sort((a, b) => data.links[b].strength - data.links[a].strength || a - b)
    .slice(0, PART.neighbours).flatMap(endsOf);
}

const endsOf = (link) => [data.links[link].source, data.links[link].target];
const reportsOf = (link) => endsOf(link).reduce((sum, event) => sum + data.events[event].articles.length, 0);
