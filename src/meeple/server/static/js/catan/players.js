// What all know of the players, and the card tracker: what one can tell of their hands.

import { h } from "../dom.js";
import { icon, mark } from "./drawings.js";
import { sentence } from "../words.js";

const KEY = "meeple.catan.tracker";

export function playersPart(redraw) {
  let tracking = stored() !== "off";
  return {
    key: ({ scene, view }) => [scene.players, scene.tracker, scene.on_turn, scene.discards,
      tracking, view.you, scene.over],
    draw(table) {
      const { scene } = table;
      const toggle = scene.tracker && h("label", { class: "line small" },
        h("input", { type: "checkbox", checked: tracking, "data-keep": "tracker",
          onchange: (event) => {
            tracking = event.target.checked;
            store(tracking ? "on" : "off");
            redraw();
          } }), "Card tracker");
      return [
        h("div", { class: "line spread" }, h("h2", {}, "Cards and points"), toggle),
        h("ul", { class: "settlers" }, scene.players.map((player, seat) =>
          settler(table, player, seat))),
        scene.tracker && tracking ? h("p", { class: "quiet small" },
          "A bar is the chance to hold one at least; the number, how many to expect.") : null,
      ].filter(Boolean);
    },
  };

  function settler(table, player, seat) {
    const { scene } = table;
    const facts = [
      [player.hand_size, "card", "cards"],
      ...(scene.rules.cards ? [[player.card_count, "development card", "development cards"],
        [player.knights, "knight", "knights"]] : []),
      [player.road, "road", "roads in a row"],
    ];
    const { left } = player;
    const badges = [player.longest_road && "Longest road", player.largest_army && "Largest army"];
    if (scene.discards[seat]) badges.push(`Must discard ${scene.discards[seat]}`);
    return h("li", { class: seat === scene.on_turn && !scene.over ? "on-turn" : "" },
      h("div", { class: "line spread" },
        h("span", { class: "line" }, mark(seat), h("strong", {}, sentence(table.name(seat)))),
        h("span", {}, h("strong", {}, player.points), player.points === 1 ? " point" : " points")),
      h("p", { class: "small facts" }, facts.map(([n, one, many]) =>
        h("span", {}, h("strong", {}, n), ` ${n === 1 ? one : many}`))),
      badges.some(Boolean) ? h("p", { class: "small badges" }, badges.filter(Boolean)
        .map((badge) => h("span", {}, badge))) : null,
      h("p", { class: "quiet small" }, `Left: ${some(left.road, "road", "roads")}, ${
        some(left.settlement, "settlement", "settlements")}, ${some(left.city, "city", "cities")}`),
      player.hand && seat !== scene.seat ? open(scene, player) : null,
      tracking && scene.tracker?.[seat] ? tracker(scene, scene.tracker[seat], seat) : null);
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
}

function some(n, one, many) {
  return `${n} ${n === 1 ? one : many}`;
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // then it lasts as long as the page
  }
}
