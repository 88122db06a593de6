// A table: the board and all around it, kept as the server's newest view says.

import { get } from "../api.js";
import { Board } from "../boards/board.js";
import { confirm } from "../dialogs.js";
import { defaultsOf, optionWords } from "../game_options.js";
import { ended, failure, sentence, t, translate } from "../messages.js";
import { preload } from "../shell.js";
import { connect } from "../socket.js";
import { alertTurn } from "../table/alerts.js";
import { Chat } from "../table/chat.js";
import { claim, help, share } from "../table/dialogs.js";
import { bestMoves, hintPanel } from "../table/hint.js";
import { Moves } from "../table/moves.js";
import { cover, notices, readerOf } from "../table/notices.js";
import { Queue } from "../table/pace.js";
import { Past } from "../table/past.js";
import { chances, People } from "../table/people.js";
import { Premove } from "../table/premove.js";
import { buttonWords, lastWords, resultWords, seatName, turnWords } from "../table/words.js";
import { dropInvite, invitesOf, keep, moveOn, tokensOf } from "../tokens.js";
import { button, Controller, h, html, keyed, nothing, sorry } from "../view.js";
import { walkButtons, walkKey } from "../walk.js";

/** @import {ErrorMessage, FromTable, TableMessage, ToTable} from "../types.d.ts" */

const PATIENCE = 500; // milliseconds without a connection until it is said
const DOUBLE = 250; // milliseconds after a button has gone in which a click was meant for it
const FEW = 4; // actions without a place on the board that are shown above it

export async function show(root, params, app) {
  if (!params.id) throw new Error(t("table.no_id"));
  if (params.invite) {
    await take(params.id, params.invite, app, root);
    root.replaceChildren();
  }
  return new Table(root, params.id, app);
}

/** The seat of an invitation, if its guest wants it; one that is of no more use leaves the address. */
async function take(id, invite, app, root) {
  const view = await get(`/api/tables/${id}`, { tokens: tokensOf(id) });
  root.append(h("h1", {}, translate(view.title)));
  try {
    if (view.status !== "waiting") throw new Error(t("table.used"));
    if (!(await claim(view, invite))) return;
  } catch (error) {
    app.say(sentence(error.message), "error");
  }
  history.replaceState(null, "", `#/table/${id}`);
}

class Table extends Controller {
  constructor(root, id, app) {
    super(root);
    this.app = app;
    this.id = id;
    /** @type {TableMessage | null} */
    this.view = null; // the server's newest
    this.failed = ""; // why there is no table
    this.banner = ""; // what is wrong with the connection
    this.live = ""; // what is read to those who cannot see the board
    this.online = false;
    this.sent = false; // a move is on its way
    this.asking = false; // a hint is on its way
    this.answered = false; // to a wish of the others
    this.pressed = -DOUBLE; // when a button above the board was
    this.thought = null; // the hint that is shown, and the action of it that is pointed at
    this.preview = null;
    this.lit = []; // spots that the list of moves points at
    this.defaults = null; // of the game's options, where they are known
    this.board = null;
    this.catan = null;
    this.loading = null; // of `catan`
    this.holder = null; // the seat whose eyes a shared screen is for
    this.place = h("div", { class: "board-area" });
    this.people = this.own(new People(() => this.send({ type: "now" })));
    this.chat = new Chat((text) => this.send({ type: "chat", text }));
    this.moves = new Moves({ light: (lit) => this.light(lit), look: (ply) => this.look(ply) });
    this.premove = new Premove({ play: (actions) => this.play(actions), say: (text) => app.say(text) });
    this.queue = this.own(new Queue((view) => this.update(view)));
    this.past = new Past({ id, tokens: () => tokensOf(id), draw: () => this.draw(),
      failed: (error) => app.say(ended(error.message), "error") });
    this.walk = { step: (by) => this.look((this.past.ply ?? this.view.ply) + by),
      go: (ply) => this.look(ply) };
    this.listen(document, "keydown", (event) => this.key(event));
    this.draw();
    this.open();
  }

  open() {
    this.socket = connect("/ws/table", {
      onopen: () => {
        this.sent = false; // what was on its way may be lost
        this.send({ type: "watch", table: this.id, tokens: tokensOf(this.id) });
      },
      onmessage: (message) => this.receive(message),
      onstate: (state, reason) => this.connection(state, reason) });
  }

  close() {
    super.close();
    clearTimeout(this.offline);
    this.socket.close();
  }

  /** @param {ToTable} message */
  send(message) {
    return this.socket.send(message);
  }

  // ------------------------------------------------------------ messages

  /** @param {FromTable} message */
  receive(message) {
    if (message.type === "table") this.queue.receive(message);
    else if (message.type === "hint") this.showHint(message);
    else if (message.type === "chat") this.chat.receive(message);
    else if (message.type === "rematch") this.goOn(message);
    else if (message.type === "reload") this.reload();
    else if (message.type === "error") this.fail(message);
  }

  /** @param {ErrorMessage} message */
  fail(message) {
    const text = ended(failure(message));
    this.sent = this.asking = false;
    if (message.fatal && !this.view) {
      this.socket.close();
      this.failed = text;
    } else {
      this.app.say(text, "error");
    }
    this.draw();
  }

  connection(state, reason) {
    this.online = state === "open";
    clearTimeout(this.offline);
    if (state === "refused") {
      this.set({ banner: ended(translate(reason || t("table.refused"))) });
    } else if (state !== "open") {
      this.offline = setTimeout(() => this.set({ banner: t("table.reconnecting") }), PATIENCE);
    }
    if (!this.online) this.set({ sent: false, asking: false });
  }

  /** The server has lost its place: from the start. */
  reload() {
    this.socket.close();
    this.open();
  }

  goOn({ table, tokens }) {
    keep(table, { tokens });
    if (this.view.next) this.toNext();
    else this.app.go(`#/table/${table}`);
  }

  toNext() {
    const { id, seats } = this.view.next;
    moveOn(this.id, id, seats);
    this.app.go(`#/table/${id}`);
  }

  update(view) {
    const before = this.view;
    this.view = view;
    this.answered = false;
    this.banner = "";
    if (!before) defaultsOf(view.game).then((defaults) => this.set({ defaults }));
    clearTimeout(this.offline);
    const same = before?.ply === view.ply && before.to_move === view.to_move;
    this.sent &&= same; // a view of the same position does not say what becomes of the move
    if (!same || before.status !== view.status) this.dropHint();
    for (const seat of Object.keys(invitesOf(view.id))) {
      if (view.seats[seat]?.kind !== "open") dropInvite(view.id, seat);
    }
    if (before?.asks && !view.asks && before.ply === view.ply && view.status === "playing"
      && view.you.includes(before.asks.seat)) {
      this.app.say(t(before.asks.kind === "draw" ? "table.draw_refused" : "table.move_stands"));
    }
    if (readerOf(view) === null) this.past.see(view, before ? view.events.from : 0);
    this.moves.update(view);
    this.people.update(view);
    // What happened is said once for every change of the position.
    if (before?.ply !== view.ply || before.status !== view.status) this.live = this.words();
    this.chat.update(view);
    if (before && !before.actions.length && view.actions.length && !this.premove.action) {
      alertTurn(translate(view.title), this.covered ? "" : lastWords(view, this.moves.events));
    }
    this.premove.update(view, before);
    this.draw();
  }

  // ------------------------------------------------------------ what a person does

  play(actions) {
    if (this.sent || !actions.length) return;
    if (!this.send({ type: "play", ply: this.view.ply, actions })) {
      this.app.say(t("table.not_sent"), "error");
      return;
    }
    this.sent = true;
    this.dropHint();
    this.draw();
  }

  /** A click on the board: a move, or during another's turn a premove. */
  act(id) {
    if (performance.now() - this.pressed <= DOUBLE) return;
    if (this.premoves.length) {
      this.premove.choose(this.view, id);
      this.draw();
    } else {
      this.play([id]);
    }
  }

  dropPremove() {
    this.premove.drop();
    this.draw();
  }

  choose(id) {
    this.play([id]);
    this.pressed = performance.now();
    this.focusBoard();
  }

  answer(agree) {
    if (this.send({ type: "answer", agree })) this.set({ answered: true });
  }

  undo() {
    if (this.view?.can.undo) this.send({ type: "undo" });
  }

  async resign() {
    const { view } = this;
    const text = t(view.seats.length > 2 ? "table.resign_many" : "table.resign_two");
    if (await confirm(t("table.resign_ask"), text, t("table.resign"))) this.send({ type: "resign" });
  }

  help() {
    help(this.view, this.defaults, (text) => this.app.say(text));
  }

  askHint() {
    if (!this.view?.can.hint || this.asking) return;
    if (this.send({ type: "hint" })) this.set({ asking: true });
  }

  showHint(thought) {
    this.asking = false;
    if (thought.ply === undefined || thought.ply === this.view.ply) this.thought = thought;
    this.draw();
  }

  dropHint() {
    this.thought = this.preview = null;
  }

  closeHint() {
    this.dropHint();
    this.draw();
    this.root.querySelector('[aria-keyshortcuts="h"]').focus();
  }

  /** Somebody has the screen that was handed over. */
  uncover() {
    this.set({ holder: readerOf(this.view) });
    this.focusBoard();
  }

  /** Looks back at the position after `ply` moves, or at the newest. */
  look(ply) {
    if (readerOf(this.view) === null) this.past.go(ply, this.view.ply);
    else this.app.say(t("table.shared_past"));
  }

  light(lit) {
    if (!lit.length && !this.lit.length) return;
    this.lit = lit;
    if (this.covered) return;
    if (this.island) this.drawIsland();
    else this.drawBoard();
  }

  /** The focus of a button that has gone. */
  focusBoard() {
    this.place.querySelector('[tabindex="0"], button')?.focus({ preventScroll: true });
  }

  key(event) {
    const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (defaultPrevented) return; // the board's, or a list's
    if (ctrlKey || metaKey || altKey || !this.view || document.querySelector("dialog[open]")) return;
    if (target.closest?.("input, select, textarea, [contenteditable]")) return;
    if (key === "u") this.undo();
    else if (key === "h") this.askHint();
    else if (key === "?") this.help();
    else if (key === "Escape" && this.past.ply !== null) this.past.leave();
    else if (key === "Escape" && this.premove.action) this.dropPremove();
    else if (key === "Escape" && this.queue.waiting) this.queue.flush();
    else {
      const steps = key === "ArrowLeft" || key === "ArrowRight";
      if (steps && !this.covered) walkKey(event, this.view.ply, this.walk);
      return;
    }
    event.preventDefault();
  }

  // ------------------------------------------------------------ the view

  /** Whether hands are hidden from whoever had the screen before: nothing of one is in the page. */
  get covered() {
    const reader = readerOf(this.view);
    return reader !== null && reader !== this.holder;
  }

  get island() {
    return this.view.family === "island";
  }

  /** The actions on the board, and the few that have no place there: passing, swapping sides. */
  get actions() {
    const { view, online, sent, island } = this;
    const playable = online && !sent && !island ? view.actions : [];
    const rest = playable.filter(({ clicks }) => !clicks.length);
    if (view.family === "text" || rest.length > FEW) return [playable, []];
    return [playable.filter(({ clicks }) => clicks.length), rest];
  }

  /** The actions that may be chosen for the next turn. */
  get premoves() {
    const { view, online, island } = this;
    return online && !island ? view.premoves : [];
  }

  /** What happened and what there is to do, for those who cannot see it. */
  words() {
    const { view } = this;
    if (this.covered) return "";
    const events = this.moves.events;
    const [, buttons] = this.actions;
    return [lastWords(view, events), turnWords(view, events).text,
      buttons.length ? buttonWords(view, buttons) : "",
      view.result ? `${resultWords(view).title}.` : ""].filter(Boolean).join(" ");
  }

  draw() {
    const { view, people, moves } = this;
    if (view) people.covered = this.covered;
    moves.current = this.past.ply;
    super.draw();
    if (!view || this.failed) return;
    people.draw();
    moves.draw();
    const { mine } = turnWords(view, this.moves.events);
    const game = translate(view.title);
    const title = mine ? "table.title_yours" : view.status === "over" ? "table.title_over" : "";
    this.app.title(title ? t(title, { game }) : game);
    if (this.covered) {
      const ready = this.root.querySelector(".cover button");
      if (!ready.dataset.asked) ready.focus();
      ready.dataset.asked = "yes";
    } else if (this.island) {
      this.drawIsland();
    } else {
      this.drawBoard();
    }
  }

  get heat() {
    const best = this.thought ? bestMoves(this.thought) : [];
    return Object.fromEntries(best.map(({ id, share }) => [id, share]));
  }

  drawBoard() {
    const { view, heat, preview, lit, premoves } = this;
    this.board ??= this.own(new Board(this.place, { onAction: (id) => this.act(id),
      label: t("table.the_board", { game: translate(view.title) }) }));
    const { scene: past } = this.past;
    const [actions, mover] = premoves.length ? [premoves, view.you[0]] : [this.actions[0], view.to_move];
    this.board.update({ scene: past ?? view.scene, actions: past ? [] : actions, mover,
      heat: past ? {} : heat, preview, lit, premove: this.premove.action?.id,
      players: view.seats.map((_, seat) => seatName(view, seat)) });
  }

  async drawIsland() {
    if (!this.loading) preload("catan");
    this.loading ??= import("./catan.js").then(({ CatanTable }) => new CatanTable(this.place, {
      play: (actions) => this.play(actions), people: this.people, log: this.moves }));
    try {
      if (!this.catan) {
        this.catan = this.own(await this.loading);
        super.draw(); // with its panels
      }
    } catch (error) {
      console.error(error);
      this.place.textContent = t("table.no_island");
      return;
    }
    if (this.covered) return;
    const { view, heat, preview, lit, past } = this;
    const before = past.scene && this.moves.events.findLast(({ ply }) => ply < past.ply);
    this.catan.update(this.online ? view : { ...view, actions: [] },
      { heat, preview, lit, sent: this.sent, last: past.scene ? before?.spots ?? [] : view.last,
        past: past.scene });
  }

  template() {
    const { view, failed, banner } = this;
    if (failed) return html`<div class="table-page">${sorry(failed)}</div>`;
    const warning = html`<div class="banner warn" role="status" ?hidden=${!banner}>${banner}</div>`;
    if (!view) return banner ? warning : nothing;
    const { covered, island, catan, people, moves } = this;
    const { text, mine } = turnWords(view, moves.events);
    const close = () => this.closeHint();
    const point = (preview) => this.set({ preview });
    return html`<div class="table-page ${mine ? "mine" : ""} ${island ? "island" : ""}">
      <header class="table-head">
        <div><h1>${translate(view.title)}</h1>
          <p class="quiet small terms">${sentence(optionWords(view.options, this.defaults))}</p></div>
        <div class="turn-words"><p class="turn ${mine ? "mine" : ""}">${text}</p>
          <p class="last quiet">${covered ? "" : lastWords(view, moves.events)}</p></div>
        <p class="hidden-text" role="status">${covered ? "" : this.live}</p></header>
      <div class="table-main">${covered
        ? keyed(readerOf(view), cover(seatName(view, readerOf(view)), () => this.uncover()))
        : this.place}</div>
      <aside class="table-side">${catan ? nothing : people.root}${this.controls()}${notices(this)}
        ${this.choiceBar()}${hintPanel(this.thought, view, { point, close })}
        ${chances(view)}${covered ? nothing
          : html`<div class="table-panels">${catan ? catan.panels : moves.root}</div>`}
        ${this.chat.root}</aside> ${warning}</div>`;
  }

  controls() {
    const { view, online } = this;
    const { can, you } = view;
    const others = view.seats.some(({ seat, kind }) => kind === "human" && !you.includes(seat));
    const looks = you.length === 0;
    return html`<div class="controls" role="group" aria-label=${t("table.controls")}>
      ${button(t("table.undo"), () => this.undo(), { keys: "u", hidden: looks,
        title: others ? t("table.undo_ask") : null,
        disabled: !online || !can.undo || Boolean(view.asks) })}
      ${button(t(this.asking ? "table.looking" : "table.hint"), () => this.askHint(),
        { keys: "h", hidden: looks, disabled: !online || !can.hint || this.asking })}
      ${button(t(view.paused ? "table.go_on" : "table.pause"),
        () => this.send({ type: "pause", on: !view.paused }), { hidden: !can.pause })}
      <a class="button" href="#/analysis?table=${view.id}"
        ?hidden=${!can.analyse || Boolean(view.result)}>${t("table.analyse")}</a>
      ${button(t("common.share"), () => share(view,
        this.covered ? null : this.place.querySelector("svg.board")))}
      ${button(t("table.help"), () => this.help(), { keys: "?" })}
      ${button(t("table.draw"), () => this.send({ type: "draw" }),
        { title: t("table.draw_offer"), label: t("table.draw_offer"), disabled: !online, hidden: !can.draw })}
      ${button(t("table.resign"), () => this.resign(), { kind: "danger",
        disabled: !online || !can.resign, hidden: looks || view.status === "over" })}</div>`;
  }

  choiceBar() {
    const { view, past, queue, premove: { action: planned } } = this;
    const [, actions] = this.actions;
    const bar = (words, content, role = "") => html`<div class="choice-bar" role=${role || nothing}
      ?hidden=${!words}><span>${words}</span> ${content}</div>`;
    if (this.covered) return bar("", nothing);
    if (past.ply !== null) {
      return bar(t("table.look_back"), html`<span class="line replay-steps">${
        walkButtons(past.ply, view.ply, this.walk)}
        ${button(t("table.back_to_now"), () => past.leave())}</span>`);
    }
    if (queue.waiting > 1) {
      return bar(t("table.to_come", { n: queue.waiting }), button(t("table.show_now"), () => queue.flush()));
    }
    if (planned) {
      return bar(t("table.premove", { move: planned.name }),
        button(t("table.drop"), () => this.dropPremove()), "status");
    }
    return bar(actions.length ? buttonWords(view, actions) : "", html`<span class="line">${
      actions.map(({ id, name, label }) => button(sentence(translate(label || name)),
        () => this.choose(id), { kind: "primary" }))}</span>`);
  }
}
