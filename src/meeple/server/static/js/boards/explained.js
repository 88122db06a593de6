// Explanations of a position, drawn over a board: rings, lines, areas and numbers at its spots.

import { s } from "../dom.js";
import { note } from "./pieces.js";

/** Nodes for explanations, as the server lists them. `places` has the {x, y} of each spot, and `r`
 *  where its ring has a radius of its own; `unit` is the size of a cell. */
export function drawExplained(list, places, unit) {
  return list.map(({ spots, player, shape, at: here }) => {
    const at = spots.map((spot) => places.get(spot)).filter(Boolean);
    const kind = `why ${player === null ? "" : `p${player % 4}`} ${here ? "here" : ""}`;
    return s("g", { class: kind }, SHAPES[shape](at, unit));
  });
}

const written = (at) => at.map(({ x, y }) => `${x},${y}`).join(" ");

// Rings and lines are drawn twice, first wider in the colour of the ground, so that they stand out.
const SHAPES = {
  marks: (at, unit) => ["casing", "edge"].flatMap((kind) => at.map(({ x, y, r = 0.3 * unit }) =>
    s("circle", { class: kind, cx: x, cy: y, r }))),
  line: (at) => ["casing", "edge"].map((kind) =>
    s("polyline", { class: kind, points: written(at) })),
  area: (at) => [s("polygon", { class: "area", points: written(at) })],
  numbers: (at, unit) => at.map(({ x, y }, step) => s("g", { transform: `translate(${x} ${y})` },
    s("circle", { class: step % 2 ? "badge reply" : "badge", r: 0.36 * unit }),
    note(String(step + 1), "number", 0.4 * unit, 0))),
};
