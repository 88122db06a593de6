// What a table of Catan says in words. No drawing, no state.

import { ended, hear, sentence, t, translate, worded } from "../messages.js";
import { named, seated } from "../table/words.js";

/** Cards in words: "2 wood, 1 ore". */
export function amounts(counts, resources) {
  const held = counts.map((n, r) => (n ? `${n} ${translate(resources[r])}` : "")).filter(Boolean);
  return held.join(", ") || t("catan.nothing");
}

export function total(counts) {
  return counts.reduce((sum, n) => sum + n, 0);
}

/** A tile: "ore 10". */
function land({ resource, number }) {
  return number ? `${translate(resource)} ${number}` : translate(resource);
}

/** The numbers of the tiles that a spot lies at. */
export function tilesOf({ vertices, edges }, spot) {
  const number = Number(spot.slice(1));
  if (spot[0] === "t") return [number];
  const [first, second = first] = (spot[0] === "v" ? [number] : edges[number]).map((v) => vertices[v].tiles);
  return first.filter((tile) => second.includes(tile));
}

/** What a spot lies at: the resources and numbers of its tiles. */
export function placeName(scene, spot) {
  return tilesOf(scene, spot).map((tile) => land(scene.tiles[tile])).join(", ");
}

const LETTERS = { settlement: "v", city: "v", road: "e", robber: "t" };

/** The spots of an action by its name, such as "road 12". */
export function spotsOf(name = "") {
  const [thing, number] = name.split(" ");
  return thing in LETTERS ? [`${LETTERS[thing]}${number}`] : [];
}

const SPOTS = { "catan.corner": "v", "catan.side": "e", "catan.tile": "t", "catan.tile_number": "t" };

/** The words for places, as `translate` takes them: the tiles there, not their numbers on the board. */
export const atPlaces = (scene) => ({ code, text, fields }) => {
  if (code in SPOTS) return placeName(scene, SPOTS[code] + fields.n);
  const [spot] = code.startsWith("catan.") ? spotsOf(text) : [];
  return spot ? worded({ code: `${code}_at`, text, fields: { place: placeName(scene, spot) } }) : null;
};

/** The visitor's words for a text of the server about a game that `scene` is of, with names of `game`. */
export function said(text, scene, game = null) {
  return named(game ? seated(game) : {}, text, scene?.family === "island" ? atPlaces(scene) : undefined);
}

const STEP = /^(offer|ask) ([a-z]+)$/; // a card of an offer that is composed

/** The moves of an expected line, with the single steps of an offer as one: [{words, end}], `end` being
 *  the number of moves up to there. `label` is what the first is called, where not by its name. */
export function together(names, label = "") {
  const found = [];
  for (let at = 0; at < names.length; at = found.at(-1).end) {
    let end = at;
    while (STEP.test(names[end])) end += 1;
    const words = end > at ? offered(names.slice(at, end)) : names[at];
    if (end === at || names[end] === "propose") end += 1;
    found.push({ words: (!at && label) || words, end });
  }
  return found;
}

/** The text of an offer's steps, such as "offer 2 wood for 1 ore". */
function offered(steps) {
  const cards = { offer: new Map(), ask: new Map() };
  for (const step of steps) {
    const [, kind, resource] = STEP.exec(step);
    cards[kind].set(resource, (cards[kind].get(resource) ?? 0) + 1);
  }
  const [give, want] = Object.values(cards).map((own) => ({ code: "text.list",
    text: [...own].map(([resource, n]) => `${n} ${resource}`).join(", "),
    fields: { all: [...own].map(([resource, n]) => ({ code: "catan.amount", text: `${n} ${resource}`,
      fields: { n, card: { code: `name.${resource}`, text: resource, fields: {} } } })) } }));
  const text = `offer ${give.text} for ${want.text}`;
  hear({ sentences: { [text]: { code: "catan.offer", fields: { cards: give, cards2: want } } } });
  return text;
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
