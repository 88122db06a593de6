// Words that every view needs.

import { locale, t, translate } from "./messages.js";

/** The sentence on the agent that evaluated a position, and its measured strength. */
export function evaluatedBy({ judge, strength }) {
  return t("common.evaluated_by", { by: [judge, strength].filter(Boolean).map(translate).join("; ") });
}

/** A text as a sentence begins: with a capital. */
export function sentence(text) {
  return text && `${text[0].toUpperCase()}${text.slice(1)}`;
}

/** A text as a whole sentence: with a capital and a full stop. */
export function ended(text) {
  return text && `${sentence(text)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** The players of a game: "Ann against Bob"; of more than two "Ann, Bob, 2 × Casual". */
export function versus(players) {
  const names = players.map(translate);
  if (names.length === 2) return t("common.against", { one: names[0], other: names[1] });
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)).join(", ");
}

/** A share in words: "63 %"; "<1 %" where it is not nothing; "" where there is none. */
export function percent(share) {
  if (typeof share !== "number" || !Number.isFinite(share)) return "";
  if (share > 0 && share < 0.005) return "<1 %";
  if (share < 1 && share >= 0.995) return ">99 %";
  return `${Math.round(100 * share)} %`;
}

/** An interval of shares: "40 to 63 %". */
export function span([low, high]) {
  return t("common.interval", { low: Math.round(100 * low), high: percent(high) });
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
  if (seconds < 10) return t("common.now");
  if (seconds < 86_400) return t("common.ago", { time: duration(10 * Math.round(seconds / 10)) });
  return new Date(1000 * time).toLocaleDateString(locale);
}

/** What the action at a place of a search result is called: the offer that it begins, or its name. */
export function wordsOf({ labels, names }, at) {
  return labels?.[at] ?? names[at];
}
