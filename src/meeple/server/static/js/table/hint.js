// A hint: the moves that a search liked best, in words and as heat for the board.

import { said } from "../catan/words.js";
import { evaluatedBy, number, percent, t, translate, wordsOf } from "../messages.js";
import { button, html, nothing } from "../view.js";
import { Worth } from "../worth.js";

const BEST = 5; // moves
const LEAST = 0.2; // of the best move's share: what has less is not worth a word

/** The best moves of a search, [{id, name, share, value, reason}], the best first. */
export function bestMoves(thought) {
  return thought.actions.map((id, at) => ({ id, name: wordsOf(thought, at), share: thought.policy[at],
    value: thought.action_values?.[at] ?? null, reason: thought.reasons?.[at] ?? null }))
    .sort((a, b) => b.share - a.share)
    .filter(({ share }, at, sorted) => at < BEST && share >= LEAST * sorted[0].share);
}

/** The panel for a view of the table; `point(id)` while a move is pointed at, or null; `close()`. */
export function hintPanel(thought, { to_move: seat, scene, scale }, { point, close }) {
  const { simulations } = thought ?? {};
  const count = simulations ? ` ${t("hint.simulations", { n: number(simulations) })}` : "";
  const worth = new Worth(scale);
  const promise = (value) => (value ? `${worth.label} ${worth.words(value, seat)}` : "");
  const line = ({ id, name, share, value, reason }) => html`<li
    @pointerenter=${() => point(id)} @pointerleave=${() => point(null)}><strong>${said(name, scene)}</strong>
    <span class="numbers">${shareWords(thought, share, promise(value))}</span>
    ${reason ? html`<span class="reason">${translate(reason)}</span>` : nothing}</li>`;
  return html`<section class="panel hint-panel" aria-label=${t("table.hint")} ?hidden=${!thought}>
    ${button("×", close, { kind: "icon", label: t("hint.close") })}
    <div role="status"><p>${thought ? evaluatedBy(thought) + count : ""}</p>
      <ol>${thought ? bestMoves(thought).map(line) : nothing}</ol></div></section>`;
}

function shareWords({ simulations }, share, value) {
  return [value, simulations ? t("hint.search", { share: percent(share) }) : ""].filter(Boolean).join(", ");
}
