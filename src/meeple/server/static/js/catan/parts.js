// Small templates that the panels of Catan share.

import { t, translate } from "../messages.js";
import { button, html, nothing, repeat } from "../view.js";
import { icon } from "./drawings.js";
import { amounts } from "./words.js";

/** Buttons in a row, each {key, words, go, kind, title, disabled, pressed, expanded}; what is null or
 *  false is left out. The key keeps a button that has the focus from becoming another one. */
export function buttons(list) {
  return html`<div class="catan-buttons">${repeat(list.filter(Boolean), ({ key }) => key,
    ({ words, go, ...more }) => button(words, go, more))}</div>`;
}

/** A number with a button for less and one for more: each {label, go, disabled}. */
export function stepper(amount, some, less, more) {
  const step = (sign, { go, ...more }) => button(sign, go, { kind: "small step", ...more });
  return html`<span class="stepper ${some ? "some" : ""}">${step("−", less)}${amount}${
    step("+", more)}</span>`;
}

/** A resource as a picture, with its name for screen readers. */
export function resource(name, size) {
  return html`${icon(name, size)}<span class="hidden-text">${translate(name)}</span>`;
}

/** Cards as pictures with their numbers. */
export function goods({ resources }, counts) {
  return html`<span class="goods">${counts.map((n, r) => (n
    ? html`<span>${n} ${resource(resources[r], 18)}</span>` : nothing))}</span>`;
}

/** A cost as small pictures. */
export function price({ resources }, cost) {
  return html`<span class="price"><span class="hidden-text">${
    t("catan.for", { cost: amounts(cost, resources) })}</span>${
    cost.flatMap((n, r) => Array.from({ length: n }, () => icon(resources[r], 15)))}</span>`;
}

export function quiet(text) {
  return html`<p class="quiet small">${text}</p>`;
}
