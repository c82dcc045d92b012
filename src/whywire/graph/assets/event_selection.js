"use strict";
// Which events of a story the graph shows: at first its main events, more on request.

const SELECTION = {
  more: 40, // events shown with each request for more; a larger graph is too dense to read
  neighbours: 12, // neighbours added with an event that was requested
  continuationBonus: 15, // weight by which a link that continues from a selected event is preferred to another
};

/**
 * `limit`: how many linked events, 0 for the main events only; `requested`: events added to these; `unlinked`: whether
 * events without links too.
 */
const initialSelection = () => ({ limit: 0, requested: new Set(), unlinked: false });

/**
 * The events and links to draw, in the order in which they are told.
 *
 * @param passes - whether a link passes the filters; events of other links are selected last.
 */
function selectedSubgraph(graph, story, { limit, requested, unlinked }, passes) {
  const selected = limit ? endsOfStrongestLinks(graph, story, limit, passes) : new Set(story.main);
  requested.forEach((event) => [event, ...strongestNeighbours(graph, story, event)].forEach((one) => selected.add(one)));
  const isLinked = new Set(story.linkedEvents);
  const ordered = limit || requested.size || unlinked ? story.events : story.main; // these have their own order
  return {
    events: ordered.filter((event) => selected.has(event) || (unlinked && !isLinked.has(event))),
    links: story.links.filter((link) => graph.endsOf(link).every((event) => selected.has(event))),
  };
}

/** At most `limit` events, added link by link: each time the link with the highest score. */
function endsOfStrongestLinks(graph, story, limit, passes) {
  if (story.linkedEvents.length <= limit) return new Set(story.linkedEvents);
  const events = new Set();
  const remaining = new Set(story.links);
  const newEnds = (link) => graph.endsOf(link).filter((event) => !events.has(event));
  const score = (link) => graph.links[link].weight + (newEnds(link).length < 2 ? SELECTION.continuationBonus : 0)
    + (passes(graph.links[link]) ? 1000 : 0);
  while (events.size < limit && remaining.size) {
    const best = bestLink(graph, remaining, score);
    remaining.delete(best);
    const added = newEnds(best);
    if (events.size + added.length <= limit) added.forEach((event) => events.add(event));
  }
  return events;
}

/** The link with the highest score; of equal ones the one whose events have more articles, then the first. */
function bestLink(graph, links, score) {
  const articles = (link) => graph.endsOf(link).reduce((sum, event) => sum + graph.events[event].articles.length, 0);
  let best = null;
  for (const link of links) {
    const rank = [score(link), articles(link)];
    if (best === null || rank[0] > best.rank[0] || (rank[0] === best.rank[0] && rank[1] > best.rank[1])) best = { link, rank };
  }
  return best.link;
}

/** An event's neighbours in its story along its strongest links. */
function strongestNeighbours(graph, story, event) {
  const inStory = new Set(story.links);
  return graph.byWeight(graph.linksOfEvent[event].filter((link) => inStory.has(link)))
    .slice(0, SELECTION.neighbours).flatMap((link) => graph.endsOf(link));
}
