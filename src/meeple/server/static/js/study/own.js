// The studies that this browser has made or opened, kept in localStorage; and making one.

import { post } from "../api.js";
import { askFor } from "../dialogs.js";
import { t } from "../messages.js";
import { recallJson, remember } from "../storage.js";
import { field, html } from "../view.js";
import { follow, fromColumns } from "./tree.js";

const KEY = "meeple.studies";
const MAX_STUDIES = 200; // that are listed, the newest

/** [{link, title, game, at}], the newest first; `link` is for writing, if that is known. */
export function ownStudies() {
  const found = recallJson(KEY, []);
  return Array.isArray(found) ? found : [];
}

export function noteStudy({ link, id, title, game }) {
  const others = ownStudies().filter((one) => one.link !== link && one.id !== id);
  const all = [{ link, id, title, game, at: Date.now() }, ...others];
  remember(KEY, JSON.stringify(all.slice(0, MAX_STUDIES)));
}

export function forgetStudy(link) {
  remember(KEY, JSON.stringify(ownStudies().filter((one) => one.link !== link)));
}

/** Makes a study of `given` ({source}, {text} or {tree}) and returns what the server answers. */
export async function makeStudy(title, given, tokens = []) {
  const study = await post("/api/studies", { title, ...given }, { tokens });
  noteStudy({ link: study.key, id: study.id, title, game: study.game_title });
  return study;
}

/** Asks for a title, saves a game with its variation as a study and goes there. `names`: the
 *  actions that lead to the position on the board; of a game without a variation its `ply` is enough. */
export async function saveAsStudy({ source, names = null, ply = 0, title, tokens = [], app }) {
  const wanted = await askFor(t("common.save_as_study"), field("study-name", t("common.title"),
    html`<input type="text" id="study-name" maxlength="100" required .value=${title}>`),
  t("study.save"), (form) => form["study-name"].value.trim() || undefined);
  if (!wanted) return;
  await app.attempt(async () => {
    const study = await makeStudy(wanted, { source }, tokens);
    const node = names ? follow(fromColumns(study.nodes), names).id : ply;
    app.go(`#/study/${study.key}?node=${node}`);
  });
}
