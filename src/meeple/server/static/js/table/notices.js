// What stands above the board: the result, invitations, a wish to take back a move.

import { clear, h } from "../dom.js";
import { invitesOf } from "../tokens.js";
import { inviteFields } from "./dialogs.js";
import { resultWords, seatName } from "./words.js";

// Returns {node, update(view)}. `send` takes messages for the server; `onnext()` goes to the
// rematch that somebody else began.
export function noticeBoard({ send, onnext }) {
  const node = h("div", { class: "notices" });
  let drawn = "";

  function update(view) {
    const shown = [];
    const facts = [];
    if (view.result) {
      shown.push(result);
      facts.push(view.result, view.can.rematch, view.next);
    }
    if (view.status === "waiting") {
      shown.push(invitations);
      facts.push(view.seats.map(({ kind }) => kind), invitesOf(view.id));
    }
    if (view.asks) {
      shown.push(wish);
      facts.push(view.asks);
    }
    const key = JSON.stringify([shown.length, facts]);
    if (key === drawn) return; // so that the focus stays
    drawn = key;
    clear(node).append(...shown.map((draw) => draw(view)));
  }

  function result(view) {
    const { title, text, kind } = resultWords(view);
    const again = view.next ? button("Go to the rematch", onnext, "primary")
      : view.can.rematch && button("Rematch", () => send({ type: "rematch" }), "primary");
    return h("section", { class: `panel result ${kind}`, "aria-label": "Result" },
      h("div", {}, h("h2", {}, title), text ? h("p", {}, text) : null),
      h("div", { class: "line" },
        h("a", { class: "button", href: `#/analysis?table=${view.id}&ply=0&review=1` }, "Review"), again));
  }

  function invitations(view) {
    const fields = inviteFields(view);
    const begins = "The game begins when all seats are taken.";
    return h("section", { class: "panel stack", "aria-label": "Invitations" },
      h("p", {}, fields.length ? `Send this to whoever is to play. ${begins}` : begins), fields);
  }

  function wish(view) {
    const seat = view.asks.undo;
    if (view.you.includes(seat)) {
      return h("p", { class: "panel" }, "You asked to take back a move: waiting for the answer.");
    }
    const words = `${seatName(view, seat)} asks to take back a move.`;
    if (!view.you.length) return h("p", { class: "panel" }, words);
    return h("section", { class: "panel line spread", role: "alert" }, h("span", {}, words),
      h("span", { class: "line" },
        button("Refuse", (event) => answer(event, false)),
        button("Agree", (event) => answer(event, true), "primary")));
  }

  // Once: a second click would be an answer to nothing.
  function answer({ target }, agree) {
    if (!send({ type: "answer", agree })) return;
    for (const one of target.parentNode.children) one.disabled = true;
    drawn = "";
  }

  return { node, update };
}

// Covers a table where people share a screen and hands are hidden, until the next one has it.
// Returns {node, covers(view) -> bool}; `onready()` when somebody says that they have it.
export function handOver({ onready }) {
  const node = h("div", { class: "panel cover", hidden: true });
  let holder = null; // the seat whose eyes the screen is for
  let asked = null; // the seat that it is to be handed to

  function covers(view) {
    const shared = view.hides && view.you.length > 1 && view.status === "playing";
    const reader = view.reader ?? (view.you.includes(view.to_move) ? view.to_move : view.you[0]);
    node.hidden = !shared || reader === holder;
    if (node.hidden) asked = null;
    else if (reader !== asked) ask(view, reader);
    return !node.hidden;
  }

  function ask(view, reader) {
    asked = reader;
    const name = seatName(view, reader);
    const ready = button(`I am ${name}`, () => {
      holder = reader;
      onready();
    }, "primary big");
    clear(node).append(h("h2", {}, `Hand the screen to ${name}`),
      h("p", {}, "Hidden hands are shown to their holders alone."), ready);
    ready.focus();
  }

  return { node, covers };
}

function button(label, onclick, kind) {
  return h("button", { type: "button", class: kind, onclick }, label);
}
