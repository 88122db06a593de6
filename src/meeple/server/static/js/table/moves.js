// The list of what happened: numbered pairs for two players, sentences where the game has them.

import { chip } from "../players.js";
import { atPlaces } from "../catan/words.js";
import { sentence, t, translate } from "../messages.js";
import { button, Controller, h, html, nothing, repeat } from "../view.js";
import { moveButton } from "../walk.js";
import { aboutWords, named, playerName } from "./words.js";

const MAX_LINES = 300; // lines shown at once; earlier ones on demand
const NEAR = 40; // pixels from the end at which the list follows new moves

export class Moves extends Controller {
  /** `light(spots)` marks places on the board while a move is pointed at, or none; `look(ply)` shows
   *  the position after a move. */
  constructor({ light, look }) {
    super(h("section", { class: "panel moves-panel" }));
    this.light = light;
    this.look = look;
    this.events = [];
    this.table = null;
    this.current = null; // the ply that is looked back at
    this.all = false;
    this.seen = false; // the list is in the page
  }

  update(table) {
    const { from, list } = table.events;
    if (this.table?.id !== table.id) this.all = false;
    this.table = table;
    this.events = [...this.events.filter(({ ply }) => ply < from),
      ...list.map((event) => told(event, table))];
  }

  draw() {
    const before = this.root.querySelector("ol");
    const low = !this.seen || before.scrollHeight - before.scrollTop - before.clientHeight < NEAR;
    super.draw();
    const list = this.root.querySelector("ol");
    if (low && this.current === null) list.scrollTop = list.scrollHeight;
    else if (this.current !== null) {
      list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
    this.seen = this.root.isConnected;
  }

  showAll() {
    this.set({ all: true });
    this.root.querySelector("ol").scrollTop = 0;
  }

  /** Arrows go from move to move: the list is one tab stop. */
  key(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const moves = [...event.currentTarget.querySelectorAll("button")];
    const next = moves[moves.indexOf(event.target) + by];
    if (!next) return;
    next.focus();
    event.preventDefault();
  }

  template() {
    const { table, events } = this;
    const pairs = table.seats.length === 2 && !events.some(({ said }) => said);
    const lines = pairs ? pairLines(events) : events;
    const shown = this.all ? lines : lines.slice(-MAX_LINES);
    const earlier = shown.length < lines.length;
    return html`<h2>${t("common.moves")}</h2>
      ${earlier ? button(t("moves.earlier"), () => this.showAll(), { kind: "small" }) : nothing}
      <ol class="moves ${pairs ? "pairs" : ""}" tabindex="0" aria-label=${t("common.moves")}
        @keydown=${(event) => this.key(event)}>${lines.length
        ? repeat(shown, (_, at) => lines.length - shown.length + at, (line) => this.line(line))
        : html`<li class="quiet">${t("moves.none", { about: aboutWords(table) })}</li>`}</ol>`;
  }

  line(line) {
    if (line.moves) {
      return html`<li class="pair"><span class="number quiet">${line.number}.</span>${
        line.moves.map((move, seat) => (move ? this.move(move, translate(move.text))
          : html`<span class="move">${seat === 0 ? "…" : ""}</span>`))}</li>`;
    }
    const { seat, said, text } = line;
    const { table } = this;
    const named = seat >= 0 && !said;
    return html`<li class="said">${chip(seat, table.seats[seat]?.name)}${this.move(line, named
      ? html`<span class="quiet">${playerName(table, seat)}: </span>${translate(text)}`
      : sentence(translate(text)))}</li>`;
  }

  move({ ply, spots }, words) {
    return moveButton(words, { kind: "move", go: () => this.look(ply + 1), light: this.light, spots,
      current: ply + 1 === this.current, stop: ply === this.events.at(-1).ply });
  }
}

/** An event with names in the place of seats and of places, and the spots that it is about. */
function told(event, table) {
  const { scene } = table;
  const places = scene.family === "island" ? atPlaces(scene) : undefined;
  if (event.said) return { ...event, text: named(table, event.text, places) };
  const cell = scene.names?.indexOf(event.text) ?? -1;
  return { ...event, spots: cell >= 0 ? [String(cell)] : event.spots };
}

/** A line for each turn of the two; several moves of one in a row stand together. */
function pairLines(events) {
  const lines = [];
  let last = null;
  for (const event of events) {
    const { seat } = event;
    if (seat < 0) {
      lines.push(event);
    } else if (seat === last) {
      const { moves } = lines.at(-1);
      moves[seat] = { ...event, text: `${translate(moves[seat].text)}, ${translate(event.text)}` };
    } else {
      if (last === null || seat < last) {
        const number = lines.filter(({ moves }) => moves).length + 1;
        lines.push({ number, moves: [null, null] });
      }
      lines.at(-1).moves[seat] = event;
    }
    last = seat < 0 ? null : seat;
  }
  return lines;
}
