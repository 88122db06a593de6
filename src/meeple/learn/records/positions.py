"""Positions of recorded games: stored as states, and observed when a batch is made of them.

A position has what was played there and the result of its game. Only decisions are stored: no
outcomes of chance, no opening, and no positions with one legal action.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from meeple.errors import MeepleError, RunError, Stopped
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, opening_of
from meeple.learn.selfplay.trajectory import Trajectory, as_batch, transform_at_random
from meeple.learn.targets import Endings, Target
from meeple.nets.graph import Batch
from meeple.nets.network import ActorNetwork
from meeple.nets.training import MASKED
from meeple.search.batch import StateBatch

MAX_BATCH_POSITIONS = 512  # in a batch of an evaluation


class RecordPositions(NamedTuple):
    """N decisions of G games; a state has S bytes, the game P players."""

    states: npt.NDArray[np.uint8]  # [N, S]
    actions: npt.NDArray[np.int32]  # [N] the action played
    movers: npt.NDArray[np.int8]  # [N] the seat that played it
    plies_left: npt.NDArray[np.int32]  # [N] actions of the record after it
    games: npt.NDArray[np.int32]  # [N] the game's number, in ascending order
    values: npt.NDArray[np.float32]  # [G, P] shares of the win; zeros if unknown
    ends: npt.NDArray[np.uint8]  # [G, S] the state after the record's last action
    is_over: npt.NDArray[np.bool_]  # [G] whether the game is over then

    @property
    def size(self) -> int:
        """N."""
        return len(self.actions)

    def of_games(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return the rows of the positions of some games; `chosen`: [G]."""
        return np.flatnonzero(chosen[self.games])

    def endings(self, rows: npt.NDArray[np.int64]) -> Endings:
        """Return how the games of some positions ended."""
        games = self.games[rows]
        return Endings(self.ends[games], self.is_over[games], self.plies_left[rows])


def positions_of(
    game: Game, records: Iterable[GameRecord], progress: Callable[[int], None] = lambda games: None
) -> RecordPositions:
    """Return the decisions of records of this game, at least one.

    `progress` is called with the number of games read so far. Raises RunError if a record breaks
    the rules.
    """
    found = []
    for number, record in enumerate(records):
        try:
            found.append(_positions_of_one(game, record, number))
        except MeepleError as error:
            raise RunError(f"game {number + 1} of the records: {error}") from None
        progress(number + 1)
    return RecordPositions(*map(np.concatenate, zip(*found, strict=True)))


def _positions_of_one(game: Game, record: GameRecord, number: int) -> RecordPositions:
    position = opening_of(record) if record.board is not None else game.start(record.seed)
    decisions, states = _replayed(position, record)
    plies, actions, movers = np.array(decisions, dtype=np.int32).reshape(-1, 3).T
    rows = np.array(states, dtype=np.uint8).reshape(-1, len(position.row))
    _, legal = StateBatch(game, rows).observe()
    choices = legal.sum(axis=1) > 1
    return RecordPositions(
        rows[choices],
        actions[choices],
        movers[choices].astype(np.int8),
        len(record.actions) - 1 - plies[choices],
        np.full(choices.sum(), number, dtype=np.int32),
        np.array([record.shares or [0.0] * game.players], dtype=np.float32),
        position.row[None].copy(),
        np.array([position.is_over]),
    )


def _replayed(
    position: Position, record: GameRecord
) -> tuple[list[tuple[int, int, int]], list[npt.NDArray[np.uint8]]]:
    """Play a record; return the ply, the action and the mover of each decision, and its state."""
    decisions, states = [], []
    for ply, name in enumerate(record.actions):
        action = position.parse_action(name)
        if position.to_move >= 0 and ply >= record.opening:
            decisions.append((ply, action, position.to_move))
            states.append(position.row.copy())
        position.play(action)
    return decisions, states


class HeldOutBatch(NamedTuple):
    """A batch of B positions that the network does not learn from."""

    batch: Batch
    legal: npt.NDArray[np.bool_]  # [B, A] the legal actions
    actions: npt.NDArray[np.int32]  # [B] the actions played


class RecordBatches:
    """Makes batches of recorded positions."""

    def __init__(
        self,
        game: Game,
        positions: RecordPositions,
        *,
        smoothing: float,
        symmetries: bool,
        targets: Iterable[Target] = (),
    ) -> None:
        """Prepare the batches.

        Args:
            game: of the positions.
            positions: all of them, those held out too.
            smoothing: share of a policy that is spread evenly over the legal actions.
            symmetries: whether positions to learn from are in random symmetries of the game.
            targets: of the auxiliary heads that are trained.
        """
        self.game, self.positions = game, positions
        self._smoothing, self._targets = smoothing, tuple(targets)
        self._symmetries = tuple(game.symmetries()) if symmetries else ()

    def training(self, rows: npt.NDArray[np.int64], rng: np.random.Generator) -> Batch:
        """Return a batch to learn from; `rng` is advanced."""
        steps, _ = self._trajectory(rows, self._smoothing)
        if self._symmetries:
            transform_at_random(steps, self._symmetries, rng)
        return as_batch(self.game, steps)

    def held_out(self, rows: npt.NDArray[np.int64]) -> HeldOutBatch:
        """Return a batch of positions as they were recorded, without smoothing."""
        steps, legal = self._trajectory(rows, 0.0)
        return HeldOutBatch(as_batch(self.game, steps), legal, self.positions.actions[rows])

    def _trajectory(
        self, rows: npt.NDArray[np.int64], smoothing: float
    ) -> tuple[Trajectory, npt.NDArray[np.bool_]]:
        """Return positions as steps of trajectories, and their legal actions [B, A]."""
        found, endings = self.positions, self.positions.endings(rows)
        observations, legal = StateBatch(self.game, found.states[rows]).observe()
        policies = smoothing * legal / legal.sum(axis=1, keepdims=True)
        policies[np.arange(len(rows)), found.actions[rows]] += 1 - smoothing
        steps = Trajectory(
            observations.reshape(len(rows), -1),
            policies.astype(np.float32),
            found.values[found.games[rows]],
            found.movers[rows],
            {target.column: target.column_of(self.game, endings) for target in self._targets},
        )
        return steps, legal


def evaluate_records(
    network: ActorNetwork,
    batches: RecordBatches,
    rows: npt.NDArray[np.int64],
    stop: Callable[[], bool] = lambda: False,
) -> dict[str, float]:
    """Return the metrics of a network on positions, by name; losses are in nats.

    - `records/policy`, `records/value`: mean losses, the latter over games with a known result;
    - `records/accuracy`: share of positions where the best legal action is the one played;
    - `records/value_error`: mean squared error of the mover's share of the win.

    `rows`: numbers of the positions. Raises Stopped if `stop` turns true between two batches.
    """
    figures: dict[str, list[npt.NDArray[np.float64]]] = defaultdict(list)
    for first in range(0, len(rows), MAX_BATCH_POSITIONS):
        if stop():
            raise Stopped
        found = batches.held_out(rows[first : first + MAX_BATCH_POSITIONS])
        for name, numbers in _figures_of(network, found).items():
            figures[name].append(numbers)
    joined = {name: np.concatenate(parts) for name, parts in figures.items()}
    return {
        f"records/{name}": float(np.mean(found)) for name, found in joined.items() if len(found)
    }


def _figures_of(
    network: ActorNetwork, held_out: HeldOutBatch
) -> dict[str, npt.NDArray[np.float64]]:
    """Return the figures of `evaluate_records` for single positions of a batch."""
    batch, legal, actions = held_out
    with torch.no_grad():
        logits = network.all_outputs(torch.from_numpy(batch.observations))
    logs = torch.log_softmax(logits["policy"], dim=1)
    played = torch.from_numpy(actions.astype(np.int64))[:, None]
    best = logits["policy"].masked_fill(~torch.from_numpy(legal), MASKED).argmax(dim=1).numpy()
    figures = {
        "policy": -logs.gather(1, played)[:, 0].double().numpy(),
        "accuracy": (best == actions).astype(np.float64),
    }
    if "value" in logits:
        known = batch.targets["value"].sum(axis=1) > 0
        shares = torch.log_softmax(logits["value"], dim=1).double().numpy()[known]
        wanted = batch.targets["value"][known]
        figures["value"] = -(wanted * shares).sum(axis=1)
        figures["value_error"] = (np.exp(shares[:, 0]) - wanted[:, 0]) ** 2
    return figures
