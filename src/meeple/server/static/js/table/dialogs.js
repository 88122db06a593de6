// The table's dialogs: links to share, help, and taking the seat of an invitation.

import { get, linkTo, post } from "../api.js";
import { downloadImage } from "../boards/board.js";
import { ask, copyField, tell } from "../dialogs.js";
import { defaultsOf, optionWords } from "../game_options.js";
import { keepName, lastName } from "../lobby/seats.js";
import { choices, declared, duration, ended, sentence, t, translate } from "../messages.js";
import { invitesOf, keep } from "../tokens.js";
import { button, field, html, labelled, nothing } from "../view.js";
import { alertSettings } from "./alerts.js";
import { pace, PACES, setPace } from "./pace.js";
import { aboutWords, seatName } from "./words.js";

const KEYS = [["u", t("help.key_undo")], ["h", t("help.key_hint")], ["?", t("help.key_help")],
  ["← →", t("help.key_walk")], ["Esc", t("help.key_escape")], [t("help.arrows"), t("help.key_arrows")],
  [t("help.enter"), t("help.key_enter")], ["Esc", t("help.key_release")]];

/** The invitations of a table that are still open, as fields to copy. */
export function inviteFields(view) {
  return Object.entries(invitesOf(view.id))
    .filter(([seat]) => view.seats[seat]?.kind === "open")
    .map(([seat, invite]) => copyField(t("share.seat", { seat: seatName(view, Number(seat)) }),
      linkTo(`table/${view.id}?invite=${invite}`)));
}

/** `board`: the drawn board, for its picture, if it is one. */
export function share(view, board) {
  const picture = () => downloadImage(board, `${view.game}-${view.ply}`);
  return tell(t("share.title"), html`<div class="stack">${inviteFields(view)}
    ${copyField(t("share.watch"), linkTo(`table/${view.id}`))}
    ${board ? html`<p>${button(t("share.picture"), picture)}</p>` : nothing}</div>`);
}

/** The clock of a game in words. */
function clockTerms(clock) {
  if (!clock) return t("claim.no_clock");
  const { kind, seconds, increment } = clock;
  if (kind === "move") return t("claim.per_move", { time: duration(seconds) });
  return t(increment ? "claim.each_increment" : "claim.each",
    { time: duration(seconds), increment: duration(increment) });
}

/** `defaults`: of the game's options; `say(text)` shows a message. */
export async function help(view, defaults, say) {
  const options = optionWords(view.options, defaults);
  const { rules, steps } = await get(`/api/lessons/${view.game}`).catch(() => ({ rules: [] }));
  if (document.querySelector("dialog[open]")) return null;
  return tell(translate(view.title), html`<div><p>${aboutWords(view)}</p>
    ${options ? html`<p class="quiet">${t("help.played_with", { options })}</p>` : nothing}
    ${rules.map((text, at) => html`<p>${declared(`rules.${view.game}.${at}`, text)}</p>`)}
    ${steps ? html`<p><a href="#/learn/${view.game}">${
      t("help.lesson", { game: translate(view.title) })}</a></p>` : nothing}
    ${view.guide ? html`<p class="guide">${translate(view.guide)}</p>` : nothing}
    ${view.seats.some(({ kind }) => kind === "agent") ? labelled("pace-of-moves", t("help.pace"), pace(),
      choices(PACES), setPace) : nothing}
    ${view.you.length ? alertSettings(say) : nothing}
    <h3>${t("help.keys")}</h3><dl class="keys">${KEYS.map(([key, words]) =>
      html`<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`)}</dl></div>`);
}

/** Asks for a name and takes the seat; true when done, false where somebody rather looks on.
 *  Throws the server's sentence where the invitation is of no use any more. */
export async function claim(view, invite) {
  const [{ seat: offered, by }, defaults] = await Promise.all([
    post(`/api/tables/${view.id}/invitation`, { invite }), defaultsOf(view.game)]);
  const facts = [[t("common.game"), ended(declared(`summary.${view.game}`, view.summary))],
    [t("claim.options"), optionWords(view.options, defaults)],
    [t("claim.seat"), t("claim.seat_of", { seat: seatName(view, offered), n: offered + 1,
      all: view.seats.length })],
    [t("claim.clock"), clockTerms(view.terms.clock)],
    [t("claim.help"), t(view.terms.help ? "claim.help_on" : "claim.help_off")]];
  const name = await ask(t("claim.play", { game: translate(view.title) }), html`<div class="stack">
    <p>${t("claim.invites", { name: by || t("claim.somebody") })}</p>
    <dl class="keys">${facts.filter(([, words]) => words).map(([term, words]) =>
      html`<dt>${term}</dt><dd>${sentence(words)}</dd>`)}</dl>
    ${field("guest", t("common.your_name"), html`<input id="guest" type="text" maxlength="40"
      value=${lastName()} autocomplete="nickname">`)}</div>`,
  [{ label: t("claim.only_look"), value: null },
    { label: t("claim.take"), value: ({ guest }) => guest.value }]);
  if (name === null) return false;
  keepName(name);
  const { seat, token } = await post(`/api/tables/${view.id}/claim`, { invite, name: name.trim() });
  keep(view.id, { tokens: { [seat]: token } });
  return true;
}
