// Asks for how long a game is to be trained, and begins a run.

import { post } from "../api.js";
import { askFor } from "../dialogs.js";
import { t, translate } from "../messages.js";
import { keepToken } from "../training/owner.js";
import { field, html } from "../view.js";

/** Resolves with the name of the new run, or null. */
export async function trainGame({ name, title }, options) {
  const id = "train-minutes";
  const minutes = await askFor(t("lobby.train_title", { game: translate(title) }), html`<div class="stack">
    <p>${t("lobby.train_about")}</p>${field(id, t("lobby.train_minutes"), html`<input id=${id} type="number"
      min="1" max="720" step="any" value="5" inputmode="decimal" required>`)}</div>`,
  t("lobby.start"), (form) => (form[id].reportValidity() ? Number(form[id].value) : undefined));
  if (minutes === null) return null;
  const run = await post("/api/learn", { game: name, options, minutes });
  keepToken(run.name, run);
  return run.name;
}
