// A form for the options of a game, made from what the server says of them.

import { Field } from "../fields.js";
import { t, translate } from "../messages.js";
import { html, nothing } from "../view.js";
import { sentence } from "../words.js";

const FEW = 4; // options shown at once; further ones wait behind "More options"

export class OptionsForm {
  /** `onchange()` is called after every change; whoever holds the form draws it. */
  constructor(game, onchange) {
    this.fields = game.options.map((option) => new Field(option, option.default, { onchange,
      prefix: `option-${game.name}`, note: noteOf(option) }));
    this.open = false;
  }

  values() {
    return Object.fromEntries(this.fields.map(({ name, value }) => [name, value]));
  }

  /** Marks the option that a sentence of the server speaks of; null: all is well. */
  fault(words) {
    this.fields.forEach((one, at) => {
      one.wrong = words !== null && new RegExp(`\\b${one.name}\\b`).test(words);
      if (one.wrong && at >= FEW) this.open = true;
    });
  }

  template() {
    const more = this.fields.slice(FEW);
    const toggle = (event) => {
      this.open = event.target.open;
    };
    return html`<div class="stack">
      <div class="options">${this.fields.slice(0, FEW).map((one) => one.template())}</div>
      ${more.length ? html`<details class="more" ?open=${this.open} @toggle=${toggle}>
        <summary>${t("lobby.more_options")}</summary>
        <div class="options">${more.map((one) => one.template())}</div></details>` : nothing}</div>`;
  }
}

function noteOf({ kind, allowed, help, low, high }) {
  const range = kind === "integer" ? t("lobby.range", { low, high }) : "";
  return sentence(translate((kind === "text" ? allowed : help).replaceAll("`", ""))) + range;
}
