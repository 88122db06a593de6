// The review of a game: the chances as curves, every player's accuracy, and the costly moves.

import { lineChart } from "../charts.js";
import { button, select } from "../controls.js";
import { h } from "../dom.js";
import { html, nothing } from "../view.js";
import { percent } from "../words.js";

export const WORTH_NAMING = 0.05; // the share of the win that an inaccuracy gives away
const LARGE = 0.1; // and a mistake, which is listed before the review has its grades
const SECONDS = [0.1, 0.3, 1, 3];

export class Curve {
  /** `calls`: {draw, pick(ply), sweep, stop, retry(mistakes)}; see retry.js. */
  constructor(calls) {
    this.calls = calls;
    this.values = new Map(); // by ply, of a sweep
    this.stored = new Map(); // by ply, what those who played had expected
    this.info = { players: [], plies: [] };
    this.running = "idle"; // or "waiting", "running"
    this.judge = "";
    this.grades = new Map(); // by ply, of a finished review
    this.accuracy = ""; // of every player, in words
    this.secret = false; // whether the better moves are hidden
    this.seconds = 0.3; // a move
    this.box = h("div", {});
    this.chart = lineChart(this.box, {
      label: "Chances of winning over the game",
      series: [],
      x: { label: "move", format: (ply) => (Number.isInteger(ply) ? String(ply) : "") },
      y: { label: "chance of winning", format: percent },
      onPick: calls.pick,
    });
  }

  close() {
    this.chart.close();
  }

  begin(info) {
    this.forget();
    this.grow(info);
  }

  /** Moves came to the end of the same game. */
  grow(info) {
    this.info = info;
    this.stored = new Map(info.plies.filter(({ value }) => value)
      .map(({ ply, value }) => [ply, { ply, value, best: null, loss: null }]));
    this.show();
  }

  clear() {
    this.forget();
    this.show();
  }

  forget() {
    this.values.clear();
    this.grades = new Map();
    this.accuracy = "";
  }

  at(ply) {
    this.chart.update({ cursor: ply });
  }

  add(message) {
    this.judge = message.judge ?? this.judge; // the end of a game needs none
    this.values.set(message.ply, message);
    this.running = "running";
    this.show();
  }

  /** The whole game has been judged: chances without the alternation of the search, and grades. */
  finish({ values, moves, accuracy }) {
    for (const [ply, value] of values) this.values.get(ply).value = value;
    for (const { ply, loss, grade } of moves) {
      this.values.get(ply).loss = loss;
      this.grades.set(ply, grade);
    }
    const known = accuracy.map((percents, seat) => [this.info.players[seat], percents])
      .filter(([, percents]) => percents !== null);
    this.accuracy = known.length
      ? `Accuracy: ${known.map(([name, percents]) => `${name} ${percents.toFixed(0)} %`).join(", ")}.`
      : "";
    this.show();
  }

  /** While somebody tries again, no better move is named. */
  hideAnswers(secret) {
    this.secret = secret;
    this.show();
  }

  state(running) {
    this.running = running;
    this.calls.draw();
  }

  /** The sweep's values; before it those of the game itself. */
  get shown() {
    const all = this.values.size ? this.values : this.stored;
    return [...all.values()].sort((a, b) => a.ply - b.ply);
  }

  /** The moves that cost much of the winning chance, in words. */
  get costly() {
    const { players, plies } = this.info;
    return this.shown.filter(({ ply, loss }) => loss >= LARGE && plies[ply]).map((one) => {
      const { seat, name, text } = plies[one.ply];
      const played = name || text;
      const who = players[seat] ?? "";
      const better = one.best && one.best !== played && !this.secret ? `; better ${one.best}` : "";
      return { ...one, mover: seat, who, played, text: `move ${one.ply + 1}, ${who}: ${
        played} cost ${percent(one.loss)} of the winning chance${better}` };
    });
  }

  /** The moves that a player may try again, with what the better one promises. */
  get mistakes() {
    return this.values.size ? this.costly.filter(({ best }) => best) : [];
  }

  show() {
    const { players, plies } = this.info;
    const seats = players.length === 2 ? [0] : players.map((_, seat) => seat);
    const found = this.shown;
    this.box.hidden = found.filter(({ value }) => value).length < (this.values.size ? 1 : 2);
    this.chart.update({
      series: seats.map((seat) => ({
        name: players[seat],
        points: found.filter(({ value }) => value).map(({ ply, value }) => [ply, value[seat]]),
        colour: `var(--p${seat % 4})`,
      })),
      range: { x: [0, Math.max(plies.length, 1)], y: [0, 1] },
      marks: this.costly.map(({ ply, value, mover, text }) => ({
        x: ply, y: value?.[seats.length === 1 ? 0 : mover], text,
        kind: this.grades.get(ply) === "blunder" ? "bad" : "",
      })),
    });
    this.calls.draw();
  }

  get progress() {
    if (this.running === "waiting") return "Beginning to think…";
    if (!this.values.size) {
      return this.stored.size > 1
        ? "What the agents expected as they played. Analyse the game to see which moves changed it."
        : "See how the chances changed, and which moves changed them.";
    }
    return [...this.values.values()].some(({ value }) => value)
      ? `${this.values.size} of ${this.info.plies.length + 1} positions, evaluated by ${this.judge}`
      : "This agent estimates no chances; choose one that searches.";
  }

  template() {
    const { calls, running, costly, mistakes } = this;
    const item = ({ ply, text }) => {
      const grade = this.grades.get(ply);
      return html`<li>${button(text, () => calls.pick(ply), { kind: "link" })}${grade
        ? html`<strong class=${grade === "blunder" ? "bad" : ""}> (${grade})</strong>` : nothing}</li>`;
    };
    return html`<div class="line spread"><h2>Review of the game</h2>
        <div class="line"><label for="curve-seconds" class="small">A move</label>
          ${select({ id: "curve-seconds" }, this.seconds, SECONDS.map((one) => [one, `${one} s`]),
            (seconds) => { this.seconds = Number(seconds); })}
          ${running === "idle" ? button("Analyse the whole game", calls.sweep)
            : button("Stop", calls.stop)}</div></div>
      <p class="quiet small numbers" role="status">${this.progress}</p>${this.box}
      <p class="numbers">${this.accuracy}</p>
      ${costly.length ? html`<section><div class="line spread"><h3>Costly moves</h3>
        ${this.secret || !mistakes.length ? nothing
          : button("Try again", () => calls.retry(mistakes), { kind: "primary" })}</div>
        <ol class="analysis-swings">${costly.map(item)}</ol></section>` : nothing}`;
  }
}
