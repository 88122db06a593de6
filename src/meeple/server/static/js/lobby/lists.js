// Games to go on with, and others to look at.

import { clear, h } from "../dom.js";
import { get } from "../api.js";
import { myTables } from "../tokens.js";
import { picture } from "./pictures.js";

const EVERY = 10_000; // milliseconds between two looks
const MAX_OWN_GAMES = 50;
const MAX_OTHER_GAMES = 6;

// Returns {node, link, close()}; `link` leads to one's own games from the top of the page.
export function gameLists(app, games) {
  const families = Object.fromEntries(games.map(({ name, family }) => [name, family]));
  const mine = section("Go on with a game");
  const others = section("Look on");
  const link = h("button", { type: "button", class: "link", hidden: true, onclick: () => {
    mine.node.scrollIntoView({ block: "start" });
    mine.node.querySelector("a").focus({ preventScroll: true });
  } });
  let timer = null;
  let closed = false;
  look();

  async function look() {
    if (document.visibilityState !== "hidden") {
      try {
        const ids = myTables().slice(0, MAX_OWN_GAMES);
        const [own, newest] = await Promise.all([
          ids.length ? get(`/api/tables?status=playing&limit=${MAX_OWN_GAMES}&ids=${ids.join(",")}`)
            : { tables: [] },
          get(`/api/tables?limit=${MAX_OTHER_GAMES + ids.length}`),
        ]);
        if (closed) return;
        const known = new Set(ids);
        const open = own.tables.filter(({ status }) => status === "playing");
        mine.fill(open, families);
        link.hidden = open.length === 0;
        link.textContent = `Go on with ${open.length === 1 ? "a game" : `${open.length} games`}`;
        others.fill(newest.tables.filter(({ id }) => !known.has(id)).slice(0, MAX_OTHER_GAMES), families);
      } catch (error) {
        if (!closed) app.say(error.message); // goes by itself, and comes again while it is so
      }
    }
    if (!closed) timer = setTimeout(look, EVERY);
  }

  return {
    node: h("div", { class: "stack lists" }, mine.node, others.node),
    link,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function section(title) {
  const list = h("ul", { class: "tables" });
  const node = h("section", { hidden: true }, h("h2", {}, title), list);
  let shown = "";
  return {
    node,
    fill(tables, families) {
      const now = JSON.stringify(tables);
      if (now === shown) return; // the focus stays where it is
      shown = now;
      node.hidden = tables.length === 0;
      clear(list).append(...tables.map((table) => item(table, families[table.game])));
    },
  };
}

function item(table, family) {
  const state = table.status === "playing" ? `move ${table.plies + 1}` : table.result || "over";
  return h("li", {}, h("a", { class: "table-link", href: `#/table/${table.id}` },
    picture(table.game, family),
    h("span", { class: "words" },
      h("strong", {}, table.title),
      h("span", { class: "small who" }, table.seats.join(" – ")),
      h("span", { class: "quiet small" }, `${state}, ${ago(table.updated)}`))));
}

const STEPS = [[60, "second"], [60, "minute"], [24, "hour"], [Infinity, "day"]];

function ago(epoch) {
  let value = Math.max(0, Date.now() / 1000 - epoch);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [many, unit] of STEPS) {
    if (value < many) return unit === "second" ? "just now" : words.format(-Math.floor(value), unit);
    value /= many;
  }
  return "";
}
