// Puzzles: find the only winning move; the next puzzle is near one's rating.

import { post } from "../api.js";
import { Board } from "../boards/board.js";
import { optionWords } from "../game_options.js";
import { rich, sentence, t, translate } from "../messages.js";
import { chip } from "../players.js";
import { recall, remember, secret } from "../storage.js";
import { saveAsStudy } from "../study/own.js";
import { button, Controller, h, html, labelled, nothing } from "../view.js";
import { walkButtons, walkKey } from "../walk.js";

const PERSON = "meeple.person"; // the key of the token that stands for this browser's person
const GAME = "meeple.puzzles"; // and of the game that puzzles are wanted of

/** `params`: `id`, of a puzzle; without it the next one comes. */
export async function show(root, params, app) {
  const puzzles = new Puzzles(root, app);
  await puzzles.load(params.id ? encodeURIComponent(params.id) : "next");
  return puzzles;
}

/** `played`: the moves from the puzzle's position on; `at`: how many of them the board shows;
 *  `state`: "find", "waits", "wrong", "solved" or "shown". */
class Puzzles extends Controller {
  constructor(root, app) {
    super(root);
    this.app = app;
    this.puzzle = null;
    this.words = this.proof = "";
    this.seeker = ""; // who is to find the move
    this.seat = -1;
    this.boardBox = h("div", { class: "puzzle-board" });
    this.board = this.own(new Board(this.boardBox, { label: t("puzzles.puzzle"),
      onAction: (id) => this.play(id) }));
    this.walk = { step: (by) => this.go(this.at + by), go: (at) => this.go(at) };
    this.listen(document, "keydown",
      (event) => this.decided && walkKey(event, this.played.length, this.walk));
  }

  ask(path, more = {}) {
    return post(`/api/puzzles/${path}`, { person: secret(PERSON), ...more });
  }

  /** Shows a puzzle by its id, or the "next" one. */
  async load(path) {
    const game = recall(GAME) ?? "";
    const more = path === "next" ? { game, after: this.puzzle?.id ?? "" } : {};
    const puzzle = await this.ask(path, more);
    Object.assign(this, { puzzle, played: [], state: "find", words: "", proof: "" });
    this.app.title(this.heading);
    history.replaceState(null, "", `#/puzzles/${puzzle.id}`);
    await this.go(0);
  }

  next() {
    return this.load("next").catch((error) => this.app.say(error.message, "error"));
  }

  choose(game) {
    remember(GAME, game);
    return this.next();
  }

  get heading() {
    return t("puzzles.title", { game: translate(this.puzzle.title) });
  }

  get decided() {
    return ["solved", "shown"].includes(this.state);
  }

  get source() {
    const { game, options, seed, moves } = this.puzzle;
    return { game, options, seed, moves: [...moves, ...this.played] };
  }

  async go(at) {
    this.at = Math.min(Math.max(at, 0), this.played.length);
    const scene = await this.newest(post("/api/scenes", { source: this.source,
      ply: this.puzzle.moves.length + this.at }));
    if (!scene) return;
    this.scene = scene;
    if (this.at === 0) Object.assign(this, { seeker: scene.mover, seat: scene.to_move });
    this.board.update({ scene: scene.scene, actions: this.state === "find" ? scene.actions : [],
      mover: scene.to_move, players: this.puzzle.players });
    this.draw();
  }

  // ------------------------------------------------------------ answers

  async play(id) {
    const action = this.scene.actions.find((one) => one.id === id);
    if (!action || this.state !== "find") return;
    this.played = [...this.played, action.name];
    this.state = "waits";
    try {
      const [found] = await Promise.all([
        this.ask(`${this.puzzle.id}/answer`, { moves: this.played }), this.go(this.played.length)]);
      await this.take(found, action.name);
    } catch (error) {
      this.app.say(error.message, "error");
      this.again();
    }
  }

  async take(found, name) {
    this.rated(found);
    if (!found.right) this.set({ state: "wrong", words: t("puzzles.wrong", { move: name }) });
    else if (found.reply) {
      this.played = [...this.played, found.reply];
      Object.assign(this, { state: "find", words: t("puzzles.right", { move: name, reply: found.reply }) });
      await this.go(this.played.length);
    } else this.set({ state: "solved", words: t("puzzles.solved", { move: name }), proof: found.proof });
  }

  rated({ you, change = null }) {
    if (you) this.puzzle = { ...this.puzzle, you };
    this.change = change;
  }

  again() {
    this.played = this.played.slice(0, -1);
    Object.assign(this, { state: "find", words: "" });
    return this.go(this.played.length);
  }

  async solve() {
    await this.app.attempt(async () => {
      const found = await this.ask(`${this.puzzle.id}/solution`);
      this.rated(found);
      Object.assign(this, { state: "shown", played: found.solution, proof: found.proof,
        words: t("puzzles.solution", { moves: found.solution.join(", ") }) });
      await this.go(1);
    });
  }

  // ------------------------------------------------------------ the view

  template() {
    const { puzzle, state } = this;
    const { you, games } = puzzle;
    const choices = [["", t("puzzles.all")],
      ...games.map(([name, title, n]) => [name, `${translate(title)} (${n})`])];
    return html`<h1>${this.heading}</h1>
      <p class="quiet">${optionWords(puzzle.options, null)}</p>
      <div class="puzzle"><section class="panel" aria-label=${t("common.board")}>
        <p class="puzzle-task line">${chip(this.seat, puzzle.players[this.seat])}<span>${
          t("puzzles.task", { name: sentence(translate(this.seeker)) })}</span></p>
        ${this.boardBox}${this.decided ? html`<div class="line analysis-steps">${
          walkButtons(this.at, this.played.length, this.walk)}</div>` : nothing}</section>
      <section class="panel stack" aria-label=${t("puzzles.puzzle")}>
        <p role="status" class=${{ wrong: "bad", solved: "good" }[state] ?? nothing}>${this.words}</p>
        ${this.proof ? html`<p class="quiet small">${sentence(translate(this.proof))}.</p>` : nothing}
        <div class="line">${this.ways()}</div>
        <p class="numbers">${rich("puzzles.rating", { deviation: 2 * you.deviation,
          rating: html`<strong>${you.rating}</strong>` })}${
          this.change ? html` <span class=${this.change > 0 ? "good" : "bad"}>(${
            this.change > 0 ? "+" : "−"}${Math.abs(this.change)})</span>` : nothing}<br>
          <span class="quiet small">${
            you.tries ? t("puzzles.solved_of", { n: you.solved, all: you.tries }) : nothing}</span></p>
        <p class="quiet small numbers">${t(puzzle.tries ? "puzzles.this" : "puzzles.new",
          { rating: puzzle.rating, n: puzzle.solved, all: puzzle.tries })}</p>
        ${labelled("puzzle-game", t("puzzles.of"), recall(GAME) ?? "", choices,
          (game) => this.choose(game))}</section></div>`;
  }

  ways() {
    const kind = "primary";
    const onwards = button(t("puzzles.next"), () => this.next(), { kind });
    if (this.decided) {
      return [onwards, button(t("puzzles.analyse"), () => saveAsStudy({ source: this.source, app: this.app,
        ply: this.puzzle.moves.length + this.at, title: this.heading }))];
    }
    // The same places in both states, so that no button comes under the pointer.
    return [button(t("puzzles.again"), () => this.again(), { kind, disabled: this.state !== "wrong" }),
      button(t("puzzles.show"), () => this.solve()), button(t("puzzles.another"), () => this.next())];
  }
}
