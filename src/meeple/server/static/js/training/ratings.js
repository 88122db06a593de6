// The TOPP of a run's networks: ratings with their intervals, and each against each.

import { LineChart } from "../charts.js";
import { number, t } from "../messages.js";
import { button, h, html, nothing } from "../view.js";
import { counted, gainWords, signed } from "./words.js";

const HEIGHT = 240;
const STRONGEST = 46; // per cent of colour in a cell of the matrix, so that its number stays clear

export class Ratings {
  constructor(rate) {
    this.rate = rate;
    this.plot = h("div", {});
    this.chart = null;
  }

  close() {
    this.chart?.close();
  }

  update({ topp }) {
    this.plot.hidden = !topp;
    const key = JSON.stringify(topp);
    if (!topp || key === this.shown) return;
    this.shown = key;
    const { networks, unit } = topp;
    const points = networks.map(({ episode, rating }) => [episode, rating]);
    const bars = networks.map(({ episode, interval }) => [episode, ...interval]);
    const marks = networks.map(({ episode, rating, interval }) => ({ x: episode, y: rating,
      text: t("training.after", { count: counted(episode, unit), gain: gainWords({ rating, interval }) }) }));
    const options = { series: [{ name: t("training.rating"), points, bars }], marks, height: HEIGHT,
      x: { label: t("training.axis", { units: t(`training.units_${unit}`) }), format: number },
      y: { label: "Elo", format: signed }, label: t("training.elo") };
    if (this.chart) this.chart.update(options);
    else this.chart = new LineChart(this.plot, options);
  }

  template(facts) {
    const { rating, networks, topp } = facts;
    const words = t(rating ? "training.rating_now" : topp ? "training.rate_again" : "training.rate");
    return html`<section class="panel ratings"><div class="line spread">
        <h2>${t("training.ratings")}</h2>
        ${button(words, this.rate, { disabled: rating || networks.length < 2 })}</div>
      <p class="quiet small">${t("training.ratings_about")}</p>
      <p>${verdict(facts)}</p>${this.plot}${topp ? html`<p class="quiet small">${
        t("training.topp_games", { games: number(topp.games), pair: topp.games_per_pair,
          distinct: number(topp.distinct_games) })}</p>${
        topp.matrix.length ? matrix(topp) : nothing}` : nothing}</section>`;
  }
}

function verdict({ topp, networks: kept }) {
  if (!topp) return t(kept.length < 2 ? "training.one_network" : "training.unrated");
  const { gain, networks } = topp;
  const [low, high] = gain.interval;
  const claim = low > 0 ? "training.rise" : high < 0 ? "training.fall" : "training.unclear";
  const newer = kept.filter((number) => number > networks.at(-1).episode).length;
  const more = newer > 0 ? ` ${t("training.newer", { n: newer })}` : "";
  return `${t(claim, { gain: gainWords(gain) })}${more}`;
}

/** Each against each. */
function matrix({ networks, matrix: shares, unit }) {
  const names = networks.map(({ episode }) => number(episode));
  const cell = (share, row, column) => {
    if (share === null) return html`<td class="empty">${row === column ? "–" : ""}</td>`;
    const strength = Math.round(2 * STRONGEST * Math.abs(share - 0.5));
    return html`<td title=${t("training.pair",
      { one: names[row], other: names[column], share: number(100 * share, 1) })}
      .style=${`background: color-mix(in srgb, var(--p${share >= 0.5 ? 1 : 0}) ${strength}%, `
        + "var(--panel))"}>${Math.round(100 * share)}</td>`;
  };
  return html`<h3>${t("training.each")}</h3>
    <p class="quiet small" id="matrix-help">${t("training.each_about")}</p>
    <div class="scroll-x" tabindex="0" role="region" aria-label=${t("training.each_label")}>
      <table class="matrix numbers" aria-describedby="matrix-help">
        <thead><tr><th scope="col">${t(`training.units_${unit}`)}</th>${names.map((name) =>
          html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${shares.map((row, at) => html`<tr><th scope="row">${names[at]}</th>${
          row.map((share, against) => cell(share, at, against))}</tr>`)}</tbody></table></div>`;
}
