// Catan's dice and the bank, and the cards that a roll brings, which fly to their owners.

import { sentence, t, translate } from "../messages.js";
import { h, html, nothing, s, svg } from "../view.js";
import { die, picture } from "./drawings.js";
import { price, resource } from "./parts.js";
import { total } from "./words.js";

/** `table.turning`: the dice have just been rolled. */
export function dice({ scene, turning }) {
  return html`<div class="dice ${turning ? "turning" : ""}">${faces(scene.dice, total(scene.rolls))
    .map((eyes) => die(eyes))}</div>
    <p class="small">${scene.dice ? html`${t("catan.rolled")} <strong>${scene.dice}</strong>`
      : t("catan.not_rolled")}</p>`;
}

/** Two dice that show a sum; which two is a matter of looks, as the game draws the sum. */
function faces(sum, rolls) {
  if (!sum) return [0, 0];
  const low = Math.max(1, sum - 6);
  const first = low + ((rolls * 7) % (Math.min(6, sum - 1) - low + 1));
  return [first, sum - first];
}

/** How often each number was rolled. */
export function rolls({ scene }) {
  return total(scene.rolls) ? html`<h2>${t("catan.rolls")}</h2>${histogram(scene.rolls)}` : null;
}

function histogram(counts) {
  const all = total(counts);
  const most = Math.max(1, ...counts, ...counts.map((_, i) => (all * ways(i + 2)) / 36));
  const [wide, high] = [24, 64];
  const bars = counts.map((n, i) => {
    const top = (high * n) / most;
    const due = high - (high * all * ways(i + 2)) / 36 / most;
    const x = wide * i;
    return svg`<g><rect class="bar ${i === 5 ? "seven" : ""}" x=${x + 3} y=${high - top + 14}
        width=${wide - 6} height=${top}></rect>
      <line class="due" x1=${x + 2} x2=${x + wide - 2} y1=${due + 14} y2=${due + 14}></line>
      <text x=${x + wide / 2} y=${Math.min(high - top, due) + 10}>${n || ""}</text>
      <text class="sum" x=${x + wide / 2} y=${high + 30}>${i + 2}</text></g>`;
  });
  const said = counts.map((n, i) => (n ? `${i + 2}: ${n}` : "")).filter(Boolean).join(", ");
  const words = t("catan.rolls_so_far", { n: all });
  return html`<figure class="histogram"><svg viewBox="0 0 ${wide * counts.length} ${high + 36}"
      role="img" aria-label="${words}; ${said}">${bars}</svg>
    <figcaption class="quiet small">${t("catan.rolls_caption", { rolls: words })}</figcaption>
  </figure>`;
}

function ways(sum) {
  return 6 - Math.abs(sum - 7);
}

export function stock({ scene }) {
  const { bank, resources, deck, costs, rules } = scene;
  const things = Object.entries(costs).filter(([thing]) => rules.cards || thing !== "development card");
  return html`<h2>${t("catan.bank")}</h2>
    <ul class="stock">${resources.map((name, r) => html`<li class=${bank[r] ? "" : "none"}>${
      resource(name, 20)} ${bank[r]}</li>`)}${rules.cards ? html`<li>${
      t("catan.deck", { n: deck })}</li>` : nothing}</ul>
    <h2>${t("catan.costs")}</h2>
    <ul class="costs">${things.map(([thing, cost]) => html`<li><span>${sentence(translate(thing))}</span>${
      price(scene, cost)}</li>`)}</ul>`;
}

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
    const to = middle(row?.getClientRects().length ? row : island.querySelector(`[data-spot="v${vertex}"]`));
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
