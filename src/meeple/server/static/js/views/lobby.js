// The lobby: choose a game, its options, who sits where, and begin. Below it, games to go on with.

import { get, post } from "../api.js";
import { chooseGame, firstGame, OptionsForm } from "../game_options.js";
import { newCup } from "../lobby/cup.js";
import { GameLists } from "../lobby/lists.js";
import { picture } from "../lobby/pictures.js";
import { Seats } from "../lobby/seats.js";
import { Terms } from "../lobby/terms.js";
import { trainGame } from "../lobby/train.js";
import { declared, ended, t, translate } from "../messages.js";
import { followPreparation } from "../preparing.js";
import { keep } from "../tokens.js";
import { button, Controller, drawing, html, instead, nothing } from "../view.js";

const SETTLE = 250; // milliseconds without a key until options are sent to be checked

/** `params.game`: the game that is chosen at first. */
export async function show(root, params, app) {
  const lobby = new Lobby(root, app, await get("/api/games"));
  lobby.choose(firstGame(lobby.games, params.game));
  return lobby;
}

class Lobby extends Controller {
  constructor(root, app, { games, agents }) {
    super(root);
    this.app = app;
    this.games = games;
    this.fault = "";
    this.wait = "";
    this.starting = false;
    this.asked = 0; // counts questions about options, so that a late answer is known
    this.timer = null;
    this.seats = new Seats(agents, () => this.refresh());
    this.terms = new Terms(() => this.draw());
    this.lists = this.own(new GameLists(games, () => this.draw(), (error) => app.say(error.message)));
  }

  close() {
    super.close();
    clearTimeout(this.timer);
    this.asked++;
  }

  choose(game) {
    this.game = game;
    chooseGame(this.games, game);
    this.options = new OptionsForm(game, () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.check(), SETTLE);
      this.draw();
    });
    this.draw();
    this.check();
  }

  /** Asks the server whether the options can be, and which seats and strengths there are then. */
  async check() {
    clearTimeout(this.timer);
    this.timer = null;
    const turn = ++this.asked;
    const { game } = this;
    try {
      const found = await post("/api/levels", { game: game.name, options: this.options.values() });
      if (turn !== this.asked) return true;
      this.seats.update(found.seats, found.levels);
      this.refuse(null);
    } catch (error) {
      if (turn !== this.asked) return true;
      this.refuse(error.message);
      return false;
    }
    this.refresh();
    return true;
  }

  refuse(words) {
    this.options.fault(words);
    this.fault = words ?? "";
    this.draw();
  }

  refresh() {
    this.terms.update(this.seats);
    this.draw();
  }

  async begin() {
    if (this.starting) return; // Enter in a field
    this.set({ starting: true });
    const told = followPreparation((wait) => this.set({ wait }), this.game.name);
    try {
      if (!(await this.check())) return; // the levels may still be those of another game
      const wanted = { game: this.game.name, options: this.options.values(),
        seats: this.seats.values(), ...this.terms.values() };
      const { id, tokens, invites } = await post("/api/tables", wanted);
      keep(id, { tokens, invites });
      this.app.go(`#/table/${id}`);
    } catch (error) {
      this.fault = error.message;
    } finally {
      told();
      this.set({ wait: "", starting: false });
    }
  }

  async newCup() {
    try {
      if (!(await this.check())) return; // the levels may still be those of another game
      const { clock, help } = this.terms.values();
      const id = await newCup({ game: this.game.name, options: this.options.values(), clock,
        help: help && this.terms.help !== null }, this.seats.levels);
      if (id) this.app.go(`#/cup/${id}`);
    } catch (error) {
      this.set({ fault: error.message });
    }
  }

  async train() {
    try {
      if (!(await this.check())) return;
      const run = await trainGame(this.game, this.options.values());
      if (run) this.app.go(`#/training/${encodeURIComponent(run)}`);
    } catch (error) {
      this.set({ fault: error.message });
    }
  }

  // ------------------------------------------------------------ the view

  template() {
    const { game, seats, options, terms, lists } = this;
    return html`<div class="line spread lobby-head"><h1>${t("lobby.title")}</h1>${lists.link()}</div>
      <div class="games">${this.games.map((one) => this.card(one))}</div>
      <form class="setup" novalidate @submit=${instead(() => this.begin())}>
        <section class="panel" aria-label=${t("seats.seats")}>${seats.template()}</section>
        <section class="panel stack" aria-label=${t("lobby.rules")}>
          <div><h2>${t("lobby.rules")}</h2><p class="quiet">${
            ended(declared(`summary.${game.name}`, game.summary))}</p>
            <p class="line">${game.has_lesson ? html`<a href="#/learn/${game.name}">${
              t("lobby.learn", { game: translate(game.title) })}</a>` : nothing}${
              button(t("lobby.cup"), () => this.newCup(), { kind: "link" })}${
              button(t("lobby.train"), () => this.train(), { kind: "link" })}</p></div>
          <div>${options.template()}</div>${terms.template()}</section>
        <div class="begin"><p class="wait quiet" role="status">${this.wait}</p>
          <p class="fault" role="alert">${ended(this.fault)}</p>
          <button type="submit" class="primary big" ?disabled=${this.starting}>${
            t(seats.watched ? "lobby.watch" : "lobby.start")}</button></div></form> ${lists.template()}`;
  }

  card(one) {
    return html`<label class="card"><input type="radio" name="game" value=${one.name}
      ?checked=${one === this.game} @change=${() => this.choose(one)}>
      ${drawing(picture, one.name, one.board)}<span class="title">${translate(one.title)}</span></label>`;
  }
}
