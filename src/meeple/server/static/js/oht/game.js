// One game of a tournament, move by move; one that is being played is followed.

import { again } from "../again.js";
import { get } from "../api.js";
import { makeBoard } from "../boards/board.js";
import { h } from "../dom.js";
import { place, result, seats } from "./words.js";

const EVERY = 1000; // milliseconds between two looks at a game in progress

export async function showGame(root, id) {
  const path = `/api/oht/games/${encodeURIComponent(id ?? "")}`;
  const head = h("div", {});
  const box = h("div", { class: "panel" });
  const board = makeBoard(box, { label: "Position" });
  const slider = h("input", { type: "range", min: 0, value: 0, "aria-label": "Move" });
  const at = h("span", { class: "numbers", role: "status" });
  const moves = h("p", { class: "oht-moves" });
  const step = (by) => h("button", { type: "button",
    onclick: () => go(Number(slider.value) + by) }, by < 0 ? "Back" : "On");
  root.append(head, h("div", { class: "oht-game" }, box, h("section", { class: "panel stack" },
    h("h2", {}, "Moves"), h("div", { class: "oht-steps" }, step(-1), slider, step(1)), at, moves)));
  let wanted = 0;
  let done = false;

  async function go(ply) {
    const turn = ++wanted;
    const found = await get(ply === null ? path : `${path}?ply=${Math.max(0, ply)}`);
    if (turn === wanted) draw(found);
  }

  function draw(found) {
    done = found.state === "done";
    document.title = `${found.players.join(" – ")} · Meeple`;
    head.replaceChildren(h("h1", {}, found.players.join(" – ")),
      h("p", { class: "quiet" }, `${place(found)}: ${result(found)}`),
      seats(found.seats, done ? -1 : found.to_move));
    slider.max = found.plies;
    slider.value = found.ply;
    at.textContent = `Move ${found.ply} of ${found.plies}`;
    moves.textContent = found.moves.map((name, ply) => `${ply + 1} ${name}`).join("   ");
    board.update({ scene: found.scene, players: found.seats });
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  await go(null);
  const end = again(async () => {
    if (!done && Number(slider.value) === Number(slider.max)) await go(null);
  }, () => EVERY, () => null);
  return () => {
    end();
    board.close();
  };
}
