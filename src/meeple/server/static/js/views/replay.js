// A game again, move by move: the board, the list of moves, and what the agents had expected.

import { follow } from "../again.js";
import { download, get, post } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { lineChart, percent } from "../charts.js";
import { copyField, tell } from "../dialogs.js";
import { clear, h, s } from "../dom.js";
import { chip, colour } from "../players.js";
import { tokensOf } from "../tokens.js";
import { Explorer } from "../replay/explorer.js";
import { playOn } from "../replay/play_on.js";
import { sentence } from "../words.js";

const SPEEDS = [["0.5", "slow"], ["1", "1 a second"], ["2", "2 a second"], ["5", "fast"]];
const MOST_KEPT = 600; // boards kept, so that going back needs no request
const SHORT = 12; // letters of a move that is a name, not a sentence
const NOTES = { event: "Event", round: "Round", date: "Date", place: "Place", name: "Name",
  about: "About", source: "Source", result: "Result as recorded" };
const ICONS = {
  first: "M3 3h3v14h-3zM17 3v14l-10-7z",
  back: "M14 3v14l-10-7z",
  on: "M6 3v14l10-7z",
  last: "M14 3h3v14h-3zM3 3v14l10-7z",
  pause: "M4 3h4v14h-4zM12 3h4v14h-4z",
  play: "M10 1a9 9 0 1 0 .01 0zM8 6l6 4-6 4z",
};

// `params`: the table's id, and `ply`.
export async function show(root, params, app) {
  const tokens = tokensOf(params.id ?? "");
  const path = `/api/tables/${encodeURIComponent(params.id ?? "")}/replay`;
  const game = await get(path, { tokens });
  const replay = new Replay(root, app, game, tokens);
  const ply = Number.parseInt(params.ply, 10);
  await replay.begin();
  await replay.go(Number.isInteger(ply) ? ply : 0);
  const unfollow = game.status !== "playing" ? () => null
    : follow(game.id, game.plies.length, async () => replay.take(await get(path, { tokens })));
  return () => {
    unfollow();
    replay.close();
  };
}

class Replay {
  constructor(root, app, game, tokens) {
    this.app = app;
    this.tokens = tokens;
    this.hold(game);
    this.ply = 0;
    this.eyes = null; // whose hand is shown; null: of who is to move
    this.scene = null;
    this.kept = new Map();
    this.wanted = null; // the ply that is asked for while another is on its way
    this.asking = false;
    this.timer = null;
    this.closed = false;
    app.title(`${game.title}: replay`);
    this.build(root);
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
  }

  hold(game) {
    this.game = game;
    this.last = game.plies.length;
    // A ply without words is part of the next one that has some: nobody needs to stop there.
    this.stops = [0, ...game.plies.filter(({ text }) => text).map(({ ply }) => ply + 1)];
    if (this.stops.at(-1) !== this.last) this.stops.push(this.last);
  }

  // The game went on, or a move was taken back: whoever looks at the newest move sees the next.
  async take(game) {
    if (this.closed) return;
    const newest = this.ply === this.last;
    this.hold(game);
    this.kept.clear();
    this.about.replaceWith(this.about = this.aboutIt());
    const moves = this.moveList();
    this.moves.replaceWith(moves);
    this.moves = moves;
    this.slider.max = this.stops.length - 1;
    this.drawCurve();
    await this.go(newest ? this.last : this.ply);
  }

  close() {
    this.closed = true;
    this.pause();
    document.removeEventListener("keydown", this.onkey);
    this.board?.close();
    this.chart?.close();
    this.explorer?.close();
  }

  async begin() {
    this.board = this.isIsland ? await this.makeIsland()
      : makeBoard(this.boardBox, { label: "Position" });
    if (this.closed) this.board.close();
  }

  get isIsland() {
    return this.game.family === "island";
  }

  // Catan's table, with its panels, at which nothing can be done.
  async makeIsland() {
    const { catanTable } = await import("./catan.js");
    const { id, plies } = this.game;
    const table = catanTable(this.boardBox, { send: () => false, app: this.app });
    return {
      update: ({ scene, seat, mover }) => table.update({ id, scene, ply: this.ply, actions: [],
        to_move: mover, you: seat === null ? [] : [seat],
        events: { from: 0, list: plies.slice(0, this.ply).filter(({ text }) => text) } }),
      close: () => table.close(),
    };
  }

  // ------------------------------------------------------------ the page

  build(root) {
    this.said = h("p", { class: "replay-said", role: "status" });
    this.comment = h("p", { class: "replay-comment", hidden: true });
    this.boardBox = h("div", { class: "replay-board" });
    this.moves = this.moveList();
    // Where something is hidden or drawn by chance, no position comes again.
    this.explorer = this.game.explorable ? new Explorer({ tokens: this.tokens, here: this.game.id })
      : null;
    this.curve = h("section", { class: "panel replay-curve", "aria-label": "Expected chances",
      hidden: true }, h("h2", {}, "What the agents expected"));
    root.append(
      this.head(),
      h("div", { class: this.isIsland ? "replay replay-wide" : "replay" },
        h("section", { class: "panel", "aria-label": "Board" }, this.said, this.comment,
          this.isIsland ? [this.steps(), this.eyesChoice(), this.boardBox]
            : [this.boardBox, this.steps(), this.eyesChoice()],
          this.ways()),
        h("div", { class: "replay-side" },
          h("section", { class: "panel", "aria-label": "Moves" }, h("h2", {}, "Moves"),
            this.moves, this.notes()),
          this.explorer?.element ?? null),
        this.curve));
    this.drawCurve();
  }

  head() {
    const { title, seats, players } = this.game;
    this.about = this.aboutIt();
    return h("div", { class: "line spread replay-head" },
      h("div", {}, h("h1", {}, `${title}: replay`),
        h("ul", { class: "replay-players" }, seats.map((name, seat) => h("li", {},
          chip(seat, players[seat]), h("span", {}, name)))),
        this.about),
      h("a", { href: "#/library" }, "All games"));
  }

  aboutIt() {
    const { result, status, id } = this.game;
    if (status !== "playing") return h("p", { class: "quiet" }, sentence(result || "broken off"));
    return h("p", {}, "This game is under way; its moves appear here as they are made. ",
      h("a", { href: `#/table/${id}` }, "To the table"));
  }

  steps() {
    const step = (name, icon, go) => h("button", { type: "button", "aria-label": name,
      title: name, onclick: () => {
        this.pause();
        go();
      } }, drawn(icon));
    this.toFirst = step("First position", "first", () => this.go(0));
    this.toBack = step("One move back", "back", () => this.step(-1));
    this.toOn = step("One move on", "on", () => this.step(1));
    this.toLast = step("Last position", "last", () => this.go(this.last));
    this.playing = h("button", { type: "button", "aria-label": "Play by itself",
      title: "Play by itself", onclick: () => (this.timer ? this.pause() : this.start()) },
    drawn("play"));
    this.place = h("span", { class: "numbers" });
    this.speed = h("select", { "aria-label": "Moves a second" },
      SPEEDS.map(([value, label]) => h("option", { value, selected: value === "1" }, label)));
    this.slider = h("input", { type: "range", min: 0, max: this.stops.length - 1, step: 1,
      "aria-label": "Place in the game", oninput: () => {
        this.pause();
        this.go(this.stops[Number(this.slider.value)]);
      } });
    return h("div", { class: "replay-walk" },
      h("div", { class: "replay-steps", role: "group", "aria-label": "Steps" },
        h("span", { class: "line" }, this.toFirst, this.toBack, this.place, this.toOn,
          this.toLast),
        h("span", { class: "line" }, this.playing, this.speed)),
      this.slider);
  }

  // Where cards are hidden, whose may be seen.
  eyesChoice() {
    const { hides, seats } = this.game;
    if (!hides) return null;
    const choice = h("select", { id: "replay-eyes", onchange: () => {
      this.eyes = choice.value === "" ? null : Number(choice.value);
      this.kept.clear();
      this.go(this.ply);
    } }, h("option", { value: "" }, "Whoever is to move"),
    seats.map((name, seat) => h("option", { value: seat }, name)));
    return h("div", { class: "line replay-eyes" },
      h("label", { for: "replay-eyes" }, "Cards seen by"), choice);
  }

  ways() {
    const { id, game } = this.game;
    this.analyse = h("a", { class: "button", href: "#/analysis" }, "Analyse from here");
    this.playOn = h("button", { type: "button", onclick: () => this.goOn() }, "Play on from here");
    const share = h("button", { type: "button", onclick: () => tell("Share this position",
      copyField("Whoever opens this link sees it", `${location.origin}${location.pathname}` +
        `#/replay/${id}?ply=${this.ply}`)) }, "Share");
    const take = h("button", { type: "button", onclick: () => this.offer(`${game}-${id}`) },
      "Download");
    return h("div", { class: "line replay-ways" }, this.analyse, this.playOn, share, take);
  }

  notes() {
    const found = Object.entries(NOTES).filter(([name]) => this.game.notes[name]);
    if (!found.length) return null;
    return h("dl", { class: "replay-notes" }, found.map(([name, label]) => [
      h("dt", {}, label), h("dd", {}, this.game.notes[name])]));
  }

  moveList() {
    const told = this.game.plies.filter(({ text }) => text);
    const short = told.every(({ text }) => text.length <= SHORT);
    this.buttons = new Map();
    const items = told.map(({ ply, seat, text }) => {
      const button = h("button", { type: "button", class: "replay-move", onclick: () => {
        this.pause();
        this.go(ply + 1);
      } }, seat >= 0 ? chip(seat, this.game.players[seat]) : h("span", { class: "chip" }),
      h("span", {}, text));
      this.buttons.set(ply + 1, button);
      return h("li", {}, short ? h("span", { class: "replay-number" }, `${ply + 1}.`) : null,
        button);
    });
    if (!items.length) items.push(h("li", { class: "quiet" }, "No moves"));
    return h("ol", { class: `replay-moves${short ? " replay-short" : ""}`, "aria-label": "Moves" },
      items);
  }

  // ------------------------------------------------------------ walking

  step(by) {
    const at = this.stops.findLastIndex((stop) => stop <= this.ply);
    const from = by < 0 && this.stops[at] < this.ply ? at + 1 : at;
    return this.go(this.stops[Math.min(Math.max(from + by, 0), this.stops.length - 1)]);
  }

  // Goes to a ply; where one is on its way already, only the last one asked for comes after it.
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
    this.ply = ply;
    this.drawPlace();
    try {
      this.scene = await this.sceneAt(ply);
    } catch (error) {
      this.pause();
      this.scene = null;
      if (!this.closed) this.app.say(error.message, "error");
      return;
    }
    if (this.closed || this.wanted !== null) return;
    const { scene, seat, to_move: mover, over } = this.scene;
    this.board.update({ scene, actions: [], mover, seat, players: this.game.players });
    this.playOn.disabled = over;
  }

  async sceneAt(ply) {
    if (this.kept.has(ply)) return this.kept.get(ply);
    const wanted = { source: { table: this.game.id }, ply };
    if (this.eyes !== null) wanted.seat = this.eyes;
    const scene = await post("/api/scenes", wanted, { tokens: this.tokens });
    if (this.kept.size >= MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
    this.kept.set(ply, scene);
    return scene;
  }

  drawPlace() {
    const { ply, last, game } = this;
    const at = this.stops.findLastIndex((stop) => stop <= ply);
    const told = game.plies.slice(0, ply).findLast(({ text }) => text);
    const words = told ? told.text : "The beginning of the game";
    clear(this.said);
    if (told && told.seat >= 0) this.said.append(chip(told.seat, game.players[told.seat]));
    const named = told && told.seat >= 0 && told.text.length <= SHORT;
    this.said.append(h("span", {}, named ? `${game.seats[told.seat]}: ${words}` : sentence(words)));
    const comment = game.notes.comments?.[ply];
    this.comment.hidden = !comment;
    this.comment.textContent = comment ?? "";
    this.place.textContent = `${ply} of ${last}`;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `${ply} of ${last}: ${words}`);
    for (const button of [this.toFirst, this.toBack]) disable(button, ply === 0);
    for (const button of [this.toOn, this.toLast]) disable(button, ply === last);
    this.analyse.href = `#/analysis?table=${game.id}&ply=${ply}`;
    history.replaceState(null, "", `#/replay/${game.id}?ply=${ply}`);
    this.drawCurrent(this.stops[at]);
    this.chart?.update({ cursor: ply });
    this.explorer?.look({ source: { table: game.id }, ply }, game.plies[ply]?.text);
  }

  drawCurrent(ply) {
    this.current?.removeAttribute("aria-current");
    this.current = this.buttons.get(ply);
    if (!this.current) {
      this.moves.scrollTop = 0;
      return;
    }
    this.current.setAttribute("aria-current", "step");
    const { moves, current } = this;
    const gap = current.parentElement.offsetTop;
    if (gap < moves.scrollTop || gap > moves.scrollTop + moves.clientHeight - 40) {
      moves.scrollTop = gap - moves.clientHeight / 2;
    }
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const end = { Home: 0, End: this.last }[event.key];
    if ((by === undefined && end === undefined) || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const busy = "input, select, textarea, dialog, [role=grid], [role=slider]";
    if (event.target.closest?.(busy)) return;
    event.preventDefault();
    this.pause();
    if (end === undefined) this.step(by);
    else this.go(end);
  }

  // ------------------------------------------------------------ by itself

  start() {
    if (this.ply === this.last) this.go(0);
    this.show("pause", "Pause");
    this.next();
  }

  next() {
    this.timer = setTimeout(async () => {
      await this.step(1);
      if (this.timer && !this.closed && this.ply < this.last) this.next();
      else this.pause();
    }, 1000 / Number(this.speed.value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.show("play", "Play by itself");
  }

  show(icon, name) {
    clear(this.playing).append(drawn(icon));
    this.playing.setAttribute("aria-label", name);
    this.playing.title = name;
  }

  // ------------------------------------------------------------ from here

  async goOn() {
    this.pause();
    await playOn(this.game, this.ply, this.scene, this.tokens, this.app);
  }

  async offer(name) {
    try {
      await download(`/api/tables/${this.game.id}/record?format=jsonl`, `${name}.jsonl`);
    } catch (error) {
      this.app.say(error.message, "error");
    }
  }

  // ------------------------------------------------------------ what was expected

  get hasCurve() {
    return this.game.plies.filter(({ value }) => value).length > 1;
  }

  drawCurve() {
    const { plies, seats, players } = this.game;
    this.curve.hidden = !this.hasCurve;
    if (!this.hasCurve) return;
    const valued = plies.filter(({ value }) => value);
    const series = seats.map((name, seat) => ({
      name: seats.indexOf(name) === seat ? name : `${name} (${players[seat]})`,
      colour: colour(seat),
      points: valued.map(({ ply, value }) => [ply, value[seat]]),
    }));
    this.chart ??= lineChart(this.curve, {
      label: "Every player's chances, as the agents saw them",
      x: { label: "Move", format: (ply) => (Number.isInteger(ply) ? String(ply) : "") },
      y: { label: "Chances", format: percent },
      onPick: (ply) => {
        this.pause();
        this.go(ply);
      },
    });
    this.chart.update({ series, range: { x: [0, Math.max(plies.length, 1)], y: [0, 1] } });
  }
}

function drawn(icon) {
  return s("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" },
    s("path", { d: ICONS[icon], "fill-rule": "evenodd" }));
}

// A button that has the focus keeps it, so that keys go on working.
function disable(button, on) {
  if (on) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}
