// The review of a game: the chances as curves, accuracies, costly moves, and statistics.

import { LineChart, sideHeight } from "../charts.js";
import { Compare } from "./compare.js";
import { locale, number, sentence, t, translate } from "../messages.js";
import { button, h, heads, html, nothing, select } from "../view.js";
import { Worth } from "../worth.js";

const WORTH_NAMING = 0.05; // the share of the win that an inaccuracy gives away, where `spread` is 1
const COSTLY = 0.1; // and a mistake
const SECONDS = [0.1, 0.3, 1, 3];

export class Curve {
  /** `calls`: {draw, pick(ply), sweep, compare(spec), stop, retry()}. */
  constructor(calls) {
    this.calls = calls;
    this.values = new Map(); // by ply, of a sweep
    this.stored = new Map(); // by ply, what those who played had expected
    this.grades = new Map(); // by ply, of a finished review
    this.accuracy = []; // of each player in percent, or null
    this.secret = false; // whether better moves are hidden
    this.info = { players: [], plies: [], seats: [], explorable: false };
    this.worth = new Worth();
    this.running = "idle"; // or "waiting", "running"
    this.judge = "";
    this.noise = 0; // of the evaluator, in shares of the win
    this.spread = 1; // the difference of shares that counts as the whole winning chance
    this.seconds = 0.3; // a move
    this.compare = new Compare(calls);
    this.box = h("div", { class: "panel side-curve" });
    this.chart = new LineChart(this.box, { label: t("curve.chart"), series: [], height: sideHeight(),
      x: { label: t("curve.move"), format: (ply) => (Number.isInteger(ply) ? String(ply) : "") },
      y: { label: this.worth.label, format: (value) => this.worth.text(value) }, onPick: calls.pick });
  }

  close() {
    this.chart.close();
  }

  begin(info) {
    this.worth = new Worth(info.scale);
    this.chart.update({ y: { ...this.chart.options.y, label: this.worth.label } });
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
    this.accuracy = [];
    this.spread = 1;
    this.compare.clear();
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

  /** The whole game was judged: chances without the alternation of the search, and grades. */
  finish({ values, moves, accuracy, noise, spread = 1 }) {
    for (const [ply, value] of values) this.values.get(ply).value = value;
    for (const { ply, loss, grade } of moves) {
      this.values.get(ply).loss = loss;
      this.grades.set(ply, grade);
    }
    Object.assign(this, { accuracy, noise, spread });
    this.show();
  }

  /** Whether a loss of a share of the win is worth naming. */
  matters(loss) {
    return loss >= WORTH_NAMING * this.spread;
  }

  /** A message of the second evaluator's review. */
  hearSecond(message) {
    if (message.type === "review") this.compare.finish(message);
    else this.compare.add(message);
    this.running = "running";
    this.show();
  }

  /** Shows or hides the better moves. */
  hide(secret) {
    this.secret = secret;
    this.show();
  }

  name(seat) {
    return translate(this.info.seats[seat] || (this.info.players[seat] ?? ""));
  }

  state(running) {
    this.running = running;
    this.calls.draw();
  }

  /** The chances at a ply, as far as they are known. */
  valueAt(ply) {
    return (this.values.get(ply) ?? this.stored.get(ply))?.value ?? null;
  }

  /** The sweep's values; before it those of the game itself. */
  get shown() {
    const all = this.values.size ? this.values : this.stored;
    return [...all.values()].sort((a, b) => a.ply - b.ply);
  }

  /** The moves that lost at least COSTLY of the winning chance, or as much of the usual points, with a
   *  sentence each. */
  get costly() {
    const { calls: { words }, info: { explorable, plies } } = this;
    return this.shown.filter(({ ply, loss }) => loss >= COSTLY * this.spread && plies[ply]).map((one) => {
      const { seat, name, text } = plies[one.ply];
      const played = name || text;
      const better = one.best && one.best !== played && !this.secret ? one.best_words ?? one.best : "";
      const who = this.name(seat);
      const reply = explorable && plies[one.ply + 1]?.seat !== seat ? this.values.get(one.ply + 1)?.best : "";
      return { ...one, mover: seat, who, played, reply, grade: this.grades.get(one.ply),
        text: t(better ? "curve.cost_better" : "curve.cost", { n: one.ply + 1, name: who,
          move: words(played), loss: this.worth.loss(one.loss, seat),
          better: words(better) }) };
    });
  }

  show() {
    const { players, plies } = this.info;
    const seats = players.length === 2 ? [0] : players.map((_, seat) => seat);
    const found = this.shown;
    this.box.hidden = found.filter(({ value }) => value).length < (this.values.size ? 1 : 2);
    const second = [...this.compare.values].sort(([one], [other]) => one - other);
    /** @type {[string, any[]][]} */
    const all = [["", found.filter(({ value }) => value).map(({ ply, value }) => [ply, value])],
      ["curve.second", second]];
    const lines = all.filter(([, points]) => points.length);
    this.chart.update({
      series: lines.flatMap(([id, points]) => seats.map((seat) => ({
        name: id ? t(id, { name: this.name(seat) }) : this.name(seat),
        points: points.map(([ply, value]) => [ply, this.worth.of(value, seat)]),
        colour: `var(--p${seat % 4})` }))),
      range: { x: [0, Math.max(plies.length, 1)], ...this.worth.limits },
      marks: this.costly.map(({ ply, value, mover, grade, text }) => ({
        x: ply, y: this.worth.of(value, seats.length === 1 ? 0 : mover), text,
        kind: grade === "blunder" ? "bad" : "" })),
    });
    this.calls.draw();
  }

  get progress() {
    if (this.running === "waiting") return t("curve.waiting");
    if (!this.values.size) return t(this.stored.size > 1 ? "curve.stored" : "curve.about");
    return [...this.values.values()].some(({ value }) => value)
      ? t("curve.progress", { n: this.values.size, all: this.info.plies.length + 1,
        name: translate(this.judge) }) : t("curve.no_chances");
  }

  template() {
    const { calls, running } = this;
    return html`<div class="line"><label for="curve-seconds" class="small">${t("curve.a_move")}</label>
          ${select({ id: "curve-seconds" }, this.seconds, SECONDS
            .map((one) => [one, `${number(one, one < 1 ? 1 : 0)} s`]),
          (seconds) => { this.seconds = Number(seconds); })}
          ${running === "idle" ? button(t("curve.analyse"), calls.sweep)
            : button(t("common.stop"), calls.stop)}</div>
      <p class="quiet small numbers" role="status">${this.progress}</p>
      ${this.accuracies()}${this.mistakes()}${
        this.compare.template(this.accuracy.length ? this : null)}${this.statistics()}`;
  }

  accuracies() {
    const known = this.accuracy.map((percents, seat) => [this.name(seat), percents])
      .filter(([, percents]) => percents !== null);
    return known.length ? html`<p class="numbers">${t("curve.accuracy", {
      list: known.map(([name, percents]) => `${name} ${percents.toFixed(0)} %`).join(", ") })}</p>` : nothing;
  }

  mistakes() {
    const { calls, costly } = this;
    if (!costly.length) return nothing;
    const better = costly.filter(({ best }) => best);
    const item = ({ ply, text, grade }) => html`<li>${button(sentence(text), () => calls.pick(ply),
      { kind: "link" })}${grade ? html`<strong class=${grade === "blunder" ? "bad" : nothing}>
      (${t(`grade.${grade}`)})</strong>` : nothing}</li>`;
    return html`<section><div class="line spread"><h2>${t("curve.costly")}</h2>${
      better.length && !this.secret
        ? button(t("curve.retry"), calls.retry, { kind: "primary" }) : nothing}</div>
      <ol class="analysis-swings">${costly.map(item)}</ol></section>`;
  }

  /** What the game counts: a group of rows for each subject, a column for each player. */
  statistics() {
    const { players, statistics = [] } = this.info;
    if (!statistics.length) return nothing;
    const group = ({ title, rows }) => html`<tbody><tr><th scope="rowgroup"
      colspan=${players.length + 1}>${translate(title)}</th></tr>${Object.entries(rows).map(([label, row]) =>
      html`<tr><th scope="row">${translate(label)}</th>${
        row.map((one) => html`<td class="numbers">${
          typeof one === "number" ? one.toLocaleString(locale) : translate(one)}</td>`)}</tr>`)}</tbody>`;
    return html`<details><summary>${t("curve.statistics")}</summary><div class="scroll-x">
      <table class="analysis-statistics">${heads(["", ...players.map((_, seat) => this.name(seat))])}${
      statistics.map(group)}</table></div></details>`;
  }
}
