// What one holds at Catan's table: the resources, with what is to be discarded, and the development
// cards.

import { sentence, t, translate } from "../messages.js";
import { button, html, nothing } from "../view.js";
import { icon } from "./drawings.js";
import { buttons } from "./parts.js";
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

const MEANINGS = {
  knight: "catan.knight", "victory point": "catan.victory_point", "road building": "catan.road_building",
  "year of plenty": "catan.plenty", monopoly: "catan.monopoly",
};
const CHOOSERS = { "year of plenty": plenty, monopoly };

/** `table.card`: {name, picked} of the card whose resources are being chosen, or null. */
export function cards(table) {
  const { scene, card } = table;
  if (!scene.held?.some((n) => n > 0)) return null;
  return html`<ul class="developments">${scene.cards.map((name, at) =>
    (scene.held[at] ? item(table, name, at) : nothing))}</ul> ${CHOOSERS[card?.name]?.(table) ?? nothing}`;
}

function item(table, name, at) {
  const { scene, card } = table;
  const fresh = scene.fresh[at];
  const first = firstAction(table, name);
  const notes = [t(MEANINGS[name]), fresh ? t("catan.fresh", { n: fresh }) : ""];
  const said = notes.filter(Boolean).join("; ");
  const asks = name in CHOOSERS;
  const open = card?.name === name;
  const go = () => (asks ? table.set({ card: open ? null : { name, picked: null } }) : table.play([first]));
  return html`<li title=${sentence(said)}><span><strong>${scene.held[at]} × ${translate(name)}</strong>${
    fresh ? html`<span class="quiet small">${t("catan.fresh_short", { n: fresh })}</span>` : nothing}<span
      class="hidden-text">: ${said}</span></span>${first === null ? nothing : button(
    html`${t("catan.play")}${asks ? "…" : ""}<span class="hidden-text"> ${translate(name)}</span>`, go,
    { kind: "small", expanded: asks ? open : undefined })}</li>`;
}

/** The lowest legal action that plays a card, or null. */
function firstAction({ scene: { codes }, legal }, name) {
  const ranges = {
    knight: [codes.knight, codes.roads],
    "road building": [codes.roads, codes.plenty],
    "year of plenty": [codes.plenty, codes.monopoly],
    monopoly: [codes.monopoly, codes.maritime],
  };
  const [low, high] = ranges[name] ?? [0, 0];
  return [...legal.keys()].find((id) => id >= low && id < high) ?? null;
}

function plenty(table) {
  const { scene: { codes, resources }, legal, card: { name, picked } } = table;
  const single = [...legal.keys()].some((id) => id >= codes.plenty_one && id < codes.monopoly);
  const pair = (a, b) => codes.plenty + Math.min(a, b) * resources.length + Math.max(a, b);
  const pick = (r) => {
    if (single) table.play([codes.plenty_one + r]);
    else if (picked !== null) table.play([pair(picked, r)]);
    else table.set({ card: { name, picked: r } });
  };
  const can = (r) => {
    if (single) return legal.has(codes.plenty_one + r);
    return picked !== null ? legal.has(pair(picked, r)) : resources.some((_, q) => legal.has(pair(r, q)));
  };
  const words = picked === null ? t("catan.first_card")
    : t("catan.second_card", { resource: sentence(translate(resources[picked])) });
  return choices(words, resources, can, pick);
}

function monopoly(table) {
  const { scene: { codes, resources } } = table;
  return choices(t("catan.which_monopoly"), resources, () => true, (r) => table.play([codes.monopoly + r]));
}

function choices(words, resources, can, pick) {
  return html`<div class="chooser" role="group" aria-label=${words}><p>${words}</p>${
    buttons(resources.map((name, r) => ({ key: name, words: html`${icon(name, 20)}${translate(name)}`,
      disabled: !can(r), go: () => pick(r) })))}</div>`;
}
