// One game of a tournament, move by move; one that is being played is followed.

import { again } from "../again.js";
import { get } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { button } from "../controls.js";
import { h } from "../dom.js";
import { t, translate } from "../messages.js";
import { Controller, html, live } from "../view.js";
import { place, result, seats } from "./words.js";

const EVERY = 1000; // milliseconds between two looks at a game in progress

export async function showGame(root, { id }, app) {
  const game = new Game(root, app, `/api/oht/games/${encodeURIComponent(id ?? "")}`);
  await game.go(null);
  const end = again(() => game.follow(), () => EVERY, () => null);
  return () => {
    end();
    game.board.close();
  };
}

class Game extends Controller {
  constructor(root, app, path) {
    super(root);
    this.app = app;
    this.path = path;
    this.found = null; // the server's answer
    this.wanted = 0; // counts plies asked for, so that late answers are known
    this.box = h("div", { class: "panel" });
    this.board = makeBoard(this.box, { label: t("oht.position") });
  }

  /** Goes to a ply; null: the newest. */
  async go(ply) {
    const turn = ++this.wanted;
    const found = await get(ply === null ? this.path : `${this.path}?ply=${Math.max(0, ply)}`);
    if (turn !== this.wanted) return;
    this.app.title(found.players.join(" – "));
    this.set({ found });
    this.board.update({ scene: found.scene, players: found.seats });
  }

  async follow() {
    const { state, ply, plies } = this.found;
    if (state !== "done" && ply === plies) await this.go(null);
  }

  template() {
    const { found } = this;
    const { ply, plies, players, moves, state } = found;
    return html`<h1>${players.join(" – ")}</h1><p class="quiet">${place(found)}: ${result(found)}</p>
      ${seats(found.seats, state === "done" ? -1 : found.to_move)}
      <div class="oht-game">${this.box}<section class="panel stack"><h2>${t("oht.moves")}</h2>
        <div class="oht-steps">${button(t("oht.back"), () => this.go(ply - 1))}<input type="range" min="0"
          max=${plies} .value=${live(String(ply))} aria-label=${t("oht.move")}
          @input=${({ target }) => this.go(Number(target.value))}>${
          button(t("oht.on"), () => this.go(Math.min(ply + 1, plies)))}</div>
        <span class="numbers" role="status">${t("oht.move_of", { ply, plies })}</span>
        <p class="oht-moves">${moves.map((name, at) => `${at + 1} ${translate(name)}`).join("   ")}</p>
      </section></div>`;
  }
}
