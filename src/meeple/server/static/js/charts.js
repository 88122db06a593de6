// Charts as SVG: curves and bars, each with its numbers in words. Nothing here knows a game.

import { percent, t } from "./messages.js";
import { Controller, h, heads, html, nothing, svg, width } from "./view.js";

const COLOURS = ["var(--accent)", "var(--p0)", "var(--p1)", "var(--p2)", "var(--p3)"];
const DASHES = ["", "7 4", "2 4", "10 4 2 4", "1 3"]; // curves differ in more than colour
const EDGE = { left: 46, right: 22, top: 14, bottom: 34 }; // pixels around the curves
const MAX_ROWS = 500; // of the table; longer curves are thinned there

const stroke = ({ colour }, at) => `stroke: ${colour || COLOURS[at % COLOURS.length]}`;
const dashes = (at) => DASHES[at % DASHES.length];

/** The height of a chart beside a board, which leaves room for what else is there. */
export const sideHeight = () => Math.min(Math.max(Math.round(innerHeight / 6), 112), 200);

/** Curves in a container. `options`, of which `update` takes any and keeps the others:
 *    series  [{name, points: [[x, y], ...], bars?: [[x, low, high], ...], colour?}]; y null: a gap;
 *            bars are drawn as intervals
 *    x, y    the axes: {label, format(number) -> text}
 *    range   {x: [low, high], y: [low, high]}, or one of them; else as the points are
 *    marks   [{x, y?, text, kind?}]: points to notice; `kind` is added as a class
 *    cursor  an x that is marked by a line
 *    onPick  called with the x that was clicked, or chosen by arrow keys and Enter
 *    label   a description of the chart; height in pixels */
export class LineChart extends Controller {
  constructor(container, options) {
    super(h("div", { class: "chart" }));
    this.options = { series: [], marks: [], range: {}, height: 220, ...options };
    this.hovered = null; // the x that is pointed at
    this.open = false; // whether the table is shown
    container.append(this.root);
    const observer = new ResizeObserver(() => this.root.clientWidth !== this.wide && this.draw());
    observer.observe(this.root);
    this.own(() => observer.disconnect());
    this.draw();
  }

  update(changes) {
    this.set({ options: { ...this.options, ...changes } });
  }

  template() {
    const { series } = this.options;
    this.scale();
    return html`<ul class="chart-legend" ?hidden=${series.length < 2}>${series.map((one, at) => html`<li>
        <svg width="28" height="12" aria-hidden="true"><line class="chart-line" x1="1" x2="27" y1="6" y2="6"
          stroke-dasharray=${dashes(at)} .style=${stroke(one, at)}></line></svg><span>${
        one.name}</span></li>`)}</ul>
      <div class="chart-plot">${this.picture()}</div>
      <p class="chart-readout" aria-live="off">${this.words(this.hovered ?? this.options.cursor)}</p>
      <details class="chart-numbers" @toggle=${({ target }) => this.set({ open: target.open })}>
        <summary>${t("chart.table")}</summary><div class="chart-table" tabindex="0" role="region"
          aria-label=${t("chart.numbers")}>${this.open ? this.table() : nothing}</div></details>`;
  }

  // ------------------------------------------------------------ the picture

  /** Where numbers lie in the picture: from `low` to `high`, and `at` in pixels. */
  scale() {
    const { series, range, marks, height } = this.options;
    const all = series.flatMap(({ points }) => points);
    const heights = [...all.map(([, y]) => y), ...marks.map(({ y }) => y),
      ...series.flatMap(({ bars = [] }) => bars.flatMap(([, ...ends]) => ends))];
    const [left, right] = range.x ?? span(all.map(([x]) => x));
    const [low, high] = range.y ?? padded(span(heights));
    this.wide = Math.max(this.root.clientWidth, 240);
    this.xs = [...new Set(all.filter(([, y]) => known(y)).map(([x]) => x))].sort((a, b) => a - b);
    const across = this.wide - EDGE.left - EDGE.right;
    const tall = height - EDGE.top - EDGE.bottom;
    this.low = { x: left, y: low };
    this.high = { x: right, y: high };
    this.at = { x: (x) => EDGE.left + (across * (x - left)) / (right - left || 1),
      y: (y) => EDGE.top + tall * (1 - (y - low) / (high - low || 1)) };
  }

  picture() {
    const { options: { series, marks, height, cursor, onPick }, low, high, hovered, xs } = this;
    const now = known(cursor) ? cursor : low.x;
    const pick = (x) => onPick && x !== null && onPick(x);
    const upright = (x, kind) => (!known(x) || x < low.x || x > high.x ? nothing
      : svg`<line class=${kind} x1=${this.at.x(x)} x2=${this.at.x(x)} y1=${EDGE.top}
        y2=${height - EDGE.bottom}></line>`);
    return html`<svg viewBox="0 0 ${this.wide} ${height}" width=${this.wide} height=${height}
      class=${onPick ? "chart-svg chart-picks" : "chart-svg"} role=${onPick ? "slider" : "img"}
      aria-label=${this.summary()} tabindex=${onPick ? "0" : nothing}
      aria-valuemin=${onPick ? low.x : nothing} aria-valuemax=${onPick ? high.x : nothing}
      aria-valuenow=${onPick ? now : nothing} aria-valuetext=${onPick ? this.words(now) || now : nothing}
      @keydown=${(event) => onPick && this.key(event, now)} @click=${(event) => pick(this.nearest(event))}
      @pointermove=${(event) => this.set({ hovered: this.nearest(event) })}
      @pointerleave=${() => this.set({ hovered: null })}>${this.axes()}${series.map((one, at) =>
      this.curve(one, at))}${upright(cursor, "chart-cursor")}${marks.map((mark) =>
      this.mark(mark))}${xs.includes(hovered) ? upright(hovered, "chart-hair") : nothing}</svg>`;
  }

  axes() {
    const { options: { x, y, height }, low, high, wide, at } = this;
    const [bottom, right] = [height - EDGE.bottom, wide - EDGE.right];
    return svg`${ticks(low.y, high.y, 4).map((value) => svg`<line class="chart-grid" x1=${EDGE.left}
        x2=${right} y1=${at.y(value)} y2=${at.y(value)}></line>
      <text class="chart-tick" x=${EDGE.left - 6} y=${at.y(value) + 4} text-anchor="end">${
        y.format(value)}</text>`)}
      ${ticks(low.x, high.x, Math.max(2, Math.floor(wide / 90))).map((value) => svg`<line class="chart-grid"
        x1=${at.x(value)} x2=${at.x(value)} y1=${bottom} y2=${bottom + 4}></line>
      <text class="chart-tick" x=${at.x(value)} y=${bottom + 16} text-anchor="middle">${
        x.format(value)}</text>`)}
      <text class="chart-axis" x=${right} y=${height - 4} text-anchor="end">${x.label}</text>
      <text class="chart-axis" x=${EDGE.left} y=${EDGE.top - 4}>${y.label}</text>`;
  }

  curve(one, at) {
    const { x, y } = this.at;
    const { points, bars = [] } = one;
    // Points without a neighbour to draw a line to are dots.
    const alone = points.filter(([, value], place) => known(value)
      && ![points[place - 1], points[place + 1]].some((beside) => known(beside?.[1])));
    return svg`${bars.map(([place, low, high]) => svg`<path class="chart-bar" .style=${stroke(one, at)}
        d="M${x(place) - 5},${y(low)}h10m-5,0V${y(high)}m-5,0h10"></path>`)}
      <path class="chart-line" d=${path(points, this.at)} stroke-dasharray=${dashes(at)}
        .style=${stroke(one, at)}></path>${alone.map(([place, value]) => svg`<circle cx=${x(place)}
        cy=${y(value)} r="3" .style=${stroke(one, at).replace("stroke", "fill")}></circle>`)}`;
  }

  mark({ x, y, text, kind = "" }) {
    const top = (known(y) ? this.at.y(y) : EDGE.top + 6) - 6;
    return svg`<g class="chart-mark ${kind}"><path d="M${this.at.x(x)},${top}l6,6l-6,6l-6,-6z"></path>
      <title>${text}</title></g>`;
  }

  // ------------------------------------------------------------ pointing at it

  /** The x of a point that is nearest to the pointer, or null. */
  nearest({ currentTarget, clientX }) {
    const pixel = clientX - currentTarget.getBoundingClientRect().left;
    const away = (x) => Math.abs(this.at.x(x) - pixel);
    return this.xs.reduce((best, x) => (best === null || away(x) < away(best) ? x : best), null);
  }

  key(event, now) {
    const { xs } = this;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    const end = { Home: 0, End: xs.length - 1 }[event.key];
    if ((by === undefined && end === undefined) || !xs.length) return;
    event.preventDefault();
    event.stopPropagation();
    const to = end ?? xs.findLastIndex((x) => x <= now) + by;
    this.options.onPick(xs[Math.min(Math.max(to, 0), xs.length - 1)]);
  }

  // ------------------------------------------------------------ in words

  /** The numbers at an x, or "". */
  words(at) {
    const { series, marks, x, y } = this.options;
    const values = series.map(({ name, points }) => [name, points.find(([place]) => place === at)?.[1]]);
    const parts = [...values.filter(([, value]) => known(value)).map(([name, value]) =>
      `${name} ${y.format(value)}`), ...marks.filter((mark) => mark.x === at).map(({ text }) => text)];
    return parts.length ? `${x.label} ${x.format(at)}: ${parts.join(", ")}` : "";
  }

  summary() {
    const { series, marks, label, y } = this.options;
    const ends = series.map(({ name, points }) => {
      const values = points.map(([, value]) => value).filter(known);
      return values.length ? t("chart.ends", { name, first: y.format(values[0]),
        last: y.format(values.at(-1)) }) : t("chart.empty", { name });
    });
    return [label, ...ends, ...marks.slice(0, 8).map(({ text }) => text)].join("; ");
  }

  table() {
    const { series, marks, x, y, onPick } = this.options;
    const values = series.map(({ points }) => new Map(points));
    const every = Math.ceil(this.xs.length / MAX_ROWS) || 1;
    const row = (at) => html`<tr><th scope="row">${onPick ? html`<button type="button" class="link"
      @click=${() => onPick(at)}>${x.format(at)}</button>` : x.format(at)}</th>${values.map((of) =>
      html`<td>${known(of.get(at)) ? y.format(of.get(at)) : ""}</td>`)}${marks.length ? html`<td>${
      marks.filter((mark) => mark.x === at).map(({ text }) => text).join(", ")}</td>` : nothing}</tr>`;
    return html`<table>${heads([x.label, ...series.map(({ name }) => name),
      ...(marks.length ? [t("chart.remarks")] : [])])}
      <tbody>${this.xs.filter((_, at) => at % every === 0).map(row)}</tbody></table>`;
  }
}

// Shares that make a whole, side by side in one bar, with the numbers in words below it, as a template.
//   parts  [{name, share in 0..1 or null, colour, words of the share}]
export function barRow(parts, label) {
  const part = (one) => html`<div class="bar-row-part" .style=${known(one.share)
    ? `flex-grow: ${Math.max(one.share, 0)}; background: ${one.colour}`
    : "flex-grow: 1; background: var(--edge)"}></div>`;
  return html`<div class="bar-row"><div class="bar-row-bar" role="img" aria-label="${label}: ${
      parts.map(({ name, words }) => `${name} ${words || t("chart.unknown")}`).join(", ")}">${
      parts.map(part)}</div>
    <ul class="bar-row-words">${parts.map((one) => html`<li><span class="bar-row-sign"
      aria-hidden="true" .style=${`background: ${one.colour}`}></span><span>${one.name}: ${
      one.words || "–"}</span></li>`)}</ul></div>`;
}

// One share in 0..1 as a small bar for a cell of a table, its number written beside it: a template.
export function smallBar(share, colour = "var(--accent)") {
  return html`<span class="small-bar"><span class="small-bar-rail" aria-hidden="true"><span
    class="small-bar-fill" .style=${`${width(share || 0)}; background: ${colour}`}></span></span>
    <span class="small-bar-text">${percent(share)}</span></span>`;
}

function known(number) {
  return typeof number === "number" && Number.isFinite(number);
}

function span(numbers) {
  const found = numbers.filter(known);
  if (!found.length) return [0, 1];
  const [low, high] = found.reduce(([least, most], number) => [Math.min(least, number),
    Math.max(most, number)], [found[0], found[0]]);
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

function padded(/** @type {number[]} */ [low, high]) {
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}

// About `count` round numbers from low to high.
function ticks(low, high, count) {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * unit).find((size) => size >= rough);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) {
    found.push(Number((at * step).toPrecision(12)));
  }
  return found;
}

function path(points, at) {
  return points.map(([x, y], place) => (!known(y) ? "" : `${known(points[place - 1]?.[1]) ? "L" : "M"}${
    at.x(x).toFixed(1)},${at.y(y).toFixed(1)}`)).join("");
}
