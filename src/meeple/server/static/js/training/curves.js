// Curves of a run by group: the losses share one chart, every other figure has its own. Figures that
// few ask for are drawn when they are opened.

import { LineChart } from "../charts.js";
import { declared, number, t } from "../messages.js";
import { grouped, h, html, nothing } from "../view.js";
import { brief, lengthOf } from "./words.js";

const OPEN = ["alone", "search", "losses", "games"]; // groups that are shown at once
const SHARES = ["selfplay/first_player_share", "selfplay/network_share", "selfplay/drawn",
  "selfplay/repeated", "unseen/agreement", "gate", "alone", "search", "seats"]; // between 0 and 1
const SHARE = "training.share";
// The groups whose curves share one chart, and the id of what they are measured in.
const TOGETHER = { losses: "training.nats", alone: SHARE, search: SHARE, seats: SHARE, gate: SHARE };
const heading = (group) => t(`training.group_${group}`);

export class Curves {
  constructor() {
    this.all = new Map(); // by name: {group, title, words, points}
    this.charts = new Map(); // by key: {box, chart}
    this.opened = new Set(OPEN);
    this.facts = null;
  }

  close() {
    for (const { chart } of this.charts.values()) chart?.close();
  }

  /** The last episode with a point. */
  get last() {
    return Math.max(0, ...[...this.all.values()].map(({ points }) => points.at(-1)?.[0] ?? 0));
  }

  clear() {
    this.all.clear();
  }

  take({ since, curves }) {
    for (const { name, points, ...words } of curves) {
      const before = this.all.get(name)?.points.filter(([x]) => x <= since) ?? [];
      this.all.set(name, { name, ...words, points: [...before, ...points] });
    }
  }

  /** Curves by group, and within it by the chart that they share. */
  groups() {
    const groups = grouped([...this.all.values()], ({ group }) => group);
    return new Map([...groups].map(([name, curves]) => [name, grouped(curves,
      (curve) => (name in TOGETHER ? name : curve.name))]));
  }

  /** Brings the charts that are open up to date. */
  draw(facts) {
    this.facts = facts;
    for (const [group, charts] of this.groups()) {
      if (!this.opened.has(group)) continue;
      for (const [key, curves] of charts) this.chart(key, curves);
    }
  }

  chart(key, curves) {
    const entry = this.charts.get(key);
    const series = curves.map((one) => ({ name: titleOf(one), points: one.points }));
    if (entry.chart) {
      entry.chart.update({ series });
      return;
    }
    const single = !(key in TOGETHER);
    const range = { x: [0, lengthOf(this.facts)], ...(SHARES.includes(key) ? { y: [0, 1] } : {}) };
    entry.chart = new LineChart(entry.box, { series, range,
      x: { label: t(`training.units_${this.facts.unit}`), format: number },
      y: { label: single ? "" : t(TOGETHER[key]), format: brief },
      label: single ? titleOf(curves[0]) : heading(curves[0].group), height: single ? 180 : 260 });
  }

  // ------------------------------------------------------------ the view

  /** The panel of a group that is shown at once. */
  panel(group) {
    const charts = this.groups().get(group);
    return charts ? html`<section class="panel"><h2>${heading(group)}</h2>${this.body(charts)}</section>`
      : nothing;
  }

  /** The other groups, to be opened. */
  rest() {
    const toggle = (group, { target }) => {
      this.opened[target.open ? "add" : "delete"](group);
      this.draw(this.facts);
    };
    return [...this.groups()].filter(([group]) => !OPEN.includes(group)).map(([group, charts]) =>
      html`<details class="panel" @toggle=${(event) => toggle(group, event)}>
        <summary><h2>${heading(group)}</h2></summary>${this.body(charts)}</details>`);
  }

  body(charts) {
    return html`<div class="charts">${[...charts].map(([key, curves]) => {
      if (!this.charts.has(key)) this.charts.set(key, { box: h("div", {}), chart: null });
      const single = !(key in TOGETHER);
      const [first] = curves;
      return html`<div class="chart-place">${single ? html`<h3>${titleOf(first)}</h3>` : nothing}${
        this.charts.get(key).box}${single ? html`<p class="quiet small">${wordsOf(first)}</p>`
        : explained(curves)}</div>`;
    })}</div>`;
  }
}

const titleOf = ({ name, title }) => declared(`figure.${name}`, title);
const wordsOf = ({ name, words }) => declared(`figure.${name}.words`, words);

function explained(curves) {
  return html`<dl class="explained small">${curves.filter(({ words }) => words).map(
    (one) => html`<dt>${titleOf(one)}</dt><dd class="quiet">${wordsOf(one)}</dd>`)}</dl>`;
}
