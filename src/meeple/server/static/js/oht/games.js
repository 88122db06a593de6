// The games of a tournament, of one player or of all.

import { get } from "../api.js";
import { h } from "../dom.js";
import { place, result } from "./words.js";

export async function showGames(root, player) {
  const who = player ? `player=${encodeURIComponent(player)}` : "";
  const body = h("tbody", {});
  const more = h("button", { type: "button", hidden: true, onclick: load }, "Older games");
  root.append(h("h1", {}, player ? "Games of a player" : "Games"),
    player ? h("p", {}, h("a", { href: "#/games" }, "All games")) : "",
    h("div", { class: "panel oht-scroll", tabindex: "0", role: "region", "aria-label": "Games" },
      h("table", { class: "oht-table" },
        h("thead", {}, h("tr", {}, ["Game", "Players", "Result", "Moves"]
          .map((name) => h("th", { scope: "col" }, name)))), body)), more);
  let last = null;
  async function load() {
    const before = last === null ? "" : `before=${last}`;
    const found = await get(`/api/oht/games?${[who, before].filter(Boolean).join("&")}`);
    body.append(...found.games.map(row));
    last = found.games.at(-1)?.id ?? last;
    more.hidden = !found.more;
  }
  await load();
  if (!body.children.length) {
    body.append(h("tr", {}, h("td", { colspan: 4 }, "No game has begun yet.")));
  }
}

function row(game) {
  return h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#/game/${game.id}` }, place(game))),
    h("td", {}, game.players.join(" – ")), h("td", {}, result(game)),
    h("td", { class: "numbers" }, game.plies));
}
