// Trying again where a mistake was made: the better move stays hidden until it is found or asked for.

import { t } from "../messages.js";
import { button, html, nothing } from "../view.js";

export class Retry {
  /** `calls`: {draw, ended, place(ply), play(name), words(name), explain(on), progress(), loss, matters}:
   *  show a position of the game, play a move there, the words of one, show or hide explanations, the
   *  progress of a review that runs meanwhile, a seat's loss as text, loss(share, seat), and whether a loss
   *  is worth naming, matters(share). */
  constructor(calls) {
    this.calls = calls;
    this.mistake = null; // that is shown: {ply, mover, who, played, best, reply, chance}
    this.tried = ""; // the move that is evaluated
    this.words = "";
    this.next = []; // what may be done now: "back", "answer", "onwards"
  }

  get active() {
    return this.mistake !== null;
  }

  /** Shows the first of a game's mistakes; `list()` has those that are known by now. */
  begin(list) {
    this.list = list;
    this.show(list()[0]);
  }

  end() {
    if (!this.active) return;
    this.mistake = null;
    this.tried = "";
    this.calls.draw();
    this.calls.ended();
  }

  show(mistake) {
    this.mistake = mistake;
    this.tried = "";
    const { ply, who, played } = mistake;
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
    else if (!this.calls.matters(chance - value[mover])) this.say(t("retry.as_good", { move }), ["onwards"]);
    else this.say(t("retry.worse", { move, loss: this.calls.loss(chance - value[mover], mover) }),
      ["back", "answer"]);
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
    const next = this.list().find(({ ply }) => ply > this.mistake.ply);
    return html`<div class="panel stack analysis-retry"><p role="status">${this.words}</p>
      <p class="quiet small numbers">${this.calls.progress()}</p><div class="line">
      ${this.next.includes("back")
        ? button(t("retry.take_back"), () => this.show(this.mistake), { kind }) : nothing}
      ${this.next.includes("onwards") && next
        ? button(t("retry.next"), () => this.show(next), { kind }) : nothing}
      ${this.next.includes("answer") ? button(t("retry.show"), () => this.answer()) : nothing}
      ${button(t("retry.stop"), () => this.end())}</div></div>`;
  }
}
