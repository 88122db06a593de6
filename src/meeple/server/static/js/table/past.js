// An earlier position of the game at a table, to look back at.

import { post } from "../api.js";
import { Recent } from "../recent.js";

const MAX_SCENES = 400; // kept

export class Past {
  /** `draw()` shows a change; `failed(error)` tells why a position is not shown. */
  constructor({ id, tokens, draw, failed }) {
    this.id = id;
    this.tokens = tokens;
    this.draw = draw;
    this.failed = failed;
    this.kept = new Recent(MAX_SCENES);
    this.ply = null; // that is looked at; null: the newest
    this.scene = null;
  }

  /** Goes to the position after `ply` moves of `last`, where the game is. */
  async go(ply, last) {
    if (ply >= last) {
      this.leave();
      return;
    }
    const to = Math.max(0, ply);
    this.ply = to;
    try {
      if (!this.kept.has(to)) {
        const wanted = { source: { table: this.id }, ply: to };
        this.kept.set(to, (await post("/api/scenes", wanted, { tokens: this.tokens() })).scene);
      }
    } catch (error) {
      this.leave();
      this.failed(error);
      return;
    }
    if (this.ply !== to) return;
    this.scene = this.kept.get(to);
    this.draw();
  }

  /** Keeps a position that was shown: the server may show an earlier one to nobody while cards are
   *  hidden. Moves from `from` on are other ones than before. */
  see({ ply, scene }, from) {
    for (const known of [...this.kept.keys()]) if (known > from) this.kept.delete(known);
    if (this.ply > from) this.leave();
    this.kept.set(ply, scene);
  }

  /** Back to the newest position. */
  leave() {
    this.ply = this.scene = null;
    this.draw();
  }
}
