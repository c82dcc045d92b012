"use strict";
// Boxes side by side and below one another without gaps to speak of: what hangs together is laid out by itself,
// and these pictures are put together here.

/**
 * Place boxes in their order, each as high up as there is room and then as far left, so that they read like a page.
 *
 * @param boxes - [{width, height}, ...], each with the gap to its neighbours in it.
 * @param width - of the page; a wider box sticks out of it.
 * @returns the upper left corners, [{x, y}, ...].
 */
function packed(boxes, width) {
  let skyline = [{ x: 0, y: 0 }]; // where each step begins, and how far down the page is taken from there on
  return boxes.map((box) => {
    const corners = skyline.map(({ x }) => ({ x, y: lowest(skyline, x, x + box.width) }));
    const inside = corners.filter(({ x }) => x === 0 || x + box.width <= width);
    const corner = inside.reduce((a, b) => (b.y < a.y ? b : a));
    skyline = raised(skyline, corner, box);
    return corner;
  });
}

/** How far down the page is taken between two places. */
function lowest(skyline, from, until) {
  const under = skyline.filter((step, at) => step.x < until && (skyline[at + 1]?.x ?? Infinity) > from);
  return Math.max(...under.map(({ y }) => y));
}

function raised(skyline, { x, y }, { width, height }) {
  const end = x + width;
  const after = skyline.filter((step) => step.x <= end).at(-1).y;
  return [
    ...skyline.filter((step) => step.x < x),
    { x, y: y + height },
    { x: end, y: after },
    ...skyline.filter((step) => step.x > end),
  ];
}
