// The page of a tournament: which of its views the address asks for.

import { clear, h } from "../dom.js";
import { sentence } from "../words.js";
import { showGame } from "./game.js";
import { showGames } from "./games.js";
import { showTable } from "./table.js";

const VIEWS = { "": showTable, games: showGames, game: showGame };
const PARENTS = { "": "table", games: "games", game: "games" };

const main = document.getElementById("view");
let shown = 0; // counts addresses shown, so that a late view knows that it is late
let leave = null; // cleans up after the view that is shown

async function route() {
  const turn = ++shown;
  leave?.();
  leave = null;
  const [name, id] = location.hash.replace(/^#\/?/, "").split("/");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === PARENTS[name]) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const root = h("div", { class: "view" });
  clear(main).append(root);
  if (turn > 1) main.focus({ preventScroll: true });
  try {
    if (!Object.hasOwn(VIEWS, name)) throw new Error("there is no such page here");
    const done = await VIEWS[name](root, id);
    if (turn === shown) leave = done;
    else done?.();
  } catch (error) {
    clear(root).append(h("section", { class: "panel narrow" }, h("h1", {}, "Sorry"),
      h("p", {}, sentence(error.message)), h("p", {}, h("a", { href: "#/" }, "To the table"))));
  }
}

document.querySelector("a.skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address belongs to the router
  main.focus();
});
addEventListener("hashchange", route);
route();
