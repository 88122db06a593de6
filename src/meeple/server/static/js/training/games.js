// Games of a run's self-play on a board: any episode, step by step or by itself.

import { get, post } from "../api.js";
import { Board } from "../boards/board.js";
import { number, t, translate } from "../messages.js";
import { Scenes } from "../scenes.js";
import { Walker } from "../replay/walker.js";
import { button, checkbox, h, html, instead, live, nothing } from "../view.js";
import { walkKey } from "../walk.js";

export class SampleGames extends Walker {
  /** `path`: of the run in the API. */
  constructor(path, app) {
    super(h("section", { class: "panel games-panel" }), app);
    this.path = path;
    this.scenes = new Scenes({ key: () => this.game.episode,
      ask: (ply) => post("/api/scenes", { source: { record: this.game.record }, ply }) });
    this.game = null; // {episode, plies, result, record}
    this.moves = [];
    this.newestEpisode = 0;
    this.status = "";
    this.typed = ""; // the number of an episode
    this.follows = false; // goes on with the newest game
    this.box = h("div", { class: "games-board" });
    this.board = this.own(new Board(this.box, { label: t("training.sample_board") }));
  }

  // ------------------------------------------------------------ which game

  update({ episodes, status }) {
    this.set({ status, newestEpisode: Math.max(this.newestEpisode, episodes) });
    if (this.game || !episodes || this.closed) return;
    this.load(null);
    // A run that learns is watched as it learns, where nobody minds what moves.
    if (status !== "running" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.follows = true;
    if (!this.timer) this.next();
  }

  get learning() {
    return !["finished", "stopped", "failed"].includes(this.status);
  }

  /** Shows an episode; null: the newest. */
  async load(episode) {
    try {
      const query = episode === null ? "limit=1" : `after=${episode - 1}&limit=1`;
      const found = await this.newest(get(`${this.path}/games?${query}`));
      if (!found) return;
      const { games, last } = found;
      this.newestEpisode = Math.max(this.newestEpisode, last);
      if (!games.length && this.game) this.app.say(t("training.no_episode"));
      if (games.length && games[0].episode !== this.game?.episode) this.take(games[0]);
    } catch (error) {
      this.app.say(error.message, "error");
    }
  }

  take(game) {
    this.game = game;
    this.moves = JSON.parse(game.record).actions;
    this.typed = String(game.episode);
    this.stops = [...this.moves, null].map((_, ply) => ply);
    this.go(this.timer ? 0 : this.last);
  }

  choose() {
    const wanted = Math.round(Number(this.typed));
    if (wanted >= 1) this.load(Math.min(wanted, this.newestEpisode));
  }

  other(by) {
    this.load(Math.max(1, Math.min(this.game.episode + by, this.newestEpisode)));
  }

  // ------------------------------------------------------------ which move

  arrive() {
    const { scene, to_move: mover } = this.scene;
    this.board.update({ scene, actions: [], mover });
  }

  async onwards() {
    const { game, ply, last, newestEpisode } = this;
    if (game && ply < last) await this.go(ply + 1);
    else if (game && this.follows && (this.learning || game.episode < newestEpisode)) await this.load(null);
    else return !game; // the first is on its way
    return true;
  }

  // ------------------------------------------------------------ the view

  template() {
    const { game, status } = this;
    return html`<h2>${t("training.sample")}</h2><p class="quiet small">${t("training.sample_about")}</p>
      ${game ? this.body() : html`<p class="quiet">${
        t(status === "stopped" ? "training.no_game" : "training.first_games")}</p>`}`;
  }

  body() {
    const { game, moves, ply, newestEpisode: all, typed, walk } = this;
    const what = ply ? `: ${translate(moves[ply - 1])}` : "";
    const at = t("training.at", { episode: number(game.episode), ply, plies: moves.length });
    const said = `${at}${what}${ply === moves.length ? ` · ${translate(game.result)}` : ""}`;
    const type = ({ target }) => { this.typed = target.value; };
    return html`<div class="games-body"
      @keydown=${(event) => walkKey(event, moves.length, walk)}>${this.box}<div class="stack">
        <form class="line" @submit=${instead(() => this.choose())}>
          <label for="games-episode">${t("training.episode")}</label>
          <input type="number" id="games-episode" min="1" max=${all} step="1" inputmode="numeric"
            .value=${live(typed)} @input=${type}>
          <button type="submit">${t("training.show")}</button>
          ${button(t("training.earlier"), () => this.other(-1))}${
            button(t("training.later"), () => this.other(1))}
          ${button(t("training.newest"), () => this.load(null))}
          <span class="quiet numbers">${
            all ? t("training.of", { all: number(all) }) : nothing}</span></form>
        <p class="games-words numbers" aria-live="off">${said}</p>
        ${this.steps(said)}${checkbox(t("training.follow"), this.follows, (follows) => this.set({ follows }))}
      </div></div>`;
  }
}
