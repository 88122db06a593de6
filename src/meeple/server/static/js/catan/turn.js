// The bar of a turn: dice, what to build, whom to rob, the turn's end.

import { h } from "../dom.js";
import { dealDecision } from "./deal.js";
import { icon } from "./drawings.js";
import { decision, mayOffer } from "./trade.js";
import { amounts } from "./words.js";
import { sentence } from "../words.js";

const BUILT = ["road", "settlement", "city"];

export function turnPart() {
  return {
    key: ({ mine, scene, legal, only, countering }) => [mine, [...legal.keys()], scene.phase,
      scene.players.map(({ left }) => left), only, scene.to_move, scene.offer, countering],
    draw(table) {
      if (!table.mine) return null;
      const decided = decision(table) ?? dealDecision(table);
      if (decided) return decided;
      const buttons = [
        single(table, "roll", "Roll the dice", "primary"),
        ...victims(table),
        ...builders(table),
        single(table, "buy", "Buy a card", "", table.scene.costs["development card"]),
        mayTrade(table) ? h("button", { type: "button", "data-keep": "trade",
          onclick: () => table.trade() }, "Trade…") : null,
        single(table, "end", "End the turn", table.legal.size === 1 ? "primary" : ""),
      ].filter(Boolean);
      return buttons.length ? h("div", { class: "catan-buttons" }, buttons) : null;
    },
  };
}

function single(table, code, label, kind, cost = null) {
  const id = table.scene.codes[code];
  if (!table.legal.has(id)) return null;
  return h("button", { type: "button", class: kind || null, "data-keep": code, "data-action": id,
    onclick: () => table.play([id]) }, label, cost ? price(table.scene, cost) : null);
}

function mayTrade({ scene: { codes, phase }, legal }) {
  return phase === "main" && (mayOffer({ scene: { codes }, legal })
    || [...legal.keys()].some((id) => id >= codes.maritime && id < codes.discard));
}

function victims(table) {
  const { codes } = table.scene;
  return [...table.legal.keys()]
    .filter((id) => id >= codes.rob && id < codes.roll)
    .map((id) => {
      const seat = id - codes.rob;
      const { name, hand_size: size } = table.scene.players[seat];
      return h("button", { type: "button", class: "primary", "data-keep": `rob${seat}`,
        "data-action": id, onclick: () => table.play([id]) },
      `Rob ${name} (${size} ${size === 1 ? "card" : "cards"})`);
    });
}

/** What can be built for its cost: choosing one hides the places of the others. */
function builders(table) {
  const { scene, legal, only } = table;
  if (scene.phase !== "main") return [];
  return BUILT.map((thing) => {
    const places = [...legal.values()].filter(({ clicks, name }) =>
      clicks.length && name.startsWith(`${thing} `));
    const left = scene.players[scene.to_move].left[thing];
    const why = places.length
      ? `${places.length} ${places.length === 1 ? "place" : "places"} marked on the island; ${left} left`
      : left ? `it costs ${amounts(scene.costs[thing], scene.resources)}, and needs a place; ${left} left`
        : "none left";
    return h("button", { type: "button", "data-keep": thing, disabled: !places.length,
      "aria-pressed": String(only === thing), title: sentence(why),
      onclick: () => table.choose(thing) },
    sentence(thing), price(scene, scene.costs[thing]));
  });
}

/** A cost as small pictures. */
export function price(scene, cost) {
  return h("span", { class: "price" },
    h("span", { class: "hidden-text" }, ` for ${amounts(cost, scene.resources)}`),
    cost.flatMap((n, r) => Array.from({ length: n }, () => icon(scene.resources[r], 15))));
}
