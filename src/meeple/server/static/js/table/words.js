// What a view of a table says in words. No drawing, no state.

import { codeOf, declared, sentence, t, translate, translateWith } from "../messages.js";
import { YOU } from "../tokens.js";

const DONE = { pass: "passed", swap: "swapped", black: "took_black", white: "took_white", more: "two_more" };

/** What the game calls a seat, as a sentence begins. */
export function seatName(view, seat) {
  return sentence(translate(view.seats[seat]?.name ?? ""));
}

/** Who plays a seat: the person or the level by its name, if no other has it; else the seat. */
export function playerName(view, seat) {
  const called = view.seats[seat]?.called;
  const same = view.seats.filter((one) => one.called === called).length;
  return called && same === 1 ? translate(called) : seatName(view, seat);
}

/** A sentence of the server with the players' names in the place of their seats.
 *  @param {any} view
 *  @param {string} text
 *  @param {(said: any) => string | null} [instead] as of `translateWith` */
export function named(view, text, instead) {
  const seats = view.seats ?? [];
  if (!codeOf(text)) {
    return translate(seats.reduce((words, seat, at) => renamed(view, words, seat, at), text));
  }
  return translateWith(text, (said) => {
    const seat = seats.findIndex(({ name }) => name === said.text);
    if (seat < 0) return instead?.(said) ?? null;
    const called = playerName(view, seat);
    return called === seatName(view, seat) ? null : called;
  });
}

/** A text of a game without codes, in which a player is called by the name. */
function renamed(view, words, { name }, seat) {
  const called = playerName(view, seat);
  return called === sentence(name) ? words : words.replace(new RegExp(`\\b${name}\\b`, "gi"), () => called);
}

/** A stored game as `named` takes it: the seats, and what those who played are called. */
export const seated = ({ players, seats }) =>
  ({ seats: players.map((name, seat) => ({ name, called: seats[seat] === YOU ? "" : seats[seat] })) });

/** The result of a game with the names of those who played it. */
export const resultOf = (game) => named(seated(game), game.result ?? "");

// Who is to move, in one line: {text, mine}.
export function turnWords(view, events) {
  const { status, to_move: mover } = view;
  if (status === "waiting") return { text: t("turn.waiting"), mine: false };
  if (status === "over") return { text: t("turn.over"), mine: false };
  if (mover < 0) return { text: "", mine: false };
  if (view.you.includes(mover)) {
    return { text: yourTurn(view, events, seatName(view, mover)), mine: true };
  }
  const name = playerName(view, mover);
  if (view.paused) return { text: t("turn.paused", { name }), mine: false };
  if (view.seats[mover].kind === "agent") {
    const { state, step } = view.thinking ?? {};
    const id = state === "preparing" && step ? "turn.preparing_step"
      : ["busy", "preparing"].includes(state) ? `turn.${state}` : "turn.thinking";
    return { text: t(id, { name, step: translate(step ?? "") }), mine: false };
  }
  return { text: t("turn.to_move", { name }), mine: false };
}

function yourTurn(view, events, name) {
  const moves = events.filter(({ seat }) => seat >= 0);
  const last = moves.at(-1);
  const again = last?.seat === view.to_move || (moves.at(-2)?.seat === view.to_move
    && Object.hasOwn(DONE, last.text) && last.text === "pass");
  const id = again && !view.hides ? "turn.again" : "turn.yours";
  const named = view.you.length > 1 || view.seats.length > 2
    || !/^player/i.test(view.seats[view.to_move].name);
  return t(named ? `${id}_as` : id, { name });
}

// What the game is about, and what a click does where that has to be said.
export function aboutWords({ game, summary, scene }) {
  const about = `${sentence(declared(`summary.${game}`, summary))}.`;
  return [about, translate(scene.how ?? "")].filter(Boolean).join(" ");
}

// The last thing that somebody did, as a sentence; "" at the start.
export function lastWords(view, events) {
  const last = events.at(-1);
  if (!last) return "";
  if (last.said || last.seat < 0) return `${sentence(translate(last.text))}.`;
  const who = view.you.length === 1 && view.you[0] === last.seat ? "you_" : "";
  const what = DONE[last.text] ?? (/\s/.test(last.text) ? "did" : "played"); // "take 3", or a place
  return t(`turn.${who}${what}`, { name: playerName(view, last.seat), move: translate(last.text) });
}

// What there is to say where a person has no choice, or one that is not on the board.
export function buttonWords(view, actions) {
  const names = actions.map(({ name }) => name);
  if (view.actions.length === 1) {
    if (names[0] === "pass") return t("turn.must_pass");
    return t("turn.only_move", { move: translate(names[0]) });
  }
  if (names.length === 1 && names[0] === "swap") return t("turn.may_swap");
  if (names.includes("black")) return t("turn.choose_colour");
  return t(names.length === view.actions.length ? "turn.choose" : "turn.may_choose");
}

const KINDS = { win: "good", shared: "", draw: "", loss: "bad" }; // of the panel, by the reader's outcome

// The result as {title, text, kind}; the title is about the reader if they have one seat. The text
// says what the title does not: points, who won if the reader did not, why a game ended early.
export function resultWords(view) {
  const { outcome, words } = view.result;
  const text = sentence(named(view, words));
  if (!outcome) return { title: text, text: "", kind: "" };
  const said = { win: "game.wins", draw: "game.draw" }[outcome] === codeOf(words);
  return { title: t(`turn.${outcome}`), text: said ? "" : text, kind: KINDS[outcome] };
}
