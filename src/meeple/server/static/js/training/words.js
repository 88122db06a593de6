// Numbers, times and states of runs in words.

import { number, t } from "../messages.js";
import { html, nothing } from "../view.js";

const KINDS = { running: "good", stopping: "warn", elsewhere: "good", finished: "quiet", stopped: "quiet",
  failed: "bad" };
const MINUS = "−";

export function badge({ status, rating }) {
  const state = t(`training.state_${status}`);
  return html`<span class="badge ${KINDS[status]}">${rating ? t("training.being_rated", { state })
    : state}</span>`;
}

/** Lines as a list, if there are some. */
export function list(lines, kind, label) {
  return lines.length ? html`<ul class=${kind} aria-label=${label}>${lines.map((line) =>
    html`<li>${line}</li>`)}</ul>` : nothing;
}

/** "1 round", "12,345 rounds". */
export function counted(n, unit) {
  return t(`training.unit_${unit}`, { n, count: number(n) });
}

/** 12345 as "12.35k", 0.123456 as "0.1235": for the edge of a chart. */
export function brief(value) {
  const short = (one) => String(Number(one.toPrecision(4)));
  return Math.abs(value) < 10_000 ? short(value) : `${short(value / 1000)}k`;
}

/** "+412", "−8" */
export function signed(value) {
  const rounded = Math.round(value);
  return rounded < 0 ? `${MINUS}${-rounded}` : `+${rounded}`;
}

export function gainWords({ rating, interval: [low, high] }) {
  return t("training.gain_words", { rating: signed(rating), low: signed(low), high: signed(high) });
}

/** How far a run is: "300 of 1,000 episodes", or "300 episodes" where its minutes end it. */
export function doneWords({ episodes, of, unit }) {
  return of === null ? counted(episodes, unit)
    : t("training.of_units", { done: number(episodes), all: counted(of, unit) });
}

/** Where a run ends: one that is over may have been ended by the clock. */
export function lengthOf({ episodes, of, status }) {
  return status === "finished" ? episodes : of ?? Math.max(episodes, 1);
}
