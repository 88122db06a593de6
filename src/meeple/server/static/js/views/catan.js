// The table of Catan: the island above a bar of what one holds and may do; beside it the players and
// panels for trade, the log, and the bank.
//
// Every part is drawn anew when what it shows has changed, and keeps the focus where it was.

import { clear, h } from "../dom.js";
import { makeIsland } from "../boards/island.js";
import { cardsPart } from "../catan/cards.js";
import { dealPart } from "../catan/deal.js";
import { dicePart, rollsPart, stockPart } from "../catan/dice.js";
import { handPart } from "../catan/hand.js";
import { playerPart, trackerPart } from "../catan/players.js";
import { tradePart } from "../catan/trade.js";
import { turnPart } from "../catan/turn.js";
import { words } from "../catan/words.js";
import { recall, remember } from "../storage.js";
import { tabs } from "../tabs.js";

const ASKING = ["answer", "choose", "consent"]; // phases in which the trade table is what matters
const TRACKER = "meeple.catan.tracker"; // the key of the card tracker's switch, which is kept
const WIDE = matchMedia("(min-width: 900px)"); // the players' list is always shown

/** The table in a container. `send` takes messages to the server; `panels` is the node beside the
 *  island, `people` the list of players, and `log` the list of events; see `table.js` for views.
 *  `update(view, {heat, preview})`: a hint's shares, {action: share}, and an action pointed at. */
export function catanTable(root, places) {
  const table = new CatanTable(root, places);
  return { update: (view, marks) => table.update(view, marks), close: () => table.close() };
}

class CatanTable {
  constructor(root, { send, app, panels, people, log }) {
    this.send = send;
    this.app = app;
    this.people = people;
    this.texts = new Map(); // the events' texts by their ply
    this.only = null; // "road", "settlement" or "city", where one has chosen what to build
    this.countering = false; // a counter-offer is being composed
    this.tracking = recall(TRACKER) === "on"; // the card tracker is shown
    this.words = h("p", { class: "catan-words", role: "status" });
    const place = h("div", { class: "catan-place" });
    this.parts = {
      turn: part(panel("Your move"), turnPart),
      hand: part(panel("Your hand"), handPart),
      cards: part(panel("Development cards"), cardsPart),
      dice: part(panel("Dice"), dicePart),
      trade: part(panel("Trade"), tradePart),
      deal: part(panel("Deal"), dealPart),
      tracker: part(panel("Card tracker"), trackerPart),
      stock: part(panel("Bank and costs"), stockPart),
      rolls: part(panel("Rolls"), rollsPart),
    };
    const { turn, hand, cards, dice, trade, deal, tracker, stock, rolls } = Object.fromEntries(
      Object.entries(this.parts).map(([name, { node }]) => [name, node]),
    );
    this.idle = h("p", { class: "quiet" }, "Offers are made in your own turn.");
    this.root = h("div", { class: "catan" }, place, h("div", { class: "catan-bar" }, hand, cards,
      h("div", { class: "catan-actions" }, this.words, turn), dice));
    root.append(this.root);
    this.tabs = tabs("Panels of the table", {
      players: { label: "Players", node: people.node },
      trade: { label: "Trade", node: [this.idle, trade, deal] },
      log: { label: "Log", node: log },
      bank: { label: "Bank", node: [stock, rolls, tracker] },
    });
    clear(panels).append(this.tabs.node);
    this.arrange = () => {
      if (WIDE.matches !== (this.tabs.current() === "players")) return;
      this.tabs.show(WIDE.matches ? "log" : "players");
    };
    WIDE.addEventListener("change", this.arrange);
    this.arrange();
    this.island = makeIsland(place, { onAction: (id) => this.play([id]), label: "The island" });
  }

  close() {
    WIDE.removeEventListener("change", this.arrange);
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
    if (before?.ply !== view.ply) [this.only, this.countering] = [null, false];
    this.seats ??= view.seats.map((_, seat) => part(this.people.facts(seat), playerPart(seat)));
    this.draw();
    if (before?.ply !== view.ply && this.asked) this.tabs.show("trade");
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
    this.asked = this.mine && ASKING.includes(scene.phase);
    this.island.update({ scene, actions: [...this.legal.values()], only: this.only,
      ...this.marks });
    for (const one of [...Object.values(this.parts), ...this.seats]) one.update(this);
    this.idle.hidden = !this.parts.trade.node.hidden || !this.parts.deal.node.hidden;
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

  /** Opens the trade panel, or begins or ends a counter-offer there. */
  trade(countering = false) {
    this.countering = countering;
    this.tabs.show("trade");
    this.draw();
  }

  track(on) {
    this.tracking = on;
    remember(TRACKER, on ? "on" : "off");
    this.draw();
  }

  name(seat) {
    const { name } = this.scene.players[seat];
    return this.view.you?.length === 1 && this.view.you[0] === seat ? "you" : name;
  }
}

function panel(label) {
  return h("section", { class: "catan-part", "aria-label": label, hidden: true });
}

/** What `make` draws in a node: `make(redraw)` is {key(table), draw(table)}. */
function part(node, make) {
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
