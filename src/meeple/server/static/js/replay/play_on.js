// "Play on from here": a new table that begins with the first plies of a game.

import { get, post } from "../api.js";
import { ask } from "../dialogs.js";
import { h } from "../dom.js";
import { BEGINNER, levelName } from "../lobby/seats.js";
import { keep } from "../tokens.js";
import { sentence } from "../words.js";

// Asks who is to play, makes the table and goes there. `scene`: of the position, as /api/scenes
// gives it.
export async function playOn(game, ply, scene, tokens, app) {
  try {
    const { levels } = await post("/api/levels", { game: game.game, options: game.options });
    const wish = await whoPlays(game, scene, levels);
    if (!wish) return;
    const record = await get(`/api/tables/${game.id}/record?format=jsonl`, { tokens });
    const table = await post("/api/tables", {
      game: game.game,
      options: game.options,
      seats: wish,
      record: JSON.stringify(cut(record, ply)),
    });
    keep(table.id, { tokens: table.tokens, invites: table.invites });
    app.go(`#/table/${table.id}`);
  } catch (error) {
    app.say(error.message, "error");
  }
}

// The seats of the new table; null: nobody wants it.
async function whoPlays(game, scene, levels) {
  const mover = Math.max(scene?.to_move ?? 0, 0);
  const seat = h("select", { id: "on-seat" },
    game.players.map((name, number) => h("option", { value: number, selected: number === mover },
      `${sentence(name)}${number === mover ? ", who is to move" : ""}`)),
    h("option", { value: "all" }, "Everybody, at this screen"));
  const level = h("select", { id: "on-level" }, levels.map((one, at) =>
    h("option", { value: one.spec, selected: at === BEGINNER, title: one.words },
      levelName(one))));
  const field = (label, control) => h("div", { class: "field" },
    h("label", { for: control.id }, label), control);
  const sure = await ask("Play on from here", h("div", { class: "stack" },
    h("p", {}, "A new game begins with this position; the old one stays as it is."),
    field("You play", seat), field("The others", level)),
  [{ label: "Cancel", value: false }, { label: "Play on", value: true }]);
  if (!sure) return null;
  return game.players.map((_, number) => (seat.value === "all" || Number(seat.value) === number
    ? { kind: "me" } : { kind: "agent", spec: level.value }));
}

// The record of the first plies. Where the record has the board itself, another seed draws what
// comes from now on, so that the dice are not those of the old game.
function cut(record, ply) {
  const seed = record.board === undefined ? record.seed : Math.floor(Math.random() * 2 ** 31);
  return { ...record, seed, actions: record.actions.slice(0, ply), payoffs: null, notes: {},
    opening: Math.min(record.opening ?? 0, ply) };
}
