// A table: the board and all around it, kept as the server's newest view says.

import { clear, h } from "../dom.js";
import { get } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { confirm } from "../dialogs.js";
import { connect } from "../socket.js";
import { dropInvite, invitesOf, keep, moveOn, tokensOf } from "../tokens.js";
import { claim, help, share } from "../table/dialogs.js";
import { hintPanel } from "../table/hint.js";
import { moveList } from "../table/moves.js";
import { handOver, noticeBoard } from "../table/notices.js";
import { people } from "../table/people.js";
import { buttonWords, lastWords, optionWords, resultWords, seatName, turnWords }
  from "../table/words.js";
import { sentence } from "../words.js";

const PATIENCE = 500; // milliseconds without a connection until it is said
const DOUBLE = 250; // milliseconds after a button has gone in which a click was meant for it
const FEW = 4; // actions without a place on the board that are shown above it

export async function show(root, params, app) {
  if (!params.id) throw new Error("This address names no table.");
  if (params.invite) await take(params.id, params.invite, app);
  const table = new Table(root, params.id, app);
  return () => table.close();
}

// The seat of an invitation, if its guest wants it; one that is of no more use leaves the address.
async function take(id, invite, app) {
  const view = await get(`/api/tables/${id}`, { tokens: tokensOf(id) });
  try {
    if (view.status !== "waiting") throw new Error("This invitation has been used: you look on.");
    if (!(await claim(view, invite))) return;
  } catch (error) {
    app.say(sentence(error.message), "error");
  }
  history.replaceState(null, "", `#/table/${id}`);
}

class Table {
  constructor(root, id, app) {
    this.app = app;
    this.id = id;
    this.view = null;
    this.online = false;
    this.sent = false; // a move is on its way
    this.pressed = -DOUBLE; // when a button above the board was
    this.heat = null; // a hint's shares, and the action of it that is pointed at
    this.preview = null;
    this.defaults = null; // of the game's options, where they are known
    this.build(root);
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.open();
  }

  open() {
    this.socket = connect("/ws/table", {
      onopen: () => this.send({ type: "watch", table: this.id, tokens: tokensOf(this.id) }),
      onmessage: (message) => this.receive(message),
      onstate: (state, reason) => this.connection(state, reason),
    });
  }

  close() {
    clearTimeout(this.offline);
    this.socket.close();
    this.people.close();
    this.board?.close();
    this.catan?.close();
    document.removeEventListener("keydown", this.onkey);
  }

  send(message) {
    return this.socket.send(message);
  }

  // ------------------------------------------------------------ parts

  build(root) {
    this.title = h("h1", {}, "Table");
    this.terms = h("p", { class: "quiet small terms" });
    this.turn = h("p", { class: "turn" });
    this.last = h("p", { class: "last quiet" });
    this.live = h("p", { class: "hidden-text", role: "status" });
    this.banner = h("div", { class: "banner warn", role: "status", hidden: true });
    this.notices = noticeBoard({ send: (message) => this.send(message),
      onnext: () => this.toNext() });
    this.choices = h("div", { class: "choice-bar", hidden: true });
    this.place = h("div", { class: "board-area" });
    this.cover = handOver({ onready: () => {
      this.draw();
      this.focusBoard();
    } });
    this.hint = hintPanel({ onclose: () => this.dropHint(true), onpoint: (id) => this.point(id) });
    this.people = people({ onnow: () => this.send({ type: "now" }) });
    this.moves = moveList();
    this.panels = h("div", { class: "table-panels" }, this.moves.node); // covered like the board
    this.buttons = this.controls();
    this.root = h("div", { class: "table-page" },
      h("header", { class: "table-head" }, h("div", {}, this.title, this.terms),
        h("div", { class: "turn-words" }, this.turn, this.last), this.live),
      h("div", { class: "table-main" }, this.cover.node, this.place),
      h("aside", { class: "table-side" }, this.people.node, this.buttons.node, this.notices.node,
        this.choices, this.hint.node, this.people.chances, this.panels), this.banner);
    root.append(this.root);
  }

  controls() {
    const button = (label, onclick, key, kind) => h("button", { type: "button", class: kind,
      onclick, "aria-keyshortcuts": key }, label);
    const parts = {
      undo: button("Undo", () => this.undo(), "u"),
      hint: button("Hint", () => this.askHint(), "h"),
      now: null,
      pause: button("Pause", () => this.send({ type: "pause", on: !this.view.paused })),
      analyse: h("a", { class: "button", href: `#/analysis?table=${this.id}` }, "Analyse"),
      share: button("Share", () => share(this.view)),
      help: button("Help", () => help(this.view), "?"),
      resign: button("Resign", () => this.resign(), null, "danger"),
    };
    const node = h("div", { class: "controls", role: "group", "aria-label": "Controls" },
      Object.values(parts).filter(Boolean));
    return { ...parts, node };
  }

  // ------------------------------------------------------------ messages

  receive(message) {
    if (message.type === "table") this.update(message);
    else if (message.type === "hint") this.showHint(message);
    else if (message.type === "rematch") this.goOn(message);
    else if (message.type === "reload") this.reload();
    else if (message.type === "error") this.fail(message);
  }

  fail({ text, fatal }) {
    this.sent = false;
    this.wait(false);
    if (fatal && !this.view) {
      this.socket.close();
      clear(this.root).append(h("section", { class: "panel narrow" }, h("h1", {}, "Sorry"),
        h("p", {}, `${sentence(text)}.`), h("p", {}, h("a", { href: "#/" }, "Back to the games"))));
      return;
    }
    this.app.say(`${sentence(text)}.`, "error");
    if (this.view) this.draw();
  }

  connection(state, reason) {
    this.online = state === "open";
    clearTimeout(this.offline);
    if (state === "refused") {
      this.lost(`${reason ? sentence(reason) : "The connection was refused"}.`);
    } else if (state !== "open") {
      this.offline = setTimeout(() => this.lost("Reconnecting…"), PATIENCE);
    }
    if (!this.online && this.view) {
      this.sent = false;
      this.wait(false);
      this.draw();
    }
  }

  lost(text) {
    this.banner.textContent = text;
    this.banner.hidden = false;
  }

  // The server has lost its place: from the start.
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

  // ------------------------------------------------------------ the newest view

  update(view) {
    const before = this.view;
    this.view = view;
    this.sent = false;
    if (!before) this.learnDefaults();
    clearTimeout(this.offline);
    this.banner.hidden = true;
    const same = before?.ply === view.ply && before.to_move === view.to_move;
    if (!same || before.status !== view.status) this.dropHint();
    for (const seat of Object.keys(invitesOf(view.id))) {
      if (view.seats[seat]?.kind !== "open") dropInvite(view.id, seat);
    }
    if (before?.asks && !view.asks && before.ply === view.ply && view.status === "playing"
      && view.you.includes(before.asks.undo)) this.app.say("Your move stands: not all agreed.");
    this.moves.update(view);
    this.people.update(view);
    if (!this.draw()) this.announce(before);
  }

  async learnDefaults() {
    const { games } = await get("/api/games").catch(() => ({ games: [] }));
    const game = games.find(({ name }) => name === this.view.game);
    if (!game) return;
    this.defaults = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
    this.terms.textContent = optionWords(this.view.options, this.defaults);
  }

  // Returns whether a cover hides the table.
  draw() {
    const { view } = this;
    this.title.textContent = view.title;
    this.terms.textContent = optionWords(view.options, this.defaults);
    this.drawTurn();
    this.notices.update(this.view);
    this.drawControls();
    const covered = this.drawCover();
    this.drawBoard(covered);
    return covered;
  }

  drawTurn() {
    const { view } = this;
    const { text, mine } = turnWords(view, this.moves.events());
    this.turn.textContent = text;
    this.turn.classList.toggle("mine", mine);
    this.last.textContent = lastWords(view, this.moves.events());
    this.root.classList.toggle("mine", mine);
    this.app.title(`${mine ? "● Your turn – " : view.status === "over" ? "Over – " : ""}${view.title}`);
  }

  // Says to who cannot see what happened, once for every change of the position.
  announce(before) {
    const { view } = this;
    if (before?.ply === view.ply && before.status === view.status) return;
    const result = view.result ? ` ${resultWords(view).title}.` : "";
    const choice = this.choices.hidden ? "" : ` ${this.choices.firstChild.textContent}`;
    this.live.textContent = `${this.last.textContent} ${this.turn.textContent}.${choice}${result}`;
  }

  drawControls() {
    const { view, buttons, online } = this;
    const { can, you } = view;
    const others = view.seats.some(({ seat, kind }) => kind === "human" && !you.includes(seat));
    buttons.undo.title = others ? "Ask the others to take back your move" : "";
    buttons.undo.hidden = buttons.hint.hidden = you.length === 0;
    buttons.undo.disabled = !online || !can.undo || Boolean(view.asks);
    buttons.hint.disabled = !online || !can.hint || this.asking;
    buttons.resign.hidden = you.length === 0 || view.status === "over";
    buttons.resign.disabled = !online || !can.resign;
    buttons.analyse.hidden = !can.analyse || Boolean(view.result); // the result has its own
    buttons.pause.hidden = !can.pause;
    buttons.pause.textContent = view.paused ? "Go on" : "Pause";
  }

  // Hands are hidden from whoever had the screen before: nothing of one stays in the page.
  drawCover() {
    const covered = this.cover.covers(this.view);
    if (covered) {
      this.place.remove();
      this.panels.remove();
      this.last.textContent = this.live.textContent = "";
    } else if (!this.place.isConnected) {
      this.cover.node.after(this.place);
      this.people.chances.after(this.panels);
    }
    this.people.cover(covered);
    return covered;
  }

  drawBoard(covered) {
    const { view } = this;
    if (covered) {
      this.choices.hidden = true;
      return;
    }
    const island = view.family === "island";
    this.root.classList.toggle("island", island);
    if (island) {
      this.drawIsland();
      return;
    }
    const playable = this.online && !this.sent ? view.actions : [];
    const [shown, buttons] = split(playable, view.family);
    this.drawChoices(buttons);
    this.board ??= makeBoard(this.place, {
      onAction: (id) => performance.now() - this.pressed > DOUBLE && this.play([id]),
      label: `${view.title}, the board` });
    const players = view.seats.map((_, seat) => seatName(view, seat));
    this.board.update({ scene: view.scene, actions: shown, mover: view.to_move, heat: this.heat,
      players });
  }

  async drawIsland() {
    this.loading ??= import("./catan.js").then(({ catanTable }) => catanTable(this.place, {
      send: (message) => this.send(message), app: this.app, panels: this.panels,
      people: this.people, log: this.moves.node }));
    try {
      this.catan ??= await this.loading;
    } catch (error) {
      console.error(error);
      clear(this.place).append(h("p", { class: "panel" }, "The island could not be loaded."));
      return;
    }
    this.catan.update(this.online ? this.view : { ...this.view, actions: [] },
      { heat: this.heat, preview: this.preview });
  }

  // Actions that are no place on the board: passing, swapping sides.
  drawChoices(actions) {
    this.choices.hidden = actions.length === 0;
    const key = JSON.stringify([this.view.ply, actions.map(({ id }) => id)]);
    if (key === this.chosen) return;
    this.chosen = key;
    clear(this.choices);
    if (!actions.length) return;
    this.choices.append(h("span", {}, buttonWords(this.view, actions)), h("span", { class: "line" },
      actions.map(({ id, name, label }) => h("button", { type: "button", class: "primary",
        onclick: () => {
          this.play([id]);
          this.pressed = performance.now();
          this.focusBoard();
        } }, sentence(label || name)))));
  }

  // Where a button has gone that had the focus.
  focusBoard() {
    this.place.querySelector('[tabindex="0"], button')?.focus({ preventScroll: true });
  }

  // ------------------------------------------------------------ what a person does

  play(actions) {
    if (this.sent) return;
    if (!this.send({ type: "play", ply: this.view.ply, actions })) {
      this.app.say("There is no connection: the move was not sent.", "error");
      return;
    }
    this.sent = true;
    this.dropHint();
    this.draw();
  }

  undo() {
    if (this.view?.can.undo) this.send({ type: "undo" });
  }

  async resign() {
    const { view } = this;
    const text = view.seats.length > 2 ? "A computer plays on for you." : "Your opponent wins.";
    if (await confirm("Resign this game?", text, "Resign")) this.send({ type: "resign" });
  }

  askHint() {
    if (!this.view?.can.hint || this.asking) return;
    if (this.send({ type: "hint" })) this.wait(true);
  }

  wait(on) {
    this.asking = on;
    this.buttons.hint.textContent = on ? "Looking…" : "Hint";
    if (this.view) this.drawControls();
  }

  showHint(thought) {
    this.wait(false);
    const { view } = this;
    if (thought.ply !== undefined && thought.ply !== view.ply) return;
    this.heat = this.hint.show(thought, view);
    this.draw();
  }

  dropHint(draws = false) {
    this.hint.hide();
    if (!this.heat) return;
    this.heat = this.preview = null;
    this.board?.update({ heat: null, preview: null });
    if (!draws) return;
    if (this.catan) this.drawIsland();
    this.buttons.hint.focus();
  }

  point(id) {
    this.preview = id;
    this.board?.update({ preview: id });
    if (this.catan) this.drawIsland();
  }

  key(event) {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !this.view || document.querySelector("dialog[open]")) return;
    if (target.closest?.("input, select, textarea, [contenteditable]")) return;
    if (key === "u") this.undo();
    else if (key === "h") this.askHint();
    else if (key === "?") help(this.view);
    else return;
    event.preventDefault();
  }
}

// The actions that the board shows, and those that are few and have no place on it.
function split(actions, family) {
  const rest = actions.filter(({ clicks }) => !clicks.length);
  if (family === "text" || rest.length > FEW) return [actions, []];
  return [actions.filter(({ clicks }) => clicks.length), rest];
}
