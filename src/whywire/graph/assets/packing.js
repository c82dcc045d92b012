"use strict";
// Packing of boxes on a plane: each connected component of the graph is laid out by itself, then they are packed.

/**
 * Place boxes in their order, each as high as possible and then as far left as possible (skyline packing).
 *
 * @param boxes - [{width, height}, ...], including the gaps between them.
 * @param width - of the plane; a wider box exceeds it.
 * @returns the upper left corners, [{x, y}, ...].
 */
function packBoxes(boxes, width) {
  let skyline = [{ x: 0, y: 0 }]; // the steps: where each begins, and how far down the plane is occupied from there
  return boxes.map((box) => {
    const corners = skyline.map(({ x }) => ({ x, y: occupiedDepth(skyline, x, x + box.width) }));
    const inside = corners.filter(({ x }) => x === 0 || x + box.width <= width);
    const corner = inside.reduce((a, b) => (b.y < a.y ? b : a));
    skyline = withBox(skyline, corner, box);
    return corner;
  });
}

/** How far down the plane is occupied between two x. */
function occupiedDepth(skyline, from, until) {
  const under = skyline.filter((step, at) => step.x < until && (skyline[at + 1]?.x ?? Infinity) > from);
  return Math.max(...under.map(({ y }) => y));
}

function withBox(skyline, { x, y }, { width, height }) {
  const end = x + width;
  const after = skyline.filter((step) => step.x <= end).at(-1).y;
  return [
    ...skyline.filter((step) => step.x < x),
    { x, y: y + height },
    { x: end, y: after },
    ...skyline.filter((step) => step.x > end),
  ];
}
