// Numbers, times and states of runs in words.

import { html } from "../view.js";

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

/** A time span: "40 s", "3 min", "2 h 5 min". */
export function duration(seconds) {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long ago a time (seconds since the epoch) is. */
export function ago(time) {
  const seconds = Math.max(0, Date.now() / 1000 - time);
  if (seconds < 10) return "now";
  if (seconds < 86_400) return `${duration(10 * Math.round(seconds / 10))} ago`;
  return new Date(1000 * time).toLocaleDateString();
}

/** Where a run ends: one that is over may have been ended by the clock. */
export function lengthOf({ episodes, of, status }) {
  return status === "finished" ? episodes : of;
}
