// The library: games that were played here or brought, to look at again, take along and share.

import { base64, download, get, linkTo, post } from "../api.js";
import { ask, askFor, confirm, copyField, tell } from "../dialogs.js";
import { optionWords } from "../game_options.js";
import { choices, ended, locale, t, translate, versus } from "../messages.js";
import { Explorer } from "../replay/explorer.js";
import { isOwn, myTables, tokensOf, uploader, withYou } from "../tokens.js";
import { button, checkbox, Controller, field, html, instead, labelled, live, nothing,
  repeat } from "../view.js";

const PAGE = 30; // games at a time
const MOST = 100; // games that the server lists at once
const WAIT = 300; // milliseconds without a key before a word is looked for
const KINDS = ".jsonl,.json,.sgf,.ggf,.hsgf,.psq,.wtb,.txt";
const TOO_MANY = 413; // the status of an answer to more
const FORMATS = { // that games are taken in, and the games that some are for
  sgf: { label: "SGF", games: ["hex", "gomoku", "reversi"] },
  ggf: { label: "GGF", games: ["reversi"] },
  psq: { label: "PSQ", games: ["gomoku"] },
  jsonl: { label: t("library.json_lines") },
};
const FILTERS = ["game", "status", "result", "player", "text", "mine"];
const STATES = { "": "library.any_state", over: "library.over", playing: "library.playing" };
const RESULTS = { "": "library.any_result", first: "library.first", other: "library.other",
  draw: "library.draw", none: "library.no_result" };

/** `params`: the filters. */
export async function show(root, params, app) {
  const library = new Library(root, app, params);
  await library.begin();
  return library;
}

class Library extends Controller {
  constructor(root, app, params) {
    super(root);
    this.app = app;
    this.tables = [];
    this.games = [];
    this.usual = {}; // by game, its options' defaults
    this.filters = Object.fromEntries(FILTERS.map((name) => [name, params[name] ?? ""]));
    this.words = "";
    this.more = null; // where the next page begins
    this.looking = false;
    this.chosen = new Set();
    this.bringing = false;
    this.dropping = false;
    this.explorer = this.own(new Explorer({ optional: true }));
    this.own(() => clearTimeout(this.wait));
    this.takeDrops();
    this.draw();
  }

  async begin() {
    const asked = get("/api/games");
    this.limits = asked.then(({ upload_limits: limits }) => limits);
    const { games } = await asked;
    this.games = games;
    this.usual = Object.fromEntries(games.map(({ name, options }) => [name,
      Object.fromEntries(options.map((option) => [option.name, option.default]))]));
    if (!(this.filters.game in this.usual)) this.filters.game = "";
    await this.look();
  }

  /** Files may be dropped anywhere on the page. */
  takeDrops() {
    for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
      this.listen(document, name, (event) => {
        const { dataTransfer, relatedTarget } = event;
        if (!dataTransfer?.types.includes("Files")) return;
        if (name !== "dragleave") event.preventDefault();
        const dropping = name === "dragleave" ? this.dropping && relatedTarget !== null : name !== "drop";
        if (dropping !== this.dropping) this.set({ dropping });
        if (name === "drop") this.bring([...dataTransfer.files]);
      });
    }
  }

  // ------------------------------------------------------------ the list

  query() {
    const wanted = Object.entries(this.filters).map(([name, value]) => [name, value.trim()]);
    return new URLSearchParams(wanted.filter(([, value]) => value));
  }

  filter(name, value) {
    this.filters[name] = value;
    clearTimeout(this.wait);
    if (["player", "text"].includes(name)) this.wait = setTimeout(() => this.look(), WAIT);
    else this.look();
  }

  /** Lists the games; `more`: a further page, `count`: how many at most. */
  async look({ more = false, count = PAGE } = {}) {
    clearTimeout(this.wait);
    const query = this.query();
    history.replaceState(null, "", `#/library${query.size ? `?${query}` : ""}`);
    query.set("limit", String(count));
    if (this.filters.mine) query.set("ids", myTables().join(","));
    if (more) query.set("before", this.more);
    this.set({ looking: true });
    try {
      const answer = await this.newest(get(`/api/tables?${query}`, { tokens: [uploader()] }));
      if (!answer) return;
      const first = more ? this.tables.length : 0;
      this.tables = [...this.tables.slice(0, first), ...answer.tables.map((table) => withYou(table))];
      this.more = answer.more;
      this.found(first);
    } catch (error) {
      this.app.say(error.message, "error");
    }
    this.set({ looking: false });
  }

  found(first) {
    const { tables, filters } = this;
    const shown = new Set(tables.map(({ id }) => id));
    for (const id of this.chosen) if (!shown.has(id)) this.chosen.delete(id);
    this.words = this.countWords();
    this.draw();
    if (first) this.root.querySelectorAll("tbody tr")[first]?.querySelector("a, button, input").focus();
    // Once one game is chosen: what is played first, on the board of the newest.
    const newest = filters.game && tables.find(({ status }) => status === "over");
    this.explorer.hide(!newest);
    if (newest) this.explorer.look({ source: { table: newest.id }, ply: 0 });
  }

  countWords() {
    const { length } = this.tables;
    if (!length) return t(this.query().size ? "library.no_match" : "library.empty");
    return t(this.more === null ? "library.count" : "library.count_more", { n: length });
  }

  // ------------------------------------------------------------ choosing and taking

  pick(id, on) {
    this.chosen[on ? "add" : "delete"](id);
    this.draw();
  }

  async offer(id, game) {
    const formats = Object.entries(FORMATS).filter(([, { games }]) => games?.includes(game) ?? true);
    const format = await ask(t("library.download_title"), html`<p>${t("library.formats")}</p>`, [
      { label: t("common.cancel"), value: null }, ...formats.map(([value, { label }]) => ({ label, value })),
    ]);
    if (format) await this.take([id], format, game);
  }

  async take(ids, format, name) {
    const path = ids.length === 1 ? `/api/tables/${ids[0]}/record?format=${format}`
      : `/api/records?ids=${ids.join(",")}&format=${format}`;
    await this.app.attempt(() => download(path, `${name}.${format}`));
  }

  /** Deletes the chosen games, which are the visitor's own. */
  async remove() {
    const ids = [...this.chosen];
    const title = t("library.delete_ask", { n: ids.length });
    if (!await confirm(title, t("library.delete_about"), t("library.delete"))) return;
    await this.app.attempt(async () => {
      for (const id of ids) {
        await post(`/api/tables/${id}/remove`, {}, { tokens: [uploader(), ...tokensOf(id)] });
        this.tables = this.tables.filter((table) => table.id !== id);
      }
    });
    if (this.tables.length || this.more === null) this.found(0);
    else await this.look();
  }

  // ------------------------------------------------------------ bringing

  async bring(files) {
    if (!files.length || this.bringing) return;
    this.set({ bringing: true });
    let added = 0;
    for (const file of files) {
      try {
        const { bytes } = await this.limits;
        if (file.size > bytes) {
          throw new Error(t("library.too_large", { n: bytes / 1e6 }));
        }
        added += await this.send(file);
      } catch (error) {
        this.app.say(`${file.name}: ${error.message}`, "error");
      }
    }
    this.set({ bringing: false });
    if (added) await this.added(added);
  }

  /** Brings a file's games, or some of them where there are too many; how many. */
  async send(file) {
    const body = { data: await base64(file) };
    try {
      return this.stored(await this.upload(body), file.name);
    } catch (error) {
      if (error.status !== TOO_MANY) throw error;
      const first = await this.whichPart(file.name, error.message);
      return first ? this.stored(await this.upload({ ...body, first }), file.name) : 0;
    }
  }

  upload(body) {
    return post("/api/records", body, { tokens: [uploader()] });
  }

  /** How many games the server stored; shows how it read the file. */
  stored({ ids, notices }, name = "") {
    const prefix = name && `${name}: `;
    for (const notice of notices) this.app.say(ended(prefix + translate(notice)));
    return ids.length;
  }

  /** Of a file with too many games, the number of the first to take; null: none. */
  async whichPart(name, words) {
    const { games: most } = await this.limits;
    const id = "library-first";
    return askFor(t("library.games_of", { name }), html`<div class="stack"><p>${ended(words)}</p>
      ${field(id, t("library.add_from", { n: most }), html`<input id=${id} type="number" min="1"
        step="1" value="1" inputmode="numeric">`)}</div>`,
    t("library.add_these"), (form) => (form[id].value >= 1 ? Math.floor(form[id].value) : undefined));
  }

  async paste() {
    const { bytes } = await this.limits;
    const id = "library-paste";
    const text = await askFor(t("library.paste"), field(id, t("library.paste_label"),
      html`<textarea id=${id} rows="8" maxlength=${bytes} spellcheck="false"></textarea>`),
    t("library.add"), (form) => (form[id].value.trim() ? form[id].value : undefined));
    if (text === null) return;
    await this.app.attempt(async () => {
      await this.added(this.stored(await this.upload({ text })));
    });
  }

  async added(many) {
    await this.look({ count: Math.min(Math.max(PAGE, this.tables.length + many), MOST) });
    this.app.say(t(this.query().size ? "library.added_filtered" : "library.added", { n: many }), "good");
  }

  // ------------------------------------------------------------ the view

  template() {
    const { chosen, tables, bringing, looking, dropping, more } = this;
    const take = (format, words) => button(words, () => this.take([...chosen], format, "games"),
      { kind: "small", disabled: chosen.size === 0 });
    const chose = ({ target }) => {
      const files = [...target.files];
      target.value = "";
      this.bring(files);
    };
    const own = tables.filter(({ id }) => chosen.has(id)).every(isOwn);
    const open = () => document.getElementById("library-file").click();
    return html`<div class="line spread library-head"><div><h1>${t("shell.library")}</h1>
        <p class="quiet">${t("library.about")}</p></div>
      <div class="line"><input type="file" class="hidden-text" id="library-file" multiple
        accept=${KINDS} tabindex="-1" aria-hidden="true" @change=${chose}>
        ${button(t(bringing ? "library.reading" : "library.upload"), open,
          { kind: "primary", disabled: bringing })}
        ${button(t("library.paste"), () => this.paste())}</div></div>
      <section class="panel stack" aria-label=${t("common.games")}>${this.form()}
        <div class="line spread"><p class="quiet" role="status">${this.words}</p>
          <div class="line" role="group" aria-label=${t("library.chosen")}>${
            take("jsonl", t("library.take_jsonl"))}${take("sgf", t("library.take_sgf"))}${
            button(t("library.delete"), () => this.remove(), { kind: "small danger",
              disabled: chosen.size === 0 || !own, title: t("library.delete_own") })}</div></div>
        <div class="library-list">${tables.length ? this.table() : nothing}</div>
        ${more === null ? nothing : html`<div>${button(t("library.more"), () => this.look({ more: true }),
          { disabled: looking })}</div>`}</section>${this.explorer.root}
      <div class="library-drop" aria-hidden="true" ?hidden=${!dropping}>
        <p>${t("library.drop")}</p></div>`;
  }

  form() {
    const { filters, games } = this;
    const choice = (name, label, all) => labelled(`library-${name}`, label, filters[name], all,
      (value) => this.filter(name, value));
    const word = (name, label) => field(`library-${name}`, label, html`<input type="search"
      id="library-${name}" maxlength="60" .value=${live(filters[name])}
      @input=${({ target }) => this.filter(name, target.value)}>`);
    return html`<form class="library-filters" role="search" aria-label=${t("library.filter")}
      @submit=${instead(() => this.look())}>
      ${choice("game", t("common.game"), [["", t("common.all_games")],
        ...games.map(({ name, title }) => [name, translate(title)])])}
      ${choice("status", t("common.state"), choices(STATES))}
      ${choice("result", t("common.result"), choices(RESULTS))}
      ${word("player", t("common.player"))}${word("text", t("library.player_or_game"))}
      ${checkbox(t("library.mine"), Boolean(filters.mine),
        (on) => this.filter("mine", on ? "1" : ""))}</form>`;
  }

  /** The roles are said again because cards on a phone are no table by their layout. */
  table() {
    const { tables, chosen } = this;
    const all = ({ target }) => this.set({
      chosen: new Set(target.checked ? tables.map(({ id }) => id) : []) });
    const head = (content, kind, name) => html`<th role="columnheader" scope="col"
      class=${kind ?? nothing} data-name=${name ?? nothing}>${content}</th>`;
    return html`<table class="library-table" role="table" aria-label=${t("common.games")}>
      <thead role="rowgroup"><tr role="row">${head(html`<input type="checkbox"
        aria-label=${t("library.choose_all")} .checked=${live(chosen.size === tables.length)}
        .indeterminate=${chosen.size > 0 && chosen.size < tables.length} @change=${all}>`,
      "library-pick", t("library.all"))}${["common.game", "common.players", "common.result", "common.moves",
      "library.last_move", "library.actions"].map((id) =>
        head(t(id)))}</tr></thead>
      <tbody role="rowgroup">${repeat(tables, ({ id }) => id, (table) => this.row(table))}</tbody>
    </table>`;
  }

  row(table) {
    const { id, title, seats, plies, status, origin, updated } = table;
    const words = `${translate(title)}, ${versus(seats)}`;
    const when = new Date(updated * 1000);
    const cell = (name, content) => html`<td role="cell" data-name=${name}>${content}</td>`;
    return html`<tr role="row"><td role="cell" class="library-pick"><input type="checkbox"
        aria-label=${t("library.choose", { game: words })} .checked=${live(this.chosen.has(id))}
        @change=${({ target }) => this.pick(id, target.checked)}></td>
      ${cell(t("common.game"), html`<a class="library-game" href="#/replay/${id}">${translate(title)}</a>
        <span class="quiet small">${optionWords(table.options, this.usual[table.game])}</span>`)}
      ${cell(t("common.players"), html`<ul class="library-players">${seats.map((name) =>
        html`<li>${translate(name)}</li>`)}</ul>`)}
      ${cell(t("common.result"), status === "playing" ? html`<span class="library-live">${
        t("library.under_way")}</span>`
        : translate(table.result ?? "") || t("common.broken_off"))}
      ${cell(t("common.moves"), html`<span class="numbers">${plies}</span>`)}
      ${cell(t("library.last_move"), html`<span><time datetime=${when.toISOString()}
        title=${when.toLocaleString(locale)}>${dayWords(when)}</time>${origin === "uploaded"
        ? html`<span class="quiet small">${t("library.uploaded")}</span>` : nothing}</span>`)}
      <td role="cell" class="library-do">${this.doings(table, words)}</td></tr>`;
  }

  doings({ id, status, game }, words) {
    const to = (href, label) => html`<a class="button library-small" href=${href}
      aria-label="${label}: ${words}">${label}</a>`;
    const press = (label, go) => button(label, go, { kind: "small", label: `${label}: ${words}` });
    return html`<div class="line">${status === "playing" ? to(`#/table/${id}`, t("library.watch"))
      : to(`#/replay/${id}`, t("library.replay"))}${to(`#/analysis?table=${id}`, t("table.analyse"))}${
      press(t("common.download"), () => this.offer(id, game))}${
      press(t("common.share"), () => share(id))}</div>`;
  }
}

function share(id) {
  return tell(t("share.title"), copyField(t("library.opens_link"), linkTo(`replay/${id}`)));
}

/** The hour of today, else the day. */
function dayWords(when) {
  const today = new Date().toDateString() === when.toDateString();
  return today ? when.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", hour12: false })
    : when.toLocaleDateString(locale, { day: "numeric", month: "short", year: "numeric" });
}
