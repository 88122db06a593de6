// The players of a table: who they are, whose turn it is, their clocks, who thinks, and chances.

import { clear, h } from "../dom.js";
import { chip, colour } from "../players.js";
import { percent, seatName } from "./words.js";
import { sentence } from "../words.js";

const SHORT = 10; // seconds left that are shown with tenths, and with a warning
const TICK = 100; // milliseconds
const LONG = 1.5; // seconds of a thought after which one may cut it short

// Returns {node, chances, update(view), cover(on), facts(seat), close()}; the first two are panels.
// `onnow()`: the one that thinks is to move at once. `facts(seat)` is the node for what the table of
// a game shows of a player; `cover(true)` takes it off the page.
export function people({ onnow }) {
  const list = h("ul", { class: "people" });
  const bar = h("section", { class: "panel chances", "aria-label": "Winning chances",
    hidden: true });
  const node = h("section", { class: "panel people-panel", "aria-label": "Players" }, list);
  let rows = [];
  let view = null;
  let received = 0;
  let thought = null; // {seat, began}: a thought goes on through several views
  const timer = setInterval(tick, TICK);

  function update(fresh) {
    const same = view?.seats.length === fresh.seats.length && view.id === fresh.id;
    view = fresh;
    received = performance.now();
    if (!same) {
      rows = view.seats.map(row);
      clear(list).append(...rows.map((one) => one.node));
    }
    const { thinking } = view;
    thought = thinking && { seat: thinking.seat, began: received - 1000 * (thinking.seconds
      ?? Math.max(0, Date.now() / 1000 - thinking.since)) };
    rows.forEach((one, seat) => one.update(view.seats[seat]));
    drawChances();
    tick();
  }

  function row({ seat, name }) {
    const title = h("strong", { class: "name" }, sentence(name));
    const state = h("span", { class: "state" });
    const spec = h("span", {});
    const who = h("span", { class: "who quiet small" }, spec, state);
    const clock = h("span", { class: "clock numbers", role: "timer", "aria-live": "off" });
    const now = h("button", { type: "button", class: "small now", onclick: onnow }, "Move now");
    const facts = h("div", { class: "facts-of" });
    const one = h("li", {}, chip(seat, name), h("span", { class: "names" }, title, who), now, clock,
      facts);
    return {
      node: one,
      facts,
      state,
      clock,
      now,
      update(fresh) {
        const moves = view.status === "playing" && view.to_move === seat;
        one.classList.toggle("to-move", moves);
        if (moves) one.setAttribute("aria-current", "true");
        else one.removeAttribute("aria-current");
        set(spec, whoWords(fresh));
        spec.title = spec.textContent; // where it is cut off
        clock.hidden = !view.clocks || view.clocks.left[seat] === null;
      },
    };
  }

  function whoWords(seat) {
    const mine = view.you.includes(seat.seat);
    if (seat.kind === "open") return "not here yet";
    if (seat.gone) return `gave up; ${seat.spec} plays on`;
    const away = seat.kind === "human" && !mine && !seat.here && view.status !== "over";
    return away ? `${seat.who}, not connected` : seat.who;
  }

  function tick() {
    if (!view) return;
    const passed = (performance.now() - received) / 1000;
    rows.forEach((one, seat) => {
      const seconds = thought?.seat === seat ? (performance.now() - thought.began) / 1000 : null;
      set(one.state, seconds === null ? "" : stateWords(view.thinking.state, seconds));
      one.now.hidden = !view.can.now || seconds === null || seconds < LONG;
      if (one.clock.hidden) return;
      const runs = view.clocks.running === seat;
      const left = Math.max(0, view.clocks.left[seat] - (runs ? passed : 0));
      set(one.clock, clockWords(left));
      one.clock.classList.toggle("short", left < SHORT && view.status === "playing");
      one.clock.classList.toggle("runs", runs);
    });
  }

  function drawChances() {
    const { chances } = view;
    bar.hidden = !chances;
    if (!chances) return;
    const { by, value } = chances;
    const parts = value.map((share, seat) => {
      const part = h("span", { class: "part" });
      part.style.width = `${100 * share}%`;
      part.style.background = colour(seat, view.seats[seat].name);
      return part;
    });
    const shares = value.map((share, seat) => h("span", {}, h("span", { class: "quiet" },
      `${seatName(view, seat)} `), percent(share)));
    clear(bar).append(h("span", { class: "small quiet" }, "Winning chances, as ",
      `${seatName(view, by)} sees them`),
      h("span", { class: "bar", "aria-hidden": "true" }, parts),
      h("span", { class: "shares small numbers" }, shares));
  }

  return {
    node,
    chances: bar,
    update,
    cover(on) {
      for (const one of rows) {
        if (on) one.facts.remove();
        else if (!one.facts.isConnected) one.node.append(one.facts);
      }
    },
    facts: (seat) => rows[seat].facts,
    close: () => clearInterval(timer),
  };
}

function set(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function stateWords(state, seconds) {
  const short = { waiting: "waiting", busy: "server busy", preparing: "getting ready" };
  return `${short[state] ?? "thinking"} ${Math.floor(seconds)} s`;
}

function clockWords(left) {
  if (left < SHORT) return left.toFixed(1);
  const whole = Math.ceil(left);
  const seconds = String(whole % 60).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${seconds}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}
