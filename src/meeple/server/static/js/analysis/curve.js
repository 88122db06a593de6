// The review of a game: the chances as curves, every player's accuracy, and the costly moves.

import { lineChart, percent } from "../charts.js";
import { clear, h } from "../dom.js";

export const WORTH_NAMING = 0.05; // the share of the win that an inaccuracy gives away
const LARGE = 0.1; // and a mistake, which is listed before the review has its grades
const SECONDS = [0.1, 0.3, 1, 3];

// `onReview()` when the grades of all moves are known; `onRetry(mistakes)`: see retry.js.
export function makeCurve({ onPick, onSweep, onStop, onReview, onRetry }) {
  return new Curve({ onPick, onSweep, onStop, onReview, onRetry });
}

class Curve {
  constructor(calls) {
    this.values = new Map(); // by ply, of a sweep
    this.stored = new Map(); // by ply, what those who played had expected
    this.info = { players: [], plies: [] };
    this.running = false;
    this.judge = "";
    this.grades = new Map(); // by ply, of a finished review
    this.secret = false; // whether the better moves are hidden
    this.perMove = h("select", { id: "curve-seconds" }, SECONDS.map((seconds) =>
      h("option", { value: seconds, selected: seconds === 0.3 }, `${seconds} s`)));
    this.button = h("button", { type: "button",
      onclick: () => (this.running ? calls.onStop() : calls.onSweep()) }, "Analyse the whole game");
    this.progress = h("p", { class: "quiet small numbers", role: "status" });
    this.box = h("div", { hidden: true });
    this.accuracy = h("p", { class: "numbers" });
    this.swings = h("ol", { class: "analysis-swings" });
    this.retry = h("button", { type: "button", class: "primary",
      onclick: () => calls.onRetry(this.mistakes) }, "Try again");
    this.swingBox = h("section", { hidden: true },
      h("div", { class: "line spread" }, h("h3", {}, "Costly moves"), this.retry), this.swings);
    this.root = h("div", {},
      h("div", { class: "line spread" }, h("h2", {}, "Review of the game"),
        h("div", { class: "line" },
          h("label", { for: "curve-seconds", class: "small" }, "A move"), this.perMove,
          this.button)),
      this.progress, this.box, this.accuracy, this.swingBox);
    this.calls = calls;
    this.chart = lineChart(this.box, {
      label: "Chances of winning over the game",
      series: [],
      x: { label: "move", format: (ply) => (Number.isInteger(ply) ? String(ply) : "") },
      y: { label: "chance of winning", format: percent },
      onPick: calls.onPick,
    });
    this.clear();
  }

  close() {
    this.chart.close();
  }

  get seconds() {
    return Number(this.perMove.value);
  }

  begin(info) {
    this.take(info);
    this.clear();
  }

  // Moves came to the end of the same game.
  grow(info) {
    this.take(info);
    this.tell();
    this.draw();
  }

  take(info) {
    this.info = info;
    this.stored = new Map(info.plies.filter(({ value }) => value)
      .map(({ ply, value }) => [ply, { ply, value, best: null, loss: null }]));
  }

  // What is drawn: the sweep's values, before it those of the game itself.
  get shown() {
    return this.values.size ? this.values : this.stored;
  }

  clear() {
    this.values.clear();
    this.grades = new Map();
    this.accuracy.textContent = "";
    this.tell();
    this.draw();
  }

  state(state) {
    this.running = state !== "idle";
    this.button.textContent = this.running ? "Stop" : "Analyse the whole game";
    if (state === "waiting") this.progress.textContent = "Beginning to think…";
    else this.tell();
  }

  at(ply) {
    this.chart.update({ cursor: ply });
  }

  add(message) {
    this.judge = message.judge ?? this.judge; // the end of a game needs none
    this.values.set(message.ply, message);
    this.tell();
    this.draw();
  }

  // The whole game has been judged: chances without the alternation of the search, and grades.
  finish({ values, moves, accuracy }) {
    for (const [ply, value] of values) this.values.get(ply).value = value;
    for (const { ply, loss, grade } of moves) {
      this.values.get(ply).loss = loss;
      this.grades.set(ply, grade);
    }
    const known = accuracy.map((percents, seat) => [this.info.players[seat], percents])
      .filter(([, percents]) => percents !== null);
    this.accuracy.textContent = known.length
      ? `Accuracy: ${known.map(([name, percents]) => `${name} ${percents.toFixed(0)} %`).join(", ")}.`
      : "";
    this.draw();
    this.calls.onReview();
  }

  // While somebody tries again, no better move is named.
  hideAnswers(secret) {
    this.secret = secret;
    this.draw();
  }

  // The moves that a player may try again, with what the better one promises.
  get mistakes() {
    return this.found([...this.values.values()]).filter(({ best }) => best)
      .sort((a, b) => a.ply - b.ply);
  }

  tell() {
    if (!this.values.size) {
      this.progress.textContent = this.stored.size > 1
        ? "What the agents expected as they played. Analyse the game to see which moves changed it."
        : "See how the chances changed, and which moves changed them.";
      return;
    }
    const known = [...this.values.values()].some(({ value }) => value);
    this.progress.textContent = known
      ? `${this.values.size} of ${this.info.plies.length + 1} positions, evaluated by ${this.judge}`
      : "This agent estimates no chances; choose one that searches.";
  }

  draw() {
    const { players, plies } = this.info;
    const seats = players.length === 2 ? [0] : players.map((_, seat) => seat);
    const found = [...this.shown.values()].sort((a, b) => a.ply - b.ply);
    const known = found.filter(({ value }) => value).length;
    this.box.hidden = known < (this.values.size ? 1 : 2);
    this.chart.update({
      series: seats.map((seat) => ({
        name: players[seat],
        points: found.filter(({ value }) => value).map(({ ply, value }) => [ply, value[seat]]),
        colour: `var(--p${seat % 4})`,
      })),
      range: { x: [0, Math.max(plies.length, 1)], y: [0, 1] },
      marks: this.found(found).map(({ ply, value, mover, text }) => ({
        x: ply, y: value?.[seats.length === 1 ? 0 : mover], text,
        kind: this.grades.get(ply) === "blunder" ? "bad" : "",
      })),
    });
    this.drawSwings(found);
  }

  // The moves that cost much of the winning chance, in words.
  found(values) {
    const { players, plies } = this.info;
    return values.filter(({ ply, loss }) => loss >= LARGE && plies[ply]).map((one) => {
      const { seat, name, text } = plies[one.ply];
      const played = name || text;
      const who = players[seat] ?? "";
      const better = one.best && one.best !== played && !this.secret ? `; better ${one.best}` : "";
      return { ...one, mover: seat, who, played,
        text: `move ${one.ply + 1}, ${who}: ${played} cost ${percent(one.loss)} of the winning chance${
          better}` };
    });
  }

  drawSwings(values) {
    const found = this.found(values);
    this.swingBox.hidden = !found.length;
    this.retry.hidden = this.secret || !this.mistakes.length;
    clear(this.swings).append(...found.map(({ ply, text }) => {
      const grade = this.grades.get(ply);
      return h("li", {}, h("button", { type: "button", class: "link",
        onclick: () => this.calls.onPick(ply) }, text),
      grade ? h("strong", { class: grade === "blunder" ? "bad" : "" }, ` (${grade})`) : null);
    }));
  }
}
