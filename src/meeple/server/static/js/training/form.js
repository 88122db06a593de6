// The form that begins a run: a ready configuration, and every field of it with what it may be.

import { get, post } from "../api.js";
import { field, select } from "../controls.js";
import { Field } from "../fields.js";
import { Controller, html, live, nothing } from "../view.js";
import { sentence } from "../words.js";
/** @import {NewRun} from "../types.d.ts" */

const FIRST = ["run.episodes", "run.minutes", "run.start"]; // fields that most people want
const FAVOURITE = "hex3"; // a run of seconds, to begin with
const START = "Begin with the weights of another network of this game, though of another size of "
  + "board: one that ships, or the newest of a run.";
const GAME = "game.name";
const OPTION = "game.options.";

export async function showForm(root, app) {
  const [{ configs, sections }, { games, networks }, { runs }] = await Promise.all([
    get("/api/configs"), get("/api/games"), get("/api/runs")]);
  const form = new Form(root, app, { configs, sections, games, networks, runs });
  if (configs.length) form.choose((configs.find(({ name }) => name === FAVOURITE) ?? configs[0]).name);
  else form.draw();
  return null;
}

class Form extends Controller {
  constructor(root, app, { configs, sections, games, networks, runs }) {
    super(root);
    this.app = app;
    this.configs = configs;
    this.sections = sections;
    this.games = games;
    this.networks = networks;
    this.runs = runs;
    this.fault = "";
    this.busy = false;
    // A field that the browser finds wrong has to be seen.
    root.addEventListener("invalid", ({ target }) => reveal(target), true);
  }

  choose(name) {
    const config = this.configs.find((one) => one.name === name);
    const { values } = config;
    const starts = this.networks.filter(({ game, kind }) => game === config.game && kind === "network");
    const changed = { // what a field is here, other than the server declares it
      [GAME]: { kind: "choice", choices: this.games.map((one) => one.name) },
      "run.start": { kind: "choice", allowed: "", help: START,
        choices: starts.map((one) => one.name) },
    };
    const declared = this.sections.flatMap(({ fields }) => fields)
      .map((one) => ({ ...one, ...changed[one.name] }));
    this.config = config;
    this.fields = new Map(declared.map((one) => [one.name, this.make(one, values[one.name])]));
    this.options = config.options.map((one) => this.make(one, values[one.name]));
    this.set({ name: this.freeName(config.name), fault: "" });
  }

  make(declared, value) {
    return new Field(declared, value, { prefix: "set", note: noteOf(declared),
      onchange: declared.name === GAME ? () => this.changeGame() : () => this.draw() });
  }

  /** Another game than the configuration's brings options of its own. */
  changeGame() {
    const { config } = this;
    const other = this.games.find(({ name }) => name === this.fields.get(GAME).value);
    this.options = this.changed ? other.options.map((option) => this.make({ ...option,
      name: `${OPTION}${option.name}`, optional: false }, option.default))
      : config.options.map((one) => this.make(one, config.values[one.name]));
    this.draw();
  }

  /** Whether another game was chosen than the configuration's. */
  get changed() {
    return this.fields.get(GAME).value !== this.config.game;
  }

  /** A name that neither a run nor a network has. */
  freeName(base) {
    const taken = new Set([...this.runs, ...this.networks].map(({ name }) => name));
    if (!taken.has(base)) return base;
    let number = 2;
    while (taken.has(`${base}-${number}`)) number += 1;
    return `${base}-${number}`;
  }

  async begin(event) {
    event.preventDefault();
    const { name, config, changed } = this;
    const all = [...this.fields.values(), ...this.options];
    /** @type {NewRun["changes"]} */
    const changes = {};
    for (const one of all) {
      one.wrong = false;
      const usual = config.values[one.name] ?? null;
      const differs = JSON.stringify(one.value) !== JSON.stringify(usual);
      if (differs || (changed && this.options.includes(one))) changes[one.name] = one.value;
    }
    this.set({ busy: true, fault: "" });
    try {
      await post("/api/runs", { name, config: config.name, changes });
      this.app.go(`#/training/${encodeURIComponent(name)}`);
    } catch (error) {
      this.point(all, error.message);
    }
  }

  /** Leads to the field that a sentence of the server speaks of. */
  point(all, fault) {
    const wrong = all.find(({ name }) => fault.includes(
      name.startsWith(OPTION) ? `: ${name.split(".").at(-1)} ` : `${name} `));
    if (wrong) wrong.wrong = true;
    this.set({ fault, busy: false });
    if (!wrong) return;
    const input = document.getElementById(wrong.id);
    reveal(input);
    input.focus();
  }

  // ------------------------------------------------------------ the view

  template() {
    const { configs, config, fault, busy, name } = this;
    if (!configs.length) {
      return html`<h1>Begin a run</h1><p>This server has no ready configurations; runs begun in a
        terminal, with <code>meeple train</code>, are shown here.</p>`;
    }
    const rename = ({ target }) => { this.name = target.value; };
    return html`<p class="small"><a href="#/training">All runs</a></p><h1>Begin a run</h1>
      <form class="stack run-form" @submit=${(event) => this.begin(event)}>
        <section class="panel form-fields">
          ${field("run-config", "What to learn, and how", select({ id: "run-config" }, config.name,
            configs.map((one) => [one.name, `${one.name}: ${brief(one.words)}`]),
            (chosen) => this.choose(chosen)),
          html`<p class="help" id="run-config-help">${withCode(config.words)}</p>`)}
          ${field("run-name", "Name of the run", html`<input id="run-name" required maxlength="64"
            autocomplete="off" spellcheck="false" pattern="[a-z0-9][a-z0-9._\\-]*"
            aria-describedby="run-name-help" .value=${live(name)} @input=${rename}>`,
          html`<span class="help" id="run-name-help">Of its folder: small letters, digits, - _ . and
            no spaces.</span>`)}</section>
        <section class="panel"><h2>Most wanted</h2><div class="form-fields">${
          this.changed ? nothing : this.shown(this.options)}${
          this.shown(FIRST.map((key) => this.fields.get(key)))}</div></section>
        <section class="panel stack"><div><h2>All settings</h2><p class="quiet small">As the
          configuration has them; what you change is checked before anything begins.</p></div>
          ${this.sections.map((section) => this.section(section))}</section>
        <p class="bad" role="alert">${fault}</p>
        <div class="line"><button type="submit" class="primary" ?disabled=${busy}>Begin</button></div>
      </form>`;
  }

  section({ name, help, fields }) {
    const own = fields.filter((one) => !FIRST.includes(one.name));
    return html`<details><summary><h3>${name}</h3> <span class="quiet small">${withCode(help)}</span>
      </summary><div class="form-fields">${this.shown(own.map((one) => this.fields.get(one.name)))}${
      name === "game" && this.changed ? this.shown(this.options) : nothing}</div></details>`;
  }

  shown(fields) {
    return fields.map((one) => one.template());
  }
}

function reveal(input) {
  input.closest("details")?.setAttribute("open", "");
}

function noteOf({ name, kind, allowed, help, optional }) {
  const range = allowed && !["flag", "choice"].includes(kind)
    ? ` (${allowed}${optional ? ", or nothing" : ""})` : "";
  return [withCode(name.startsWith(OPTION) ? sentence(help) : help), range];
}

/** A text with `code` in it. */
function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

/** The first sentence of what a configuration says of itself, without its end. */
function brief(words) {
  return words.replaceAll("`", "").split(/[.:] |\.$/)[0];
}
