// A second evaluator beside the first: its chances over the game, and where the two differ.

import { ended, t, translate } from "../messages.js";
import { button, html, nothing } from "../view.js";

const LEAST = 0.1; // a difference of chances that is worth a word
// A review's noise is the median deviation of equal values; 4.4 of them are 3 standard deviations.
const DEVIATIONS = 4.4;
const SAME = 1e-3; // differences of two players, which are equal but for rounding
const MOST = 8; // differences that are listed

/** The winning chances that a search reported over its time. */
export class Course {
  constructor() {
    this.found = []; // {seconds, value}
    this.last = null; // the newest thought
  }

  add(thought) {
    this.last = thought;
    if (thought.value) this.found.push(thought);
  }

  /** How much the chance of a seat still moved in the second half of the search. */
  noise(seat) {
    const last = this.found.at(-1);
    return Math.max(0, ...this.found.filter(({ seconds }) => seconds >= last.seconds / 2)
      .map(({ value }) => Math.abs(value[seat] - last.value[seat])));
  }
}

/** Whether two evaluations of a position differ by more than their noise. */
export function differ(one, other, noise) {
  return Math.abs(one - other) > Math.max(LEAST, noise);
}

export class Compare {
  /** `calls`: {draw, pick(ply), compare(spec)}; `compare` reviews the game by another agent. */
  constructor(calls) {
    this.calls = calls;
    this.begin([]);
  }

  /** The evaluators of another game, {spec, words} each; null for one that there is not. */
  begin(evaluators) {
    this.evaluators = evaluators;
    this.clear();
  }

  clear() {
    this.values = new Map(); // by ply
    this.spec = "";
    this.judge = "";
    this.noise = 0;
    this.spread = 1;
    this.done = false;
  }

  /** The evaluator to compare with one that is named `judge`; of two alone. */
  other(judge) {
    return this.evaluators.every(Boolean)
      ? this.evaluators.find(({ words }) => !words.startsWith(judge)) : undefined;
  }

  start(spec = this.spec) {
    this.clear();
    this.spec = spec;
    this.calls.compare(spec);
  }

  add(message) {
    this.judge = message.judge ?? this.judge;
    if (message.value) this.values.set(message.ply, message.value);
  }

  finish({ values, noise, spread = 1 }) {
    for (const [ply, value] of values) this.values.set(ply, value);
    Object.assign(this, { noise, spread, done: true });
  }

  /** The plies where the chances of a seat differ by more than the noise of both reviews, the largest
   *  difference first. */
  differences(first, noise) {
    const most = Math.max(LEAST * this.spread, DEVIATIONS * Math.hypot(noise, this.noise));
    return !this.done ? [] : first.flatMap(({ ply, value }) => {
      const other = this.values.get(ply);
      if (!value || !other) return [];
      const gaps = value.map((share, seat) => Math.abs(share - other[seat]));
      const seat = gaps.findIndex((gap) => gap > Math.max(...gaps) - SAME);
      return gaps[seat] > most ? [{ ply, seat, gap: gaps[seat], one: value, other }] : [];
    }).sort((a, b) => b.gap - a.gap);
  }

  /** `review` has the first evaluator's {shown, noise, judge, running, worth, name(seat)}; null before its
   *  end. */
  template(review) {
    const other = review && this.other(review.judge);
    if (!other) return nothing;
    const idle = review.running === "idle";
    if (!this.spec || (idle && !this.done)) {
      return !idle ? nothing : html`<p>${
        button(t("compare.start"), () => this.start(other.spec))}
        <span class="quiet small">${ended(translate(other.words))}</span></p>`;
    }
    const found = this.differences(review.shown, review.noise);
    const id = found.length > MOST ? "compare.found_most"
      : found.length ? "compare.found" : "compare.nowhere";
    const item = ({ ply, seat, ...values }) => {
      const [one, other] = [values.one, values.other].map((value) => review.worth.words(value, seat));
      return html`<li>${button(t("compare.item", { n: ply + 1, name: review.name(seat), one, other }),
        () => this.calls.pick(ply), { kind: "link" })}</li>`;
    };
    return html`<section><h2>${t("compare.title")}</h2>
      <p class="quiet small">${t("compare.about", { one: translate(review.judge),
        other: translate(this.judge), result: this.done ? t(id, { n: found.length }) : "" })}</p>
      <ol class="analysis-swings">${found.slice(0, MOST).map(item)}</ol></section>`;
  }
}
