"""How the games of a match, tournament or ladder are played, as one record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from meeple.agents.agent import Agent
from meeple.arena.games.digests import digest
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.plan.openings import Opening, opening_terms
from meeple.executors.backend import Place, place_of
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord
from meeple.options import whole_number

MAX_WORKERS = 64  # games at once, in threads of this process
MAX_REMOTE = 1024  # games at once, by a backend

Terms = Mapping[str, Any]
"""The settings that games depend on, as JSON, by name."""

Progress = Callable[[int, int], None]
"""Called with the number of finished games and the number of all games."""
OnGame = Callable[[int, GameRecord], None]
"""Called with the number, from 0, and the record of a finished game."""
OnPosition = Callable[[int, tuple[str, ...], Position], None]
"""Called with the number of a game, the specs by seat, and the position after each action."""


@dataclass(frozen=True)
class Conditions:
    """The conditions of games, passed from a command to the runner and the store.

    Games depend on the first four fields alone, and on the agents' files; see `terms`. So the
    result is the same for any number of workers, provided that no agent stops by the clock.

    Attributes:
        game: the game, with its options.
        seed: every game draws its seeds from this seed and its own number.
        openings: whether each round of line-ups begins with different first moves, so that
            deterministic agents play different games, or the openings to use; see
            `meeple.arena.plan.openings`.
        rule: the consequence of a failing agent.
        run: a folder in which the games are stored; the same games resume from there.
        workers: threads that play; None: one a core, or one if an agent stops by the clock or is
            human, so that games do not compete for time.
        on: a `Place`, or its name such as "ray" or "ray://HOST:PORT": where a backend plays instead
            of this process; by default with a worker for each processor there.
        progress: called with the number of finished games and the number of all games.
        on_game: called in the thread of the caller with the number, from 0, and the record of a
            finished game.
        on_position: called with the number, the specs by seat and the position, from the opening
            on. It implies one worker and games in order.

    Raises:
        UsageError: `rule`, `workers` or `on` is wrong.
    """

    game: Game
    seed: int = 7
    openings: bool | Sequence[Opening] = False
    rule: FaultRule = field(default_factory=FaultRule)
    run: str | Path | None = None
    workers: int | None = None
    on: Place | str | None = None
    progress: Progress | None = None
    on_game: OnGame | None = None
    on_position: OnPosition | None = None

    def __post_init__(self) -> None:
        self.rule.check()
        object.__setattr__(self, "seed", whole_number(self.seed, "a seed"))
        most = MAX_WORKERS if self.place is None else MAX_REMOTE
        if self.workers is not None:
            object.__setattr__(self, "workers", whole_number(self.workers, "workers", 1, most))

    @property
    def place(self) -> Place | None:
        """Where a backend plays; None: this process."""
        return place_of(self.on)

    def terms(self, kind: str, agents: Sequence[str | Agent], schedule: Terms) -> Terms:
        """Return the settings that games depend on: these conditions, the agents, the schedule.

        Args:
            kind: "match" or "tournament".
            agents: specs or ready-made agents.
            schedule: the settings of the schedule.
        """
        return {
            "kind": kind,
            "game": self.game.name,
            "options": dict(self.game.options),
            "agents": specs_of(agents),
            "files of agents": [
                digest(agent) if isinstance(agent, str) else "" for agent in agents
            ],
            "seed": self.seed,
            "openings": opening_terms(self.openings),
            **schedule,
            "on_fault": self.rule.on_fault,
            "move_seconds": self.rule.move_seconds,
        }


def specs_of(agents: Sequence[str | Agent]) -> list[str]:
    """Return the specs of agents."""
    return [agent if isinstance(agent, str) else agent.spec for agent in agents]
