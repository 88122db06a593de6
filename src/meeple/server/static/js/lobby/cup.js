// Asks for the form of a small tournament, and creates it.

import { post } from "../api.js";
import { field, select } from "../controls.js";
import { ask } from "../dialogs.js";
import { keep } from "../tokens.js";
import { html } from "../view.js";
import { levelName } from "./seats.js";

const FORMATS = [["round-robin", "everybody against everybody"],
  ["swiss", "Swiss: a few rounds, by the scores"]];

/** Resolves with the id of the new tournament, or null. `wanted`: game, options, clock and help. */
export async function newCup(wanted, levels) {
  const chosen = await ask("A tournament by link", html`<div class="stack">
    <p>You get a link; whoever opens it may take part. You start when all are there.</p>
    ${field("cup-format", "Format", select({ id: "cup-format" }, "round-robin", FORMATS, () => null))}
    <fieldset><legend>Computers that take part</legend>${levels.map((level, at) => html`<label
      class="check"><input type="checkbox" id="cup-level-${at}">${levelName(level)}</label>`)}
    </fieldset></div>`,
  [{ label: "Cancel", value: null }, { label: "Create", value: (elements) => ({
    format: elements["cup-format"].value,
    agents: levels.filter((_, at) => elements[`cup-level-${at}`].checked).map(({ spec }) => spec) }) }]);
  if (!chosen) return null;
  const { id, token } = await post("/api/cups", { ...wanted, ...chosen });
  keep(id, { tokens: { host: token } });
  return id;
}
