// Panels of which one is shown, chosen by tabs.

import { html } from "./view.js";

/** `panels`: {name: [label, content]} in the order of the tabs, or null where there is no such panel;
 *  `choose(name)` shows another one than `chosen`. */
export function tabs(label, panels, chosen, choose) {
  const known = Object.entries(panels).filter(([, panel]) => panel);
  const step = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const shown = [...event.currentTarget.children].filter((tab) => tab.offsetParent);
    const next = shown[(shown.indexOf(event.target) + by + shown.length) % shown.length];
    choose(next.dataset.tab);
    next.focus();
    event.preventDefault();
  };
  return html`<div role="tablist" aria-label=${label} @keydown=${step}>${known.map(([name, [words]]) =>
    html`<button type="button" role="tab" data-tab=${name} id="tab-${name}"
      aria-controls="panel-${name}" aria-selected=${String(name === chosen)}
      tabindex=${name === chosen ? 0 : -1} @click=${() => choose(name)}>${words}</button>`)}</div>
    ${known.map(([name, [, content]]) => html`<div role="tabpanel" id="panel-${name}"
      class="tab-panel ${name} ${name === chosen ? "shown" : ""}"
      aria-labelledby="tab-${name}">${content}</div>`)}`;
}
