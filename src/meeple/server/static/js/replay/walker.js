// Walking through a game on a board: by buttons, keys and a slider, or by itself.

import { t } from "../messages.js";
import { Controller, html, live, select } from "../view.js";
import { signButton, walkButtons } from "../walk.js";

// Moves a second.
const SPEEDS = [["0.5", t("walk.slow")], ["1", t("walk.one")], ["2", t("walk.two")], ["5", t("walk.fast")]];

/** A subclass has `scenes`; `arrive()`, which shows the scene; and `approach()`, called when it is asked
 *  for. */
export class Walker extends Controller {
  constructor(root, app) {
    super(root);
    this.app = app;
    this.ply = 0;
    this.stops = [0]; // the plies to stop at
    this.scene = null; // the position on the board, as the server sent it
    /** @type {import("../scenes.js").Scenes} */
    this.scenes = null;
    this.wanted = null; // the ply that is asked for while another is on its way
    this.asking = false;
    this.timer = null; // of walking by itself
    this.speed = "1";
    this.walk = { step: (by) => this.walkTo(this.beside(by)), go: (ply) => this.walkTo(ply) };
    this.own(() => this.pause());
  }

  approach() {}

  arrive() {}

  get last() {
    return this.stops.at(-1);
  }

  /** Where a ply is among those to stop at. */
  stopAt(ply) {
    return this.stops.findLastIndex((stop) => stop <= ply);
  }

  /** The stop that is `by` stops away from the ply that is shown, or from the one that is being loaded. */
  beside(by) {
    const ply = this.wanted ?? this.ply;
    const stop = this.stopAt(ply);
    const from = by < 0 && this.stops[stop] < ply ? stop + 1 : stop;
    return this.stops[Math.min(Math.max(from + by, 0), this.stops.length - 1)];
  }

  walkTo(ply) {
    this.pause();
    return this.go(ply);
  }

  /** Goes to a ply; where one is on its way already, only the last one asked for comes after it. */
  async go(ply) {
    this.wanted = Math.min(Math.max(ply, 0), this.last);
    if (this.asking) return;
    this.asking = true;
    while (this.wanted !== null && !this.closed) {
      this.set({ ply: this.wanted, wanted: null });
      this.approach();
      this.scene = await this.scenes.at(this.ply).catch((error) => this.failed(error));
      if (!this.scene || this.closed || this.wanted !== null) continue;
      this.arrive();
      this.draw();
      this.scenes.ahead([this.beside(1), this.beside(-1)]);
    }
    this.asking = false;
  }

  failed(error) {
    this.pause();
    if (!this.closed) this.app.say(error.message, "error");
  }

  // ------------------------------------------------------------ by itself

  start() {
    if (this.ply === this.last) this.go(0);
    this.next();
  }

  next() {
    const timer = setTimeout(async () => {
      const more = await this.onwards();
      if (this.timer && more) this.next();
      else this.pause();
    }, 1000 / Number(this.speed));
    this.set({ timer });
  }

  /** Walks a step; whether there is another. */
  async onwards() {
    await this.go(this.beside(1));
    return this.ply < this.last;
  }

  pause() {
    clearTimeout(this.timer);
    this.set({ timer: null });
  }

  /** The buttons and the slider; `words` say what is on the board. */
  steps(words) {
    const { ply, last, stops, timer } = this;
    return html`<div class="replay-walk"><div class="replay-steps" role="group"
        aria-label=${t("replay.steps")}>${walkButtons(ply, last, this.walk)}</div>
      <div class="line replay-run">${timer ? signButton("pause", t("walk.pause"), () => this.pause())
        : signButton("play", t("walk.play"), () => this.start())}
      <input type="range" min="0" max=${stops.length - 1} step="1" aria-label=${t("replay.place")}
        .value=${live(String(this.stopAt(ply)))}
        aria-valuetext=${t("replay.place_at", { n: ply, all: last, words })}
        @input=${({ target }) => this.walk.go(stops[Number(target.value)])}>${
      select({ label: t("walk.speed") }, this.speed, SPEEDS, (speed) => this.set({ speed }))}</div></div>`;
  }
}
