// Pieces, marks and explanations that boards draw.

import { s } from "../view.js";

const LEGIBLE = 13; // pixels of a letter at the edge of a board

/** A player's stone of radius r, with the player's sign where the colours alone do not tell. */
export function stone(piece, r, signed = true) {
  return [s("circle", { class: "shadow", r, cy: 0.08 * r }), s("circle", { class: `stone ${piece}`, r }),
    ...(signed ? [sign(piece, 0.7 * r)] : [])];
}

/** A player's sign, about r wide: a dot, a ring, a triangle, a square; as `players.js` has them. */
export function sign(piece, r) {
  if (piece === "p0") return s("circle", { class: "sign", r: 0.42 * r });
  if (piece === "p1") {
    const d = circle(0.62 * r) + circle(0.36 * r);
    return s("path", { class: "sign", "fill-rule": "evenodd", d });
  }
  const corners = piece === "p2" ? [-90, 30, 150] : [-135, -45, 45, 135];
  return s("path", { class: "sign", d: polygon(corners, 0.66 * r) });
}

function circle(r) {
  return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`;
}

/** The angles of a hexagon's corners, which stands on one. */
export const HEXAGON = [-90, -30, 30, 90, 150, 210];

/** The path of a polygon by the angles of its corners, in degrees from the right, downwards. */
export function polygon(angles, r) {
  const points = angles.map((angle) => {
    const turn = (angle * Math.PI) / 180;
    return `${(r * Math.cos(turn)).toFixed(2)} ${(r * Math.sin(turn)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}

/** A mark of a study: a circle, square, triangle or cross, about 2 r wide. */
export function markSign(shape, r) {
  const d = { circle: circle(r), square: polygon([-135, -45, 45, 135], 1.25 * r),
    triangle: polygon([-90, 30, 150], 1.2 * r), cross: `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}` };
  return s("g", { class: "mark" }, s("path", { class: "mark-ground", d: d[shape] }),
    s("path", { d: d[shape] }));
}

/** A square around the middle, with round corners. */
export function box(kind, side, round) {
  const at = -side / 2;
  return s("rect", { class: kind, x: at, y: at, width: side, height: side, rx: round });
}

/** A cross on a free cell that a rule closes; the pointer shows the rule. */
export function cross(r, rule) {
  const d = `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`;
  return s("path", { class: "cross", d }, s("title", {}, rule));
}

/** A short text as a neutral tile; an upright or flat line as a half of a domino. */
export function tile(piece, unit) {
  const mark = box("tile", 0.78 * unit, 0.12 * unit);
  const long = 0.3 * unit;
  if (piece === "|") return [mark, s("path", { class: "bar", d: `M0 ${-long}V${long}` })];
  if (piece === "-") return [mark, s("path", { class: "bar", d: `M${-long} 0H${long}` })];
  const size = (piece.length > 2 ? 0.3 : 0.46) * unit;
  return [mark, note(piece, "letters", size, 0)];
}

/** A piece as its game describes it: a picture, or a letter on a disc of radius r. */
export function look({ letter, player, colour, ink, picture }, r) {
  if (picture) {
    return [s("image", { href: picture, x: -1.1 * r, y: -1.1 * r, width: 2.2 * r, height: 2.2 * r })];
  }
  const disc = s("circle", { class: `stone ${player === null ? "" : `p${player}`}`, r });
  if (colour) disc.style.fill = colour;
  const size = (letter.length > 1 ? 0.8 : 1.1) * r;
  const text = note(letter, colour || player === null ? "letters" : "letters sign", size, 0);
  if (colour) text.style.fill = ink;
  return [s("circle", { class: "shadow", r, cy: 0.08 * r }), disc, text];
}

/** The outline of a pit of radius r, or of a store that is higher. */
export function pit(r, high = r) {
  return `M${-r} ${r - high}A${r} ${r} 0 0 1 ${r} ${r - high}V${high - r}A${r} ${r} 0 0 1 ${-r} ${high - r}Z`;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5)); // from a seed to the next, in radians
const MOST_SEEDS = 36; // that are drawn

/** So many seeds in a pit of radius r, with their number. */
export function seeds(many, r) {
  const drawn = Math.min(many, MOST_SEEDS);
  const apart = Math.min(0.26, 0.8 / Math.sqrt(drawn)) * r;
  const places = Array.from({ length: drawn }, (_, seed) => [apart * Math.sqrt(seed + 0.5), seed * GOLDEN]);
  return [...places.map(([away, turn]) => s("circle", { class: "pebble", r: 0.15 * r,
    cx: away * Math.cos(turn), cy: away * Math.sin(turn) })), note(String(many), "percent", 0.62 * r, 0)];
}

/** A letter or number at the edge of a board; `size` in the board's units. */
export function coordinate(text, x, y, size) {
  return s("text", { class: "coordinate", x, y, "font-size": size }, text);
}

/** The size of those on a board that is drawn `scale` times its own: legible, and within bounds. */
export function lettering(scale, least, most) {
  return Math.round(Math.max(least, Math.min(most, LEGIBLE / scale)));
}

/** A text in the middle of a cell, or so much lower; screen readers have it from the cell. */
export function note(text, kind, size, low) {
  return s("text", { class: kind, "font-size": size, y: low, "aria-hidden": "true" }, text);
}

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
  line: (at) => ["casing", "edge"].map((kind) => s("polyline", { class: kind, points: written(at) })),
  area: (at) => [s("polygon", { class: "area", points: written(at) })],
  numbers: (at, unit) => at.map(({ x, y }, step) => s("g", { transform: `translate(${x} ${y})` },
    s("circle", { class: step % 2 ? "badge reply" : "badge", r: 0.36 * unit }),
    note(String(step + 1), "number", 0.4 * unit, 0))),
};
