// A run on a cluster: what it waits for, what became of its games, its nodes, actors and their logs.

import { get } from "../api.js";
import { ago, ended, number, t, translate } from "../messages.js";
import { heads, html, nothing, select } from "../view.js";
import { list } from "./words.js";

/** `run`: the facts of a run; `logs`: its `Logs`. */
export function clusterPanel({ cluster, unit, logs: names }, logs) {
  if (!cluster) return nothing;
  const { running, place, summary, time, problems, account_words: account } = cluster;
  return html`<section class="panel cluster"><h2>${
    t(running ? "training.on_now" : "training.on_last", { place })}</h2>
    <p class="numbers">${translate(summary)} (${ago(time)})</p>
    ${list(problems.map(said), "bad", t("training.wrong"))}
    ${list(account.map(said), "plain numbers", t("training.account"))}
    ${nodeTable(cluster)}${actorTable(cluster, unit)}${names.length ? logs.template(names) : nothing}
  </section>`;
}

const said = (words) => ended(translate(words));

function nodeTable({ nodes, more_nodes: more }) {
  const rows = nodes.map((one) => [one.name,
    sign(t(one.alive ? "training.alive" : "training.dead"), one.alive),
    number(one.processors), one.accelerators, one.address]);
  return tableOf(t("training.nodes"), [t("training.node"), t("common.state"), t("training.processors"),
    t("training.accelerators"), t("training.address")], [2], rows, more);
}

function actorTable({ actors, more_actors: more }, unit) {
  const known = (value) => (value ? number(value) : "");
  const rows = actors.map((one) => [one.name,
    one.games_per_second ? speed(one.games_per_second) : "", sign(work(one), one.alive),
    known(one.games), one.node, one.generation === null ? "" : number(one.generation), known(one.restarts)]);
  return tableOf(t("training.actors"), [t("training.actor"), t("training.rate_games"), t("common.state"),
    t("common.games"), t("training.node"), t(`training.network_of_${unit}`), t("training.restarts")],
  [1, 3, 5, 6], rows, more);
}

/** `numbers`: the columns of numbers; the first cell of a row is its head. */
function tableOf(name, columns, numbers, rows, more) {
  if (!rows.length) return nothing;
  const kinds = columns.map((_, at) => numbers.includes(at) && "number");
  return html`<div><h3>${name}</h3>
    <div class="scroll-x" tabindex="0" role="region" aria-label=${name}>
      <table class="cluster-table numbers">${heads(columns, kinds)}
      <tbody>${rows.map(([head, ...cells]) => html`<tr><th scope="row">${head}</th>${cells.map(
        (cell, at) => html`<td class=${kinds[at + 1] || nothing}>${cell}</td>`)}</tr>`)}</tbody></table></div>
    ${more ? html`<p class="quiet small">${t("training.more", { count: number(more) })}</p>`
      : nothing}</div>`;
}

function sign(words, alive) {
  return alive ? words : html`<strong class="bad">${words}</strong>`;
}

function work({ alive, waiting }) {
  if (!alive) return t("training.dead");
  return waiting ? t("training.waits", { what: translate(waiting) }) : t("training.works");
}

/** Two digits or more, as `rate` in learn/run/cluster.py. */
function speed(perSecond) {
  return perSecond >= 9.95 ? perSecond.toFixed(0) : String(Number(perSecond.toPrecision(2)));
}

/** The last lines of one actor's log, chosen from a list; asked for only while it is open. */
export class Logs {
  constructor(path, draw) {
    this.path = path;
    this.draw = draw;
    this.open = false;
    this.name = null;
    this.lines = "";
  }

  async look() {
    const { name } = this;
    if (!this.open || !name) return;
    let words;
    try {
      const { lines } = await get(`${this.path}/logs/${encodeURIComponent(name)}`);
      words = lines.join("\n") || t("training.nothing_said");
    } catch (error) {
      words = error.message;
    }
    if (name !== this.name || words === this.lines) return;
    const shown = document.querySelector(".cluster pre");
    const atEnd = shown && shown.scrollTop + shown.clientHeight >= shown.scrollHeight - 8;
    this.lines = words;
    this.draw();
    if (atEnd) shown.scrollTop = shown.scrollHeight;
  }

  set(changes) {
    Object.assign(this, changes);
    this.look();
  }

  template(names) {
    if (!names.includes(this.name)) this.set({ name: names[0] });
    return html`<details @toggle=${({ target }) => this.set({ open: target.open })}>
      <summary><h3>${t("training.logs")}</h3></summary>
      ${select({ label: t("training.log_of") }, this.name, names.map((name) => [name, name]),
        (name) => this.set({ name }))}
      <pre class="output" tabindex="0" role="region" aria-label=${t("training.log")}>${
        this.lines}</pre></details>`;
  }
}
