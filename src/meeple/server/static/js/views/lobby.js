// The lobby: choose a game, its options, who sits where, and begin. Below it, games to go on with.

import { clear, h } from "../dom.js";
import { get, post } from "../api.js";
import { recall, remember } from "../storage.js";
import { keep } from "../tokens.js";
import { gameLists } from "../lobby/lists.js";
import { optionsForm } from "../lobby/options.js";
import { seatsForm } from "../lobby/seats.js";
import { termsForm } from "../lobby/terms.js";
import { picture } from "../lobby/pictures.js";

const GAME = "meeple.game"; // the key of the game that was chosen last
const SETTLE = 250; // milliseconds without a key until options are sent to be checked
const PATIENCE = 600; // milliseconds until it is said why a table is not there yet
const FIRST = "Getting this game ready: the first time takes up to a minute.";

// `params.game`: the game that is chosen at first.
export async function show(root, params, app) {
  const { games, agents } = await get("/api/games");
  let game = games.find(({ name }) => name === (params.game ?? recall(GAME))) ?? games[0];
  let asked = 0; // counts questions about options, so that a late answer is known
  let timer = null;

  const cards = h("div", { class: "games" });
  const optionsBox = h("div", {});
  const fault = h("p", { class: "fault", role: "alert" });
  const wait = h("p", { class: "wait quiet", role: "status" });
  const start = h("button", { type: "submit", class: "primary big" }, "Start");
  const about = h("p", { class: "quiet" });
  const seats = seatsForm(agents, { onchange: () => refresh() });
  const terms = termsForm();
  let options = null;

  const form = h("form", { class: "setup", onsubmit: begin, novalidate: true },
    h("section", { class: "panel", "aria-label": "Seats" }, seats.node),
    h("section", { class: "panel stack", "aria-label": "Rules" },
      h("div", {}, h("h2", {}, "Rules"), about), optionsBox, terms.node),
    h("div", { class: "begin" }, wait, fault, start));
  const lists = gameLists(app, games);
  root.append(h("div", { class: "line spread lobby-head" }, h("h1", {}, "What shall we play?"),
    lists.link), cards, form, lists.node);
  cards.append(...games.map(card));
  choose(game);

  function card(one) {
    const input = h("input", { type: "radio", name: "game", value: one.name,
      checked: one === game, onchange: () => choose(one) });
    return h("label", { class: "card" }, input, picture(one.name, one.family),
      h("span", { class: "title" }, one.title));
  }

  function choose(one) {
    game = one;
    remember(GAME, one.name);
    about.textContent = sentence(one.summary);
    options = optionsForm(one, () => {
      clearTimeout(timer);
      timer = setTimeout(check, SETTLE);
    });
    clear(optionsBox).append(options.node);
    check();
  }

  // Asks the server whether the options can be, and which seats and strengths there are then.
  async function check() {
    clearTimeout(timer);
    timer = null;
    const turn = ++asked;
    try {
      const found = await post("/api/levels", { game: game.name, options: options.values() });
      if (turn !== asked) return true;
      const names = found.seats
        ?? Array.from({ length: found.players ?? game.players }, (_, seat) => `player ${seat + 1}`);
      seats.update(names, found.levels);
      options.fault(null);
      say("");
    } catch (error) {
      if (turn !== asked) return true;
      options.fault(error.message);
      say(error.message);
      return false;
    }
    refresh();
    return true;
  }

  function refresh() {
    const people = seats.people();
    terms.update(people, seats.computers());
    start.textContent = people ? "Start" : "Watch them play";
  }

  function say(text) {
    const words = text && sentence(text);
    if (fault.textContent !== words) fault.textContent = words;
  }

  async function begin(event) {
    event.preventDefault();
    if (start.disabled) return; // Enter in a field
    start.disabled = true;
    const patience = setTimeout(() => {
      wait.textContent = FIRST;
    }, PATIENCE);
    try {
      if (timer !== null && !(await check())) return;
      const wanted = { game: game.name, options: options.values(), seats: seats.values(),
        ...terms.values() };
      const { id, tokens, invites } = await post("/api/tables", wanted);
      keep(id, { tokens, invites });
      app.go(`#/table/${id}`);
    } catch (error) {
      say(error.message);
    } finally {
      clearTimeout(patience);
      wait.textContent = "";
      start.disabled = false;
    }
  }

  return () => {
    clearTimeout(timer);
    asked++;
    lists.close();
  };
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
