// A board of squares: plain fields, stones on the crossings of lines, or discs on felt.

import { s } from "../view.js";
import { t } from "../messages.js";
import { box, coordinate, lettering, stone, tile } from "./pieces.js";

const UNIT = 40;
const MARGIN = 30; // for the letters and numbers around the board
const LARGEST = 112; // pixels of a cell, however few there are
const AROUND = 190; // pixels of a screen's height that are not the board's
const RIM = 8; // of the board around its cells

/** The family of boards; see `field.js`. */
export const squares = { layout, draw, ring, words, over, spot: String, pieces: (scene) => scene.pieces };

function layout(scene, width) {
  const { rows, columns, names, style = "fields", colours = [] } = scene;
  const [wide, high] = [columns * UNIT, rows * UNIT];
  const half = UNIT / 2;
  const tall = innerHeight - AROUND; // as css/boards.css bounds it
  const fits = Math.min(width / (wide + 2 * MARGIN), tall / (high + 2 * MARGIN));
  const magnified = Math.min(fits, LARGEST / UNIT);
  const size = lettering(magnified, 8, 17);
  const cells = names.map((name, cell) => ({ spot: String(cell), name,
    x: MARGIN + half + (cell % columns) * UNIT, y: MARGIN + half + Math.floor(cell / columns) * UNIT,
    shape: `M${-half} ${-half}H${half}V${half}H${-half}Z` }));
  return { key: `${rows} ${columns} ${style} ${size} ${colours}`, colours,
    width: wide + 2 * MARGIN, height: high + 2 * MARGIN, unit: UNIT, most: LARGEST / UNIT, style,
    under: [...ground(wide, high), ...grid(style, rows, columns), ...coordinates(scene, size)],
    rows: Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns)) };
}

function ground(wide, high) {
  const plate = s("rect", { class: "plate", x: MARGIN - RIM, y: MARGIN - RIM, width: wide + 2 * RIM,
    height: high + 2 * RIM, rx: 8 });
  const field = s("rect", { class: "cloth", x: MARGIN, y: MARGIN, width: wide, height: high });
  return [plate, field];
}

function grid(style, rows, columns) {
  const inset = style === "lines" ? UNIT / 2 : 0;
  const [left, top] = [MARGIN + inset, MARGIN + inset];
  const [right, bottom] = [MARGIN + columns * UNIT - inset, MARGIN + rows * UNIT - inset];
  let d = "";
  for (let y = top; y <= bottom; y += UNIT) d += `M${left} ${y}H${right}`;
  for (let x = left; x <= right; x += UNIT) d += `M${x} ${top}V${bottom}`;
  const points = style === "fields" ? [] : stars(style, rows, columns);
  return [s("path", { class: "grid", d }),
    ...points.map(([row, column]) => {
      const place = [MARGIN + inset + column * UNIT, MARGIN + inset + row * UNIT];
      return s("circle", { class: "star", cx: place[0], cy: place[1], r: 3.5 });
    })];
}

/** The dots by which one finds one's way: of Gomoku's crossings, or of Othello's corners. */
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

/** The column's and the row's part of each name, at all four edges. */
function coordinates({ rows, columns, names }, size) {
  const at = (place) => MARGIN + UNIT / 2 + place * UNIT;
  const found = [];
  const put = (text, x, y) => found.push(coordinate(text, x, y, size));
  for (let column = 0; column < columns; column += 1) {
    const letters = names[column].replace(/\d+$/, "");
    put(letters, at(column), (MARGIN - RIM) / 2);
    put(letters, at(column), MARGIN + rows * UNIT + (MARGIN + RIM) / 2);
  }
  for (let row = 0; row < rows; row += 1) {
    const number = names[row * columns].replace(/^\D+/, "");
    put(number, (MARGIN - RIM) / 2, at(row));
    put(number, MARGIN + columns * UNIT + (MARGIN + RIM) / 2, at(row));
  }
  return found;
}

function draw(piece, cell, { unit, style, colours }) {
  if (!/^p\d$/.test(piece)) return tile(piece, unit);
  return stone(piece, (style === "lines" ? 0.45 : 0.4) * unit, !colours[piece[1]]);
}

function ring(piece, { unit, colours }) {
  if (piece && !/^p\d$/.test(piece)) return box("ring", 0.78 * unit, 0.12 * unit);
  return s("circle", { class: "ring", r: (colours.length ? 0.1 : 0.4) * unit });
}

function words(piece) {
  const id = { "|": "board.upright", "-": "board.flat" }[piece];
  return id ? t(id) : "";
}

/** A stroke through a winning row, where it is a single one. */
function over({ line, columns }, cells) {
  const numbers = (line ?? []).map(Number);
  if (numbers.length < 2) return [];
  const places = numbers.map((cell) => [Math.floor(cell / columns), cell % columns]);
  const [row, column] = places[0];
  const [down, right] = [places[1][0] - row, places[1][1] - column];
  const straight = places.every(([r, c], at) => r === row + at * down && c === column + at * right);
  if (!straight) return [];
  const [first, last] = [cells.get(line[0]), cells.get(line.at(-1))];
  return [s("path", { class: "stroke", d: `M${first.x} ${first.y}L${last.x} ${last.y}` })];
}
