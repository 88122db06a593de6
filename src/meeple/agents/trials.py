"""The agents that a game can have, as specs for games that are played under bounds checks.

The program `python -m meeple.agents.trials` belongs to `meeple check`: it plays a game by each of
them in plain Python, where every index is checked. It reads its task and writes its findings as
`meeple.games.check.child` does.
"""

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from meeple import kernels
from meeple.agents.kinds import AGENTS
from meeple.agents.spec import agent, parse
from meeple.agents.spec_syntax import write
from meeple.errors import TooLarge, UsageError
from meeple.games.check.assigned import Assignment
from meeple.games.check.child import Inspector, run_program
from meeple.games.check.promises import cases
from meeple.games.contract.game import Game
from meeple.kernels import CHANCE
from meeple.nets import checkpoint
from meeple.nets.architecture import Architecture, Weights
from meeple.nets.graph import weight_shapes
from meeple.options import Choice, Flag
from meeple.plugins import plug_ins
from meeple.search.exact import solver, strategy_file
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.mcts import rollout_trees
from meeple.search.values.features import features_of
from meeple.search.values.file import KIND
from meeple.search.values.network import Widths, untrained
from meeple.tensor_file import SavedWeights

OUTSIDE = ("human", "agent", "engine")  # a person, a user's class, another program
LIMITS = {"sims": 200, "depth": 2, "limit": 2000}
PLAYED_OUT = ("states",)  # agents that need no limit, but play out with one
VALUES = {"c": 0.5, "threads": 2, "guided": 0.5, "plies": 2, "discount": 0.9, "loss": 0.1}
UNITS = 8  # of a network's layers
MIN_SECONDS = 0.5  # for a spec
MAX_SECONDS = 60.0  # after all, for moves that cannot be stopped
SLICE_CHILDREN = 1000  # that the solver visits in plain Python between two looks at a clock


def specs(game: Game, folder: Path, limits: Mapping[str, float] = LIMITS) -> list[str]:
    """Return a spec of every agent, and one with another value of each of its keys.

    Some of them do not fit the game. Writes untrained networks and a strategy to `folder`.
    """
    policy, values, strategy = (folder / f"{name}.safetensors" for name in ("net", "value", "cfr"))
    _save_policy(game, policy)
    weights = untrained(features_of(game), Widths(UNITS, UNITS, UNITS, UNITS), seed=0)
    SavedWeights(weights, game.name, dict(game.options)).write(values, KIND)
    strategy_file.save(strategy, ExternalSampling(game))
    files = {"puct": policy, "policy": policy, "states": values, "strategy": strategy}
    found = []
    for name, kind in AGENTS.items():
        if name not in OUTSIDE:
            path = f"{files[name]}" if name in files else None
            keys = kind.keys.keys() - ({"sims"} if name in PLAYED_OUT else set())
            given = {key: f"{value}" for key, value in limits.items() if key in keys}
            found += [
                write(name, path, {**given, **changed}) for changed in [{}, *_changes(name, values)]
            ]
    return found


def _changes(name: str, values: Path) -> Iterator[dict[str, str]]:
    """Yield another value of each key of an agent."""
    for key, option in AGENTS[name].keys.items():
        if isinstance(option, Flag):
            yield {key: "off" if option.default else "on"}
        elif isinstance(option, Choice):
            yield from ({key: other} for other in option.choices if other != option.default)
        elif key == "sims" and name in PLAYED_OUT:
            yield {key: "1"}
        elif key in VALUES:
            yield {key: f"{VALUES[key]}"}
        elif key == "network":
            yield {key: f"{values}"}


def _save_policy(game: Game, path: Path) -> None:
    architecture = Architecture(
        hidden=(UNITS,),
        observation_shape=game.observation_shape,
        num_actions=game.num_actions,
        players=game.players,
        critic=True,
    )
    rng = np.random.default_rng(0)
    shapes = weight_shapes(architecture).items()
    tensors = {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes}
    weights = Weights(architecture, tensors)
    checkpoint.save(path, weights, game=game.name, options=dict(game.options))


def play(game: Game, spec: str, seconds: float = float("inf"), seed: int = 0) -> int:
    """Play a game by an agent in all seats, at most for `seconds`; return the plies.

    Raises:
        UsageError: the agent does not fit the game.
        TooLarge: the game is too large for it.
    """
    ends = time.monotonic() + seconds
    player, position = agent(spec, game, seed), game.start(seed)
    player.begin(seed)
    while not position.is_over and time.monotonic() < ends:
        if position.to_move == CHANCE:
            position.play_chance()
        else:
            position.play(player.choose(position, lambda: time.monotonic() > ends))
    return len(position.actions)


class Trials(Inspector):
    """Plays a game by each agent that fits it; a finding names the agent."""

    spec = ""

    def check_kind(self, kind: type[Game]) -> None:
        """Play each example of the game."""
        kernels.in_python.update(dict.fromkeys(kernels.in_python, "ignore"))  # checked before
        rollout_trees.MIN_RESERVED_NODES = 1  # trees begin small, so that they soon are enlarged
        solver.SLICE_CHILDREN = SLICE_CHILDREN
        chosen = self.order["options"]
        examples = [chosen] if chosen is not None else cases(kind)
        for options in examples:
            self._begin(options)
            with TemporaryDirectory() as folder:
                self._play_all(kind(**options), Path(folder), self.order["seconds"] / len(examples))

    def _play_all(self, game: Game, folder: Path, seconds: float) -> None:
        others = plug_ins(AGENTS.group)  # their faults are not the game's
        found = [spec for spec in specs(game, folder) if parse(spec).name not in others]
        for spec in found:
            self.spec = spec.replace(f"{folder}/", "")
            with self._reporting(f"`{self.spec}` stays within its arrays"):
                try:
                    play(game, spec, max(seconds / len(found), MIN_SECONDS))
                except (UsageError, TooLarge):
                    continue  # it does not fit the game

    def on_assignment(self, what: Assignment) -> None:
        """Do nothing: searches load their kernels with states that no game has."""

    def watch(self) -> None:
        """Watchdog thread: end the program, without a finding, when its time is over."""
        time.sleep(self.order["seconds"] + MAX_SECONDS)
        self.say({"done": True})
        os._exit(0)

    def _describe_error(self, error: Exception) -> str:
        return f"`{self.spec}`: {super()._describe_error(error)}"


if __name__ == "__main__":
    run_program(Trials)
