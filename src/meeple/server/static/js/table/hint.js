// A hint: the moves that a search liked best, in words and as heat for the board.

import { clear, h } from "../dom.js";
import { evaluatedBy } from "../words.js";
import { percent } from "./words.js";

const BEST = 5; // moves
const LEAST = 0.2; // of the best move's share: what has less is not worth a word

// Returns {node, show(thought, view) -> heat, hide()}.
export function hintPanel({ onclose, onpoint }) {
  const text = h("p", {});
  const list = h("ol", {});
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close the hint",
    onclick: onclose }, "×");
  const node = h("section", { class: "panel hint-panel", "aria-label": "Hint", hidden: true }, close,
    h("div", { role: "status" }, text, list));

  function best(thought) {
    const shares = thought.policy ?? normal(thought.visits);
    return thought.actions.map((id, at) => ({ id, name: thought.names[at], share: shares[at],
      value: thought.action_values?.[at] ?? null, reason: thought.reasons?.[at] ?? null }))
      .sort((a, b) => b.share - a.share)
      .filter(({ share }, at, sorted) => at < BEST && share >= LEAST * sorted[0].share);
  }

  return {
    node,
    show(thought, view) {
      const moves = best(thought);
      const seat = view.to_move;
      const count = thought.simulations && thought.simulations.toLocaleString("en");
      text.textContent = evaluatedBy(thought) + (count ? ` ${count} simulations:` : "");
      clear(list).append(...moves.map(({ id, name, share, value, reason }) => {
        const chance = value?.[seat] === undefined || value[seat] === null ? ""
          : `, wins ${percent(value[seat])}`;
        const of = thought.simulations ? ` ${percent(share)} of the search${chance}` : chance;
        return h("li", { onpointerenter: () => onpoint(id), onpointerleave: () => onpoint(null) },
          h("strong", {}, name), h("span", { class: "numbers" }, of),
          reason ? h("span", { class: "reason" }, ` ${reason}`) : null);
      }));
      node.hidden = false;
      return Object.fromEntries(moves.map(({ id, share }) => [id, share]));
    },
    hide() {
      node.hidden = true;
      clear(list);
    },
  };
}

function normal(visits) {
  const sum = visits.reduce((total, count) => total + count, 0) || 1;
  return visits.map((count) => count / sum);
}
