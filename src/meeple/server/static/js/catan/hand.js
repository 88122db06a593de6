// The seat's own cards, and discarding some of them.

import { html } from "../view.js";
import { icon } from "./drawings.js";
import { button } from "./parts.js";
import { some, total } from "./words.js";

/** `table.away`: by resource, the cards chosen to be discarded. */
export function hand(table) {
  const { scene, mine } = table;
  if (!scene.hand) return null;
  if (mine && scene.phase === "discard") return discard(table);
  const { hand: held, resources } = scene;
  return html`<div class="line spread"><h2>${some(total(held), "card", "cards")}</h2>
      <p class="quiet small">${scene.points} of ${scene.target} points</p></div>
    <ul class="cards">${resources.map((name, r) => html`<li><span class="held ${name} ${
      held[r] ? "" : "none"}">${icon(name, 28)}<span class="count">${held[r]}</span><span
      class="label">${name}</span></span></li>`)}</ul>`;
}

function discard(table) {
  const { scene, away } = table;
  const due = scene.discards[scene.to_move];
  const left = due - total(away);
  const change = (r, by) => table.set({ away: away.map((n, q) => (q === r ? n + by : n)) });
  const ids = away.flatMap((n, r) => Array(n).fill(scene.codes.discard + r));
  return html`<div class="line spread">
      <p role="status">${left ? `Choose ${left} more to discard.` : "That is enough."}</p>
      ${button({ words: `Discard ${due} cards`, kind: "primary small", disabled: left !== 0,
        go: () => table.play(ids) })}</div>
    <ul class="cards">${scene.resources.map((name, r) => {
      const kept = scene.hand[r] - away[r];
      return html`<li>${button({ kind: `held ${name}`, disabled: !kept || !left,
        label: `Discard 1 ${name}, you keep ${kept}`, go: () => change(r, 1),
        words: html`${icon(name, 28)}<span class="count">${kept}</span>` })}${
        button({ kind: "small", disabled: !away[r], label: `Take back 1 ${name} of ${away[r]}`,
          go: () => change(r, -1), words: away[r] ? `−${away[r]} ↩` : "–" })}</li>`;
    })}</ul>`;
}
