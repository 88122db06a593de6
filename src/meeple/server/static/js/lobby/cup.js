// Asks for the form of a cup, and creates it.

import { post } from "../api.js";
import { askFor } from "../dialogs.js";
import { choices, t } from "../messages.js";
import { keep } from "../tokens.js";
import { html, labelled } from "../view.js";
import { levelName } from "./seats.js";

const FORMATS = { "round-robin": "cup.round_robin", swiss: "cup.swiss" };

/** Resolves with the id of the new cup, or null. `wanted`: game, options, clock and help. */
export async function newCup(wanted, levels) {
  const chosen = await askFor(t("cup.new"), html`<div class="stack">
    <p>${t("cup.about")}</p>
    ${labelled("cup-format", t("cup.format"), "round-robin", choices(FORMATS))}
    <fieldset><legend>${t("cup.computers")}</legend>${levels.map((level, at) => html`<label
      class="check"><input type="checkbox" id="cup-level-${at}">${levelName(level)}</label>`)}
    </fieldset></div>`,
  t("cup.create"), (elements) => ({
    format: elements["cup-format"].value,
    agents: levels.filter((_, at) => elements[`cup-level-${at}`].checked).map(({ spec }) => spec) }));
  if (!chosen) return null;
  const { id, token } = await post("/api/cups", { ...wanted, ...chosen });
  keep(id, { tokens: { host: token } });
  return id;
}
