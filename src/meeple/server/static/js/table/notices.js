// What stands above the board: the result, invitations, a wish to take back a move, an offer of a draw.

import { t } from "../messages.js";
import { button, html, nothing } from "../view.js";
import { inviteFields } from "./dialogs.js";
import { playerName, resultWords } from "./words.js";

/** The notices of a table; see `views/table.js` for its state and methods. */
export function notices(table) {
  const { view } = table;
  return html`<div class="notices">${view.result ? result(table) : nothing}${
    view.status === "waiting" ? invitations(view) : nothing}${view.asks ? wish(table) : nothing}</div>`;
}

function result(table) {
  const { view } = table;
  const { title, text, kind } = resultWords(view);
  const primary = { kind: "primary" };
  const again = view.next ? button(t("notice.to_rematch"), () => table.toNext(), primary)
    : view.can.rematch ? button(t("notice.rematch"), () => table.send({ type: "rematch" }), primary)
      : nothing;
  return html`<section class="panel result ${kind}" aria-label=${t("common.result")}>
    <div><h2>${title}</h2>${text ? html`<p>${text}</p>` : nothing}</div>
    <div class="line">${view.cup ? html`<a class="button primary" href="#/cup/${view.cup}">${
      t("shell.cup")}</a>`
      : nothing}<a class="button"
      href="#/analysis?table=${view.id}&ply=0&review=1">${t("notice.review")}</a>${again}</div>
  </section>`;
}

function invitations(view) {
  const fields = inviteFields(view);
  return html`<section class="panel stack" aria-label=${t("notice.invitations")}>
    <p>${fields.length ? `${t("notice.send")} ` : ""}${t("notice.begins")}</p>${fields}</section>`;
}

function wish(table) {
  const { view } = table;
  const { kind, seat } = view.asks;
  if (view.you.includes(seat)) {
    return html`<p class="panel">${t(kind === "draw" ? "notice.you_offered" : "notice.you_asked")}</p>`;
  }
  const words = t(kind === "draw" ? "notice.offers" : "notice.asks", { name: playerName(view, seat) });
  if (!view.you.length) return html`<p class="panel">${words}</p>`;
  const answer = (label, agree, kind) => button(label, () => table.answer(agree),
    { kind, disabled: table.answered }); // a second click would be an answer to nothing
  return html`<section class="panel line spread" role="alert"><span>${words}</span>
    <span class="line">${answer(t("notice.refuse"), false)}${
      answer(t("notice.agree"), true, "primary")}</span>
  </section>`;
}

/** The seat that a shared screen shows hidden hands for now; null where there is no such thing. */
export function readerOf(view) {
  if (!view.hides || view.you.length < 2 || view.status !== "playing") return null;
  return view.reader ?? (view.you.includes(view.to_move) ? view.to_move : view.you[0]);
}

/** Covers a table until the next of those who share a screen has it. */
export function cover(name, ready) {
  return html`<div class="panel cover"><h2>${t("notice.hand_over", { name })}</h2>
    <p>${t("notice.hidden")}</p>
    ${button(t("notice.i_am", { name }), ready, { kind: "primary big" })}</div>`;
}
