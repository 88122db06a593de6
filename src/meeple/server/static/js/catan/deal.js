// Deals of several players: what one says, agreeing to it, and composing one.

import { ended, sentence, t, translate } from "../messages.js";
import { heads, html, labelled, nothing } from "../view.js";
import { said } from "./words.js";
import { buttons, quiet, resource, stepper } from "./parts.js";

/** No deal yet: `table.changes`, of each seat by resource, what it gains; and `table.dealt`, the place of
 *  the robber or the road that the deal is about, as its action, or "". */
export function noDeal({ players, resources }) {
  return { changes: players.map(() => resources.map(() => 0)), dealt: "" };
}

export function deal(table) {
  const { scene, mine, legal, name } = table;
  if (!scene.deal) return null;
  const may = [...legal.keys()].some((id) => id >= scene.codes.deal_give);
  const composes = mine && ["main", "robber"].includes(scene.phase) && may;
  const { words, asked } = scene.deal;
  if (!words && !asked.length && !composes) return null;
  return html`<h2>${t("catan.deal")}</h2>${words ? html`<p>${ended(said(words, scene))}</p>` : nothing}${
    asked.length ? quiet(t("deal.waiting", { names: asked.map(name).join(", ") })) : nothing}${
    composes ? compose(table) : nothing}`;
}

function compose(table) {
  const { scene, changes, dealt } = table;
  const { codes, resources } = scene;
  const robber = scene.phase === "robber";
  const chosen = scene.deal.places.find(({ action }) => String(action) === dealt);
  const left = resources.map((_, r) => -changes.reduce((sum, own) => sum + own[r], 0));
  const due = chosen?.cost ?? resources.map(() => 0);
  const balanced = left.every((n, r) => n === due[r]);
  const others = changes.some((own, seat) => seat !== scene.on_turn && own.some(Boolean));
  const all = changes.flatMap((own, seat) => own.map((n, r) => [seat * resources.length + r, n]));
  const ids = [...all.flatMap(([at, n]) => Array(Math.max(0, -n)).fill(codes.deal_give + at)),
    ...all.flatMap(([at, n]) => Array(Math.max(0, n)).fill(codes.deal_get + at)),
    ...(chosen ? [chosen.action] : []), codes.propose];
  const places = [["", robber ? t("deal.choose_tile") : t("common.none")],
    ...scene.deal.places.map(({ action, words }) => [String(action), said(words, scene)])];
  return html`<details class="composer" ?open=${others || Boolean(chosen)}>
    <summary>${t(robber ? "deal.sell" : "deal.compose")}</summary>
    ${quiet(t("deal.about"))}
    <table class="deal">${heads(["", ...resources.map((name) => resource(name, 18))])}
      <tbody>${changes.map((own, seat) => html`<tr><th scope="row">${sentence(table.name(seat))}</th>
        ${own.map((n, r) => html`<td>${amount(table, seat, r, n)}</td>`)}</tr>`)}</tbody></table>
    ${labelled("deal-place", t(robber ? "deal.robber_to" : "deal.paid"), dealt, places,
      (to) => table.set({ dealt: to }))}
    ${buttons([
      { key: "propose", words: t("deal.propose"), kind: "primary", go: () => table.play(ids),
        disabled: !balanced || !others || (robber && !chosen) },
      { key: "clear", words: t("trade.clear"), go: () => table.set(noDeal(scene)) }])}
    ${balanced ? nothing : quiet(t(robber ? "deal.unbalanced_robber" : "deal.unbalanced"))}</details>`;
}

function amount(table, seat, r, n) {
  const who = { name: table.name(seat), resource: translate(table.scene.resources[r]) };
  const step = (by, id) => ({ label: t(id, who), go: () => table.set({
    changes: table.changes.map((own, one) => own.map((now, q) =>
      (one === seat && q === r ? now + by : now))) }) });
  return stepper(html`<strong>${n > 0 ? `+${n}` : String(n).replace("-", "−")}</strong>`, n,
    step(-1, "deal.less"), step(1, "deal.more"));
}

/** What is to be decided about a deal now, for the bar of a turn; null if nothing is. */
export function dealDecision(table) {
  const { mine, scene: { phase, codes }, legal } = table;
  const can = (id) => legal.has(id);
  if (mine && phase === "consent") {
    return html`${buttons([
      { key: "agree", words: t("deal.agree"), kind: "primary", disabled: !can(codes.accept),
        go: () => table.play([codes.accept]) },
      { key: "refuse", words: t("trade.refuse"), go: () => table.play([codes.refuse]) }])}
      ${can(codes.accept) ? nothing : quiet(t("deal.lacking"))}`;
  }
  if (!mine || phase !== "deal") return null;
  return buttons([ // abandon a deal that was begun by single actions
    can(codes.propose) && { key: "propose", words: t("trade.propose"), kind: "primary",
      go: () => table.play([codes.propose]) },
    { key: "drop", words: t("deal.drop"), go: () => table.play([codes.withdraw]) }]);
}
