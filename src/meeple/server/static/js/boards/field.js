// A board as SVG: cells with pieces, what one may click, and what is laid over them. What differs
// between boards, where the cells are and how a piece looks, comes from a family:
//
//   layout(scene, width, height) -> {key, width, height, unit, under, rows: [[{spot, name, x, y, shape}]],
//     most, style}: the same key, the same places; `unit` is a cell's size and `shape` a path
//     around the cell's middle; `under` is drawn below; `most` is how far the picture may be
//     magnified, `style` a class of its own, and `colours` those of the stones by player, if they
//     are not the players'
//   pieces(scene) -> {spot: piece}
//   draw(piece, cell, layout) -> SVG nodes around the cell's middle
//   ring(piece, layout) -> what marks a cell of the last move
//   words(piece, layout) -> what a screen reader says, or "" to leave it to the field
//   spot(action) -> the cell of an action of some later position, where its number says it
//   over(scene, cells, layout) -> SVG nodes above all cells

import { clear, h, s } from "../view.js";
import { t, translate } from "../messages.js";
import { cross, drawExplained, markSign, note } from "./pieces.js";
import { makeClicks, Spots, touched } from "./spots.js";

const STEPS_APART = 0.04; // seconds between two pieces that turn over one after the other

/** A board of a family in a container; see `board.js` for the options. */
export class Field extends Spots {
  constructor(container, options, family) {
    super(options, h("div", { class: "board-field" }));
    this.family = family;
    this.clicks = makeClicks(this.onAction);
    container.append(this.root);
    this.observer = new ResizeObserver(() => this.redraw());
    this.observer.observe(this.root);
  }

  close() {
    super.close();
    this.observer.disconnect();
  }

  redraw() {
    const width = this.root.clientWidth;
    this.clicks.set(this.state.actions);
    if (!this.state.scene || !width) return;
    const height = Number.parseFloat(getComputedStyle(this.root).maxHeight) || Infinity;
    const layout = this.family.layout(this.state.scene, width, height);
    const fresh = layout.key !== this.layout?.key;
    if (fresh) this.build(layout);
    this.show(!fresh);
  }

  // ------------------------------------------------------------ cells

  build(layout) {
    const focused = this.root.contains(document.activeElement);
    this.layout = layout;
    this.cells = new Map();
    const rows = layout.rows.map((row) =>
      s("g", { role: row.length > 0 && "row" }, ...row.map((place) => this.cell(place))));
    this.over = s("g", { class: "over", "aria-hidden": "true" });
    this.why = s("g", { class: "over", "aria-hidden": "true" });
    this.focus = s("g", { class: "focus", "aria-hidden": "true" });
    const { style = "", colours = [] } = layout;
    const stones = colours.length ? "stones" : "";
    this.svg = s("svg", { class: `board ${this.state.scene.family} ${style} ${stones}`,
      viewBox: `0 0 ${layout.width} ${layout.height}`, "aria-label": this.label,
      role: this.cells.size ? "grid" : "img", // a grid needs cells
      onkeydown: (event) => this.key(event), onpointerleave: () => this.hover(null) },
    s("g", { "aria-hidden": "true" }, layout.under), ...rows, this.over, this.why, this.focus);
    colours.forEach((colour, seat) => this.svg.style.setProperty(`--stone-p${seat}`, `var(--${colour})`));
    this.svg.style.maxWidth = `${Math.round(layout.width * layout.most)}px`;
    clear(this.root).append(this.svg);
    this.magnify(layout.unit, () => (this.clicks.open().length ? [...this.cells.values()] : []));
    this.stop(this.cells.has(this.current) ? this.current : this.cells.keys().next().value);
    if (focused) this.cells.get(this.current)?.node.focus();
  }

  cell(place) {
    const cell = { ...place, piece: "" };
    const { spot, x, y, shape } = place;
    cell.heat = s("path", { class: "heat", d: shape });
    cell.pieces = s("g", { class: "piece" });
    cell.notes = s("g", { class: "notes" });
    cell.node = s("g",
      { class: "spot", role: "gridcell", tabindex: "-1", "data-spot": spot,
        transform: `translate(${x} ${y})`, onclick: () => this.click(spot),
        onpointerenter: (event) => event.pointerType !== "touch" && this.hover(spot),
        onfocus: () => this.enter(cell), onblur: () => this.left() },
      s("path", { class: "ground", d: shape }), cell.heat, cell.pieces, cell.notes);
    this.cells.set(spot, cell);
    return cell.node;
  }

  // ------------------------------------------------------------ what is shown

  show(moving) {
    const { scene } = this.state;
    this.marked = this.overlay();
    const pieces = this.family.pieces(scene);
    const last = this.cells.get(scene.last?.at(-1));
    for (const cell of this.cells.values()) {
      this.setPiece(cell, pieces[cell.spot] ?? "", moving, last);
      this.setNotes(cell);
    }
    this.svg.classList.toggle("decided", Boolean(scene.line?.length));
    this.svg.classList.toggle("playing", this.clicks.open().length > 0);
    clear(this.over).append(...(this.family.over?.(scene, this.cells, this.layout) ?? []));
    clear(this.why).append(...drawExplained(this.state.explained, this.cells, this.layout.unit));
  }

  setPiece(cell, piece, moving, last) {
    if (cell.piece === piece) return;
    const before = cell.piece;
    cell.piece = piece;
    clear(cell.pieces).append(...(piece ? this.family.draw(piece, cell, this.layout) : []));
    const change = !moving || !piece ? "" : isPlayer(before) && isPlayer(piece) ? "turns" : "comes";
    cell.pieces.setAttribute("class", `piece ${change}`);
    if (change === "turns") {
      const steps = last ? Math.hypot(cell.x - last.x, cell.y - last.y) / this.layout.unit : 0;
      cell.pieces.style.setProperty("--before", `var(--stone-${before})`);
      cell.pieces.style.setProperty("--wait", `${(steps * STEPS_APART).toFixed(2)}s`);
    }
  }

  /** What lies over each spot, from the scene, the heat, the line and what the pointer is on. */
  overlay() {
    const { scene, actions, heat, line, preview, mover, premove, lit } = this.state;
    const known = new Map(actions.map((action) => [action.id, action]));
    const spotOf = (id) => {
      const found = known.get(id);
      const spot = found ? touchedLast(found) : this.family.spot?.(id);
      return this.cells.has(spot) ? spot : undefined;
    };
    const hot = new Map();
    for (const [id, share] of Object.entries(heat ?? {})) {
      const spot = spotOf(Number(id));
      if (spot !== undefined) hot.set(spot, (hot.get(spot) ?? 0) + share);
    }
    const numbers = new Map();
    line.forEach((id, at) => {
      const spot = spotOf(id);
      if (spot !== undefined) numbers.set(spot, [...(numbers.get(spot) ?? []), at + 1]);
    });
    const next = this.clicks.next();
    const pointed = this.hovered === undefined ? undefined : this.clicks.only(this.hovered);
    const shown = pointed ?? known.get(preview);
    const leads = pointed || this.hovered === undefined ? [] : this.clicks.open(this.hovered);
    const free = [...this.cells.values()].filter(({ piece }) => !piece).length;
    return { hot, most: Math.max(0.01, ...hot.values()), numbers, next,
      dots: this.clicks.path.length > 0 || next.size < free / 2,
      ghosts: new Set([...lit, ...(shown ? touched(shown) : [])]),
      planned: new Set(known.has(premove) ? touched(known.get(premove)) : []),
      reach: new Set(leads.map(({ clicks }) => clicks[this.clicks.path.length + 1])), mover: mover ?? -1,
      last: new Set(scene.last ?? []), line: new Set(scene.line ?? []) };
  }

  setNotes(cell) {
    const { hot, most, numbers, next, dots, ghosts, planned, reach, last, line } = this.marked;
    const { node, spot, notes } = cell;
    const can = next.has(spot);
    const chosen = this.clicks.path.includes(spot);
    const share = hot.get(spot) ?? 0;
    const flags = { can, chosen, last: last.has(spot), winning: line.has(spot) };
    const closed = this.state.scene.closed?.[spot]; // the rule that closes the cell
    flags.planned = planned.has(spot);
    flags.touched = ghosts.has(spot) || flags.planned;
    const free = !cell.piece && !flags.touched && !share && !numbers.has(spot);
    flags.dotted = free && ((can && dots) || reach.has(spot));
    for (const [name, on] of Object.entries(flags)) node.classList.toggle(name, on);
    cell.heat.style.opacity = share ? (0.12 + 0.68 * Math.sqrt(share / most)).toFixed(2) : "0";
    clear(notes).append(...this.notes(cell, flags, share, numbers.get(spot)));
    if (closed) notes.append(cross(0.16 * this.layout.unit, closed));
    const words = this.words(cell, flags, share, numbers.get(spot));
    node.setAttribute("aria-label", closed ? `${words}, ${closed}` : words);
    node.setAttribute("aria-selected", String(chosen));
  }

  notes(cell, flags, share, numbers) {
    const { unit } = this.layout;
    const found = [];
    const mark = this.state.marks[cell.spot];
    if (mark) found.push(markSign(mark, 0.3 * unit));
    if (flags.last) found.push(this.family.ring(cell.piece, this.layout));
    if (flags.touched) found.push(...this.ghost(cell));
    if (flags.planned) found.push(s("circle", { class: "plan", r: 0.4 * unit }));
    if (flags.dotted) found.push(s("circle", { class: "dot", r: 0.1 * unit }));
    if (numbers) {
      const text = numbers.slice(0, 2).join(",");
      found.push(s("circle", { class: "badge", r: 0.34 * unit }),
        note(text, "number", (numbers.length > 1 ? 0.3 : 0.42) * unit, 0));
    }
    const percent = Math.round(100 * share);
    if (percent) {
      const low = numbers ? 0.38 * unit : 0;
      found.push(note(`${percent}%`, "percent", (numbers ? 0.24 : 0.31) * unit, low));
    }
    return found;
  }

  /** What an action would do here: lay a stone, slide a coin, take what lies there, or a tint. */
  ghost(cell) {
    const { ghosts, planned, mover } = this.marked;
    const carried = this.cells.get(this.clicks.path[0])?.piece;
    const alone = (planned.has(cell.spot) ? planned : ghosts).size === 1;
    const piece = carried || (mover >= 0 && alone && !cell.piece ? `p${mover}` : "");
    if (piece) {
      return [s("g", { class: "ghost" }, ...this.family.draw(piece, cell, this.layout))];
    }
    if (cell.piece) return [this.family.ring("", this.layout)];
    return [s("path", { class: mover >= 0 ? `tint p${mover}` : "tint", d: cell.shape })];
  }

  words(cell, flags, share, numbers) {
    const said = [cell.name, this.family.words?.(cell.piece, this.layout) || this.pieceWords(cell.piece)];
    const shape = this.state.marks[cell.spot];
    if (shape) said.push(t("board.marked", { shape: t(`board.${shape}`) }));
    if (flags.last) said.push(t("board.last"));
    if (flags.winning) said.push(t("board.winning"));
    if (share) said.push(t("board.percent", { n: Math.round(100 * share) }));
    if (numbers) said.push(t("board.line", { moves: numbers.join(t("board.and")) }));
    if (flags.planned) said.push(t("board.planned"));
    if (flags.chosen) said.push(t("board.chosen"));
    if (flags.can) {
      const action = this.clicks.only(cell.spot);
      const name = action ? (action.name ?? action.label) : undefined;
      if (!action) said.push(t("board.can_choose"));
      else said.push(name === cell.name ? t("board.can_play") : t("board.can_play_name", { name }));
    }
    return said.join(", ");
  }

  pieceWords(piece) {
    if (!piece) return t("board.empty");
    if (!isPlayer(piece)) return piece;
    const seat = Number(piece[1]);
    return t("board.stone",
      { player: translate(this.state.players?.[seat] ?? t("board.player", { n: seat + 1 })) });
  }

  // ------------------------------------------------------------ pointer and keys

  click(spot) {
    this.hovered = undefined;
    this.clicks.click(spot);
    this.show(true);
  }

  hover(spot) {
    const on = spot ?? undefined;
    if (this.hovered === on) return;
    this.hovered = on;
    const before = this.marked;
    this.marked = this.overlay();
    const parts = [before, this.marked].flatMap(({ ghosts, reach }) => [...ghosts, ...reach]);
    for (const touching of new Set(parts)) {
      if (this.cells.has(touching)) this.setNotes(this.cells.get(touching));
    }
    this.onPoint(on ?? null);
  }

  leave() {
    const had = this.clicks.path.length > 0;
    this.clicks.leave();
    if (had) this.show(true);
    return had;
  }

  /** The focus came; its mark lies above all cells, as neighbours would cover half of it. */
  enter(cell) {
    this.stop(cell.spot);
    if (!cell.node.matches(":focus-visible")) return;
    this.hover(cell.spot);
    this.focus.setAttribute("transform", `translate(${cell.x} ${cell.y})`);
    const halo = s("path", { class: "halo", d: cell.shape });
    clear(this.focus).append(halo, s("path", { d: cell.shape }));
  }

  left() {
    this.hover(null);
    clear(this.focus);
  }
}

function touchedLast(action) {
  return action.clicks?.at(-1) ?? action.marks?.[0];
}

function isPlayer(piece) {
  return /^p\d$/.test(piece);
}
