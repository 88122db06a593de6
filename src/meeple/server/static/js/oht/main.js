// The page of a tournament and its views.

import { showViews } from "../shell.js";
import { html } from "../view.js";
import { showGame } from "./game.js";
import { showGames } from "./games.js";
import { showTable } from "./table.js";

const view = (nav, show) => ({ nav, load: async () => show });
const app = {
  title(text) {
    if (text) document.title = `${text} · Meeple`;
  },
};

document.documentElement.lang = "en"; // the only language of this page
showViews({ "": view("table", showTable), games: view("games", showGames),
  game: view("games", showGame) }, { app, link: html`<a href="/#/">To the table</a>` });
