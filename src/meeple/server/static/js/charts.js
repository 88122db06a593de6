// Charts as SVG: curves and bars, each with its numbers in words. Nothing here knows a game.

import { clear, h, s } from "./dom.js";
import { t } from "./messages.js";
import { html, width } from "./view.js";
import { percent } from "./words.js";

const COLOURS = ["var(--accent)", "var(--p0)", "var(--p1)", "var(--p2)", "var(--p3)"];
const DASHES = ["", "7 4", "2 4", "10 4 2 4", "1 3"]; // curves differ in more than colour
const EDGE = { left: 46, right: 22, top: 14, bottom: 34 }; // pixels around the curves
const MAX_ROWS = 500; // of the table; longer curves are thinned there

// Curves in a container.
//   series  [{name, points: [[x, y], ...], bars?: [[x, low, high], ...], colour?}]; y null: a gap;
//           bars are drawn as intervals
//   x, y    the axes: a label, or {label, format(number) -> text}
//   range   [low, high] of y, or {x: [low, high], y: [low, high]}; else as the points are
//   marks   [{x, y?, text, kind?}]: points to notice; `kind` is added as a class
//   cursor  an x that is marked by a line
//   onPick  called with the x that was clicked, or chosen by arrow keys and Enter
//   label   what the chart shows, in words; height in pixels
// Returns {update(options), close()}; `update` takes any of the options and keeps the others.
export function lineChart(container, options) {
  const chart = new LineChart(container, options);
  return { update: (changes) => chart.update(changes), close: () => chart.close() };
}

class LineChart {
  constructor(container, options) {
    this.options = { series: [], marks: [], height: 220, ...options };
    this.readout = h("p", { class: "chart-readout", "aria-live": "off" });
    this.legend = h("ul", { class: "chart-legend" });
    this.plot = h("div", { class: "chart-plot" });
    this.tableBody = h("div", { class: "chart-table", tabindex: "0", role: "region",
      "aria-label": t("chart.numbers") });
    this.details = h("details", { class: "chart-numbers", ontoggle: () => this.drawTable() },
      h("summary", {}, t("chart.table")), this.tableBody);
    this.root = h("div", { class: "chart" }, this.legend, this.plot, this.readout, this.details);
    container.append(this.root);
    this.hovered = null;
    this.wide = 0;
    this.observer = new ResizeObserver(() => {
      if (Math.abs(this.plot.clientWidth - this.wide) >= 1) this.draw();
    });
    this.observer.observe(this.plot);
    this.draw();
  }

  update(changes) {
    this.options = { ...this.options, ...changes };
    this.draw();
    if (this.details.open) this.drawTable();
  }

  close() {
    this.observer.disconnect();
    this.root.remove();
  }

  // ------------------------------------------------------------ the picture

  draw() {
    const { series, height, label, onPick } = this.options;
    const focused = this.plot.contains(document.activeElement);
    this.wide = Math.max(this.plot.clientWidth, 240);
    this.scales();
    this.overlay = s("g", { class: "chart-overlay" });
    const svg = s("svg",
      { viewBox: `0 0 ${this.wide} ${height}`, width: this.wide, height, role: onPick ? "slider" : "img",
        "aria-label": this.summary(label), class: onPick ? "chart-svg chart-picks" : "chart-svg" },
      ...this.axes(), ...series.flatMap((one, at) => this.curve(one, at)), ...this.cursor(),
      ...this.markSigns(), this.overlay);
    if (onPick) this.makeSlider(svg);
    svg.addEventListener("pointermove", (event) => this.hover(this.nearest(event)));
    svg.addEventListener("pointerleave", () => this.hover(null));
    svg.addEventListener("click", (event) => {
      const x = this.nearest(event);
      if (onPick && x !== null) onPick(x);
    });
    clear(this.plot);
    this.plot.append(svg);
    if (focused) svg.focus();
    this.drawLegend();
    this.hover(this.hovered);
  }

  scales() {
    const { series, range, marks, height } = this.options;
    const limits = Array.isArray(range) ? { y: range } : range || {};
    const all = series.flatMap((one) => one.points);
    this.xs = [...new Set(all.filter(([, y]) => known(y)).map(([x]) => x))].sort((a, b) => a - b);
    const heights = [...all.map(([, y]) => y),
      ...series.flatMap((one) => (one.bars || []).flatMap(([, low, high]) => [low, high])),
      ...(marks || []).map((mark) => mark.y)].filter(known);
    const [left, right] = limits.x || span(all.map(([x]) => x));
    const [low, high] = limits.y || padded(span(heights));
    const width = this.wide - EDGE.left - EDGE.right;
    const tall = height - EDGE.top - EDGE.bottom;
    this.low = { x: left, y: low };
    this.high = { x: right, y: high };
    this.at = { x: (x) => EDGE.left + (width * (x - left)) / (right - left || 1),
      y: (y) => EDGE.top + tall * (1 - (y - low) / (high - low || 1)) };
  }

  axes() {
    const { x, y, height } = this.options;
    const [xAxis, yAxis] = [axis(x), axis(y)];
    const bottom = height - EDGE.bottom;
    const parts = [];
    for (const value of ticks(this.low.y, this.high.y, 4)) {
      const at = this.at.y(value);
      parts.push(
        s("line", { class: "chart-grid", x1: EDGE.left, x2: this.wide - EDGE.right, y1: at, y2: at }),
        s("text", { class: "chart-tick", x: EDGE.left - 6, y: at + 4, "text-anchor": "end" },
          yAxis.format(value)),
      );
    }
    for (const value of ticks(this.low.x, this.high.x, Math.max(2, Math.floor(this.wide / 90)))) {
      const at = this.at.x(value);
      parts.push(s("line", { class: "chart-grid", x1: at, x2: at, y1: bottom, y2: bottom + 4 }),
        s("text", { class: "chart-tick", x: at, y: bottom + 16, "text-anchor": "middle" },
          xAxis.format(value)));
    }
    parts.push(
      s("text", { class: "chart-axis", x: this.wide - EDGE.right, y: height - 4,
        "text-anchor": "end" }, xAxis.label),
      s("text", { class: "chart-axis", x: EDGE.left, y: EDGE.top - 4 }, yAxis.label),
    );
    return parts;
  }

  curve(one, at) {
    const parts = [];
    const colour = one.colour || COLOURS[at % COLOURS.length];
    for (const [x, low, high] of one.bars || []) {
      const bar = s("path", { class: "chart-bar", d: `M${this.at.x(x) - 5},${this.at.y(low)}h10m-5,0V${
        this.at.y(high)}m-5,0h10` });
      bar.style.stroke = colour;
      parts.push(bar);
    }
    const line = s("path", { class: "chart-line", d: path(one.points, this.at),
      "stroke-dasharray": DASHES[at % DASHES.length] });
    line.style.stroke = colour;
    parts.push(line);
    for (const [x, y] of lonely(one.points)) {
      const dot = s("circle", { cx: this.at.x(x), cy: this.at.y(y), r: 3 });
      dot.style.fill = colour;
      parts.push(dot);
    }
    return parts;
  }

  cursor() {
    const { cursor, height } = this.options;
    if (!known(cursor) || cursor < this.low.x || cursor > this.high.x) return [];
    const at = this.at.x(cursor);
    return [s("line", { class: "chart-cursor", x1: at, x2: at, y1: EDGE.top,
      y2: height - EDGE.bottom })];
  }

  markSigns() {
    return (this.options.marks || []).map((mark) => {
      const [x, y] = [this.at.x(mark.x), known(mark.y) ? this.at.y(mark.y) : EDGE.top + 6];
      return s("g", { class: `chart-mark ${mark.kind || ""}` },
        s("path", { d: `M${x},${y - 6}l6,6l-6,6l-6,-6z` }), s("title", {}, mark.text));
    });
  }

  drawLegend() {
    clear(this.legend);
    const { series } = this.options;
    this.legend.hidden = series.length < 2;
    for (const [at, one] of series.entries()) {
      const line = s("line", { x1: 1, x2: 27, y1: 6, y2: 6, class: "chart-line",
        "stroke-dasharray": DASHES[at % DASHES.length] });
      line.style.stroke = one.colour || COLOURS[at % COLOURS.length];
      const sample = s("svg", { width: 28, height: 12, "aria-hidden": "true" }, line);
      this.legend.append(h("li", {}, sample, h("span", {}, one.name)));
    }
  }

  // ------------------------------------------------------------ pointing at it

  nearest(event) {
    const box = this.plot.getBoundingClientRect();
    const pixel = event.clientX - box.left;
    let best = null;
    for (const x of this.xs) {
      const away = Math.abs(this.at.x(x) - pixel);
      if (best === null || away < best.away) best = { x, away };
    }
    return best && best.x;
  }

  hover(x) {
    this.hovered = x;
    clear(this.overlay);
    const shown = x === null ? this.options.cursor : x;
    if (x !== null && this.xs.includes(x)) {
      const at = this.at.x(x);
      this.overlay.append(s("line", { class: "chart-hair", x1: at, x2: at, y1: EDGE.top,
        y2: this.options.height - EDGE.bottom }));
    }
    this.readout.textContent = known(shown) ? this.words(shown) : "";
  }

  words(x) {
    const { series, marks } = this.options;
    const [xAxis, yAxis] = [axis(this.options.x), axis(this.options.y)];
    const parts = [];
    for (const one of series) {
      const point = one.points.find((candidate) => candidate[0] === x);
      if (point && known(point[1])) parts.push(`${one.name} ${yAxis.format(point[1])}`);
    }
    for (const mark of marks || []) if (mark.x === x) parts.push(mark.text);
    if (!parts.length) return "";
    return `${xAxis.label ? `${xAxis.label} ` : ""}${xAxis.format(x)}: ${parts.join(", ")}`;
  }

  makeSlider(svg) {
    const { cursor } = this.options;
    const now = known(cursor) ? cursor : this.low.x;
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-valuemin", this.low.x);
    svg.setAttribute("aria-valuemax", this.high.x);
    svg.setAttribute("aria-valuenow", now);
    svg.setAttribute("aria-valuetext", this.words(now) || String(now));
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      const end = { Home: 0, End: this.xs.length - 1 }[event.key];
      if ((step === undefined && end === undefined) || !this.xs.length) return;
      event.preventDefault();
      event.stopPropagation();
      const here = this.xs.findLastIndex((x) => x <= now);
      const to = end !== undefined ? end : Math.min(Math.max(here + step, 0), this.xs.length - 1);
      this.options.onPick(this.xs[to]);
    });
  }

  // ------------------------------------------------------------ in words

  summary(label) {
    const { series, marks } = this.options;
    const yAxis = axis(this.options.y);
    const ends = series.map((one) => {
      const points = one.points.filter(([, y]) => known(y));
      if (!points.length) return t("chart.empty", { name: one.name });
      const [first, last] = [points[0], points[points.length - 1]];
      return t("chart.ends", { name: one.name, first: yAxis.format(first[1]), last: yAxis.format(last[1]) });
    });
    const noticed = (marks || []).slice(0, 8).map((mark) => mark.text);
    return [label || yAxis.label || t("chart.chart"), ...ends, ...noticed].join("; ");
  }

  drawTable() {
    clear(this.tableBody);
    if (!this.details.open) return;
    const { series, marks, onPick } = this.options;
    const [xAxis, yAxis] = [axis(this.options.x), axis(this.options.y)];
    const values = series.map((one) => new Map(one.points));
    const every = Math.ceil(this.xs.length / MAX_ROWS) || 1;
    const rows = this.xs.filter((_, at) => at % every === 0).map((x) => {
      const name = xAxis.format(x);
      const notes = (marks || []).filter((mark) => mark.x === x).map((mark) => mark.text);
      return h("tr", {},
        h("th", { scope: "row" },
          onPick ? h("button", { type: "button", class: "link", onclick: () => onPick(x) }, name)
            : name),
        ...values.map((of) => h("td", {}, known(of.get(x)) ? yAxis.format(of.get(x)) : "")),
        ...(marks && marks.length ? [h("td", {}, notes.join(", "))] : []));
    });
    this.tableBody.append(h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, xAxis.label || "x"),
        ...series.map((one) => h("th", { scope: "col" }, one.name)),
        ...(marks && marks.length ? [h("th", { scope: "col" }, t("chart.remarks"))] : []))),
      h("tbody", {}, ...rows)));
  }
}

// Shares that make a whole, side by side in one bar, with the numbers in words below it, as a template.
//   parts  [{name, share in 0..1 or null, colour}]
export function barRow(parts, label) {
  const shown = ({ share }) => (known(share) ? percent(share) : t("chart.unknown"));
  const part = (one) => html`<div class="bar-row-part" .style=${known(one.share)
    ? `flex-grow: ${Math.max(one.share, 0)}; background: ${one.colour}`
    : "flex-grow: 1; background: var(--edge)"}></div>`;
  return html`<div class="bar-row"><div class="bar-row-bar" role="img" aria-label="${label}: ${
      parts.map((one) => `${one.name} ${shown(one)}`).join(", ")}">${parts.map(part)}</div>
    <ul class="bar-row-words">${parts.map((one) => html`<li><span class="bar-row-sign"
      aria-hidden="true" .style=${`background: ${one.colour}`}></span><span>${one.name}: ${
      shown(one)}</span></li>`)}</ul></div>`;
}

// One share in 0..1 as a small bar for a cell of a table, its number written beside it: a template.
export function smallBar(share, colour = "var(--accent)") {
  return html`<span class="small-bar"><span class="small-bar-rail" aria-hidden="true"><span
    class="small-bar-fill" .style=${`${width(share || 0)}; background: ${colour}`}></span></span>
    <span class="small-bar-text">${percent(share)}</span></span>`;
}

function axis(given) {
  const { label = "", format = short } = typeof given === "string" ? { label: given } : given || {};
  return { label, format };
}

function short(number) {
  return String(Number(number.toPrecision(4)));
}

function known(number) {
  return typeof number === "number" && Number.isFinite(number);
}

function span(numbers) {
  const found = numbers.filter(known);
  if (!found.length) return [0, 1];
  const [low, high] = found.reduce(
    ([least, most], number) => [Math.min(least, number), Math.max(most, number)],
    [found[0], found[0]],
  );
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
  let drawing = false;
  return points
    .map(([x, y]) => {
      if (!known(y)) {
        drawing = false;
        return "";
      }
      const command = drawing ? "L" : "M";
      drawing = true;
      return `${command}${at.x(x).toFixed(1)},${at.y(y).toFixed(1)}`;
    })
    .join("");
}

// Points without a neighbour to draw a line to.
function lonely(points) {
  return points.filter(([, y], at) => {
    const beside = [points[at - 1], points[at + 1]];
    return known(y) && !beside.some((point) => point && known(point[1]));
  });
}
