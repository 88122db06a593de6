// Rows of cells on a mat: heaps of stones, or a strip with coins that slide towards its ledge.

import { s } from "../view.js";
import { t } from "../messages.js";
import { coordinate, stone, tile } from "./pieces.js";

const LABEL = 36; // pixels for a row's name
const COUNT = 52; // pixels for how many stones it has
const SIZES = [80, 72, 64, 56, 48, 40, 36, 32, 30, 28, 24]; // pixels of a cell
const TALL = [360, 0.68]; // pixels, and share of the mat's width, that heaps may be high
const GROUP = 5; // stones stand in fives
const GAP = 0.4; // between two fives, in stones
const LINE = 1.08; // from one line of a heap to the next, in stones
const BETWEEN = 16; // pixels between two rows
const NUMBERS = 22; // pixels for the numbers under a row
const SHELF = 14; // pixels for the ledge
const SPARE = [12, 0.04]; // pixels, and share of the width, around what lies on the mat

/** The family of boards; see `field.js`. */
export const row = { layout, pieces, draw, ring, words, over: counts };

/** How many cells each row has at its fullest: places are kept for them. */
function rooms(scene) {
  return scene.rows.map(({ room, cells }) => Math.max(1, room ?? 0, cells.length));
}

/** The largest size of a cell at which the board is about as high as a screen at most. */
function cellSize(scene, width, strip) {
  const all = rooms(scene);
  const cells = all.reduce((sum, room) => sum + room, 0);
  if (strip) return SIZES.find((size) => size * Math.max(...all) <= width) ?? 28;
  const tall = Math.max(TALL[0], TALL[1] * width);
  const fits = (size) => {
    const five = Math.min(GROUP, Math.max(...all)) * size;
    const lines = all.reduce((sum, room) => sum + Math.ceil(room / perLine(size, width, all)), 0);
    return five <= width && lines * LINE * size + (all.length - 1) * BETWEEN <= tall;
  };
  const least = cells <= 120 ? 32 : cells <= 400 ? 24 : 18;
  return SIZES.find((size) => size <= 72 && fits(size)) ?? least;
}

/** How many stones lie side by side: all of the longest heap, or whole fives. */
function perLine(unit, width, all) {
  const many = Math.max(...all);
  if (span(many) * unit <= width) return many;
  return GROUP * Math.max(1, Math.floor((width / unit + GAP) / (GROUP + GAP)));
}

/** The length of so many stones in a line, in stones. */
function span(many) {
  return many + GAP * Math.floor((many - 1) / GROUP);
}

function layout(scene, width) {
  const strip = scene.rows.some((row) => row.numbered || row.ledge);
  const named = scene.rows.some((row) => row.label);
  const all = rooms(scene);
  const spare = SPARE[0] + SPARE[1] * width;
  const before = strip ? SHELF : named ? LABEL : 4;
  const after = strip ? 8 : COUNT;
  const room = width - before - after - 2 * SPARE[0];
  const unit = cellSize(scene, room, strip);
  const line = strip ? Math.max(1, Math.floor(room / unit)) : perLine(unit, room, all);
  const place = strip ? stripPlaces(unit, line) : heapPlaces(unit, line);
  const longest = Math.min(line, Math.max(...all));
  const wide = before + (strip ? longest : span(longest)) * unit + after;
  const left = Math.max(SPARE[0], (width - wide) / 2) + before;
  const under = [];
  const counters = [];
  let top = spare + (strip ? 18 : 0);
  const rows = scene.rows.map((row, at) => {
    const cells = row.cells.map((cell, number) => {
      const [x, y] = place(number);
      const half = unit / 2;
      return { spot: cell.spot, name: cellWords(row, number), x: left + x, y: top + y,
        shape: `M${-half} ${-half}H${half}V${half}H${-half}Z` };
    });
    if (strip) under.push(...stripGround(row, cells, unit));
    if (row.label) under.push(text("heap", row.label, left - before / 2 - 2, top + 0.54 * unit));
    if (!strip) {
      const end = cells.at(-1);
      counters.push({ row: at, x: end ? end.x + unit / 2 : left, y: end?.y ?? top + 0.54 * unit });
    }
    const bottom = top + place(all[at] - 1)[1] + unit / 2;
    top = bottom + (row.numbered ? NUMBERS : 0) + BETWEEN;
    return cells;
  });
  const high = top - BETWEEN + spare;
  const [x, y] = [0.5, 0.5]; // so that the line around the mat is sharp
  const mat = s("rect", { class: "mat", x, y, width: width - 1, height: high - 1, rx: 8 });
  return { key: JSON.stringify([unit, width, scene.rows.map((row) => [row.label, row.cells.length])]),
    width, height: high, unit, strip, under: [mat, ...under], counters, rows, most: 1 };
}

function heapPlaces(unit, many) {
  return (number) => {
    const along = number % many;
    const line = Math.floor(number / many);
    return [(along + 0.5 + GAP * Math.floor(along / GROUP)) * unit, (line * LINE + 0.5) * unit];
  };
}

function stripPlaces(unit, many) {
  return (number) => [((number % many) + 0.5) * unit,
    (Math.floor(number / many) * (1 + (NUMBERS + 8) / unit) + 0.5) * unit];
}

function stripGround(row, cells, unit) {
  const found = cells.map(({ x, y }) =>
    s("rect", { class: "plank", x: x - unit / 2, y: y - unit / 2, width: unit, height: unit }));
  if (row.ledge && cells.length) {
    const { x, y } = cells[0];
    const edge = x - unit / 2;
    found.push(s("path", { class: "ledge", d: `M${edge} ${y - unit / 2 - 4}V${y + unit / 2 + 4}` }),
      text("ledge-name", t("board.ledge"), edge - 4, y - unit / 2 - 15));
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
  if (row.numbered) return t("board.cell", { n: number });
  return t(row.label ? "board.heap" : "board.place", { heap: row.label, n: number + 1 });
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
  const id = { copper: "board.copper", gold: "board.gold", stone: "board.pebble" }[piece];
  return id ? t(id) : "";
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
  return [s("circle", { class: "shadow", r, cy: 0.1 * r }), s("circle", { class: kind, r }),
    s("ellipse", { class: "shine", rx: 0.42 * r, ry: 0.24 * r, cx: -0.28 * r, cy: -0.46 * r })];
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
