// The chat of a table, and how many people look on.

import { t, translate } from "../messages.js";
import { chip } from "../players.js";
import { button, Controller, h, html, instead, nothing, repeat } from "../view.js";
import { seatName } from "./words.js";

const PHRASES = ["chat.hello", "chat.luck", "chat.moment", "chat.well_played", "chat.thanks", "chat.oops"];
const MAX_CHARACTERS = 300; // of a line, as on the server

export class Chat extends Controller {
  /** `send(text)` says whether the line left. */
  constructor(send) {
    super(h("div", { class: "chat-place" }));
    this.send = send;
    this.lines = new Map(); // by number: {id, seat, text}
    this.muted = new Set(); // seats
    this.open = false;
    this.seen = 0; // number of the last line that was shown
    this.table = null;
  }

  receive({ lines }) {
    for (const line of lines) this.lines.set(line.id, line);
    this.draw();
    const list = this.root.querySelector(".chat ol");
    if (list) list.scrollTop = list.scrollHeight;
  }

  update(table) {
    this.table = table;
    this.draw();
  }

  mute(seat, on) {
    this.muted[on ? "add" : "delete"](seat);
    this.draw();
  }

  write(event) {
    const { text } = event.target.elements;
    const words = text.value.trim();
    if (words && this.send(words)) text.value = "";
  }

  /** Whether there is anybody to talk to. */
  get isUsed() {
    const { table } = this;
    return table && (this.lines.size > 0 || table.watching > (table.you.length ? 0 : 1)
      || table.seats.some(({ seat, kind }) => kind === "human" && !table.you.includes(seat)));
  }

  get shown() {
    return [...this.lines.values()].filter(({ seat }) => !this.muted.has(seat));
  }

  template() {
    const { table, open, shown } = this;
    if (!this.isUsed) return nothing;
    const last = shown.at(-1)?.id ?? 0;
    if (open) this.seen = last;
    const fresh = shown.filter(({ id }) => id > this.seen).length;
    const toggle = ({ target }) => target.open !== open && this.set({ open: target.open });
    const looks = t("chat.looks", { n: table.watching });
    return html`<details class="panel chat" ?open=${open} @toggle=${toggle}>
      <summary><span role="status">${t("chat.chat")}${
        fresh ? html` <strong>${t("chat.fresh", { n: fresh })}</strong>` : nothing}</span>
        <span class="quiet small">${table.watching ? looks : nothing}</span></summary>
      ${this.people()}
      <ol tabindex="0" aria-label=${t("chat.chat")}>${shown.length
        ? repeat(shown, ({ id }) => id, (line) => this.line(line))
        : html`<li class="quiet">${t("chat.empty")}</li>`}</ol>
      ${table.can.chat ? this.form() : html`<p class="quiet small">${t("chat.closed")}</p>`}
    </details>`;
  }

  line({ seat, text }) {
    const { table } = this;
    const who = seat === null ? t("chat.host") : translate(table.seats[seat].called) || seatName(table, seat);
    return html`<li>${chip(seat ?? -1, table.seats[seat]?.name)}<span><strong>${who}</strong>
      ${text}</span></li>`;
  }

  /** The switches that mute the other people. */
  people() {
    const { table, muted } = this;
    return html`<div class="line">${table.seats.filter(({ seat, kind }) => kind === "human"
      && !table.you.includes(seat)).map(({ seat, called }) => button(
        t("chat.mute", { name: called || seatName(table, seat) }),
        () => this.mute(seat, !muted.has(seat)), { kind: "small", pressed: muted.has(seat) }))}</div>`;
  }

  form() {
    return html`<div class="phrases">${PHRASES.map((id) => button(t(id), () => this.send(t(id)),
      { kind: "small" }))}</div>
      <form class="copy" @submit=${instead((event) => this.write(event))}><input type="text" name="text"
        maxlength=${MAX_CHARACTERS} autocomplete="off" aria-label=${t("chat.message")}>
        <button type="submit">${t("chat.send")}</button></form>`;
  }
}
