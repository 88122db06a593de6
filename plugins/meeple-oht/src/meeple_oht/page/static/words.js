// Words and small parts that the views of a tournament share.

import { t, translate } from "../../js/messages.js";
import { html, nothing } from "../../js/view.js";

const PHASES = { registration: "oht.phase_registration", league: "oht.phase_league", over: "oht.phase_over" };
const FAULTS = { illegal: "oht.fault_illegal", timeout: "oht.fault_timeout", rubbish: "oht.fault_rubbish",
  disconnect: "oht.fault_disconnect" };

export function phaseWords(name) {
  return name in PHASES ? t(PHASES[name]) : name;
}

/** Who sits where, with the colour of the stones. */
export function seats(names, mover = -1) {
  return html`<ul class="oht-seats">${names.map((name, seat) => html`<li><span class="oht-dot p${seat}"
    aria-hidden="true"></span><span>${translate(name)}${seat === mover
    ? html`<span class="quiet"> ${t("oht.to_move")}</span>` : nothing}</span></li>`)}</ul>`;
}

/** What became of a game, in words. */
export function result({ state, winner, how, players, plies }) {
  if (state !== "done") return t("oht.at_move", { n: plies + 1 });
  if (winner === 0) return t("oht.draw");
  return t(FAULTS[how] ?? "oht.wins", { name: players[winner - 1], loser: players[2 - winner] });
}

/** A game's place in the tournament. */
export function place({ kind, number, of }) {
  return t(kind === "qualifier" ? "oht.qualifier" : "oht.game_of", { number, all: of });
}
