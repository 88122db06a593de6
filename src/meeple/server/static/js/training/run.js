// One run: how far it is, its curves, the ratings of its networks, its games; and what to do with it.

import { poll } from "../again.js";
import { get, post } from "../api.js";
import { duration, ended, number, t, translate } from "../messages.js";
import { keep } from "../tokens.js";
import { button, Controller, html, nothing } from "../view.js";
import { clusterPanel, Logs } from "./cluster.js";
import { Curves } from "./curves.js";
import { SampleGames } from "./games.js";
import { keepToken, tokensOf } from "./owner.js";
import { Ratings } from "./ratings.js";
import { badge, doneWords, lengthOf, list } from "./words.js";
/** @import {SeatChoice} from "../types.d.ts" */

const LIVE = 1500; // milliseconds between two looks at a run that learns
const QUIET = 8000; // and at one that does not
const TWICE = 800; // milliseconds between the two clicks of an impatient hand
const AT_WORK = ["running", "stopping", "elsewhere"];

export async function showRun(root, name, app) {
  app.title(name);
  const run = new Run(root, name, app);
  await run.look();
  const live = ({ status, rating }) => AT_WORK.includes(status) || rating;
  return poll(run, () => (live(run.facts) ? LIVE : QUIET));
}

class Run extends Controller {
  constructor(root, name, app) {
    super(root);
    this.app = app;
    this.name = name;
    this.facts = null; // the server's newest
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    this.fault = ""; // of the last look
    this.busy = false;
    this.rested = 0; // until then another click is part of a double click
    this.curves = this.own(new Curves());
    this.ratings = this.own(new Ratings(() => this.act("topp")));
    this.games = this.own(new SampleGames(this.path, app));
    this.logs = new Logs(this.path, () => this.draw());
  }

  async look() {
    const since = this.curves.last;
    const facts = await get(`${this.path}?since=${since}`, { tokens: tokensOf(this.name) });
    if (since && this.facts.race !== facts.race) { // another method, whose curves begin anew
      this.curves.clear();
      return this.look();
    }
    this.curves.take(facts);
    this.set({ facts, fault: "" });
    this.curves.draw(facts);
    this.ratings.update(facts);
    if (this.plays) this.games.update(facts);
    if (facts.cluster?.running) this.logs.look();
  }

  /** Whether there are games with itself, that are kept. */
  get plays() {
    return this.facts.unit === "episode";
  }

  /** Asks the server for "stop", "resume" or "topp", and looks what has become of it. */
  async act(what) {
    if (this.busy || Date.now() < this.rested) return;
    this.rested = Date.now() + TWICE;
    await this.alone(() => post(`${this.path}/${what}`, {}, { tokens: tokensOf(this.name) })
      .then((answer) => keepToken(this.name, answer)).then(() => this.look()));
  }

  /** A game against the newest network, on the board that it has learned. */
  async play() {
    const { game, options, spec } = this.facts;
    if (!this.busy) await this.alone(async () => {
      const { games } = await get("/api/games");
      // a number of players may be a range ("2 to 4") that an option settles
      const { players } = games.find(({ name }) => name === game) ?? {};
      const seats = Number(options.players) || Number(players) || 2;
      /** @type {SeatChoice[]} */
      const others = Array.from({ length: seats - 1 }, () => ({ kind: "agent", spec }));
      const { id, ...given } = await post("/api/tables",
        { game, options, seats: [{ kind: "me" }, ...others], clock: null, pace: 0, help: true });
      keep(id, given);
      this.app.go(`#/table/${id}`);
    });
  }

  async alone(work) {
    this.busy = true;
    await this.app.attempt(() => work());
    this.busy = false;
  }

  // ------------------------------------------------------------ the view

  template() {
    const { facts, curves, plays } = this;
    const ratings = this.ratings.template(facts);
    const [first, second] = plays ? [ratings, this.games.root] : [nothing, ratings];
    return html`<p class="small"><a href="#/training">${t("training.all_runs")}</a></p>
      <div class="stack">${this.head()}${clusterPanel(facts, this.logs)}
        <div class="run"><div class="stack">${["alone", "search", "losses"].map((group) =>
          curves.panel(group))}${first}</div>
        <div class="stack">${second}${curves.panel("games")}</div></div>
        <div class="stack">${curves.rest()}</div>${settings(facts.settings)}</div>`;
  }

  head() {
    const { facts } = this;
    const { name, title, status, rating, spec, problem, output, yours } = facts;
    const runs = status === "running" || status === "stopping";
    const stops = t(status === "stopping" ? "training.stop_now" : runs ? "common.stop"
      : "training.stop_rating");
    return html`<section class="panel"><div class="line spread">
        <div><h1>${name}</h1><p class="line">${translate(title)} ${badge(facts)}</p></div>
        <div class="line">
          ${yours && (runs || rating) ? button(stops, () => this.act("stop")) : nothing}
          ${yours && ["stopped", "failed"].includes(status)
            ? button(t("training.go_on"), () => this.act("resume")) : nothing}
          ${spec ? button(t("training.play"), () => this.play(), { kind: "primary", title: spec })
            : nothing}</div></div>
      <progress class="wide" aria-label=${t("training.progress")}
        ?hidden=${facts.of === null} max=${lengthOf(facts)} .value=${facts.episodes}></progress>
      <p role="status">${facts.race ? t("training.racing", { method: facts.race }) : nothing}</p>
      <p class="numbers">${progressWords(facts)}</p>
      ${list(facts.progress.map((one) => ended(translate(one))), "plain numbers", t("training.opponents"))}
      ${list(facts.findings.map(({ problem, advice }) => `${ended(translate(problem))} ${
        ended(translate(advice))}`), "warn", t("training.advice"))}
      <p class="bad" role="status" ?hidden=${!problem}>${translate(problem ?? "")}</p>
      ${output.length ? html`<pre class="output" tabindex="0" role="region"
        aria-label=${t("training.output")}>${output.join("\n")}</pre>` : nothing}
      <p class="warn" role="status">${this.fault}</p></section>`;
  }
}

function progressWords(facts) {
  const { seconds, left, status, networks: { length: n }, marks } = facts;
  const parts = [doneWords(facts)];
  if (seconds) parts.push(t("training.learning_time", { time: duration(seconds) }));
  if (status === "stopping") parts.push(t("training.saving"));
  else if (left !== null) parts.push(t("training.left", { time: duration(left) }));
  else if (AT_WORK.includes(status)) parts.push(t("training.preparing"));
  parts.push(marks === null ? t("training.kept", { n, count: number(n) })
    : t("training.kept_of", { kept: number(n), all: number(marks) }));
  return parts.join(" · ");
}

function settings(values) {
  return html`<details class="panel"><summary><h2>${t("training.configuration")}</h2></summary>
    <div class="scroll-x"><table class="settings"><tbody>${Object.entries(values).map(([name, value]) =>
      html`<tr><th scope="row">${name}</th><td class="code">${
        typeof value === "string" ? value : JSON.stringify(value)}</td></tr>`)}</tbody></table></div>
  </details>`;
}
