// Walking through a game: buttons, keys, and a list of moves to click on.

import { sentence, t } from "./messages.js";
import { chip } from "./players.js";
import { html, nothing } from "./view.js";

const SIGNS = {
  first: "M3 3h3v14h-3zM17 3v14l-10-7z",
  back: "M14 3v14l-10-7z",
  on: "M6 3v14l10-7z",
  last: "M14 3h3v14h-3zM3 3v14l10-7z",
  pause: "M4 3h4v14h-4zM12 3h4v14h-4z",
  play: "M10 1a9 9 0 1 0 .01 0zM8 6l6 4-6 4z",
};
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" }; // of a grade, as in chess
const SHORT = 12; // letters of a move that is a name, not a sentence

/** A sign for a button: a key of `SIGNS`. */
export const signOf = (sign) => html`<svg viewBox="0 0 20 20" width="20" height="20" fill="currentColor"
  aria-hidden="true"><path d=${SIGNS[sign]} fill-rule="evenodd"></path></svg>`;

/** A button with a sign; one that is of no use now keeps the focus, so that keys go on working. */
export function signButton(sign, name, go, off = false) {
  return html`<button type="button" aria-label=${name} title=${name}
    aria-disabled=${off ? "true" : nothing} @click=${() => off || go()}>${signOf(sign)}</button>`;
}

/** The buttons; `step(by)` and `go(ply)` walk. */
export function walkButtons(ply, last, { step, go }) {
  return html`<span class="line">${signButton("first", t("walk.first"), () => go(0), ply === 0)}
    ${signButton("back", t("walk.back"), () => step(-1), ply === 0)}
    <span class="numbers">${t("common.of", { n: ply, all: last })}</span>
    ${signButton("on", t("walk.on"), () => step(1), ply === last)}
    ${signButton("last", t("walk.last"), () => go(last), ply === last)}</span>`;
}

/** Whether a key is for the page: nothing has used it, and no control that has the focus needs it. */
export function isFree({ defaultPrevented, ctrlKey, altKey, metaKey, target }) {
  return !(defaultPrevented || ctrlKey || altKey || metaKey
    || target.closest?.("input, select, textarea, dialog, [role=grid], [role=slider]"));
}

/** Walks by an arrow key, Home or End, unless the key is for something else on the page. */
export function walkKey(event, last, { step, go }) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const end = { Home: 0, End: last }[event.key];
  if ((by === undefined && end === undefined) || !isFree(event)) return;
  event.preventDefault();
  if (end === undefined) step(by);
  else go(end);
}

/** A move to click on; `light(spots)` marks its places while it is pointed at. */
export function moveButton(words, { kind, go, light, spots = [], current, stop = true }) {
  const [on, off] = [() => light?.(spots), () => light?.([])];
  return html`<button type="button" class=${kind} tabindex=${stop ? 0 : -1} aria-current=${
    current ? "step" : nothing} @click=${go} @pointerenter=${on} @pointerleave=${off} @focus=${on}
    @blur=${off}>${words}</button>`;
}

/** Moves to click on: [{ply, seat, words, grade, spots}]; `current` is the ply that is shown after its
 *  move, and `light(spots)` marks places while a move is pointed at. */
export function moveList(moves, { players, current, pick, light = null }) {
  const short = moves.every(({ words }) => words.length <= SHORT);
  return html`<ol class="replay-moves ${short ? "replay-short" : ""}" aria-label=${t("common.moves")}>${
    moves.length ? moves.map(({ ply, seat, words, grade, spots = [] }) => html`<li>
      ${short ? html`<span class="replay-number">${ply + 1}.</span>` : nothing}
      ${moveButton(html`${chip(seat, players[seat])}<span>${short ? words : sentence(words)}</span>${
        MARKS[grade] ? html`<span class="bad" title=${t(`grade.${grade}`)}>${MARKS[grade]}</span>`
          : nothing}`, { kind: "replay-move", go: () => pick(ply + 1), light, spots,
        current: ply + 1 === current })}</li>`)
      : html`<li class="quiet">${t("walk.no_moves")}</li>`}</ol>`;
}

const scrolled = new WeakMap(); // the current move that a list was scrolled to last

/** Scrolls the lists of moves under a node to their current moves, once to each. */
export function showCurrent(root) {
  for (const list of root.querySelectorAll(".replay-moves, .study-tree")) {
    const current = list.querySelector("[aria-current]");
    if (scrolled.get(list) === current) continue;
    scrolled.set(list, list.clientHeight ? current : undefined);
    const panel = list.closest(".tab-panel");
    const box = list.scrollHeight > list.clientHeight ? list : panel ?? list; // which of them scrolls
    const gap = current ? current.getBoundingClientRect().top - box.getBoundingClientRect().top : 0;
    if (!current) box.scrollTop = 0;
    else if (gap < 0 || gap > box.clientHeight - 40) box.scrollTop += gap - box.clientHeight / 2;
  }
}
