// Cards that fly from the tiles to their owners after a roll.

import { h, s } from "../dom.js";
import { picture } from "./drawings.js";

const FLIGHT = 1000; // milliseconds
const APART = 80; // milliseconds between two cards
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** The cards of the last roll, [{tile, vertex, seat, resource}]; none of what the bank did not pay. */
export function production(before, scene) {
  const { tiles, vertices, robber, dice, resources } = scene;
  const paid = resources.filter((_, r) => scene.bank[r] < before.bank[r]);
  return scene.buildings.flatMap(({ vertex, seat, kind }) => vertices[vertex].tiles
    .filter((tile) => tiles[tile].number === dice && tile !== robber
      && paid.includes(tiles[tile].resource))
    .flatMap((tile) => Array(kind === "city" ? 2 : 1).fill(
      { tile, vertex, seat, resource: tiles[tile].resource })));
}

/** Shows the cards on their way from the tiles of `island` to the players; `rowOf(seat)` is the node
 *  of a player, if there is one. Nothing moves for those who want less motion. */
export function showProduction(island, cards, rowOf) {
  if (STILL.matches || document.hidden) return;
  cards.forEach(({ tile, vertex, seat, resource }, at) => {
    const row = rowOf(seat);
    const from = middle(island.querySelector(`[data-spot="t${tile}"]`));
    const to = middle(row?.getClientRects().length ? row
      : island.querySelector(`[data-spot="v${vertex}"]`));
    const card = h("div", { class: "flying-card", "aria-hidden": "true" },
      s("svg", { class: `catan-icon ${resource}`, viewBox: "-13 -13 26 26", width: 30, height: 30 },
        picture(resource)));
    document.body.append(card);
    const places = [from, from, to].map(([x, y]) => `translate(${x}px, ${y}px)`);
    card.animate([{ transform: places[0], opacity: 0 }, { transform: places[1], opacity: 1, offset: 0.2 },
      { transform: places[2], opacity: 0.9 }],
    { duration: FLIGHT, delay: APART * at, easing: "ease-in-out", fill: "backwards" })
      .finished.finally(() => card.remove());
  });
}

function middle(node) {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [x + width / 2 - 15, y + height / 2 - 15];
}
