// Rows of cells: heaps of stones, or a strip with coins that slide towards its ledge.

import { s } from "../dom.js";
import { makeField } from "./field.js";
import { coordinate, stone, tile } from "./pieces.js";

const LABEL = 36; // pixels for a row's name
const COUNT = 52; // pixels for how many stones it has
const SIZES = [56, 48, 40, 36, 32, 30, 28, 24]; // few, so that a move seldom changes them
const GROUP = 5; // stones stand in fives
const GAP = 0.4; // between two fives, in stones
const BETWEEN = 16; // pixels between two rows
const NUMBERS = 22; // pixels for the numbers under a row
const SHELF = 14; // pixels for the ledge

/** The board in a container; see `board.js`. */
export function makeRow(container, options) {
  return makeField(container, options, { layout, pieces, draw, ring, words, over: counts });
}

function longest(scene) {
  return Math.max(1, ...scene.rows.map((row) => row.cells.length));
}

/** The largest size of a cell in pixels at which the board is not much longer than a screen. */
function cellSize(scene, width, strip) {
  const cells = scene.rows.reduce((sum, row) => sum + row.cells.length, 0);
  const many = longest(scene);
  const long = strip ? many : many + GAP * Math.floor((many - 1) / GROUP);
  const least = strip ? 28 : cells <= 120 ? 32 : cells <= 400 ? 24 : 18;
  const most = cells <= 60 ? 56 : 40;
  const fits = Math.min(most, width / long);
  return Math.max(least, SIZES.find((size) => size <= fits) ?? 0);
}

function layout(scene, width) {
  const strip = scene.rows.some((row) => row.numbered || row.ledge);
  const named = scene.rows.some((row) => row.label);
  const left = strip ? SHELF : named ? LABEL : 4;
  const right = strip ? 8 : COUNT;
  const room = width - left - right;
  const unit = cellSize(scene, room, strip);
  const place = strip ? stripPlaces(unit, room) : heapPlaces(unit, room, longest(scene));
  const under = [];
  const counters = [];
  let [top, wide] = [strip ? 26 : 8, 0];
  const rows = scene.rows.map((row, at) => {
    const cells = row.cells.map((cell, number) => {
      const [x, y] = place(number);
      const half = unit / 2;
      wide = Math.max(wide, x + half);
      return {
        spot: cell.spot,
        name: cellWords(row, number),
        x: left + x,
        y: top + y,
        shape: `M${-half} ${-half}H${half}V${half}H${-half}Z`,
      };
    });
    const bottom = (cells.at(-1)?.y ?? top + unit / 2) + unit / 2;
    if (strip) under.push(...stripGround(row, cells, unit));
    if (row.label) under.push(text("heap", row.label, left / 2 - 2, top + 0.54 * unit));
    if (!strip) {
      counters.push({ row: at, x: (cells.at(-1)?.x ?? 0) + unit / 2, y: bottom - unit / 2 });
    }
    top = bottom + (row.numbered ? NUMBERS : 0) + BETWEEN;
    return cells;
  });
  return {
    key: JSON.stringify([unit, wide, scene.rows.map((row) => [row.label, row.cells.length])]),
    width: left + wide + right,
    height: top - BETWEEN + 8,
    unit,
    strip,
    under,
    counters,
    rows,
    most: 1,
  };
}

function heapPlaces(unit, width, many) {
  const five = (GROUP + GAP) * unit;
  const whole = (many + GAP * Math.floor((many - 1) / GROUP)) * unit <= width;
  const fives = whole ? many : Math.max(1, Math.floor((width + GAP * unit) / five));
  return (number) => {
    const line = Math.floor(number / (fives * GROUP));
    const along = number % (fives * GROUP);
    return [(along + 0.5 + GAP * Math.floor(along / GROUP)) * unit, (line + 0.5) * unit * 1.08];
  };
}

function stripPlaces(unit, width) {
  const many = Math.max(1, Math.floor(width / unit));
  return (number) => [
    ((number % many) + 0.5) * unit,
    (Math.floor(number / many) * (1 + (NUMBERS + 8) / unit) + 0.5) * unit,
  ];
}

function stripGround(row, cells, unit) {
  const found = cells.map(({ x, y }) =>
    s("rect", { class: "plank", x: x - unit / 2, y: y - unit / 2, width: unit, height: unit }),
  );
  if (row.ledge && cells.length) {
    const { x, y } = cells[0];
    const edge = x - unit / 2;
    found.push(
      s("path", { class: "ledge", d: `M${edge} ${y - unit / 2 - 4}V${y + unit / 2 + 4}` }),
      text("ledge-name", "ledge", edge - 4, y - unit / 2 - 15),
    );
  }
  if (row.numbered) {
    cells.forEach(({ x, y }, number) => {
      found.push(coordinate(String(number), x, y + unit / 2 + NUMBERS / 2 + 2, 13));
    });
  }
  return found;
}

function text(kind, words, x, y) {
  return s("text", { class: kind, x, y }, words);
}

function cellWords(row, number) {
  if (row.numbered) return `cell ${number}`;
  return row.label ? `heap ${row.label}, place ${number + 1}` : `place ${number + 1}`;
}

/** How many stones each heap has, after its last place. */
function counts(scene, cells, { counters }) {
  return counters.map(({ row, x, y }) => {
    const left = scene.rows[row].cells.filter(({ piece }) => piece).length;
    return s("text", { class: "count", x: x + 8, y }, left);
  });
}

function pieces(scene) {
  const all = scene.rows.flatMap((row) => row.cells.map(({ spot, piece }) => [spot, piece]));
  return Object.fromEntries(all);
}

function words(piece) {
  return { copper: "copper coin", gold: "gold coin", stone: "stone" }[piece] ?? "";
}

function draw(piece, cell, { unit }) {
  if (/^p\d$/.test(piece)) return stone(piece, 0.4 * unit);
  if (piece === "stone") return [...round("pebble", 0.41 * unit)];
  if (piece === "copper") return [...round("copper", 0.38 * unit), rim(0.29 * unit)];
  if (piece === "gold") return [...round("gold", 0.38 * unit), star(0.24 * unit)];
  return tile(piece, unit);
}

function ring(piece, { unit, strip }) {
  return s("circle", { class: piece ? "ring" : "ring left", r: (strip ? 0.38 : 0.41) * unit });
}

function round(kind, r) {
  return [
    s("circle", { class: "shadow", r, cy: 0.1 * r }),
    s("circle", { class: kind, r }),
    s("ellipse", { class: "shine", rx: 0.42 * r, ry: 0.24 * r, cx: -0.28 * r, cy: -0.46 * r }),
  ];
}

function rim(r) {
  return s("circle", { class: "rim", r });
}

function star(r) {
  const points = Array.from({ length: 10 }, (_, at) => {
    const [angle, length] = [((at * 36 - 90) * Math.PI) / 180, at % 2 ? 0.45 * r : r];
    return `${(length * Math.cos(angle)).toFixed(2)} ${(length * Math.sin(angle)).toFixed(2)}`;
  });
  return s("path", { class: "emblem", d: `M${points.join("L")}Z` });
}
