// What the analysis says of a game, a position and an evaluation.

import { optionWords } from "../game_options.js";
import { t, translate } from "../messages.js";
import { versus } from "../words.js";

/** The players, the options and the result of a game. `defaults`: of the game's options. */
export function described({ seats, options, result }, source, defaults) {
  return [source.game ? "" : versus(seats), optionWords(options, defaults), translate(result)]
    .filter(Boolean).join(" · ");
}

/** Whose turn it is in a position, or how the game ended: `result` where not by its rules. */
export function turnWords(scene, result) {
  if (scene.over) return t("analysis.over", { result: translate(scene.result) });
  if (result) return t("analysis.over", { result: translate(result) });
  return scene.to_move < 0 ? t("analysis.chance_decides")
    : t("analysis.to_move", { name: translate(scene.mover) });
}

/** The share of the simulations that each action got; of an agent without simulations, its policy. */
export function shares(thought) {
  const total = thought.simulations && thought.visits.reduce((sum, visits) => sum + visits, 0);
  const of = total ? thought.visits.map((visits) => visits / total) : thought.policy;
  return Object.fromEntries(thought.actions.map((id, at) => [id, of[at]]));
}
