// How a view is drawn: a controller holds its state, and templates of lit-html show it; nodes of boards,
// and templates of controls that several views use.

import { sentence, t } from "./messages.js";
import { guard, html, keyed, live, nothing, render, repeat, svg } from "./vendor/lit-html.js";

export { html, keyed, live, nothing, render, repeat, svg };

/** The state of a view. A subclass keeps it in fields; its methods change them and call `draw()`.
 *  `template()` returns the template that shows the state, and changes nothing. */
export class Controller {
  constructor(root) {
    this.root = root;
    this.closing = new AbortController();
  }

  get closed() {
    return this.closing.signal.aborted;
  }

  /** Closes a part with the view: calls it if it is a function, else its `close()`. */
  own(part) {
    const close = () => (typeof part === "function" ? part() : part.close());
    if (this.closed) close();
    else this.closing.signal.addEventListener("abort", close);
    return part;
  }

  /** What a promise resolves to; null if another one was given here before that, or the view is closed. */
  async newest(promise) {
    this.awaited = promise;
    const isOld = () => this.awaited !== promise || this.closed;
    try {
      const found = await promise;
      return isOld() ? null : found;
    } catch (error) {
      if (isOld()) return null;
      throw error;
    }
  }

  /** Calls `listener` for the events of `target` until the view is closed. */
  listen(target, name, listener) {
    target.addEventListener(name, listener, { signal: this.closing.signal });
  }

  close() {
    this.closing.abort();
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

// ---------------------------------------------------------------- nodes

const SVG = "http://www.w3.org/2000/svg";

// An HTML element. An attribute that is a function is a listener ("onclick"); null, undefined and
// false leave an attribute out, true sets it empty. Children: nodes, texts, numbers, lists of them.
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// An SVG element, in the same way.
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Takes all children away and returns the node.
export function clear(node) {
  node.replaceChildren();
  return node;
}

// Downloads what is at an address as a file of that name.
export function saveAs(href, name) {
  const link = h("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

/** The members of a list by their key. */
export function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(shown));
  return node;
}

function shown(child) {
  return child !== null && child !== undefined && child !== false && child !== true;
}

// ---------------------------------------------------------------- controls

/** A listener that does something in the place of the browser. */
export function instead(go) {
  return (event) => {
    event.preventDefault();
    go(event);
  };
}

/** A button with a text or template.
 *  @param {any} words
 *  @param {(event: Event) => void} onclick
 *  @param {{kind?: string, title?: string, label?: string, keys?: string, disabled?: boolean,
 *    hidden?: boolean, pressed?: boolean, expanded?: boolean}} [more]
 *    its class, title, accessible name, shortcut, and states; one that switches is `pressed` or not */
export function button(words, onclick, more = {}) {
  const { kind, title, label, keys, disabled = false, hidden = false, pressed, expanded } = more;
  const flag = (value) => (value === undefined ? nothing : String(value));
  return html`<button type="button" class=${kind || nothing} title=${title || nothing}
    aria-label=${label ?? nothing} aria-keyshortcuts=${keys ?? nothing} aria-pressed=${flag(pressed)}
    aria-expanded=${flag(expanded)} ?disabled=${disabled} ?hidden=${hidden} @click=${onclick}>${
    words}</button>`;
}

/** A labelled control and what there is to say about it. */
export function field(id, label, control, /** @type {any} */ help = nothing, title = null) {
  return html`<div class="field" title=${title ?? nothing}><label for=${id}>${label}</label>${
    control}${help}</div>`;
}

/** A choice of [value, words, title]; `onchange(value)` gets the value as a text.
 *  @param {{id?: string, label?: string, describedby?: string, invalid?: boolean}} names
 *  @param {any} value
 *  @param {any[][]} choices
 *  @param {(value: string) => void} onchange */
export function select({ id, label, describedby, invalid }, value, choices, onchange) {
  return html`<select id=${id ?? nothing} aria-label=${label ?? nothing}
    aria-describedby=${describedby ?? nothing} aria-invalid=${invalid ? "true" : nothing}
    @change=${(event) => onchange(event.target.value)}>
    ${choices.map(([one, words, title]) => html`<option value=${one} title=${title ?? nothing}
      .selected=${live(String(one) === String(value))}>${words}</option>`)}</select>`;
}

/** The same with a label that is seen; it may be left to a form to read the value by the id.
 *  @param {(value: string) => void} [onchange] */
export function labelled(id, label, value, choices, onchange = () => null, help = undefined) {
  return field(id, label, select({ id }, value, choices, onchange), help);
}

/** Radio buttons for [value, words]; `onchange(value)`. */
export function radios(name, value, choices, onchange) {
  return choices.map(([one, words]) => html`<label><input type="radio" name=${name} value=${one}
    .checked=${live(one === value)} @change=${() => onchange(one)}>${words}</label>`);
}

/** A box to tick, with its label; `onchange(checked)`. */
export function checkbox(words, checked, onchange) {
  return html`<label class="check"><input type="checkbox" .checked=${live(checked)}
    @change=${(event) => onchange(event.target.checked)}>${words}</label>`;
}

/** A section that says why there is nothing else. */
export function sorry(text, link = html`<a href="/#/">${t("shell.back")}</a>`) {
  return html`<section class="panel narrow"><h1>${t("shell.sorry")}</h1><p>${sentence(text)}</p>
    <p>${link}</p></section>`;
}

/** The heads of a table's columns; `kinds` are their classes, where they have some. */
export function heads(names, kinds = []) {
  return html`<thead><tr>${names.map((name, at) => (name === "" ? html`<td></td>`
    : html`<th scope="col" class=${kinds[at] || nothing}>${name}</th>`))}</tr></thead>`;
}
