// The list of what happened: numbered pairs for two players, sentences where the game has them.

import { button } from "../controls.js";
import { h } from "../dom.js";
import { chip } from "../players.js";
import { Controller, html, nothing, repeat } from "../view.js";
import { sentence } from "../words.js";
import { aboutWords, seatName } from "./words.js";

const MAX_LINES = 300; // lines shown at once; earlier ones on demand
const NEAR = 40; // pixels from the end at which the list follows new moves

export class Moves extends Controller {
  constructor() {
    super(h("section", { class: "panel moves-panel" }));
    this.events = [];
    this.table = null;
    this.all = false;
    this.seen = false; // the list is in the page
  }

  update(table) {
    const { from, list } = table.events;
    if (this.table?.id !== table.id) this.all = false;
    this.table = table;
    this.events = [...this.events.filter(({ ply }) => ply < from), ...list];
  }

  draw() {
    const before = this.root.querySelector("ol");
    const low = !this.seen || before.scrollHeight - before.scrollTop - before.clientHeight < NEAR;
    super.draw();
    const list = this.root.querySelector("ol");
    if (low) list.scrollTop = list.scrollHeight;
    this.seen = this.root.isConnected;
  }

  showAll() {
    this.set({ all: true });
    this.root.querySelector("ol").scrollTop = 0;
  }

  template() {
    const { table, events } = this;
    const pairs = table.seats.length === 2 && !events.some(({ said }) => said);
    const lines = pairs ? pairLines(events) : events;
    const shown = this.all ? lines : lines.slice(-MAX_LINES);
    const earlier = shown.length < lines.length;
    return html`<h2>Moves</h2>
      ${earlier ? button("Show earlier moves", () => this.showAll(), { kind: "small" }) : nothing}
      <ol class="moves ${pairs ? "pairs" : ""}" tabindex="0" aria-label="Moves">${lines.length
        ? repeat(shown, (_, at) => lines.length - shown.length + at, (line) => this.line(line))
        : html`<li class="quiet">No moves yet. ${aboutWords(table)}</li>`}</ol>`;
  }

  line({ number, moves, seat, said, text }) {
    if (moves) {
      return html`<li class="pair"><span class="number quiet">${number}.</span>
        <span class="move">${moves[0] || "…"}</span><span class="move">${moves[1]}</span></li>`;
    }
    const { table } = this;
    const named = seat >= 0 && !said;
    return html`<li class="said">${chip(seat, table.seats[seat]?.name)}<span>${named
      ? html`<span class="quiet">${seatName(table, seat)}: </span>${text}` : sentence(text)}</span>
    </li>`;
  }
}

/** A line for each turn of the two; several moves of one in a row stand together. */
function pairLines(events) {
  const lines = [];
  let last = null;
  for (const event of events) {
    const { seat, text } = event;
    if (seat < 0) {
      lines.push(event);
    } else if (seat === last) {
      lines.at(-1).moves[seat] += `, ${text}`;
    } else {
      if (last === null || seat < last) {
        const number = lines.filter(({ moves }) => moves).length + 1;
        lines.push({ number, moves: ["", ""] });
      }
      lines.at(-1).moves[seat] = text;
    }
    last = seat < 0 ? null : seat;
  }
  return lines;
}
