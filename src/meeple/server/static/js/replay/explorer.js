// The panel "Explorer": the moves played from the position on the board in the library's games.

import { post } from "../api.js";
import { percent } from "../charts.js";
import { clear, h } from "../dom.js";

const WAIT = 250; // milliseconds that a position stays on the board before its moves are asked for
const MAX_ANSWERS = 400; // answers kept, so that going back needs no request

// `here`: the game that is shown, if one is. An `optional` panel is hidden where there is nothing.
export class Explorer {
  constructor({ tokens = [], here = null, optional = false } = {}) {
    this.tokens = tokens;
    this.here = here;
    this.optional = optional;
    this.kept = new Map();
    this.turn = 0; // counts positions, so that late answers are known
    this.wait = null;
    this.said = h("p", { class: "quiet", role: "status" });
    this.table = h("div", { class: "explorer-table" });
    this.element = h("section", { class: "panel explorer", "aria-label": "Explorer" },
      h("h2", {}, "Explorer"), this.said, this.table);
  }

  close() {
    clearTimeout(this.wait);
    this.turn++;
  }

  // Shows what was played from a position, {source, ply}; soon, as somebody may be on the way on.
  // `next`: the action that the game shown goes on with, by name.
  look(place, next = "") {
    const turn = ++this.turn;
    const key = JSON.stringify(place);
    clearTimeout(this.wait);
    if (this.kept.has(key)) {
      this.draw(this.kept.get(key), place.ply, next);
      return;
    }
    this.wait = setTimeout(async () => {
      try {
        const found = await post("/api/explore", place, { tokens: this.tokens });
        if (this.kept.size >= MAX_ANSWERS) this.kept.delete(this.kept.keys().next().value);
        this.kept.set(key, found);
        if (turn === this.turn) this.draw(found, place.ply, next);
      } catch (error) {
        if (turn !== this.turn) return;
        clear(this.table);
        this.said.textContent = error.message;
        this.element.hidden = this.optional;
      }
    }, WAIT);
  }

  draw(found, ply, next) {
    const focused = this.table.contains(document.activeElement);
    clear(this.table);
    this.said.textContent = words(found);
    if (!found.moves.length) return;
    const heads = ["Move", "Games", "Won from here", "Years", "Plies"];
    this.table.append(h("table", { "aria-label": "Moves from here" },
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, found.moves.map((move) => this.row(move, ply, next)))));
    if (found.more) this.table.append(h("p", { class: "quiet" }, `and ${found.more} more moves`));
    if (focused) this.table.querySelector("a")?.focus();
  }

  // A move leads on in this game, where it was played here, or to another game with it.
  row(move, ply, next) {
    const here = this.here !== null && move.alike.includes(next);
    const name = here ? next : move.move;
    const { game, ply: at } = here ? { game: this.here, ply } : move.examples[0];
    const link = h("a", { href: `#/replay/${game}?ply=${at + 1}`,
      "aria-label": `${name}: ${here ? "as in this game" : "to a game with it"}` }, name);
    const share = move.share === null ? h("span", { class: "quiet" }, "unknown")
      : [percent(move.share), " ", h("span", { class: "quiet small" },
        `${Math.round(100 * move.interval[0])} to ${percent(move.interval[1])}`)];
    const [first, last] = move.years ?? [];
    return h("tr", here ? { "aria-current": "true" } : {},
      h("th", { scope: "row" }, link),
      h("td", { class: "numbers" }, move.games),
      h("td", { class: "numbers" }, share),
      h("td", { class: "numbers" }, !first ? "" : first === last ? first : `${first}–${last}`),
      h("td", { class: "numbers" }, Math.round(move.plies)));
  }
}

function words({ reached, ended, games, most }) {
  const many = (count) => `${count} ${count === 1 ? "game" : "games"}`;
  const newest = games >= most ? "newest " : "";
  const end = ended ? `, and ${many(ended)} ended here` : "";
  return `${reached} of the ${newest}${many(games)} of this kind came to this position${end}.`;
}
