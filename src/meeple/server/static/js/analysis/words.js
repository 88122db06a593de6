// What is said and shown of a game and of an evaluation.

const MOST_OPTIONS = 5; // named below the heading

// The players, the options and the result of a game.
export function described(info, source) {
  const options = Object.entries(info.options)
    .filter(([, value]) => value !== false && value !== "" && String(value).length < 20)
    .map(([name, value]) => {
      const words = name.replaceAll("_", " ");
      return value === true ? words : `${words} ${value}`;
    });
  const players = source.game ? [] : [info.seats.join(" against ")];
  const named = options.length > MOST_OPTIONS ? [] : options;
  return [...players, ...named, info.result].filter(Boolean).join(" · ");
}

// Whose turn it is in a position, or how the game ended: `result` where it did not end by its rules.
export function turnWords(scene, result) {
  if (scene.over || result) return `The game is over: ${scene.over ? scene.result : result}.`;
  return scene.to_move < 0 ? "Chance decides." : `To move: ${scene.mover}.`;
}

// The share of the simulations that each action got; of an agent without simulations, its policy.
export function shares(thought) {
  const total = thought.simulations && thought.visits.reduce((sum, visits) => sum + visits, 0);
  const of = total ? thought.visits.map((visits) => visits / total) : thought.policy;
  return Object.fromEntries(thought.actions.map((id, at) => [id, of[at]]));
}
