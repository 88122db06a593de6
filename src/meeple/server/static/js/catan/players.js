// What all know of the players, and the card tracker: what one can tell of their hands.

import { h } from "../dom.js";
import { icon } from "./drawings.js";

/** A player's points, cards and roads, for the list of players. */
export function playerPart(seat) {
  return () => ({
    key: ({ scene, tracking }) => [scene.players[seat], scene.tracker?.[seat], tracking,
      scene.discards[seat], scene.rules.cards],
    draw(table) {
      const { scene, tracking } = table;
      const player = scene.players[seat];
      const due = scene.discards[seat];
      const { left } = player;
      return [
        h("p", { class: "facts", title: `Left: ${some(left.road, "road", "roads")}, ${
          some(left.settlement, "settlement", "settlements")}, ${some(left.city, "city", "cities")}` },
        fact(player.points, "point", "points", "points"),
        fact(player.hand_size, "card", "cards"),
        ...(scene.rules.cards ? [fact(player.card_count, "development card", "development cards",
          "", "dev."),
        fact(player.knights, "knight", "knights", player.largest_army ? "badge" : "", "",
          player.largest_army ? "Largest army" : "")] : []),
        fact(player.road, "road in a row", "roads in a row", player.longest_road ? "badge" : "",
          player.road === 1 ? "road" : "roads", player.longest_road ? "Longest road" : "")),
        due ? h("p", { class: "badges" }, h("span", {}, `Must discard ${due}`)) : null,
        player.hand && seat !== scene.seat ? open(scene, player) : null,
        tracking && scene.tracker?.[seat] ? tracker(scene, scene.tracker[seat], seat) : null,
      ].filter(Boolean);
    },
  });
}

/** The switch of the card tracker, whose bars stand in the list of players. */
export function trackerPart() {
  return {
    key: ({ scene, tracking }) => [Boolean(scene.tracker), tracking],
    draw(table) {
      if (!table.scene.tracker) return null;
      return [
        h("label", { class: "line" }, h("input", { type: "checkbox", checked: table.tracking,
          "data-keep": "tracker", onchange: (event) => table.track(event.target.checked) }),
        "Card tracker"),
        h("p", { class: "quiet small" }, "For each player, the chance to hold a card at least once "
          + "(the bar) and how many to expect (the number)."),
      ];
    },
  };
}

/** A number with its word; `short` is shown in its place, `title` says what a badge is for. */
function fact(n, one, many, kind = "", short = "", title = "") {
  const word = n === 1 ? one : many;
  return h("span", { class: kind || null, title: title || null }, h("strong", {}, n), " ",
    short ? [h("span", { "aria-hidden": "true" }, short), h("span", { class: "hidden-text" }, word)]
      : word, title ? h("span", { class: "hidden-text" }, ` (${title})`) : null);
}

/** Hands that are open to all. */
function open(scene, { hand, held }) {
  const cards = held.map((n, card) => (n ? `${n} ${scene.cards[card]}` : "")).filter(Boolean);
  return h("p", { class: "small open-hand" }, scene.resources.map((name, r) =>
    h("span", {}, icon(name, 16), h("span", { class: "hidden-text" }, name), ` ${hand[r]}`)),
  cards.length ? ` ${cards.join(", ")}` : null);
}

function tracker(scene, { exact, cards }, seat) {
  const { name, hand_size: size } = scene.players[seat];
  if (!size) return null;
  return h("ul", { class: "tracker", "aria-label": `What ${name} may hold${exact ? ""
    : ", by a sample"}` }, cards.map(({ expected, one, chances }, r) => {
    const bar = h("span", { class: `fill ${scene.resources[r]}` });
    bar.style.height = `${Math.round(100 * one)}%`;
    const certain = chances.at(-1) > 0.9999;
    const said = certain ? `${chances.length - 1} for certain`
      : `${Math.round(100 * one)}% at least one, ${expected.toFixed(1)} expected`;
    const all = chances.map((chance, n) => `${n}: ${Math.round(100 * chance)}%`).join(", ");
    return h("li", { title: `${scene.resources[r]}: ${certain ? said : all}` },
      h("span", { class: "bar", "aria-hidden": "true" }, bar), icon(scene.resources[r], 15),
      h("span", { class: "numbers", "aria-hidden": "true" },
        certain ? String(chances.length - 1) : expected.toFixed(1)),
      h("span", { class: "hidden-text" }, `${scene.resources[r]}: ${said}`));
  }));
}

function some(n, one, many) {
  return `${n} ${n === 1 ? one : many}`;
}
