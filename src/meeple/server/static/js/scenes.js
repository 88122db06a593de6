// Positions of a game as the server draws them; the neighbours of the one that is shown come ahead.

import { Recent } from "./storage.js";

const MAX_SCENES = 600; // kept, so that going back needs no request

export class Scenes {
  /** `ask(ply)` returns a promise of a position, and `key(ply)` a text that tells the positions of
   *  one ply apart. A position is asked for again where it failed. */
  constructor({ ask, key = (/** @type {number} */ _ply) => "" }) {
    this.ask = ask;
    this.key = key;
    this.kept = new Recent(MAX_SCENES); // promises by key
  }

  clear() {
    this.kept.clear();
  }

  /** A promise of the position at a ply. */
  at(ply) {
    const key = `${ply} ${this.key(ply)}`;
    if (!this.kept.has(key)) {
      const asked = this.ask(ply);
      this.kept.set(key, asked);
      asked.catch(() => this.kept.delete(key));
    }
    return this.kept.get(key);
  }

  /** Keeps a position that is known, and forgets those after `from`, which are other ones now. */
  keep(ply, scene, from) {
    for (const key of [...this.kept.keys()]) if (Number.parseInt(key, 10) > from) this.kept.delete(key);
    this.kept.set(`${ply} ${this.key(ply)}`, Promise.resolve(scene));
  }

  /** Asks for positions before they are needed. */
  ahead(plies) {
    for (const ply of plies) this.at(ply).catch(() => null);
  }
}
