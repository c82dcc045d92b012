"use strict";
// The columns of a picture of a few events: all stand on one line of time, also those that no link joins to others.

/**
 * Divide events into columns, each later than the one before. An event begins another column if one of the current
 * column is linked to it, so links always lead from column to column, or if the column is full.
 *
 * @param events - in order of time.
 * @param count - how many columns there is room for; links may need more.
 * @returns [[event, ...], ...].
 */
function timeColumns(graph, events, links, count) {
  const neighbours = new Map(events.map((event) => [event, new Set()]));
  for (const [source, target] of links.map((link) => graph.endsOf(link))) {
    neighbours.get(source).add(target);
    neighbours.get(target).add(source);
  }
  const most = Math.ceil(events.length / count);
  const columns = [[]];
  for (const event of events) {
    const current = columns.at(-1);
    if (current.length < most && !current.some((other) => neighbours.get(event).has(other))) current.push(event);
    else columns.push([event]);
  }
  return columns;
}

/**
 * Edges that, beside the links, leave a layered layout no other layers than the columns: [{source, target, weight}, ...].
 * Only those from column to column have a weight, so that the columns are next to each other.
 */
function columnEdges(columns) {
  return columns.flatMap((column, number) => {
    const [before, after] = [columns[number - 1]?.[0], columns[number + 1]?.[0]];
    return column.flatMap((event, place) => [
      ...(before === undefined ? [] : [{ source: before, target: event, weight: place ? 0 : 1 }]),
      ...(after === undefined || !place ? [] : [{ source: event, target: after, weight: 0 }]),
    ]);
  });
}
