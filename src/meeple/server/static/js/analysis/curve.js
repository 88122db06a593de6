// The value over a whole game as curves, and the moves at which it swung.

import { lineChart } from "../charts.js";
import { button, select } from "../controls.js";
import { h } from "../dom.js";
import { html, nothing } from "../view.js";
import { percent } from "../words.js";

const SWING = 0.1; // what a move has to give away to be pointed out
const LARGE = 0.25;
const SECONDS = [0.1, 0.3, 1, 3];

export class Curve {
  /** `calls`: {draw, pick(ply), sweep, stop}. */
  constructor(calls) {
    this.calls = calls;
    this.values = new Map(); // by ply, of a sweep
    this.stored = new Map(); // by ply, what those who played had expected
    this.info = { players: [], plies: [] };
    this.running = "idle"; // or "waiting", "running"
    this.judge = "";
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
    this.values.clear();
    this.grow(info);
  }

  /** Moves came to the end of the same game. */
  grow(info) {
    this.info = info;
    this.stored = new Map(info.plies.filter(({ value }) => value)
      .map(({ ply, value }) => [ply, { ply, value, best: null, swing: null }]));
    this.show();
  }

  clear() {
    this.values.clear();
    this.show();
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
  get swings() {
    const { players, plies } = this.info;
    return this.shown.filter(({ ply, swing }) => swing >= SWING && plies[ply]).map((one) => {
      const { seat, name, text } = plies[one.ply];
      const played = name || text;
      const better = one.best && one.best !== played ? `; better ${one.best}` : "";
      return { ...one, text: `move ${one.ply + 1}, ${players[seat] ?? ""}: ${played} cost ${
        percent(one.swing)} of the winning chance${better}` };
    });
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
      marks: this.swings.map(({ ply, value, swing, text }) => ({
        x: ply, y: value?.[seats.length === 1 ? 0 : plies[ply].seat], text,
        kind: swing >= LARGE ? "bad" : "",
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
    const { calls, running, swings } = this;
    const item = ({ ply, text, swing }) => html`<li>${button(text, () => calls.pick(ply),
      { kind: "link" })}${swing >= LARGE ? html`<strong class="bad"> (a blunder)</strong>`
      : nothing}</li>`;
    return html`<div class="line spread"><h2>Value over the game</h2>
        <div class="line"><label for="curve-seconds" class="small">A move</label>
          ${select({ id: "curve-seconds" }, this.seconds, SECONDS.map((one) => [one, `${one} s`]),
            (seconds) => { this.seconds = Number(seconds); })}
          ${running === "idle" ? button("Analyse the whole game", calls.sweep)
            : button("Stop", calls.stop)}</div></div>
      <p class="quiet small numbers" role="status">${this.progress}</p>${this.box}
      ${swings.length ? html`<section><h3>Swings</h3><ol class="analysis-swings">${
        swings.map(item)}</ol></section>` : nothing}`;
  }
}
