// Words and small parts that the views of a tournament share.

import { html, nothing } from "../view.js";

export const PHASES = { registration: "Registration", league: "League", over: "Over" };
const FAULTS = { illegal: "an illegal move", timeout: "being too late",
  rubbish: "an answer that was no move", disconnect: "being away" };

/** Who sits where, with the colour of the stones. */
export function seats(names, mover = -1) {
  return html`<ul class="oht-seats">${names.map((name, seat) => html`<li><span class="oht-dot p${seat}"
    aria-hidden="true"></span><span>${name}${seat === mover
    ? html`<span class="quiet"> to move</span>` : nothing}</span></li>`)}</ul>`;
}

/** What became of a game, in words. */
export function result({ state, winner, how, players, plies }) {
  if (state !== "done") return `move ${plies + 1}`;
  if (winner === 0) return "drawn";
  const loser = players[2 - winner];
  return how === "rules" ? `${players[winner - 1]} won`
    : `${players[winner - 1]} won: ${loser} lost by ${FAULTS[how] ?? how}`;
}

/** A game's place in the tournament. */
export function place({ kind, number, of }) {
  return `${kind === "qualifier" ? "Qualifier, game" : "Game"} ${number} of ${of}`;
}
