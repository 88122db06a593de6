// A tiny picture of each game, for the lobby's cards and lists. Decoration: hidden from readers.

import { polygon } from "../boards/pieces.js";
import { s } from "../dom.js";

const W = 96;
const H = 64;

// The picture of a game, or of its family of boards where the game is not known here.
export function picture(game, family) {
  const draw = GAMES[game] ?? FAMILIES[family] ?? FAMILIES.text;
  return s("svg", { class: "picture", viewBox: `0 0 ${W} ${H}`, width: W, height: H,
    "aria-hidden": "true" }, draw());
}

const GAMES = {
  reversi: () => grid(4, 4, ["5b", "6w", "9w", "ab", "2b"]),
  gomoku: () => lines(["11b", "22b", "33b", "12w", "21w", "31w"]),
};

const FAMILIES = {
  squares: () => grid(4, 5, ["6p0", "7p1", "cp0", "dp0", "8p1"]),
  hexagons: () => diamond([[1, 1, "p0"], [2, 1, "p1"], [1, 2, "p0"], [0, 2, "p1"], [0, 3, "p0"]]),
  row: () => heaps([1, 3, 5, 7]),
  island,
  text: () => [0, 1, 2, 3].map((row) => s("rect", { class: "bar", x: 16, y: 12 + 12 * row,
    width: [64, 48, 56, 32][row], height: 4, rx: 2 })),
};
// these have theirs before the server is ready to say which board they have
Object.assign(GAMES, { ledge: () => ledge("0110201"), nim: FAMILIES.row, hex: FAMILIES.hexagons,
  catan: island, "catan-reduced": island });

// Stones by a cell (in hexadecimal) and who has it.
function grid(rows, columns, stones) {
  const side = 14;
  const left = (W - columns * side) / 2;
  const top = (H - rows * side) / 2;
  const cells = Array.from({ length: rows * columns }, (_, cell) => s("rect", { class: "cell",
    x: left + side * (cell % columns), y: top + side * Math.floor(cell / columns),
    width: side, height: side }));
  return [cells, stones.map((stone) => {
    const cell = Number.parseInt(stone[0], 16);
    return dot(left + side * (cell % columns + 0.5), top + side * (Math.floor(cell / columns) + 0.5),
      5, stone.slice(1));
  })];
}

// Stones on crossings: column, row, who.
function lines(stones) {
  const at = (step) => 8 + 16 * step;
  const drawn = [0, 1, 2, 3, 4, 5].map((step) => s("path", { class: "rule",
    d: `M${8 + 16 * step} 2V62` }));
  const across = [0, 1, 2, 3].map((step) => s("path", { class: "rule", d: `M2 ${at(step)}H94` }));
  return [drawn, across, stones.map(([column, row, who]) => dot(24 + 16 * column,
    at(Number(row)), 6.5, who))];
}

function diamond(stones) {
  const radius = 9;
  const wide = Math.sqrt(3) * radius;
  const owner = Object.fromEntries(stones.map(([row, column, who]) => [`${row},${column}`, who]));
  const cells = [];
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      cells.push(hexagon(10 + wide * (column + row / 2), 12 + 1.5 * radius * row, radius - 0.6,
        owner[`${row},${column}`] ?? "cell"));
    }
  }
  return s("g", { transform: "translate(3 0)" }, cells);
}

function hexagon(x, y, radius, kind) {
  const d = polygon([30, 90, 150, 210, 270, 330], radius);
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
  const names = { b: "black", w: "white" };
  return s("circle", { class: names[kind] ?? kind, cx: x, cy: y, r });
}
