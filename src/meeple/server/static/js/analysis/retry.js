// Trying again where a mistake was made: the better move stays hidden until it is found or asked for.

import { percent, t } from "../messages.js";
import { button, html, nothing } from "../view.js";
import { WORTH_NAMING } from "./curve.js";

export class Retry {
  /** `calls`: {draw, place(ply), play(name), words(name), explain(on)}: show a position of the game, play
   *  a move there, the words of one, and show or hide explanations. */
  constructor(calls) {
    this.calls = calls;
    this.mistakes = []; // {ply, mover, who, played, best, reply, chance}; empty outside a retry
    this.at = 0; // the number of the mistake that is shown
    this.tried = ""; // the move that is evaluated
    this.words = "";
    this.next = []; // what may be done now: "back", "answer", "onwards"
  }

  get active() {
    return this.mistakes.length > 0;
  }

  get mistake() {
    return this.mistakes[this.at];
  }

  /** Shows the first of the mistakes of a game. */
  begin(mistakes) {
    this.mistakes = mistakes;
    this.show(0);
  }

  end() {
    this.mistakes = [];
    this.tried = "";
    this.calls.draw();
  }

  show(at) {
    this.at = at;
    this.tried = "";
    const { ply, who, played } = this.mistake;
    this.calls.explain(false);
    this.say(t("retry.find", { n: ply + 1, name: who, move: this.calls.words(played) }), ["answer"]);
    this.calls.place(ply);
  }

  /** A move was played at `ply`. Returns whether it is to be evaluated. */
  take(ply, name) {
    if (!this.active || ply !== this.mistake.ply) return false;
    const { best, best_words: words, played } = this.mistake;
    this.tried = [best, played].includes(name) ? "" : name;
    if (this.tried) this.say(t("retry.evaluating", { move: this.calls.words(name) }), []);
    else if (name === best) this.say(this.explained("retry.right", words ?? name), ["onwards"]);
    else this.say(t("retry.played", { move: this.calls.words(name) }), ["back", "answer"]);
    return Boolean(this.tried);
  }

  /** The evaluation of the position after the tried move. */
  evaluate({ value, final }) {
    if (!this.tried || !final) return;
    const { mover, chance } = this.mistake;
    const move = this.calls.words(this.tried);
    this.tried = "";
    if (!value) this.say(t("retry.failed", { move }), ["back", "answer"]);
    else if (chance - value[mover] < WORTH_NAMING) this.say(t("retry.as_good", { move }), ["onwards"]);
    else this.say(t("retry.worse", { move, share: percent(chance - value[mover]) }), ["back", "answer"]);
  }

  say(words, next) {
    this.words = words;
    this.next = next;
    this.calls.draw();
  }

  answer() {
    const { best, best_words: words } = this.mistake;
    this.calls.play(best);
    this.say(this.explained("retry.answer", words ?? best), ["onwards"]);
  }

  /** The words on the best move, with the reply to the move of the game; the board explains the position. */
  explained(id, move) {
    const { mistake: { played, reply }, calls: { words, explain } } = this;
    explain(true);
    return [t(id, { move: words(move) }), reply ? t("retry.reply", { played: words(played),
      reply: words(reply) }) : ""].filter(Boolean).join(" ");
  }

  template() {
    if (!this.active) return nothing;
    const kind = "primary";
    const last = this.at + 1 === this.mistakes.length;
    return html`<div class="stack analysis-retry"><p role="status">${this.words}</p><div class="line">
      ${this.next.includes("back")
        ? button(t("retry.take_back"), () => this.show(this.at), { kind }) : nothing}
      ${this.next.includes("onwards") && !last
        ? button(t("retry.next"), () => this.show(this.at + 1), { kind }) : nothing}
      ${this.next.includes("answer") ? button(t("retry.show"), () => this.answer()) : nothing}
      ${button(t("retry.stop"), () => this.end())}</div></div>`;
  }
}
