// Time, pace and help: what is agreed on beside the rules.

import { t } from "../messages.js";
import { checkbox, field, html, labelled, live, nothing, radios } from "../view.js";
/** @import {ClockChoice} from "../types.d.ts" */

// By the kind of a clock: its name, the numbers that it asks for, and what it is made of them.
const CLOCKS = {
  none: { name: "terms.no_clock", asks: [], made: () => ({}) },
  move: { name: "terms.per_move", asks: ["seconds"], made: ({ seconds }) => ({ seconds }) },
  game: { name: "terms.per_game", asks: ["minutes", "increment"],
    made: ({ minutes, increment }) => ({ seconds: 60 * minutes, increment }) },
};
const PACES = [[0, t("terms.fastest")], [0.5, t("terms.half")],
  ...[1, 2, 5].map((n) => [n, t("terms.pace_seconds", { n })])];
const NUMBERS = { // of a clock: label, least, most
  seconds: [t("terms.seconds"), 1, 86_400],
  minutes: [t("terms.minutes"), 1, 1440],
  increment: [t("terms.increment"), 0, 600],
};

export class Terms {
  constructor(draw) {
    this.draw = draw;
    this.kind = "none";
    this.numbers = { seconds: "30", minutes: "10", increment: "5" };
    this.wrong = null; // the number that is none
    this.pace = 0;
    this.help = null; // null: as long as nobody chooses, allowed unless a friend plays
    this.people = 1;
    this.seats = null;
  }

  update(seats) {
    // computers alone are too fast to be looked at, unless somebody wants them to be
    if (!seats.people !== !this.people) this.pace = seats.people ? 0 : 1;
    this.people = seats.people;
    this.seats = seats;
  }

  get helps() {
    return this.help ?? !this.seats?.count("link");
  }

  set(changes) {
    Object.assign(this, changes);
    this.draw();
  }

  /** As the server wants them; throws where a number is none. */
  values() {
    this.wrong = null;
    return { clock: this.clock(), pace: this.pace, help: this.helps };
  }

  /** @returns {ClockChoice | null} */
  clock() {
    const { kind } = this;
    if (!this.people || kind === "none") return null;
    const { asks, made } = CLOCKS[kind];
    return { kind, ...made(Object.fromEntries(asks.map((name) => [name, this.number(name)]))) };
  }

  number(name) {
    const [label, low, high] = NUMBERS[name];
    const value = Number(this.numbers[name] || NaN);
    if (value >= low && value <= high) return value;
    this.wrong = name;
    throw new Error(t("terms.wrong", { name: label, low, high }));
  }

  template() {
    const clocks = radios("clock", this.kind, Object.entries(CLOCKS).map(([kind, { name }]) =>
      [kind, t(name)]), (kind) => this.set({ kind }));
    return html`<div class="stack">
      <fieldset ?hidden=${!this.people}><legend>${t("terms.time")}</legend>
        <div class="choices">${clocks}</div>
        <div class="options">${CLOCKS[this.kind].asks.map((name) => this.input(name))}</div></fieldset>
      <div ?hidden=${!this.seats?.count("agent")}>${
        labelled("pace", t("terms.pace"), this.pace, PACES, (pace) => this.set({ pace: Number(pace) }))}</div>
      <div ?hidden=${!this.people}>${checkbox(t("terms.help"), this.helps,
        (help) => this.set({ help }))}</div></div>`;
  }

  input(name) {
    const [label, low, high] = NUMBERS[name];
    const change = ({ target }) => { this.numbers[name] = target.value; };
    const id = `clock-${name}`;
    return field(id, label, html`<input id=${id} type="number" min=${low} max=${high} step="any"
      inputmode="decimal" .value=${live(this.numbers[name])} @input=${change}
      aria-invalid=${this.wrong === name ? "true" : nothing}>`);
  }
}
