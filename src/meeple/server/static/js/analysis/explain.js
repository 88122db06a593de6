// Why: certain facts about a position, drawn on the board, and their legend in words.

import { drawExplained } from "../boards/pieces.js";
import { ended, sentence, t, translate } from "../messages.js";
import { chip } from "../players.js";
import { Controller, drawing, grouped, h, html, nothing, s } from "../view.js";

const FEW = 3; // sentences of a kind that are shown at once
const SWATCH = { marks: [[12, 12]], line: [[3, 18], [12, 5], [21, 18]],
  area: [[3, 12], [12, 4], [21, 12], [12, 20]], numbers: [[12, 12]] };

export class Explain extends Controller {
  /** `show(list)` draws explanations on the board. */
  constructor(show) {
    super(h("div", { class: "analysis-why" }));
    this.show = show;
    this.on = false;
    this.list = []; // of the position
    this.players = [];
    this.pointed = null; // the spot that is pointed at
  }

  /** Another position, or none. */
  place(scene, players) {
    this.set({ list: scene?.explanations ?? [], players });
  }

  point(spot) {
    if (!this.on || spot === this.pointed) return;
    this.set({ pointed: spot });
    this.show(this.shown);
  }

  /** What the board shows: what holds always, and what is about the spot that is pointed at. */
  get shown() {
    return this.on ? this.list.filter(({ at }) => !at || at === this.pointed) : [];
  }

  /** The spots with an explanation of their own. */
  get places() {
    return new Set(this.on ? this.list.map(({ at }) => at).filter(Boolean) : []);
  }

  template() {
    if (!this.on) return nothing;
    const groups = grouped(this.list.filter(({ at }) => !at), ({ kind, player }) => `${kind} ${player}`);
    const pointed = this.list.filter(({ at }) => at && at === this.pointed);
    const hint = this.places.size ? t("explain.point") : groups.size ? "" : t("explain.nothing");
    return html`<section aria-label=${t("explain.title")}>
      <p class="small ${this.places.size ? "why-here" : ""}" role="status">${pointed.length
        ? pointed.map((one) => html`${swatch(one)} ${ended(translate(one.sentence))} `) : hint}</p>
      ${[...groups.values()].map((group) => this.group(group))}</section>`;
  }

  group(group) {
    const [first] = group;
    return html`<details ?open=${group.length <= FEW}><summary>${swatch(first)}${
      first.player === null ? nothing : chip(first.player, this.players[first.player])}
      ${sentence(translate(first.kind))}${group.length > 1
        ? html` <span class="quiet">(${group.length})</span>` : nothing}</summary>
      <ul>${group.map((one) => html`<li>${ended(translate(one.sentence))}</li>`)}</ul>
    </details>`;
  }
}

/** How explanations of a kind look on the board. */
function swatch({ shape, player, at }) {
  return drawing(swatchNode, shape, player, at);
}

function swatchNode(shape, player, at) {
  const places = new Map(SWATCH[shape].map(([x, y], spot) => [String(spot), { x, y }]));
  return s("svg", { class: "why-swatch", viewBox: "0 0 24 24", width: 20, height: 20,
    "aria-hidden": "true" }, drawExplained([{ spots: [...places.keys()], player, shape, at }], places, 24));
}
