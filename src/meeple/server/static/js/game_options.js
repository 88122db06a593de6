// The options that a game is played with: in words, and as a form.

import { get } from "./api.js";
import { Field } from "./fields.js";
import { declared, sentence, t, translate } from "./messages.js";
import { recall, remember } from "./storage.js";
import { html, nothing } from "./view.js";

const LONG = 60; // letters of an option that is not worth telling

const GAME = "meeple.game"; // the key of the game that was chosen last
const KNOWN = "reversi"; // the game of a first visit, which most people know

let asked = null; // the server's games

/** The server's games, asked for once; none if that fails. */
export async function allGames() {
  asked ??= get("/api/games");
  const { games } = await asked.catch(() => {
    asked = null;
    return { games: [] };
  });
  return games;
}

/** The game that is shown at first: a `wanted` one, the one chosen last, or one that was loaded. */
export function firstGame(games, wanted = undefined) {
  const [key, own = KNOWN] = chosen(games);
  const name = wanted ?? recall(key) ?? own;
  return games.find((game) => game.name === name) ?? games[0];
}

export function chooseGame(games, { name }) {
  remember(chosen(games)[0], name);
}

/** The key of the game chosen last while the first loaded game is there, and that game's name. */
function chosen(games) {
  const own = games.find(({ loaded }) => loaded)?.name;
  return [own ? `${GAME}.${own}` : GAME, own];
}

/** The defaults of a game's options by name; null where they are not known. */
export async function defaultsOf(game) {
  const found = (await allGames()).find(({ name }) => name === game);
  return found ? Object.fromEntries(found.options.map((one) => [one.name, one.default])) : null;
}

/** A few words on options: the size, and what differs from the defaults, where those are known. */
export function optionWords(options, defaults) {
  return Object.entries(options).map(([name, value]) => {
    if (name === "size") return `${value}×${value}`;
    if (!defaults || value === defaults[name] || value === "") return "";
    const words = translate(name.replaceAll("_", " "));
    if (value === true) return words;
    return value === false ? t("common.without", { name: words })
      : t("common.pair", { name: words, value: translate(String(value)) });
  }).filter((words) => words && words.length < LONG).join(", ");
}

const FEW = 4; // options shown at once; further ones wait behind "More options"

export class OptionsForm {
  /** `onchange()` is called after every change; whoever holds the form draws it. */
  constructor(game, onchange) {
    this.fields = game.options.map((option) => new Field(option, option.default, { onchange,
      prefix: `option-${game.name}`, note: noteOf(option, game.name) }));
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
    const toggle = ({ target }) => { this.open = target.open; };
    return html`<div class="stack">
      <div class="options">${this.fields.slice(0, FEW).map((one) => one.template())}</div>
      ${more.length ? html`<details class="more" ?open=${this.open} @toggle=${toggle}>
        <summary>${t("lobby.more_options")}</summary>
        <div class="options">${more.map((one) => one.template())}</div></details>` : nothing}</div>`;
  }
}

function noteOf({ name, kind, allowed, help, low, high }, game) {
  const range = kind === "integer" ? t("lobby.range", { low, high }) : "";
  const [what, text] = kind === "text" ? ["allowed", allowed] : ["option", help];
  return sentence(declared(`${what}.${game}.${name}`, text).replaceAll("`", "")) + range;
}
