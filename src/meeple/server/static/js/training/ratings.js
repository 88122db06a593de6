// The tournament of a run's networks: ratings with their intervals, and each against each.

import { lineChart } from "../charts.js";
import { button } from "../controls.js";
import { h } from "../dom.js";
import { html, nothing } from "../view.js";
import { count, counted, gainWords, signed } from "./words.js";

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
    this.chart ??= lineChart(this.plot, { height: HEIGHT });
    const points = networks.map(({ episode, rating }) => [episode, rating]);
    const bars = networks.map(({ episode, interval }) => [episode, ...interval]);
    const marks = networks.map(({ episode, rating, interval }) => ({ x: episode, y: rating,
      text: `after ${counted(episode, unit)} ${gainWords({ rating, interval })}` }));
    this.chart.update({ series: [{ name: "Rating", points, bars }], marks,
      x: { label: `${unit}s of training`, format: count }, y: { label: "Elo", format: signed },
      label: "Elo ratings with 95 % intervals" });
  }

  template(facts) {
    const { rating, networks, topp } = facts;
    const words = rating ? "Playing the tournament…" : topp ? "Rate them again" : "Rate its networks";
    return html`<section class="panel ratings"><div class="line spread">
        <h2>Ratings of the networks it kept</h2>
        ${button(words, this.rate, { disabled: rating || networks.length < 2 })}</div>
      <p class="quiet small">Every network, from the first one to the newest, plays every other
        without any search. If learning works, the ratings rise.</p>
      <p>${verdict(facts)}</p>${this.plot}${topp ? html`<p class="quiet small">${count(topp.games)}
        games, ${topp.games_per_pair} for each pair, ${count(topp.distinct_games)} of them different.
        Elo: 0 is the average of these networks, and 400 points more are odds of 10 to 1. Bars are
        95 % intervals.</p>${topp.matrix.length ? matrix(topp) : nothing}` : nothing}</section>`;
  }
}

function verdict({ topp, networks: kept }) {
  if (!topp) {
    return kept.length < 2 ? "There is one network so far; the next is kept later in the run."
      : "Not rated yet.";
  }
  const { gain, networks } = topp;
  const [low, high] = gain.interval;
  const claim = low > 0 ? "The ratings rise with training"
    : high < 0 ? "The ratings fall with training"
      : "It is not shown that the ratings rise";
  const newer = kept.filter((number) => number > networks.at(-1).episode).length;
  const more = newer > 0 ? ` ${newer} newer ${newer === 1 ? "network is" : "networks are"} not `
    + "rated yet." : "";
  return `${claim}: from the first to the last, ${gainWords(gain)}.${more}`;
}

/** Each against each. */
function matrix({ networks, matrix: shares, unit }) {
  const names = networks.map(({ episode }) => count(episode));
  const cell = (share, row, column) => {
    if (share === null) return html`<td class="empty">${row === column ? "–" : ""}</td>`;
    const strength = Math.round(2 * STRONGEST * Math.abs(share - 0.5));
    return html`<td title="${names[row]} against ${names[column]}: ${(100 * share).toFixed(1)} %"
      .style=${`background: color-mix(in srgb, var(--p${share >= 0.5 ? 1 : 0}) ${strength}%, `
        + "var(--panel))"}>${Math.round(100 * share)}</td>`;
  };
  return html`<h3>Each against each</h3>
    <p class="quiet small" id="matrix-help">Of the points between two networks, the percentage that the
      row's won against the column's.</p>
    <div class="scroll-x" tabindex="0" role="region" aria-label="Result of each network against each">
      <table class="matrix numbers" aria-describedby="matrix-help">
        <thead><tr><th scope="col">${unit}s</th>${names.map((name) =>
          html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${shares.map((row, at) => html`<tr><th scope="row">${names[at]}</th>${
          row.map((share, against) => cell(share, at, against))}</tr>`)}</tbody></table></div>`;
}
