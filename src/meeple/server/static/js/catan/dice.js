// The dice, all rolls so far, the bank, and what things cost.

import { h, s } from "../dom.js";
import { die, icon } from "./drawings.js";
import { price } from "./turn.js";
import { total } from "./words.js";
import { sentence } from "../words.js";

const TURNING = 600; // milliseconds that the dice turn

export function dicePart() {
  let rolled = null; // how many rolls were shown
  return {
    key: ({ scene }) => [scene.rolls, scene.dice, scene.on_turn],
    draw({ scene }) {
      const rolls = total(scene.rolls);
      const fresh = rolled !== null && rolls === rolled + 1;
      rolled = rolls;
      const dice = h("div", { class: `dice${fresh ? " turning" : ""}` }, faces(scene.dice, rolls));
      if (fresh) setTimeout(() => dice.classList.remove("turning"), TURNING);
      return [dice, h("p", { class: "small" }, scene.dice ? ["Rolled ", h("strong", {}, scene.dice)]
        : "Not rolled")];
    },
  };
}

/** How often each number was rolled. */
export function rollsPart() {
  return {
    key: ({ scene }) => scene.rolls,
    draw: ({ scene }) => total(scene.rolls) ? [h("h2", {}, "Rolls"), histogram(scene.rolls)] : null,
  };
}

/** Two dice that show a sum; which two is a matter of looks, as the game draws the sum. */
function faces(sum, rolls) {
  if (!sum) return [die(0), die(0)];
  const low = Math.max(1, sum - 6);
  const first = low + ((rolls * 7) % (Math.min(6, sum - 1) - low + 1));
  return [die(first), die(sum - first)];
}

function histogram(rolls) {
  const all = total(rolls);
  const most = Math.max(1, ...rolls, ...rolls.map((_, i) => (all * ways(i + 2)) / 36));
  const [wide, high] = [24, 64];
  const bars = rolls.map((n, i) => {
    const top = (high * n) / most;
    const due = high - (high * all * ways(i + 2)) / 36 / most;
    const x = wide * i;
    return s("g", {},
      s("rect", { class: `bar${i === 5 ? " seven" : ""}`, x: x + 3, y: high - top + 14,
        width: wide - 6, height: top }),
      s("line", { class: "due", x1: x + 2, x2: x + wide - 2, y1: due + 14, y2: due + 14 }),
      n ? s("text", { x: x + wide / 2, y: Math.min(high - top, due) + 10 }, n) : null,
      s("text", { class: "sum", x: x + wide / 2, y: high + 30 }, i + 2));
  });
  const said = rolls.map((n, i) => (n ? `${i + 2}: ${n}` : "")).filter(Boolean).join(", ");
  return h("figure", { class: "histogram" },
    s("svg", { viewBox: `0 0 ${wide * rolls.length} ${high + 36}`, role: "img",
      "aria-label": `${all} rolls${said ? `; ${said}` : ""}` }, bars),
    h("figcaption", { class: "quiet small" },
      `${all} ${all === 1 ? "roll" : "rolls"} so far; the lines are what to expect`));
}

function ways(sum) {
  return 6 - Math.abs(sum - 7);
}

export function stockPart() {
  return {
    key: ({ scene }) => [scene.bank, scene.deck, scene.costs],
    draw({ scene }) {
      const { bank, resources, deck, costs, rules } = scene;
      return [
        h("h2", {}, "Bank"),
        h("ul", { class: "stock" }, resources.map((name, r) =>
          h("li", { class: bank[r] ? "" : "none" }, icon(name, 20), h("span", { class: "hidden-text" }, name), ` ${bank[r]}`)),
        rules.cards ? h("li", {}, `Deck ${deck}`) : null),
        h("h2", {}, "Costs"),
        h("ul", { class: "costs" }, Object.entries(costs)
          .filter(([thing]) => rules.cards || thing !== "development card")
          .map(([thing, cost]) => h("li", {}, h("span", {}, sentence(thing)), price(scene, cost)))),
      ];
    },
  };
}
