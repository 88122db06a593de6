// One run: how far it is, its curves, the ratings of its networks, its games; and what to do with it.

import { clear, h } from "../dom.js";
import { again } from "../again.js";
import { get, post } from "../api.js";
import { lineChart } from "../charts.js";
import { keep } from "../tokens.js";
import { clusterPanel } from "./cluster.js";
import { gamesPlayer } from "./games.js";
import { ratingsPanel } from "./ratings.js";
import { badge, brief, count, duration } from "./words.js";

const LIVE = 1500; // milliseconds between two looks at a run that learns
const TWICE = 800; // milliseconds between the two clicks of an impatient hand
const QUIET = 8000; // and at one that does not
const AT_WORK = ["running", "stopping", "elsewhere"];
const GROUPS = {
  losses: "Losses: what training lowers",
  alone: "The network alone against fixed opponents",
  search: "With a little search against them",
  seats: "From each seat, in its matches alone",
  habits: "How it plays, for each of these games",
  games: "The games it plays with itself",
  training: "How training goes",
  gate: "Games that decide whether a new network plays",
  speed: "Speed",
  others: "Further figures",
};

const SHARES = ["selfplay/first_player_share", "selfplay/network_share", "selfplay/drawn",
  "selfplay/repeated", "unseen/agreement", "gate", "alone", "search", "seats"]; // between 0 and 1
const TOGETHER = { losses: "nats", alone: "share of the win", search: "share of the win",
  seats: "share of the win", gate: "share of the win" };
// The groups whose curves share one chart, and what they are measured in.

export async function showRun(root, name, app) {
  app.title(name);
  const path = `/api/runs/${encodeURIComponent(name)}`;
  let facts = await get(path);
  let busy = false;
  let rested = 0; // until then another click is part of a double click

  const head = headPanel(facts, { act, play });
  const cluster = clusterPanel(path);
  const curves = curvesPanels(facts);
  const ratings = ratingsPanel(() => act("topp"));
  const games = gamesPlayer(path, app);
  const settings = settingsPanel(facts.settings);
  const plays = facts.unit === "episode"; // games with itself, that are kept
  root.append(
    h("p", { class: "small" }, h("a", { href: "#/training" }, "All runs")),
    h("div", { class: "stack" },
      head.node,
      cluster.node,
      h("div", { class: "run" },
        h("div", { class: "stack" }, curves.places.alone, curves.places.search,
          curves.places.losses, plays ? ratings.node : null),
        h("div", { class: "stack" }, plays ? games.node : ratings.node, curves.places.games)),
      curves.places.rest,
      settings),
  );
  draw();

  function draw() {
    head.update(facts);
    cluster.update(facts);
    curves.update(facts);
    ratings.update(facts);
    if (plays) games.update(facts);
  }

  async function look() {
    facts = await get(`${path}?since=${curves.last()}`);
    head.fault("");
    draw();
  }

  // Asks the server for "stop", "resume" or "topp", and looks what has become of it.
  async function act(what) {
    if (busy || Date.now() < rested) return;
    busy = true;
    rested = Date.now() + TWICE;
    try {
      await post(`${path}/${what}`);
      await look();
    } catch (error) {
      app.say(error.message, "error");
    }
    busy = false;
  }

  // A game against the newest network, on the board that it has learned.
  async function play() {
    if (busy) return;
    busy = true;
    const { game, options, spec } = facts;
    try {
      const { games: all } = await get("/api/games");
      const players = all.find((one) => one.name === game)?.players ?? 2;
      const others = Array.from({ length: seatsOf(players, options) - 1 }, () => (
        { kind: "agent", spec }));
      const { id, ...given } = await post("/api/tables",
        { game, options, seats: [{ kind: "me" }, ...others], clock: null, pace: 0, help: true });
      keep(id, given);
      app.go(`#/table/${id}`);
    } catch (error) {
      app.say(error.message, "error");
    }
    busy = false;
  }

  const end = again(look, () => (AT_WORK.includes(facts.status) || facts.rating ? LIVE : QUIET),
    (error) => head.fault(error.message));
  return () => {
    end();
    games.close();
    curves.close();
    ratings.close();
  };
}

// A game's number of players, which may be a range ("2 to 4") that an option settles.
function seatsOf(players, options) {
  return Number(options.players) || Number(players) || 2;
}

// ---------------------------------------------------------------- the head

function headPanel({ name, title }, { act, play }) {
  const state = h("span", {});
  const bar = h("progress", { class: "wide", "aria-label": "Progress" });
  const words = h("p", { class: "numbers" });
  const problem = h("p", { class: "bad", role: "status" });
  const output = h("pre", { class: "output", tabindex: "0", role: "region",
    "aria-label": "What the run said last" });
  const lost = h("p", { class: "warn", role: "status" });
  const fares = h("ul", { class: "plain numbers", "aria-label": "Against fixed opponents" });
  const advice = h("ul", { class: "warn", "aria-label": "What to change" });
  const stop = h("button", { type: "button", onclick: () => act("stop") }, "Stop");
  const resume = h("button", { type: "button", onclick: () => act("resume") }, "Go on");
  const against = h("button", { type: "button", class: "primary", onclick: play },
    "Play against it");
  const node = h("section", { class: "panel" },
    h("div", { class: "line spread" },
      h("div", {}, h("h1", {}, name), h("p", { class: "line" }, title, state)),
      h("div", { class: "line" }, stop, resume, against)),
    bar, words, fares, advice, problem, output, lost);

  return {
    node,
    fault(text) { lost.textContent = text; },
    update(facts) {
      clear(state).append(badge(facts));
      bar.max = lengthOf(facts);
      bar.value = facts.episodes;
      words.textContent = progressWords(facts);
      list(fares, facts.progress);
      list(advice, facts.advice);
      problem.textContent = facts.problem ?? "";
      problem.hidden = !facts.problem;
      output.textContent = facts.output.join("\n");
      output.hidden = !facts.output.length;
      const runs = facts.status === "running" || facts.status === "stopping";
      stop.hidden = !runs && !facts.rating;
      stop.textContent = facts.status === "stopping" ? "Stop at once"
        : runs ? "Stop" : "Stop the rating";
      resume.hidden = !["stopped", "failed"].includes(facts.status);
      against.hidden = !facts.spec;
      against.title = facts.spec ?? "";
    },
  };
}

// Where a run ends: one that is over may have been ended by the clock.
function lengthOf({ episodes, of, status }) {
  return status === "finished" ? episodes : of;
}

function list(node, lines) {
  clear(node).append(...lines.map((line) => h("li", {}, line)));
  node.hidden = !lines.length;
}

function progressWords({ episodes, of, unit, seconds, left, status, networks, marks }) {
  const parts = [`${count(episodes)} of ${count(of)} ${unit}s`];
  if (seconds) parts.push(`${duration(seconds)} of learning`);
  if (status === "stopping") parts.push("ending the games under way, and saving");
  else if (left !== null) parts.push(`about ${duration(left)} left`);
  else if (AT_WORK.includes(status)) parts.push("getting ready");
  const kept = count(networks.length);
  parts.push(`${marks === null ? kept : `${kept} of ${count(marks)}`} networks kept`);
  return parts.join(" · ");
}

// ---------------------------------------------------------------- curves

// Charts by group: the losses share one, every other figure has its own. Figures that few ask for
// are drawn when they are opened.
function curvesPanels(facts) {
  const { unit } = facts;
  const whole = [0, lengthOf(facts)];
  const all = new Map(); // by name: {group, title, words, points}
  const charts = new Map(); // by key: lineChart
  const groups = new Map(); // by group: {node, body}
  const places = { alone: h("div", {}), search: h("div", {}), losses: h("div", {}),
    games: h("div", {}), rest: h("div", { class: "stack" }) };
  let last = 0;

  function take({ since, curves }) {
    for (const { name, points, ...words } of curves) {
      const before = all.get(name)?.points.filter(([x]) => x <= since) ?? [];
      all.set(name, { name, ...words, points: [...before, ...points] });
    }
    last = Math.max(0, ...[...all.values()].map(({ points }) => points.at(-1)?.[0] ?? 0));
  }

  function group(key) {
    if (!groups.has(key)) {
      const body = h("div", { class: "charts" });
      const open = key in places; // shown at once
      const node = open
        ? h("section", { class: "panel" }, h("h2", {}, GROUPS[key]), body)
        : h("details", { class: "panel", ontoggle: () => draw() },
          h("summary", {}, h("h2", {}, GROUPS[key])), body);
      (places[key] ?? places.rest).append(node);
      groups.set(key, { node, body, isOpen: () => open || node.open });
    }
    return groups.get(key);
  }

  function draw() {
    const together = new Map(); // by chart: the curves it holds
    for (const curve of all.values()) {
      const key = curve.group in TOGETHER ? curve.group : curve.name;
      together.set(key, [...(together.get(key) ?? []), curve]);
    }
    for (const [key, curves] of together) {
      const { body, isOpen } = group(curves[0].group);
      if (!isOpen()) continue;
      const series = curves.map(({ title, points }) => ({ name: title, points }));
      const range = { x: whole, ...(SHARES.includes(key) ? { y: [0, 1] } : {}) };
      if (charts.has(key)) {
        charts.get(key).update({ series });
        continue;
      }
      const single = !(key in TOGETHER);
      const place = h("div", { class: "chart-place" }, single ? h("h3", {}, curves[0].title) : null);
      body.append(place);
      charts.set(key, lineChart(place, { series, range,
        x: { label: `${unit}s`, format: count }, y: { label: TOGETHER[key] ?? "", format: brief },
        label: single ? curves[0].title : GROUPS[curves[0].group], height: single ? 180 : 260 }));
      place.append(single ? h("p", { class: "quiet small" }, curves[0].words) : explained(curves));
    }
  }

  return {
    places,
    last: () => last,
    update(facts) {
      take(facts);
      if (all.size) draw();
    },
    close() {
      for (const chart of charts.values()) chart.close();
    },
  };
}

function explained(curves) {
  return h("dl", { class: "explained small" }, 
    curves.filter(({ words }) => words).map(({ title, words }) => [
      h("dt", {}, title), h("dd", { class: "quiet" }, words)]));
}

// ---------------------------------------------------------------- settings

function settingsPanel(settings) {
  const rows = Object.entries(settings).map(([name, value]) => h("tr", {},
    h("th", { scope: "row" }, name),
    h("td", { class: "code" }, typeof value === "string" ? value : JSON.stringify(value))));
  return h("details", { class: "panel" },
    h("summary", {}, h("h2", {}, "The configuration")),
    h("div", { class: "scroll-x" }, h("table", { class: "settings" }, h("tbody", {}, rows))));
}
