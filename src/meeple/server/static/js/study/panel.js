// The panel of a study: its tree of moves, the comment, and what may be done with them.

import { button, field, select } from "../controls.js";
import { chip } from "../players.js";
import { drawing, html, live, nothing } from "../view.js";
import { branching, childrenOf, nodeOf } from "./tree.js";

const MAX_COMMENT = 4000;
const FORMATS = { jsonl: "JSON lines", sgf: "SGF" };

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
      ${field("study-title", "Title", html`<input type="text" id="study-title" maxlength="100"
        autocomplete="off" .value=${live(desk.study.title)} @change=${name} ?readonly=${!writes}>`)}
      <p class="quiet small" role="status">${writes ? desk.saving
        : "This link reads the study. Your changes stay on this page; save a copy to keep them."}</p>
      ${drawing(this.tree, desk.nodes, desk.at)}
      ${field("study-comment", "Comment", html`<textarea id="study-comment" rows="3"
        maxlength=${MAX_COMMENT} .value=${live(node.comment)} @input=${write}></textarea>`)}
      <div class="line">${button("Undo", () => desk.undo(), { disabled: !desk.past.length })}
        ${button("Promote", () => desk.promote(), { disabled: !branching(desk.nodes, desk.at),
          title: "Make this variation the main one from where it begins" })}
        ${button("Delete from here", () => desk.cut(), { disabled: desk.at === 0 })}
        <button type="button" aria-pressed=${String(desk.marking)} @click=${() => desk.mark()}
          title="Or right-click a place: circle, square, triangle, cross">Mark places</button></div>
      ${desk.marking ? html`<p class="quiet small">Choose a place on the board: circle, square,
        triangle, cross, nothing.</p>` : nothing}
      <div class="line">${button("Share", () => desk.share())}${this.downloads()}
        ${button("Save a copy", () => desk.copy())}
        ${writes ? button("Delete study", () => desk.remove(), { kind: "danger" }) : nothing}</div>
      <a href="#/study">All your studies</a></div>`;
  }

  downloads() {
    const { desk } = this;
    const known = Object.entries(FORMATS).filter(([format]) => format !== "sgf" || desk.study.sgf);
    return select({ label: "Download" }, "", [["", "Download…"], ...known], (format) => {
      if (format) desk.download(format);
      desk.draw();
    });
  }

  // ------------------------------------------------------------ the tree

  variations(nodes, at) {
    const children = childrenOf(nodes);
    return html`<div class="study-tree" role="group" aria-label="Variations">${
      nodes.length > 1 ? this.line(children, nodes[0], 0, at)
        : html`<p class="quiet">Play moves on the board.</p>`}</div>`;
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
      chip(mover ?? -1, players[mover] ?? "chance")}<span>${text || action}</span>${marks
      ? html`<span class="study-sign" title="with marks">◦</span>` : nothing}</button>${comment
      ? html`<span class="study-words">${comment}</span>` : nothing}`;
  }
}
