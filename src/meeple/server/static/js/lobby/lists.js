// Games to go on with, and others to look at.

import { again } from "../again.js";
import { get } from "../api.js";
import { ago, t, translate } from "../messages.js";
import { myTables, withYou } from "../tokens.js";
import { drawing, html, repeat } from "../view.js";
import { picture } from "./pictures.js";

const EVERY = 10_000; // milliseconds between two looks
const MAX_OWN_GAMES = 50;
const MAX_OTHER_GAMES = 6;

export class GameLists {
  /** `draw()` shows a change; `failed(error)` tells of a request that failed. */
  constructor(games, draw, failed) {
    this.boards = Object.fromEntries(games.map(({ name, board }) => [name, board]));
    this.draw = draw;
    this.own = [];
    this.others = [];
    this.close = again(() => this.look(), () => EVERY, failed);
    this.look().catch(failed);
  }

  async look() {
    const ids = myTables().slice(0, MAX_OWN_GAMES);
    const [own, newest] = await Promise.all([
      ids.length ? get(`/api/tables?status=playing&limit=${MAX_OWN_GAMES}&ids=${ids.join(",")}`)
        : { tables: [] },
      get(`/api/tables?limit=${MAX_OTHER_GAMES + ids.length}`),
    ]);
    this.own = own.tables.filter(({ status }) => status === "playing").map((table) => withYou(table));
    this.others = newest.tables.filter(({ id }) => !ids.includes(id)).slice(0, MAX_OTHER_GAMES);
    this.draw();
  }

  /** Leads to one's own games from the top of the page. */
  link() {
    const { length } = this.own;
    const go = () => document.getElementById("own-games").querySelector("a").focus();
    return html`<button type="button" class="link" ?hidden=${length === 0} @click=${go}>${
      t("lobby.go_on", { n: length })}</button>`;
  }

  template() {
    return html`<div class="stack lists">
      <section id="own-games" ?hidden=${!this.own.length}><h2>${t("lobby.go_on_title")}</h2>
        ${this.list(this.own)}</section>
      <section ?hidden=${!this.others.length}><h2>${t("lobby.look_on")}</h2>${
        this.list(this.others)}</section>
    </div>`;
  }

  list(tables) {
    return html`<ul class="tables">${repeat(tables, ({ id }) => id, (table) => html`<li>
      <a class="table-link" href="#/table/${table.id}">
        ${drawing(picture, table.game, this.boards[table.game])}
        <span class="words"><strong>${translate(table.title)}</strong>
          <span class="small who">${table.seats.map(translate).join(" – ")}</span>
          <span class="quiet small">${stateWords(table)}, ${ago(table.updated)}</span></span></a>
      </li>`)}</ul>`;
  }
}

function stateWords({ status, plies, result }) {
  return status === "playing" ? t("lobby.at_move", { n: plies + 1 }) : translate(result) || t("lobby.over");
}
