// The tournament of a run's networks: ratings with their intervals, and each against each.

import { clear, h, s } from "../dom.js";
import { count, counted, gainWords, signed } from "./words.js";

const HEIGHT = 240;
const EDGE = { left: 52, right: 16, top: 18, bottom: 36 }; // pixels around the points
const TICKS = 5;
const STRONGEST = 46; // per cent of colour in a cell of the matrix, so that its number stays clear

export function ratingsPanel(rate) {
  const button = h("button", { type: "button", onclick: rate }, "Rate its networks");
  const verdict = h("p", {});
  const plot = h("div", { class: "ratings-plot" });
  const note = h("p", { class: "quiet small" });
  const matrix = h("div", {});
  const node = h("section", { class: "panel ratings" },
    h("div", { class: "line spread" }, h("h2", {}, "Ratings of the networks it kept"), button),
    h("p", { class: "quiet small" }, "Every network, from the first one to the newest, plays "
      + "every other without any search. If learning works, the ratings rise."),
    verdict, plot, note, matrix);
  let shown = null;
  let topp = null;
  const observer = new ResizeObserver(() => topp && drawRatings());
  observer.observe(plot);

  function drawRatings() {
    if (plot.clientWidth) clear(plot).append(ratings(topp, plot.clientWidth));
  }

  function update(facts) {
    button.disabled = facts.rating || facts.networks.length < 2;
    button.textContent = facts.rating ? "Playing the tournament…"
      : facts.topp ? "Rate them again" : "Rate its networks";
    const key = JSON.stringify([facts.topp, facts.networks.length]);
    if (key === shown) return;
    shown = key;
    topp = facts.topp;
    plot.hidden = note.hidden = matrix.hidden = !topp;
    if (!topp) {
      verdict.textContent = facts.networks.length < 2
        ? "There is one network so far; the next is kept later in the run."
        : "Not rated yet.";
      return;
    }
    verdict.textContent = verdictWords(topp, facts.networks);
    note.textContent = `${count(topp.games)} games, ${topp.games_per_pair} for each pair, `
      + `${count(topp.distinct_games)} of them different. Elo: 0 is the average of these networks, `
      + "and 400 points more are odds of 10 to 1. Bars are 95 % intervals.";
    drawRatings();
    clear(matrix).append(...(topp.matrix.length ? matrixTable(topp) : []));
  }

  return { node, update, close: () => observer.disconnect() };
}

function verdictWords({ gain, networks }, kept) {
  const [low, high] = gain.interval;
  const claim = low > 0 ? "The ratings rise with training"
    : high < 0 ? "The ratings fall with training"
      : "It is not shown that the ratings rise";
  const newer = kept.filter((number) => number > networks.at(-1).episode).length;
  const more = newer > 0 ? ` ${newer} newer ${newer === 1 ? "network is" : "networks are"} not `
    + "rated yet." : "";
  return `${claim}: from the first to the last, ${gainWords(gain)}.${more}`;
}

// ---------------------------------------------------------------- points with bars

function ratings({ networks, unit }, width) {
  const ends = networks.flatMap(({ interval }) => interval);
  const room = 0.05 * (Math.max(...ends) - Math.min(...ends)) || 1;
  const y = scale(Math.min(...ends) - room, Math.max(...ends) + room, HEIGHT - EDGE.bottom, EDGE.top);
  const x = scale(0, Math.max(1, ...networks.map(({ episode }) => episode)), EDGE.left + 10,
    width - EDGE.right - 10);
  const words = networks.map(({ episode, rating, interval }) => `after ${counted(episode, unit)} `
    + `${signed(rating)} (${signed(interval[0])} to ${signed(interval[1])})`);
  const grid = y.ticks(TICKS).flatMap((value) => [
    s("line", { class: "chart-grid", x1: EDGE.left, x2: width - EDGE.right, y1: y(value),
      y2: y(value) }),
    s("text", { x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" },
      value ? signed(value) : "0"),
  ]);
  const below = x.ticks(Math.max(2, Math.floor(width / 110))).map((value) => s("text",
    { x: x(value), y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, count(value)));
  const points = networks.map(({ episode, rating, interval: [low, high] }, at) => s("g", {},
    s("path", { class: "ratings-bar", d: `M${x(episode) - 5},${y(low)}h10m-5,0V${y(high)}m-5,0h10` }),
    s("circle", { class: "ratings-point", cx: x(episode), cy: y(rating), r: 4.5 }),
    s("title", {}, words[at])));
  const line = networks.map(({ episode, rating }, at) => (
    `${at ? "L" : "M"}${x(episode)},${y(rating)}`)).join("");
  return s("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img",
    class: "chart-svg", "aria-label": `Elo ratings with 95 % intervals: ${words.join("; ")}` },
  grid, below,
  s("text", { x: width - EDGE.right, y: HEIGHT - 3, "text-anchor": "end" }, `${unit}s of training`),
  s("text", { x: EDGE.left, y: EDGE.top - 6 }, "Elo"),
  s("path", { class: "ratings-line", d: line }), points);
}

// Numbers from low to high to pixels; `ticks(n)` gives about n round numbers between.
function scale(low, high, from, to) {
  const at = (value) => from + ((value - low) / (high - low)) * (to - from);
  at.ticks = (wanted) => {
    const rough = (high - low) / wanted;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * unit).find((size) => size >= rough);
    const found = [];
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
    return found;
  };
  return at;
}

// ---------------------------------------------------------------- each against each

function matrixTable({ networks, matrix, unit }) {
  const names = networks.map(({ episode }) => count(episode));
  const head = h("tr", {}, h("th", { scope: "col" }, `${unit}s`),
    names.map((name) => h("th", { scope: "col" }, name)));
  const rows = matrix.map((row, at) => h("tr", {}, h("th", { scope: "row" }, names[at]),
    row.map((share, against) => cell(share, names[at], names[against]))));
  return [
    h("h3", {}, "Each against each"),
    h("p", { class: "quiet small", id: "matrix-help" },
      "Of the points between two networks, the percentage that the row's won against the "
      + "column's."),
    h("div", { class: "scroll-x", tabindex: "0", role: "region",
      "aria-label": "Result of each network against each" },
    h("table", { class: "matrix numbers", "aria-describedby": "matrix-help" },
      h("thead", {}, head), h("tbody", {}, rows))),
  ];
}

function cell(share, row, column) {
  if (share === null) return h("td", { class: "empty" }, row === column ? "–" : "");
  const td = h("td", { title: `${row} against ${column}: ${(100 * share).toFixed(1)} %` },
    Math.round(100 * share));
  const colour = share >= 0.5 ? "var(--p1)" : "var(--p0)";
  const strength = Math.round(2 * STRONGEST * Math.abs(share - 0.5));
  td.style.background = `color-mix(in srgb, ${colour} ${strength}%, var(--panel))`;
  return td;
}
