// What a view of a table says in words. No drawing, no state.

import { sentence } from "../words.js";

const DONE = { pass: "passed", swap: "swapped sides", black: "took Black", white: "took White",
  more: "places two more stones" };
const STATES = {
  busy: "waits: the server is busy",
  preparing: "is getting ready",
  thinking: "is thinking",
};

/** What the game calls a seat, as a sentence begins. */
export function seatName(view, seat) {
  return sentence(view.seats[seat]?.name ?? "");
}

/** Who plays a seat: the person or the level by its name, if no other has it; else the seat. */
export function playerName(view, seat) {
  const called = view.seats[seat]?.called;
  const same = view.seats.filter((one) => one.called === called).length;
  return called && same === 1 ? called : seatName(view, seat);
}

/** A sentence of the server with the players' names in the place of their seats. */
export function named(view, text) {
  return (view.seats ?? []).reduce((words, { name }, seat) => {
    const called = playerName(view, seat);
    if (called === sentence(name)) return words;
    return words.replace(new RegExp(`\\b${name}\\b`, "gi"), () => called);
  }, text);
}

// Who is to move, in one line: {text, mine}.
export function turnWords(view, events) {
  const { status, to_move: mover } = view;
  if (status === "waiting") return { text: "Waiting for the others to take their seats", mine: false };
  if (status === "over") return { text: "The game is over", mine: false };
  if (mover < 0) return { text: "", mine: false };
  if (view.you.includes(mover)) {
    return { text: yourTurn(view, events, seatName(view, mover)), mine: true };
  }
  const name = playerName(view, mover);
  if (view.paused) return { text: `Paused: ${name} is to move`, mine: false };
  if (view.seats[mover].kind === "agent") {
    const { state, step } = view.thinking ?? {};
    const what = state === "preparing" && step ? `: ${step}` : "";
    return { text: `${name} ${STATES[state] ?? STATES.thinking}${what}`, mine: false };
  }
  return { text: `${name} is to move`, mine: false };
}

function yourTurn(view, events, name) {
  const moves = events.filter(({ seat }) => seat >= 0);
  const last = moves.at(-1);
  const again = last?.seat === view.to_move || (moves.at(-2)?.seat === view.to_move
    && Object.hasOwn(DONE, last.text) && last.text === "pass");
  const who = view.you.length > 1 || view.seats.length > 2 || !/^player/i.test(name) ? ` (${name})`
    : "";
  return again && !view.hides ? `Your move again${who}` : `Your turn${who}`;
}

// What the game is about, and what a click does where that has to be said.
export function aboutWords({ summary, scene }) {
  return [`${sentence(summary)}.`, scene.how].filter(Boolean).join(" ");
}

// The last thing that somebody did, as a sentence; "" at the start.
export function lastWords(view, events) {
  const last = events.at(-1);
  if (!last) return "";
  if (last.said || last.seat < 0) return `${sentence(last.text)}.`;
  const name = view.you.length === 1 && view.you[0] === last.seat ? "You"
    : playerName(view, last.seat);
  if (/\s/.test(last.text)) return `${name}: ${last.text}.`; // a move that is words, as "take 3"
  return `${name} ${DONE[last.text] ?? `played ${last.text}`}.`;
}

// What there is to say where a person has no choice, or one that is not on the board.
export function buttonWords(view, actions) {
  const names = actions.map(({ name }) => name);
  if (view.actions.length === 1) {
    if (names[0] === "pass") return "There is no legal move: you must pass.";
    return `There is only one move: ${names[0]}.`;
  }
  if (names.length === 1 && names[0] === "swap") {
    return "You may take over your opponent's first stone instead of a move.";
  }
  if (names.includes("black")) return "Choose your colour; White moves next.";
  return "You may also choose this:";
}

const OUTCOMES = { // of the reader's seat: title and kind of the panel
  win: ["You win", "good"], shared: ["You share the win", ""], draw: ["A draw", ""],
  loss: ["You lose", "bad"] };

// The result as {title, text, kind}; the title is about the reader if they have one seat.
export function resultWords(view) {
  const { outcome, words } = view.result;
  const text = sentence(named(view, words));
  if (!outcome) return { title: text, text: "", kind: "" };
  const [title, kind] = OUTCOMES[outcome];
  return { title, text: outcome === "draw" ? "" : text, kind };
}
