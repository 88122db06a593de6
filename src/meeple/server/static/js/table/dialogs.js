// The table's dialogs: links to share, help, and taking the seat of an invitation.

import { h } from "../dom.js";
import { post } from "../api.js";
import { ask, copyField, tell } from "../dialogs.js";
import { invitesOf, keep } from "../tokens.js";
import { keepName, lastName } from "../lobby/seats.js";
import { aboutWords, optionWords, seatName } from "./words.js";

const KEYS = [["u", "take back a move"], ["h", "a hint"], ["?", "this help"],
  ["Arrows", "move over the board"], ["Enter", "play there"], ["Esc", "let go of a chosen piece"]];

function link(id, invite) {
  return `${location.origin}/#/table/${id}${invite ? `?invite=${invite}` : ""}`;
}

// The invitations of a table that are still open, as fields to copy.
export function inviteFields(view) {
  return Object.entries(invitesOf(view.id))
    .filter(([seat]) => view.seats[seat]?.kind === "open")
    .map(([seat, invite]) => copyField(`Link for ${seatName(view, Number(seat))}`,
      link(view.id, invite)));
}

export function share(view) {
  return tell("Share this game", h("div", { class: "stack" }, inviteFields(view),
    copyField("Link to look on", link(view.id))));
}

export function help(view) {
  const options = optionWords(view.options, {});
  return tell(view.title, h("div", {},
    h("p", {}, aboutWords(view)),
    options ? h("p", { class: "quiet" }, `Played with ${options}.`) : null,
    view.guide ? h("p", { class: "guide" }, view.guide) : null,
    h("h3", {}, "Keys"),
    h("dl", { class: "keys" }, KEYS.map(([key, words]) =>
      [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)]))));
}

// Asks for a name and takes the seat; true when done, false where somebody rather looks on.
// Throws the server's sentence where the invitation is of no use any more.
export async function claim(view, invite) {
  const field = h("input", { id: "guest", type: "text", maxlength: 40, value: lastName(),
    autocomplete: "nickname" });
  const content = h("div", { class: "stack" },
    h("p", {}, `You are invited to a game: ${view.summary}.`),
    h("div", { class: "field" }, h("label", { for: "guest" }, "Your name"), field));
  const joins = await ask(`Play ${view.title}`, content,
    [{ label: "Only look on", value: false }, { label: "Take the seat", value: true }]);
  if (!joins) return false;
  keepName(field.value);
  const { seat, token } = await post(`/api/tables/${view.id}/claim`,
    { invite, name: field.value.trim() });
  keep(view.id, { tokens: { [seat]: token } });
  return true;
}
