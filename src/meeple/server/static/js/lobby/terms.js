// Time, pace and help: what is agreed on beside the rules.

import { clear, h } from "../dom.js";

const CLOCKS = [["none", "No clock"], ["move", "Per move"], ["game", "Per game"]];
const PACES = [[0, "as fast as they can"], [0.5, "half a second"], [1, "1 second"],
  [2, "2 seconds"], [5, "5 seconds"]];

// Returns {node, update(people, computers), values()}; `values` throws where a number is none.
export function termsForm() {
  let kind = "none";
  let people = 1;
  const seconds = number("clock-seconds", "Seconds a move", 30, 1, 86_400);
  const minutes = number("clock-minutes", "Minutes each", 10, 1, 1440);
  const increment = number("clock-increment", "Seconds added a move", 5, 0, 600);
  const details = h("div", { class: "options" });
  const clock = h("fieldset", {}, h("legend", {}, "Time for people"),
    h("div", { class: "choices" }, CLOCKS.map(([value, label]) => h("label", {},
      h("input", { type: "radio", name: "clock", value, checked: value === kind,
        onchange: () => {
          kind = value;
          draw();
        } }), label))), details);
  const pace = h("select", { id: "pace" }, PACES.map(([value, label]) =>
    h("option", { value }, label)));
  const pacing = h("div", { class: "field" }, h("label", { for: "pace" },
    "A computer's move takes at least"), pace);
  const help = h("input", { type: "checkbox", checked: true });
  const hints = h("label", { class: "check" }, help, "Hints and analysis allowed");
  let wasWatching = false;

  function draw() {
    clear(details).append(...(kind === "move" ? [seconds.node]
      : kind === "game" ? [minutes.node, increment.node] : []));
  }

  function terms() {
    if (!people || kind === "none") return null;
    if (kind === "move") return { kind, seconds: seconds.value() };
    return { kind, seconds: 60 * minutes.value(), increment: increment.value() };
  }

  return {
    node: h("div", { class: "stack" }, clock, pacing, hints),
    update(newPeople, computers) {
      people = newPeople;
      clock.hidden = hints.hidden = !people;
      pacing.hidden = !computers;
      // computers alone are too fast to be looked at, unless somebody wants them to be
      if (!people !== wasWatching) pace.value = people ? "0" : "1";
      wasWatching = !people;
    },
    values: () => ({ clock: terms(), pace: Number(pace.value), help: help.checked }),
  };
}

function number(id, label, value, low, high) {
  const input = h("input", { id, type: "number", value, min: low, max: high, step: "any",
    inputmode: "decimal" });
  return {
    node: h("div", { class: "field" }, h("label", { for: id }, label), input),
    value() {
      const wrong = !input.validity.valid || input.value === "";
      input.setAttribute("aria-invalid", String(wrong));
      if (wrong) throw new Error(`${label}: a number from ${low} to ${high}`);
      return Number(input.value);
    },
  };
}
