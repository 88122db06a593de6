// Small drawings of Catan: resources, pieces, the robber, dice. Each around (0, 0).

import { sign } from "../boards/pieces.js";
import { drawing, s } from "../view.js";

// About 24 units wide; what is drawn is filled with `currentColor`, details with the class "hole".
const PICTURES = {
  wood: () => [s("path", { d: "M0-12L7-3H4L9 5H2V11H-2V5H-9L-4-3H-7Z" })],
  brick: () => [s("path", { d: "M-10-8H-1V-2H-10ZM1-8H10V-2H1ZM-5 0H5V6H-5ZM-10 0H-7V6H-10ZM7 0H10V6H7Z" })],
  wool: () => [s("path", { d: "M-5 4V10M5 4V10", class: "stroke" }),
    s("path", { d: "M-9 1a5 5 0 0 1 2-8a6 6 0 0 1 10-1a5 5 0 0 1 6 5a5 5 0 0 1-3 8H-6a4 4 0 0 1-3-4Z" }),
    s("ellipse", { cx: 9, cy: -1, rx: 4, ry: 3, class: "hole" })],
  grain: () => [s("path", { d: "M0 11V-6", class: "stroke" }),
    s("path", {
      d: "M0-12q4 3 0 7q-4-4 0-7ZM1-1q1-5 7-5q0 6-7 5ZM-1-1q-1-5-7-5q0 6 7 5ZM1 6q1-5 7-5q0 6-7 5Z"
        + "M-1 6q-1-5-7-5q0 6 7 5Z",
    })],
  ore: () => [s("path", { d: "M-11 8L-6-4L0-9L7-6L11 8Z" }),
    s("path", { d: "M-6-4L0 0L7-6M0 0L-2 8", class: "crack" })],
  desert: () => [s("path", { d: "M0 10V-9M0 3H-6V-3M0 0H6V-6", class: "stroke wide" })],
};

/** A resource's picture as an SVG group; `size` is its width in the units around it. */
export function picture(kind, size = 24) {
  const shapes = PICTURES[kind]?.() ?? [];
  return s("g", { class: `picture ${kind}`, transform: `scale(${size / 24})` }, shapes);
}

/** The same as a picture of its own among text, for a template. */
export function icon(kind, size = 22) {
  return drawing(iconNode, kind, size);
}

function iconNode(kind, size) {
  return s("svg", { class: `catan-icon ${kind}`, viewBox: "-13 -13 26 26", width: size,
    height: size, "aria-hidden": "true" }, picture(kind, 24));
}

const HOUSE = "M-9 8V-3L0-11L9-3V8Z";
const TOWN = "M-14 9V-4L-7-12L0-4V-1H13V9Z";

/** A settlement or a city with its player's sign. */
export function building(kind, seat) {
  const mark = s("g", {
    transform: kind === "city" ? "translate(-6.5 1.5)" : "translate(0 0.5)",
  }, sign(`p${seat}`, 10));
  return s("g", { class: `building p${seat}` }, s("path", { d: kind === "city" ? TOWN : HOUSE }), mark);
}

/** A road between two places. */
export function road([x1, y1], [x2, y2], seat) {
  const ends = { x1: mix(x1, x2), y1: mix(y1, y2), x2: mix(x2, x1), y2: mix(y2, y1) };
  const middle = `translate(${(x1 + x2) / 2} ${(y1 + y2) / 2})`;
  return s("g", { class: `road p${seat}` }, s("line", { class: "rim", ...ends }),
    s("line", { class: "fill", ...ends }), s("g", { transform: middle }, sign(`p${seat}`, 7)));
}

function mix(near, far) {
  return near + 0.2 * (far - near);
}

export function robber() {
  return s("g", { class: "robber" },
    s("path", {
      d: "M0-19a7 7 0 0 1 4 12.5q6 4 6 14.5q0 7-10 7q-10 0-10-7q0-10.5 6-14.5a7 7 0 0 1 4-12.5Z" }));
}

/** A number's disc, with a pip for each of the 36 throws that bring it. */
export function token(number) {
  const pips = 6 - Math.abs(number - 7);
  const often = number === 6 || number === 8 ? " often" : "";
  return s("g", { class: `token${often}` }, s("circle", { r: 16.5 }),
    s("text", { y: -2, "font-size": number > 9 ? 16 : 17.5 }, number),
    Array.from({ length: pips }, (_, i) =>
      s("circle", { class: "pip", r: 1.6, cx: 4.4 * (i - (pips - 1) / 2), cy: 10 })));
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A die's face. */
export function die(eyes) {
  return drawing(dieNode, eyes);
}

function dieNode(eyes) {
  return s("svg", { class: "die", viewBox: "0 0 40 40", width: 40, height: 40,
    "aria-hidden": "true" },
  s("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 8 }),
  (PIPS[eyes] ?? []).map((place) =>
    s("circle", { r: 3.6, cx: 10 + 10 * (place % 3), cy: 10 + 10 * Math.floor(place / 3) })));
}
