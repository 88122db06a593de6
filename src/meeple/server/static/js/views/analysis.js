// Analysis: any position on the board, what agents think of it, and where a game swung.

import { follow } from "../again.js";
import { post } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { clear, h } from "../dom.js";
import { connect } from "../socket.js";
import { seatsOf, tokensOf } from "../tokens.js";
import { makeCurve } from "../analysis/curve.js";
import { fillMoves, stepButtons } from "../analysis/moves.js";
import { makeRetry } from "../analysis/retry.js";
import { makeSetup } from "../analysis/setup.js";
import { makeThoughts } from "../analysis/thoughts.js";
import { described, shares, turnWords } from "../analysis/words.js";

const MOST_NUMBERS = 9; // of the expected line on the board
const RETRY_SECONDS = 2; // for the evaluation of a move that is tried again
const SETTLED = 200; // milliseconds at a position before it is thought about anew
const FIRST = { game: "hex", options: {}, moves: [] };

// `params`: `table` and `ply`, or `game`; `review` begins the review at once.
export async function show(root, params, app) {
  app.title("Analysis");
  const desk = new Desk(root, app);
  let source = FIRST;
  if (params.table) source = { table: params.table };
  else if (params.game) source = { game: params.game, options: {}, moves: [] };
  if (await desk.open(source, Number.parseInt(params.ply, 10)) && params.review) desk.sweep();
  return () => desk.close();
}

// The game that is looked at (`source`, `info`), a variation of it (`branch`), and where in it.
class Desk {
  constructor(root, app) {
    this.app = app;
    this.source = null;
    this.info = null;
    this.branch = null; // {from: ply, plies: [{seat, name, text}]}
    this.ply = 0; // of the game, or of its variation
    this.aim = 0; // the ply that is on its way, or is there
    this.scene = null;
    this.thought = null;
    this.peek = null; // what the board shows while something is pointed at
    this.turn = 0; // counts positions, so that late answers are known
    this.request = 0; // counts requests at the socket
    this.asked = { kind: "", id: 0 };
    this.unfollow = () => null;
    this.build(root);
    this.socket = connect("/ws/analysis", {
      onopen: () => this.reconnected(),
      onmessage: (message) => this.hear(message),
      onstate: (state) => {
        this.offline.hidden = state === "open" || state === "connecting";
      },
    });
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
  }

  close() {
    document.removeEventListener("keydown", this.onkey);
    this.unfollow();
    clearTimeout(this.later);
    this.socket.close();
    this.board.close();
    this.curve.close();
    this.thoughts.close();
    this.setup.close();
  }

  // ------------------------------------------------------------ the page

  build(root) {
    this.heading = h("h1", {}, "Analysis");
    this.about = h("p", { class: "quiet" });
    this.offline = h("p", { class: "analysis-offline", role: "status", hidden: true },
      "The connection is gone; it comes back by itself.");
    this.setup = makeSetup({ app: this.app, onSource: (source) => this.open(source) });
    this.live = h("p", { class: "analysis-live", hidden: true });
    this.boardBox = h("div", { class: "analysis-board" });
    this.turnText = h("p", { class: "analysis-turn", role: "status" });
    this.chance = h("button", { type: "button", class: "analysis-draw", hidden: true, onclick: () => this.draw() },
      "Let chance decide");
    this.heat = this.toggle("Shares of visits", true);
    this.numbers = this.toggle("Expected line", true);
    this.place = h("span", { class: "numbers" });
    this.steps = stepButtons(this.place, { onFirst: () => this.go(0), onLast: () => this.go(this.last),
      onStep: (by) => this.go(this.aim + by) });
    this.moves = h("ol", { class: "analysis-moves" });
    this.back = h("button", { type: "button", class: "small",
      onclick: () => this.leaveBranch() }, "Back to the game");
    this.branchMoves = h("ol", { class: "analysis-moves" });
    this.branchBox = h("section", { class: "analysis-branch", hidden: true },
      h("div", { class: "line spread" }, h("h3", {}, "Your variation"), this.back),
      this.branchMoves);
    this.thoughts = makeThoughts({
      onStart: () => {
        this.retry.end(); // which hides what is found
        this.think();
      },
      onStop: () => this.stop(),
      onPeek: (peek) => this.pointAt(peek),
      onPlay: (names) => this.playNames(names),
    });
    this.curve = makeCurve({
      onPick: (ply) => this.goInGame(ply),
      onSweep: () => this.sweep(),
      onStop: () => this.stop(),
      onReview: () => this.drawMoves(),
      onRetry: (mistakes) => this.tryAgain(mistakes),
    });
    this.retry = makeRetry({
      onPlace: (ply) => {
        this.dropBranch();
        this.go(ply);
      },
      onPlay: (name) => this.playNames([name]),
      onEnd: () => this.curve.hideAnswers(false),
    });
    root.append(
      this.heading, this.about, this.live,
      this.offline,
      this.setup.root,
      h("div", { class: "analysis" },
        h("div", { class: "analysis-column" },
          h("section", { class: "panel analysis-position", "aria-label": "Board" },
            this.turnText, this.retry.root, this.boardBox, this.chance, this.steps,
            h("div", { class: "line analysis-toggles" }, this.heat.root, this.numbers.root)),
          h("section", { class: "panel analysis-game", "aria-label": "The whole game" },
            this.curve.root)),
        h("div", { class: "analysis-column" },
          h("section", { class: "panel analysis-thoughts", "aria-label": "What an agent thinks" },
            this.thoughts.root),
          h("section", { class: "panel analysis-list", "aria-label": "Moves" },
            h("h2", {}, "Moves"), this.moves, this.branchBox)),
      ),
    );
    this.board = makeBoard(this.boardBox, {
      label: "Position",
      onAction: (id) => this.playId(id),
    });
  }

  toggle(text, on) {
    const box = h("input", { type: "checkbox", checked: on, onchange: () => this.drawBoard() });
    return { root: h("label", { class: "check" }, box, text), get on() { return box.checked; } };
  }

  // ------------------------------------------------------------ which game

  async open(source, ply = NaN) {
    this.stop();
    try {
      const info = await this.ask("/api/positions", { source });
      this.source = source;
      this.info = info;
    } catch (error) {
      this.app.say(error.message, "error");
      if (!this.info && source !== FIRST) return this.open(FIRST);
      return false;
    }
    this.branch = null;
    this.retry.end();
    this.unfollow();
    const { info } = this;
    this.app.title(`${info.title}: analysis`);
    this.heading.textContent = `${info.title}: analysis`;
    this.describe();
    if (source.table && !info.over) {
      this.unfollow = follow(source.table, info.plies.length, () => this.goOn());
    }
    if (info.more) {
      this.app.say(`The text holds ${info.more + 1} games; this is the first. ` +
        "Upload it in the library to see them all.");
    }
    this.curve.begin(info);
    this.thoughts.begin(info);
    this.setup.begin(info);
    const last = info.plies.length;
    await this.go(Number.isInteger(ply) ? ply : source.record ? 0 : last);
    return true;
  }

  describe() {
    const { info, source } = this;
    this.about.textContent = described(info, source);
    this.live.hidden = !source.table || info.over;
    clear(this.live).append("This game is under way; its moves appear here as they are made. ",
      h("a", { href: `#/table/${source.table}` }, "To the table"));
  }

  // The game went on, or a move was taken back: whoever looks at the newest move sees the next.
  async goOn() {
    const { source } = this;
    const info = await this.ask("/api/positions", { source });
    if (this.source !== source) return;
    const before = this.info.plies;
    const { length } = info.plies;
    const same = before.every(({ name }, ply) => info.plies[ply]?.name === name);
    const newest = !this.branch && this.ply === before.length;
    this.info = info;
    this.describe();
    this.curve.grow(info);
    if (this.branch?.from > length) this.dropBranch();
    if (!same || newest || this.ply > this.last) await this.go(newest ? length : this.ply);
    else this.drawMoves();
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

  async go(ply) {
    if (!this.info) return;
    const to = Math.min(Math.max(ply, 0), this.last);
    if (this.branch && to < this.branch.from) this.dropBranch();
    const turn = ++this.turn;
    this.aim = to;
    let scene;
    try {
      scene = await this.ask("/api/scenes", { source: this.here, ply: to });
    } catch (error) {
      if (turn === this.turn) this.refused(to, error);
      return;
    }
    if (turn !== this.turn) return;
    this.ply = to;
    this.scene = scene;
    this.arrived();
  }

  arrived() {
    const { scene } = this;
    clearTimeout(this.later);
    this.thought = null;
    this.peek = null;
    this.thoughts.place({ scene, wanted: this.asked.kind === "thought" });
    const atEnd = !this.branch && this.ply === this.last;
    this.turnText.textContent = turnWords(scene, atEnd && this.info.over ? this.info.result : "");
    this.chance.hidden = scene.to_move !== -1 || scene.over;
    this.curve.at(this.branch ? this.branch.from : this.ply);
    this.drawBoard();
    this.drawMoves();
    if (this.source.table && !this.branch) {
      history.replaceState(null, "", `#/analysis?table=${this.source.table}&ply=${this.ply}`);
    }
    if (this.asked.kind === "thought") this.later = setTimeout(() => this.think(), SETTLED);
  }

  // A position that may not be seen (yet): the place is kept, with the sentence why.
  refused(ply, error) {
    this.ply = ply;
    this.scene = null;
    if (this.asked.kind === "thought") this.idle();
    this.thought = null;
    this.turnText.textContent = `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
    this.thoughts.place({ scene: null, wanted: false });
    this.drawMoves();
    this.chance.hidden = true;
    this.drawBoard();
  }

  goInGame(ply) {
    if (this.branch && ply > this.branch.from) this.dropBranch();
    return this.go(ply);
  }

  leaveBranch() {
    const { from } = this.branch;
    this.dropBranch();
    return this.go(from);
  }

  dropBranch() {
    this.branch = null;
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const end = { Home: 0, End: this.info ? this.last : 0 }[event.key];
    if ((step === undefined && end === undefined) || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const busy = "input, select, textarea, dialog, svg, [role=grid], [role=slider]";
    if (event.target.closest?.(busy) || this.boardBox.contains(event.target)) return;
    event.preventDefault();
    this.go(end === undefined ? this.aim + step : end);
  }

  // ------------------------------------------------------------ playing

  playId(id) {
    const action = this.scene?.actions.find((one) => one.id === id);
    return action && this.tried(action.name);
  }

  // A person's move on the board, which a retry judges.
  async tried(name) {
    const wanted = this.retry.take(this.branch ? -1 : this.ply, name);
    await this.playNames([name]);
    if (wanted) this.evaluate(RETRY_SECONDS);
  }

  // Hides the better moves of the costly ones, and lets a person look for their own.
  tryAgain(mistakes) {
    this.stop();
    this.curve.hideAnswers(true);
    const own = seatsOf(this.source.table);
    const mine = mistakes.filter(({ mover }) => own.includes(mover));
    this.retry.begin(mine.length ? mine : mistakes);
  }

  // Plays moves from here on: along the game where they are its own, else as a variation.
  async playNames(names) {
    const before = { branch: this.branch, source: this.source, info: this.info };
    let ply = this.ply;
    for (const name of names) {
      if (this.plies[ply]?.name !== name) this.extend(ply, name);
      ply += 1;
    }
    const turn = this.turn + 1;
    await this.go(ply);
    if (this.turn === turn && !this.scene) {
      this.app.say(this.turnText.textContent, "error");
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
  draw() {
    let left = Math.random();
    const { actions } = this.scene;
    const drawn = actions.find((one) => (left -= one.probability) < 0) ?? actions.at(-1);
    return drawn && this.playNames([drawn.name]);
  }

  // ------------------------------------------------------------ the board and the list

  drawBoard() {
    const { scene, thought } = this;
    if (!scene) { // the last board stays, out of reach
      this.boardBox.classList.add("analysis-closed");
      this.board.update({ actions: [], heat: {}, line: [], preview: null });
      return;
    }
    this.boardBox.classList.remove("analysis-closed");
    const peek = this.peek ?? {};
    this.board.update({
      scene: scene.scene,
      actions: scene.over ? [] : scene.actions,
      mover: scene.to_move,
      players: this.info.players,
      heat: this.heat.on && thought && !peek.line ? shares(thought) : {},
      line: peek.line ?? (this.numbers.on && thought ? thought.line.slice(0, this.far) : []),
      preview: peek.action ?? null,
    });
  }

  // How many moves of a line the board numbers: where stones stay, some; where things move, one.
  get far() {
    return ["squares", "hexagons"].includes(this.scene.scene.family) ? MOST_NUMBERS : 1;
  }

  pointAt(peek) {
    this.peek = peek;
    this.drawBoard();
  }

  drawMoves() {
    const { branch } = this;
    this.place.textContent = `${this.ply} of ${this.last}`;
    fillMoves(this.moves, this.info.plies, 0, branch ? null : this.ply,
      (ply) => this.goInGame(ply), this.curve.grades);
    this.branchBox.hidden = !branch;
    if (branch) {
      fillMoves(this.branchMoves, branch.plies, branch.from, this.ply, (ply) => this.go(ply));
    }
  }

  // ------------------------------------------------------------ thinking

  think() {
    clearTimeout(this.later);
    if (!this.scene) return;
    if (this.scene.over || this.scene.to_move < 0) {
      this.idle();
      return;
    }
    const { wish } = this.thoughts;
    this.send("thought", { type: "analyse", source: this.here, ply: this.ply, ...wish });
    this.thoughts.state("waiting");
    this.curve.state("idle");
  }

  // Evaluates the position after a tried move, without showing what is found.
  evaluate(seconds) {
    const { spec } = this.thoughts.wish;
    const wish = { type: "analyse", source: this.here, ply: this.ply, seconds };
    this.send("retry", spec ? { ...wish, spec } : wish);
  }

  // Nothing to think about here; it goes on by itself at the next position.
  idle() {
    this.asked = { kind: "thought", id: ++this.request };
    this.socket.send({ type: "stop", id: this.request });
    this.thoughts.state("idle");
  }

  sweep() {
    const { wish } = this.thoughts;
    const { seconds } = this.curve;
    this.curve.clear();
    this.send("value", { type: "sweep", source: this.source, ...wish, seconds });
    this.curve.state("waiting");
    this.thoughts.state("idle");
  }

  send(kind, message) {
    const table = message.source.table;
    this.asked = { kind, id: ++this.request };
    const tokens = table ? tokensOf(table) : [];
    this.socket.send({ ...message, id: this.request, tokens });
  }

  stop() {
    clearTimeout(this.later);
    if (!this.asked.kind) return;
    this.asked = { kind: "", id: ++this.request };
    this.socket.send({ type: "stop", id: this.request });
    this.thoughts.state("idle");
    this.curve.state("idle");
  }

  reconnected() {
    if (this.asked.kind === "thought") this.think();
    else if (this.asked.kind === "value") this.sweep();
  }

  hear(message) {
    if (message.id !== undefined && message.id !== this.asked.id) return; // of an older wish
    const { kind } = this.asked;
    if (message.type === "thought" && this.retry.active) {
      this.retry.evaluate(message);
    } else if (message.type === "thought") {
      if (!this.scene) return;
      this.thought = message;
      this.thoughts.show(message);
      this.drawBoard();
    } else if (message.type === "value") {
      this.curve.add(message);
    } else if (message.type === "review") {
      this.curve.finish(message);
    } else if (message.type === "done") {
      if (kind === "thought" && this.thought) this.thoughts.state("done");
      if (kind === "value") this.asked.kind = "";
      this.curve.state("idle");
    } else if (message.type === "error") {
      this.asked.kind = "";
      this.thoughts.state("idle");
      this.curve.state("idle");
      this.app.say(message.text, "error");
    }
  }
}
