// A small tournament of people and computers: who takes part, the games, and the scores.

import { again } from "../again.js";
import { get, post } from "../api.js";
import { button, heads } from "../controls.js";
import { copyField } from "../dialogs.js";
import { keepName, lastName } from "../lobby/seats.js";
import { alertTurn } from "../table/alerts.js";
import { keep, tokensOf } from "../tokens.js";
import { Controller, html, nothing } from "../view.js";
import { ended } from "../words.js";

const EVERY = 2000; // milliseconds between two looks

/** `params.id`: the tournament. */
export async function show(root, params, app) {
  const view = await get(`/api/cups/${params.id}`, { tokens: tokensOf(params.id) });
  const cup = new Cup(root, app, view);
  return () => cup.end();
}

class Cup extends Controller {
  constructor(root, app, view) {
    super(root);
    this.app = app;
    this.view = view;
    this.draw();
    this.end = again(() => this.look(), () => EVERY, (error) => app.say(ended(error.message), "error"));
  }

  get path() {
    return `/api/cups/${this.view.id}`;
  }

  get tokens() {
    return { tokens: tokensOf(this.view.id) };
  }

  async look() {
    const before = this.ready;
    this.set({ view: await get(this.path, this.tokens) });
    if (!this.ready || this.ready === before) return;
    this.app.say("Your game has begun.", "good");
    alertTurn(this.view.title, "Your game of the tournament has begun.");
  }

  /** The table of one's own game of this round, while it is played. */
  get ready() {
    const { games, you } = this.view;
    return games.find(({ payoffs, seats }) => !payoffs && seats.includes(you))?.table;
  }

  /** Sends a wish, and shows what came of it or why it was refused. */
  async send(what, message) {
    try {
      const answer = await post(`${this.path}/${what}`, message, this.tokens);
      if (answer.token) keep(this.view.id, { tokens: { 0: answer.token } });
      await this.look();
    } catch (error) {
      this.app.say(ended(error.message), "error");
    }
  }

  join(event) {
    event.preventDefault();
    const name = event.target.elements.guest.value.trim();
    if (!name) return;
    keepName(name);
    this.send("join", { name });
  }

  /** Opens the table of a game, with the token of this tournament for one's seat. */
  open({ table, seats }) {
    const seat = seats.indexOf(this.view.you);
    const { tokens } = this.tokens;
    if (seat >= 0) keep(table, { tokens: { [seat]: tokens[0] } });
    this.app.go(`#/table/${table}`);
  }

  template() {
    const { view } = this;
    const words = { open: "Waiting for players", over: "Over",
      playing: `Round ${view.round} of ${view.rounds}` }[view.status];
    const link = `${location.origin}/#/cup/${view.id}`;
    return html`<div class="narrow stack"><h1>${view.title}: tournament</h1>
      <p class="quiet" role="status">${words}</p>
      ${view.status === "open" ? html`<section class="panel stack" aria-label="Take part">
        ${copyField("Link for players", link)}${view.can.join ? this.form() : nothing}
        ${view.can.start ? html`<div>${button("Start", () => this.send("start", {}),
          { kind: "primary", disabled: !view.rounds })}</div>` : nothing}</section>` : nothing}
      ${this.standings()}${view.games.length ? this.games() : nothing}</div>`;
  }

  form() {
    return html`<form class="copy" @submit=${(event) => this.join(event)}><input type="text"
      name="guest" maxlength="40" value=${lastName()} aria-label="Your name" autocomplete="nickname">
      <button type="submit" class="primary">Take part</button></form>`;
  }

  standings() {
    const { entrants, you } = this.view;
    const ranked = entrants.map((one, at) => ({ ...one, at })).sort((a, b) => b.score - a.score);
    return html`<section class="panel" aria-label="Standings"><table>${heads(["Player", "Points"])}
      <tbody>${ranked.map(({ name, score, at }) => html`<tr><td>${name}${at === you ? " (you)" : ""}</td>
        <td class="numbers">${score}</td></tr>`)}</tbody></table></section>`;
  }

  games() {
    const { games, entrants, you } = this.view;
    return html`<section class="panel" aria-label="Games"><table>${heads(["Round", "Game", "Result", ""])}
      <tbody>${games.toReversed().map((game) => html`<tr><td>${game.round + 1}</td>
        <td>${game.seats.map((at) => entrants[at].name).join(" – ")}</td>
        <td>${game.payoffs?.map((share) => Number(share.toFixed(2))).join(" – ") ?? "playing"}</td>
        <td>${button(!game.payoffs && game.seats.includes(you) ? "Play" : "Look", () => this.open(game),
          { kind: !game.payoffs && game.seats.includes(you) ? "small primary" : "small" })}</td></tr>`)}
      </tbody></table></section>`;
  }
}
