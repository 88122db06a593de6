// The panel "Explorer": the moves played from the position on the board in the library's games.

import { post } from "../api.js";
import { sentence, t } from "../messages.js";
import { Recent } from "../storage.js";
import { Controller, h, heads, html, nothing } from "../view.js";
import { Worth } from "../worth.js";

const WAIT = 250; // milliseconds that a position stays on the board before its moves are asked for
const MAX_ANSWERS = 400; // answers kept, so that going back needs no request

export class Explorer extends Controller {
  /** `here`: the game that is shown, if one is. An `optional` panel is hidden where nothing is. */
  constructor({ tokens = [], here = null, optional = false } = {}) {
    super(h("section", { class: "panel explorer", "aria-label": t("explorer.title"), hidden: optional }));
    this.tokens = tokens;
    this.here = here;
    this.optional = optional;
    this.worth = new Worth();
    this.ply = 0;
    this.next = "";
    this.kept = new Recent(MAX_ANSWERS);
    this.found = { moves: [] };
    this.said = "";
    this.own(() => clearTimeout(this.wait));
    this.draw();
  }

  hide(hidden) {
    this.root.hidden = hidden;
  }

  /** Shows what was played from a position, {source, ply}; soon, as somebody may be on the way on.
   *  `next`: the action that the game shown goes on with, by name. */
  async look(place, next = "") {
    const key = JSON.stringify(place);
    const soon = new Promise((go) => {
      clearTimeout(this.wait);
      this.wait = setTimeout(go, WAIT);
    });
    const ask = () => post("/api/explore", place, { tokens: this.tokens });
    try {
      const found = await this.newest(this.kept.get(key) ?? soon.then(ask));
      if (!found) return;
      this.kept.set(key, found);
      this.set({ found, said: words(found), ply: place.ply, next });
    } catch (error) {
      this.hide(this.optional);
      this.set({ found: { moves: [] }, said: error.message });
    }
  }

  template() {
    const { found: { moves, more }, said } = this;
    const declared = moves.reduce((sum, move) => sum + move.declared, 0);
    return html`<h2>${t("explorer.title")}</h2><p class="quiet" role="status">${said}</p>
      <div class="explorer-table">${moves.length ? html`<table aria-label=${t("explorer.moves")}>
        ${heads([t("common.move"), t("common.games"), this.worth.range ? sentence(this.worth.label)
          : t("explorer.won"), t("explorer.years"), t("explorer.plies")])}
        <tbody>${moves.map((move) => this.row(move))}</tbody></table>` : nothing}
      ${declared ? html`<p class="quiet">${t("explorer.declared", { n: declared })}</p>` : nothing}
      ${more ? html`<p class="quiet">${t("common.more_moves", { n: more })}</p>` : nothing}</div>`;
  }

  /** A move leads on in this game, where it was played here, or to another game with it. */
  row(move) {
    const here = this.here !== null && move.alike.includes(this.next);
    const name = here ? this.next : move.move;
    const { game, ply } = here ? { game: this.here, ply: this.ply } : move.examples[0];
    const share = move.share === null ? html`<span class="quiet">${t("chart.unknown")}</span>`
      : html`${this.worth.text(this.worth.ofSide(move.share))} <span
        class="quiet small">${this.worth.span(move.interval)}</span>`;
    const [first, last] = move.years ?? [];
    return html`<tr aria-current=${here ? "true" : nothing}>
      <th scope="row"><a href="#/replay/${game}?ply=${ply + 1}"
        aria-label=${t(here ? "explorer.here" : "explorer.there", { move: name })}>${name}</a></th>
      <td class="numbers">${move.games}</td><td class="numbers">${share}</td>
      <td class="numbers">${!first ? "" : first === last ? first : `${first}–${last}`}</td>
      <td class="numbers">${Math.round(move.plies)}</td></tr>`;
  }
}

function words({ reached, ended, games, most }) {
  if (reached === 1 && games === 1) return t(ended ? "explorer.only_ended" : "explorer.only");
  return t(ended ? "explorer.reached_ended" : "explorer.reached", { reached,
    games: t(games >= most ? "explorer.newest_games" : "explorer.games", { n: games }),
    ended: t("explorer.games", { n: ended }) });
}
