// What a table of Catan says in words. No drawing, no state.

import { t, translate } from "../messages.js";
import { named } from "../table/words.js";
import { ended, sentence } from "../words.js";

/** Cards in words: "2 wood, 1 ore". */
export function amounts(counts, resources) {
  const held = counts.map((n, r) => (n ? `${n} ${translate(resources[r])}` : "")).filter(Boolean);
  return held.join(", ") || t("catan.nothing");
}

export function total(counts) {
  return counts.reduce((sum, n) => sum + n, 0);
}

/** A tile: "ore 10". */
export function land({ resource, number }) {
  return number ? `${translate(resource)} ${number}` : translate(resource);
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
  settlement: "catan.task_settlement", "first road": "catan.task_first_road", robber: "catan.task_robber",
  "before the dice": "catan.task_before_dice", victim: "catan.task_victim", main: "catan.task_main",
  "free roads": "catan.task_free_roads", choose: "catan.task_choose", consent: "catan.task_consent",
};

/** The line above the island: what is to do, or what is going on. */
export function words({ scene, mine, sent, view, legal, name }) {
  if (sent) return "…";
  if (!mine) return ended(named(view, scene.words));
  if (scene.phase === "discard") return t("catan.task_discard", { n: scene.discards[view.to_move] });
  const building = [...legal.values()].some(({ clicks }) => clicks.length);
  if (scene.phase === "main" && !building) return t("catan.task_trade");
  if (scene.phase === "answer") {
    const { by, give, want } = scene.offers.at(-1);
    return t("catan.task_answer", { name: sentence(name(by)), give: amounts(give, scene.resources),
      want: amounts(want, scene.resources) });
  }
  return scene.phase in TASKS ? t(TASKS[scene.phase]) : ended(translate(scene.words));
}
