// A board of any game: the component that a plug-in has for the game, or else that of its scene's family, a
// picture or a text; and buttons for what is no click.

import { clear, grouped, h, saveAs } from "../view.js";
import { sentence, t, translate } from "../messages.js";
import { pluginBoard } from "../plugins.js";
import { CardTable } from "./cards.js";
import { cells } from "./cells.js";
import { Field } from "./field.js";
import { row } from "./row.js";

const TYPED = / \(type [^)]*\), or/; // a hint for the terminal, in the title of a group of actions
const FAMILIES = { hexagons: cells, pits: cells, points: cells, row, squares: cells };

/** A board in a container. `options`:
 *    onAction  called with the id of the action that a person chose
 *    label     what the board is called for a screen reader
 *    onPoint   called with the spot that is pointed at or has the focus, or null
 *  `update` takes any of these and keeps the others:
 *    scene     the position; actions: the legal ones as the server lists them, none to only look
 *    mover     the seat whose stone the pointer shows; players: what the seats are called
 *    heat      {action: share in 0..1}, drawn as tints with percentages
 *    line      [actions], numbered on their spots; preview: an action, shown as if pointed at
 *    lit       spots that are shown as if an action touched them
 *    explained explanations as the server lists them; pointable: spots to point at, if not all are
 *    premove   an action that is chosen for the next turn
 *    marks     {spot: "circle", "square", "triangle" or "cross"}
 *  A plug-in's `makeBoard(container, options)` returns a component with `update(state)`, which is called with
 *  all of these, and `close()`. */
export class Board {
  constructor(container, options) {
    this.options = { onAction: () => {}, onPoint: () => {}, label: t("common.board"), ...options };
    /** @type {any} */
    this.state = { actions: [], heat: {} };
    this.place = h("div", { class: "board-place" });
    this.buttons = h("div", { class: "board-buttons" });
    this.note = h("p", { class: "card-note" });
    this.root = h("div", { class: "board-frame" }, this.place, this.note, this.buttons);
    container.append(this.root);
  }

  async update(changes) {
    this.state = { ...this.state, ...changes };
    const { family, game = "" } = this.state.scene ?? {};
    if (!family) return;
    const kind = `${family} ${game}`;
    if (kind !== this.kind) await this.build(kind, family, game);
    if (kind !== this.kind || !this.component) return; // closed or another since
    try {
      this.component.update(this.state);
    } catch (error) {
      if (!this.isPlugin) throw error;
      console.error(error);
      await this.build(kind, family, "");
      this.component?.update(this.state);
    }
    this.note.textContent = family in FAMILIES ? translate(this.state.scene.note ?? "") : "";
    this.note.hidden = !this.note.textContent;
    this.drawButtons();
  }

  async build(kind, family, game) {
    this.kind = kind;
    this.root.className = `board-frame ${family}`;
    this.component?.close();
    this.component = null;
    const own = await pluginBoard(game, this.place, this.options);
    // The island is large, and of one game.
    const island = !own && family === "island" && await import("./island.js");
    if (kind !== this.kind) {
      own?.close();
      return;
    }
    this.isPlugin = Boolean(own);
    if (own) this.component = own;
    else if (island) this.component = new island.Island(this.place, this.options);
    else if (family === "cards") this.component = new CardTable(this.place, this.options);
    else if (family in FAMILIES) this.component = new Field(this.place, this.options, FAMILIES[family]);
    else this.component = makeText(this.place, this.options);
  }

  close() {
    this.kind = null;
    this.component?.close();
    this.root.remove();
  }

  // ------------------------------------------------------------ buttons

  drawButtons() {
    const rest = this.state.actions.filter(({ clicks }) => !clicks?.length);
    const groups = grouped(rest, ({ group }) => sentence(translate(group ?? "").replace(TYPED, ":")));
    const key = JSON.stringify([rest, rest.map(({ id }) => this.state.heat[id])]);
    if (key === this.drawn) return; // so that a button keeps the focus
    this.drawn = key;
    clear(this.buttons).append(...[...groups].map(([title, actions]) =>
      h("div", { class: "board-group", role: "group", "aria-label": title || t("board.other_moves") },
        title ? h("h3", {}, title) : null,
        h("div", { class: "board-choices" }, actions.map((action) => this.button(action))))));
  }

  button({ id, label, name }) {
    const share = Math.round(100 * (this.state.heat[id] ?? 0));
    return h("button", { type: "button", class: "board-button", "data-action": id,
      onclick: () => this.options.onAction(id) },
    translate(label || name), share ? h("span", { class: "board-share" }, `${share}%`) : null);
  }
}

/** The text in a container; see `board.js`. All actions are buttons there. */
function makeText(container, { label }) {
  const shown = h("pre", { class: "board-text", tabindex: "0", role: "region", "aria-label": label });
  container.append(shown);
  return {
    update({ scene }) {
      if (shown.textContent !== scene.text) shown.textContent = scene.text;
    },
    close: () => shown.remove(),
  };
}

const WIDTH = 1200; // pixels
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "stroke-opacity", "opacity", "display", "paint-order", "font-size", "font-weight",
  "font-family", "text-anchor", "dominant-baseline", "r", "color"];

/** Downloads a drawn board as a PNG file of that name. */
export async function downloadImage(board, name) {
  const { width, height } = board.viewBox.baseVal;
  const copy = /** @type {SVGSVGElement} */ (withStyles(board));
  const scale = WIDTH / width;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(WIDTH));
  copy.setAttribute("height", String(height * scale));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  saveAs(canvas.toDataURL("image/png"), `${name}.png`);
}

/** A copy of a node in which the style sheets' values are attributes. */
function withStyles(node) {
  const copy = node.cloneNode(false);
  if (node.nodeType !== Node.ELEMENT_NODE) return copy;
  const style = getComputedStyle(node);
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value && !(name === "r" && node.tagName !== "circle")) copy.setAttribute(name, value);
  }
  for (const name of ["tabindex", "role", "class", "aria-label"]) copy.removeAttribute(name);
  for (const child of node.childNodes) copy.append(withStyles(child));
  return copy;
}
