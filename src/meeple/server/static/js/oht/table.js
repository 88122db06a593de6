// The table of a tournament, and the boards of the games in progress.

import { again } from "../again.js";
import { get } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { clear, h } from "../dom.js";
import { place, PHASES, seats } from "./words.js";

const EVERY = 1000; // milliseconds between two looks
const SLOWLY = 10_000; // once it is over

export async function showTable(root) {
  const head = h("div", { class: "oht-head" });
  const table = h("div", { class: "panel oht-scroll", tabindex: "0", role: "region",
    "aria-label": "Standings" });
  const title = h("h2", { class: "oht-playing" }, "Being played");
  const boards = new Boards(h("ul", { class: "oht-boards" }));
  const fault = h("p", { class: "warn", role: "status" });
  root.append(head, fault, table, title, boards.list);
  let phase = "";
  let known = "";
  async function look() {
    const found = await get("/api/oht");
    phase = found.phase;
    document.title = `${found.title} · Meeple`;
    const key = JSON.stringify([found.rows, found.games_done, found.phase]);
    if (key !== known) {
      known = key;
      clear(head).append(...heading(found));
      const at = [...table.querySelectorAll("a")].indexOf(document.activeElement);
      clear(table).append(standings(found.rows));
      if (at >= 0) table.querySelectorAll("a")[at]?.focus(); // a link keeps the focus
    }
    title.hidden = !found.boards.length;
    boards.update(found.boards);
  }
  await look();
  const end = again(() => look().then(() => { fault.textContent = ""; }),
    () => (phase === "over" ? SLOWLY : EVERY), (error) => { fault.textContent = error.message; });
  return () => {
    end();
    boards.close();
  };
}

function heading(found) {
  const { phase, games_done: done, games_all: all, rows } = found;
  const ready = rows.filter(({ state }) => state === "ready").length;
  const words = phase === "registration" ? `${ready} of ${rows.length} players are ready`
    : `${done} of ${all} games are played`;
  return [
    h("h1", {}, `Tournament of ${found.title}`),
    h("p", {}, h("strong", {}, PHASES[phase] ?? phase), `: ${words}`),
    all ? h("progress", { max: all, value: done, "aria-label": "Games played" }) : null,
  ].filter(Boolean);
}

function standings(rows) {
  const numbers = ["Score", "Games", "Won", "Drawn", "Lost", "Faults"];
  return h("table", { class: "oht-table" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "numbers" }, "Rank"),
      h("th", { scope: "col" }, "Player"),
      numbers.map((name) => h("th", { scope: "col", class: "numbers" }, name)),
      h("th", { scope: "col" }, "State"))),
    h("tbody", {}, rows.map(line)));
}

function line(row) {
  const counts = [row.score.toFixed(1), row.played, row.won, row.drawn, row.lost, row.faults];
  const here = row.spec ? "agent" : row.connected ? "connected" : "away";
  return h("tr", {}, h("td", { class: "numbers" }, row.rank),
    h("th", { scope: "row" }, h("a", { href: `#/games/${row.uid}` }, row.name)),
    counts.map((count) => h("td", { class: "numbers" }, count)),
    h("td", { class: "quiet" }, row.state === "ready" ? here : `${row.state}, ${here}`));
}

// The boards by game: one that goes on is drawn on, so that nothing flickers.
class Boards {
  constructor(list) {
    this.list = list;
    this.games = new Map();
  }

  update(games) {
    const ids = new Set(games.map(({ id }) => id));
    for (const [id, entry] of this.games) {
      if (!ids.has(id)) this.remove(id, entry);
    }
    for (const game of games) {
      const entry = this.games.get(game.id) ?? this.add(game);
      if (entry.ply !== game.ply) {
        entry.ply = game.ply;
        entry.words.replaceChildren(seats(game.seats, game.to_move));
        entry.board.update({ scene: game.scene, players: game.seats });
      }
    }
  }

  add(game) {
    const words = h("div", {});
    const item = h("li", { class: "panel" }, words);
    const board = makeBoard(item, { label: `Board of ${game.players.join(" and ")}` });
    item.append(h("a", { class: "small", href: `#/game/${game.id}` }, place(game)));
    this.list.append(item);
    const entry = { item, words, board, ply: -1 };
    this.games.set(game.id, entry);
    return entry;
  }

  remove(id, { item, board }) {
    board.close();
    item.remove();
    this.games.delete(id);
  }

  close() {
    for (const [id, entry] of this.games) this.remove(id, entry);
  }
}
