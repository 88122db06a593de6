// The players of a table: who they are, whose turn it is, their clocks, who thinks, and chances.

import { number, sentence, t, translate } from "../messages.js";
import { chip, colour, stoneOf } from "../players.js";
import { recall, remember } from "../storage.js";
import { button, Controller, h, html, nothing, width } from "../view.js";
import { signOf } from "../walk.js";
import { Worth } from "../worth.js";
import { playerName } from "./words.js";

const SHORT = 10; // seconds left that are shown with tenths, and with a warning
const TICK = 100; // milliseconds between two drawings while a clock runs
const THOUGHT_TICK = 500; // the same while an agent thinks
const CHANCES = "meeple.chances"; // the key of whether the chances are shown, which is kept
const LONG = 1.5; // seconds of a thought after which one may cut it short

export class People extends Controller {
  /** `onnow()`: the one that thinks is to move at once. */
  constructor(onnow) {
    super(h("section", { class: "panel people-panel", "aria-label": t("common.players") }));
    this.onnow = onnow;
    this.table = null;
    this.facts = (/** @type {number} */ _seat) => nothing; // what the table of a game shows of a seat
    this.covered = false; // hands are hidden from the one who has the screen
    this.thought = null; // {seat, began}: a thought goes on through several views
    this.timer = null;
    this.own(() => clearInterval(this.timer));
  }

  update(table) {
    const { thinking } = table;
    this.received = performance.now();
    this.thought = thinking && { seat: thinking.seat, began: this.received - 1000
      * (thinking.seconds ?? Math.max(0, Date.now() / 1000 - thinking.since)) };
    this.table = table;
    this.tick();
  }

  /** Draws again and again as long as something changes by itself. */
  tick() {
    const { clocks, status } = this.table;
    const runs = status === "playing" && typeof clocks?.left[clocks.running] === "number";
    clearInterval(this.timer);
    this.timer = null;
    if (runs || this.thought) this.timer = setInterval(() => this.draw(), runs ? TICK : THOUGHT_TICK);
  }

  template() {
    return html`<ul class="people">${this.table.seats.map((seat) => this.row(seat))}</ul>`;
  }

  row(player) {
    const { seat, name } = player;
    const { table, thought } = this;
    const moves = table.status === "playing" && table.to_move === seat;
    const seconds = thought?.seat === seat ? (performance.now() - thought.began) / 1000 : null;
    const state = seconds === null ? "" : stateWords(table.thinking.state, seconds);
    const team = table.scale.sides?.findIndex((side) => side.length > 1 && side.includes(seat)) ?? -1;
    const who = [whoWords(table, player), team < 0 || table.scale.sides.length < 2 ? ""
      : t("people.team", { n: team + 1 })].filter(Boolean).join(", ");
    const now = table.can.now && seconds >= LONG;
    return html`<li class=${moves ? "to-move" : ""} aria-current=${moves ? "true" : nothing}>
      ${chip(seat, stoneOf(table.scene, seat, name))}<span class="names">
        <strong class="name">${sentence(translate(name))}</strong>
        <span class="who quiet small"><span title=${player.spec ?? who}>${who}</span><span class="state">${
          state}</span></span></span>
      ${now ? button(html`<span>${t("people.now")}</span>${signOf("last")}`, this.onnow,
        { kind: "small now", title: t("people.now"), label: t("people.now") }) : nothing}${this.clock(seat)}
      <div class="facts-of">${this.covered ? nothing : this.facts(seat)}</div></li>`;
  }

  clock(seat) {
    const { clocks, status } = this.table;
    if (!clocks || clocks.left[seat] === null) return nothing;
    const runs = clocks.running === seat;
    const passed = runs ? (performance.now() - this.received) / 1000 : 0;
    const left = Math.max(0, clocks.left[seat] - passed);
    const short = left < SHORT && status === "playing";
    return html`<span class="clock numbers ${short ? "short" : ""} ${runs ? "runs" : ""}"
      role="timer" aria-live="off">${clockWords(left)}</span>`;
  }
}

/** The winning chances as an agent estimated them, for those who open it. */
export function chances(view) {
  if (!view.chances) return nothing;
  const { by, value } = view.chances;
  const worth = new Worth(view.scale);
  const toggle = ({ target }) => remember(CHANCES, target.open ? "shown" : "");
  const part = (share, seat) => html`<span class="part" .style=${
    `${width(share)}; background: ${
      colour(seat, stoneOf(view.scene, seat, view.seats[seat]?.name))}`}></span>`;
  return html`<details class="panel chances" ?open=${recall(CHANCES) === "shown"} @toggle=${toggle}>
    <summary class="small">${t("people.chances")}</summary>
    <span class="small quiet">${t("people.estimated", { name: playerName(view, by) })}</span>
    <span class="bar" aria-hidden="true">${value.map(part)}</span>
    <span class="shares small numbers">${view.seats.map(({ seat }) => html`<span><span class="quiet">${
      playerName(view, seat)} </span>${worth.words(value, seat)}</span>`)}</span></details>`;
}

function whoWords({ you, status }, { seat, kind, gone, spec, who, here }) {
  if (kind === "open") return t("people.open");
  if (gone) return t("people.gone", { spec });
  const away = kind === "human" && !you.includes(seat) && !here && status !== "over";
  return away ? t("people.away", { name: who }) : translate(who);
}

function stateWords(state, seconds) {
  const id = ["waiting", "busy", "preparing"].includes(state) ? state : "thinking";
  return t(`people.${id}`, { n: Math.floor(seconds) });
}

function clockWords(left) {
  if (left < SHORT) return number(left, 1);
  const whole = Math.ceil(left);
  const seconds = String(whole % 60).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}
