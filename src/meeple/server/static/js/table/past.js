// An earlier position of the game at a table, to look back at.

import { post } from "../api.js";
import { Scenes } from "../scenes.js";

export class Past {
  /** `draw()` shows a change; `failed(error)` tells why a position is not shown. */
  constructor({ id, tokens, draw, failed }) {
    this.draw = draw;
    this.failed = failed;
    this.scenes = new Scenes({ ask: async (ply) => (await post("/api/scenes",
      { source: { table: id }, ply }, { tokens: tokens() })).scene });
    this.ply = null; // that is looked at; null: the newest
    this.scene = null;
  }

  /** Goes to the position after `ply` moves of `last`, where the game is. */
  async go(ply, last) {
    if (ply >= last) return this.leave();
    const to = Math.max(0, ply);
    this.ply = to;
    try {
      const scene = await this.scenes.at(to);
      if (this.ply !== to) return undefined;
      this.scene = scene;
      return this.draw();
    } catch (error) {
      this.leave();
      return this.failed(error);
    }
  }

  /** Keeps a position that was shown: the server may show an earlier one to nobody while cards are
   *  hidden. Moves from `from` on are other ones than before. */
  see({ ply, scene }, from) {
    if (this.ply > from) this.leave();
    this.scenes.keep(ply, scene, from);
  }

  /** Back to the newest position. */
  leave() {
    this.ply = this.scene = null;
    this.draw();
  }
}
