// The seat's own development cards, and playing them.

import { h } from "../dom.js";
import { icon } from "./drawings.js";
import { sentence } from "../words.js";

const MEANINGS = {
  knight: "move the robber and rob a card",
  "victory point": "one point, hidden until it wins",
  "road building": "two roads that cost nothing",
  "year of plenty": "two cards of the bank's",
  monopoly: "all cards of one resource from everybody",
};

export function cardsPart(redraw) {
  let open = null; // the card whose resources are being chosen
  let picked = []; // resources for a year of plenty
  let at = null;
  return {
    key({ scene, view, legal }) {
      if (at !== view.ply) [open, picked] = [null, []];
      at = view.ply;
      return [scene.held, scene.fresh, [...legal.keys()], open, picked];
    },
    draw(table) {
      const { scene } = table;
      if (!scene.held?.some((n) => n > 0)) return null;
      return [
        h("ul", { class: "developments" }, scene.cards.map((name, card) =>
          scene.held[card] ? item(table, name, card) : null)),
        open === "year of plenty" ? plenty(table) : null,
        open === "monopoly" ? monopoly(table) : null,
      ].filter(Boolean);
    },
  };

  function item(table, name, card) {
    const { scene } = table;
    const fresh = scene.fresh[card];
    const first = firstAction(table, name);
    const notes = [MEANINGS[name], fresh ? `${fresh} new, playable from your next turn` : ""];
    const said = notes.filter(Boolean).join("; ");
    return h("li", { title: sentence(said) },
      h("span", {}, h("strong", {}, `${scene.held[card]} × ${name}`),
        fresh ? h("span", { class: "quiet small" }, ` ${fresh} new`) : null,
        h("span", { class: "hidden-text" }, `: ${said}`)),
      first === null ? null : h("button", { type: "button", class: "small", "data-keep": name,
        "aria-expanded": asks(name) ? String(open === name) : null,
        onclick: () => (asks(name) ? toggle(name) : table.play([first])) },
      `Play${asks(name) ? "…" : ""}`, h("span", { class: "hidden-text" }, ` ${name}`)));
  }

  function toggle(name) {
    open = open === name ? null : name;
    picked = [];
    redraw();
  }

  function asks(name) {
    return name === "year of plenty" || name === "monopoly";
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
    const { scene: { codes, resources }, legal } = table;
    const single = [...legal.keys()].some((id) => id >= codes.plenty_one && id < codes.monopoly);
    const pair = (a, b) => codes.plenty + Math.min(a, b) * resources.length + Math.max(a, b);
    function pick(r) {
      if (single) table.play([codes.plenty_one + r]);
      else if (picked.length) table.play([pair(picked[0], r)]);
      else {
        picked = [r];
        redraw();
      }
    }
    const can = (r) => single ? legal.has(codes.plenty_one + r)
      : picked.length ? legal.has(pair(picked[0], r))
        : resources.some((_, q) => legal.has(pair(r, q)));
    const words = picked.length ? `${sentence(resources[picked[0]])}, and which second card?`
      : "Which card do you take first?";
    return choices(words, resources, can, pick, "plenty");
  }

  function monopoly(table) {
    const { scene: { codes, resources } } = table;
    return choices("Which resource do all others give you?", resources, () => true,
      (r) => table.play([codes.monopoly + r]), "monopoly");
  }
}

function choices(words, resources, can, pick, kind) {
  return h("div", { class: "chooser", role: "group", "aria-label": words }, h("p", {}, words),
    h("div", { class: "catan-buttons" }, resources.map((name, r) =>
      h("button", { type: "button", disabled: !can(r), "data-keep": `${kind}${r}`,
        onclick: () => pick(r) }, icon(name, 20), name))));
}
