// "Play on from here": a new table that begins with the first plies of a game.

import { get, post } from "../api.js";
import { askFor } from "../dialogs.js";
import { BEGINNER, levelName } from "../lobby/seats.js";
import { sentence, t, translate } from "../messages.js";
import { keep } from "../tokens.js";
import { html, labelled } from "../view.js";

/** Asks who is to play, makes the table and goes there. `position`: a promise of what /api/scenes gives. */
export async function playOn(game, ply, position, tokens, app) {
  await app.attempt(async () => {
    const [{ levels }, scene] = await Promise.all([
      post("/api/levels", { game: game.game, options: game.options }), position]);
    const seats = await whoPlays(game, scene, levels);
    if (!seats) return;
    const record = await get(`/api/tables/${game.id}/record?format=jsonl`, { tokens });
    const table = await post("/api/tables", { game: game.game, options: game.options, seats,
      record: JSON.stringify(cut(record, ply)) });
    keep(table.id, { tokens: table.tokens, invites: table.invites });
    app.go(`#/table/${table.id}`);
  });
}

/** The seats of the new table; null: nobody wants it. */
function whoPlays({ players }, scene, levels) {
  const mover = Math.max(scene.to_move, 0);
  const seats = players.map((name, seat) =>
    [seat, seat === mover
      ? t("on.to_move", { seat: sentence(translate(name)) }) : sentence(translate(name))]);
  const strengths = levels.map((one) => [one.spec, levelName(one), translate(one.words)]);
  return askFor(t("replay.play_on"), html`<div class="stack">
    <p>${t("on.about")}</p>
    ${labelled("on-seat", t("on.you"), mover, [...seats, ["all", t("on.everybody")]])}
    ${labelled("on-level", t("on.others"), levels[BEGINNER].spec, strengths)}</div>`,
  t("on.play"), (form) => {
    const [seat, spec] = [form["on-seat"].value, form["on-level"].value];
    return players.map((_, number) => (seat === "all" || Number(seat) === number
      ? { kind: "me" } : { kind: "agent", spec }));
  });
}

/** The record of the first plies. Where the record has the board itself, another seed draws what
 *  comes from now on, so that the dice are not those of the old game. */
function cut(record, ply) {
  const seed = record.board === undefined ? record.seed : Math.floor(Math.random() * 2 ** 31);
  return { ...record, seed, actions: record.actions.slice(0, ply), payoffs: null, notes: {},
    opening: Math.min(record.opening ?? 0, ply) };
}
