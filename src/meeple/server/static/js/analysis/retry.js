// Trying again where a mistake was made: the better move stays hidden until it is found or asked for.

import { button } from "../controls.js";
import { html, nothing } from "../view.js";
import { percent } from "../words.js";
import { WORTH_NAMING } from "./curve.js";

export class Retry {
  /** `calls`: {draw, place(ply) shows a position of the game, play(name) plays a move there, end}. */
  constructor(calls) {
    this.calls = calls;
    this.active = false;
    this.mistakes = []; // {ply, mover, who, played, best, chance}: what the better move promises
    this.at = 0;
    this.tried = ""; // the move that is evaluated
    this.words = "";
    this.ways = []; // the buttons: "back", "answer", "onwards"
  }

  get mistake() {
    return this.mistakes[this.at];
  }

  /** The mistakes of a game, in order; the first one is shown. */
  begin(mistakes) {
    this.mistakes = mistakes;
    this.active = true;
    this.show(0);
  }

  end() {
    if (!this.active) return;
    this.active = false;
    this.tried = "";
    this.calls.end();
  }

  show(at) {
    this.at = at;
    this.tried = "";
    const { ply, who, played } = this.mistake;
    this.say(`Move ${ply + 1}: ${who} played ${played}. Find a better move.`, "answer");
    this.calls.place(ply);
  }

  /** A move was played at `ply`. Returns whether it is to be evaluated. */
  take(ply, name) {
    if (!this.active || ply !== this.mistake.ply) return false;
    const { best, played } = this.mistake;
    this.tried = [best, played].includes(name) ? "" : name;
    if (name === best) this.say(`Right: ${name} is the best move that was found.`, "onwards");
    else if (name === played) {
      this.say(`${name} was played in the game. Try another move.`, "back", "answer");
    } else this.say(`Evaluating ${name}…`);
    return this.tried !== "";
  }

  /** The evaluation of the position after the tried move. */
  evaluate({ value, final }) {
    if (!this.tried || !final) return;
    const { mover, chance } = this.mistake;
    const lost = value ? Math.max(0, chance - value[mover]) : null;
    const name = this.tried;
    this.tried = "";
    if (lost === null) this.say(`${name} could not be evaluated.`, "back", "answer");
    else if (lost < WORTH_NAMING) {
      this.say(`${name} is good: it gives away ${percent(lost)} at most.`, "onwards");
    } else {
      this.say(`${name} gives away ${percent(lost)} of the winning chance. Try again.`, "back",
        "answer");
    }
  }

  say(words, ...ways) {
    this.words = words;
    this.ways = ways;
    this.calls.draw();
  }

  answer() {
    const { best } = this.mistake;
    this.calls.play(best);
    this.say(`${best} is the best move that was found.`, "onwards");
  }

  template() {
    if (!this.active) return nothing;
    const { ways, at, mistakes } = this;
    const primary = { kind: "primary" };
    const onwards = ways.includes("onwards") && at + 1 < mistakes.length;
    return html`<div class="stack analysis-retry"><p role="status">${this.words}</p>
      <div class="line">
        ${ways.includes("back") ? button("Take it back", () => this.show(at), primary) : nothing}
        ${ways.includes("answer") ? button("Show the answer", () => this.answer()) : nothing}
        ${onwards ? button("Next mistake", () => this.show(at + 1), primary) : nothing}
        ${button("Stop trying", () => this.end())}</div></div>`;
  }
}
