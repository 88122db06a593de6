// The table of Catan: the island above a bar of what one holds and may do; beside it the players and
// panels for trade, the log, and the bank.

import { Island } from "../boards/island.js";
import { deal, noDeal } from "../catan/deal.js";
import { dice, production, rolls, showProduction, stock } from "../catan/dice.js";
import { cards, hand } from "../catan/hand.js";
import { facts, tracker } from "../catan/players.js";
import { refusals, refusalSettings, refused } from "../catan/refusals.js";
import { noTerms, trade } from "../catan/trade.js";
import { turn } from "../catan/turn.js";
import { total, words } from "../catan/words.js";
import { sentence, t } from "../messages.js";
import { chip } from "../players.js";
import { recall, remember } from "../storage.js";
import { named } from "../table/words.js";
import { tabs } from "../tabs.js";
import { Controller, h, html, nothing, render } from "../view.js";

const ASKING = ["answer", "choose", "consent"]; // phases in which the trade table is what matters
const TRACKER = "meeple.catan.tracker"; // the key of the card tracker's switch, which is kept
const WIDE = matchMedia("(min-width: 900px)"); // the players' list is always shown
// and the log, beside the other panels
const WIDER = matchMedia("(min-width: 1600px) and (min-height: 560px)");
const TURNING = 600; // milliseconds that the dice turn

export class CatanTable extends Controller {
  /** In `place`. `play(actions)` plays all or none; `people` and `log` are the controllers of the
   *  list of players and of events, where there are some. `panels` is the node of the panels. */
  constructor(place, { play, people = null, log = null }) {
    super(h("div", { class: "catan" }));
    place.append(this.root);
    this.panels = h("div", { class: "tabs" });
    this.islandPlace = h("div", { class: "catan-place" });
    this.people = people;
    this.log = log;
    this.view = null; // the server's newest
    this.scene = null;
    this.marks = {};
    this.sent = false; // actions are on their way
    this.turning = false; // the dice have just been rolled
    this.card = null; // {name, picked}: the card whose resources are being chosen
    this.away = [0, 0, 0, 0, 0]; // cards chosen to be discarded
    this.texts = new Map(); // the events' texts by their ply
    this.only = null; // "road", "settlement" or "city", where one has chosen what to build
    this.countering = false; // a counter-offer is being composed
    this.tracking = recall(TRACKER) === "on"; // the card tracker is shown
    this.refusals = refusals();
    this.play = play;
    this.name = (seat) => this.nameOf(seat);
    this.tab = "players";
    for (const one of [WIDE, WIDER]) this.listen(one, "change", () => this.show(this.tab));
    if (people) people.facts = (seat) => (this.scene ? facts(this, seat) : nothing);
    this.island = this.own(new Island(this.islandPlace, { onAction: (id) => this.play([id]),
      label: t("catan.island") }));
    this.own(() => this.root.remove());
  }

  /** `marks`: what the island shows beside the view; see `board.js`. `past`: an earlier scene. */
  update(view, { sent = false, ...marks } = {}) {
    const before = this.view;
    const rolled = this.scene && total(view.scene.rolls) === total(this.scene.rolls) + 1;
    const cards = rolled && view.scene.dice ? production(this.scene, view.scene) : [];
    Object.assign(this, { view, scene: view.scene, marks, sent });
    if (before?.id !== view.id) this.texts.clear();
    this.hear(view.events);
    if (before?.ply !== view.ply) this.begin(view, before, rolled);
    this.draw();
    const rows = this.people?.root.querySelectorAll(".people > li");
    showProduction(this.islandPlace, cards, (seat) => rows?.[seat]);
    this.refuse();
  }

  /** Refuses the offer that is asked about, if the player wants that without being asked. */
  refuse() {
    if (refused(this)) this.play([this.scene.codes.refuse]);
  }

  /** Another position: what was chosen in the one before is of no more use. */
  begin(view, before, rolled) {
    const { scene } = view;
    Object.assign(this, { only: null, countering: false, card: null, away: [0, 0, 0, 0, 0],
      turning: rolled });
    if (rolled) setTimeout(() => this.set({ turning: false }), TURNING);
    const now = `${view.id} ${scene.turn} ${scene.to_move}`;
    if (now !== this.trading) Object.assign(this, noTerms());
    if (`${now} ${scene.phase}` !== this.dealing) Object.assign(this, noDeal(scene));
    this.trading = now;
    this.dealing = `${now} ${scene.phase}`;
    this.learn();
    if (before && this.asked && !refused(this)) this.tab = "trade";
  }

  /** Keeps what was said of every ply, to show answers with their reasons. */
  hear({ from = 0, list = [] } = {}) {
    for (const ply of this.texts.keys()) if (ply >= from) this.texts.delete(ply);
    for (const { ply, text } of list) this.texts.set(ply, text);
  }

  /** What one may do now. */
  learn() {
    this.legal = new Map(this.sent ? [] : this.view.actions.map((action) => [action.id, action]));
    this.mine = this.legal.size > 0;
    this.asked = this.mine && ASKING.includes(this.scene.phase);
  }

  show(tab) {
    this.set({ tab });
  }

  /** The panel of the tab, or another one if that is always shown. */
  get panel() {
    const { tab, log } = this;
    if (tab === "players" && WIDE.matches) return log && !WIDER.matches ? "log" : "trade";
    return tab === "log" && WIDER.matches ? "trade" : tab;
  }

  /** Opens the trade panel, or begins or ends a counter-offer there. */
  trade(countering = false) {
    this.set({ countering, tab: "trade" });
  }

  track(tracking) {
    remember(TRACKER, tracking ? "on" : "off");
    this.set({ tracking });
  }

  nameOf(seat) {
    const { you } = this.view;
    if (you?.length === 1 && you[0] === seat) return t("catan.you");
    return named(this.view, this.scene.players[seat].name);
  }

  // ------------------------------------------------------------ the view

  draw() {
    if (!this.view) return;
    this.learn();
    this.root.classList.toggle("mine", this.mine);
    super.draw();
    render(this.side(), this.panels);
    if (this.people?.table) this.people.draw();
    const { past = null, ...marks } = this.marks;
    this.island.update({ scene: past ?? this.scene, actions: past ? [] : [...this.legal.values()],
      only: this.only, ...marks });
  }

  template() {
    return html`${this.islandPlace}<div class="catan-bar">
      ${part(t("catan.hand"), hand(this))}${part(t("catan.development_cards"), cards(this))}
      <div class="catan-actions"><p class="catan-words" role="status">${words(this)}</p>
        ${part(t("catan.your_move"), turn(this))}</div>${part(t("catan.dice"), dice(this))}</div>`;
  }

  /** The players where there is no list of them beside the table. */
  players() {
    return html`<ul class="people">${this.scene.players.map(({ name }, seat) => html`<li>${chip(seat, name)}
      <span class="names"><strong class="name">${sentence(named(this.view, name))}</strong></span>
      <div class="facts-of">${facts(this, seat)}</div></li>`)}</ul>`;
  }

  side() {
    const [talk, deals] = [trade(this), deal(this)];
    const panels = {
      players: [t("common.players"), this.people?.root ?? this.players()],
      trade: [t("catan.trade"), html`<p class="quiet" ?hidden=${talk || deals}>${t("catan.own_turn")}</p>
        ${part(t("catan.trade"), talk)}${part(t("catan.deal"), deals)}${
        part(t("catan.refusals"), refusalSettings(this))}`],
      log: this.log && [t("catan.log"), this.log.root],
      bank: [t("catan.bank"), html`${part(t("catan.bank_and_costs"), stock(this))}${
        part(t("catan.rolls"), rolls(this))}${part(t("catan.tracker"), tracker(this))}`],
    };
    return tabs(t("catan.panels"), panels, this.panel, (tab) => this.show(tab));
  }
}

function part(label, content) {
  return html`<section class="catan-part" aria-label=${label} ?hidden=${!content}>${
    content ?? nothing}</section>`;
}
