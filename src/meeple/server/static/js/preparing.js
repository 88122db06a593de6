// What the server prepares while a page waits for a game.

import { again } from "./again.js";
import { get } from "./api.js";
import { sentence, t, translate } from "./messages.js";

const PATIENCE = 600; // milliseconds until it is said why a game is not there yet

/** Calls `say(text)` with what is being prepared, while a page waits for a game, by default for any, or
 *  else for the server. Returns what ends it. */
export function followPreparation(say, game = null) {
  let timer = null, stopped = false;
  const look = async () => {
    const { games } = await get("/api/preparing");
    const found = games.find((one) => one.game === game) ?? (game ? null : games[0]);
    if (!stopped) say(found ? wordsOf(found) : t("preparing.first")); // the answer may be later than the stop
  };
  const first = setTimeout(() => {
    timer = again(look, () => PATIENCE, () => null);
    say(t("preparing.first")); // which may end it
    if (!stopped) look().catch(() => null);
  }, PATIENCE);
  return () => {
    stopped = true;
    clearTimeout(first);
    timer?.();
  };
}

function wordsOf({ game, done, total, step }) {
  return t(done < total ? "preparing.kernel" : "preparing.game",
    { game: translate(sentence(game.replaceAll("-", " "))), n: done + 1, all: total, step: translate(step) });
}
