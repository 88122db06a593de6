// Boards of spots: which clicks are which action, and where one goes by an arrow key.

import { magnify } from "./loupe.js";

/**
 * The way of clicks to an action. An action's `clicks` are spots in turn; the last one plays it.
 * No action's clicks begin another's, as the server's scenes promise.
 */
export function makeClicks(onAction) {
  let actions = [];
  let path = [];

  /** The actions that the clicks so far, and then one more on `spot`, may still become. */
  function open(spot) {
    return actions.filter(({ clicks }) =>
      clicks.length > path.length &&
      path.every((step, at) => clicks[at] === step) && (spot === undefined || clicks[path.length] === spot));
  }

  return {
    /** The legal actions that have clicks; a way that is half gone goes on if it still leads on. */
    set(legal) {
      actions = legal.filter(({ clicks }) => clicks?.length);
      if (!open().length) path = [];
    },
    get path() {
      return path;
    },
    /** Every spot that may be clicked next. */
    next: () => new Set(open().map(({ clicks }) => clicks[path.length])),
    open,
    /** The one action that a click on `spot` leads to, or undefined. */
    only(spot) {
      const found = open(spot);
      return found.length === 1 ? found[0] : undefined;
    },
    /** A click: plays, goes a step on, begins anew elsewhere, or leaves what was half done. */
    click(spot) {
      let found = open(spot);
      const before = path;
      if (!found.length) {
        path = [];
        found = before.at(-1) === spot ? [] : open(spot);
      }
      if (!found.length) return;
      path = [...path, spot];
      const done = found.find(({ clicks }) => clicks.length === path.length);
      if (done) {
        path = [];
        onAction(done.id);
      }
    },
    leave() {
      path = [];
    },
  };
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Where an arrow key leads: the nearest spot on that side; of two, so that one can go back. */
export function neighbour(spots, from, key) {
  const [right, down] = DIRECTIONS[key];
  let best;
  let least = Infinity;
  for (const spot of spots) {
    const x = spot.x - from.x;
    const y = spot.y - from.y;
    const along = x * right + y * down;
    const aside = x * down + y * right;
    if (along < 1 || Math.abs(aside) > 1.1 * along) continue;
    const length = along + Math.abs(aside) - 0.01 * aside;
    if (length < least) {
      least = length;
      best = spot;
    }
  }
  return best;
}

/** What an action touches: its `marks`, or else its last click. */
export function touched(action) {
  return action.marks?.length ? action.marks : (action.clicks ?? []).slice(-1);
}

/** What boards of spots share: their state, and the keys that go from spot to spot. A subclass has the
 *  `cells`, each {spot, x, y, node}. */
export class Spots {
  /** @param {any} options as of a board; `root` is its node */
  constructor({ onAction, onPoint, label }, root) {
    this.onAction = onAction;
    this.onPoint = onPoint;
    this.label = label;
    this.root = root;
    this.state = { actions: [], heat: {}, line: [], lit: [], last: [], marks: {}, explained: [] };
    this.cells = new Map(); // by spot
    /** @type {any} */
    this.svg = null;
    this.unmagnify = () => null;
  }

  update(changes) {
    this.state = { ...this.state, ...changes };
    if (this.state.scene) this.redraw();
  }

  close() {
    this.unmagnify();
    this.root.remove();
  }

  /** Shows cells of `size` units larger to fingers; `open()` has those that may be chosen. */
  magnify(size, open) {
    this.unmagnify();
    this.unmagnify = magnify(this.svg, { size, spots: open, choose: (spot) => this.click(spot) });
  }

  redraw() {}

  click(_spot) {}

  /** The cells that have a tab stop. */
  get stops() {
    return [...this.cells.values()];
  }

  /** Leaves what is half done; whether anything was. */
  leave() {
    return false;
  }

  key(event) {
    const cell = this.cells.get(this.current);
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.click(cell.spot);
    else if (event.key !== "Escape" || !this.leave()) {
      if (!event.key.startsWith("Arrow")) return;
      neighbour(this.stops, cell, event.key)?.node.focus();
    }
    event.preventDefault();
  }

  /** Makes a spot the one where the tab key stops. */
  stop(spot) {
    this.cells.get(this.current)?.node.setAttribute("tabindex", "-1");
    this.current = spot;
    this.cells.get(spot)?.node.setAttribute("tabindex", "0");
  }
}
