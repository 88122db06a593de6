// Setting up a position: a new board, typed moves, a pasted record, or stones placed by hand.

import { get, post } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { clear, h } from "../dom.js";
import { optionsForm } from "../lobby/options.js";

const WAYS = [
  ["new", "New board"], ["moves", "Type moves"], ["record", "Paste a record"],
  ["stones", "Place stones"],
];

// `onSource(source)` opens a game and says (a promise) whether that worked.
export function makeSetup({ app, onSource }) {
  return new Setup(app, onSource);
}

class Setup {
  constructor(app, onSource) {
    this.app = app;
    this.onSource = onSource;
    this.games = null;
    this.way = "new";
    this.board = null;
    this.pieces = [];
    this.fault = h("p", { class: "bad", role: "alert" });
    this.game = h("select", { id: "setup-game", onchange: () => this.changed() });
    this.options = h("div", {});
    this.gamePart = h("div", { class: "stack" },
      h("div", { class: "field setup-game" }, h("label", { for: "setup-game" }, "Game"), this.game),
      this.options);
    this.movesText = area("setup-moves", 3, "c4 d5 e3 …");
    this.recordText = area("setup-record", 6, "a line of JSON, or SGF: (;GM[11]SZ[7];B[d4]…)");
    this.stones = h("div", { class: "stack" });
    this.parts = {
      new: h("p", { class: "quiet" }, "Play both sides on the board; chance is yours to choose."),
      moves: h("div", { class: "field" },
        h("label", { for: "setup-moves" }, "Moves in the game's notation"), this.movesText,
        h("p", { class: "help" }, "Parted by spaces or lines; numbers before moves are left out.")),
      record: h("div", { class: "field" },
        h("label", { for: "setup-record" }, "A record of a game"), this.recordText,
        h("p", { class: "help" }, "JSON lines of any game, SGF of Hex, Gomoku and Reversi, GGF or PSQ.")),
      stones: this.stones,
    };
    this.use = h("button", { type: "submit", class: "primary" }, "Show it");
    const choices = WAYS.map(([value, words]) => h("label", {},
      h("input", { type: "radio", name: "setup-way", value, checked: value === this.way,
        onchange: () => this.choose(value) }), words));
    this.form = h("form", { class: "stack", onsubmit: (event) => this.submit(event) },
      h("div", { class: "choices", role: "radiogroup", "aria-label": "How" }, choices),
      this.gamePart, Object.values(this.parts), this.fault, h("div", { class: "line" }, this.use));
    this.root = h("details", { class: "panel analysis-setup", ontoggle: () => this.opened() },
      h("summary", {}, "Set up a position"), this.form);
    this.choose(this.way, false);
  }

  close() {
    this.board?.close();
  }

  // The game that is looked at now: the one to start from.
  begin(info) {
    this.now = { game: info.game, options: info.options };
    if (this.games) this.select(info.game, info.options);
  }

  async opened() {
    if (!this.root.open || this.games) return;
    try {
      const { games } = await get("/api/games");
      this.games = games;
      clear(this.game).append(...games.map(({ name, title }) => h("option", { value: name },
        title)));
      this.select(this.now?.game ?? games[0].name, this.now?.options ?? {});
    } catch (error) {
      this.fault.textContent = error.message;
    }
  }

  select(name, options) {
    this.game.value = name;
    this.drawOptions(options);
    if (this.way === "stones") this.drawStones();
  }

  changed() {
    this.drawOptions({});
    if (this.way === "stones") this.drawStones();
  }

  choose(way, focus = true) {
    this.way = way;
    this.fault.textContent = "";
    for (const [name, part] of Object.entries(this.parts)) part.hidden = name !== way;
    this.gamePart.hidden = way === "record";
    if (way === "stones" && this.games) this.drawStones();
    if (focus) this.parts[way].querySelector("textarea")?.focus();
  }

  // ------------------------------------------------------------ options

  get declared() {
    return this.games?.find(({ name }) => name === this.game.value)?.options ?? [];
  }

  // The form for the game's options, with these values.
  drawOptions(values) {
    const options = this.declared.map((option) => ({ ...option,
      default: values[option.name] ?? option.default }));
    this.terms = optionsForm({ name: `setup-${this.game.value}`, options }, () => {
      this.fault.textContent = "";
      clearTimeout(this.later);
      if (this.way === "stones") this.later = setTimeout(() => this.drawStones(), 300);
    });
    clear(this.options).append(this.terms.node);
  }

  get chosen() {
    return { game: this.game.value, options: this.terms?.values() ?? {} };
  }

  refuse(error) {
    this.fault.textContent = error.message;
    this.terms?.fault(error.message);
  }

  // ------------------------------------------------------------ stones

  async drawStones() {
    this.board?.close();
    this.board = null;
    this.fault.textContent = "";
    clear(this.stones);
    const { game, options } = this.chosen;
    let start;
    try {
      start = await post("/api/scenes", { source: { game, options }, ply: 0 });
      const { pieces = [] } = start.scene;
      await post("/api/arrange", { game, options, pieces: pieces.map(() => "") });
    } catch (error) {
      if (this.way === "stones") this.refuse(error);
      return;
    }
    if (this.board || this.way !== "stones") return;
    this.scene = start.scene;
    this.pieces = start.scene.pieces.map(() => "");
    const box = h("div", { class: "setup-board" });
    this.brush = "next";
    const brushes = [["next", "In turn"], ["p0", "Player 1"], ["p1", "Player 2"], ["", "Take away"]];
    this.stones.append(
      h("div", { class: "choices", role: "radiogroup", "aria-label": "What a click places" },
        brushes.map(([value, words]) => h("label", {}, h("input", { type: "radio",
          name: "setup-brush", value, checked: value === this.brush,
          onchange: () => { this.brush = value; } }), words))),
      box);
    this.board = makeBoard(box, { label: "Board to set up", onAction: (cell) => this.place(cell) });
    this.drawPieces();
  }

  place(cell) {
    const count = (piece) => this.pieces.filter((one) => one === piece).length;
    let piece = this.brush;
    if (piece === "next") {
      piece = this.pieces[cell] ? "" : count("p0") > count("p1") ? "p1" : "p0";
    }
    this.pieces[cell] = piece;
    this.drawPieces();
  }

  drawPieces() {
    const actions = this.pieces.map((_, cell) => ({ id: cell, name: this.scene.names[cell],
      clicks: [String(cell)], marks: [], group: null, label: "" }));
    this.board.update({ scene: { ...this.scene, pieces: [...this.pieces], last: [], line: [] },
      actions, mover: null, heat: {}, line: [], preview: null });
  }

  // ------------------------------------------------------------ done

  async submit(event) {
    event.preventDefault();
    this.fault.textContent = "";
    this.use.disabled = true;
    try {
      const source = await this.source();
      if (await this.onSource(source)) this.root.open = false;
    } catch (error) {
      this.refuse(error);
    } finally {
      this.use.disabled = false;
    }
  }

  async source() {
    if (this.way === "record") {
      const record = this.recordText.value;
      if (!record.trim()) throw new Error("Paste a record first.");
      return { record };
    }
    const { game, options } = this.chosen;
    if (this.way === "new") return { game, options, moves: [] };
    if (this.way === "moves") {
      const moves = this.movesText.value;
      const source = { game, options, moves };
      const { plies } = await post("/api/positions", { source });
      return { game, options, moves: plies.map(({ name }) => name) };
    }
    const { moves } = await post("/api/arrange", { game, options, pieces: this.pieces });
    return { game, options, moves };
  }
}

function area(id, rows, placeholder) {
  return h("textarea", { id, rows, placeholder, spellcheck: "false", autocomplete: "off",
    maxlength: 1_000_000 });
}
