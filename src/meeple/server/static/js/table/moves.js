// The list of what happened: numbered pairs for two players, sentences where the game has them.

import { clear, h } from "../dom.js";
import { chip } from "../players.js";
import { aboutWords, seatName } from "./words.js";
import { sentence } from "../words.js";

const MAX_LINES = 300; // lines shown at once; earlier ones on demand

// Returns {node, update(view)}; `events()` has all that is known.
export function moveList() {
  const list = h("ol", { class: "moves", tabindex: "0", "aria-label": "Moves" });
  const earlier = h("button", { type: "button", class: "small", hidden: true,
    onclick: () => {
      all = true;
      draw();
      list.scrollTop = 0;
    } }, "Show earlier moves");
  const node = h("section", { class: "panel moves-panel" }, h("h2", {}, "Moves"), earlier, list);
  let events = [];
  let view = null;
  let all = false;
  let drawn = 0; // events that the list shows, where it only grows

  function update(fresh) {
    const { from, list: added } = fresh.events;
    const kept = events.filter(({ ply }) => ply < from);
    const grew = view?.id === fresh.id && kept.length === events.length;
    if (view?.id !== fresh.id) all = false;
    view = fresh;
    events = [...kept, ...added];
    if (!grew || added.length) draw(grew);
  }

  function draw(grew = false) {
    const low = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const pairs = view.seats.length === 2 && !events.some(({ said }) => said);
    if (grew && !pairs && drawn > 0) {
      list.append(...events.slice(drawn).map((event) => line(event)));
      while (!all && list.children.length > MAX_LINES) list.firstChild.remove();
    } else {
      const lines = pairs ? pairLines(events) : events.map((event) => line(event));
      clear(list).append(...(all ? lines : lines.slice(-MAX_LINES)));
      if (!lines.length) list.append(h("li", { class: "quiet" }, `No moves yet. ${aboutWords(view)}`));
    }
    drawn = events.length;
    list.classList.toggle("pairs", pairs);
    earlier.hidden = all || (pairs ? events.length / 2 : events.length) <= MAX_LINES;
    if (low || !grew) list.scrollTop = list.scrollHeight;
  }

  function line(event) {
    const { seat, said, text } = event;
    if (said) return h("li", { class: "said" }, mark(seat), h("span", {}, sentence(text)));
    return h("li", { class: "said" }, mark(seat), h("span", {},
      seat >= 0 ? h("span", { class: "quiet" }, `${seatName(view, seat)}: `) : null,
      seat >= 0 ? text : sentence(text)));
  }

  function mark(seat) {
    return seat >= 0 ? chip(seat, view.seats[seat].name) : h("span", { class: "chip" });
  }

  // A line for each turn of the two; several moves of one in a row stand together.
  function pairLines() {
    const rows = [];
    let last = null;
    for (const { seat, text } of events) {
      if (seat < 0) {
        rows.push({ chance: text });
        last = null;
      } else if (seat === last) {
        rows.at(-1).moves[seat] += `, ${text}`;
      } else {
        if (last === null || seat < last) rows.push({ moves: ["", ""] });
        rows.at(-1).moves[seat] = text;
        last = seat;
      }
    }
    let number = 0;
    return rows.map(({ chance, moves }) => {
      if (chance !== undefined) {
        return h("li", { class: "said" }, mark(-1), h("span", {}, sentence(chance)));
      }
      number++;
      const cell = (seat) => h("span", { class: "move" }, moves[seat] || (seat === 0 ? "…" : ""));
      return h("li", { class: "pair" }, h("span", { class: "number quiet" }, `${number}.`),
        cell(0), cell(1));
    });
  }

  return { node, update, events: () => events };
}
