"use strict";
// Positions of the events in the graph and routes of the links. Links run forward in time, so their layers read as
// time: from left to right, or downwards on a narrow screen. A few events stand on one line of time together. Of many,
// each connected component is laid out by itself: this is much faster, and unrelated events share no layer.
//
// Inside this file time always runs along x; `transposed` swaps the axes of the result if it runs downwards.

const GAP = { layer: 84, neighbour: 28, passing: 18, port: 24, corner: 12, component: 36 };
const ON_TIME_LINE = 16; // a graph of more events is laid out component by component, with less regard to time
const THOROUGH_LAYOUT_LIMIT = 150; // a component of more events is laid out faster, with longer and more crossing links

const transposed = (point, isVertical) => (isVertical ? { x: point.y, y: point.x } : point);

/**
 * Place events and route the links among them.
 *
 * @param graph - GraphData.
 * @param sizes - Map from event to {width, height}, in order of time.
 * @param links - indices of the links among them.
 * @param isVertical - time runs downwards instead of to the right.
 * @param availableWidth - a graph may always be this wide; a large one becomes about square.
 * @returns {positions: Map event -> {x, y}, routes: Map link -> {from, to, controlPoints: [{x, y}, ...]}, columns}; a
 *   route runs from one card's side to another's, along a smooth curve. `columns`: lists of events, each later than the
 *   one before; none if there are many events.
 */
function layOut(graph, sizes, links, isVertical, availableWidth) {
  if (isVertical && sizes.size <= ON_TIME_LINE) return { ...arcLayout(graph, sizes, links), columns: [] };
  const boxes = new Map([...sizes].map(([event, { width, height }]) =>
    [event, isVertical ? { along: height, across: width } : { along: width, across: height }]));
  const room = Math.floor((availableWidth + GAP.layer) / (CARD.width + GAP.layer));
  const columns = boxes.size > ON_TIME_LINE ? [] : timeColumns(graph, [...boxes.keys()], links, Math.max(1, room));
  const { positions, waypoints } = columns.length
    ? layeredLayout(graph, boxes, links, columns)
    : packComponents(graph, connectedComponents(graph, boxes, links), boxes, isVertical, availableWidth);
  const ports = linkPorts(graph, boxes, links, positions, waypoints);
  const transpose = (point) => transposed(point, isVertical);
  const routes = new Map(links.map((link) => {
    const { from, to } = ports.get(link);
    const controlPoints = routeControlPoints(from, to, waypoints.get(link)).map(transpose);
    return [link, { from: transpose(from), to: transpose(to), controlPoints }];
  }));
  return { positions: new Map([...positions].map(([event, position]) => [event, transpose(position)])), routes, columns };
}

/** The connected components, [{events, links}, ...], those with the heaviest links first. */
function connectedComponents(graph, boxes, links) {
  const componentOf = new Map([...boxes.keys()].map((event) => [event, { events: [event], links: [] }]));
  for (const link of links) {
    const [component, other] = graph.endsOf(link).map((event) => componentOf.get(event));
    if (component !== other) {
      component.events.push(...other.events);
      component.links.push(...other.links);
      other.events.forEach((event) => componentOf.set(event, component));
    }
    component.links.push(link);
  }
  const maxWeight = (component) => Math.max(-1, ...component.links.map((link) => graph.links[link].weight));
  const order = new Map([...boxes.keys()].map((event, number) => [event, number]));
  const components = [...new Set(componentOf.values())];
  for (const component of components) {
    component.events.sort((a, b) => order.get(a) - order.get(b));
    component.links.sort((a, b) => a - b);
  }
  return components.sort((a, b) => maxWeight(b) - maxWeight(a));
}

/** Lay out each component, and pack them. */
function packComponents(graph, components, boxes, isVertical, availableWidth) {
  const layouts = components.map(({ events, links }) =>
    layeredLayout(graph, new Map(events.map((event) => [event, boxes.get(event)])), links));
  const outer = layouts.map(({ along, across }) => {
    const [width, height] = isVertical ? [across, along] : [along, across];
    return { width: width + GAP.component, height: height + GAP.component };
  });
  const square = isVertical ? 0 : Math.sqrt(outer.reduce((sum, { width, height }) => sum + width * height, 0));
  const corners = packBoxes(outer, Math.max(availableWidth, square) + GAP.component)
    .map((corner) => transposed(corner, isVertical));
  const moved = ({ x, y }, corner) => ({ x: x + corner.x, y: y + corner.y });
  return {
    positions: new Map(layouts.flatMap(({ positions }, number) =>
      [...positions].map(([event, position]) => [event, moved(position, corners[number])]))),
    waypoints: new Map(layouts.flatMap(({ waypoints }, number) =>
      [...waypoints].map(([link, points]) => [link, points.map((point) => moved(point, corners[number]))]))),
  };
}

/**
 * Layered layout (Sugiyama) by dagre: few crossings, long links routed around the events in between.
 *
 * @param columns - the layers, if they are given; a link to an earlier one is laid out backward.
 */
function layeredLayout(graph, boxes, links, columns = []) {
  if (boxes.size === 1) return singleEventLayout(boxes);
  const thorough = boxes.size <= THOROUGH_LAYOUT_LIMIT;
  const layered = new dagre.graphlib.Graph({ multigraph: true });
  layered.setGraph({ rankdir: "LR", ranksep: GAP.layer, nodesep: GAP.neighbour, edgesep: GAP.passing,
    ranker: thorough ? "network-simplex" : "tight-tree" });
  for (const [event, { along, across }] of boxes) layered.setNode(String(event), { width: along, height: across });
  const columnOf = new Map(columns.flatMap((column, number) => column.map((event) => [event, number])));
  const isBackward = (link) => columnOf.get(graph.links[link].source) > columnOf.get(graph.links[link].target);
  for (const link of links) {
    const [source, target] = isBackward(link) ? graph.endsOf(link).reverse() : graph.endsOf(link);
    layered.setEdge(String(source), String(target), {}, String(link));
  }
  for (const { source, target, weight } of columnEdges(columns)) {
    layered.setEdge(String(source), String(target), { weight }, "column");
  }
  dagre.layout(layered, { disableOptimalOrderHeuristic: !thorough });

  const positions = new Map([...boxes.keys()].map((event) => {
    const { x, y } = layered.node(String(event));
    return [event, { x, y }];
  }));
  const waypoints = new Map(links.map((link) => {
    const [source, target] = isBackward(link) ? graph.endsOf(link).reverse() : graph.endsOf(link);
    const points = layered.edge(String(source), String(target), String(link)).points.slice(1, -1);
    return [link, isBackward(link) ? points.reverse() : points];
  }));
  return { positions, waypoints, along: layered.graph().width, across: layered.graph().height };
}

function singleEventLayout(boxes) {
  const [[event, { along, across }]] = boxes;
  return { positions: new Map([[event, { x: along / 2, y: across / 2 }]]), waypoints: new Map(), along, across };
}

/**
 * Where each link leaves and enters a card: distributed over the card's side, ordered by where the links go. In a cycle
 * one link must run backward; it leaves from the side where others enter, so that it crosses neither card.
 */
function linkPorts(graph, boxes, links, positions, waypoints) {
  const ports = new Map(links.map((link) => [link, {}]));
  const sides = new Map();
  for (const link of links) {
    const { source, target } = graph.links[link];
    const sign = positions.get(source).x < positions.get(target).x ? 1 : -1;
    const points = waypoints.get(link);
    for (const [end, event, side, next] of [["from", source, sign, points.at(0)], ["to", target, -sign, points.at(-1)]]) {
      const key = `${event} ${side}`;
      if (!sides.has(key)) sides.set(key, { event, side, ends: [] });
      sides.get(key).ends.push({ link, end, nextY: next.y });
    }
  }
  for (const { event, side, ends } of sides.values()) {
    const { along, across } = boxes.get(event);
    const { x, y } = positions.get(event);
    ends.sort((a, b) => a.nextY - b.nextY || a.link - b.link);
    const step = Math.min(GAP.port, (across - 2 * GAP.corner) / ends.length);
    ends.forEach(({ link, end }, number) => {
      ports.get(link)[end] = { x: x + (side * along) / 2, y: y + (number - (ends.length - 1) / 2) * step };
    });
  }
  return ports;
}

/**
 * Control points of a curve that is straight beside the cards and changes its level only in the gaps between layers; it
 * arrives straight, so that each number is beside its own arrow.
 *
 * @param waypoints - one in each gap and, between two gaps, one in the layer that the link passes.
 */
function routeControlPoints(from, to, waypoints) {
  const levels = [from.y, ...waypoints.filter((_, number) => number % 2 === 1).map(({ y }) => y), to.y];
  const gaps = waypoints.filter((_, number) => number % 2 === 0).map(({ x }) => x);
  const beside = (Math.sign(to.x - from.x) * GAP.layer) / 2; // from the middle of a gap to the cards
  return gaps.flatMap((x, number) => [
    ...(number ? [{ x: x - beside, y: levels[number] }] : []),
    { x, y: levels[number] },
    { x, y: levels[number + 1] },
    { x: x + (number < gaps.length - 1 ? beside : beside / 2), y: levels[number + 1] },
  ]);
}
