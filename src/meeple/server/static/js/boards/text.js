// A position as the text its game writes: for games without a drawn board.

import { h } from "../dom.js";
import { t } from "../messages.js";

/** The text in a container; see `board.js`. All actions are buttons there. */
export function makeText(container, { label = t("common.board") }) {
  const about = { tabindex: "0", role: "region", "aria-label": label };
  const shown = h("pre", { class: "board-text", ...about });
  container.append(shown);
  return {
    update({ scene }) {
      if (scene && shown.textContent !== scene.text) shown.textContent = scene.text;
    },
    close: () => shown.remove(),
  };
}
