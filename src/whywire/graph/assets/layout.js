"use strict";
// Where events stand in the picture and how links run between them. Links run forward in time, so layers
// along the links read as time: to the right where there is room, downwards on a phone.
//
// Inside this file time always runs along x; `turned` swaps the axes at the doors when it runs downwards.

const GAP = { layer: 72, neighbour: 28, port: 18 };

const turned = (point, downwards) => (downwards ? { x: point.y, y: point.x } : point);

/**
 * Place a story's events and route its links.
 *
 * @param sizes - Map from event to {width, height}, in order of time.
 * @param links - places of the links among them.
 * @param downwards - time runs down instead of to the right.
 * @returns {spots: Map event -> {x, y}, routes: Map link -> {from, to, bends: [{x, y}, ...]}}, the ends of
 *   a route on the sides of its events' cards and the bends as the control points of a smooth curve.
 */
function layOut(sizes, links, downwards) {
  const boxes = new Map([...sizes].map(([event, { width, height }]) =>
    [event, downwards ? { along: height, across: width } : { along: width, across: height }]));
  const { spots, ways } = layered(boxes, links);
  const ports = portsOf(boxes, links, spots, ways);
  const routes = new Map(links.map((place) => {
    const { from, to } = ports.get(place);
    const turn = (point) => turned(point, downwards);
    return [place, { from: turn(from), to: turn(to), bends: bendsOf(from, to, ways.get(place)).map(turn) }];
  }));
  return { spots: new Map([...spots].map(([event, spot]) => [event, turned(spot, downwards)])), routes };
}

/** The method of Sugiyama, by dagre: few crossings, long links led around the events between. */
function layered(boxes, links) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", ranksep: GAP.layer, nodesep: GAP.neighbour, edgesep: GAP.port });
  for (const [event, { along, across }] of boxes) graph.setNode(String(event), { width: along, height: across });
  for (const place of links) {
    const { source, target } = data.links[place];
    graph.setEdge(String(source), String(target), {}, String(place));
  }
  dagre.layout(graph);

  const spots = new Map([...boxes.keys()].map((event) => {
    const { x, y } = graph.node(String(event));
    return [event, { x, y }];
  }));
  const ways = new Map(graph.edges().map((edge) => [Number(edge.name), graph.edge(edge).points.slice(1, -1)]));
  return { spots, ways };
}

/** Where each link leaves and enters: spread over the card's side, in the order the links come from. */
function portsOf(boxes, links, spots, ways) {
  const ports = new Map(links.map((place) => [place, {}]));
  for (const [end, event, sign, next] of [["from", "source", 1, 0], ["to", "target", -1, -1]]) {
    const sides = new Map();
    for (const place of links) {
      const owner = data.links[place][event];
      sides.set(owner, [...(sides.get(owner) ?? []), place]);
    }
    for (const [owner, places] of sides) {
      const { along, across } = boxes.get(owner);
      const { x, y } = spots.get(owner);
      const towards = (place) => ways.get(place).at(next).y;
      places.sort((a, b) => towards(a) - towards(b) || a - b);
      const step = Math.min(GAP.port, (across - 2 * GAP.port) / places.length);
      places.forEach((place, at) => {
        ports.get(place)[end] = { x: x + (sign * along) / 2, y: y + (at - (places.length - 1) / 2) * step };
      });
    }
  }
  return ports;
}

/**
 * Control points of a curve that runs straight past the cards and swings from level to level only in the
 * gaps between layers. A way has a point in each gap and, between two gaps, one in the layer it passes.
 */
function bendsOf(from, to, way) {
  const levels = [from.y, ...way.filter((_, at) => at % 2 === 1).map(({ y }) => y), to.y];
  const gaps = way.filter((_, at) => at % 2 === 0).map(({ x }) => x);
  return gaps.flatMap((x, at) => [{ x, y: levels[at] }, { x, y: levels[at + 1] }]);
}
