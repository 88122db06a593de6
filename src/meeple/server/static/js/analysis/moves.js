// A list of moves to click on, the current one marked and in sight.

import { clear, h } from "../dom.js";

const LONG_NAME = 12; // letters of a move that takes a line of its own

// `first`: plies before the list; `current`: the ply that is shown; `onPick(ply)`.
export function fillMoves(list, plies, first, current, onPick) {
  clear(list);
  list.start = first + 1;
  list.classList.toggle("analysis-wordy", plies.some(({ text }) => text.length > LONG_NAME));
  for (const [at, { text, name, seat }] of plies.entries()) {
    const ply = first + at + 1;
    const words = text || name || "something unseen";
    const chosen = ply === current;
    const button = h("button", { type: "button", class: "link analysis-move",
      "aria-current": chosen ? "step" : null, onclick: () => onPick(ply) }, words);
    const item = h("li", { class: seat === null || seat < 0 ? "" : `analysis-seat-${seat % 4}` },
      button);
    list.append(item);
    if (chosen) requestAnimationFrame(() => {
      const gap = item.offsetTop; // the list is what it is placed in
      if (gap < list.scrollTop || gap > list.scrollTop + list.clientHeight - 32) {
        list.scrollTop = gap - list.clientHeight / 2;
      }
    });
  }
  if (!plies.length) list.append(h("li", { class: "quiet analysis-none" }, "No moves yet"));
}
