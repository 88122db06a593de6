// A game again, move by move: the board, the list of moves, and what the agents had expected.

import { follow } from "../again.js";
import { download, get, post } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { lineChart } from "../charts.js";
import { said } from "../catan/words.js";
import { button, select } from "../controls.js";
import { copyField, tell } from "../dialogs.js";
import { h } from "../dom.js";
import { t, translate } from "../messages.js";
import { chip, colour } from "../players.js";
import { Explorer } from "../replay/explorer.js";
import { playOn } from "../replay/play_on.js";
import { Scenes } from "../scenes.js";
import { saveAsStudy } from "../study/own.js";
import { tokensOf } from "../tokens.js";
import { Controller, html, live, nothing } from "../view.js";
import { moveList, showCurrent, signButton, walkButtons, walkKey } from "../walk.js";
import { percent, sentence, versus } from "../words.js";

const SPEEDS = [["0.5", t("walk.slow")], ["1", t("walk.one")], ["2", t("walk.two")], ["5", t("walk.fast")]];
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
  const unfollow = game.status !== "playing" ? () => null
    : follow(game.id, game.plies.length, async () => replay.take(await get(path, { tokens })));
  return () => {
    unfollow();
    replay.close();
  };
}

class Replay extends Controller {
  constructor(root, app, game, tokens) {
    super(root);
    this.app = app;
    this.tokens = tokens;
    this.hold(game);
    this.ply = 0;
    this.eyes = null; // whose hand is shown; null: of who is to move
    this.scene = null;
    this.speed = "1";
    this.scenes = new Scenes({ key: () => String(this.eyes), ask: (ply) => this.ask(ply) });
    this.wanted = null; // the ply that is asked for while another is on its way
    this.asking = false;
    this.timer = null;
    this.closed = false;
    this.boardBox = h("div", { class: this.isIsland ? "replay-board island" : "replay-board" });
    this.chartBox = h("div", {});
    // Where something is hidden or drawn by chance, no position comes again.
    this.explorer = game.explorable ? new Explorer({ tokens, here: game.id }) : null;
    app.title(t("replay.title", { game: translate(game.title) }));
    this.onkey = (event) => walkKey(event, this.last, this.walk);
    document.addEventListener("keydown", this.onkey);
    this.chart = null;
    this.walk = { step: (by) => this.paused().step(by), go: (to) => this.paused().go(to) };
  }

  hold(game) {
    this.game = game;
    this.last = game.plies.length;
    this.told = game.plies.filter(({ text }) => text);
    // A ply without words is part of the next one that has some: nobody needs to stop there.
    this.stops = [0, ...this.told.map(({ ply }) => ply + 1)];
    if (this.stops.at(-1) !== this.last) this.stops.push(this.last);
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

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.onkey);
    this.board?.close();
    this.chart?.close();
    this.explorer?.close();
  }

  async begin(ply) {
    this.draw();
    this.board = this.isIsland ? await this.makeIsland()
      : makeBoard(this.boardBox, { label: t("common.position") });
    if (this.closed) this.board.close();
    this.drawCurve();
    await this.go(ply);
  }

  get isIsland() {
    return this.game.family === "island";
  }

  /** Catan's table, with its panels, at which nothing can be done. */
  async makeIsland() {
    const { CatanTable } = await import("./catan.js");
    const { id, plies } = this.game;
    const table = new CatanTable(this.boardBox, { send: () => false, app: this.app });
    this.boardBox.append(table.panels);
    return {
      update: (/** @type {any} */ { scene, seat, mover }) => table.update({ id, scene,
        ply: this.ply, actions: [], to_move: mover, you: seat === null ? [] : [seat], status: "over",
        events: { from: 0, list: plies.slice(0, this.ply).filter(({ text }) => text) } }),
      close: () => table.close(),
    };
  }

  // ------------------------------------------------------------ walking

  /** Where the ply is among those to stop at. */
  get stop() {
    return this.stops.findLastIndex((stop) => stop <= this.ply);
  }

  step(by) {
    const from = by < 0 && this.stops[this.stop] < this.ply ? this.stop + 1 : this.stop;
    return this.go(this.stops[Math.min(Math.max(from + by, 0), this.stops.length - 1)]);
  }

  /** Goes to a ply; where one is on its way already, only the last one asked for comes after it. */
  async go(ply) {
    this.wanted = Math.min(Math.max(ply, 0), this.last);
    if (this.asking) return;
    this.asking = true;
    while (this.wanted !== null && !this.closed) {
      const to = this.wanted;
      this.wanted = null;
      await this.arrive(to);
    }
    this.asking = false;
  }

  async arrive(ply) {
    const { id, plies, players } = this.game;
    this.set({ ply });
    history.replaceState(null, "", `#/replay/${id}?ply=${ply}`);
    this.chart?.update({ cursor: ply });
    this.explorer?.look({ source: { table: id }, ply }, plies[ply]?.text);
    try {
      this.scene = await this.scenes.at(ply);
    } catch (error) {
      this.pause();
      this.scene = null;
      if (!this.closed) this.app.say(error.message, "error");
      return;
    }
    if (this.closed || this.wanted !== null) return;
    const { scene, seat, to_move: mover } = this.scene;
    this.board.update({ scene, actions: [], mover, seat, players });
    this.draw();
    const beside = [this.stops[this.stop + 1], this.stops[this.stop - 1]];
    this.scenes.ahead(beside.filter((stop) => stop !== undefined));
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
    showCurrent(this.root);
  }

  // ------------------------------------------------------------ by itself, and from here

  start() {
    if (this.ply === this.last) this.go(0);
    this.next();
    this.draw();
  }

  next() {
    this.timer = setTimeout(async () => {
      await this.step(1);
      if (this.timer && !this.closed && this.ply < this.last) this.next();
      else this.pause();
    }, 1000 / Number(this.speed));
  }

  pause() {
    clearTimeout(this.timer);
    this.set({ timer: null });
  }

  paused() {
    this.pause();
    return this;
  }

  async goOn() {
    this.pause();
    await playOn(this.game, this.ply, this.scene, this.tokens, this.app);
  }

  async offer() {
    const { game, id } = this.game;
    await this.app.attempt(() => download(`/api/tables/${id}/record?format=jsonl`, `${game}-${id}.jsonl`));
  }

  saveStudy() {
    const { game, ply, tokens, app } = this;
    return saveAsStudy({ source: { table: game.id }, ply, title: versus(game.seats), tokens, app });
  }

  share() {
    const link = `${location.origin}${location.pathname}#/replay/${this.game.id}?ply=${this.ply}`;
    tell(t("replay.share"), copyField(t("common.opens_link"), link));
  }

  // ------------------------------------------------------------ the view

  template() {
    const { game, ply, isIsland, hasCurve } = this;
    const comment = game.notes.comments?.[ply];
    const parts = [this.boardBox, this.steps(), this.eyesChoice()];
    return html`${this.head()}
      <div class=${isIsland ? "replay replay-wide" : "replay"}>
        <section class="panel" aria-label=${t("common.board")}><p class="replay-said" role="status">${
          this.said()}</p>
          <p class="replay-comment" ?hidden=${!comment}>${comment ?? ""}</p>
          ${isIsland ? [...parts.slice(1), parts[0]] : parts}${this.ways()}</section>
        <div class="replay-side"><section class="panel" aria-label=${t("common.moves")}>
          <h2>${t("common.moves")}</h2>
          ${moveList(this.told.map((one) => ({ ...one, words: this.textOf(one) })), { players: game.players,
            current: this.stops[this.stop], pick: this.walk.go })}${this.notes()}</section>
          ${this.explorer?.root ?? nothing}</div>
        <section class="panel replay-curve" aria-label=${t("replay.expected_chances")} ?hidden=${!hasCurve}>
          <h2>${t("replay.expected")}</h2>${this.chartBox}</section></div>`;
  }

  head() {
    const { title, seats, players, result, status, id } = this.game;
    return html`<div class="line spread replay-head"><div><h1>${
      t("replay.title", { game: translate(title) })}</h1>
      <ul class="replay-players">${seats.map((name, seat) => html`<li>${chip(seat, players[seat])}
        <span>${translate(name)}</span></li>`)}</ul>
      ${status === "playing" ? html`<p>${t("common.live")}
        <a href="#/table/${id}">${t("common.to_table")}</a></p>`
        : html`<p class="quiet">${sentence(translate(result || "") || t("common.broken_off"))}</p>`}</div>
      <a href="#/library">${t("common.all_games")}</a></div>`;
  }

  /** The words on the ply that is shown. */
  get words() {
    return this.told.findLast(({ ply }) => ply < this.ply)
      ?? { seat: -1, text: t("replay.beginning") };
  }

  /** The words of a ply; Catan's places are named by their tiles. */
  textOf({ text }) {
    return said(text, this.scene?.scene);
  }

  said() {
    const { seat } = this.words;
    const text = this.textOf(this.words);
    if (seat < 0) return html`<span>${sentence(text)}</span>`;
    const { seats, players } = this.game;
    return html`${chip(seat, players[seat])}<span>${text.length <= SHORT
      ? t("common.pair", { name: translate(seats[seat]), value: text }) : sentence(text)}</span>`;
  }

  steps() {
    const { ply, last, stops, timer } = this;
    const slide = ({ target }) => this.walk.go(stops[Number(target.value)]);
    return html`<div class="replay-walk"><div class="replay-steps" role="group"
        aria-label=${t("replay.steps")}>
        ${walkButtons(ply, last, this.walk)}
        <span class="line">${timer ? signButton("pause", t("walk.pause"), () => this.pause())
          : signButton("play", t("walk.play"), () => this.start())}
          ${select({ label: t("replay.speed") }, this.speed, SPEEDS, (speed) => this.set({ speed }))}
        </span></div>
      <input type="range" min="0" max=${stops.length - 1} step="1" aria-label=${t("replay.place")}
        .value=${live(String(this.stop))} aria-valuetext=${
          t("replay.place_at", { n: ply, all: last, words: this.textOf(this.words) })}
        @input=${slide}></div>`;
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
    return html`<div class="line replay-ways">
      <a class="button" href="#/analysis?table=${this.game.id}&ply=${this.ply}">${
        t("replay.analyse")}</a>
      ${button(t("replay.play_on"), () => this.goOn(), { disabled: Boolean(this.scene?.over) })}
      ${button(t("common.save_as_study"), () => this.saveStudy())}
      ${button(t("common.share"), () => this.share())}
      ${button(t("common.download"), () => this.offer())}</div>`;
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
    if (!this.hasCurve) return;
    const { plies, seats, players } = this.game;
    const valued = plies.filter(({ value }) => value);
    const series = seats.map((name, seat) => ({
      name: seats.indexOf(name) === seat ? translate(name)
        : `${translate(name)} (${translate(players[seat])})`,
      colour: colour(seat),
      points: valued.map(({ ply, value }) => [ply, value[seat]]),
    }));
    this.chart ??= lineChart(this.chartBox, { label: t("replay.chart"),
      x: { label: t("common.move"), format: (ply) => (Number.isInteger(ply) ? String(ply) : "") },
      y: { label: t("replay.chances"), format: percent }, onPick: (ply) => this.walk.go(ply) });
    this.chart.update({ series, range: { x: [0, Math.max(plies.length, 1)], y: [0, 1] } });
  }
}
