// The signs of players: a colour and a shape, so that neither has to be told from the other alone.

import { s } from "./dom.js";

const STONES = { Black: "black", White: "white" };

// A small stone for a seat; `name` is what its game calls it ("Black" is drawn black).
export function chip(seat, name = "") {
  const stone = STONES[name];
  const drawing = s("svg", { class: `chip ${stone ? `stone-${stone}` : `player-${seat % 4}`}`,
    viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
  s("circle", { class: "disc", cx: 12, cy: 12, r: 11 }));
  if (!stone) drawing.append(SIGNS[seat % 4]());
  return drawing;
}

// As on the boards: a dot, a ring, a triangle, a square.
const SIGNS = [
  () => s("circle", { class: "sign full", cx: 12, cy: 12, r: 3 }),
  () => s("circle", { class: "sign", cx: 12, cy: 12, r: 4.5 }),
  () => s("path", { class: "sign", d: "M12 6l5.2 9h-10.4z" }),
  () => s("path", { class: "sign", d: "M7.8 7.8h8.4v8.4h-8.4z" }),
];

// The colour of a seat as a CSS value.
export function colour(seat, name = "") {
  return STONES[name] ? `var(--${STONES[name]})` : `var(--p${seat % 4})`;
}
