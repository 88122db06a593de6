// Templates of controls that several views use.

import { t } from "./messages.js";
import { html, live, nothing } from "./view.js";
import { sentence } from "./words.js";

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
 *  @param {{id?: string, label?: string, describedby?: string, kind?: string, invalid?: boolean}} names
 *  @param {any} value
 *  @param {any[][]} choices
 *  @param {(value: string) => void} onchange */
export function select({ id, label, describedby, kind, invalid }, value, choices, onchange) {
  return html`<select id=${id ?? nothing} aria-label=${label ?? nothing} class=${kind ?? nothing}
    aria-describedby=${describedby ?? nothing} aria-invalid=${invalid ? "true" : nothing}
    @change=${(event) => onchange(event.target.value)}>
    ${choices.map(([one, words, title]) => html`<option value=${one} title=${title ?? nothing}
      .selected=${live(String(one) === String(value))}>${words}</option>`)}</select>`;
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

/** The heads of a table's columns. */
export function heads(names) {
  return html`<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`;
}
