// One game of a tournament, move by move; one that is being played is followed.

import { poll } from "../../js/again.js";
import { get } from "../../js/api.js";
import { Board } from "../../js/boards/board.js";
import { t, translate } from "../../js/messages.js";
import { Walker } from "../../js/replay/walker.js";
import { Scenes } from "../../js/scenes.js";
import { h, html } from "../../js/view.js";
import { walkKey } from "../../js/walk.js";
import { place, result, seats } from "./words.js";

const EVERY = 1000; // milliseconds between two looks at a game in progress

export async function showGame(root, { id }, app) {
  const path = `/api/oht/games/${encodeURIComponent(id ?? "")}`;
  const game = new Game(root, app, path, await get(path));
  await game.go(game.last);
  return poll(game, () => EVERY);
}

class Game extends Walker {
  constructor(root, app, path, newest) {
    super(root, app);
    this.path = path;
    this.scenes = new Scenes({ ask: (ply) => get(`${path}?ply=${ply}`) });
    this.hold(newest);
    this.box = h("div", { class: "panel" });
    this.board = this.own(new Board(this.box, { label: t("oht.position") }));
    this.listen(document, "keydown", (event) => walkKey(event, this.last, this.walk));
    app.title(newest.players.join(" – "));
  }

  hold(found) {
    this.found = found; // the server's newest answer
    this.stops = Array.from({ length: found.plies + 1 }, (_, ply) => ply);
  }

  arrive() {
    const { scene, seats: players } = this.scene;
    this.board.update({ scene, players });
  }

  async look() {
    const { found: { state, plies }, ply, last } = this;
    if (state === "done") return;
    const found = await get(this.path);
    if (found.state === state && found.plies === plies) return;
    this.hold(found);
    this.scenes.clear();
    await this.go(ply === last ? this.last : this.ply);
  }

  template() {
    const { found: { players, state, seats: names }, scene } = this;
    const { moves = [], to_move: mover = -1 } = scene ?? {};
    return html`<h1>${players.join(" – ")}</h1><p class="quiet">${place(this.found)}: ${
      result(this.found)}</p>${seats(names, state === "done" ? -1 : mover)}
      <div class="oht-game">${this.box}<section class="panel stack"><h2>${t("oht.moves")}</h2>
        ${this.steps(translate(moves.at(-1) ?? ""))}
        <p class="oht-moves">${moves.map((name, at) => `${at + 1} ${translate(name)}`).join("   ")}</p>
      </section></div>`;
  }
}
