// The trade table: offers and their answers, composing an offer or a counter-offer, the bank.

import { partOf, rich, sentence, t, translate } from "../messages.js";
import { button, html, nothing } from "../view.js";
import { icon } from "./drawings.js";
import { buttons, goods, quiet, resource, stepper } from "./parts.js";
import { refuseTurn } from "./refusals.js";
import { amounts, total } from "./words.js";

/** Nothing to offer yet, to players or the bank: `table.terms`, {give, want} by resource, and
 *  `table.bank`, {give, take}, resources or null. */
export function noTerms() {
  return { terms: { give: [0, 0, 0, 0, 0], want: [0, 0, 0, 0, 0] }, bank: { give: null, take: null } };
}

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
    <summary>${t("trade.earlier", { n: older.length })}</summary>
    ${older.map((one) => offer(table, one, false))}</details>` : nothing}`;
}

function offer(table, one, latest) {
  const { scene, name } = table;
  const open = one.open && latest;
  const waiting = open && scene.offer
    ? scene.offer.answers.filter(({ answer, seat }) => answer === "waiting"
      && !one.answers.some((given) => given.seat === seat)) : [];
  const you = t("catan.you");
  const end = one.partner !== null ? t(name(one.partner) === you ? "trade.traded_you" : "trade.traded",
    { name: name(one.partner) }) : one.withdrawn ? t("trade.withdrawn") : open ? "" : t("trade.nobody");
  const who = name(one.by);
  const why = reason(table, one.ply);
  return html`<div class="offer ${open ? "open" : ""}">
    <p><strong>${who === you ? t("trade.you_offer") : t("trade.offers", { name: sentence(who) })}</strong>
      ${rich("trade.goods", { give: goods(scene, one.give), want: goods(scene, one.want) })}</p>${
    why ? quiet(why) : nothing}
    <ul class="answers" aria-label=${t("trade.answers")}>${
      one.answers.map((given) => answerLine(table, given))}${
      waiting.map(({ seat }) => html`<li class="quiet">${t(seat === scene.to_move ? "trade.asked_now"
        : "trade.not_asked", { name: sentence(name(seat)) })}</li>`)}</ul>${
    end ? html`<p class="quiet">${end}</p>` : nothing}</div>`;
}

function answerLine(table, { seat, answer, give, want, ply }) {
  const id = { accepted: "trade.agreed", refused: "trade.refused", countered: "trade.would" }[answer];
  const why = reason(table, ply);
  return html`<li class=${answer}><strong>${sentence(table.name(seat))}</strong> ${
    rich(id, answer === "countered"
      ? { give: goods(table.scene, give), want: goods(table.scene, want) } : {})}${
    why ? html`<span class="quiet"> – ${why}</span>` : nothing}</li>`;
}

/** Why an agent did this, where the event's text ends with it in brackets. */
function reason(table, ply) {
  return partOf(table.texts.get(ply) ?? "", "text.why", "why");
}

// ---------------------------------------------------------------- composing

function compose(table) {
  const { scene, countering, terms } = table;
  const { codes, resources } = scene;
  const hand = scene.hand ?? scene.players[scene.to_move].hand;
  const ids = [...terms.give.flatMap((n, r) => Array(n).fill(codes.give + r)),
    ...terms.want.flatMap((n, r) => Array(n).fill(codes.want + r)), codes.propose];
  const others = scene.players.filter((_, seat) => (countering ? seat === scene.on_turn
    : seat !== scene.to_move));
  const room = Math.max(...others.map(({ hand_size: size }) => size)) - total(terms.want);
  const empty = !total(terms.give) && !total(terms.want);
  const label = t(countering ? "trade.counter" : "trade.new");
  return html`<div class="composer" role="group" aria-label=${label}>
    <h3>${countering ? label : t("trade.to_all")}</h3>
    <div class="terms"><span class="side">${t("trade.you_give")}</span><span class="side">${
      t("trade.you_want")}</span>${
      resources.map((name, r) => html`${
        amount(table, "give", name, r, terms.want[r] || terms.give[r] >= hand[r],
          t("trade.of", { n: hand[r] }))}${
        amount(table, "want", name, r, terms.give[r] || room <= 0, "")}`)}</div>
    ${buttons([
      { key: "offer", words: countering ? t("trade.offer_to", { name: table.name(scene.on_turn) })
        : t("trade.offer_all"), kind: "primary", go: () => table.play(ids),
        disabled: !total(terms.give) || !total(terms.want) },
      countering ? { key: "back", words: t("trade.back"), go: () => table.trade(false) }
        : { key: "clear", words: t("trade.clear"), go: () => table.set(noTerms()), disabled: empty }])}
    ${countering ? nothing : quiet(t("trade.left", { n: scene.offers_left }))}
  </div>`;
}

function amount(table, side, name, r, full, note) {
  const { terms } = table;
  const n = terms[side][r];
  const step = (by, words, disabled) => ({ disabled,
    label: t(`trade.${side}_${words}`, { resource: translate(name) }),
    go: () => table.set({ terms: { ...terms,
      [side]: terms[side].map((now, q) => (q === r ? now + by : now)) } }) });
  const shown = html`<span class="amount">${icon(name, 20)}<span class="hidden-text">${
    translate(name)} </span><strong>${n}</strong>${
    note ? html`<span class="quiet small">${note}</span>` : nothing}</span>`;
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
  return html`<div class="composer" role="group" aria-label=${t("trade.bank")}>
    <h3>${t("trade.bank")}</h3>
    <p class="small">${t("trade.rates")} ${resources.map((name, r) =>
      html`<span class="rate">${resource(name, 16)} ${rates[r]}:1 </span>`)}</p>
    ${gives.length ? html`<div class="line"><span>${t("trade.give")}</span>${
      buttons(gives.map((r) => pick("give", r, `${rates[r]} ${translate(resources[r])}`)))}</div>` : nothing}
    ${give === null ? nothing : html`<div class="line"><span>${t("trade.for_one")}</span>${
      buttons(resources.map((name, r) => r !== give
        && pick("take", r, translate(name), !takes(give).includes(r))))}</div>`}
    ${ready ? button(t("trade.swap", { n: rates[give], give: translate(resources[give]),
      take: translate(resources[bank.take]) }), swap, { kind: "primary" }) : nothing}
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
    { key: "accept", words: t("trade.accept"), kind: "primary", disabled: !can,
      go: () => table.play([codes.accept]) },
    { key: "refuse", words: t("trade.refuse"), go: () => table.play([codes.refuse]) },
    { key: "turn", words: t("trade.refuse_turn"), go: () => refuseTurn(table) },
    mayOffer(table) && { key: "counter", words: t("trade.counter_open"), go: () => table.trade(true) }])}
    ${can ? nothing : quiet(t("trade.lacking"))}`;
}

function choose(table) {
  const { scene: { codes, offer: { answers }, resources }, legal } = table;
  return buttons([
    ...answers.filter(({ seat }) => legal.has(codes.trade + seat))
      .map(({ seat, answer: word, give, want }) => ({ key: seat, kind: "primary",
        words: t(word === "countered" ? "trade.with_counter" : "trade.with", { name: table.name(seat),
          give: amounts(give, resources), want: amounts(want, resources) }),
        go: () => table.play([codes.trade + seat]) })),
    { key: "withdraw", words: t("trade.withdraw"), go: () => table.play([codes.withdraw]) }]);
}

/** Out of an offer that somebody began by single actions. */
function leave(table) {
  const { scene: { codes }, legal } = table;
  const id = legal.has(codes.withdraw) ? codes.withdraw : codes.refuse;
  return buttons([
    legal.has(codes.propose) && { key: "propose", words: t("trade.propose"), kind: "primary",
      go: () => table.play([codes.propose]) },
    { key: "drop", words: t("trade.drop"), go: () => table.play([id]) }]);
}

/** Whether the seat may begin an offer. */
export function mayOffer({ scene: { codes }, legal }) {
  return [...legal.keys()].some((id) => id >= codes.give && id < codes.want);
}
