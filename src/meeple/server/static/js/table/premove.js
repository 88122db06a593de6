// A premove: chosen during another player's turn, and played when one's own turn comes.

import { t } from "../messages.js";

export class Premove {
  /** `play(actions)` plays; `say(text)` tells why a premove was dropped. */
  constructor({ play, say }) {
    this.play = play;
    this.say = say;
    this.action = null;
  }

  /** Chooses one of the premoves of a view; the chosen one again drops it. */
  choose(view, id) {
    this.action = id === this.action?.id ? null : view.premoves.find((action) => action.id === id) ?? null;
  }

  drop() {
    this.action = null;
  }

  /** Plays the premove if it is legal in a new view, or drops it. */
  update(view, before) {
    const { action } = this;
    if (!action) return;
    if (view.status !== "playing" || view.ply < before.ply) this.drop();
    else if (view.actions.length) {
      this.drop();
      const { id, name } = action;
      if (view.actions.some((legal) => legal.id === id && legal.name === name)) this.play([id]);
      else this.say(t("table.premove_illegal", { move: name }));
    }
  }
}
