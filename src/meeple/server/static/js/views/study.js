// A study: a tree of variations with comments and marks, saved as it changes.

import { download, get, linkTo, post } from "../api.js";
import { ask, confirm, copyField, tell } from "../dialogs.js";
import { defaultsOf } from "../game_options.js";
import { t } from "../messages.js";
import { Studies } from "../study/list.js";
import { forgetStudy, makeStudy, noteStudy } from "../study/own.js";
import { StudyPanel } from "../study/panel.js";
import { changed, fromColumns, lineThrough, marksOf, nextMark, nodeOf, promoted, siblings,
  toColumns, withChild, without } from "../study/tree.js";
import { html, nothing } from "../view.js";
import { isFree } from "../walk.js";
import { Desk } from "./analysis.js";

const WAIT = 400; // milliseconds after a change until it is saved
const MOST_UNDONE = 100; // changes that can be undone
const CONFLICT = 409; // the status of an answer to a change of an older version

/** `params`: `id`, the link of a study, and `node`; without a link, the list of studies. */
export async function show(root, params, app) {
  if (!params.id) return new Studies(root, app).draw();
  const study = await get(`/api/studies/${encodeURIComponent(params.id)}`);
  const desk = new StudyDesk(root, app, params.id, study);
  await desk.begin(Number.parseInt(params.node, 10) || 0);
  return desk;
}

/** An analysis whose moves are kept in a tree. `past`: the trees before the last changes. */
class StudyDesk extends Desk {
  constructor(root, app, link, study) {
    super(root, app);
    this.link = link;
    this.study = study;
    this.nodes = fromColumns(study.nodes);
    this.at = 0; // the id of the node on the board
    this.line = [this.nodes[0]];
    this.past = [];
    this.saving = t("study.saved");
    this.marking = false;
    this.writing = null; // the request that saves, while it is on its way
    this.panel = new StudyPanel(this);
    this.tab = "study";
    this.own(() => this.save());
    this.listen(document, "keydown", (event) => this.upOrDown(event));
    this.listen(document, "visibilitychange", () => document.hidden && this.save());
    this.boardBox.addEventListener("contextmenu", (event) => this.markAt(event));
    for (const kind of ["click", "keydown"]) {
      this.boardBox.addEventListener(kind, (/** @type {any} */ event) => {
        if (this.marking && [undefined, "Enter", " "].includes(event.key)) this.markAt(event);
      }, { capture: true });
    }
  }

  async begin(id) {
    const { study } = this;
    noteStudy({ link: study.can_write ? this.link : study.id, id: study.id, title: study.title,
      game: study.game_title });
    this.defaults = await defaultsOf(study.game);
    this.info = { ...study, plies: [], over: false, result: "", opening: 0, more: 0 };
    this.follow(nodeOf(this.nodes, id) ? id : 0);
    this.app.title(study.title);
    this.thoughts.begin(this.info);
    this.curve.begin(this.info);
    await this.goTo(nodeOf(this.nodes, id) ? id : 0);
  }

  // ------------------------------------------------------------ where in the tree

  /** Puts the line through a node on the board's way. */
  follow(id) {
    const { game, options, seed } = this.study;
    this.line = this.line.some((node) => node.id === id) ? this.refreshed() : lineThrough(this.nodes, id);
    const plies = this.line.slice(1).map(({ mover, action, text }, ply) => (
      { ply, seat: mover, name: action, text }));
    this.info = { ...this.info, plies };
    this.source = { game, options, seed, moves: plies.map(({ name }) => name) };
    this.curve.grow(this.info);
  }

  /** The line on the board as far as it is in the tree still, and how it goes on there. */
  refreshed() {
    const last = this.line.findLast(({ id }) => nodeOf(this.nodes, id)) ?? this.nodes[0];
    return lineThrough(this.nodes, last.id);
  }

  async goTo(id) {
    this.follow(id);
    await this.go(this.line.findIndex((node) => node.id === id));
  }

  arrived() {
    this.at = this.line[this.ply]?.id ?? 0;
    history.replaceState(null, "", `#/study/${this.link}?node=${this.at}`);
    super.arrived();
  }

  upOrDown(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !isFree(event)) return;
    const all = siblings(this.nodes, this.at);
    const next = all[all.findIndex(({ id }) => id === this.at) + by];
    if (this.at === 0 || all.length < 2) return;
    event.preventDefault();
    if (next) this.goTo(next.id);
  }

  // ------------------------------------------------------------ changes

  get kept() {
    return { ...super.kept, nodes: this.nodes, line: this.line };
  }

  extend(ply, name) {
    const seat = ply === this.ply ? this.scene.to_move : null;
    const { nodes, id } = withChild(this.nodes, this.line[ply].id, name, seat);
    this.nodes = nodes;
    this.line = lineThrough(nodes, id);
    this.follow(id);
  }

  async playNames(names) {
    const before = this.nodes;
    await super.playNames(names);
    if (this.nodes !== before) this.changed(before);
  }

  /** The tree was another one `before`; the change is saved soon. */
  changed(before) {
    this.past = [...this.past, before].slice(-MOST_UNDONE);
    this.shown();
  }

  shown() {
    this.saving = t("study.saving");
    clearTimeout(this.saveSoon);
    this.saveSoon = setTimeout(() => this.save(), WAIT);
    this.unsaved = this.study.can_write;
    this.draw();
  }

  change(nodes) {
    const before = this.nodes;
    if (nodes === before) return;
    this.nodes = nodes;
    this.changed(before);
  }

  comment(text) {
    const before = this.nodes;
    this.nodes = changed(before, this.at, { comment: text });
    const goesOn = this.commented === this.at && this.past.length; // one change a comment
    this.commented = this.at;
    if (goesOn) this.shown();
    else this.changed(before);
  }

  rename(title) {
    this.study = { ...this.study, title: title.trim() || this.study.title };
    this.app.title(this.study.title);
    this.shown();
  }

  promote() {
    this.change(promoted(this.nodes, this.at));
    this.line = lineThrough(this.nodes, this.at);
    this.goTo(this.at);
  }

  async cut() {
    const { at } = this;
    this.at = nodeOf(this.nodes, at).parent;
    this.change(without(this.nodes, at));
    this.line = lineThrough(this.nodes, this.at);
    await this.goTo(this.at);
  }

  undo() {
    const before = this.past.at(-1);
    this.past = this.past.slice(0, -1);
    this.nodes = before;
    this.commented = null;
    this.line = this.refreshed();
    if (!nodeOf(before, this.at)) this.at = this.line.at(-1).id;
    this.shown();
    this.goTo(this.at);
  }

  // ------------------------------------------------------------ marks

  get drawn() {
    return { marks: marksOf(nodeOf(this.nodes, this.at)?.marks ?? "") };
  }

  markAt(event) {
    const spot = event.target.closest("[data-spot]")?.getAttribute("data-spot");
    if (!spot) return;
    event.preventDefault();
    event.stopPropagation();
    this.change(changed(this.nodes, this.at, { marks: nextMark(nodeOf(this.nodes, this.at).marks, spot) }));
  }

  // ------------------------------------------------------------ saving

  get tree() {
    const { game, options, seed, seats } = this.study;
    return { game, options, seed, seats, ...toColumns(this.nodes) };
  }

  /** Saves what is not saved yet, one request at a time. */
  async save() {
    clearTimeout(this.saveSoon);
    if (!this.unsaved || this.writing) return;
    this.unsaved = false;
    const { nodes, study: { version, title } } = this;
    this.writing = post(`/api/studies/${this.link}`, { version, title, tree: this.tree });
    try {
      const saved = await this.writing;
      this.study = { ...this.study, version: saved.version };
      this.saving = t(this.unsaved ? "study.saving" : "study.saved");
      if (nodes === this.nodes) this.told(saved);
      noteStudy({ link: this.link, id: this.study.id, title, game: this.study.game_title });
    } catch (error) {
      this.saving = t("study.not_saved", { error: error.message });
      if (error.status === CONFLICT) this.conflict();
      else this.app.say(this.saving, "error");
    }
    this.writing = null;
    if (this.unsaved) await this.save();
    this.draw();
  }

  /** The server's names and sentences of all moves. */
  told({ actions, movers, texts }) {
    this.nodes = this.nodes.map((node, at) => (
      { ...node, action: actions[at], mover: movers[at], text: texts[at] }));
    this.follow(this.at);
  }

  async conflict() {
    const newer = await ask(t("study.conflict"), html`<p>${t("study.conflict_about")}</p>`,
    [{ label: t("study.save_mine"), value: false }, { label: t("study.show_newer"), value: true }]);
    if (newer === false) await this.copy();
    else this.app.go(location.hash);
  }

  // ------------------------------------------------------------ the whole study

  async copy() {
    await this.app.attempt(async () => {
      const { key } = await makeStudy(this.study.title, { tree: this.tree });
      this.app.go(`#/study/${key}?node=${this.at}`);
    });
  }

  share() {
    const link = (id) => linkTo(`study/${id}?node=${this.at}`);
    tell(t("study.share"), html`${copyField(t("study.reads"), link(this.study.id))}
      ${this.study.can_write ? copyField(t("study.changes"), link(this.link)) : nothing}`);
  }

  async download(format) {
    await this.app.attempt(async () => {
      await this.save();
      await download(`/api/studies/${this.link}/file?format=${format}`, `${this.study.game}-study.${format}`);
    });
  }

  async remove() {
    if (!await confirm(t("study.delete_ask"), t("study.delete_about"), t("study.delete"))) return;
    await this.app.attempt(async () => {
      this.unsaved = false;
      await post(`/api/studies/${this.link}/remove`);
      forgetStudy(this.link);
      this.app.go("#/study");
    });
  }

  // ------------------------------------------------------------ the view

  get heading() {
    return this.study.title;
  }

  moves() {
    return this.panel.template();
  }
}
