// The form that begins a run: a ready configuration, and every field of it with what it may be.

import { clear, h } from "../dom.js";
import { get, post } from "../api.js";
import { sentence } from "../words.js";

const FIRST = ["run.episodes", "run.minutes", "run.start"]; // fields that most people want
const FAVOURITE = "hex3"; // a run of seconds, to begin with
const START = "Begin with the weights of another network of this game, though of another size of "
  + "board: one that ships, or the newest of a run.";
const GAME = "game.name";

export async function showForm(root, app) {
  const [{ configs, sections }, { games, networks }, { runs }] = await Promise.all([
    get("/api/configs"), get("/api/games"), get("/api/runs")]);
  if (!configs.length) {
    root.append(h("h1", {}, "Begin a run"), h("p", {}, "This server has no ready configurations; "
      + "runs begun in a terminal, with ", h("code", {}, "meeple train"), ", are shown here."));
    return null;
  }
  const taken = new Set(runs.map(({ name }) => name));
  let config = configs.find(({ name }) => name === FAVOURITE) ?? configs[0];
  let fields = [];

  const pick = h("select", { id: "run-config", onchange: () => choose(pick.value) },
    configs.map(({ name, words }) => h("option", { value: name, selected: name === config.name },
      `${name}: ${brief(words)}`)));
  const about = h("p", { class: "help", id: "run-config-help" });
  const name = h("input", { id: "run-name", required: true, maxlength: 64, autocomplete: "off",
    spellcheck: "false", pattern: "[a-z0-9][a-z0-9._\\-]*", "aria-describedby": "run-name-help" });
  const first = h("div", { class: "form-fields" });
  const more = h("div", {});
  const fault = h("p", { class: "bad", role: "alert" });
  const start = h("button", { type: "submit", class: "primary" }, "Begin");
  root.append(
    h("p", { class: "small" }, h("a", { href: "#/training" }, "All runs")),
    h("h1", {}, "Begin a run"),
    h("form", { class: "stack run-form", onsubmit: begin },
      h("section", { class: "panel form-fields" },
        h("div", { class: "field" }, h("label", { for: "run-config" }, "What to learn, and how"),
          pick, about),
        h("div", { class: "field" }, h("label", { for: "run-name" }, "Name of the run"), name,
          h("span", { class: "help", id: "run-name-help" }, "Of its folder: small letters, digits, "
            + "- _ . and no spaces."))),
      h("section", { class: "panel" }, h("h2", {}, "Most wanted"), first),
      h("section", { class: "panel stack" }, h("div", {}, h("h2", {}, "All settings"),
        h("p", { class: "quiet small" }, "As the configuration has them; what you change is "
          + "checked before anything begins.")), more),
      fault, h("div", { class: "line" }, start)),
  );
  // A field that the browser finds wrong has to be seen.
  root.addEventListener("invalid", ({ target }) => {
    target.closest("details")?.setAttribute("open", "");
  }, true);
  choose(config.name);

  function choose(wanted) {
    config = configs.find((one) => one.name === wanted);
    clear(about).append(...withCode(config.words));
    name.value = freeName(config.name, taken, networks);
    fault.textContent = "";
    const made = new Map();
    const make = (field, value) => {
      const control = fieldOf(field, value);
      made.set(field.name, control);
      return control.node;
    };
    const known = new Map(sections.flatMap((section) => section.fields).map((f) => [f.name, f]));
    const startField = { ...known.get("run.start"), kind: "choice", allowed: "", help: START,
      choices: networks.filter(({ game, kind }) => game === config.game && kind === "network")
        .map(({ name }) => name) };
    const options = h("div", { class: "form-fields" });
    clear(first).append(
      ...config.options.map((option) => make(option, config.values[option.name])),
      ...FIRST.map((key) => make(key === "run.start" ? startField : known.get(key),
        config.values[key])));
    clear(more).append(...sections.map((section) => h("details", {},
      h("summary", {}, h("h3", {}, section.name), " ",
        h("span", { class: "quiet small" }, withCode(section.help))),
      h("div", { class: "form-fields" }, section.fields.filter(({ name: key }) => !made.has(key))
        .map((field) => (field.name === GAME ? gameField(field, made, options)
          : make(field, config.values[field.name])))),
      section.name === "game" ? options : null)));
    fields = made;
  }

  // Another game than the configuration's brings options of its own.
  function gameField(field, made, place) {
    const control = fieldOf({ ...field, kind: "choice", choices: games.map((one) => one.name) },
      config.game, () => {
        const other = games.find((one) => one.name === control.value());
        const changed = other.name !== config.game;
        for (const key of [...made.keys()]) {
          if (key.startsWith("game.options.")) made.delete(key);
        }
        clear(place);
        const asked = changed ? other.options.map((option) => (
          { ...option, name: `game.options.${option.name}`, optional: false }))
          : config.options;
        for (const option of asked) {
          const value = changed ? option.default : config.values[option.name];
          made.set(option.name, fieldOf(option, value));
          place.append(made.get(option.name).node);
        }
        for (const node of first.querySelectorAll("[data-option]")) node.remove();
      });
    made.set(GAME, control);
    return control.node;
  }

  async function begin(event) {
    event.preventDefault();
    start.disabled = true;
    fault.textContent = "";
    const changes = {};
    const other = fields.get(GAME).value() !== config.game;
    for (const [key, control] of fields) {
      control.mark(false);
      const option = key.startsWith("game.options.");
      const value = control.value();
      if ((other && option) || !same(value, config.values[key] ?? null)) changes[key] = value;
    }
    try {
      await post("/api/runs", { name: name.value, config: config.name, changes });
      app.go(`#/training/${encodeURIComponent(name.value)}`);
    } catch (error) {
      fault.textContent = error.message;
      point(error.message);
      start.disabled = false;
    }
  }

  // Leads to the field that a sentence of the server speaks of.
  function point(sentence) {
    for (const [key, control] of fields) {
      const word = key.startsWith("game.options.") ? `: ${key.split(".").at(-1)} ` : `${key} `;
      if (!sentence.includes(word)) continue;
      control.mark(true);
      control.node.closest("details")?.setAttribute("open", "");
      control.input.focus();
      return;
    }
  }
}

// ---------------------------------------------------------------- one field

// Returns {node, input, value(), mark(wrong)}; a value is null where an optional field is empty.
function fieldOf(field, value, onchange = null) {
  const { name, kind, allowed, help, optional } = field;
  const id = `set-${name}`;
  const title = sentence(name.split(".").at(-1).replaceAll("_", " "));
  const option = name.startsWith("game.options.");
  const range = allowed && !["flag", "choice"].includes(kind)
    ? ` (${allowed}${optional ? ", or nothing" : ""})` : "";
  const note = h("span", { class: "help", id: `${id}-help` },
    withCode(option ? sentence(help) : help), range);
  const common = { id, "aria-describedby": `${id}-help`, onchange };
  const input = inputOf(field, value, common);
  const label = kind === "flag" ? h("label", { class: "check" }, input, title)
    : h("label", { for: id }, title);
  const node = h("div", { class: "field", "data-option": option, title: name },
    label, kind === "flag" ? null : input, note);
  return {
    node,
    input,
    value: () => valueOf(field, input),
    mark(wrong) {
      if (wrong) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    },
  };
}

function inputOf({ kind, choices, optional, low, high, above }, value, common) {
  if (kind === "flag") return h("input", { ...common, type: "checkbox", checked: value });
  if (kind === "choice") {
    const all = optional ? ["", ...choices] : choices;
    const known = value === null || value === undefined || all.includes(value);
    return h("select", common, (known ? all : [...all, value]).map((choice) => h("option",
      { value: choice, selected: choice === (value ?? "") }, choice || "none")));
  }
  const number = kind === "integer" || kind === "number";
  return h("input", { ...common, type: number ? "number" : "text", min: low ?? above, max: high,
    step: kind === "number" ? "any" : null, required: number && !optional, autocomplete: "off",
    spellcheck: "false", inputmode: kind === "integer" ? "numeric" : null,
    value: value === null || value === undefined ? ""
      : typeof value === "object" ? JSON.stringify(value) : String(value) });
}

// Numbers that are none are sent as they are typed: the server says what is allowed.
function valueOf({ kind, optional }, input) {
  if (kind === "flag") return input.checked;
  const text = input.value.trim();
  if (!text && optional) return null;
  if (kind === "integer" || kind === "number") return text === "" ? text : Number(text);
  return kind === "list" ? listed(text) : text;
}

// "0.2", "[0.9, 0.1]" and "0.9, 0.1" as numbers and lists.
function listed(text) {
  for (const source of [text, `[${text}]`]) {
    try {
      return JSON.parse(source);
    } catch {
      // then another reading
    }
  }
  return text;
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

// A name that neither a run nor a network has.
function freeName(base, taken, networks) {
  const all = new Set([...taken, ...networks.map(({ name }) => name)]);
  if (!all.has(base)) return base;
  let number = 2;
  while (all.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

// A text with `code` in it.
function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
}

// The first sentence of what a configuration says of itself, without its end.
function brief(words) {
  return words.replaceAll("`", "").split(/[.:] |\.$/)[0];
}
