// The form that begins a run: a ready configuration, and every field of it with what it may be.

import { get, post } from "../api.js";
import { Field } from "../fields.js";
import { keepToken } from "./owner.js";
import { declared, rich, sentence, t, translate } from "../messages.js";
import { Controller, field, html, instead, labelled, live, nothing } from "../view.js";
/** @import {NewRun} from "../types.d.ts" */

const FIRST = ["run.episodes", "run.minutes", "run.start"]; // fields that most people want
const FAVOURITE = "hex3"; // a run of seconds, to begin with
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
  constructor(root, app, known) {
    super(root);
    this.app = app;
    this.known = known; // {configs, sections, games, networks, runs}
    this.fault = "";
    this.busy = false;
    // A field that the browser finds wrong has to be seen.
    root.addEventListener("invalid", ({ target }) => reveal(target), true);
  }

  choose(name) {
    const { configs, games, networks, sections } = this.known;
    const config = configs.find((one) => one.name === name);
    const { values } = config;
    const named = (wanted) => networks.filter(({ game, kind }) => game === config.game && kind === wanted)
      .map((one) => one.name);
    const changed = { // what a field is here, other than the server declares it
      [GAME]: { kind: "choice", choices: games.map((one) => one.name) },
      "run.start": { kind: "choice", allowed: "", help: t("training.start_help"),
        choices: named("network") },
      "run.teacher": { kind: "choice", allowed: "", help: t("training.teacher_help"),
        choices: named("pattern evaluation") },
    };
    const all = sections.flatMap(({ fields }) => fields).map((one) => ({ ...one, ...changed[one.name] }));
    this.config = config;
    this.fields = new Map(all.map((one) => [one.name, this.make(one, values[one.name])]));
    this.options = config.options.map((one) => this.make(one, values[one.name]));
    this.set({ name: this.freeName(config.name), fault: "" });
  }

  make(option, value, game = this.config.game) {
    return new Field(option, value, { prefix: "set", note: noteOf(option, game),
      onchange: option.name === GAME ? () => this.changeGame() : () => this.draw() });
  }

  /** Another game than the configuration's brings options of its own. */
  changeGame() {
    const { config } = this;
    const other = this.known.games.find(({ name }) => name === this.fields.get(GAME).value);
    this.options = this.changed ? other.options.map((option) => this.make({ ...option,
      name: `${OPTION}${option.name}`, optional: false }, option.default, other.name))
      : config.options.map((one) => this.make(one, config.values[one.name]));
    this.draw();
  }

  /** Whether another game was chosen than the configuration's. */
  get changed() {
    return this.fields.get(GAME).value !== this.config.game;
  }

  /** A name that neither a run nor a network has. */
  freeName(base) {
    const taken = new Set([...this.known.runs, ...this.known.networks].map(({ name }) => name));
    if (!taken.has(base)) return base;
    let number = 2;
    while (taken.has(`${base}-${number}`)) number += 1;
    return `${base}-${number}`;
  }

  async begin() {
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
      keepToken(name, await post("/api/runs", { name, config: config.name, changes }));
      this.app.go(`#/training/${encodeURIComponent(name)}`);
    } catch (error) {
      this.point(all, error);
    }
  }

  /** Leads to the field that a sentence of the server speaks of. */
  point(all, { message, english = message }) {
    const wrong = all.find(({ name }) => english.includes(
      name.startsWith(OPTION) ? `: ${name.split(".").at(-1)} ` : `${name} `));
    if (wrong) wrong.wrong = true;
    this.set({ fault: message, busy: false });
    if (!wrong) return;
    const input = document.getElementById(wrong.id);
    reveal(input);
    input.focus();
  }

  // ------------------------------------------------------------ the view

  template() {
    const { known: { configs, sections }, config, fault, busy, name } = this;
    if (!configs.length) {
      return html`<h1>${t("training.begin_run")}</h1><p>${rich("training.no_configs",
        { command: html`<code>meeple train</code>` })}</p>`;
    }
    const rename = ({ target }) => { this.name = target.value; };
    return html`<p class="small"><a href="#/training">${t("training.all_runs")}</a></p>
      <h1>${t("training.begin_run")}</h1>
      <form class="stack run-form" @submit=${instead(() => this.begin())}>
        <section class="panel form-fields">
          ${labelled("run-config", t("training.what"), config.name, configs.map((one) => [one.name,
            `${one.name}: ${brief(about(one))}`]), (chosen) => this.choose(chosen),
          html`<p class="help" id="run-config-help">${withCode(about(config))}</p>`)}
          ${field("run-name", t("training.name"), html`<input id="run-name" required maxlength="64"
            autocomplete="off" spellcheck="false" pattern="[a-z0-9][a-z0-9._\\-]*"
            aria-describedby="run-name-help" .value=${live(name)} @input=${rename}>`,
          html`<span class="help" id="run-name-help">${t("training.name_help")}</span>`)}</section>
        <section class="panel"><h2>${t("training.wanted")}</h2><div class="form-fields">${
          this.changed ? nothing : this.shown(this.options)}${
          this.shown(FIRST.map((key) => this.fields.get(key)))}</div></section>
        <section class="panel stack"><div><h2>${t("training.all_settings")}</h2>
          <p class="quiet small">${t("training.settings_about")}</p></div>
          ${sections.map((section) => this.section(section))}</section>
        <p class="bad" role="alert">${fault}</p>
        <div class="line"><button type="submit" class="primary" ?disabled=${busy}>${
          t("training.begin")}</button></div>
      </form>`;
  }

  section({ name, help, fields }) {
    const own = fields.filter((one) => !FIRST.includes(one.name));
    return html`<details><summary><h3>${sentence(translate(name))}</h3> <span class="quiet small">${
      withCode(declared(`section.${name}`, help))}</span>
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

const about = ({ name, words }) => declared(`configuration.${name}`, words);

/** `game`: whose option it may be. */
function noteOf({ name, kind, allowed, help, optional }, game) {
  const option = name.startsWith(OPTION);
  const code = option ? `option.${game}.${name.slice(OPTION.length)}` : `config.${name}`;
  const limits = allowed && !["flag", "choice"].includes(kind)
    ? (option ? declared(`allowed.${game}.${name.slice(OPTION.length)}`, allowed) : translate(allowed)) : "";
  const range = limits && ` (${optional ? t("training.or_nothing", { allowed: limits }) : limits})`;
  const words = declared(code, help);
  return [withCode(option ? sentence(words) : words), range];
}

/** A text with `code` in it. */
function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

/** The first sentence of what a configuration says of itself, without its end. */
function brief(words) {
  return words.replaceAll("`", "").split(/[.:] |\.$/)[0];
}
