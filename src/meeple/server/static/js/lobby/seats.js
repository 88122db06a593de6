// Who sits where: me, a friend by link, or a computer of a chosen strength; and who starts.

import { choices, declared, number, sentence, t, translate } from "../messages.js";
import { chip } from "../players.js";
import { recall, remember } from "../storage.js";
import { html, live, nothing, radios } from "../view.js";
/** @import {SeatChoice} from "../types.d.ts" */

const KINDS = { me: "seats.me", link: "seats.friend", agent: "seats.computer" };
const NAME = "meeple.name";
export const BEGINNER = 0; // the level that is chosen until somebody chooses: the weakest

/** What to call a level: "Club, about 1,250", in Elo points above random play. */
export function levelName({ name, rating }) {
  return rating === null ? translate(name)
    : t("seats.rated", { name: translate(name), rating: number(rating) });
}

export class Seats {
  constructor(agents, onchange) {
    this.agents = agents;
    this.onchange = onchange;
    this.seats = []; // [{kind, level, spec, open, name}] in the order of play
    this.names = [];
    this.levels = [];
    this.random = false;
  }

  /** Other seats or strengths; the same strength by its name stays chosen, if the game has it. */
  update(names, levels) {
    for (const seat of this.seats) {
      const name = this.levels[seat.level]?.name;
      const same = levels.findIndex((level) => level.name === name);
      seat.level = same >= 0 ? same : BEGINNER;
    }
    Object.assign(this, { names, levels });
    while (this.seats.length < names.length) {
      const first = this.seats.length === 0;
      this.seats.push({ kind: first ? "me" : "agent", level: BEGINNER, spec: "", open: false,
        name: first ? lastName() : "" });
    }
    this.seats.length = names.length;
  }

  set(seat, changes) {
    Object.assign(seat, changes);
    this.onchange();
  }

  count(...kinds) {
    return this.seats.filter(({ kind }) => kinds.includes(kind)).length;
  }

  get people() {
    return this.count("me", "link");
  }

  /** Whether nobody has a seat; before the seats are known, somebody will. */
  get watched() {
    return this.seats.length > 0 && !this.people;
  }

  /** Whether there is a reason to ask who starts: me against others. */
  get asksFirst() {
    return this.count("me") > 0 && this.count("me") < this.seats.length;
  }

  get drawn() {
    return this.random && this.asksFirst;
  }

  start(who) {
    this.random = who === "random";
    for (let step = 0; step < this.seats.length && !this.random; step++) {
      if ((this.seats[0].kind === "me") === (who === "me")) break;
      this.seats.push(this.seats.shift());
    }
    this.onchange();
  }

  rename(seat, name) {
    seat.name = name;
    if (this.seats.find(({ kind }) => kind === "me") === seat) keepName(name);
  }

  /** As the server wants them, in the order of play.
   *  @returns {SeatChoice[]} */
  values() {
    return (this.drawn ? shuffled(this.seats) : this.seats).map(({ kind, name, spec, level }) => {
      if (kind === "agent") return { kind, spec: spec.trim() || this.levels[level].spec };
      return kind === "me" ? { kind, name: name.trim() } : { kind };
    });
  }

  // ------------------------------------------------------------ the view

  template() {
    return html`<div class="stack"><h2>${t("seats.title")}</h2>
      <div class="seats">${this.seats.map((seat, at) => this.row(seat, at))}</div>
      ${this.asksFirst ? this.first() : nothing}</div>`;
  }

  row(seat, at) {
    const title = sentence(translate(this.names[at]));
    const kinds = radios(`seats-${at}-kind`, seat.kind, choices(KINDS), (kind) => this.set(seat, { kind }));
    return html`<fieldset class="seat">
      <legend class="line">${this.drawn ? t("seats.seat", { n: at + 1 })
        : html`${chip(at, this.names[at])}${title}`}</legend>
      <div class="choices">${kinds}</div>
      <div class="details">${this.details(seat, at, title)}</div></fieldset>`;
  }

  details(seat, at, title) {
    if (seat.kind === "agent") return this.computer(seat, at, title);
    if (seat.kind === "link") return html`<p class="quiet small">${t("seats.link")}</p>`;
    return html`<input type="text" .value=${live(seat.name)} maxlength="40" autocomplete="nickname"
      aria-label=${t("seats.name", { seat: title })} placeholder=${t("seats.name_hint")}
      @input=${(event) => this.rename(seat, event.target.value)}>`;
  }

  computer(seat, at, title) {
    const { levels } = this;
    const level = levels[seat.level];
    const own = seat.spec.trim() !== "";
    const list = `seats-${at}-specs`;
    const slide = ({ target }) => this.set(seat, { level: Number(target.value), spec: "" });
    const toggle = ({ target }) => this.set(seat, { open: target.open });
    return html`<div class="strength">
        <strong title=${own || level.rating === null ? nothing : t("seats.rated_title")}>${
          own ? t("seats.own") : levelName(level)}</strong>
        <span class="quiet small">${own ? nothing : `${translate(level.words)} `}<code>${
          own ? seat.spec : level.spec}</code></span>
        <input type="range" min="0" max=${levels.length - 1} .value=${live(String(seat.level))}
          aria-label=${t("seats.strength", { seat: title })}
          aria-valuetext="${levelName(level)}: ${translate(level.words)}"
          @input=${slide}></div>
      <details class="more" ?open=${seat.open || own} @toggle=${toggle}>
        <summary>${t("seats.any")}</summary>
        <input type="text" class="code" .value=${live(seat.spec)} maxlength="200"
          spellcheck="false" autocapitalize="none" autocomplete="off" list=${list}
          placeholder=${level.spec} aria-label=${t("seats.agent", { seat: title })}
          @input=${(event) => this.set(seat, { spec: event.target.value })}>
        <datalist id=${list}>${this.agents.map(({ name, usage, help }) =>
          html`<option value=${usage}>${declared(`agent.${name}`, help)}</option>`)}</datalist></details>`;
  }

  first() {
    const now = this.random ? "random" : this.seats[0].kind === "me" ? "me" : "them";
    const ways = choices({ me: "seats.me",
      them: this.seats.length > 2 ? "seats.another" : "seats.other", random: "seats.random" });
    return html`<fieldset><legend>${t("seats.first")}</legend>
      <div class="choices">${radios("seats-first", now, ways, (who) => this.start(who))}</div>
    </fieldset>`;
  }
}

function shuffled(list) {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [copy[last], copy[other]] = [copy[other], copy[last]];
  }
  return copy;
}

/** The name that a person gave last; shared with the dialog of an invitation. */
export function lastName() {
  return recall(NAME) ?? "";
}

export function keepName(name) {
  remember(NAME, name.trim());
}
