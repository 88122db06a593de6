// A cup of people and computers: who takes part, the games, and the scores.

import { again } from "../again.js";
import { get, linkTo, post } from "../api.js";
import { copyField } from "../dialogs.js";
import { keepName, lastName } from "../lobby/seats.js";
import { ended, locale, t, translate } from "../messages.js";
import { alertTurn } from "../table/alerts.js";
import { keep, tokensOf } from "../tokens.js";
import { button, Controller, heads, html, instead, nothing, repeat } from "../view.js";

const EVERY = 5000; // milliseconds between two looks

/** `params.id`: the cup. */
export async function show(root, params, app) {
  const view = await get(`/api/cups/${params.id}`, { tokens: tokensOf(params.id) });
  return new Cup(root, app, view);
}

class Cup extends Controller {
  constructor(root, app, view) {
    super(root);
    this.app = app;
    this.view = view;
    this.draw();
    this.own(again(() => this.look(), () => EVERY, (error) => app.say(ended(error.message), "error")));
  }

  get tokens() {
    return { tokens: tokensOf(this.view.id) };
  }

  async look() {
    const before = this.ready;
    this.set({ view: await get(`/api/cups/${this.view.id}`, this.tokens) });
    if (!this.ready || this.ready === before) return;
    this.app.say(t("cup.begun"), "good");
    alertTurn(translate(this.view.title), t("cup.begun_notice"));
  }

  /** The table of one's own game of this round, while it is played. */
  get ready() {
    const { games, you } = this.view;
    return games.find(({ payoffs, seats }) => !payoffs && seats.includes(you))?.table;
  }

  /** Sends a wish, and shows what came of it or why it was refused. */
  async send(what, message) {
    await this.app.attempt(async () => {
      const answer = await post(`/api/cups/${this.view.id}/${what}`, message, this.tokens);
      if (answer.token) keep(this.view.id, { tokens: { 0: answer.token } });
      await this.look();
    });
  }

  join(event) {
    const name = event.target.elements.guest.value.trim();
    if (!name) return;
    keepName(name);
    this.send("join", { name });
  }

  /** Opens the table of a game, with the token of this cup for one's seat. */
  open({ table, seats }) {
    const seat = seats.indexOf(this.view.you);
    const { tokens } = this.tokens;
    if (seat >= 0) keep(table, { tokens: { [seat]: tokens[0] } });
    this.app.go(`#/table/${table}`);
  }

  template() {
    const { view } = this;
    const words = { open: t("cup.open"), over: t("cup.over"),
      playing: t("cup.round_of", { n: view.round, all: view.rounds }) }[view.status];
    return html`<div class="narrow stack"><h1>${t("cup.title", { game: translate(view.title) })}</h1>
      <p class="quiet" role="status">${words}</p>
      ${view.status === "open" ? html`<section class="panel stack" aria-label=${t("cup.take_part")}>
        ${copyField(t("cup.link"), linkTo(`cup/${view.id}`))}${view.can.join ? this.form() : nothing}
        ${view.can.start ? html`<div>${button(t("lobby.start"), () => this.send("start", {}),
          { kind: "primary", disabled: !view.rounds })}</div>` : nothing}</section>` : nothing}
      ${this.standings()}${view.games.length ? this.games() : nothing}</div>`;
  }

  form() {
    return html`<form class="copy" @submit=${instead((event) => this.join(event))}><input type="text"
      name="guest" maxlength="40" value=${lastName()} aria-label=${t("common.your_name")}
      placeholder=${t("common.your_name")} autocomplete="nickname">
      <button type="submit" class="primary">${t("cup.take_part")}</button></form>`;
  }

  standings() {
    const { entrants, you } = this.view;
    if (!entrants.length) return nothing;
    const ranked = entrants.map((one, at) => ({ ...one, at })).sort((a, b) => b.score - a.score);
    return html`<section class="panel" aria-label=${t("cup.standings")}><table>${
      heads([t("common.player"), t("cup.points")])}
      <tbody>${ranked.map(({ name, score, at }) => html`<tr><td>${
        at === you ? t("cup.you", { name }) : name}</td>
        <td class="numbers">${score}</td></tr>`)}</tbody></table></section>`;
  }

  games() {
    const { games } = this.view;
    return html`<section class="panel" aria-label=${t("common.games")}><table>${
      heads([t("cup.round"), t("cup.a_game"), t("common.result"), ""])}
      <tbody>${repeat(games.toReversed(), ({ round, seats }) => `${round} ${seats}`,
        (game) => this.row(game))}</tbody></table></section>`;
  }

  row(game) {
    const { entrants, you } = this.view;
    const mine = !game.payoffs && game.seats.includes(you);
    const points = (share) => share.toLocaleString(locale, { maximumFractionDigits: 2 });
    return html`<tr><td>${game.round + 1}</td>
      <td>${game.seats.map((at) => entrants[at].name).join(" – ")}</td>
      <td>${game.payoffs?.map(points).join(" – ") ?? t("cup.playing")}</td>
      <td>${button(t(mine ? "cup.play" : "cup.look"), () => this.open(game),
        { kind: mine ? "small primary" : "small" })}</td></tr>`;
  }
}
