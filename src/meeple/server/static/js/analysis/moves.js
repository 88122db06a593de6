// A list of moves to click on, the current one marked and in sight.

import { clear, h, s } from "../dom.js";

const LONG_NAME = 12; // letters of a move that takes a line of its own
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" }; // as in chess

// `first`: plies before the list; `current`: the ply that is shown; `onPick(ply)`; `grades`: of the
// moves that a review judged, by ply.
export function fillMoves(list, plies, first, current, onPick, grades = new Map()) {
  clear(list);
  list.start = first + 1;
  list.classList.toggle("analysis-wordy", plies.some(({ text }) => text.length > LONG_NAME));
  for (const [at, { text, name, seat }] of plies.entries()) {
    const ply = first + at + 1;
    const words = text || name || "something unseen";
    const chosen = ply === current;
    const button = h("button", { type: "button", class: "link analysis-move",
      "aria-current": chosen ? "step" : null, onclick: () => onPick(ply) }, words);
    const mark = MARKS[grades.get(ply - 1)];
    if (mark) button.append(h("span", { class: "bad", title: grades.get(ply - 1) }, ` ${mark}`));
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

// The buttons that walk through a game; `place` says where, between them.
export function stepButtons(place, { onFirst, onStep, onLast }) {
  const step = (name, d, onclick) => h("button", { type: "button", "aria-label": name, title: name,
    onclick }, s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("path", { d, fill: "currentColor" })));
  return h("div", { class: "line analysis-steps" },
    step("First position", "M2 2h2v12H2zM14 2v12L5 8z", onFirst),
    step("One move back", "M12 2v12L3 8z", () => onStep(-1)),
    place,
    step("One move on", "M4 2v12l9-6z", () => onStep(1)),
    step("Last position", "M12 2h2v12h-2zM2 2v12l9-6z", onLast));
}
