// Setting up a position: a new board, typed moves, a pasted record, or stones placed by hand.

import { get, post } from "../api.js";
import { Board } from "../boards/board.js";
import { OptionsForm } from "../game_options.js";
import { choices, t, translate } from "../messages.js";
import { Controller, field, h, html, instead, labelled, nothing, radios } from "../view.js";

const WAYS = { new: "setup.new", moves: "setup.moves", record: "setup.record", stones: "setup.stones" };
const BRUSHES = { next: "setup.in_turn", p0: "setup.player_1", p1: "setup.player_2", "": "setup.take_away" };
const WAIT = 300; // milliseconds without a change of options until the board is drawn anew
const TEXTS = { // by way: label, placeholder, rows, help
  moves: [t("setup.moves_label"), "c4 d5 e3 …", 3, t("setup.moves_help")],
  record: [t("setup.record_label"), t("setup.record_hint"), 6, t("setup.record_help")],
};

export class Setup extends Controller {
  /** `onSource(source)` opens a game and says (a promise) whether that worked. */
  constructor(onSource) {
    super(h("details", { class: "panel analysis-setup", ontoggle: () => this.opened() }));
    this.onSource = onSource;
    this.games = [];
    this.way = "new";
    this.brush = "next";
    this.texts = { moves: "", record: "" };
    this.pieces = null; // placed by hand
    this.fault = "";
    this.busy = false;
    this.box = h("div", { class: "setup-board" });
    this.draw();
  }

  close() {
    super.close();
    clearTimeout(this.later);
    this.board?.close();
  }

  /** The game that is looked at now: the one to start from. */
  begin(info) {
    this.now = info;
    if (this.games.length) this.select(info.game, info.options);
  }

  async opened() {
    if (!this.root.open || this.games.length) return;
    try {
      ({ games: this.games } = await get("/api/games"));
      this.select(this.now?.game ?? this.games[0].name, this.now?.options ?? {});
    } catch (error) {
      this.set({ fault: error.message });
    }
  }

  select(name, values) {
    const { options } = this.games.find((one) => one.name === name);
    this.game = name;
    this.options = new OptionsForm({ name: `setup-${name}`, options: options.map((option) => (
      { ...option, default: values[option.name] ?? option.default })) }, () => {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.renew(), WAIT);
      this.set({ fault: "" });
    });
    this.draw();
    this.renew();
  }

  choose(way) {
    this.set({ way, fault: "" });
    this.renew();
    this.root.querySelector("textarea")?.focus();
  }

  refuse(error) {
    this.options?.fault(error.message);
    this.set({ fault: error.message });
  }

  // ------------------------------------------------------------ stones

  get chosen() {
    return { game: this.game, options: this.options.values() };
  }

  /** An empty board for stones, where the game takes some. */
  async renew() {
    if (this.way !== "stones" || !this.options) return;
    this.board?.close();
    this.board = null;
    this.set({ fault: "", pieces: null });
    try {
      const start = await post("/api/scenes", { source: this.chosen, ply: 0 });
      const pieces = (start.scene.pieces ?? []).map(() => "");
      await post("/api/arrange", { ...this.chosen, pieces });
      if (this.board || this.way !== "stones") return;
      this.scene = start.scene;
      this.set({ pieces, brush: "next" });
    } catch (error) {
      if (this.way === "stones") this.refuse(error);
      return;
    }
    this.board = new Board(this.box, { label: t("setup.board"), onAction: (cell) => this.place(cell) });
    this.drawPieces();
  }

  place(cell) {
    const count = (piece) => this.pieces.filter((one) => one === piece).length;
    const next = this.pieces[cell] ? "" : count("p0") > count("p1") ? "p1" : "p0";
    this.pieces[cell] = this.brush === "next" ? next : this.brush;
    this.drawPieces();
  }

  drawPieces() {
    const actions = this.pieces.map((_, cell) => ({ id: cell, name: this.scene.names[cell],
      clicks: [String(cell)], marks: [], group: null, label: "" }));
    this.board.update({ scene: { ...this.scene, pieces: [...this.pieces], last: [], line: [] },
      actions, mover: null, heat: {}, line: [], preview: null });
  }

  // ------------------------------------------------------------ done

  async submit() {
    this.set({ busy: true, fault: "" });
    try {
      if (await this.onSource(await this.source())) this.root.open = false;
    } catch (error) {
      this.refuse(error);
    } finally {
      this.set({ busy: false });
    }
  }

  async source() {
    const { way, texts, pieces } = this;
    if (way === "record") {
      if (!texts.record.trim()) throw new Error(t("setup.paste_first"));
      return { record: texts.record };
    }
    if (way === "new") return { ...this.chosen, moves: [] };
    if (way === "moves") {
      const source = { ...this.chosen, moves: texts.moves };
      const { plies, options } = await post("/api/positions", { source });
      return { game: this.game, options, moves: plies.map(({ name }) => name) };
    }
    const { moves, options } = await post("/api/arrange", { ...this.chosen, pieces });
    return { game: this.game, options, moves };
  }

  // ------------------------------------------------------------ the view

  template() {
    const { way, fault, busy } = this;
    return html`<summary>${t("setup.title")}</summary>
      <form class="stack" @submit=${instead(() => this.submit())}>
        <div class="choices" role="radiogroup" aria-label=${t("setup.how")}>${
          radios("setup-way", way, choices(WAYS), (chosen) => this.choose(chosen))}</div>
        ${way === "record" ? nothing : this.gamePart()}${this.part()}
        <p class="bad" role="alert">${fault}</p>
        <div class="line"><button type="submit" class="primary" ?disabled=${busy}>${
          t("setup.show")}</button>
        </div></form>`;
  }

  gamePart() {
    const names = this.games.map(({ name, title }) => [name, translate(title)]);
    return html`<div class="stack"><div class="setup-game">${labelled("setup-game", t("common.game"),
      this.game, names, (name) => this.select(name, {}))}</div>
      <div>${this.options?.template() ?? nothing}</div></div>`;
  }

  part() {
    const { way } = this;
    if (way === "new") return html`<p class="quiet">${t("setup.new_about")}</p>`;
    if (way === "stones") return this.pieces ? this.stones() : nothing;
    const [label, placeholder, rows, help] = TEXTS[way];
    const id = `setup-${way}`;
    return field(id, label, html`<textarea id=${id} rows=${rows} placeholder=${placeholder}
      spellcheck="false" autocomplete="off" maxlength="1000000" .value=${this.texts[way]}
      @input=${({ target }) => { this.texts[way] = target.value; }}></textarea>`,
    html`<p class="help">${help}</p>`);
  }

  stones() {
    return html`<div class="stack"><div class="choices" role="radiogroup"
      aria-label=${t("setup.places")}>${radios("setup-brush", this.brush, choices(BRUSHES),
        (brush) => this.set({ brush }))}</div>${this.box}</div>`;
  }
}
