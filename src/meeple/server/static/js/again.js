// Looking again and again at what changes on the server.

import { get } from "./api.js";

const LIVE = 2000; // milliseconds between two looks at a game in which something has just happened
const QUIET = 6000; // and at one in which nothing has

// Calls `look` again and again, `pause()` milliseconds after it is done; not while nobody looks.
// Returns what ends it.
export function again(look, pause, failed) {
  let timer = null;
  let over = false;
  async function turn() {
    if (!document.hidden) await look().catch((error) => over || failed(error));
    if (!over) timer = setTimeout(turn, pause());
  }
  timer = setTimeout(turn, pause());
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

/** Has a view `look()` at the server until it is closed; its `fault` says why the last look failed. */
export function poll(view, pause) {
  view.own(again(() => view.look(), pause, (error) => view.set({ fault: error.message })));
  return view;
}

// Calls `changed()` (a promise) whenever a game under way is not as it was, until it is over or gone.
// `plies`: how many the page knows of it. Returns what ends it.
export function follow(id, plies, changed) {
  let known = null;
  let pause = QUIET;
  const end = again(async () => {
    const { tables: [game] } = await get(`/api/tables?ids=${encodeURIComponent(id)}&limit=1`);
    const now = JSON.stringify([game?.status, game?.plies, game?.updated]);
    const isNew = known ? now !== known : game?.plies !== plies || game.status !== "playing";
    if (isNew) await changed();
    known = now;
    pause = isNew ? LIVE : QUIET;
    if (game?.status !== "playing") end();
  }, () => pause, () => null);
  return end;
}
