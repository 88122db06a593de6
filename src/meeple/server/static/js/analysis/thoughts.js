// What an agent thinks of one position: chances, alternatives, the line it expects.

import { post } from "../api.js";
import { barRow, smallBar } from "../charts.js";
import { together } from "../catan/words.js";
import { Course, differ } from "./compare.js";
import { shares } from "./words.js";
import { ended, evaluatedBy, number, sentence, t, translate, wordsOf } from "../messages.js";
import { colour, stoneOf } from "../players.js";
import { button, field, heads, html, live, nothing, repeat, select } from "../view.js";
import { Worth } from "../worth.js";

const MAX_ROWS = 12;
const SECONDS = [1, 3, 10, 30, 120, 600];
const SEARCH = "uct:seconds=1"; // the seconds of a wish take the place of a spec's limits
const JUDGE = ""; // the server's choice: the strongest for the game, by matches
const OTHER = "other";
const PATIENCE = 4000; // milliseconds until a wait is explained

export class Thoughts {
  /** `calls`: {draw, start, stop, peek({line} | {action} | null), play(names), words(name),
   *  evaluators(found), rival(judge), compare(spec)}; `peek` is called while something is pointed at. */
  constructor(calls) {
    this.calls = calls;
    this.players = [];
    this.worth = new Worth();
    this.game = "";
    this.level = JUDGE;
    this.spec = "uct:seconds=1,c=2";
    this.seconds = 10;
    this.levels = [[JUDGE, t("thoughts.strongest"), ""]]; // [spec, name, words]
    this.running = "idle"; // "waiting", "thinking" or "done"
    this.progress = "";
    this.thought = null;
    this.line = null; // the thought whose line is shown
    this.course = new Course();
    this.second = null; // the course of a second evaluator, while it is compared
    this.scene = null;
    this.wanted = false; // the position will be thought about at once
  }

  close() {
    clearTimeout(this.waiting);
  }

  set(changes) {
    Object.assign(this, changes);
    this.calls.draw();
  }

  get wish() {
    const spec = this.level === OTHER ? this.spec.trim() : this.level;
    return { ...(spec && { spec }), seconds: this.seconds };
  }

  /** A game to think about: who can, is asked of the server. */
  async begin({ players, game, options, scale }) {
    this.players = players;
    this.worth = new Worth(scale);
    const wanted = JSON.stringify([game, options]);
    if (wanted === this.game) return;
    this.game = wanted;
    // without an answer there is the search, and what one types
    const { judge, second, networks } = await post("/api/levels", { game, options })
      .catch(() => ({ judge: null, second: null, networks: [] }));
    if (this.game !== wanted) return;
    this.calls.evaluators([judge, second]);
    const levels = [[JUDGE, t("thoughts.strongest"), judge ? ended(translate(judge.words)) : ""],
      [SEARCH, t("thoughts.search"), t("thoughts.search_about")],
      ...networks.map(({ name, spec, words }) => [spec, name, ended(translate(words))]),
      [OTHER, t("thoughts.other"), ""]];
    const known = levels.some(([spec]) => spec === this.level);
    this.set({ levels, level: known ? this.level : JUDGE });
  }

  choose(level) {
    this.set({ level });
    if (level === OTHER) document.getElementById("analysis-spec").focus();
    else this.again();
  }

  again() {
    if (this.running !== "idle") this.calls.start();
  }

  /** Another position; `wanted`: it will be thought about at once. */
  place({ scene, wanted }) {
    if (!wanted) clearTimeout(this.waiting);
    this.set({ scene, wanted, thought: null, progress: "", second: null });
  }

  /** The same position by a second evaluator, beside what the first one thinks. */
  compare(spec) {
    this.set({ second: new Course() });
    this.calls.compare(spec);
  }

  showSecond(thought) {
    this.second?.add(thought);
    this.calls.draw();
  }

  state(running) {
    clearTimeout(this.waiting);
    if (running === "waiting") {
      this.course = new Course();
      this.second = null;
      this.progress = t("curve.waiting");
      this.waiting = setTimeout(() => this.set({ progress: t("thoughts.long") }), PATIENCE);
    }
    if (running === "done") this.progress = t("thoughts.done", { progress: this.progress });
    this.set({ running });
  }

  show(thought) {
    clearTimeout(this.waiting);
    const { simulations, depth, seconds, memory_full: full } = thought;
    this.course.add(thought);
    const id = simulations ? "thoughts.simulations" : depth ? "thoughts.depth" : "thoughts.thought";
    const words = t(id, { n: number(simulations || depth || 0), time: number(seconds, 1) });
    const walked = document.activeElement?.closest(".analysis-line"); // a button of the line has the focus
    this.set({ thought, running: thought.final ? "done" : "thinking",
      line: walked && this.line ? this.line : thought,
      progress: full ? `${words} ${t("thoughts.full")}` : words });
  }

  // ------------------------------------------------------------ the view

  /** Whether there is nothing to think about at the position. */
  get closed() {
    const { scene } = this;
    return !scene || scene.over || scene.to_move < 0;
  }

  get empty() {
    const { scene } = this;
    if (!scene || this.running !== "idle" || this.thought) return "";
    if (scene.over) return t("thoughts.over");
    if (scene.to_move < 0) return t("thoughts.chance");
    return this.wanted ? "" : t("thoughts.start");
  }

  template() {
    const { calls, level, levels, running, thought } = this;
    const idle = running === "idle";
    const change = ({ target }) => {
      this.spec = target.value;
      this.again();
    };
    return html`<div class="analysis-wish">
        ${select({ label: t("thoughts.who") }, level, levels.map(([spec, name]) => [spec, name]),
          (chosen) => this.choose(chosen))}
        ${select({ label: t("thoughts.time") }, this.seconds,
          SECONDS.map((one) => [one, one < 60 ? `${one} s` : `${one / 60} min`]), (seconds) => {
            this.seconds = Number(seconds);
            this.again();
          })}
        ${button(t(idle ? "table.analyse" : "common.stop"), idle ? calls.start : calls.stop,
          { kind: idle ? "primary" : "", disabled: this.closed && idle })}</div>
      ${level === OTHER ? field("analysis-spec", t("thoughts.spec"),
        html`<input type="text" id="analysis-spec" spellcheck="false" autocomplete="off"
          maxlength="200" .value=${live(this.spec)} @change=${change}>`) : nothing}
      ${thought ? html`<div class="scroll-x">${this.table()}</div>` : nothing}
      <p class="quiet small numbers" role="status">${this.progress}</p>
      <p class="quiet">${this.empty}</p>
      ${thought ? html`${thought.proven ? html`<p><strong>${this.proof()}</strong></p>` : nothing}
        <h2>${t("analysis.numbers")}</h2><div class="analysis-line">${this.expected()}</div>
        <p class="small">${evaluatedBy(thought)}</p>${this.beside()}`
        : html`<p class="quiet small">${levels.find(([spec]) => spec === level)?.[2]}</p>`}`;
  }

  beside() {
    const { calls, players, running, scene, thought } = this;
    const rival = running === "done" && calls.rival(thought.judge);
    if (!rival) return nothing;
    if (!this.second) {
      return html`<p>${button(t("beside.start"), () => this.compare(rival.spec))}
        <span class="quiet small">${ended(translate(rival.words))}</span></p>`;
    }
    const second = this.second.last;
    if (!second) return html`<p class="quiet" role="status">${t("curve.waiting")}</p>`;
    const seat = scene.to_move;
    const row = (/** @type {any} */ { judge, line, value, ...found }) => html`<tr>
      <th scope="row">${translate(judge)}</th><td>${line.length
        ? calls.words(wordsOf(found, found.actions.indexOf(line[0]))) : "–"}</td>
      <td class="numbers">${this.worth.words(value, seat) || "–"}</td></tr>`;
    const [one, other] = [thought, second].map(({ value }) => value?.[seat]);
    const noise = second.value && thought.value && this.course.noise(seat) + this.second.noise(seat);
    return html`<h3>${t("beside.title")}</h3><table class="analysis-beside">${heads([t("beside.evaluator"),
        t("beside.best"), t("common.pair", { name: translate(players[seat]), value: this.worth.label })])}
      <tbody>${[thought, second].map(row)}</tbody></table>${second.final && noise !== null
      ? html`<p role="status">${differ(one, other, noise)
        ? t("beside.differ", { gap: this.worth.loss(Math.abs(one - other), seat) })
        : t("beside.same")}</p>` : nothing}`;
  }

  /** The chances of the position; `known` are those by a review, until an agent has thought. */
  bar(known) {
    const value = this.thought?.value ?? this.scene?.payoffs ?? known;
    const part = (name, seat) => ({ name: translate(name), words: this.worth.words(value, seat),
      share: value?.[seat] ?? null, colour: colour(seat, stoneOf(this.scene?.scene, seat, name)) });
    return barRow(this.players.map(part), sentence(this.worth.label));
  }

  /** A result that the search has proven. */
  proof() {
    const { value } = this.thought;
    const winner = this.players[value.indexOf(1)];
    if (winner) return t("thoughts.proven_win", { name: translate(winner) });
    const shared = value.every((share) => share === value[0]);
    return t(shared ? "thoughts.proven_draw" : "thoughts.proven_shares");
  }

  table() {
    const { thought } = this;
    const { policy, raw, actions, simulations } = thought;
    const share = shares(thought);
    const first = (at) => Number(actions[at] === thought.line[0]); // its choice: a proven win, say
    const order = actions.map((_, at) => at).sort((a, b) => first(b) - first(a) ||
      share[b] - share[a] || policy[b] - policy[a]).slice(0, MAX_ROWS);
    const columns = [t("common.move"), t(`worth.column_${this.worth.kind}`),
      t(simulations ? "thoughts.visits" : "thoughts.preference")];
    const rest = actions.length - order.length;
    const unknown = !simulations && thought.action_values?.some(([value]) => value === null);
    return html`<table class="analysis-alternatives">
        ${heads(raw ? [...columns, t("thoughts.network")] : columns)}
        <tbody>${repeat(order, (at) => actions[at], (at) => this.row(at, share[at]))}</tbody></table>
      ${rest > 0 ? html`<p class="quiet small">${t("common.more_moves", { n: rest })}</p>` : nothing}
      ${unknown ? html`<p class="quiet small">${t("thoughts.no_better")}</p>` : nothing}`;
  }

  row(at, share) {
    const { calls, scene, thought: { actions, names, reasons, raw, action_values: values } } = this;
    const peek = () => calls.peek({ action: actions[at] });
    const rest = () => calls.peek(null);
    return html`<tr @pointerenter=${peek} @pointerleave=${rest}><th scope="row">
        <button type="button" class="link" @click=${() => calls.play([names[at]])} @focus=${peek}
          @blur=${rest}>${calls.words(wordsOf(this.thought, at))}</button>${reasons?.[at]
          ? html`<div class="reason quiet small">${translate(reasons[at])}</div>` : nothing}</th>
      <td class="numbers">${this.worth.words(values?.[at], scene.to_move) || "–"}</td>
      <td>${smallBar(share)}</td>
      ${raw ? html`<td>${smallBar(raw[at], "var(--edge-strong)")}</td>` : nothing}</tr>`;
  }

  expected() {
    const { calls, line: { line, line_names: names, actions } } = this;
    const rest = () => calls.peek(null);
    const label = names.length && wordsOf(this.line, actions.indexOf(line[0]));
    return names.length ? together(names, label).map(({ words, end }, at) => {
      const name = calls.words(words);
      const peek = () => calls.peek({ line: line.slice(0, end) });
      return html`<button type="button" class="small" @pointerenter=${peek} @focus=${peek}
        @pointerleave=${rest} @blur=${rest} aria-label=${t("thoughts.line_to", { move: name })}
        @click=${() => calls.play(names.slice(0, end))}><span class="quiet">${at + 1}</span>${
        name}</button>`;
    }) : html`<p class="quiet">${t("thoughts.no_further")}</p>`;
  }
}
