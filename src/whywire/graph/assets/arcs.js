"use strict";
// A few events on a narrow screen: one below the other in order of time, with links as arcs beside them.

const ARC = { lane: 64, first: 14, step: 11, gap: 12, port: 14 };

/**
 * Place events in one column and route the links along its left side; `positions` and `routes` as of `layOut`.
 *
 * Arcs that end at one card are nested, not crossed: the further one goes, the further out it runs.
 *
 * @param sizes - Map from event to {width, height}, in order of time.
 */
function arcLayout(graph, sizes, links) {
  const rows = new Map([...sizes.keys()].map((event, row) => [event, row]));
  const positions = new Map();
  let y = 0;
  for (const [event, { width, height }] of sizes) {
    positions.set(event, { x: width / 2, y: y + height / 2 });
    y += height + ARC.gap;
  }
  const ends = new Map([...sizes.keys()].map((event) => [event, []]));
  for (const link of links) {
    const [source, target] = graph.endsOf(link);
    const rowsDown = rows.get(target) - rows.get(source);
    ends.get(source).push({ link, end: "from", rowsDown });
    ends.get(target).push({ link, end: "to", rowsDown: -rowsDown });
  }
  const routes = new Map(links.map((link) => [link, {}]));
  for (const [event, ofEvent] of ends) {
    const { y } = positions.get(event);
    const step = Math.min(ARC.port, sizes.get(event).height / (ofEvent.length + 1));
    // from the top: to near above, far above, far below, near below
    ofEvent.sort((a, b) => 1 / a.rowsDown - 1 / b.rowsDown || a.link - b.link);
    ofEvent.forEach(({ link, end }, number) => {
      routes.get(link)[end] = { x: 0, y: y + (number - (ofEvent.length - 1) / 2) * step };
    });
  }
  for (const [link, route] of routes) {
    const [source, target] = graph.endsOf(link);
    const rowsApart = Math.abs(rows.get(target) - rows.get(source));
    const out = -Math.min(ARC.lane - ARC.first, ARC.first + ARC.step * (rowsApart - 1));
    route.controlPoints = [{ x: out, y: route.from.y }, { x: out, y: route.to.y }];
  }
  return { positions, routes };
}
