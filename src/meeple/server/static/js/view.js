// How a view is drawn: a controller holds its state, and templates of lit-html show it.

import { guard, html, keyed, live, nothing, render, repeat, svg } from "./vendor/lit-html.js";

export { html, keyed, live, nothing, render, repeat, svg };

/** The state of a view. A subclass keeps it in fields; its methods change them and call `draw()`.
 *  `template()` returns the template that shows the state, and changes nothing. */
export class Controller {
  constructor(root) {
    this.root = root;
  }

  /** @returns {any} */
  template() {
    throw new Error("a subclass has the template");
  }

  draw() {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    render(this.template(), this.root);
    // What was moved to another place keeps the focus.
    if (focused !== document.activeElement && this.root.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }

  /** Changes fields, and shows the change. */
  set(changes) {
    Object.assign(this, changes);
    this.draw();
  }
}

/** The node that `make(...given)` returns; made anew only when one of `given` is another one. */
export function drawing(make, ...given) {
  return guard([make, ...given], () => make(...given));
}

/** A percentage as the width of an element, for `.style=`. */
export function width(share) {
  return `width: ${(100 * Math.min(Math.max(share, 0), 1)).toFixed(1)}%`;
}
