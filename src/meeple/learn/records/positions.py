"""RecordPositions of recorded games, as a network learns them: kept as states, observed when drawn.

A position is what the mover knew, what was played, and what came out for each seat. Only decisions
are kept: no outcome of chance, none of the actions that were set, and none that was the only one.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from meeple.errors import MeepleError, RunError, Stopped
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, opening_of
from meeple.games.contract.symmetry import Symmetry
from meeple.learn.selfplay.replay import ReplayBatch, ReplayPositions, as_batch, turned
from meeple.nets.network import ActorNetwork
from meeple.nets.training import MASKED
from meeple.search.batch import StateBatch

_AT_ONCE = 8192  # positions that are looked at together


class RecordPositions(NamedTuple):
    """N decisions of G games; a state has S bytes, the game P players and C cells to be owned."""

    states: npt.NDArray[np.uint8]  # [N, S]
    actions: npt.NDArray[np.int32]  # [N] what was played
    movers: npt.NDArray[np.int8]  # [N] by whom
    games: npt.NDArray[np.int32]  # [N] in which game, in order
    values: npt.NDArray[np.float32]  # [G, P] shares of the win; zeros where nobody knows
    owners: npt.NDArray[np.int8]  # [G, C] who owned each cell at the end, -1: nobody, or unknown

    @property
    def size(self) -> int:
        """N."""
        return len(self.actions)

    def of_games(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The rows of the positions of some games; `chosen`: [G]."""
        return np.flatnonzero(chosen[self.games])


def positions_of(
    game: Game,
    records: Iterable[GameRecord],
    cells: int = 0,
    told: Callable[[int], None] = lambda games: None,
) -> RecordPositions:
    """The decisions of records of this game; `told` of how many games were played.

    `cells`: whose owners are learned, or 0. Raises RunError for a record that breaks the rules.
    """
    states: list[bytes] = []
    actions: list[int] = []
    movers: list[int] = []
    games: list[int] = []
    values: list[npt.NDArray[np.float32]] = []
    ends: list[tuple[int, npt.NDArray[np.uint8]]] = []
    for number, record in enumerate(records):
        try:
            position = opening_of(record) if record.board is not None else game.start(record.seed)
            for ply, name in enumerate(record.actions):
                action = position.parse_action(name)
                if position.to_move >= 0 and ply >= record.opening:
                    states.append(position.row.tobytes())
                    actions.append(action)
                    movers.append(position.to_move)
                    games.append(number)
                position.play(action)
        except MeepleError as error:
            raise RunError(f"game {number + 1} of the records: {error}") from None
        shares = record.shares
        values.append(np.array(shares or [0.0] * game.players, dtype=np.float32))
        if cells and position.is_over:
            ends.append((number, position.row.copy()))
        told(number + 1)
    rows = np.frombuffer(b"".join(states), dtype=np.uint8).reshape(len(states), -1)
    owners = np.full((len(values), cells), -1, dtype=np.int8)
    if ends:
        batch = StateBatch(game, np.stack([row for _, row in ends]))
        owners[[number for number, _ in ends]] = batch.ownership()
    choices = _had_choice(game, rows)
    return RecordPositions(
        rows[choices],
        np.array(actions, dtype=np.int32)[choices],
        np.array(movers, dtype=np.int8)[choices],
        np.array(games, dtype=np.int32)[choices],
        np.stack(values),
        owners,
    )


def _had_choice(game: Game, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """[N] whether more than one action was legal."""
    parts = [np.zeros(0, dtype=np.bool_)]
    for first in range(0, len(rows), _AT_ONCE):
        _, legal = StateBatch(game, rows[first : first + _AT_ONCE].copy()).observe()
        parts.append(legal.sum(axis=1) > 1)
    return np.concatenate(parts)


class Sampled(NamedTuple):
    """A minibatch, and of each case what is legal [B, A] and what was played [B]."""

    batch: ReplayBatch
    legal: npt.NDArray[np.bool_]
    played: npt.NDArray[np.int32]


class Drawing:
    """Makes minibatches of positions."""

    def __init__(
        self, game: Game, positions: RecordPositions, *, smoothing: float, symmetries: bool
    ) -> None:
        """`smoothing`: the share of a policy that is spread over all that is legal."""
        self.game, self.positions = game, positions
        self._smoothing = smoothing
        self._symmetries: tuple[Symmetry, ...] = tuple(game.symmetries()) if symmetries else ()

    def minibatch(self, rows: npt.NDArray[np.int64], rng: np.random.Generator) -> ReplayBatch:
        """These positions, each in a random symmetry; consumes `rng`."""
        cases, _ = self._cases(rows, self._smoothing)
        if self._symmetries:
            cases = turned(cases, self._symmetries, rng)
        return as_batch(self.game, cases)

    def as_played(self, rows: npt.NDArray[np.int64]) -> Sampled:
        """These positions as they were, with what was played alone as policies."""
        cases, legal = self._cases(rows, 0.0)
        return Sampled(as_batch(self.game, cases), legal, self.positions.actions[rows])

    def _cases(
        self, rows: npt.NDArray[np.int64], smoothing: float
    ) -> tuple[ReplayPositions, npt.NDArray[np.bool_]]:
        found = self.positions
        observations, legal = StateBatch(self.game, found.states[rows]).observe()
        policies = smoothing * legal / legal.sum(axis=1, keepdims=True)
        policies[np.arange(len(rows)), found.actions[rows]] += 1 - smoothing
        games = found.games[rows]
        cases = ReplayPositions(
            observations.reshape(len(rows), -1),
            policies.astype(np.float32),
            found.values[games],
            found.movers[rows],
            found.owners[games],
        )
        return cases, legal


_BATCH_POSITIONS = 512
_Floats = npt.NDArray[np.float64]


def evaluate_records(
    network: ActorNetwork,
    drawing: Drawing,
    rows: npt.NDArray[np.int64],
    stop: Callable[[], bool] = lambda: False,
) -> dict[str, float]:
    """Return the metrics of a network on positions, by name; losses are in nats.

    - `records/policy`, `records/value`: mean losses, the latter over games with a known result;
    - `records/accuracy`: share of positions where the best legal action is the one played;
    - `records/value_error`: mean squared error of the mover's share of the win.

    Args:
        network: the network.
        drawing: the source of the positions.
        rows: numbers of the positions.
        stop: is called between batches; true ends the evaluation.

    Raises:
        Stopped: `stop` returned true.
    """
    policy: list[_Floats] = []
    right: list[_Floats] = []
    value: list[_Floats] = []
    error: list[_Floats] = []
    for first in range(0, len(rows), _BATCH_POSITIONS):
        if stop():
            raise Stopped
        batch, legal, played = drawing.as_played(rows[first : first + _BATCH_POSITIONS])
        with torch.no_grad():
            found = network.all_outputs(torch.from_numpy(batch.observations))
        logs = torch.log_softmax(found.policy, dim=1)
        at = torch.from_numpy(played.astype(np.int64))[:, None]
        policy.append(-logs.gather(1, at)[:, 0].double().numpy())
        best = found.policy.masked_fill(~torch.from_numpy(legal), MASKED).argmax(dim=1).numpy()
        right.append((best == played).astype(np.float64))
        if found.value is not None:
            known = batch.values.sum(axis=1) > 0
            shares = torch.log_softmax(found.value, dim=1).double().numpy()[known]
            wanted = batch.values[known]
            value.append(-(wanted * shares).sum(axis=1))
            error.append((np.exp(shares[:, 0]) - wanted[:, 0]) ** 2)
    figures = {"policy": policy, "accuracy": right, "value": value, "value_error": error}
    return {
        f"records/{name}": float(np.mean(np.concatenate(parts)))
        for name, parts in figures.items()
        if sum(map(len, parts))
    }
