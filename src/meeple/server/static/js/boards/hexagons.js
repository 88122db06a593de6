// A diamond of hexagons with coloured sides: lying where there is room, on its tip on a phone.

import { s } from "../view.js";
import { coordinate, HEXAGON, lettering, polygon, sign } from "./pieces.js";

const SIDE = 24; // of a hexagon
const ACROSS = Math.sqrt(3) * SIDE; // from one neighbour's middle to the next
const LARGEST = 112; // pixels of a hexagon, however few there are
const NARROW = [440, 560]; // pixels below which the diamond stands on its tip, always or with small cells
const SMALL = 28; // pixels of a cell
const LABEL = 0.74 * ACROSS; // from a cell at the edge to its letter or number, and their size
const AROUND = 14; // from the labels' middles to the picture's edge

/** The family of boards; see `field.js`. */
export const hexagons = { layout, draw, ring, over, spot: String, pieces: (scene) => scene.pieces };

/** From a middle into a direction, in degrees from the right, downwards.
 *  @param {number[]} from
 *  @param {number} angle
 *  @param {number} length */
function going([x, y], angle, length) {
  const turn = (angle * Math.PI) / 180;
  return [x + length * Math.cos(turn), y + length * Math.sin(turn)];
}

function layout(scene, width) {
  const { rows, columns, names, sides } = scene;
  const small = width / (columns + 1.5 + rows / 2) < SMALL;
  const turn = width < NARROW[small ? 1 : 0] ? 60 : 0; // degrees by which the lying diamond is turned
  const place = (row, column) => going(going([0, 0], turn, column * ACROSS), 60 + turn, row * ACROSS);
  const shape = polygon(HEXAGON, SIDE);
  const across = (columns + (turn ? 1.5 : 1.5 + rows / 2)) * ACROSS; // more or less
  const size = lettering(Math.min(width / across, LARGEST / ACROSS), 8, 22);
  const labels = edgeLabels(names, rows, columns, place, turn, LABEL + 0.8 * size);
  const xs = labels.map(({ at }) => at[0]);
  const ys = labels.map(({ at }) => at[1]);
  for (const [row, column] of [[0, 0], [0, columns - 1], [rows - 1, 0], [rows - 1, columns - 1]]) {
    xs.push(place(row, column)[0] - ACROSS * 0.6, place(row, column)[0] + ACROSS * 0.6);
    ys.push(place(row, column)[1] - SIDE * 1.2, place(row, column)[1] + SIDE * 1.2);
  }
  const [left, top] = [Math.min(...xs) - AROUND, Math.min(...ys) - AROUND];
  const [wide, high] = [Math.max(...xs) + AROUND - left, Math.max(...ys) + AROUND - top];
  const shifted = (/** @type {number[]} */ [x, y]) => [x - left, y - top];
  const middle = (row, column) => shifted(place(row, column));
  const cells = names.map((name, cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const [x, y] = middle(row, column);
    return { spot: String(cell), name, x, y, shape };
  });
  return {
    key: `${rows} ${columns} ${turn} ${sides.rows} ${sides.columns} ${size}`,
    width: wide, height: high, unit: 1.5 * SIDE, most: LARGEST / ACROSS,
    under: [...ribbons(scene, middle, turn),
      ...labels.map(({ text, at }) => {
        const [x, y] = shifted(at);
        return coordinate(text, x, y, size);
      })],
    rows: Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns)),
  };
}

/** Letters where columns begin and end, numbers where rows do. */
function edgeLabels(names, rows, columns, place, turn, away) {
  const found = [];
  for (let column = 0; column < columns; column += 1) {
    const text = names[column].replace(/\d+$/, "");
    found.push({ text, at: going(place(0, column), 240 + turn, away) });
    found.push({ text, at: going(place(rows - 1, column), 60 + turn, away) });
  }
  for (let row = 0; row < rows; row += 1) {
    const text = names[row * columns].replace(/^\D+/, "");
    found.push({ text, at: going(place(row, 0), 180 + turn, away) });
    found.push({ text, at: going(place(row, columns - 1), turn, away) });
  }
  return found;
}

/** The four sides in their owners' colours; two sides share the edge at a blunt corner. */
function ribbons({ rows, columns, sides }, middle, turn) {
  const corner = (row, column, angle) => going(middle(row, column), angle + turn, SIDE);
  const half = (row, column, one, other) => {
    const [a, b] = [corner(row, column, one), corner(row, column, other)];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const across = Array.from({ length: columns }, (_, column) => column);
  const down = Array.from({ length: rows }, (_, row) => row);
  const [bottom, right] = [rows - 1, columns - 1];
  const blunt = [half(0, right, -90, -30), half(bottom, 0, 90, 150)];
  const paths = {
    rows: [[...across.flatMap((column) => [corner(0, column, 210), corner(0, column, 270)]), blunt[0]],
      [blunt[1], ...across.flatMap((column) => [corner(bottom, column, 90), corner(bottom, column, 30)])]],
    columns: [[...down.flatMap((row) => [corner(row, 0, 210), corner(row, 0, 150)]), blunt[1]],
      [blunt[0], ...down.flatMap((row) => [corner(row, right, -30), corner(row, right, 30)])]],
  };
  return ["rows", "columns"].flatMap((name) => paths[name].map((points) =>
    s("polyline", { class: `ribbon p${sides[name]}`, points: written(points) })));
}

function written(points) {
  return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

function draw(piece) {
  const shape = polygon(HEXAGON, 0.84 * SIDE);
  return [s("path", { class: `stone ${piece}`, d: shape }), sign(piece, 0.5 * SIDE)];
}

function ring() {
  return s("path", { class: "ring", d: polygon(HEXAGON, 0.86 * SIDE) });
}

/** The chain that joins the winner's sides. */
function over({ line }, cells) {
  if (!line?.length) return [];
  const points = line.map((spot) => cells.get(spot)).map(({ x, y }) => [x, y]);
  return [s("polyline", { class: "stroke", points: written(points) })];
}
