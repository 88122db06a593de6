// A tiny picture of each game, for the lobby's cards and lists. Decoration: hidden from readers.

import { HEXAGON, pit, polygon } from "../boards/pieces.js";
import { s } from "../view.js";

const W = 96;
const H = 64;

/** The picture of a game that is known here, or else of its board as the server describes it. */
export function picture(game, board) {
  const draw = GAMES[game] ?? (board?.places ? () => cells(board) : FAMILIES[board?.family] ?? FAMILIES.text);
  return s("svg", { class: "picture", viewBox: `0 0 ${W} ${H}`, width: W, height: H,
    "aria-hidden": "true" }, draw());
}

const FAMILIES = {
  row: () => heaps([1, 3, 5, 7]),
  island,
  cards: () => [0, 1, 2].map((at) => s("rect", { class: "cell", x: 22 + 16 * at, y: 16 - 4 * at, width: 24,
    height: 34, rx: 3 })),
  text: () => [64, 48, 56, 32].map((width, row) => s("rect", { class: "bar", x: 16, y: 12 + 12 * row, width,
    height: 4, rx: 2 })),
};
const STONES = { 0: "p0", 1: "p1" };
// They have theirs before the server is ready to say which board they have.
const GAMES = { ledge: () => ledge("0110201"), nim: FAMILIES.row, catan: island, "catan-reduced": island,
  hex: () => cells({ family: "hexagons", ...placed(["..10", ".00.", ".1..", "...."], 0.5, 0.866) }),
  reversi: () => cells({ family: "squares", colours: ["black", "white"],
    ...placed(["..0.", ".01.", ".10.", "...."]) }),
  gomoku: crossings };

/** Rows of a board as places and pieces; each row lies so much further right and down. */
function placed(rows, right = 0, down = 1) {
  return { places: rows.flatMap((row, y) => [...row].map((_, x) => [x + right * y, down * y])),
    pieces: [...rows.join("")].map((one) => STONES[one] ?? "") };
}

/** A board of cells with its pieces, as large as fits. */
function cells({ family, places, pieces, joined = [], colours = [] }) {
  const all = places.filter(Boolean);
  const [least, most] = [Math.min, Math.max].map((end) => [0, 1].map((axis) =>
    end(...all.map((place) => place[axis]))));
  const side = Math.min(15, W / (most[0] - least[0] + 1.2), H / (most[1] - least[1] + 1.2));
  const at = (cell) => places[cell].map((place, axis) =>
    [W, H][axis] / 2 + side * (place - (least[axis] + most[axis]) / 2));
  const shape = { squares: () => `M${-side / 2} ${-side / 2}h${side}v${side}h${-side}z`,
    hexagons: () => polygon(HEXAGON, side / Math.sqrt(3)) }[family] ?? (() => pit(0.4 * side));
  const lines = joined.map((ends) => `M${ends.map((end) => at(end).join(" ")).join("L")}`).join("");
  return [s("path", { class: "rule", d: lines }), places.map((place, cell) => {
    if (!place) return null;
    const [x, y] = at(cell);
    const [, player] = /^p(\d)$/.exec(pieces[cell]) ?? [];
    const kind = player ? colours[player] ?? `p${player}` : Number(pieces[cell] || 0) !== 0 && "pebble";
    const filled = kind && family === "hexagons";
    return [s("path", { class: filled ? kind : "cell", d: shape(), transform: `translate(${x} ${y})` }),
      kind && !filled ? dot(x, y, 0.36 * side, kind) : null];
  })];
}

function crossings() {
  const lines = [...[8, 24, 40, 56].map((y) => `M2 ${y}H94`),
    ...[8, 24, 40, 56, 72, 88].map((x) => `M${x} 2V62`)];
  const stones = { black: [[40, 24], [56, 40], [72, 56]], white: [[56, 24], [72, 24], [40, 40]] };
  return [s("path", { class: "rule", d: lines.join("") }), Object.entries(stones).map(([kind, all]) =>
    all.map(([x, y]) => dot(x, y, 6.5, kind)))];
}

function hexagon(x, y, radius, kind) {
  const d = polygon(HEXAGON, radius);
  return s("path", { class: kind, d, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
}

function heaps(sizes) {
  return sizes.map((size, row) => Array.from({ length: size }, (_, stone) => s("circle",
    { class: "pebble", cx: 48 + 12 * (stone - (size - 1) / 2), cy: 10 + 14.5 * row, r: 4.6 })));
}

function ledge(row) {
  const coins = { 1: "copper", 2: "gold" };
  return [s("path", { class: "shelf", d: "M4 20V44H92" }), [...row].map((coin, cell) => coins[coin]
    && s("circle", { class: coins[coin], cx: 11 + 12 * cell, cy: 37, r: 5.4 }))];
}

function island() {
  const kinds = ["forest", "hill", "field", "pasture", "desert", "mountain", "field"];
  const places = [[0, 0], [-1, 0], [1, 0], [-0.5, -1], [0.5, -1], [-0.5, 1], [0.5, 1]];
  const radius = 12;
  return places.map(([x, y], tile) => hexagon(48 + x * Math.sqrt(3) * radius, 32 + 1.5 * radius * y,
    radius - 0.7, kinds[tile]));
}

function dot(x, y, r, kind) {
  return s("circle", { class: kind, cx: x, cy: y, r });
}
