// Dialogs: the browser's own <dialog>, which keeps the focus inside and gives it back.

import { t } from "./messages.js";
import { button, drawing, html, instead, render } from "./view.js";

let count = 0;

/** Shows a dialog and resolves with the answer of the button that closed it, or null.
 *  `actions`: [{label, value, kind}], the last the usual one, which Enter in a field presses. A
 *  `value` that is a function is called with the form's elements by their id, and gives the answer;
 *  undefined: the dialog stays open. */
export function ask(title, content, actions) {
  return new Promise((resolve) => {
    const id = `dialog-${++count}`;
    const usual = actions.at(-1);
    const dialog = document.createElement("dialog");
    let answer = null;
    const finish = ({ value }) => {
      const given = typeof value === "function" ? value(form.elements) : value;
      if (given === undefined) return;
      answer = given;
      dialog.close();
    };
    dialog.setAttribute("aria-labelledby", id);
    render(html`<form method="dialog" @submit=${instead(() => finish(usual))}>
      <h2 id=${id}>${title}</h2>${content}
      <div class="actions">
        ${actions.slice(0, -1).map((one) => button(one.label, () => finish(one), one))}
        <button type="submit" class=${usual.kind ?? "primary"}>${usual.label}</button>
      </div></form>`, dialog);
    const form = dialog.querySelector("form");
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    /** @type {HTMLElement} */
    const first = form.querySelector("input, select, textarea, [type=submit]");
    first.focus();
  });
}

/** Asks for something: what `value` says of the form when the button `label` is pressed; else null. */
export function askFor(title, content, label, value) {
  return ask(title, content, [{ label: t("common.cancel"), value: null }, { label, value }]);
}

/** Something to read. */
export function tell(title, content) {
  return ask(title, content, [{ label: t("common.close"), value: null }]);
}

/** Whether to do something that cannot be undone. */
export async function confirm(title, text, label) {
  const no = { label: t("common.cancel"), value: false };
  const yes = { label, value: true, kind: "danger" };
  return Boolean(await ask(title, html`<p>${text}</p>`, [no, yes]));
}

/** A link with a button that copies it. */
export function copyField(label, text) {
  return drawing(copyNode, label, text);
}

function copyNode(label, text) {
  const id = `copy-${++count}`;
  async function press({ target }) {
    const said = target.nextElementSibling;
    const words = (await copy(target.previousElementSibling)) ? t("common.copied") : t("common.press_ctrl_c");
    target.textContent = said.textContent = words;
    setTimeout(() => {
      target.textContent = t("common.copy");
      said.textContent = "";
    }, 2000);
  }
  return html`<div class="field"><label for=${id}>${label}</label><div class="copy">
    <input id=${id} type="text" readonly value=${text} @focus=${(event) => event.target.select()}>
    <button type="button" @click=${press}>${t("common.copy")}</button><span class="hidden-text"
      role="status"></span></div></div>`;
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy"); // where a page without TLS has no clipboard
  }
}
