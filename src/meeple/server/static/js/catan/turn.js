// The bar of a turn: dice, what to build, whom to rob, the turn's end.

import { sentence, t, translate } from "../messages.js";
import { html } from "../view.js";
import { dealDecision } from "./deal.js";
import { buttons, price } from "./parts.js";
import { decision, mayOffer } from "./trade.js";
import { amounts } from "./words.js";

const BUILT = ["road", "settlement", "city"];

export function turn(table) {
  if (!table.mine) return null;
  const decided = decision(table) ?? dealDecision(table);
  if (decided) return decided;
  const list = [single(table, "roll", t("catan.roll"), "primary"), ...victims(table), ...builders(table),
    single(table, "buy", t("catan.buy"), "", table.scene.costs["development card"]),
    mayTrade(table) && { key: "trade", words: t("catan.trade_open"), go: () => table.trade() },
    single(table, "end", t("catan.end"), table.legal.size === 1 ? "primary" : "")].filter(Boolean);
  return list.length ? buttons(list) : null;
}

function single(table, code, words, kind, cost = null) {
  const id = table.scene.codes[code];
  return table.legal.has(id) && { key: code, kind, go: () => table.play([id]),
    words: cost ? html`${words}${price(table.scene, cost)}` : words };
}

function mayTrade(table) {
  const { scene: { codes, phase }, legal } = table;
  return phase === "main" && (mayOffer(table)
    || [...legal.keys()].some((id) => id >= codes.maritime && id < codes.discard));
}

function victims({ scene, legal, play, name }) {
  const { codes, players } = scene;
  return [...legal.keys()].filter((id) => id >= codes.rob && id < codes.roll).map((id) => {
    const { hand_size: size } = players[id - codes.rob];
    return { key: id, kind: "primary", words: t("catan.rob", { name: name(id - codes.rob),
      cards: t("catan.cards", { n: size }) }),
      go: () => play([id]) };
  });
}

/** What can be built for its cost: choosing one hides the places of the others. */
function builders(table) {
  const { scene, legal, only } = table;
  if (scene.phase !== "main") return [];
  return BUILT.map((thing) => {
    const places = [...legal.values()].filter(({ clicks, name }) =>
      clicks.length && name.startsWith(`${thing} `)).length;
    const left = scene.players[scene.to_move].left[thing];
    const cost = scene.costs[thing];
    const why = places ? t("catan.places", { n: places, left })
      : left ? t("catan.costs_place", { cost: amounts(cost, scene.resources), left }) : t("catan.none_left");
    return { key: thing, words: html`${sentence(translate(thing))}${price(scene, cost)}`, disabled: !places,
      pressed: only === thing, title: sentence(why),
      go: () => table.set({ only: only === thing ? null : thing }) };
  });
}
