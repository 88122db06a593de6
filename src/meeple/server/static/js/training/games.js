// Games of a run's self-play on a board: any episode, step by step or by itself.

import { h, s } from "../dom.js";
import { get, post } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { count } from "./words.js";

const SIGNS = {
  start: "M5 5v14M19 5v14L8 12z",
  back: "M17 5v14L6 12z",
  on: "M7 5v14l11-7z",
  end: "M19 5v14M5 5v14l11-7z",
};
const SPEEDS = { slow: 1600, normal: 800, fast: 300 }; // milliseconds a move
const MAX_SCENES = 400; // kept of the game that is shown

export function gamesPlayer(path, app) {
  let game = null; // {episode, plies, result, record}
  let moves = [];
  let ply = 0;
  let newest = 0;
  let playing = null; // the timer
  let scenes = new Map(); // by ply, promises
  let turn = 0; // counts what was asked for, so that a late answer is known
  let learning = true;
  let closed = false;

  const place = h("div", { class: "games-board" });
  const board = makeBoard(place, { label: "Board of a game of self-play" });
  const words = h("p", { class: "games-words numbers", "aria-live": "off" });
  const number = h("input", { type: "number", id: "games-episode", min: 1, step: 1,
    inputmode: "numeric" });
  const of = h("span", { class: "quiet numbers" });
  const choose = h("form", { class: "line", onsubmit: chosen },
    h("label", { for: "games-episode" }, "Episode"), number,
    h("button", { type: "submit" }, "Show"),
    h("button", { type: "button", onclick: () => step(-1) }, "Earlier"),
    h("button", { type: "button", onclick: () => step(1) }, "Later"),
    h("button", { type: "button", onclick: () => load(null) }, "Newest"), of);
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Move",
    oninput: () => { pause(); go(Number(slider.value)); } });
  const playButton = h("button", { type: "button", class: "primary", onclick: toggle }, "Play");
  const speed = h("select", { "aria-label": "Speed", class: "games-speed" },
    Object.keys(SPEEDS).map((name) => h("option",
      { value: name, selected: name === "normal" }, name)));
  const follow = h("input", { type: "checkbox" });
  const controls = h("div", { class: "line" },
    button("To the start", "start", () => go(0)),
    button("A move back", "back", () => go(ply - 1)),
    playButton,
    button("A move on", "on", () => go(ply + 1)),
    button("To the end", "end", () => go(moves.length)),
    speed,
    h("label", { class: "check" }, follow, "go on with the newest game"));
  const none = h("p", { class: "quiet" }, "The first games are under way.");
  const body = h("div", { class: "games-body", hidden: true, onkeydown: keys },
    place, h("div", { class: "stack" }, choose, words, slider, controls));
  const node = h("section", { class: "panel games-panel" },
    h("h2", {}, "Sample games"),
    h("p", { class: "quiet small" }, "What the run plays with itself. The first moves of an "
      + "episode may be drawn at random, so that it sees many positions."),
    none, body);

  function button(label, sign, action) {
    return h("button", { type: "button", class: "icon", "aria-label": label, title: label,
      onclick: () => { pause(); action(); } }, s("svg", { viewBox: "0 0 24 24",
      width: 20, height: 20, class: "games-sign", "aria-hidden": "true" },
    s("path", { d: SIGNS[sign] })));
  }

  // ------------------------------------------------------------ which game

  function update({ episodes, status }) {
    none.textContent = status === "stopped" ? "It has played no game yet."
      : "The first games are under way.";
    learning = !["finished", "stopped", "failed"].includes(status);
    newest = Math.max(newest, episodes);
    number.max = newest;
    of.textContent = newest ? `of ${count(newest)}` : "";
    if (game || !episodes || closed) return;
    load(null);
    // A run that learns is watched as it learns, where nobody minds what moves.
    if (status !== "running" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    follow.checked = true;
    if (!playing) toggle();
  }

  // Shows an episode; null: the newest.
  async function load(episode) {
    const mine = ++turn;
    try {
      const query = episode === null ? "limit=1" : `after=${episode - 1}&limit=1`;
      const { games, last } = await get(`${path}/games?${query}`);
      if (mine !== turn || closed) return;
      newest = Math.max(newest, last);
      if (!games.length) {
        if (game) app.say("There is no such episode yet.");
        return;
      }
      if (games[0].episode !== game?.episode) take(games[0]);
    } catch (error) {
      if (!closed) app.say(error.message, "error");
    }
  }

  function take(found) {
    game = found;
    moves = JSON.parse(found.record).actions;
    scenes = new Map();
    none.hidden = true;
    body.hidden = false;
    number.value = found.episode;
    slider.max = moves.length;
    go(playing ? 0 : moves.length);
  }

  function chosen(event) {
    event.preventDefault();
    const wanted = Math.round(Number(number.value));
    if (wanted >= 1) load(Math.min(wanted, newest));
  }

  function step(by) {
    if (game) load(Math.max(1, Math.min(game.episode + by, newest)));
  }

  // ------------------------------------------------------------ which move

  async function go(to) {
    ply = Math.max(0, Math.min(to, moves.length));
    slider.value = ply;
    slider.setAttribute("aria-valuetext", said());
    words.textContent = said();
    const [mine, of_] = [ply, game];
    try {
      const { scene, ...rest } = await sceneAt(ply);
      if (mine !== ply || of_ !== game || closed) return;
      board.update({ scene, actions: [], mover: rest.to_move ?? null });
      if (ply < moves.length) sceneAt(ply + 1).catch(() => null);
    } catch (error) {
      if (closed) return;
      pause();
      app.say(error.message, "error");
    }
  }

  function sceneAt(at) {
    if (!scenes.has(at)) {
      if (scenes.size >= MAX_SCENES) scenes.delete(scenes.keys().next().value);
      const asked = post("/api/scenes", { source: { record: game.record }, ply: at });
      const kept = scenes;
      asked.catch(() => kept.delete(at));
      scenes.set(at, asked);
    }
    return scenes.get(at);
  }

  function said() {
    const where = `Episode ${count(game.episode)}, move ${ply} of ${moves.length}`;
    const what = ply ? `: ${moves[ply - 1]}` : "";
    return `${where}${what}${ply === moves.length ? ` · ${game.result}` : ""}`;
  }

  // ------------------------------------------------------------ by itself

  function toggle() {
    if (playing) {
      pause();
      return;
    }
    if (game && ply >= moves.length) go(0);
    playButton.textContent = "Pause";
    playing = setTimeout(tick, SPEEDS[speed.value]);
  }

  async function tick() {
    if (!game) await null; // the first is on its way
    else if (ply < moves.length) await go(ply + 1);
    else if (follow.checked && (learning || game.episode < newest)) await load(null);
    else {
      pause();
      return;
    }
    if (playing) playing = setTimeout(tick, SPEEDS[speed.value]);
  }

  function pause() {
    clearTimeout(playing);
    playing = null;
    playButton.textContent = "Play";
  }

  function keys(event) {
    if (event.target.matches("input, select") || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: moves.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    pause();
    go(to);
  }

  return {
    node,
    update,
    close() {
      closed = true;
      pause();
      board.close();
    },
  };
}
