// What a table of Catan says in words. No drawing, no state.

import { named } from "../table/words.js";
import { ended, sentence } from "../words.js";

/** Cards in words: "2 wood, 1 ore". */
export function amounts(counts, resources) {
  const held = counts.map((n, r) => (n ? `${n} ${resources[r]}` : "")).filter(Boolean);
  return held.join(", ") || "nothing";
}

export function total(counts) {
  return counts.reduce((sum, n) => sum + n, 0);
}

/** "1 card", "2 cards". */
export function some(n, one, many) {
  return `${n} ${n === 1 ? one : many}`;
}

/** A tile: "ore 10". */
export function land({ resource, number }) {
  return number ? `${resource} ${number}` : resource;
}

/** What a spot lies at: the resources and numbers of its tiles. */
export function placeName({ vertices, edges, tiles }, spot) {
  const number = Number(spot.slice(1));
  if (spot[0] === "t") return land(tiles[number]);
  const [first, second = first] = (spot[0] === "v" ? [number] : edges[number])
    .map((v) => vertices[v].tiles);
  return first.filter((t) => second.includes(t)).map((t) => land(tiles[t])).join(", ");
}

const LETTERS = { settlement: "v", city: "v", road: "e", robber: "t" };

/** The spots of an action by its name, such as "road 12". */
export function spotsOf(name = "") {
  const [thing, number] = name.split(" ");
  return thing in LETTERS ? [`${LETTERS[thing]}${number}`] : [];
}

/** A sentence on an action with its place named by the tiles there, not by its number. */
export function placed({ text, spots }, scene) {
  if (!spots?.length || "s" === spots[0][0]) return text;
  const [spot] = spots;
  const name = placeName(scene, spot);
  return spot[0] === "t" ? text.replace(/tile \d+ \(.*?\)/, name)
    : text.replace(new RegExp(`at ${spot.slice(1)}\\b`), `at ${name}`);
}

const TASKS = {
  settlement: "Place a settlement: click a marked corner.",
  "first road": "Place a road beside your settlement: click a marked side.",
  "before the dice": "Roll the dice, or play a card first.",
  robber: "Move the robber: click a tile.",
  victim: "Choose whom to rob: click a marked building, or a button below.",
  main: "Build, trade, or end your turn.",
  "free roads": "Place a road that costs nothing: click a marked side.",
  choose: "Choose whom to trade with.",
  consent: "Agree to the deal, or refuse it.",
};

/** The line above the island: what is to do, or what is going on. */
export function words({ scene, mine, sent, view, legal, name }) {
  if (sent) return "…";
  if (!mine) return ended(named(view, scene.words));
  if (scene.phase === "discard") return `A 7: discard ${scene.discards[view.to_move]} cards.`;
  const building = [...legal.values()].some(({ clicks }) => clicks.length);
  if (scene.phase === "main" && !building) return "Trade, or end your turn.";
  if (scene.phase === "answer") {
    const { by, give, want } = scene.offers.at(-1);
    return `${sentence(name(by))} offers ${amounts(give, scene.resources)} for ${
      amounts(want, scene.resources)}.`;
  }
  return TASKS[scene.phase] ?? ended(scene.words);
}
