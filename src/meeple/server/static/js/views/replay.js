// A game again, move by move: the board, the list of moves, and what the agents had expected.

import { follow } from "../again.js";
import { download, get, linkTo, post } from "../api.js";
import { Board } from "../boards/board.js";
import { barRow, LineChart, sideHeight } from "../charts.js";
import { said } from "../catan/words.js";
import { copyField, tell } from "../dialogs.js";
import { sentence, t, translate, versus } from "../messages.js";
import { chip, colour, stoneOf } from "../players.js";
import { Explorer } from "../replay/explorer.js";
import { playOn } from "../replay/play_on.js";
import { Walker } from "../replay/walker.js";
import { Scenes } from "../scenes.js";
import { saveAsStudy } from "../study/own.js";
import { resultOf, seated } from "../table/words.js";
import { tabs } from "../tabs.js";
import { tokensOf, withYou } from "../tokens.js";
import { button, h, html, nothing, render, select } from "../view.js";
import { moveList, showCurrent, walkKey } from "../walk.js";
import { Worth } from "../worth.js";

let list = "moves"; // the panel that is shown, in the next replay as well
const SHORT = 12; // letters of a move that is a name, not a sentence
const NOTES = { event: "replay.event", round: "replay.round", date: "replay.date", place: "replay.at",
  name: "replay.name", about: "replay.about", source: "replay.source", result: "replay.recorded" };

/** `params`: the table's id, and `ply`. */
export async function show(root, params, app) {
  const tokens = tokensOf(params.id ?? "");
  const path = `/api/tables/${encodeURIComponent(params.id ?? "")}/replay`;
  const game = await get(path, { tokens });
  const replay = new Replay(root, app, game, tokens);
  const ply = Number.parseInt(params.ply, 10);
  await replay.begin(Number.isInteger(ply) ? ply : 0);
  if (game.status === "playing") {
    replay.own(follow(game.id, game.plies.length, async () => replay.take(await get(path, { tokens }))));
  }
  return replay;
}

class Replay extends Walker {
  constructor(root, app, game, tokens) {
    super(root, app);
    this.tokens = tokens;
    this.hold(game);
    this.worth = new Worth(game.scale);
    this.eyes = null; // whose hand is shown; null: of who is to move
    this.scenes = new Scenes({ key: () => String(this.eyes), ask: (ply) => this.ask(ply) });
    this.boardBox = h("div", { class: `board-area replay-board ${this.isIsland ? "island" : ""}` });
    this.chartBox = h("div", { class: "panel side-curve", hidden: true });
    // Where something is hidden or drawn by chance, no position comes again.
    this.explorer = game.explorable ? this.own(new Explorer({ tokens, here: game.id })) : null;
    app.title(t("replay.title", { game: translate(game.title) }));
    this.listen(document, "keydown", (event) => walkKey(event, this.last, this.walk));
    this.chart = null;
  }

  hold(game) {
    this.game = withYou(game);
    this.told = game.plies.filter(({ text }) => text);
    // A ply without words is part of the next one that has some: nobody needs to stop there.
    this.stops = [0, ...this.told.map(({ ply }) => ply + 1)];
    if (this.last !== game.plies.length) this.stops.push(game.plies.length);
  }

  /** The game went on, or a move was taken back: whoever looks at the newest move sees the next. */
  async take(game) {
    if (this.closed) return;
    const newest = this.ply === this.last;
    this.hold(game);
    this.scenes.clear();
    this.drawCurve();
    await this.go(newest ? this.last : this.ply);
  }

  async begin(ply) {
    this.draw();
    this.board = this.own(this.isIsland ? await this.makeIsland()
      : new Board(this.boardBox, { label: t("common.position") }));
    this.drawCurve();
    await this.go(ply);
  }

  get isIsland() {
    return this.game.family === "island";
  }

  /** Catan's table, with its panels, at which nothing can be done. */
  async makeIsland() {
    const { CatanTable } = await import("./catan.js");
    this.log = { root: h("section", { class: "panel" }) };
    const { id, plies } = this.game;
    const table = new CatanTable(this.boardBox, { play: () => null, log: this.log });
    this.panels = table.panels;
    return {
      update: (/** @type {any} */ { scene, seat, mover }) => table.update({ id, scene, ...seated(this.game),
        ply: this.ply, actions: [], to_move: mover, you: seat === null ? [] : [seat], status: "over",
        events: { from: 0, list: plies.slice(0, this.ply).filter(({ text }) => text) } }),
      close: () => table.close(),
    };
  }

  // ------------------------------------------------------------ walking

  approach() {
    const { game: { id, plies }, ply } = this;
    history.replaceState(null, "", `#/replay/${id}?ply=${ply}`);
    this.chart?.update({ cursor: ply });
    this.explorer?.look({ source: { table: id }, ply }, plies[ply]?.text);
  }

  arrive() {
    const { scene, seat, to_move: mover } = this.scene;
    this.board.update({ scene, actions: [], mover, seat, players: this.game.players });
  }

  ask(ply) {
    const wanted = { source: { table: this.game.id }, ply };
    const seen = this.eyes === null ? wanted : { ...wanted, seat: this.eyes };
    return post("/api/scenes", seen, { tokens: this.tokens });
  }

  look(eyes) {
    this.eyes = eyes === "" ? null : Number(eyes);
    this.go(this.ply);
  }

  draw() {
    super.draw();
    if (this.log) render(this.moves(), this.log.root);
    showCurrent(this.root);
  }

  // ------------------------------------------------------------ from here

  async goOn() {
    this.pause();
    await playOn(this.game, this.ply, this.scenes.at(this.ply), this.tokens, this.app);
  }

  share() {
    const { game: { id }, ply } = this;
    tell(t("replay.share"), copyField(t("common.opens_link"), linkTo(`replay/${id}?ply=${ply}`)));
  }

  // ------------------------------------------------------------ the view

  template() {
    const { game, ply, hasCurve, isIsland } = this;
    const comment = game.notes.comments?.[ply];
    return html`<div class="table-page replay">${this.head()}
      <section class="table-main" aria-label=${t("common.board")}>${this.boardBox}</section>
      <aside class="table-side"><div class="side-part">${hasCurve ? this.bar() : nothing}${
        this.steps(this.textOf(this.words))}${this.eyesChoice()}
        <p class="replay-comment" ?hidden=${!comment}>${comment ?? ""}</p>
        ${isIsland ? nothing : this.lists()}${this.ways()}${isIsland ? this.chartBox : nothing}</div>
        <div class="side-part">${this.panels ?? this.chartBox}</div></aside></div>`;
  }

  /** What was expected when the ply was chosen, or last before it. */
  bar() {
    const { game: { plies, players }, ply, worth } = this;
    const value = plies.findLast((one) => one.ply <= ply && one.value)?.value;
    const part = (name, seat) => ({ name: this.nameOf(seat), words: worth.words(value, seat),
      share: value?.[seat] ?? null, colour: colour(seat, stoneOf(this.scene?.scene, seat, name)) });
    return barRow(players.map(part), t("replay.expected"));
  }

  moves() {
    return html`${moveList(this.told.map((one) => ({ ...one, words: this.textOf(one) })),
      { players: this.game.players, current: this.stops[this.stopAt(this.ply)], pick: this.walk.go })}${
      this.notes()}`;
  }

  show(tab) {
    list = tab;
    this.draw();
  }

  lists() {
    const panels = { moves: [t("common.moves"), this.moves()],
      played: this.explorer && [t("explorer.tab"), this.explorer.root] };
    return html`<div class="tabs">${
      tabs(t("replay.lists"), panels, panels[list] ? list : "moves", (tab) => this.show(tab))}</div>`;
  }

  nameOf(seat) {
    const { seats, players } = this.game;
    return seats.indexOf(seats[seat]) === seat ? translate(seats[seat])
      : `${translate(seats[seat])} (${translate(players[seat])})`;
  }

  head() {
    const { title, seats, players, status, id } = this.game;
    return html`<header class="table-head"><div><h1>${t("replay.title", { game: translate(title) })}</h1>
        <ul class="replay-players">${seats.map((name, seat) => html`<li>${
          chip(seat, stoneOf(this.scene?.scene, seat, players[seat]))}<span>${
          translate(name)}</span></li>`)}</ul></div>
      <div class="turn-words"><p class="replay-said" role="status">${this.said()}</p>
        <p class="last quiet">${status === "playing" ? html`${t("common.live")}
          <a href="#/table/${id}">${t("common.to_table")}</a>`
          : html`${sentence(resultOf(this.game) || t("common.broken_off"))} · <a href="#/library">${
            t("common.all_games")}</a>`}</p></div></header>`;
  }

  /** The words on the ply that is shown. */
  get words() {
    return this.told.findLast(({ ply }) => ply < this.ply) ?? { seat: -1, text: t("replay.beginning") };
  }

  /** The words of a ply; Catan's places are named by their tiles. */
  textOf({ text }) {
    return said(text, this.scene?.scene, this.game);
  }

  said() {
    const { seat } = this.words;
    const text = this.textOf(this.words);
    if (seat < 0) return html`<span>${sentence(text)}</span>`;
    const { seats, players } = this.game;
    return html`${chip(seat, players[seat])}<span>${text.length <= SHORT
      ? t("common.pair", { name: translate(seats[seat]), value: text }) : sentence(text)}</span>`;
  }

  /** Where cards are hidden, whose may be seen. */
  eyesChoice() {
    const { hides, seats } = this.game;
    if (!hides) return nothing;
    return html`<div class="line replay-eyes"><label for="replay-eyes">${t("replay.eyes")}</label>
      ${select({ id: "replay-eyes" }, this.eyes ?? "", [["", t("replay.mover")],
        ...seats.map((name, seat) => [seat, translate(name)])], (eyes) => this.look(eyes))}</div>`;
  }

  ways() {
    const { game: { game, id, seats }, ply, tokens, app } = this;
    const take = () => download(`/api/tables/${id}/record?format=jsonl`, `${game}-${id}.jsonl`);
    return html`<div class="line replay-ways">
      <a class="button" href="#/analysis?table=${id}&ply=${ply}">${t("replay.analyse")}</a>
      ${button(t("replay.play_on"), () => this.goOn(), { disabled: !this.scene || this.scene.over })}
      ${button(t("common.save_as_study"), () => saveAsStudy({ source: { table: id }, ply,
        title: versus(seats), tokens, app }))}
      ${button(t("common.share"), () => this.share())}
      ${button(t("common.download"), () => app.attempt(take))}</div>`;
  }

  notes() {
    const { notes } = this.game;
    const found = Object.entries(NOTES).filter(([name]) => notes[name]);
    return found.length ? html`<dl class="replay-notes">${found.map(([name, label]) =>
      html`<dt>${t(label)}</dt><dd>${notes[name]}</dd>`)}</dl>` : nothing;
  }

  get hasCurve() {
    return this.game.plies.filter(({ value }) => value).length > 1;
  }

  drawCurve() {
    this.chartBox.hidden = !this.hasCurve;
    if (!this.hasCurve) return;
    const { worth, game: { plies, seats } } = this;
    const valued = plies.filter(({ value }) => value);
    const series = seats.map((_, seat) => ({ name: this.nameOf(seat), colour: colour(seat),
      points: valued.map(({ ply, value }) => [ply, worth.of(value, seat)]) }));
    this.chart ??= this.own(new LineChart(this.chartBox, { label: t("replay.expected"), height: sideHeight(),
      x: { label: t("common.move"), format: (ply) => (Number.isInteger(ply) ? String(ply) : "") },
      y: { label: worth.label, format: (value) => worth.text(value) }, onPick: (ply) => this.walk.go(ply) }));
    this.chart.update({ series, range: { x: [0, Math.max(plies.length, 1)], ...worth.limits } });
  }
}
