// Boards of cells: squares, hexagons, points with lines between them, and pits. The scene has the place of
// each cell; this says how cells and pieces look. Hexagons are turned where that makes them larger.

import { s } from "../view.js";
import { t } from "../messages.js";
import { box, coordinate, HEXAGON, lettering, look, pit, polygon, seeds, sign, stone, tile }
  from "./pieces.js";

const UNIT = 40; // from a cell to the next
const SIDE = UNIT / Math.sqrt(3); // of a hexagon
const LARGEST = 112; // pixels of a cell, however few there are
const WORTH_TURNING = 1.15; // times the size of the cells
const RIM = 8; // of a board around its squares
const REACH = { label: 0.36, squares: 0.72, hexagons: 0.66, points: 0.6, pits: 0.55 }; // in units
const TALL = 0.92; // half the height of a store, in units

/** The family of boards; see `field.js`. */
export const cells = { layout, draw, ring, words, over, spot: String, pieces: (scene) => scene.pieces };

/** The layout for a width and height in pixels. Hexagons are turned only if cells become much larger. */
function layout(scene, width, height) {
  const fit = (/** @type {any} */ one) => Math.min(width / one.width, height / one.height);
  const upright = placed(scene, 0);
  const turned = scene.family === "hexagons" ? placed(scene, 60) : upright;
  const board = fit(turned) >= WORTH_TURNING * fit(upright) ? turned : upright;
  const size = lettering(Math.min(fit(board), LARGEST / UNIT), 8, 17);
  const { family, names, labels, places, style } = scene;
  const { joined = [], edges = [], looks = {}, tall = [], colours = [] } = scene;
  const shapes = { squares: square, hexagons: () => polygon(HEXAGON, SIDE), points: () => pit(0.45 * UNIT),
    pits: (/** @type {number} */ cell) => pit(0.42 * UNIT, tall.includes(cell) ? TALL * UNIT : undefined) };
  const rows = new Map();
  places.forEach((place, cell) => {
    if (!place) return;
    const [x, y] = board.at(place);
    const row = rows.get(place[1]) ?? [];
    row.push({ spot: String(cell), name: names[cell], x, y, shape: shapes[family](cell) });
    rows.set(place[1], row);
  });
  const found = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row.sort((a, b) => a.x - b.x));
  const all = found.flat();
  return {
    key: JSON.stringify([places, labels, joined, edges.length, Object.keys(looks), board.turn, size, style,
      colours]),
    width: board.width, height: board.height, unit: family === "hexagons" ? 1.5 * SIDE : UNIT,
    most: LARGEST / UNIT, style, colours, family, looks, at: board.at, rows: found,
    under: [...(family === "squares" ? ground(scene, all) : []), ...lines(scene, all, board.at),
      ...edges.filter(({ side }) => side).map((edge) => edgeOf(edge, board.at)),
      ...labels.map(([text, ...place]) => coordinate(text, ...board.at(place), size))] };
}

/** Where everything is on the board that is turned by so many degrees. */
function placed({ places, labels, family }, turn) {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const turned = (/** @type {number[]} */ [x, y]) => [x * cos - y * sin, x * sin + y * cos];
  const reaches = [...places.filter(Boolean).map((place) => [...turned(place), REACH[family]]),
    ...labels.map(([, ...place]) => [...turned(place), REACH.label])];
  const [left, top] = [0, 1].map((axis) => Math.min(...reaches.map((one) => one[axis] - one[2])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...reaches.map((one) => one[axis] + one[2])));
  const at = (/** @type {number[]} */ place) => {
    const [x, y] = turned(place);
    return [(x - left) * UNIT, (y - top) * UNIT];
  };
  return { turn, at, width: (right - left) * UNIT, height: (bottom - top) * UNIT };
}

function square() {
  const half = UNIT / 2;
  return `M${-half} ${-half}H${half}V${half}H${-half}Z`;
}

/** The plate under squares: one, or one for each where some are missing. */
function ground({ rows, columns, style }, all) {
  const half = UNIT / 2;
  const whole = all.length === rows * columns;
  const [first, last] = [all[0], all.at(-1)];
  const boxes = whole ? [[first.x - half, first.y - half, last.x - first.x + UNIT, last.y - first.y + UNIT]]
    : all.map(({ x, y }) => [x - half, y - half, UNIT, UNIT]);
  const around = (kind, rim) => boxes.map(([x, y, width, height]) => s("rect", { class: kind, x: x - rim,
    y: y - rim, width: width + 2 * rim, height: height + 2 * rim, rx: whole ? rim : 0 }));
  return [...around("plate", RIM), ...around("cloth", style === "felt" ? 0 : RIM - 1)];
}

/** The lines of a board, and the dots on them by which one finds one's way. */
function lines({ family, rows, columns, style, joined = [], places }, all, at) {
  const from = ([a, b]) => `M${at(a).join(" ")}L${at(b).join(" ")}`;
  if (family === "points") {
    const d = joined.map((pair) => from(pair.map((cell) => places[cell]))).join("");
    return [s("path", { class: "grid", d }),
      ...all.map(({ x, y }) => s("circle", { class: "node", cx: x, cy: y, r: 0.12 * UNIT }))];
  }
  if (family !== "squares") return [];
  const known = new Set(places.filter(Boolean).map(String));
  const beside = places.filter(Boolean).flatMap(([x, y]) => [[x + 1, y], [x, y + 1]]
    .filter((next) => known.has(String(next))).map((next) => [[x, y], next]));
  const d = style === "lines" ? beside.map(from).join("")
    : all.map(({ x, y }) => `M${x - UNIT / 2} ${y - UNIT / 2}h${UNIT}v${UNIT}h${-UNIT}z`).join("");
  const points = all.length === rows * columns && style !== "fields" ? stars(style, rows, columns) : [];
  const inset = style === "felt" ? 0.5 : 0;
  return [s("path", { class: "grid", d }), ...points.map(([row, column]) => {
    const [x, y] = at([column - inset, row - inset]);
    return s("circle", { class: "star", cx: x, cy: y, r: 3.5 });
  })];
}

/** The dots of Gomoku's crossings, or of Othello's corners. */
function stars(style, rows, columns) {
  if (rows !== columns || rows < 6) return [];
  if (style === "felt") {
    const ends = [2, rows - 2];
    return ends.flatMap((row) => ends.map((column) => [row, column]));
  }
  const edge = rows < 12 ? 2 : 3;
  const middle = (rows - 1) / 2;
  const ends = [edge, rows - 1 - edge];
  const found = ends.flatMap((row) => ends.map((column) => [row, column]));
  if (rows % 2) found.push([middle, middle]);
  if (rows % 2 && rows > 15) for (const end of ends) found.push([middle, end], [end, middle]);
  return found;
}

/** A player's side of the board, or a wall. */
function edgeOf({ player, points }, at) {
  const kind = player === undefined ? "wall" : `ribbon p${player}`;
  return s("polyline", { class: kind, points: written(points.map(at)) });
}

function written(points) {
  return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

// ------------------------------------------------------------ pieces

function draw(piece, cell, { unit, style, family, looks, colours }) {
  if (looks[piece]) return look(looks[piece], 0.4 * unit);
  if (family === "pits" && /^\d+$/.test(piece)) return seeds(Number(piece), 0.42 * unit);
  if (!/^p\d$/.test(piece)) return tile(piece, unit);
  if (family !== "hexagons") return stone(piece, (style === "lines" ? 0.45 : 0.4) * unit, !colours[piece[1]]);
  return [s("path", { class: `stone ${piece}`, d: polygon(HEXAGON, 0.84 * SIDE) }), sign(piece, 0.5 * SIDE)];
}

function ring(piece, { unit, family, looks, colours }) {
  if (family === "hexagons") return s("path", { class: "ring", d: polygon(HEXAGON, 0.86 * SIDE) });
  const round = !piece || looks[piece] || family === "pits" || /^p\d$/.test(piece);
  if (!round) return box("ring", 0.78 * unit, 0.12 * unit);
  return s("circle", { class: "ring", r: (colours.length ? 0.1 : 0.4) * unit });
}

function words(piece, { family }) {
  if (family === "pits" && /^\d+$/.test(piece)) return t("board.seeds", { n: Number(piece) });
  const id = { "|": "board.upright", "-": "board.flat" }[piece];
  return id ? t(id) : "";
}

/** Walls, and a stroke along a winning chain of hexagons or through a single straight row. */
function over({ line = [], family, edges = [] }, known, { at }) {
  const walls = edges.filter(({ side }) => !side).map((edge) => edgeOf(edge, at));
  const points = line.map((spot) => known.get(spot)).map(({ x, y }) => [x, y]);
  if (points.length < 2) return walls;
  const [[x, y], [right, down]] = points;
  const straight = points.every(([a, b], step) =>
    Math.hypot(a - x - step * (right - x), b - y - step * (down - y)) < 1);
  if (!straight && family !== "hexagons") return walls;
  return [...walls, s("polyline", { class: "stroke", points: written(points) })];
}
