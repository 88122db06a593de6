// Refusals that a player sets once, so that offers need not be answered one by one.

import { t, translate } from "../messages.js";
import { recall, remember } from "../storage.js";
import { button, checkbox, html } from "../view.js";
import { icon } from "./drawings.js";

const KEY = "meeple.catan.refusals"; // whether offers beyond one's cards are refused, by "on" or "off"

/** Of a table: {lacking, turn, never}: whether to refuse what one cannot pay, the number of the turn
 *  in which all is refused, and the resources that are never given. */
export function refusals() {
  return { lacking: recall(KEY) !== "off", turn: null, never: [] };
}

/** Whether the offer that is asked about now is to be refused without asking. */
export function refused({ view, scene, legal, refusals: { lacking, turn, never } }) {
  const { codes, offer, phase } = scene;
  if (phase !== "answer" || view.you?.length !== 1 || !legal.has(codes.refuse)) return false;
  return (lacking && !legal.has(codes.accept)) || turn === scene.turn || never.some((r) => offer.want[r] > 0);
}

/** Refuses all offers of this turn from now on. */
export function refuseTurn(table) {
  change(table, { turn: table.scene.turn });
}

function change(table, changes) {
  table.set({ refusals: { ...table.refusals, ...changes } });
  table.refuse();
}

/** The settings, for the trade panel; null for those who look on. */
export function refusalSettings(table) {
  const { view, scene: { resources }, refusals: set } = table;
  if (view.you?.length !== 1 || view.status === "over") return null;
  const lacking = (on) => {
    remember(KEY, on ? "on" : "off");
    change(table, { lacking: on });
  };
  const never = (r) => change(table, { never: set.never.includes(r)
    ? set.never.filter((one) => one !== r) : [...set.never, r] });
  return html`<details class="refusals"><summary>${t("trade.refuse_unasked")}</summary>
    ${checkbox(t("trade.cannot_pay"), set.lacking, lacking)}
    <p class="small" id="never-give">${t("trade.offers_for")}</p>
    <div class="catan-buttons" role="group" aria-labelledby="never-give">${resources.map((name, r) =>
      button(html`${icon(name, 18)}${translate(name)}`, () => never(r),
        { kind: "small", pressed: set.never.includes(r) }))}</div></details>`;
}
