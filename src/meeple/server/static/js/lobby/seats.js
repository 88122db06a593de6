// Who sits where: me, a friend by link, or a computer of a chosen strength; and who starts.

import { clear, h } from "../dom.js";
import { chip } from "../players.js";
import { recall, remember } from "../storage.js";
import { sentence } from "../words.js";

const KINDS = [["me", "Me"], ["link", "A friend"], ["agent", "Computer"]];
const NAME = "meeple.name";
export const BEGINNER = 0; // the level that is chosen until somebody chooses: the weakest

let forms = 0;

// What to call a level: "Club, about 1,250", in Elo points above random play.
export function levelName({ name, rating }) {
  return rating === null ? name : `${name}, about ${rating.toLocaleString("en")}`;
}

// Returns {node, update(names, levels), values(), people(), computers()}.
export function seatsForm(agents, { onchange }) {
  const prefix = `seats${++forms}`;
  const list = h("div", { class: "seats" });
  const first = h("div", {});
  const node = h("div", { class: "stack" }, h("h2", {}, "Who plays"), list, first);
  let seats = []; // [{kind, level, spec, own, open, name}] in the order of play
  let names = [];
  let levels = [];
  let random = false;

  function update(newNames, newLevels) {
    // What is the same stays as it is, under the fingers of who types meanwhile.
    if (JSON.stringify([newNames, newLevels]) === JSON.stringify([names, levels])) return;
    const old = levels;
    names = newNames;
    levels = newLevels;
    for (const seat of seats) {
      // the same strength again by its name, where the new game has it
      const name = old[seat.level]?.name;
      const same = levels.findIndex((level) => level.name === name);
      seat.level = same >= 0 ? same : BEGINNER;
    }
    while (seats.length < names.length) {
      seats.push({ kind: seats.length ? "agent" : "me", level: BEGINNER, spec: "",
        own: false, name: seats.length ? "" : lastName() });
    }
    seats.length = names.length;
    draw();
  }

  function draw() {
    clear(list).append(...seats.map(row));
    drawFirst();
  }

  function row(seat, at) {
    const id = `${prefix}-${at}`;
    const title = sentence(names[at]);
    const details = h("div", { class: "details" });
    const fill = () => clear(details).append(...detailsOf(seat, id, title));
    const kinds = KINDS.map(([kind, label]) => h("label", {}, h("input", { type: "radio",
      name: `${id}-kind`, value: kind, checked: seat.kind === kind, onchange: () => {
        seat.kind = kind;
        fill();
        drawFirst();
        onchange();
      } }), label));
    fill();
    return h("fieldset", { class: "seat" },
      h("legend", { class: "line" }, random ? null : chip(at, names[at]),
        random ? `Seat ${at + 1}` : title),
      h("div", { class: "choices" }, kinds), details);
  }

  function detailsOf(seat, id, title) {
    if (seat.kind === "me") {
      return [h("input", { type: "text", value: seat.name, maxlength: 40, autocomplete: "nickname",
        "aria-label": `Name of ${title}`, placeholder: "Your name, if you like",
        oninput: (event) => {
          seat.name = event.target.value;
          if (seats.find(({ kind }) => kind === "me") === seat) keepName(seat.name);
        } })];
    }
    if (seat.kind === "link") {
      return [h("p", { class: "quiet small" }, "You get a link to send once the table is there.")];
    }
    return computer(seat, id, title);
  }

  function computer(seat, id, title) {
    const words = h("span", { class: "quiet small" });
    const name = h("strong", {});
    const slider = h("input", { type: "range", min: 0, max: levels.length - 1, value: seat.level,
      "aria-label": `Strength of ${title}`, oninput: () => {
        seat.level = Number(slider.value);
        seat.own = false;
        own.value = "";
        say();
      } });
    const own = h("input", { type: "text", value: seat.own ? seat.spec : "", maxlength: 200,
      class: "code", spellcheck: "false", autocapitalize: "none", autocomplete: "off",
      list: `${id}-specs`, placeholder: levels[seat.level]?.spec,
      "aria-label": `Agent of ${title}`, oninput: () => {
        seat.spec = own.value.trim();
        seat.own = seat.spec !== "";
        say();
      } });
    const known = h("datalist", { id: `${id}-specs` }, agents.map(({ usage, help }) =>
      h("option", { value: usage }, help)));
    const expert = h("details", { class: "more", open: seat.open || seat.own,
      ontoggle: () => {
        seat.open = expert.open;
      } }, h("summary", {}, "Any agent"), own, known);

    function say() {
      const level = levels[seat.level];
      name.textContent = seat.own ? "Your own" : levelName(level);
      name.title = seat.own || level.rating === null ? "" : "Elo points above random play";
      words.replaceChildren(seat.own ? "" : `${level.words} `,
        h("code", {}, seat.own ? seat.spec : level.spec));
      slider.setAttribute("aria-valuetext", `${levelName(level)}: ${level.words}`);
      own.placeholder = level.spec;
    }

    say();
    return [h("div", { class: "strength" }, name, words, slider), expert];
  }

  // Shown where somebody has a reason to ask: people against others.
  function drawFirst() {
    const mine = seats.some(({ kind }) => kind === "me");
    const others = seats.some(({ kind }) => kind !== "me");
    clear(first);
    if (!mine || !others) {
      if (random) {
        random = false;
        draw();
      }
      return;
    }
    const now = random ? "random" : seats[0].kind === "me" ? "me" : "them";
    const pick = (value) => {
      random = value === "random";
      if (!random) rotate(value === "me");
      draw();
      first.querySelector(":checked")?.focus();
    };
    const ways = [["me", "Me"], ["them", seats.length > 2 ? "Another" : "The other"],
      ["random", "At random"]];
    first.append(h("fieldset", {}, h("legend", {}, "Who starts"),
      h("div", { class: "choices" }, ways.map(([value, label]) => h("label", {},
        h("input", { type: "radio", name: `${prefix}-first`, value, checked: value === now,
          onchange: () => pick(value) }), label)))));
  }

  // Moves everybody on until the first seat is mine, or is not.
  function rotate(toMe) {
    for (let step = 0; step < seats.length; step++) {
      if ((seats[0].kind === "me") === toMe) return;
      seats.push(seats.shift());
    }
  }

  return {
    node,
    update,
    // As the server wants them, in the order of play.
    values: () => (random ? shuffled(seats) : seats).map((seat) => {
      if (seat.kind === "agent") {
        return { kind: "agent", spec: seat.own ? seat.spec : levels[seat.level].spec };
      }
      return seat.kind === "me" ? { kind: "me", name: seat.name.trim() } : { kind: "link" };
    }),
    people: () => seats.filter(({ kind }) => kind !== "agent").length,
    computers: () => seats.filter(({ kind }) => kind === "agent").length,
  };
}

function shuffled(list) {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [copy[last], copy[other]] = [copy[other], copy[last]];
  }
  return copy;
}

// The name that a person gave last; shared with the dialog of an invitation.
export function lastName() {
  return recall(NAME) ?? "";
}

export function keepName(name) {
  remember(NAME, name.trim());
}
