// Games of a run's self-play on a board: any episode, step by step or by itself.

import { get, post } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { button, checkbox, select } from "../controls.js";
import { h } from "../dom.js";
import { number, t, translate } from "../messages.js";
import { Scenes } from "../scenes.js";
import { Controller, html, live, nothing } from "../view.js";
import { signButton, walkButtons, walkKey } from "../walk.js";

const SPEEDS = { slow: 1600, normal: 800, fast: 300 }; // milliseconds a move

export class SampleGames extends Controller {
  /** `path`: of the run in the API. */
  constructor(path, app) {
    super(h("section", { class: "panel games-panel" }));
    this.path = path;
    this.app = app;
    this.game = null; // {episode, plies, result, record}
    this.moves = [];
    this.ply = 0;
    this.newest = 0;
    this.status = "";
    this.typed = ""; // the number of an episode
    this.speed = "normal";
    this.follows = false; // goes on with the newest game
    this.playing = null; // the timer
    this.scenes = new Scenes({ key: () => this.game.episode,
      ask: (ply) => post("/api/scenes", { source: { record: this.game.record }, ply }) });
    this.turn = 0; // counts what was asked for, so that a late answer is known
    this.closed = false;
    this.box = h("div", { class: "games-board" });
    this.board = makeBoard(this.box, { label: t("training.sample_board") });
    this.walk = { step: (by) => this.walkTo(this.ply + by), go: (ply) => this.walkTo(ply) };
  }

  close() {
    this.closed = true;
    this.pause();
    this.board.close();
  }

  // ------------------------------------------------------------ which game

  update({ episodes, status }) {
    this.set({ status, newest: Math.max(this.newest, episodes) });
    if (this.game || !episodes || this.closed) return;
    this.load(null);
    // A run that learns is watched as it learns, where nobody minds what moves.
    if (status !== "running" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.follows = true;
    if (!this.playing) this.start();
  }

  get learning() {
    return !["finished", "stopped", "failed"].includes(this.status);
  }

  /** Shows an episode; null: the newest. */
  async load(episode) {
    const turn = ++this.turn;
    try {
      const query = episode === null ? "limit=1" : `after=${episode - 1}&limit=1`;
      const { games, last } = await get(`${this.path}/games?${query}`);
      if (turn !== this.turn || this.closed) return;
      this.newest = Math.max(this.newest, last);
      if (!games.length && this.game) this.app.say(t("training.no_episode"));
      if (games.length && games[0].episode !== this.game?.episode) this.take(games[0]);
    } catch (error) {
      if (!this.closed) this.app.say(error.message, "error");
    }
  }

  take(game) {
    this.game = game;
    this.moves = JSON.parse(game.record).actions;
    this.typed = String(game.episode);
    this.go(this.playing ? 0 : this.moves.length);
  }

  choose(event) {
    event.preventDefault();
    const wanted = Math.round(Number(this.typed));
    if (wanted >= 1) this.load(Math.min(wanted, this.newest));
  }

  other(by) {
    this.load(Math.max(1, Math.min(this.game.episode + by, this.newest)));
  }

  // ------------------------------------------------------------ which move

  walkTo(ply) {
    this.pause();
    this.go(ply);
  }

  async go(to) {
    const { game, moves } = this;
    const ply = Math.max(0, Math.min(to, moves.length));
    this.set({ ply });
    try {
      const { scene, to_move: mover = null } = await this.scenes.at(ply);
      if (ply !== this.ply || game !== this.game || this.closed) return;
      this.board.update({ scene, actions: [], mover });
      if (ply < moves.length) this.scenes.ahead([ply + 1]);
    } catch (error) {
      if (this.closed) return;
      this.pause();
      this.app.say(error.message, "error");
    }
  }

  // ------------------------------------------------------------ by itself

  start() {
    if (this.game && this.ply >= this.moves.length) this.go(0);
    this.next();
    this.draw();
  }

  next() {
    this.playing = setTimeout(() => this.tick(), SPEEDS[this.speed]);
  }

  async tick() {
    const { game, ply, moves, newest } = this;
    if (game && ply < moves.length) await this.go(ply + 1);
    else if (game && this.follows && (this.learning || game.episode < newest)) await this.load(null);
    else if (game) this.pause(); // otherwise the first is on its way
    if (this.playing) this.next();
  }

  pause() {
    clearTimeout(this.playing);
    this.set({ playing: null });
  }

  // ------------------------------------------------------------ the view

  template() {
    const { game, status } = this;
    return html`<h2>${t("training.sample")}</h2><p class="quiet small">${t("training.sample_about")}</p>
      ${game ? this.body() : html`<p class="quiet">${
        t(status === "stopped" ? "training.no_game" : "training.first_games")}</p>`}`;
  }

  body() {
    const { game, moves, ply, newest, playing, speed, typed, walk } = this;
    const what = ply ? `: ${translate(moves[ply - 1])}` : "";
    const at = t("training.at", { episode: number(game.episode), ply, plies: moves.length });
    const said = `${at}${what}${ply === moves.length ? ` · ${translate(game.result)}` : ""}`;
    const type = ({ target }) => { this.typed = target.value; };
    const slide = ({ target }) => walk.go(Number(target.value));
    return html`<div class="games-body"
      @keydown=${(event) => walkKey(event, moves.length, walk)}>${this.box}<div class="stack">
        <form class="line" @submit=${(event) => this.choose(event)}>
          <label for="games-episode">${t("training.episode")}</label>
          <input type="number" id="games-episode" min="1" max=${newest} step="1" inputmode="numeric"
            .value=${live(typed)} @input=${type}>
          <button type="submit">${t("training.show")}</button>
          ${button(t("training.earlier"), () => this.other(-1))}${
            button(t("training.later"), () => this.other(1))}
          ${button(t("training.newest"), () => this.load(null))}
          <span class="quiet numbers">${
            newest ? t("training.of", { all: number(newest) }) : nothing}</span></form>
        <p class="games-words numbers" aria-live="off">${said}</p>
        <input type="range" min="0" max=${moves.length} .value=${live(String(ply))}
          aria-label=${t("common.move")} aria-valuetext=${said} @input=${slide}>
        <div class="replay-steps">${walkButtons(ply, moves.length, walk)}
          <span class="line">${playing ? signButton("pause", t("walk.pause"), () => this.pause())
            : signButton("play", t("walk.play"), () => this.start())}
            ${select({ label: t("training.speed"), kind: "games-speed" }, speed,
              Object.keys(SPEEDS).map((name) => [name, t(`training.speed_${name}`)]),
              (chosen) => this.set({ speed: chosen }))}
          </span></div>
        ${checkbox(t("training.follow"), this.follows, (follows) => this.set({ follows }))}
      </div></div>`;
  }
}
