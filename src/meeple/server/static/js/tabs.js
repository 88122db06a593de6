// Panels of which one is shown, chosen by tabs.

import { h } from "./dom.js";

let made = 0; // sets of tabs so far, for ids

/** Returns {node, show(name), current()}. `panels`: {name: {label, node}}, in the order of the tabs,
 *  `node` one node or a list. */
export function tabs(label, panels) {
  const names = Object.keys(panels);
  const prefix = `tabs${++made}`;
  let chosen = null;
  const buttons = names.map((name) => h("button", { type: "button", role: "tab", "data-tab": name,
    id: `${prefix}-${name}-tab`, "aria-controls": `${prefix}-${name}`,
    onclick: () => show(name), onkeydown: (event) => step(event, name) }, panels[name].label));
  const places = names.map((name) => h("div", { role: "tabpanel", class: `tab-panel ${name}`,
    id: `${prefix}-${name}`, "aria-labelledby": `${prefix}-${name}-tab` }, panels[name].node));
  const node = h("div", { class: "tabs" },
    h("div", { role: "tablist", "aria-label": label }, buttons), places);

  function show(name) {
    chosen = name;
    names.forEach((one, i) => {
      buttons[i].setAttribute("aria-selected", String(one === name));
      buttons[i].tabIndex = one === name ? 0 : -1;
      places[i].classList.toggle("shown", one === name);
    });
  }

  function step(event, name) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const shown = buttons.filter((button) => button.offsetParent);
    const at = shown.findIndex((button) => button.dataset.tab === name);
    const next = shown[(at + by + shown.length) % shown.length];
    show(next.dataset.tab);
    next.focus();
    event.preventDefault();
  }

  show(names[0]);
  return { node, show, current: () => chosen };
}
