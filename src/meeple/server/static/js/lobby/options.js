// A form for the options of a game, made from what the server says of them.

import { h } from "../dom.js";
import { sentence } from "../words.js";

const FEW = 4; // options shown at once; further ones wait behind "More options"

// Returns {node, values(), fault(sentence)}; `onchange()` after every change.
export function optionsForm(game, onchange) {
  const fields = game.options.map((option) => field(game.name, option, onchange));
  const first = fields.slice(0, FEW).map(({ node }) => node);
  const more = fields.slice(FEW).map(({ node }) => node);
  const rest = h("details", { class: "more" }, h("summary", {}, "More options"),
    h("div", { class: "options" }, more));
  const node = h("div", { class: "stack" }, h("div", { class: "options" }, first),
    more.length ? rest : null);
  return {
    node,
    // Numbers that are none are sent as they are typed: the server says what is allowed.
    values: () => Object.fromEntries(fields.map(({ name, value }) => [name, value()])),
    // Marks the option that a sentence of the server speaks of; null: all is well.
    fault(sentence) {
      for (const { name, input, node: one } of fields) {
        const wrong = sentence !== null && new RegExp(`\\b${name}\\b`).test(sentence);
        if (wrong) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
        if (wrong && more.includes(one)) rest.open = true;
      }
    },
  };
}

function field(game, option, onchange) {
  const { name, kind, help } = option;
  const id = `option-${game}-${name}`;
  const title = sentence(name.replaceAll("_", " "));
  const range = kind === "integer" ? ` (${option.low} to ${option.high})` : "";
  const words = kind === "text" ? option.allowed : help;
  const note = h("span", { class: "help", id: `${id}-help` },
    sentence(words.replaceAll("`", "")), range);
  const common = { id, "aria-describedby": `${id}-help` };
  if (kind === "flag") {
    const input = h("input", { ...common, type: "checkbox", checked: option.default,
      onchange });
    const node = h("div", { class: "field" },
      h("label", { class: "check" }, input, title), note);
    return { name, node, input, value: () => input.checked };
  }
  const input = kind === "choice" ? choices(option, common, onchange)
    : h("input", { ...common, type: kind === "integer" ? "number" : "text", value: option.default,
      min: option.low, max: option.high, inputmode: kind === "integer" ? "numeric" : null,
      autocomplete: "off", spellcheck: "false", oninput: onchange });
  const value = () => (kind === "integer" && /^-?\d+$/.test(input.value) ? Number(input.value)
    : input.value);
  const node = h("div", { class: "field" }, h("label", { for: id }, title), input, note);
  return { name, node, input, value };
}

function choices(option, common, onchange) {
  return h("select", { ...common, onchange }, option.choices.map((choice) => h("option",
    { value: choice, selected: choice === option.default }, choice)));
}
