// The trade table: offers and their answers, composing an offer or a counter-offer, the bank.

import { h } from "../dom.js";
import { icon } from "./drawings.js";
import { amounts, total } from "./words.js";
import { sentence } from "../words.js";

export function tradePart(redraw) {
  const none = () => [0, 0, 0, 0, 0];
  let terms = { give: none(), want: none() };
  let bank = { give: null, take: null };
  let turn = null; // whose composing the terms are
  return {
    key({ scene, view, legal, texts, countering }) {
      const now = `${view.id} ${scene.turn} ${scene.to_move}`;
      if (now !== turn) {
        terms = { give: none(), want: none() };
        bank = { give: null, take: null };
      }
      turn = now;
      const told = scene.offers.flatMap(({ ply, answers }) =>
        [ply, ...answers.map((answer) => answer.ply)]).map((ply) => texts.get(ply));
      return [scene.offer, scene.offers, told, [...legal.keys()], scene.hand, scene.phase, terms,
        bank, countering, scene.to_move];
    },
    draw(table) {
      const { scene, mine, countering } = table;
      const talk = offers(table);
      const composing = mine && scene.rules.trade && (scene.phase === "main" || countering);
      const body = [
        ...talk,
        composing && mayOffer(table) ? compose(table) : null,
        mine && scene.phase === "main" ? maritime(table) : null,
      ].filter(Boolean);
      return body.length ? body : null;
    },
  };

  // ------------------------------------------------------------ offers and answers

  /** The latest offer of this turn and its answers; older ones folded away. */
  function offers(table) {
    const { scene } = table;
    const last = scene.offers.at(-1);
    if (!last) return [];
    const older = scene.offers.slice(0, -1);
    return [
      offer(table, last, true),
      older.length ? h("details", {}, h("summary", {}, `${older.length} earlier this turn`),
        older.map((one) => offer(table, one, false))) : null,
    ];
  }

  function offer(table, one, latest) {
    const { scene } = table;
    const open = one.open && latest;
    const waiting = open && scene.offer
      ? scene.offer.answers.filter(({ answer, seat }) => answer === "waiting"
        && !one.answers.some((given) => given.seat === seat)) : [];
    const end = one.partner !== null ? `Traded with ${table.name(one.partner)}.`
      : one.withdrawn ? "Withdrawn." : open ? "" : "Nobody agreed.";
    const who = table.name(one.by);
    const title = `${sentence(who)} ${who === "you" ? "offer" : "offers"}`;
    return h("div", { class: `offer${open ? " open" : ""}` },
      h("p", {}, h("strong", {}, title), " ", goods(scene, one.give), " for ",
        goods(scene, one.want)),
      reason(table, one.ply) ? h("p", { class: "quiet small" }, reason(table, one.ply)) : null,
      h("ul", { class: "answers", "aria-label": "Answers" },
        one.answers.map((given) => h("li", { class: given.answer }, answerWords(table, given))),
        waiting.map(({ seat }) => h("li", { class: "quiet" },
          `${sentence(table.name(seat))}: ${seat === scene.to_move ? "asked now"
            : "not asked yet"}`))),
      end ? h("p", { class: "quiet" }, end) : null);
  }

  function answerWords(table, { seat, answer, give, want, ply }) {
    const verb = { accepted: "✓ agreed", refused: "✗ refused", countered: "↔ would" }[answer];
    const why = reason(table, ply);
    return [h("strong", {}, `${sentence(table.name(seat))} `), verb,
      answer === "countered"
        ? [" give ", goods(table.scene, give), " for ", goods(table.scene, want)] : null,
      why ? h("span", { class: "quiet" }, ` – ${why}`) : null];
  }

  /** Why an agent did this, where the event's text ends with it in brackets. */
  function reason(table, ply) {
    return /\((.+)\)$/.exec(table.texts.get(ply) ?? "")?.[1] ?? "";
  }

  // ------------------------------------------------------------ composing

  function compose(table) {
    const { scene, countering } = table;
    const { codes } = scene;
    const hand = scene.hand ?? scene.players[scene.to_move].hand;
    const ready = total(terms.give) > 0 && total(terms.want) > 0;
    const ids = [
      ...terms.give.flatMap((n, r) => Array(n).fill(codes.give + r)),
      ...terms.want.flatMap((n, r) => Array(n).fill(codes.want + r)),
      codes.propose,
    ];
    const others = scene.players.filter((_, seat) => countering ? seat === scene.on_turn
      : seat !== scene.to_move);
    const most = Math.max(...others.map(({ hand_size: size }) => size));
    const change = (side, r, by) => {
      terms[side][r] += by;
      redraw();
    };
    const whom = countering ? table.name(scene.on_turn) : "all";
    return h("div", { class: "composer", role: "group",
      "aria-label": countering ? "Counter-offer" : "New offer" },
    h("h3", {}, countering ? "Counter-offer" : "Offer to all players"),
    h("div", { class: "terms" },
      h("span", { class: "side" }, "You give"), h("span", { class: "side" }, "You want"),
      scene.resources.map((name, r) => [
        stepper("give", name, r, terms.give[r], hand[r], terms.want[r] > 0, change,
          ` of ${hand[r]}`),
        stepper("want", name, r, terms.want[r], terms.want[r] + most - total(terms.want),
          terms.give[r] > 0, change, ""),
      ])),
    h("div", { class: "catan-buttons" },
      button(`Offer to ${whom}`, "offer", () => table.play(ids), "primary", !ready),
      countering ? button("Back", "uncounter", () => table.trade(false)) : button("Clear", "clear", () => {
        terms = { give: none(), want: none() };
        redraw();
      }, "", !total(terms.give) && !total(terms.want))),
    countering ? null
      : h("p", { class: "quiet small" }, `${scene.offers_left} offers left this turn`));
  }

  function stepper(side, name, r, n, most, blocked, change, note) {
    const verb = side === "give" ? "Give" : "Want";
    const step = (by, label, sign, off) => h("button", { type: "button", class: "small step",
      "aria-label": label, disabled: off, "data-keep": `${side}${r}${by}`,
      onclick: () => change(side, r, by) }, sign);
    return h("span", { class: `stepper${n ? " some" : ""}` },
      step(-1, `${verb} 1 ${name} less`, "−", n === 0),
      h("span", { class: "amount" }, icon(name, 20), h("span", { class: "hidden-text" },
        `${name} `), h("strong", {}, n), note ? h("span", { class: "quiet small" }, note) : null),
      step(1, `${verb} 1 ${name} more`, "+", blocked || n >= most));
  }

  // ------------------------------------------------------------ the bank

  function maritime(table) {
    const { scene, legal } = table;
    const { codes, resources } = scene;
    const ids = [...legal.keys()].filter((id) => id >= codes.maritime && id < codes.discard);
    const { rates } = scene.players[scene.to_move];
    const id = (give, take) => codes.maritime + give * resources.length + take;
    const gives = resources.map((_, r) => ids.some((one) =>
      Math.floor((one - codes.maritime) / resources.length) === r));
    if (!gives[bank.give]) bank.give = null;
    const heading = h("h3", {}, "Trade with the bank");
    const shown = h("p", { class: "small" }, "Your rates: ", resources.map((name, r) =>
      h("span", { class: "rate" }, icon(name, 16), h("span", { class: "hidden-text" }, name),
        ` ${rates[r]}:1 `)));
    if (!ids.length) return h("div", { class: "composer" }, heading, shown);
    const pick = (side, r, label, off) => h("button", { type: "button", class: "small",
      disabled: off, "aria-pressed": String(bank[side] === r), "data-keep": `bank-${side}${r}`,
      onclick: () => {
        bank = { ...bank, [side]: bank[side] === r ? null : r };
        redraw();
      } }, icon(resources[r], 18), label);
    const ready = bank.give !== null && bank.take !== null && legal.has(id(bank.give, bank.take));
    return h("div", { class: "composer", role: "group", "aria-label": "Trade with the bank" },
      heading, shown,
      h("div", { class: "catan-buttons" }, h("span", {}, "Give"), resources.map((name, r) =>
        gives[r] ? pick("give", r, `${rates[r]} ${name}`, false) : null)),
      bank.give === null ? null : h("div", { class: "catan-buttons" }, h("span", {}, "for 1"),
        resources.map((name, r) => r === bank.give ? null
          : pick("take", r, name, !legal.has(id(bank.give, r))))),
      ready ? button(`Trade ${rates[bank.give]} ${resources[bank.give]} for 1 ${
        resources[bank.take]}`, "maritime", () => {
        const chosen = id(bank.give, bank.take);
        bank = { give: null, take: null };
        table.play([chosen]);
      }, "primary")
        : null);
  }
}

function button(label, keep, onclick, kind = "", disabled = false) {
  return h("button", { type: "button", class: kind || null, "data-keep": keep, onclick, disabled },
    label);
}

/** Cards as pictures with their numbers. */
function goods({ resources }, counts) {
  return h("span", { class: "goods" }, counts.map((n, r) => n
    ? h("span", {}, `${n} `, icon(resources[r], 18), h("span", { class: "hidden-text" },
      resources[r])) : null));
}

// ---------------------------------------------------------------- answers, for the bar of a turn

/** What is to be decided about an offer or a counter-offer now; null if nothing is. */
export function decision(table) {
  const { mine, scene: { phase } } = table;
  if (!mine) return null;
  if (phase === "answer") return table.countering ? null : answer(table);
  if (phase === "choose") return choose(table);
  return ["offer", "counter-offer"].includes(phase) ? leave(table) : null;
}

function answer(table) {
  const { scene: { codes }, legal } = table;
  const can = legal.has(codes.accept);
  return h("div", { class: "catan-buttons" },
    button("Accept", "accept", () => table.play([codes.accept]), "primary", !can),
    button("Refuse", "refuse", () => table.play([codes.refuse])),
    mayOffer(table) ? button("Counter-offer…", "counter", () => table.trade(true)) : null,
    can ? null : h("p", { class: "quiet small" }, "You do not hold what is asked."));
}

function choose(table) {
  const { scene, legal } = table;
  const partners = scene.offer.answers.filter(({ seat }) => legal.has(scene.codes.trade + seat));
  return h("div", { class: "catan-buttons" },
    partners.map(({ seat, answer: word, give, want }) => {
      const own = word === "countered"
        ? `: ${amounts(want, scene.resources)} for ${amounts(give, scene.resources)}` : "";
      return button(`Trade with ${table.name(seat)}${own}`, `trade${seat}`,
        () => table.play([scene.codes.trade + seat]), "primary");
    }),
    button("Withdraw the offer", "withdraw", () => table.play([scene.codes.withdraw])));
}

/** Out of an offer that somebody began by single actions. */
function leave(table) {
  const { codes } = table.scene;
  const id = table.legal.has(codes.withdraw) ? codes.withdraw : codes.refuse;
  return h("div", { class: "catan-buttons" },
    table.legal.has(codes.propose)
      ? button("Propose it", "propose", () => table.play([codes.propose]), "primary") : null,
    button("Drop the offer", "drop", () => table.play([id])));
}

/** Whether the seat may begin an offer. */
export function mayOffer({ scene: { codes }, legal }) {
  return [...legal.keys()].some((id) => id >= codes.give && id < codes.want);
}
