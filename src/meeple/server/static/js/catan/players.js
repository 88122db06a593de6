// What all know of the players, and the card tracker: what one can tell of their hands.

import { checkbox } from "../controls.js";
import { html, nothing } from "../view.js";
import { quiet, resource } from "./parts.js";
import { some } from "./words.js";

/** A player's points, cards and roads, for the list of players. */
export function facts({ scene, tracking }, seat) {
  const player = scene.players[seat];
  const due = scene.discards[seat];
  const { left, largest_army: army, longest_road: longest } = player;
  const title = `Left: ${some(left.road, "road", "roads")}, ${
    some(left.settlement, "settlement", "settlements")}, ${some(left.city, "city", "cities")}`;
  return html`<p class="facts" title=${title}>${
    fact(player.points, "point", "points", { kind: "points" })}${
    fact(player.hand_size, "card", "cards")}${scene.rules.cards ? html`${
    fact(player.card_count, "development card", "development cards", { short: "dev." })}${
    fact(player.knights, "knight", "knights", { badge: army && "Largest army" })}` : nothing}${
    fact(player.road, "road in a row", "roads in a row", { badge: longest && "Longest road",
      short: player.road === 1 ? "road" : "roads" })}</p>${
    due ? html`<p class="badges"><span>Must discard ${due}</span></p>` : nothing}${
    player.hand && seat !== scene.seat ? openHand(scene, player) : nothing}${
    tracking && scene.tracker?.[seat] ? bars(scene, scene.tracker[seat], seat) : nothing}`;
}

/** The switch of the card tracker, whose bars stand in the list of players. */
export function tracker(table) {
  if (!table.scene.tracker) return null;
  return html`${checkbox("Card tracker", table.tracking, (on) => table.track(on))}
    ${quiet("For each player, the chance to hold a card at least once (the bar) and how many to "
      + "expect (the number).")}`;
}

/** A number with its word; `short` is shown in its place, `badge` is what it was honoured for.
 *  @param {number} n
 *  @param {string} one
 *  @param {string} many
 *  @param {{kind?: string, short?: string, badge?: string}} [more] */
function fact(n, one, many, { kind, short, badge } = {}) {
  const word = n === 1 ? one : many;
  return html`<span class=${(badge ? "badge" : kind) ?? nothing} title=${badge || nothing}><strong>${
    n}</strong> ${short ? html`<span aria-hidden="true">${short}</span><span
    class="hidden-text">${word}</span>` : word}${
    badge ? html`<span class="hidden-text"> (${badge})</span>` : nothing}</span>`;
}

/** Hands that are open to all. */
function openHand({ resources, cards }, { hand, held }) {
  const own = held.map((n, card) => (n ? `${n} ${cards[card]}` : "")).filter(Boolean);
  return html`<p class="small open-hand">${resources.map((name, r) =>
    html`<span>${resource(name, 16)} ${hand[r]}</span>`)} ${own.join(", ")}</p>`;
}

function bars(scene, { exact, cards }, seat) {
  const { name, hand_size: size } = scene.players[seat];
  if (!size) return nothing;
  const bar = ({ expected, one, chances }, r) => {
    const certain = chances.at(-1) > 0.9999;
    const said = certain ? `${chances.length - 1} for certain`
      : `${Math.round(100 * one)}% at least one, ${expected.toFixed(1)} expected`;
    const all = chances.map((chance, n) => `${n}: ${Math.round(100 * chance)}%`).join(", ");
    return html`<li title="${scene.resources[r]}: ${certain ? said : all}">
      <span class="bar" aria-hidden="true"><span class="fill ${scene.resources[r]}"
        .style=${`height: ${Math.round(100 * one)}%`}></span></span>
      ${resource(scene.resources[r], 15)}
      <span class="numbers" aria-hidden="true">${certain ? chances.length - 1
        : expected.toFixed(1)}</span><span class="hidden-text">: ${said}</span></li>`;
  };
  return html`<ul class="tracker" aria-label="What ${name} may hold${exact ? "" : ", by a sample"}">${
    cards.map(bar)}</ul>`;
}
