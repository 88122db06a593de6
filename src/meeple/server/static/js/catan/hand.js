// The seat's own cards, and discarding some of them.

import { button } from "../controls.js";
import { t, translate } from "../messages.js";
import { html } from "../view.js";
import { icon } from "./drawings.js";
import { total } from "./words.js";

/** `table.away`: by resource, the cards chosen to be discarded. */
export function hand(table) {
  const { scene, mine } = table;
  if (!scene.hand) return null;
  if (mine && scene.phase === "discard") return discard(table);
  const { hand: held, resources } = scene;
  return html`<div class="line spread"><h2>${t("catan.cards", { n: total(held) })}</h2>
      <p class="quiet small">${t("catan.points_of", { n: scene.points, all: scene.target })}</p></div>
    <ul class="cards">${resources.map((name, r) => html`<li><span class="held ${name} ${
      held[r] ? "" : "none"}">${icon(name, 28)}<span class="count">${held[r]}</span><span
      class="label">${translate(name)}</span></span></li>`)}</ul>`;
}

function discard(table) {
  const { scene, away } = table;
  const due = scene.discards[scene.to_move];
  const left = due - total(away);
  const change = (r, by) => table.set({ away: away.map((n, q) => (q === r ? n + by : n)) });
  const ids = away.flatMap((n, r) => Array(n).fill(scene.codes.discard + r));
  return html`<div class="line spread">
      <p role="status">${left ? t("catan.choose_discard", { n: left }) : t("catan.enough")}</p>
      ${button(t("catan.discard", { n: due }), () => table.play(ids),
        { kind: "primary small", disabled: left !== 0 })}</div>
    <ul class="cards">${scene.resources.map((name, r) => {
      const kept = scene.hand[r] - away[r];
      return html`<li>${button(html`${icon(name, 28)}<span class="count">${kept}</span>`,
        () => change(r, 1), { kind: `held ${name}`, disabled: !kept || !left,
          label: t("catan.discard_one", { resource: translate(name), n: kept }) })}${
        button(away[r] ? `−${away[r]} ↩` : "–", () => change(r, -1), { kind: "small", disabled: !away[r],
          label: t("catan.take_back", { resource: translate(name), n: away[r] }) })}</li>`;
    })}</ul>`;
}
