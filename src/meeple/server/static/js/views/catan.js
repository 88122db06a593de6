// The table of Catan: the island, what one may do, one's hand, trade, and what is known of others.
//
// Every part is drawn anew when what it shows has changed, and keeps the focus where it was.

import { clear, h } from "../dom.js";
import { makeIsland } from "../boards/island.js";
import { cardsPart } from "../catan/cards.js";
import { dealPart } from "../catan/deal.js";
import { dicePart, stockPart } from "../catan/dice.js";
import { handPart } from "../catan/hand.js";
import { playersPart } from "../catan/players.js";
import { tradePart } from "../catan/trade.js";
import { turnPart } from "../catan/turn.js";
import { words } from "../catan/words.js";

const ASKING = ["answer", "choose", "consent"]; // phases in which the trade table is what matters

/** The table in a container. `send` takes messages to the server; see `table.js` for views.
 *  `update(view, {heat, preview})`: a hint's shares, {action: share}, and an action pointed at. */
export function catanTable(root, { send, app }) {
  const table = new CatanTable(root, send, app);
  return { update: (view, marks) => table.update(view, marks), close: () => table.close() };
}

class CatanTable {
  constructor(root, send, app) {
    this.send = send;
    this.app = app;
    this.texts = new Map(); // the events' texts by their ply
    this.only = null; // "road", "settlement" or "city", where one has chosen what to build
    this.words = h("p", { class: "catan-words", role: "status" });
    const place = h("div", { class: "catan-place" });
    this.parts = {
      turn: part("Your move", turnPart),
      hand: part("Your hand", handPart),
      cards: part("Development cards", cardsPart),
      trade: part("Trade", tradePart),
      deal: part("Deal", dealPart),
      players: part("Players' cards and points", playersPart),
      dice: part("Dice", dicePart),
      stock: part("Bank and costs", stockPart),
    };
    const nodes = Object.fromEntries(
      Object.entries(this.parts).map(([name, { node }]) => [name, node]),
    );
    nodes.trade.classList.add("trade-part");
    nodes.deal.classList.add("trade-part");
    this.root = h("div", { class: "catan" }, h("div", { class: "catan-table" },
      h("div", { class: "catan-main" }, this.words, place, nodes.turn, nodes.hand, nodes.cards),
      h("div", { class: "catan-side" }, nodes.trade, nodes.deal, nodes.players),
      h("div", { class: "catan-more" }, nodes.dice, nodes.stock)));
    root.append(this.root);
    this.island = makeIsland(place, { onAction: (id) => this.play([id]), label: "The island" });
  }

  close() {
    this.island.close();
    this.root.remove();
  }

  update(view, { heat = null, preview = null } = {}) {
    this.marks = { heat, preview };
    const before = this.view;
    this.view = view;
    this.scene = view.scene;
    this.sent = false;
    if (before?.id !== view.id) this.texts.clear();
    this.hear(view.events);
    if (before?.ply !== view.ply) this.only = null;
    this.draw();
  }

  /** Keeps what was said of every ply, to show answers with their reasons. */
  hear({ from = 0, list = [] } = {}) {
    for (const ply of this.texts.keys()) if (ply >= from) this.texts.delete(ply);
    for (const { ply, text } of list) this.texts.set(ply, text);
  }

  draw() {
    const { scene, view } = this;
    this.legal = new Map(this.sent ? [] : view.actions.map((action) => [action.id, action]));
    this.mine = this.legal.size > 0;
    const said = words(this);
    if (this.words.textContent !== said) this.words.textContent = said;
    this.root.classList.toggle("mine", this.mine);
    this.root.classList.toggle("asked", this.mine && ASKING.includes(scene.phase));
    this.island.update({ scene, actions: [...this.legal.values()], only: this.only,
      ...this.marks });
    for (const one of Object.values(this.parts)) one.update(this);
  }

  /** Plays actions, all or none. */
  play(actions) {
    if (this.sent || !actions.length) return;
    if (this.send({ type: "play", ply: this.view.ply, actions }) === false) {
      this.app.say("There is no connection: nothing was sent.", "error");
      return;
    }
    this.sent = true;
    this.draw();
  }

  choose(only) {
    this.only = this.only === only ? null : only;
    this.draw();
  }

  name(seat) {
    const { name } = this.scene.players[seat];
    return this.view.you?.length === 1 && this.view.you[0] === seat ? "you" : name;
  }
}

/** A panel around what `make` draws: `make(redraw)` is {key(table), draw(table)}. */
function part(label, make) {
  const node = h("section", { class: "panel catan-part", "aria-label": label, hidden: true });
  let table = null;
  let drawn = null;
  const drawer = make(() => redraw());
  function redraw() {
    const key = JSON.stringify(drawer.key(table));
    if (key === drawn) return;
    drawn = key;
    const held = node.contains(document.activeElement)
      ? document.activeElement.dataset.keep
      : undefined;
    const shown = drawer.draw(table);
    node.hidden = !shown;
    clear(node).append(...[shown ?? []].flat());
    if (held) node.querySelector(`[data-keep="${held}"]:not(:disabled)`)?.focus();
  }
  return {
    node,
    update(now) {
      table = now;
      redraw();
    },
  };
}
