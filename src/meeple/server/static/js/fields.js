// Fields of a form, made from what the server declares: options of a game, settings of a run.

import { field, html, keyed, live, nothing, select } from "./view.js";
import { sentence, t, translate } from "./messages.js";

/** One field with its value. `declared`: {name, kind, choices, optional, low, high, above}; `note`
 *  is what stands below it, and `onchange()` is called after every change. */
export class Field {
  constructor(declared, value, { prefix, note, onchange }) {
    this.declared = declared;
    this.name = declared.name;
    this.id = `${prefix}-${declared.name}`;
    this.note = note;
    this.onchange = onchange;
    this.state = declared.kind === "flag" ? Boolean(value) : written(value);
    this.wrong = false;
  }

  /** As the server wants it; null where an optional field is empty. What is no number is sent as it
   *  is typed: the server says what is allowed. */
  get value() {
    const { kind, optional } = this.declared;
    if (kind === "flag") return this.state;
    const text = String(this.state).trim();
    if (!text && optional) return null;
    if (kind === "integer") return /^-?\d+$/.test(text) ? Number(text) : text;
    if (kind === "number") return text && Number.isFinite(Number(text)) ? Number(text) : text;
    return kind === "list" ? listed(text) : text;
  }

  change(state) {
    this.state = state;
    this.onchange();
  }

  template() {
    const { id, declared } = this;
    const title = sentence(translate(this.name.split(".").at(-1).replaceAll("_", " ")));
    const help = html`<span class="help" id="${id}-help">${this.note}</span>`;
    return keyed(id, declared.kind === "flag"
      ? html`<div class="field" title=${this.name}><label class="check">${this.input("checkbox")}${
        title}</label>${help}</div>` : field(id, title, this.control(), help, this.name));
  }

  control() {
    const { kind, choices, optional } = this.declared;
    if (kind !== "choice") return this.input(["integer", "number"].includes(kind) ? "number" : "text");
    const all = optional ? ["", ...choices] : choices;
    const known = all.includes(this.state) ? all : [...all, this.state];
    return select({ id: this.id, describedby: `${this.id}-help`, invalid: this.wrong }, this.state,
      known.map((choice) => [choice, translate(choice) || t("common.none")]),
      (chosen) => this.change(chosen));
  }

  input(type) {
    const { kind, optional, low, high, above } = this.declared;
    const number = type === "number";
    const box = type === "checkbox";
    return html`<input id=${this.id} type=${type} aria-describedby="${this.id}-help"
      aria-invalid=${this.wrong ? "true" : nothing} ?required=${number && !optional}
      min=${number ? low ?? above ?? nothing : nothing} max=${number ? high ?? nothing : nothing}
      step=${kind === "number" ? "any" : nothing} autocomplete="off" spellcheck="false"
      inputmode=${kind === "integer" ? "numeric" : nothing} .checked=${live(box && this.state)}
      .value=${live(box ? "on" : this.state)}
      @input=${({ target }) => this.change(box ? target.checked : target.value)}>`;
  }
}

function written(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** "0.2", "[0.9, 0.1]" and "0.9, 0.1" as numbers and lists. */
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
