// What the analysis says of a game, a position and an evaluation.

import { optionWords } from "../game_options.js";
import { t, translate, versus } from "../messages.js";
import { resultOf } from "../table/words.js";

/** The players, the options and the result of a game; of a study, the game. `defaults`: of its options. */
export function described(info, source, defaults, study) {
  const who = study ? translate(study.game_title) : source.game ? "" : versus(info.seats);
  return [who, optionWords(info.options, defaults), resultOf(info)].filter(Boolean).join(" · ");
}

/** Whose turn it is in a position, or how the game ended: `result` where not by its rules. */
export function turnWords(scene, result) {
  if (scene.over) return t("analysis.over", { result: translate(scene.result) });
  if (result) return t("analysis.over", { result });
  return scene.to_move < 0 ? t("analysis.chance_decides")
    : t("analysis.to_move", { name: translate(scene.mover) });
}

/** The share of the simulations that each action got; of an agent without simulations, its policy. */
export function shares({ simulations, visits, policy }) {
  const total = simulations && visits.reduce((sum, n) => sum + n, 0);
  return total ? visits.map((n) => n / total) : policy;
}
