// The signs of players: a colour and a shape, so that neither has to be told from the other alone.

import { sign } from "./boards/pieces.js";
import { s } from "./dom.js";

const STONES = { Black: "black", White: "white" };

// A small stone for a seat; `name` is what its game calls it ("Black" is drawn black).
export function chip(seat, name = "") {
  const stone = STONES[name];
  const drawing = s("svg", { class: `chip ${stone ? `stone-${stone}` : `player-${seat % 4}`}`,
    viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
  s("circle", { class: "disc", cx: 12, cy: 12, r: 11 }));
  if (!stone) {
    drawing.append(s("g", { transform: "translate(12 12)" }, sign(`p${seat % 4}`, 8)));
  }
  return drawing;
}

// The colour of a seat as a CSS value.
export function colour(seat, name = "") {
  return STONES[name] ? `var(--${STONES[name]})` : `var(--p${seat % 4})`;
}
