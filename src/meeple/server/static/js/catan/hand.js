// The seat's own cards, and discarding some of them.

import { h } from "../dom.js";
import { icon } from "./drawings.js";
import { total } from "./words.js";

export function handPart(redraw) {
  let chosen = [0, 0, 0, 0, 0];
  let at = null; // the ply that cards are chosen for
  return {
    key({ scene, view, mine }) {
      if (at !== view.ply) chosen = [0, 0, 0, 0, 0];
      at = view.ply;
      return [scene.hand, scene.points, scene.target, scene.phase, mine, scene.discards, chosen];
    },
    draw(table) {
      const { scene, mine } = table;
      if (!scene.hand) return null;
      if (mine && scene.phase === "discard") return discard(table);
      return [h("div", { class: "line spread" },
        h("h2", {}, cards(total(scene.hand))),
        h("p", { class: "quiet small" }, `${scene.points} of ${scene.target} points`)), shown(scene)];
    },
  };

  function discard(table) {
    const { scene } = table;
    const due = scene.discards[scene.to_move];
    const left = due - total(chosen);
    function change(r, by) {
      chosen[r] += by;
      redraw();
    }
    const ids = chosen.flatMap((n, r) => Array(n).fill(scene.codes.discard + r));
    return [
      h("div", { class: "line spread" },
        h("p", { role: "status" }, left ? `Choose ${left} more to discard.` : "That is enough."),
        h("button", { type: "button", class: "primary small", disabled: left !== 0,
          "data-keep": "discard", onclick: () => table.play(ids) }, `Discard ${due} cards`)),
      h("ul", { class: "cards" }, scene.resources.map((name, r) => {
        const kept = scene.hand[r] - chosen[r];
        return h("li", {},
          h("button", { type: "button", class: `held ${name}`, disabled: !kept || !left,
            "data-keep": `away${r}`, "aria-label": `Discard 1 ${name}, you keep ${kept}`,
            onclick: () => change(r, 1) }, icon(name, 28), h("span", { class: "count" }, kept)),
          h("button", { type: "button", class: "small", disabled: !chosen[r],
            "data-keep": `back${r}`, "aria-label": `Take back 1 ${name} of ${chosen[r]}`,
            onclick: () => change(r, -1) }, chosen[r] ? `−${chosen[r]} ↩` : "–"));
      })),
    ];
  }
}

function cards(n) {
  return `${n} ${n === 1 ? "card" : "cards"}`;
}

function shown({ hand, resources }) {
  return h("ul", { class: "cards" }, resources.map((name, r) =>
    h("li", {}, h("span", { class: `held ${name}${hand[r] ? "" : " none"}` }, icon(name, 28),
      h("span", { class: "count" }, hand[r]), h("span", { class: "label" }, name)))));
}
