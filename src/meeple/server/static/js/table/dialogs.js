// The table's dialogs: links to share, help, and taking the seat of an invitation.

import { get, post } from "../api.js";
import { downloadImage } from "../boards/image.js";
import { button, field, select } from "../controls.js";
import { ask, copyField, tell } from "../dialogs.js";
import { defaultsOf, optionWords } from "../game_options.js";
import { keepName, lastName } from "../lobby/seats.js";
import { invitesOf, keep } from "../tokens.js";
import { html, nothing } from "../view.js";
import { duration, ended, sentence } from "../words.js";
import { alertSettings } from "./alerts.js";
import { PACES, pace, setPace } from "./pace.js";
import { aboutWords, seatName } from "./words.js";

const KEYS = [["u", "take back a move"], ["h", "a hint"], ["?", "this help"],
  ["← →", "look back and on"], ["Esc", "back to now; drop a premove; show all moves to come"],
  ["Arrows", "move over the board"], ["Enter", "play there"], ["Esc", "let go of a chosen piece"]];

function link(id, invite) {
  return `${location.origin}/#/table/${id}${invite ? `?invite=${invite}` : ""}`;
}

/** The invitations of a table that are still open, as fields to copy. */
export function inviteFields(view) {
  return Object.entries(invitesOf(view.id))
    .filter(([seat]) => view.seats[seat]?.kind === "open")
    .map(([seat, invite]) => copyField(`Link for ${seatName(view, Number(seat))}`,
      link(view.id, invite)));
}

/** `board`: the drawn board, for its picture, if it is one. */
export function share(view, board) {
  const picture = () => downloadImage(board, `${view.game}-${view.ply}`);
  return tell("Share this game", html`<div class="stack">${inviteFields(view)}
    ${copyField("Link to look on", link(view.id))}
    ${board ? html`<p>${button("Download a picture of the board", picture)}</p>` : nothing}</div>`);
}

/** The clock of a game in words. */
function clockTerms(clock) {
  if (!clock) return "no clock";
  const { kind, seconds, increment } = clock;
  if (kind === "move") return `${duration(seconds)} a move`;
  return `${duration(seconds)} each${increment ? `, and ${duration(increment)} a move` : ""}`;
}

/** `defaults`: of the game's options; `say(text)` shows a message. */
export async function help(view, defaults, say) {
  const options = optionWords(view.options, defaults);
  const { rules, steps } = await get(`/api/lessons/${view.game}`).catch(() => ({ rules: [] }));
  if (document.querySelector("dialog[open]")) return null;
  return tell(view.title, html`<div><p>${aboutWords(view)}</p>
    ${options ? html`<p class="quiet">Played with ${options}.</p>` : nothing}
    ${rules.map((text) => html`<p>${text}</p>`)}
    ${steps ? html`<p><a href="#/learn/${view.game}">Learn ${view.title} step by step</a></p>` : nothing}
    ${view.guide ? html`<p class="guide">${view.guide}</p>` : nothing}
    ${view.seats.some(({ kind }) => kind === "agent") ? field("pace-of-moves",
      "Computers' moves are shown", select({ id: "pace-of-moves" }, pace(), PACES, setPace)) : nothing}
    ${view.you.length ? alertSettings(say) : nothing}
    <h3>Keys</h3><dl class="keys">${KEYS.map(([key, words]) =>
      html`<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`)}</dl></div>`);
}

/** Asks for a name and takes the seat; true when done, false where somebody rather looks on.
 *  Throws the server's sentence where the invitation is of no use any more. */
export async function claim(view, invite) {
  const [{ seat: offered, by }, defaults] = await Promise.all([
    post(`/api/tables/${view.id}/invitation`, { invite }), defaultsOf(view.game)]);
  const facts = [["Game", ended(view.summary)], ["Options", optionWords(view.options, defaults)],
    ["Your seat", `${seatName(view, offered)} (${offered + 1} of ${view.seats.length})`],
    ["Clock", clockTerms(view.terms.clock)],
    ["Help", `hints and analysis are ${view.terms.help ? "allowed" : "off during the game"}`]];
  const name = await ask(`Play ${view.title}`, html`<div class="stack">
    <p>${by || "Somebody"} invites you to a game.</p>
    <dl class="keys">${facts.filter(([, words]) => words).map(([term, words]) =>
      html`<dt>${term}</dt><dd>${sentence(words)}</dd>`)}</dl>
    ${field("guest", "Your name", html`<input id="guest" type="text" maxlength="40"
      value=${lastName()} autocomplete="nickname">`)}</div>`,
  [{ label: "Only look on", value: null },
    { label: "Take the seat", value: ({ guest }) => guest.value }]);
  if (name === null) return false;
  keepName(name);
  const { seat, token } = await post(`/api/tables/${view.id}/claim`, { invite, name: name.trim() });
  keep(view.id, { tokens: { [seat]: token } });
  return true;
}
