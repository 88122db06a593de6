// The signs of players: a colour and a shape, so that neither has to be told from the other alone.

import { sign } from "./boards/pieces.js";
import { drawing, s } from "./view.js";

const STONES = { Black: "black", White: "white", black: "black", white: "white" };

/** A small stone for a seat, for a template; `name` is what its game calls the seat ("Black" is
 *  drawn black). Without a seat, as of a move of chance, the place of one. */
export function chip(seat, name = "") {
  return drawing(chipNode, seat, name);
}

function chipNode(seat, name = "") {
  const stone = STONES[name];
  const kind = seat < 0 ? "" : stone ? `stone-${stone}` : `player-${seat % 4}`;
  return s("svg", { class: `chip ${kind}`, viewBox: "0 0 24 24", width: 20, height: 20,
    "aria-hidden": "true" },
  seat < 0 ? null : s("circle", { class: "disc", cx: 12, cy: 12, r: 11 }),
  seat < 0 || stone ? null : s("g", { transform: "translate(12 12)" }, sign(`p${seat % 4}`, 8)));
}

/** What `chip` and `colour` take as a seat's name: the colour of its stones on the board, or its name. */
export const stoneOf = (scene, seat, name = "") => scene?.colours?.[seat] ?? name;

/** The colour of a seat as a CSS value. */
export function colour(seat, name = "") {
  return STONES[name] ? `var(--${STONES[name]})` : `var(--p${seat % 4})`;
}
