// A table of cards: the other hands, piles, the trick, and the viewer's own hand below. A spot is a button.

import { clear, h } from "../view.js";
import { t, translate } from "../messages.js";
import { makeClicks, Spots, touched } from "./spots.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const CARD = /^(10|[2-9AJQKT])([SHDC])(?: \d+)?$/; // a card of a suit, perhaps one of several equal ones
const MOST_BACKS = 10; // drawn of a hidden hand

/** The component of a table of cards; see `board.js` for the options. */
export class CardTable extends Spots {
  constructor(container, options) {
    super(options, h("div", { class: "card-table", role: "group", "aria-label": options.label }));
    this.clicks = makeClicks(this.onAction);
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.leave()) event.preventDefault();
    });
    container.append(this.root);
  }

  redraw() {
    const { scene, actions, heat, preview, lit } = this.state;
    this.clicks.set(actions);
    const focused = document.activeElement?.getAttribute("data-spot");
    const known = new Map(actions.map((action) => [action.id, action]));
    this.hot = new Map(Object.entries(heat ?? {}).map(([id, share]) =>
      [known.get(Number(id))?.clicks?.at(-1), share]));
    this.ghosts = new Set([...lit, ...(known.has(preview) ? touched(known.get(preview)) : [])]);
    this.next = this.clicks.next();
    const within = this.root.contains(document.activeElement);
    this.cells = new Map();
    const others = scene.players.map((one, seat) => [one, seat]).filter(([, seat]) => seat !== scene.seat);
    const own = scene.players[scene.seat];
    clear(this.root).append(...[
      scene.note && h("p", { class: "card-note" }, translate(scene.note)),
      others.length && h("div", { class: "card-seats" }, others.map(([one, seat]) => this.seat(one, seat))),
      scene.piles.length && h("div", { class: "card-piles" }, scene.piles.map((pile) => this.pile(pile))),
      this.trick("card.last_trick", scene.last_trick, "before"),
      this.trick("card.trick", scene.trick, ""),
      own && this.group(own.note ? `${t("card.hand")}: ${own.note}` : t("card.hand"), "card-hand",
        scene.hand.map((spot) => this.spot(spot, face(spot), wordsOf(spot)))),
    ].filter(Boolean));
    if (within) this.cells.get(focused)?.node.focus();
  }

  group(title, kind, content) {
    return h("section", { class: `card-group ${kind}`, "aria-label": title },
      h("p", { class: "card-title" }, title), h("div", { class: "card-line" }, content));
  }

  name(seat) {
    return translate(this.state.players?.[seat] ?? this.state.scene.players[seat].name);
  }

  seat({ note, cards, backs }, seat) {
    const shown = cards.length ? cards.map((card) => picture(card))
      : Array.from({ length: Math.min(backs, MOST_BACKS) },
        () => h("span", { class: "play-card back small" }));
    const many = backs ? t("card.count", { n: backs }) : "";
    const title = [this.name(seat), many, translate(note)].filter(Boolean).join(" · ");
    return this.group(title, cards.length ? "open" : "hidden-hand", shown);
  }

  pile({ label, cards, count, spread }) {
    const hidden = count - cards.length;
    const words = [label, ...cards.slice(-1).map(wordsOf), hidden ? t("card.count", { n: count }) : ""];
    const top = cards.length || !count ? cards : [""];
    const shown = top.map((card) => (card ? picture(card) : h("span", { class: "play-card back" })));
    if (!shown.length) shown.push(h("span", { class: "play-card empty" }));
    return h("div", { class: `card-pile ${spread ? "spread" : ""}` },
      this.spot(label, shown, words.filter(Boolean).join(", "), "heap"),
      h("span", { class: "small quiet" }, hidden > 0 ? `${label} (${count})` : label));
  }

  trick(title, played, kind) {
    return played.length && this.group(t(title), `card-trick ${kind}`, played.map(({ seat, card }) =>
      h("figure", {}, picture(card), h("figcaption", { class: "small" }, this.name(seat)))));
  }

  spot(spot, content, words, kind = "") {
    const can = this.next.has(spot);
    const chosen = this.clicks.path.includes(spot);
    const share = Math.round(100 * (this.hot.get(spot) ?? 0));
    const said = [words, can ? t("board.can_choose") : "", chosen ? t("board.chosen") : "",
      share ? t("board.percent", { n: share }) : ""].filter(Boolean).join(", ");
    const looks = [kind || `play-card ${suitOf(spot)}`, can && "can", chosen && "chosen",
      this.ghosts.has(spot) && "touched"];
    const node = h("button", { type: "button", "data-spot": spot, "aria-label": said,
      class: ["spot", ...looks].filter(Boolean).join(" "),
      disabled: !can && !chosen, onclick: () => this.click(spot),
      onpointerenter: () => this.onPoint(spot), onpointerleave: () => this.onPoint(null) },
    content, share ? h("span", { class: "card-share" }, `${share}%`) : null);
    this.cells.set(spot, { spot, node });
    return node;
  }

  click(spot) {
    this.clicks.click(spot);
    this.redraw();
  }

  leave() {
    const had = this.clicks.path.length > 0;
    this.clicks.leave();
    if (had) this.redraw();
    return had;
  }
}

function suitOf(card) {
  const found = CARD.exec(card);
  return found ? `suit-${found[2]}` : /^card \d+$/.test(card) ? "back" : "";
}

/** What is on a card: rank and suit, or its text. */
function face(card) {
  const found = CARD.exec(card);
  if (!found) return [h("span", { class: "rank" }, card.replace(/^card /, ""))];
  const [, rank, suit] = found;
  return [h("span", { class: "rank" }, rank.replace("T", "10")), h("span", { class: "sign" }, SUITS[suit])];
}

function picture(card) {
  const looks = `play-card ${suitOf(card)}`;
  return h("span", { class: looks, role: "img", "aria-label": wordsOf(card) }, face(card));
}

/** A card in words, for a screen reader. */
function wordsOf(card) {
  const found = CARD.exec(card);
  return found ? t("card.of", { rank: found[1], suit: t(`card.${found[2]}`) }) : card;
}
