// Trying again where a mistake was made: the better move stays hidden until it is found or asked for.

import { percent } from "../charts.js";
import { clear, h } from "../dom.js";
import { WORTH_NAMING } from "./curve.js";

// `onPlace(ply)` shows a position of the game; `onPlay(names)` plays moves there; `onEnd()`.
export function makeRetry({ onPlace, onPlay, onEnd }) {
  return new Retry({ onPlace, onPlay, onEnd });
}

class Retry {
  constructor(calls) {
    this.calls = calls;
    this.mistakes = []; // {ply, mover, who, played, best, chance}: what the better move promises
    this.at = 0;
    this.tried = ""; // the move that is evaluated
    this.words = h("p", { role: "status" });
    this.buttons = h("div", { class: "line" });
    this.root = h("div", { class: "stack analysis-retry", hidden: true }, this.words, this.buttons);
  }

  get active() {
    return !this.root.hidden;
  }

  get mistake() {
    return this.mistakes[this.at];
  }

  // The mistakes of a game, in order; the first one is shown.
  begin(mistakes) {
    this.mistakes = mistakes;
    this.root.hidden = false;
    this.show(0);
  }

  end() {
    if (!this.active) return;
    this.root.hidden = true;
    this.tried = "";
    this.calls.onEnd();
  }

  show(at) {
    this.at = at;
    this.tried = "";
    const { ply, who, played } = this.mistake;
    this.say(`Move ${ply + 1}: ${who} played ${played}. Find a better move.`, [this.answer()]);
    this.calls.onPlace(ply);
  }

  // A move was played at `ply`. Returns whether it is to be evaluated.
  take(ply, name) {
    if (!this.active || ply !== this.mistake.ply) return false;
    this.tried = "";
    if (name === this.mistake.best) {
      this.say(`Right: ${name} is the best move that was found.`, this.onwards());
      return false;
    }
    if (name === this.mistake.played) {
      this.say(`${name} was played in the game. Try another move.`, [this.back(), this.answer()]);
      return false;
    }
    this.tried = name;
    this.say(`Evaluating ${name}…`, []);
    return true;
  }

  // The evaluation of the position after the tried move.
  evaluate({ value, final }) {
    if (!this.tried || !final) return;
    const { mover, chance } = this.mistake;
    const lost = value ? Math.max(0, chance - value[mover]) : null;
    const name = this.tried;
    this.tried = "";
    if (lost === null) this.say(`${name} could not be evaluated.`, [this.back(), this.answer()]);
    else if (lost < WORTH_NAMING) {
      this.say(`${name} is good: it gives away ${percent(lost)} at most.`, this.onwards());
    } else {
      this.say(`${name} gives away ${percent(lost)} of the winning chance. Try again.`,
        [this.back(), this.answer()]);
    }
  }

  say(text, buttons) {
    this.words.textContent = text;
    clear(this.buttons).append(...buttons, button("Stop trying", () => this.end()));
  }

  back() {
    return button("Take it back", () => this.show(this.at), "primary");
  }

  answer() {
    return button("Show the answer", () => {
      const { best } = this.mistake;
      this.calls.onPlay(best);
      this.say(`${best} is the best move that was found.`, this.onwards());
    });
  }

  onwards() {
    if (this.at + 1 === this.mistakes.length) return [];
    return [button("Next mistake", () => this.show(this.at + 1), "primary")];
  }
}

function button(label, onclick, kind) {
  return h("button", { type: "button", class: kind, onclick }, label);
}
