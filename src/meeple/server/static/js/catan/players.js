// What all know of the players, and the card tracker: what one can tell of their hands.

import { number, t, translate } from "../messages.js";
import { checkbox, html, nothing } from "../view.js";
import { quiet, resource } from "./parts.js";

/** A player's points, cards and roads, for the list of players. */
export function facts({ scene, tracking }, seat) {
  const player = scene.players[seat];
  const due = scene.discards[seat];
  const { left, largest_army: army, longest_road: longest } = player;
  const title = t("catan.left", { roads: t("catan.roads", { n: left.road }),
    settlements: t("catan.settlements", { n: left.settlement }),
    cities: t("catan.cities", { n: left.city }) });
  return html`<p class="facts" title=${title}>${
    fact(player.points, "catan.fact_points", { kind: "points" })}${
    fact(player.hand_size, "catan.fact_cards")}${scene.rules.cards ? html`${
    fact(player.card_count, "catan.fact_developments", { short: "catan.fact_dev" })}${
    fact(player.knights, "catan.fact_knights", { badge: army && t("catan.largest_army") })}` : nothing}${
    fact(player.road, "catan.fact_road", { badge: longest && t("catan.longest_road"),
      short: "catan.fact_road_short" })}</p>${
    due ? html`<p class="badges"><span>${t("catan.must_discard", { n: due })}</span></p>` : nothing}${
    player.hand && seat !== scene.seat ? openHand(scene, player) : nothing}${
    tracking && scene.tracker?.[seat] ? bars(scene, scene.tracker[seat], seat) : nothing}`;
}

/** The switch of the card tracker, whose bars stand in the list of players. */
export function tracker(table) {
  if (!table.scene.tracker) return null;
  return html`${checkbox(t("catan.tracker"), table.tracking, (on) => table.track(on))}
    ${quiet(t("catan.tracker_about"))}`;
}

/** A number with its word; `short` is shown in its place, `badge` is what it was honoured for.
 *  @param {number} n
 *  @param {string} id of the word
 *  @param {{kind?: string, short?: string, badge?: string}} [more] */
function fact(n, id, { kind, short, badge } = {}) {
  const word = t(id, { n });
  return html`<span class=${(badge ? "badge" : kind) ?? nothing} title=${badge || nothing}><strong>${
    n}</strong> ${short ? html`<span aria-hidden="true">${t(short, { n })}</span><span
    class="hidden-text">${word}</span>` : word}${
    badge ? html`<span class="hidden-text"> (${badge})</span>` : nothing}</span>`;
}

/** Hands that are open to all. */
function openHand({ resources, cards }, { hand, held }) {
  const own = held.map((n, card) => (n ? `${n} ${translate(cards[card])}` : "")).filter(Boolean);
  return html`<p class="small open-hand">${resources.map((name, r) =>
    html`<span>${resource(name, 16)} ${hand[r]}</span>`)} ${own.join(", ")}</p>`;
}

function bars(scene, { exact, cards }, seat) {
  const { name, hand_size: size } = scene.players[seat];
  if (!size) return nothing;
  const bar = ({ expected, one, chances }, r) => {
    const certain = chances.at(-1) > 0.9999;
    const said = certain ? t("catan.certain", { n: chances.length - 1 })
      : t("catan.likely", { share: Math.round(100 * one), expected: number(expected, 1) });
    const all = chances.map((chance, n) => `${n}: ${Math.round(100 * chance)}%`).join(", ");
    return html`<li title="${translate(scene.resources[r])}: ${certain ? said : all}">
      <span class="bar" aria-hidden="true"><span class="fill ${scene.resources[r]}"
        .style=${`height: ${Math.round(100 * one)}%`}></span></span>
      ${resource(scene.resources[r], 15)}
      <span class="numbers" aria-hidden="true">${certain ? chances.length - 1
        : number(expected, 1)}</span><span class="hidden-text">: ${said}</span></li>`;
  };
  return html`<ul class="tracker" aria-label=${
    t(exact ? "catan.may_hold" : "catan.may_hold_sample", { name: translate(name) })}>${
    cards.map(bar)}</ul>`;
}
