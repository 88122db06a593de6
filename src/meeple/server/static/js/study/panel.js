// The panel of a study: its tree of moves, the comment, and what may be done with them.

import { t, translate } from "../messages.js";
import { chip } from "../players.js";
import { button, drawing, field, html, live, nothing, select } from "../view.js";
import { branching, childrenOf, nodeOf } from "./tree.js";

const MAX_COMMENT = 4000;
const FORMATS = { jsonl: t("study.json_lines"), sgf: "SGF" };

export class StudyPanel {
  /** `desk`: {study, nodes, at, past, saving} and the methods that buttons call. */
  constructor(desk) {
    this.desk = desk;
    this.tree = (nodes, at) => this.variations(nodes, at);
  }

  template() {
    const { desk } = this;
    const node = nodeOf(desk.nodes, desk.at);
    const name = ({ target }) => desk.rename(target.value);
    const write = ({ target }) => desk.comment(target.value);
    const { can_write: writes } = desk.study;
    return html`<div class="stack study">
      ${field("study-title", t("common.title"), html`<input type="text" id="study-title" maxlength="100"
        autocomplete="off" .value=${live(desk.study.title)} @change=${name} ?readonly=${!writes}>`)}
      <p class="quiet small" role="status">${writes ? desk.saving
        : t("study.read_only")}</p>
      ${drawing(this.tree, desk.nodes, desk.at)}
      ${field("study-comment", t("study.comment"), html`<textarea id="study-comment" rows="3"
        maxlength=${MAX_COMMENT} .value=${live(node.comment)} @input=${write}></textarea>`)}
      <div class="line">${button(t("common.undo"), () => desk.undo(), { disabled: !desk.past.length })}
        ${button(t("study.promote"), () => desk.promote(), { disabled: !branching(desk.nodes, desk.at),
          title: t("study.promote_about") })}
        ${button(t("study.cut"), () => desk.cut(), { disabled: desk.at === 0 })}
        ${button(t("study.mark"), () => desk.set({ marking: !desk.marking }), { pressed: desk.marking,
          title: t("study.mark_title") })}</div>
      ${desk.marking ? html`<p class="quiet small">${t("study.mark_about")}</p>` : nothing}
      <div class="line">${button(t("common.share"), () => desk.share())}${this.downloads()}
        ${button(t("study.copy"), () => desk.copy())}
        ${writes ? button(t("study.delete_study"), () => desk.remove(), { kind: "danger" }) : nothing}</div>
      <a href="#/study">${t("study.all")}</a></div>`;
  }

  downloads() {
    const { desk } = this;
    const known = Object.entries(FORMATS).filter(([format]) => format !== "sgf" || desk.study.sgf);
    return select({ label: t("common.download") }, "", [["", t("study.download")], ...known], (format) => {
      if (format) desk.download(format);
      desk.draw();
    });
  }

  // ------------------------------------------------------------ the tree

  variations(nodes, at) {
    const children = childrenOf(nodes);
    return html`<div class="study-tree" role="group" aria-label=${t("study.variations")}>${
      nodes.length > 1 ? this.line(children, nodes[0], 0, at)
        : html`<p class="quiet">${t("study.play_moves")}</p>`}</div>`;
  }

  /** The moves after a node: the main ones in a row, the others as rows of their own. */
  line(children, from, ply, at) {
    const parts = [];
    for (let before = from, depth = ply; ; depth += 1) {
      const [main, ...others] = children.get(before.id);
      if (!main) return parts;
      parts.push(this.move(main, depth, at));
      for (const other of others) {
        parts.push(html`<div class="study-variation">${this.move(other, depth, at)}${
          this.line(children, other, depth + 1, at)}</div>`);
      }
      before = main;
    }
  }

  move({ id, mover, text, action, comment, marks }, depth, at) {
    const { players } = this.desk.study;
    return html`<button type="button" class="study-move" @click=${() => this.desk.goTo(id)}
      aria-current=${id === at ? "step" : nothing}><span class="quiet small">${depth + 1}</span>${
      chip(mover ?? -1, players[mover] ?? "chance")}<span>${translate(text || action)}</span>${marks
      ? html`<span class="study-sign" title=${t("study.with_marks")}>◦</span>` : nothing}</button>${comment
      ? html`<span class="study-words">${comment}</span>` : nothing}`;
  }
}
