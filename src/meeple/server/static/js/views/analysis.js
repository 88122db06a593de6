// Analysis: any position on the board, what agents think of it, and where a game swung.

import { follow } from "../again.js";
import { post } from "../api.js";
import { Board } from "../boards/board.js";
import { said, spotsOf } from "../catan/words.js";
import { Curve } from "../analysis/curve.js";
import { Explain } from "../analysis/explain.js";
import { Opening } from "../analysis/opening.js";
import { Requests } from "../analysis/requests.js";
import { Retry } from "../analysis/retry.js";
import { Setup } from "../analysis/setup.js";
import { Thoughts } from "../analysis/thoughts.js";
import { described, shares, turnWords } from "../analysis/words.js";
import { allGames, defaultsOf, firstGame } from "../game_options.js";
import { ended, t, translate, versus } from "../messages.js";
import { Explorer } from "../replay/explorer.js";
import { Scenes } from "../scenes.js";
import { saveAsStudy } from "../study/own.js";
import { resultOf } from "../table/words.js";
import { seatsOf, tokensOf, withYou } from "../tokens.js";
import { button, checkbox, Controller, h, html, nothing } from "../view.js";
import { tabs } from "../tabs.js";
import { moveList, showCurrent, walkButtons, walkKey } from "../walk.js";

const MOST_NUMBERS = 9; // of the expected line on the board

/** `params`: `table` and `ply`, or `game`; `review` begins the review at once. */
export async function show(root, params, app) {
  const desk = new Desk(root, app);
  const source = params.table ? { table: params.table } : await emptyBoard(params.game);
  if (params.review) desk.tab = "game";
  if (await desk.open(source, Number.parseInt(params.ply, 10)) && params.review) {
    desk.requests.stop();
    desk.requests.sweep({ ready: true });
  }
  return desk;
}

/** A new game of that name, or of the one chosen last. */
async function emptyBoard(name = undefined) {
  return { game: name ?? firstGame(await allGames())?.name, options: {}, moves: [] };
}

/** The game that is looked at (`source`, `info`), a variation of it (`branch`), and where in it. */
export class Desk extends Controller {
  constructor(root, app) {
    super(root);
    this.app = app;
    this.source = null;
    this.info = null;
    /** @type {any} */
    this.study = null; // in which the moves are kept
    this.branch = null; // {from: ply, plies: [{seat, name, text}]}
    this.ply = 0; // of the game, or of its variation
    this.aim = 0; // the ply that is on its way, or is there
    this.scene = null;
    this.map = null; // the last position that was seen, which tells Catan's places
    this.refusal = ""; // why there is no scene
    this.peek = null; // what the board shows while something is pointed at
    this.heat = this.numbers = true; // what the board shows of a thought
    this.offline = false;
    this.tab = "thoughts"; // the panel that is shown
    this.turn = 0; // counts positions, so that late answers are known
    this.unfollow = () => null;
    this.boardBox = h("div", { class: "board-area analysis-board" });
    this.board = this.own(new Board(this.boardBox, { label: t("common.position"),
      onAction: (id) => this.playId(id), onPoint: (spot) => this.explain.point(spot) }));
    this.explain = new Explain((explained) => this.board.update({ explained }));
    this.scenes = new Scenes({ key: (ply) => this.keyOf(ply), ask: (ply) => this.ask("/api/scenes",
      { source: this.here, ply, explain: this.explain.on }) });
    const draw = () => this.draw();
    this.explorer = this.own(new Explorer());
    this.opening = new Opening({ draw, stop: () => this.requests.stop(),
      ask: (action) => this.requests.quickGames(action),
      play: (names) => this.playNames(names) });
    this.setup = this.own(new Setup((source) => this.open(source)));
    const words = (text) => this.words(text);
    this.thoughts = this.own(new Thoughts({ draw, words,
      stop: () => this.requests.pause(), start: () => this.requests.start(),
      evaluators: (found) => this.curve.compare.begin(found),
      rival: (judge) => this.curve.compare.other(judge), compare: (spec) => this.requests.compare(spec),
      peek: (peek) => {
        this.peek = peek;
        this.drawBoard();
      }, play: (names) => this.playNames(names) }));
    this.curve = this.own(new Curve({ draw, words, stop: () => this.requests.stopReview(),
      pick: (ply) => this.goInGame(ply),
      sweep: () => this.requests.sweep(), compare: (second) => this.requests.sweep({ second }),
      retry: () => this.tryAgain() }));
    this.retry = new Retry({ words, explain: (on) => this.explained(on), place: (ply) => this.go(ply, null),
      play: (name) => this.playNames([name]), draw: () => this.curve.hide(this.retry.active),
      ended: () => this.requests.thinks && this.requests.think(),
      loss: (share, seat) => this.curve.worth.loss(share, seat),
      matters: (share) => this.curve.matters(share),
      progress: () => (this.curve.running === "idle" ? "" : this.curve.progress) });
    this.walk = { step: (by) => this.go(this.aim + by), go: (ply) => this.go(ply) };
    this.listen(document, "keydown", (event) => this.info && walkKey(event, this.last, this.walk));
    this.requests = new Requests(this);
    this.own(() => this.unfollow());
  }

  // ------------------------------------------------------------ the view

  draw() {
    if (!this.info) return; // the page says what it waits for
    super.draw();
    this.drawBoard();
    showCurrent(this.root);
  }

  template() {
    const { info, source, scene, offline, study, retry } = this;
    const waits = scene && scene.to_move === -1 && !scene.over;
    const live = source?.table && !info.over ? html`${t("common.live")}
      <a href="#/table/${source.table}">${t("common.to_table")}</a>` : nothing;
    return html`<div class="table-page analysis">
      <header class="table-head"><div><h1>${this.heading}</h1><p class="quiet small terms">${
        described(info, source, this.defaults, study)}</p></div>
        <div class="turn-words"><p class="turn analysis-turn" role="status">${this.turnWords}</p>
          <p class="last quiet">${live}</p></div></header>
      <section class="table-main" aria-label=${t("common.board")}>${this.boardBox}</section>
      <aside class="table-side">
        <p class="banner warn" role="status" ?hidden=${!offline}>${t("analysis.offline")}</p>
        <div class="side-part">
          ${retry.active ? nothing : this.thoughts.bar(this.branch ? null : this.curve.valueAt(this.ply))}
          <div class="line analysis-steps">${walkButtons(this.ply, this.last, this.walk)}</div>
          ${waits ? button(t("analysis.chance"), () => this.drawLot(), { kind: "primary" }) : nothing}
          ${retry.template()}<div class="tabs">${
            tabs(t("analysis.panels"), this.panels, this.tab, (tab) => this.set({ tab }))}</div></div>
        <div class="side-part">${study ? nothing : html`<section class="panel analysis-list"
          aria-label=${t("common.moves")}>${this.moves()}</section>`}${this.curve.box}</div></aside></div>`;
  }

  get panels() {
    const { study, info } = this;
    const toggle = (name, words) => checkbox(words, this[name], (on) => this.set({ [name]: on }));
    const part = (kind, name, content) => html`<section class="panel analysis-${kind}" aria-label=${name}>${
      content}</section>`;
    return {
      study: study && [t("shell.study"), part("study", t("common.moves"), this.moves())],
      thoughts: [t("analysis.evaluation"), html`${this.opening.template()}${
        part("thoughts", t("analysis.thoughts"), this.thoughts.template())}`],
      game: [t("analysis.review"), part("game", t("analysis.whole"), this.curve.template())],
      played: info.explorable && [t("explorer.tab"), this.explorer.root],
      position: [t("common.board"), html`<div class="stack"><div>${toggle("heat", t("analysis.heat"))}${
        toggle("numbers", t("analysis.numbers"))}${checkbox(t("analysis.explain"), this.explain.on,
        (on) => this.explained(on))}</div>${this.explain.root}
        ${study ? nothing : html`<div class="line">${this.saveButton()}</div>${this.setup.root}`}</div>`],
    };
  }

  /** The words of an action by its name, or of an event by its text. */
  words(text) {
    this.map = this.scene?.scene ?? this.map;
    return said(text, this.map, this.info);
  }

  get heading() {
    return t("analysis.title", { game: translate(this.info.title) });
  }

  saveButton() {
    return html`${button(t("common.save_as_study"), () => this.saveStudy())}
      <a href="#/study">${t("analysis.studies")}</a>`;
  }

  saveStudy() {
    const { info, source, app, ply } = this;
    return saveAsStudy({ source: this.here, app, names: this.plies.slice(0, ply).map(({ name }) => name),
      title: source.game ? translate(info.title) : versus(info.seats),
      tokens: source.table ? tokensOf(source.table) : [] });
  }

  /** The moves of the game, and below them those of the variation. */
  moves() {
    const { branch, info, ply } = this;
    const list = (plies, first, current, pick) => {
      const all = plies.map(({ seat, text, name }, at) => ({ ply: first + at, seat: seat ?? -1, name, text,
        words: this.words(text || name) || t("analysis.unseen"), spots: spotsOf(name),
        grade: plies === info.plies ? this.curve.grades.get(at) : "" }));
      // As the log, it leaves out the single steps of an offer.
      const shown = info.family === "island" ? all.filter(({ text, name }) => text || !name) : all;
      const last = shown.findLast((one) => one.ply < current)?.ply;
      return moveList(shown, { players: info.players, current: current && last + 1, pick,
        light: (lit) => this.board.update({ lit }) });
    };
    return html`${list(info.plies, 0, branch ? null : ply, (to) => this.goInGame(to))}${branch
      ? html`<section class="analysis-branch"><div class="line spread"><h3>${t("analysis.variation")}</h3>
        ${button(t("analysis.back"), () => this.leaveBranch(), { kind: "small" })}</div>
        ${list(branch.plies, branch.from, ply, (to) => this.go(to))}</section>` : nothing}`;
  }

  // ------------------------------------------------------------ which game

  async open(source, ply = NaN) {
    this.requests.stop();
    this.requests.stopReview();
    try {
      const info = withYou(await this.ask("/api/positions", { source }), source.table);
      this.defaults = await defaultsOf(info.game);
      this.source = source;
      this.info = info;
    } catch (error) {
      this.app.say(error.message, "error");
      const other = await emptyBoard();
      if (!this.info && source.game !== other.game) return this.open(other);
      if (!this.info) throw error;
      return false;
    }
    this.scenes.clear();
    this.branch = null;
    this.retry.end();
    this.unfollow();
    const { info } = this;
    this.app.title(t("analysis.title", { game: translate(info.title) }));
    if (source.table && !info.over) {
      this.unfollow = follow(source.table, info.plies.length, () => this.goOn());
    }
    if (info.more) {
      this.app.say(t("analysis.more", { n: info.more + 1 }));
    }
    this.curve.begin(info);
    this.thoughts.begin(info);
    this.setup.begin(info);
    const last = info.plies.length;
    await this.go(Number.isInteger(ply) ? ply : source.record ? 0 : last);
    return true;
  }

  // The game went on, or a move was taken back; the newest move stays in view.
  async goOn() {
    const { source } = this;
    const info = withYou(await this.ask("/api/positions", { source }), source.table);
    if (this.source !== source) return;
    const [before, { length }] = [this.info.plies, info.plies];
    const same = before.every(({ name }, ply) => info.plies[ply]?.name === name);
    const newest = !this.branch && this.ply === before.length;
    this.scenes.clear();
    this.info = info;
    this.curve.grow(info);
    if (this.branch?.from > length) this.branch = null;
    if (!same || newest || this.ply > this.last) await this.go(newest ? length : this.ply);
    else this.draw();
  }

  ask(path, body) {
    const tokens = body.source?.table ? tokensOf(body.source.table) : [];
    return post(path, body, { tokens });
  }

  // The source whose last plies are those of the variation, if there is one.
  get here() {
    if (!this.branch) return this.source;
    const { from, plies } = this.branch;
    return { ...this.source, keep: from, then: plies.map(({ name }) => name) };
  }

  get plies() {
    if (!this.branch) return this.info.plies;
    return [...this.info.plies.slice(0, this.branch.from), ...this.branch.plies];
  }

  get last() {
    return this.plies.length;
  }

  // ------------------------------------------------------------ walking

  async go(ply, branch = this.branch) {
    if (!this.info) return;
    this.branch = branch;
    const to = Math.min(Math.max(ply, 0), this.last);
    if (this.branch && to < this.branch.from) this.branch = null;
    const turn = ++this.turn;
    this.aim = to;
    let scene, key;
    try {
      do { // again if explanations were turned on or off meanwhile
        key = this.keyOf(to);
        scene = await this.scenes.at(to);
      } while (turn === this.turn && key !== this.keyOf(to));
    } catch (error) {
      if (turn === this.turn) this.refused(to, error);
      return;
    }
    if (turn !== this.turn) return;
    this.ply = to;
    this.scene = scene;
    this.refusal = "";
    this.arrived();
  }

  arrived() {
    const { scene } = this;
    this.peek = null;
    this.explain.place(scene, this.info.players);
    this.thoughts.place({ scene, wanted: this.requests.thinks });
    this.curve.at(this.branch ? this.branch.from : this.ply);
    this.explore();
    this.requests.arrived();
    this.opening.place(scene);
    this.draw();
    if (this.source.table && !this.branch) {
      history.replaceState(null, "", `#/analysis?table=${this.source.table}&ply=${this.ply}`);
    }
    const beside = [this.ply + 1, this.ply - 1].filter((ply) => ply >= 0 && ply <= this.last);
    this.scenes.ahead(beside);
  }

  /** Tells the positions of one ply apart: by the moves before it, and with explanations or without. */
  keyOf(ply) {
    return JSON.stringify([this.explain.on, this.plies.slice(0, ply).map(({ name }) => name)]);
  }

  // What is thought of the position stays.
  async explained(on) {
    this.explain.on = on;
    const { turn, ply } = this;
    const scene = this.scene && await this.scenes.at(ply).catch(() => null);
    if (turn !== this.turn || ply !== this.ply || on !== this.explain.on) return;
    this.explain.place(scene, this.info?.players ?? []);
    this.draw();
  }

  explore() {
    const { info, source, ply, plies } = this;
    if (!info.explorable) return;
    this.explorer.tokens = source.table ? tokensOf(source.table) : [];
    this.explorer.worth = this.curve.worth;
    this.explorer.here = this.branch ? null : source.table ?? null;
    this.explorer.look({ source: this.here, ply }, plies[ply]?.name);
  }

  // A position that may not be seen (yet): the place is kept, with the sentence why.
  refused(ply, error) {
    this.ply = ply;
    this.scene = null;
    this.requests.stop();
    this.refusal = ended(error.message);
    this.explain.place(null, []);
    this.thoughts.place({ scene: null, wanted: false });
  }

  get turnWords() {
    const { scene, info } = this;
    if (!scene) return this.refusal;
    return turnWords(scene, info.over && !this.branch && this.ply === this.last ? resultOf(info) : "");
  }

  /** Goes to a ply that a list or the curve names, and shows the board. */
  async goInGame(ply) {
    if (this.branch && ply > this.branch.from) this.branch = null;
    await this.go(ply);
    this.boardBox.scrollIntoView({ block: "nearest" });
  }

  leaveBranch() {
    return this.go(this.branch.from, null);
  }

  // ------------------------------------------------------------ playing

  playId(id) {
    const action = this.scene?.actions.find((one) => one.id === id);
    if (action && this.opening.takes(action)) return this.opening.begin(action);
    return action && this.tried(action.name);
  }

  // A person's move on the board, which a retry judges.
  async tried(name) {
    const wanted = this.retry.take(this.branch ? -1 : this.ply, name);
    await this.playNames([name]);
    if (wanted) this.requests.evaluate();
  }

  // Hides the better moves, and lets a person look for those of their own mistakes.
  tryAgain() {
    this.requests.stop();
    const own = seatsOf(this.source.table);
    this.retry.begin(() => {
      const mistakes = this.curve.costly.filter(({ best }) => best);
      const mine = mistakes.filter(({ mover }) => own.includes(mover));
      return mine.length ? mine : mistakes;
    });
    this.boardBox.scrollIntoView({ block: "nearest" });
    this.boardBox.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** What is put back where a move is refused. */
  get kept() {
    return { branch: this.branch, source: this.source, info: this.info };
  }

  // Plays moves from here on: along the game where they are its own, else as a variation.
  async playNames(names) {
    const before = this.kept;
    let ply = this.ply;
    for (const name of names) {
      if (this.plies[ply]?.name !== name) this.extend(ply, name);
      ply += 1;
    }
    const turn = this.turn + 1;
    await this.go(ply);
    if (this.turn === turn && !this.scene) {
      this.app.say(this.refusal, "error");
      Object.assign(this, before);
      await this.go(ply - names.length);
    }
  }

  extend(ply, name) {
    const seat = ply === this.ply ? this.scene.to_move : null;
    const played = { seat, name, text: name };
    const own = this.source.game && !this.branch && ply === this.info.plies.length;
    if (own) {
      this.source = { ...this.source, moves: this.plies.map((one) => one.name).concat(name) };
      this.info = { ...this.info, plies: [...this.info.plies, played] };
      this.curve.grow(this.info);
      return;
    }
    const kept = this.branch ? this.branch.plies.slice(0, ply - this.branch.from) : [];
    this.branch = { from: this.branch ? this.branch.from : ply, plies: [...kept, played] };
  }

  // An outcome by its probability, drawn here: no seed of a game decides it.
  drawLot() {
    let left = Math.random();
    const { actions } = this.scene;
    const drawn = actions.find((one) => (left -= one.probability) < 0) ?? actions.at(-1);
    return drawn && this.playNames([drawn.name]);
  }

  // ------------------------------------------------------------ the board and the list

  drawBoard() {
    const { peek, scene, thoughts: { thought } } = this;
    const found = thought && shares(thought);
    this.boardBox.classList.toggle("analysis-closed", Boolean(this.refusal));
    if (!scene) { // the last board stays, out of reach
      this.board.update({ actions: [], heat: {}, line: [], preview: null, explained: [] });
      return;
    }
    this.board.update({ scene: scene.scene, actions: scene.over ? [] : scene.actions, mover: scene.to_move,
      players: this.info.players, heat: this.heat && thought && !peek?.line
        ? Object.fromEntries(thought.actions.map((id, at) => [id, found[at]])) : {},
      line: peek?.line ?? (this.numbers && thought ? thought.line.slice(0, this.far) : []),
      preview: peek?.action ?? null, explained: this.explain.shown, pointable: this.explain.places,
      ...this.drawn });
  }

  /** What else the board shows. */
  get drawn() {
    return {};
  }

  // How many moves of a line the board numbers: where stones stay, some; where things move, one.
  get far() {
    return this.scene.scene.places ? MOST_NUMBERS : 1;
  }

  showThought(thought) {
    if (this.scene) this.thoughts.show(thought);
  }
}
