// The page of a tournament and its views.

import { extend, t } from "../../js/messages.js";
import { showViews } from "../../js/shell.js";
import { html, render } from "../../js/view.js";
import { showGame } from "./game.js";
import { showGames } from "./games.js";
import { showTable } from "./table.js";

const view = (nav, show) => ({ nav, load: async () => show });
const title = (text) => { if (text) document.title = `${text} · Meeple`; };

await extend("oht", new URL("languages/", import.meta.url).href);
render([["", "table", t("oht.standings")], ["games", "games", t("oht.games")]].map(([to, nav, words]) =>
  html`<a href="#/${to}" data-view=${nav}>${words}</a>`), document.querySelector("nav"));
showViews({ "": view("table", showTable), games: view("games", showGames),
  game: view("games", showGame) }, { app: { title }, link: html`<a href="/#/">${t("oht.to_table")}</a>` });
