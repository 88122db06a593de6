// Numbers, times and states of runs in words.

import { html, nothing } from "../view.js";

const STATES = {
  running: ["learning", "good"],
  stopping: ["stopping", "warn"],
  elsewhere: ["learning, begun elsewhere", "good"],
  finished: ["finished", "quiet"],
  stopped: ["stopped", "quiet"],
  failed: ["failed", "bad"],
};
const MINUS = "−";

export function badge(run) {
  const [words, kind] = STATES[run.status];
  return html`<span class="badge ${kind}">${words}${run.rating ? ", being rated" : ""}</span>`;
}

/** Lines as a list, if there are some. */
export function list(lines, kind, label) {
  return lines.length ? html`<ul class=${kind} aria-label=${label}>${lines.map((line) =>
    html`<li>${line}</li>`)}</ul>` : nothing;
}

/** 12345 as "12,345". */
export function count(number) {
  return Math.round(number).toLocaleString("en-US");
}

/** "1 round", "12,345 rounds". */
export function counted(number, unit) {
  return `${count(number)} ${unit}${number === 1 ? "" : "s"}`;
}

/** 12345 as "12.35k", 0.123456 as "0.1235": for the edge of a chart. */
export function brief(number) {
  const short = (value) => String(Number(value.toPrecision(4)));
  return Math.abs(number) < 10_000 ? short(number) : `${short(number / 1000)}k`;
}

/** "+412", "−8" */
export function signed(number) {
  const rounded = Math.round(number);
  return rounded < 0 ? `${MINUS}${-rounded}` : `+${rounded}`;
}

export function gainWords({ rating, interval: [low, high] }) {
  return `${signed(rating)} Elo (${signed(low)} to ${signed(high)})`;
}

/** Where a run ends: one that is over may have been ended by the clock. */
export function lengthOf({ episodes, of, status }) {
  return status === "finished" ? episodes : of;
}
