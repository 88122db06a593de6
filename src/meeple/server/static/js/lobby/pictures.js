// A tiny picture of each game, for the lobby's cards and lists. Decoration: hidden from readers.

import { HEXAGON, polygon } from "../boards/pieces.js";
import { s } from "../view.js";

const W = 96;
const H = 64;

// The picture of a game, or of its family of boards where the game is not known here.
export function picture(game, family) {
  const draw = GAMES[game] ?? FAMILIES[family] ?? FAMILIES.text;
  return s("svg", { class: "picture", viewBox: `0 0 ${W} ${H}`, width: W, height: H,
    "aria-hidden": "true" }, draw());
}

// Stones of the two players of a board, row by row.
const KINDS = { b: "black", w: "white", 0: "p0", 1: "p1" };
const FAMILIES = {
  squares: () => grid([".....", ".011.", "..00.", "....."]),
  hexagons: () => diamond(["..10", ".00.", ".1..", "...."]),
  points: () => crossings([".0....", "..11..", ".0....", "....1."]),
  pits: () => heaps([6, 6, 6, 6]),
  row: () => heaps([1, 3, 5, 7]),
  island,
  cards: () => [0, 1, 2].map((at) => s("rect", { class: "cell", x: 22 + 16 * at, y: 16 - 4 * at, width: 24,
    height: 34, rx: 3 })),
  text: () => [64, 48, 56, 32].map((width, row) => s("rect", { class: "bar", x: 16, y: 12 + 12 * row, width,
    height: 4, rx: 2 })),
};
// They have theirs before the server is ready to say which board they have.
const GAMES = { ledge: () => ledge("0110201"), nim: FAMILIES.row, hex: FAMILIES.hexagons, catan: island,
  "catan-reduced": island, reversi: () => grid(["..b.", ".bw.", ".wb.", "...."]),
  gomoku: () => crossings(["......", "..bww.", "..wb..", "....b."]) };

function each(rows, draw) {
  return rows.flatMap((row, y) => [...row].map((one, x) => draw(x, y, KINDS[one])));
}

function grid(rows) {
  const [side, left, top] = [14, W / 2 - 7 * rows[0].length, H / 2 - 7 * rows.length];
  return each(rows, (x, y, who) => [s("rect", { class: "cell", x: left + side * x, y: top + side * y,
    width: side, height: side }), who && dot(left + side * (x + 0.5), top + side * (y + 0.5), 5, who)]);
}

function crossings(rows) {
  const lines = [...rows.map((_, y) => `M2 ${8 + 16 * y}H94`),
    ...[...rows[0]].map((_, x) => `M${8 + 16 * x} 2V62`)];
  return [s("path", { class: "rule", d: lines.join("") }),
    each(rows, (x, y, who) => who && dot(8 + 16 * x, 8 + 16 * y, 6.5, who))];
}

function diamond(rows) {
  return each(rows, (x, y, who = "cell") =>
    hexagon(13 + 9 * Math.sqrt(3) * (x + y / 2), 12 + 13.5 * y, 8.4, who));
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
