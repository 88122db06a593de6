// Shows the moves of computers one after another, however fast they come.

import { recall, remember } from "../storage.js";

const KEY = "meeple.pace"; // the key of the setting, which is kept
const PAUSES = { off: 0, normal: 700, slow: 1800 }; // milliseconds between two moves
/** The ids of what the settings are called. */
export const PACES = { off: "help.at_once", normal: "help.one_by_one", slow: "help.slowly" };

export function pace() {
  const kept = recall(KEY);
  return kept in PAUSES ? kept : "normal";
}

export function setPace(name) {
  remember(KEY, name);
}

/** Holds views back; `show(view)` is called for each of them, in their order. */
export class Queue {
  constructor(show) {
    this.show = show;
    this.views = [];
    this.shown = null; // the last view shown
    this.moved = 0; // when its move was shown
  }

  close() {
    clearTimeout(this.timer);
  }

  /** How many moves wait. */
  get waiting() {
    return new Set(this.views.map(({ ply }) => ply).filter((ply) => ply > this.shown.ply)).size;
  }

  receive(view) {
    if (this.views.length || this.holds(view)) this.views.push(view);
    else this.pass(view);
    if (view.ply < this.shown.ply) this.flush(); // a move was taken back
    this.wait();
  }

  /** Shows all that waits. */
  flush() {
    const views = this.views.splice(0);
    for (const view of views) this.pass(view);
  }

  pass(view) {
    if (view.ply !== this.shown?.ply) this.moved = performance.now();
    this.shown = view;
    this.show(view);
  }

  /** Milliseconds until the next move may be shown. */
  get rest() {
    return document.hidden ? 0 : Math.max(0, this.moved + PAUSES[pace()] - performance.now());
  }

  /** Whether a view has a computer's move that comes too soon after the last one. */
  holds(view) {
    const { shown } = this;
    return shown !== null && view.ply > shown.ply && shown.seats[shown.to_move]?.kind === "agent"
      && this.rest > 0;
  }

  wait() {
    clearTimeout(this.timer);
    if (this.views.length) this.timer = setTimeout(() => this.next(), this.rest);
  }

  next() {
    while (this.views.length && !this.holds(this.views[0])) this.pass(this.views.shift());
    this.wait();
  }
}
