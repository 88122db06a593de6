// The table of a tournament, and the boards of the games in progress.

import { poll } from "../../js/again.js";
import { get } from "../../js/api.js";
import { Board } from "../../js/boards/board.js";
import { number, t, translate } from "../../js/messages.js";
import { Controller, h, heads, html, nothing, repeat } from "../../js/view.js";
import { phaseWords, place, seats } from "./words.js";

const EVERY = 1000; // milliseconds between two looks
const SLOWLY = 10_000; // once it is over
const NUMBERS = ["score", "played", "won", "drawn", "lost", "faults"]; // columns, named as the fields

export async function showTable(root, params, app) {
  const table = new Standings(root, app);
  await table.look();
  return poll(table, () => (table.found.phase === "over" ? SLOWLY : EVERY));
}

class Standings extends Controller {
  constructor(root, app) {
    super(root);
    this.app = app;
    this.found = null; // the server's answer
    this.fault = "";
    this.games = new Map(); // by game: {box, board, ply}; one that goes on is drawn on
  }

  close() {
    super.close();
    for (const { board } of this.games.values()) board.close();
  }

  async look() {
    const found = await get("/api/oht");
    this.app.title(found.title);
    for (const game of found.boards) this.show(game);
    const ids = new Set(found.boards.map(({ id }) => id));
    for (const [id, { board }] of this.games) {
      if (ids.has(id)) continue;
      board.close();
      this.games.delete(id);
    }
    this.set({ found, fault: "" });
  }

  show({ id, ply, scene, players, seats: names }) {
    if (!this.games.has(id)) {
      const box = h("div", {});
      const board = new Board(box, { label: t("oht.board_of", { one: players[0], other: players[1] }) });
      this.games.set(id, { box, board, ply: -1 });
    }
    const entry = this.games.get(id);
    if (entry.ply === ply) return;
    entry.ply = ply;
    entry.board.update({ scene, players: names });
  }

  template() {
    const { found, fault } = this;
    const { phase, games_done: done, games_all: all, rows, boards } = found;
    const ready = rows.filter(({ state }) => state === "ready").length;
    const words = phase === "registration" ? t("oht.ready", { ready, all: rows.length })
      : t("oht.done", { done, all });
    const columns = ["rank", "player", ...NUMBERS, "state"];
    const kinds = columns.map((name) => !["player", "state"].includes(name) && "numbers");
    return html`<div class="oht-head"><h1>${t("oht.title", { title: translate(found.title) })}</h1>
        <p><strong>${phaseWords(phase)}</strong>: ${words}</p>
        ${all ? html`<progress max=${all} .value=${done} aria-label=${t("oht.games_played")}></progress>`
          : nothing}</div>
      <p class="warn" role="status">${fault}</p>
      <div class="panel oht-scroll" tabindex="0" role="region" aria-label=${t("oht.standings")}>
        <table class="oht-table">${heads(columns.map((name) => t(`oht.${name}`)), kinds)}
        <tbody>${rows.map(line)}</tbody></table></div>
      <h2 class="oht-playing" ?hidden=${!boards.length}>${t("oht.playing")}</h2>
      <ul class="oht-boards">${repeat(boards, ({ id }) => id, (game) => html`<li class="panel">
        ${seats(game.seats, game.to_move)}${this.games.get(game.id).box}
        <a class="small" href="#/game/${game.id}">${place(game)}</a></li>`)}</ul>`;
  }
}

function line(row) {
  const here = t(row.spec ? "oht.agent" : row.connected ? "oht.connected" : "oht.away");
  const state = { new: "oht.new", failed: "oht.failed" }[row.state];
  return html`<tr><td class="numbers">${row.rank}</td>
    <th scope="row"><a href="#/games/${row.uid}">${row.name}</a></th>
    ${NUMBERS.map((name) => html`<td class="numbers">${
      number(row[name], name === "score" ? 1 : 0)}</td>`)}
    <td class="quiet">${[state && t(state), here].filter(Boolean).join(", ")}</td></tr>`;
}
