"use strict";
// Where events stand in the picture and how links run between them. Links run forward in time, so layers
// along the links read as time: to the right where there is room, downwards on a phone. What hangs together is laid
// out by itself: it is much quicker, and events that have nothing to do with one another share no column.
//
// Inside this file time always runs along x; `turned` swaps the axes at the doors when it runs downwards.

const GAP = { layer: 84, neighbour: 28, passing: 18, port: 24, corner: 12, part: 36 };
const CAREFUL_AT_MOST = 150; // of more events a quicker way is taken that makes links a little longer and lets more of them cross

const turned = (point, downwards) => (downwards ? { x: point.y, y: point.x } : point);

/**
 * Place a story's events and route its links.
 *
 * @param sizes - Map from event to {width, height}, in order of time.
 * @param links - places of the links among them.
 * @param downwards - time runs down instead of to the right.
 * @param room - how wide the picture may be even where it is low; a large one is about square, or long where time
 *   runs down.
 * @returns {spots: Map event -> {x, y}, routes: Map link -> {from, to, bends: [{x, y}, ...]}}, the ends of
 *   a route on the sides of its events' cards and the bends as the control points of a smooth curve.
 */
function layOut(sizes, links, downwards, room) {
  const boxes = new Map([...sizes].map(([event, { width, height }]) =>
    [event, downwards ? { along: height, across: width } : { along: width, across: height }]));
  const { spots, ways } = together(connected(boxes, links), boxes, downwards, room);
  const ports = portsOf(boxes, links, spots, ways);
  const routes = new Map(links.map((place) => {
    const { from, to } = ports.get(place);
    const turn = (point) => turned(point, downwards);
    return [place, { from: turn(from), to: turn(to), bends: bendsOf(from, to, ways.get(place)).map(turn) }];
  }));
  return { spots: new Map([...spots].map(([event, spot]) => [event, turned(spot, downwards)])), routes };
}

/** The parts that hang together, [{events, links}, ...], those with the strongest links first. */
function connected(boxes, links) {
  const parts = new Map([...boxes.keys()].map((event) => [event, { events: [event], links: [] }]));
  for (const place of links) {
    const [part, other] = [data.links[place].source, data.links[place].target].map((event) => parts.get(event));
    if (part !== other) {
      part.events.push(...other.events);
      part.links.push(...other.links);
      other.events.forEach((event) => parts.set(event, part));
    }
    part.links.push(place);
  }
  const strongest = (part) => part.links.reduce((most, place) => Math.max(most, data.links[place].strength), -1);
  const order = new Map([...boxes.keys()].map((event, at) => [event, at]));
  const found = [...new Set(parts.values())];
  for (const { events, links: own } of found) {
    events.sort((a, b) => order.get(a) - order.get(b));
    own.sort((a, b) => a - b);
  }
  return found.sort((a, b) => strongest(b) - strongest(a));
}

/** Lay out each part and put them side by side. */
function together(parts, boxes, downwards, room) {
  const drawn = parts.map((part) => layered(new Map(part.events.map((event) => [event, boxes.get(event)])), part.links));
  const outer = drawn.map(({ along, across }) => (
    downwards ? { width: across + GAP.part, height: along + GAP.part } : { width: along + GAP.part, height: across + GAP.part }));
  const square = downwards ? 0 : Math.sqrt(outer.reduce((sum, { width, height }) => sum + width * height, 0));
  const corners = packed(outer, Math.max(room, square) + GAP.part).map((corner) => turned(corner, downwards));
  const moved = ({ x, y }, corner) => ({ x: x + corner.x, y: y + corner.y });
  return {
    spots: new Map(drawn.flatMap(({ spots }, at) => [...spots].map(([event, spot]) => [event, moved(spot, corners[at])]))),
    ways: new Map(drawn.flatMap(({ ways }, at) => [...ways].map(([place, way]) =>
      [place, way.map((point) => moved(point, corners[at]))]))),
  };
}

/** The method of Sugiyama, by dagre: few crossings, long links led around the events between. */
function layered(boxes, links) {
  if (boxes.size === 1) return alone(boxes);
  const careful = boxes.size <= CAREFUL_AT_MOST;
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", ranksep: GAP.layer, nodesep: GAP.neighbour, edgesep: GAP.passing,
    ranker: careful ? "network-simplex" : "tight-tree" });
  for (const [event, { along, across }] of boxes) graph.setNode(String(event), { width: along, height: across });
  for (const place of links) {
    const { source, target } = data.links[place];
    graph.setEdge(String(source), String(target), {}, String(place));
  }
  dagre.layout(graph, { disableOptimalOrderHeuristic: !careful });

  const spots = new Map([...boxes.keys()].map((event) => {
    const { x, y } = graph.node(String(event));
    return [event, { x, y }];
  }));
  const ways = new Map(graph.edges().map((edge) => [Number(edge.name), graph.edge(edge).points.slice(1, -1)]));
  return { spots, ways, along: graph.graph().width, across: graph.graph().height };
}

function alone(boxes) {
  const [[event, { along, across }]] = boxes;
  return { spots: new Map([[event, { x: along / 2, y: across / 2 }]]), ways: new Map(), along, across };
}

/**
 * Where each link leaves and enters: spread over the card's side, in the order the links come from. One that has to run
 * backward, since links go round in a circle, leaves where others enter, so that it crosses neither card.
 */
function portsOf(boxes, links, spots, ways) {
  const ports = new Map(links.map((place) => [place, {}]));
  const sides = new Map();
  for (const place of links) {
    const { source, target } = data.links[place];
    const sign = spots.get(source).x < spots.get(target).x ? 1 : -1;
    const way = ways.get(place);
    for (const [end, owner, side, next] of [["from", source, sign, way.at(0)], ["to", target, -sign, way.at(-1)]]) {
      const key = `${owner} ${side}`;
      if (!sides.has(key)) sides.set(key, { owner, side, ends: [] });
      sides.get(key).ends.push({ place, end, towards: next.y });
    }
  }
  for (const { owner, side, ends } of sides.values()) {
    const { along, across } = boxes.get(owner);
    const { x, y } = spots.get(owner);
    ends.sort((a, b) => a.towards - b.towards || a.place - b.place);
    const step = Math.min(GAP.port, (across - 2 * GAP.corner) / ends.length);
    ends.forEach(({ place, end }, at) => {
      ports.get(place)[end] = { x: x + (side * along) / 2, y: y + (at - (ends.length - 1) / 2) * step };
    });
  }
  return ports;
}

/**
 * Control points of a curve that runs straight past the cards and swings from level to level only in the
 * gaps between layers; it arrives straight, so that each number stands beside its own arrow.
 * A way has a point in each gap and, between two gaps, one in the layer it passes.
 */
function bendsOf(from, to, way) {
  const levels = [from.y, ...way.filter((_, at) => at % 2 === 1).map(({ y }) => y), to.y];
  const gaps = way.filter((_, at) => at % 2 === 0).map(({ x }) => x);
  const beside = (Math.sign(to.x - from.x) * GAP.layer) / 2; // from the middle of a gap to the cards
  return gaps.flatMap((x, at) => [
    ...(at ? [{ x: x - beside, y: levels[at] }] : []),
    { x, y: levels[at] },
    { x, y: levels[at + 1] },
    { x: x + (at < gaps.length - 1 ? beside : beside / 2), y: levels[at + 1] },
  ]);
}
