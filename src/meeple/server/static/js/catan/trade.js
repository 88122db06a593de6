// The trade table: offers and their answers, composing an offer or a counter-offer, the bank.

import { html, nothing } from "../view.js";
import { sentence } from "../words.js";
import { icon } from "./drawings.js";
import { button, buttons, goods, quiet, resource, stepper } from "./parts.js";
import { refuseTurn } from "./refusals.js";
import { amounts, some, total } from "./words.js";

/** `table.terms`: {give, want} by resource; `table.bank`: {give, take}, resources or null. */
export function trade(table) {
  const { scene, mine, countering } = table;
  const main = scene.phase === "main";
  const composes = mine && scene.rules.trade && (main || countering) && mayOffer(table);
  if (!scene.offers.length && !composes && !(mine && main)) return null;
  return html`${offers(table)}${composes ? compose(table) : nothing}${
    mine && main ? maritime(table) : nothing}`;
}

// ---------------------------------------------------------------- offers and answers

/** The latest offer of this turn and its answers; older ones folded away. */
function offers(table) {
  const last = table.scene.offers.at(-1);
  if (!last) return nothing;
  const older = table.scene.offers.slice(0, -1);
  return html`${offer(table, last, true)}${older.length ? html`<details>
    <summary>${older.length} earlier this turn</summary>
    ${older.map((one) => offer(table, one, false))}</details>` : nothing}`;
}

function offer(table, one, latest) {
  const { scene, name } = table;
  const open = one.open && latest;
  const waiting = open && scene.offer
    ? scene.offer.answers.filter(({ answer, seat }) => answer === "waiting"
      && !one.answers.some((given) => given.seat === seat)) : [];
  const end = one.partner !== null ? `Traded with ${name(one.partner)}.`
    : one.withdrawn ? "Withdrawn." : open ? "" : "Nobody agreed.";
  const who = name(one.by);
  const why = reason(table, one.ply);
  return html`<div class="offer ${open ? "open" : ""}">
    <p><strong>${sentence(who)} ${who === "you" ? "offer" : "offers"}</strong>
      ${goods(scene, one.give)} for ${goods(scene, one.want)}</p>${why ? quiet(why) : nothing}
    <ul class="answers" aria-label="Answers">${one.answers.map((given) => answerLine(table, given))}${
      waiting.map(({ seat }) => html`<li class="quiet">${sentence(name(seat))}: ${
        seat === scene.to_move ? "asked now" : "not asked yet"}</li>`)}</ul>${
    end ? html`<p class="quiet">${end}</p>` : nothing}</div>`;
}

function answerLine(table, { seat, answer, give, want, ply }) {
  const verb = { accepted: "✓ agreed", refused: "✗ refused", countered: "↔ would" }[answer];
  const why = reason(table, ply);
  return html`<li class=${answer}><strong>${sentence(table.name(seat))}</strong> ${verb}${
    answer === "countered" ? html` give ${goods(table.scene, give)} for ${goods(table.scene, want)}`
      : nothing}${why ? html`<span class="quiet"> – ${why}</span>` : nothing}</li>`;
}

/** Why an agent did this, where the event's text ends with it in brackets. */
function reason(table, ply) {
  return /\((.+)\)$/.exec(table.texts.get(ply) ?? "")?.[1] ?? "";
}

// ---------------------------------------------------------------- composing

function compose(table) {
  const { scene, countering, terms } = table;
  const { codes, resources } = scene;
  const hand = scene.hand ?? scene.players[scene.to_move].hand;
  const ids = [
    ...terms.give.flatMap((n, r) => Array(n).fill(codes.give + r)),
    ...terms.want.flatMap((n, r) => Array(n).fill(codes.want + r)),
    codes.propose,
  ];
  const others = scene.players.filter((_, seat) => (countering ? seat === scene.on_turn
    : seat !== scene.to_move));
  const room = Math.max(...others.map(({ hand_size: size }) => size)) - total(terms.want);
  const empty = !total(terms.give) && !total(terms.want);
  const whom = countering ? table.name(scene.on_turn) : "all";
  const label = countering ? "Counter-offer" : "New offer";
  return html`<div class="composer" role="group" aria-label=${label}>
    <h3>${countering ? label : "Offer to all players"}</h3>
    <div class="terms"><span class="side">You give</span><span class="side">You want</span>${
      resources.map((name, r) => html`${
        amount(table, "give", name, r, terms.want[r] || terms.give[r] >= hand[r], ` of ${hand[r]}`)}${
        amount(table, "want", name, r, terms.give[r] || room <= 0, "")}`)}</div>
    ${buttons([
      { key: "offer", words: `Offer to ${whom}`, kind: "primary", go: () => table.play(ids),
        disabled: !total(terms.give) || !total(terms.want) },
      countering ? { key: "back", words: "Back", go: () => table.trade(false) }
        : { key: "clear", words: "Clear", go: () => table.clearTrade(), disabled: empty }])}
    ${countering ? nothing : quiet(`${some(scene.offers_left, "offer", "offers")} left this turn`)}
  </div>`;
}

function amount(table, side, name, r, full, note) {
  const { terms } = table;
  const n = terms[side][r];
  const verb = side === "give" ? "Give" : "Want";
  const step = (by, words, disabled) => ({ label: `${verb} 1 ${name} ${words}`, disabled,
    go: () => table.set({ terms: { ...terms,
      [side]: terms[side].map((now, q) => (q === r ? now + by : now)) } }) });
  const shown = html`<span class="amount">${icon(name, 20)}<span class="hidden-text">${name} </span>
    <strong>${n}</strong>${note ? html`<span class="quiet small">${note}</span>` : nothing}</span>`;
  return stepper(shown, n, step(-1, "less", n === 0), step(1, "more", Boolean(full)));
}

// ---------------------------------------------------------------- the bank

function maritime(table) {
  const { scene, legal, bank } = table;
  const { codes, resources } = scene;
  const { rates } = scene.players[scene.to_move];
  const id = (give, take) => codes.maritime + give * resources.length + take;
  const takes = (give) => resources.map((_, take) => take).filter((take) => legal.has(id(give, take)));
  const gives = resources.map((_, r) => r).filter((r) => takes(r).length);
  const give = gives.includes(bank.give) ? bank.give : null;
  const ready = give !== null && takes(give).includes(bank.take);
  const pick = (side, r, words, disabled = false) => ({ key: r, kind: "small", disabled,
    pressed: bank[side] === r, words: html`${icon(resources[r], 18)}${words}`,
    go: () => table.set({ bank: { ...bank, [side]: bank[side] === r ? null : r } }) });
  const swap = () => {
    table.play([id(give, bank.take)]);
    table.set({ bank: { give: null, take: null } });
  };
  return html`<div class="composer" role="group" aria-label="Trade with the bank">
    <h3>Trade with the bank</h3>
    <p class="small">Your rates: ${resources.map((name, r) =>
      html`<span class="rate">${resource(name, 16)} ${rates[r]}:1 </span>`)}</p>
    ${gives.length ? html`<div class="line"><span>Give</span>${
      buttons(gives.map((r) => pick("give", r, `${rates[r]} ${resources[r]}`)))}</div>` : nothing}
    ${give === null ? nothing : html`<div class="line"><span>for 1</span>${
      buttons(resources.map((name, r) => r !== give
        && pick("take", r, name, !takes(give).includes(r))))}</div>`}
    ${ready ? button({ kind: "primary", go: swap,
      words: `Trade ${rates[give]} ${resources[give]} for 1 ${resources[bank.take]}` }) : nothing}
  </div>`;
}

// ---------------------------------------------------------------- answers, for the bar of a turn

/** What is to be decided about an offer or a counter-offer now; null if nothing is. */
export function decision(table) {
  const { mine, countering, scene: { phase } } = table;
  if (!mine) return null;
  if (phase === "answer") return countering ? null : answer(table);
  if (phase === "choose") return choose(table);
  return ["offer", "counter-offer"].includes(phase) ? leave(table) : null;
}

function answer(table) {
  const { scene: { codes }, legal } = table;
  const can = legal.has(codes.accept);
  return html`${buttons([
    { key: "accept", words: "Accept", kind: "primary", disabled: !can,
      go: () => table.play([codes.accept]) },
    { key: "refuse", words: "Refuse", go: () => table.play([codes.refuse]) },
    { key: "turn", words: "Refuse all this turn", go: () => refuseTurn(table) },
    mayOffer(table) && { key: "counter", words: "Counter-offer…", go: () => table.trade(true) }])}
    ${can ? nothing : quiet("You do not hold what is asked.")}`;
}

function choose(table) {
  const { scene: { codes, offer: { answers }, resources }, legal } = table;
  return buttons([
    ...answers.filter(({ seat }) => legal.has(codes.trade + seat))
      .map(({ seat, answer: word, give, want }) => ({ key: seat, kind: "primary",
        words: `Trade with ${table.name(seat)}${word === "countered"
          ? `: ${amounts(want, resources)} for ${amounts(give, resources)}` : ""}`,
        go: () => table.play([codes.trade + seat]) })),
    { key: "withdraw", words: "Withdraw the offer", go: () => table.play([codes.withdraw]) }]);
}

/** Out of an offer that somebody began by single actions. */
function leave(table) {
  const { scene: { codes }, legal } = table;
  const id = legal.has(codes.withdraw) ? codes.withdraw : codes.refuse;
  return buttons([
    legal.has(codes.propose) && { key: "propose", words: "Propose it", kind: "primary",
      go: () => table.play([codes.propose]) },
    { key: "drop", words: "Drop the offer", go: () => table.play([id]) }]);
}

/** Whether the seat may begin an offer. */
export function mayOffer({ scene: { codes }, legal }) {
  return [...legal.keys()].some((id) => id >= codes.give && id < codes.want);
}
