// Dialogs: the browser's own <dialog>, which keeps the focus inside and gives it back.

import { h } from "./dom.js";

let count = 0;

// Shows a dialog and resolves with the value of the button that closed it, or null.
// `actions`: [{label, value, kind}], the last the usual one. `content`: nodes. Enter in a field
// is a press of the last button; `check()` may keep the dialog open by returning false.
export function ask(title, content, actions, { check } = {}) {
  return new Promise((resolve) => {
    const id = `dialog-${++count}`;
    let answer = null;
    const buttons = actions.map(({ label, value, kind }, at) => {
      const usual = at === actions.length - 1;
      return h("button", { type: usual ? "submit" : "button", class: kind ?? (usual && "primary"),
        onclick: usual ? null : () => finish(value) }, label);
    });
    const form = h("form", { method: "dialog", onsubmit: (event) => {
      event.preventDefault();
      if (!check || check()) finish(actions.at(-1).value);
    } }, h("h2", { id }, title), content, h("div", { class: "actions" }, buttons));
    const dialog = h("dialog", { "aria-labelledby": id }, form);

    function finish(value) {
      answer = value;
      dialog.close();
    }

    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    (form.querySelector("input, select, textarea") ?? buttons.at(-1)).focus();
  });
}

// Something to read.
export function tell(title, content) {
  return ask(title, content, [{ label: "Close", value: null }]);
}

// Whether to do something that cannot be undone.
export async function confirm(title, text, label) {
  const no = { label: "Cancel", value: false };
  const yes = { label, value: true, kind: "danger" };
  return Boolean(await ask(title, h("p", {}, text), [no, yes]));
}

// A link with a button that copies it.
export function copyField(label, text) {
  const id = `copy-${++count}`;
  const field = h("input", { id, type: "text", readonly: true, value: text,
    onfocus: () => field.select() });
  const said = h("span", { class: "hidden-text", role: "status" });
  const button = h("button", { type: "button", onclick: async () => {
    button.textContent = (await copy(field)) ? "Copied" : "Press Ctrl-C";
    said.textContent = button.textContent;
    setTimeout(() => {
      button.textContent = "Copy";
      said.textContent = "";
    }, 2000);
  } }, "Copy");
  return h("div", { class: "field" }, h("label", { for: id }, label),
    h("div", { class: "copy" }, field, button, said));
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
