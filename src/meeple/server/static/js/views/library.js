// The library: games that were played here or brought, to look at again, take along and share.

import { download, get, post } from "../api.js";
import { ask, copyField, tell } from "../dialogs.js";
import { clear, h } from "../dom.js";
import { Explorer } from "../replay/explorer.js";
import { optionWords } from "../table/words.js";

const PAGE = 30; // games at a time
const WAIT = 300; // milliseconds without a key before a word is looked for
const KINDS = ".jsonl,.json,.sgf,.ggf,.hsgf,.psq,.wtb,.txt";
const BYTES = /\.wtb$/i; // files that are no text
const TOO_MANY = 413; // the status of an answer to more
const FORMATS = { // that games are taken in, and the games that some are for
  sgf: { label: "SGF", games: ["hex", "gomoku", "reversi"] },
  ggf: { label: "GGF", games: ["reversi"] },
  psq: { label: "PSQ", games: ["gomoku"] },
  jsonl: { label: "JSON lines" },
};
const FILTERS = ["game", "status", "result", "player", "text"];
const RESULTS = { first: "First player won", other: "Another player won", draw: "Draw",
  none: "No result" };

// `params`: the filters.
export async function show(root, params, app) {
  app.title("Library");
  const library = new Library(root, app, params);
  await library.begin();
  return () => library.close();
}

class Library {
  constructor(root, app, params) {
    this.app = app;
    this.tables = [];
    this.more = null; // where the next page begins
    this.chosen = new Set();
    this.turn = 0; // counts lists asked for, so that late answers are known
    this.wait = null;
    this.build(root);
    for (const name of FILTERS) this.fields[name].value = params[name] ?? "";
    this.wanted = params;
  }

  async begin() {
    const asked = get("/api/games");
    this.limits = asked.then(({ upload_limits: limits }) => limits);
    const { games } = await asked;
    this.usual = Object.fromEntries(games.map(({ name, options }) => [name,
      Object.fromEntries(options.map((option) => [option.name, option.default]))]));
    const known = games.map(({ name, title }) => h("option", { value: name }, title));
    this.fields.game.append(...known);
    this.fields.game.value = this.wanted.game ?? "";
    if (this.fields.game.selectedIndex < 0) this.fields.game.value = "";
    await this.look();
  }

  close() {
    clearTimeout(this.wait);
    this.turn++;
    this.explorer.close();
    for (const [name, listener] of this.drops) document.removeEventListener(name, listener);
  }

  // ------------------------------------------------------------ the page

  build(root) {
    this.file = h("input", { type: "file", class: "hidden-text", id: "library-file", multiple: true,
      accept: KINDS, tabindex: "-1", "aria-hidden": "true",
      onchange: () => this.bring([...this.file.files]) });
    this.bringing = h("button", { type: "button", class: "primary",
      onclick: () => this.file.click() }, "Upload games");
    const paste = h("button", { type: "button", onclick: () => this.paste() }, "Paste a record");
    this.count = h("p", { class: "quiet", role: "status" });
    this.list = h("div", { class: "library-list" });
    this.next = h("button", { type: "button", hidden: true, onclick: () => this.look(true) },
      "Show more games");
    this.explorer = new Explorer({ optional: true });
    this.explorer.element.hidden = true;
    this.drop = h("div", { class: "library-drop", hidden: true, "aria-hidden": "true" },
      h("p", {}, "Drop the file to add its games"));
    root.append(
      h("div", { class: "line spread library-head" },
        h("div", {}, h("h1", {}, "Library"),
          h("p", { class: "quiet" },
            "Games played here and games you bring: SGF, GGF, PSQ, WTHOR or JSON lines.")),
        h("div", { class: "line" }, this.file, this.bringing, paste)),
      h("section", { class: "panel stack", "aria-label": "Games" },
        this.filters(), h("div", { class: "line spread" }, this.count, this.takers()),
        this.list, h("div", {}, this.next)),
      this.explorer.element,
      this.drop);
    this.listen();
  }

  filters() {
    const changed = () => this.look();
    const typed = () => {
      clearTimeout(this.wait);
      this.wait = setTimeout(changed, WAIT);
    };
    const all = (text) => h("option", { value: "" }, text);
    this.fields = {
      game: h("select", { id: "library-game", onchange: changed }, all("All games")),
      status: h("select", { id: "library-status", onchange: changed }, all("Over or under way"),
        h("option", { value: "over" }, "Over"), h("option", { value: "playing" }, "Under way")),
      result: h("select", { id: "library-result", onchange: changed }, all("Any result"),
        Object.entries(RESULTS).map(([value, text]) => h("option", { value }, text))),
      player: h("input", { id: "library-player", type: "search", maxlength: 60, oninput: typed }),
      text: h("input", { id: "library-text", type: "search", maxlength: 60, oninput: typed }),
    };
    const field = (name, label) => h("div", { class: "field" },
      h("label", { for: `library-${name}` }, label), this.fields[name]);
    return h("form", { class: "library-filters", role: "search", "aria-label": "Filter the games",
      onsubmit: (event) => {
        event.preventDefault();
        changed();
      } },
    field("game", "Game"), field("status", "State"),
    field("result", "Result"), field("player", "Player"), field("text", "Player or game"));
  }

  takers() {
    const take = (format, label) => h("button", { type: "button", class: "small", disabled: true,
      onclick: () => this.take([...this.chosen], format, "games") }, label);
    this.taking = [take("jsonl", "Download as JSON lines"), take("sgf", "Download as SGF")];
    return h("div", { class: "line", role: "group", "aria-label": "The chosen games" },
      this.taking);
  }

  // Files may be dropped anywhere on the page.
  listen() {
    const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const stay = (event) => {
      if (!files(event)) return;
      event.preventDefault();
      this.drop.hidden = false;
    };
    this.drops = [
      ["dragenter", stay],
      ["dragover", stay],
      ["dragleave", (event) => {
        if (!event.relatedTarget) this.drop.hidden = true;
      }],
      ["drop", (event) => {
        if (!files(event)) return;
        event.preventDefault();
        this.drop.hidden = true;
        this.bring([...event.dataTransfer.files]);
      }],
    ];
    for (const [name, listener] of this.drops) document.addEventListener(name, listener);
  }

  // ------------------------------------------------------------ the list

  query() {
    const wanted = new URLSearchParams();
    for (const name of FILTERS) {
      const value = this.fields[name].value.trim();
      if (value) wanted.set(name, value);
    }
    return wanted;
  }

  async look(more = false) {
    clearTimeout(this.wait);
    const turn = ++this.turn;
    const query = this.query();
    history.replaceState(null, "", `#/library${query.size ? `?${query}` : ""}`);
    query.set("limit", PAGE);
    if (more) query.set("before", this.more);
    this.next.disabled = true;
    try {
      const answer = await get(`/api/tables?${query}`);
      if (turn !== this.turn) return;
      const first = more ? this.tables.length : 0;
      this.tables = [...this.tables.slice(0, first), ...answer.tables];
      this.more = answer.more;
      this.draw(first);
    } catch (error) {
      if (turn === this.turn) this.app.say(error.message, "error");
    } finally {
      this.next.disabled = false;
    }
  }

  draw(first) {
    const { tables } = this;
    const shown = new Set(tables.map(({ id }) => id));
    for (const id of this.chosen) if (!shown.has(id)) this.chosen.delete(id);
    this.count.textContent = this.words();
    this.next.hidden = this.more === null;
    if (first && this.body) {
      const rows = tables.slice(first).map((table) => this.row(table));
      this.body.append(...rows);
      rows[0]?.querySelector("a, button, input")?.focus();
    } else {
      clear(this.list);
      this.body = null;
      if (tables.length) this.list.append(this.table());
    }
    this.choose();
    this.explore();
  }

  // Once one game is chosen: what is played first, on the board of the newest.
  explore() {
    const newest = this.fields.game.value ? this.tables.find(({ status }) => status === "over") : null;
    this.explorer.element.hidden = !newest;
    if (newest) this.explorer.look({ source: { table: newest.id }, ply: 0 });
  }

  words() {
    const { length } = this.tables;
    if (!length) {
      return this.query().size ? "No game here is like that."
        : "There is no game yet: play one, or upload some.";
    }
    return `${length}${this.more === null ? "" : " or more"} ${length === 1 ? "game" : "games"}, ` +
      "the newest first";
  }

  table() {
    this.body = h("tbody", { role: "rowgroup" }, this.tables.map((table) => this.row(table)));
    this.all = h("input", { type: "checkbox", "aria-label": "Choose all games shown",
      onchange: () => this.chooseAll(this.all.checked) });
    const heads = ["Game", "Players", "Result", "Moves", "Last move", "Actions"];
    // The roles are said again because cards on a phone are no table by their layout.
    return h("table", { class: "library-table", role: "table", "aria-label": "Games" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
        h("th", { role: "columnheader", scope: "col", class: "library-pick" }, this.all),
        heads.map((head) => h("th", { role: "columnheader", scope: "col" }, head)))),
      this.body);
  }

  row(table) {
    const { id, title, seats, plies, status, origin, updated } = table;
    const words = `${title}, ${seats.join(" against ")}`;
    const pick = h("input", { type: "checkbox", "data-pick": id, "aria-label": `Choose ${words}`,
      checked: this.chosen.has(id), onchange: () => {
        this.chosen[pick.checked ? "add" : "delete"](id);
        this.choose();
      } });
    const cell = (name, ...content) => h("td", { role: "cell", "data-name": name }, content);
    const when = new Date(updated * 1000);
    return h("tr", { role: "row" },
      h("td", { role: "cell", class: "library-pick" }, pick),
      cell("Game", h("a", { class: "library-game", href: `#/replay/${id}` }, title), " ",
        h("span", { class: "quiet small" }, optionWords(table.options, this.usual[table.game]))),
      cell("Players", playerWords(seats)),
      cell("Result", status === "playing" ? h("span", { class: "library-live" }, "under way")
        : table.result || "broken off"),
      cell("Moves", h("span", { class: "numbers" }, plies)),
      cell("Last move", h("span", {}, h("time", { datetime: when.toISOString(),
        title: when.toLocaleString() }, dayWords(when)),
      origin === "uploaded" ? h("span", { class: "quiet small" }, " uploaded") : null)),
      h("td", { role: "cell", class: "library-do" }, this.doings(table, words)));
  }

  doings({ id, status, game }, words) {
    const to = (href, label, title) => h("a", { class: "button library-small", href,
      "aria-label": `${title}: ${words}` }, label);
    const press = (label, title, go) => h("button", { type: "button", class: "small",
      "aria-label": `${title}: ${words}`, onclick: go }, label);
    return h("div", { class: "line" },
      status === "playing" ? to(`#/table/${id}`, "Watch", "Watch")
        : to(`#/replay/${id}`, "Replay", "Replay"),
      to(`#/analysis?table=${id}`, "Analyse", "Analyse"),
      press("Download", "Download", () => this.offer(id, game)),
      press("Share", "Share", () => share(id)));
  }

  // ------------------------------------------------------------ choosing and taking

  chooseAll(on) {
    this.chosen = new Set(on ? this.tables.map(({ id }) => id) : []);
    for (const box of this.list.querySelectorAll("[data-pick]")) box.checked = on;
    this.choose();
  }

  choose() {
    const { size } = this.chosen;
    for (const button of this.taking) button.disabled = size === 0;
    if (!this.all) return;
    this.all.checked = size > 0 && size === this.tables.length;
    this.all.indeterminate = size > 0 && size < this.tables.length;
  }

  async offer(id, game) {
    const text = "SGF, GGF (Reversi) and PSQ (Gomoku) are what other programs read; " +
      "JSON lines keep everything and come in every game.";
    const formats = Object.entries(FORMATS).filter(([, { games }]) => games?.includes(game) ?? true);
    const format = await ask("Download the game", h("p", {}, text), [
      { label: "Cancel", value: null },
      ...formats.map(([value, { label }]) => ({ label, value })),
    ]);
    if (format) await this.take([id], format, game);
  }

  async take(ids, format, name) {
    const path = ids.length === 1 ? `/api/tables/${ids[0]}/record?format=${format}`
      : `/api/records?ids=${ids.join(",")}&format=${format}`;
    try {
      await download(path, `${name}.${format}`);
    } catch (error) {
      this.app.say(error.message, "error");
    }
  }

  // ------------------------------------------------------------ bringing

  async bring(files) {
    this.file.value = "";
    if (!files.length || this.bringing.disabled) return;
    this.bringing.disabled = true;
    this.bringing.textContent = "Reading…";
    let added = 0;
    for (const file of files) {
      try {
        const { bytes } = await this.limits;
        if (file.size > bytes) {
          throw new Error(`it is larger than ${bytes / 1e6} MB; bring it in parts`);
        }
        added += await this.send(file);
      } catch (error) {
        this.app.say(`${file.name}: ${error.message}`, "error");
      }
    }
    this.bringing.disabled = false;
    this.bringing.textContent = "Upload games";
    if (added) await this.added(added);
  }

  // Brings a file's games, or some of them where there are too many; how many.
  async send(file) {
    const body = BYTES.test(file.name) ? { data: await base64(file) } : { text: await file.text() };
    try {
      return (await post("/api/records", body)).ids.length;
    } catch (error) {
      if (error.status !== TOO_MANY) throw error;
      const first = await this.whichPart(file.name, error.message);
      return first ? (await post("/api/records", { ...body, first })).ids.length : 0;
    }
  }

  // Of a file with too many games, the number of the first to take; null: none.
  async whichPart(name, words) {
    const first = h("input", { id: "library-first", type: "number", min: 1, step: 1, value: 1,
      inputmode: "numeric" });
    const { games: most } = await this.limits;
    const sure = await ask(`Games of ${name}`, h("div", { class: "stack" },
      h("p", {}, `${words[0].toUpperCase()}${words.slice(1)}.`),
      h("div", { class: "field" },
        h("label", { for: "library-first" }, `Add ${most} games, from number`), first)),
    [{ label: "Cancel", value: false }, { label: "Add these games", value: true }],
    { check: () => Number(first.value) >= 1 });
    return sure ? Math.floor(Number(first.value)) : null;
  }

  async paste() {
    const { bytes } = await this.limits;
    const field = h("textarea", { id: "library-paste", rows: 8, maxlength: bytes,
      spellcheck: "false" });
    const sure = await ask("Paste a record",
      h("div", { class: "field" }, h("label", { for: "library-paste" }, "SGF, GGF, PSQ or JSON lines"), field),
      [{ label: "Cancel", value: false }, { label: "Add the games", value: true }],
      { check: () => field.value.trim() !== "" });
    if (!sure) return;
    try {
      const { ids } = await post("/api/records", { text: field.value });
      await this.added(ids.length);
    } catch (error) {
      this.app.say(error.message, "error");
    }
  }

  async added(many) {
    for (const name of FILTERS) this.fields[name].value = "";
    await this.look();
    this.app.say(many === 1 ? "The game was added." : `${many} games were added.`, "good");
  }
}

// The bytes of a file in base64.
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Error("it cannot be read"));
    reader.readAsDataURL(file);
  });
}

function share(id) {
  const link = `${location.origin}${location.pathname}#/replay/${id}`;
  return tell("Share this game", copyField("Whoever opens this link sees the game", link));
}

function playerWords(seats) {
  return h("ul", { class: "library-players" }, seats.map((name) => h("li", {}, name)));
}

// The hour of today, else the day.
function dayWords(when) {
  const today = new Date().toDateString() === when.toDateString();
  return today ? when.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false })
    : when.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}
