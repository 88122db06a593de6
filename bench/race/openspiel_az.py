"""OpenSpiel's own AlphaZero in Python (`open_spiel.python.algorithms.alpha_zero`), as PyPI has it.

Of its networks the dense one was taken: it is evaluated position by position without compilation,
in less than 4 ms; a residual one of 32 channels takes 12.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.race.clock import MARKS, checkpoint, tree_seconds

SETTINGS: dict[str, Any] = {
    "nn_api_version": "nnx",
    "nn_model": "mlp",
    "nn_width": 128,
    "nn_depth": 3,
    "actors": 1,
    "evaluators": 0,
    "max_simulations": 32,
    "uct_c": 1.41,
    "policy_alpha": 1.0,
    "policy_epsilon": 0.25,
    "temperature": 1,
    "temperature_drop": 10,
    "learning_rate": 0.001,
    "weight_decay": 0.0001,
    "decouple_weight_decay": False,
    "train_batch_size": 128,
    "replay_buffer_size": 4096,
    "replay_buffer_reuse": 8,
    "checkpoint_freq": 1,
    "max_steps": 0,
    "evaluation_window": 1,
    "eval_levels": 2,
    "quiet": True,
    "verbose": False,
    "path": "",
    "game": "connect_four",
    "observation_shape": None,
    "output_size": None,
}


def learn(folder: Path) -> None:
    """Run OpenSpiel's training without end."""
    from open_spiel.python.algorithms.alpha_zero import alpha_zero
    from open_spiel.python.utils import spawn

    with spawn.main_handler():
        alpha_zero.alpha_zero(alpha_zero.Config(**{**SETTINGS, "path": str(folder)}))


def steps_in(folder: Path) -> list[int]:
    """Return the numbers of the complete checkpoints of OpenSpiel."""
    names = [one.name.removeprefix("checkpoint-") for one in folder.glob("checkpoint-*")]
    return sorted(int(name) for name in names if name.isdigit())


def train(folder: Path) -> None:
    """Train in a process of its own until the last mark.

    OpenSpiel cannot resume: after a restart a new training provides the marks that are missing.
    """
    missing = [mark for mark in MARKS if not checkpoint(folder, mark).exists()]
    if not missing:
        return
    work = folder.resolve() / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    command = [sys.executable, "-m", "bench.race", "learn-openspiel", str(work)]
    child = subprocess.Popen(command, start_new_session=True)
    try:
        for mark in missing:
            while (used := tree_seconds(child.pid) / 60) < mark:
                if child.poll() is not None:
                    raise SystemExit(f"OpenSpiel's training ended with {child.returncode}")
                time.sleep(1)
                for step in steps_in(work)[:-3]:
                    shutil.rmtree(work / f"checkpoint-{step}")
            newest, place = steps_in(work)[-1], checkpoint(folder, mark)
            shutil.copytree(work / f"checkpoint-{newest}", place.with_suffix(".part"))
            place.with_suffix(".part").rename(place)
            print(f"{used:.2f} min: step {newest}", flush=True)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


class Player:
    """Plays with a network and OpenSpiel's own search, without noise."""

    def __init__(self, path: Path) -> None:
        import jax
        import numpy as np
        import pyspiel
        from flax import nnx
        from open_spiel.python.algorithms import mcts
        from open_spiel.python.algorithms.alpha_zero import evaluator, utils

        self.game = pyspiel.load_game("connect_four")
        names = ("nn_model", "observation_shape", "output_size", "nn_width", "nn_depth")
        values = SETTINGS | {
            "observation_shape": self.game.observation_tensor_shape(),
            "output_size": self.game.num_distinct_actions(),
        }
        rest = SETTINGS["weight_decay"], SETTINGS["learning_rate"], str(path.parent)
        api = utils.api_selector(SETTINGS["nn_api_version"])
        model = api.Model.build_model(*(values[name] for name in names), *rest)
        saved = model._checkpointer.restore(path.resolve(), model._state)

        @jax.jit
        def infer(observation: Any, legal: Any) -> tuple[Any, Any]:
            network = nnx.merge(saved.graphdef, saved.params, saved.batch_stats)
            network.eval()
            logits, value = network(observation)
            return value, nnx.softmax(jax.numpy.where(legal, logits, -1e30))

        class Compiled:
            """The same network compiled: the judge need not wait as the training does."""

            def inference(self, observation: Any, legal: Any) -> tuple[Any, Any]:
                found = infer(observation.astype(np.float32), legal.astype(bool))
                return np.asarray(found[0]), np.asarray(found[1])

        self._evaluator = evaluator.AlphaZeroEvaluator(self.game, Compiled())
        self._mcts = mcts

    def choose(self, moves: Sequence[int], simulations: int) -> int:
        """Return the column played after moves; 0 simulations: without search."""
        state = self.game.new_initial_state()
        for move in moves:
            state.apply_action(move)
        if not simulations:
            return int(max(self._evaluator.prior(state), key=lambda one: one[1])[0])
        bot = self._mcts.MCTSBot(
            self.game,
            SETTINGS["uct_c"],
            simulations,
            self._evaluator,
            solve=False,
            child_selection_fn=self._mcts.SearchNode.puct_value,
            dont_return_chance_node=True,
        )
        return int(bot.mcts_search(state).best_child().action)


def load_player(path: Path) -> Player:
    """Return the player with the network of a checkpoint."""
    return Player(path)
