"""A match: agents of one game meet many times, in rotated seats, and the result is counted."""

import os
from collections.abc import Callable, Sequence

from meeple.agents.agent import Agent
from meeple.agents.spec import parse
from meeple.arena.result import MatchResult, Outcome, count_match
from meeple.arena.schedule import schedule
from meeple.arena.workers import OnPosition, Worker, play_all
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord

MAX_WORKERS = 64  # games at once


def match(
    game: Game,
    agents: Sequence[str | Agent],
    games: int = 200,
    seed: int = 7,
    *,
    openings: bool = False,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_game: Callable[[int, GameRecord], None] | None = None,
    on_position: OnPosition | None = None,
) -> MatchResult:
    """Let agents meet in `games` games, in rotated seats.

    Every game draws its seeds from `seed` and its own number alone, so the result is the same for
    any number of workers, provided the agents do not stop by the clock.

    Args:
        agents: two or more, at most one a seat: specs, or agents (each worker needs agents of its
            own, so with ready-made ones there is one worker). With fewer agents than seats, they
            share the seats as evenly as possible.
        openings: begin each round of line-ups after other first moves, so that agents without any
            randomness play different games; see `meeple.arena.openings`.
        workers: threads that play; by default one a core, or one where an agent stops by the
            clock or is human, so that no game takes another's time.
        progress: called with the number of games done and of all.
        on_game: called with a game's number, from 0, and its record as it ends. In this thread.
        on_position: called with the number, the specs by seat and the position, from the opening
            on. With it there is one worker, and games come in their order.

    Ctrl-C ends the match with the games played so far. Raises UsageError or SpecError for wrong
    arguments, and what loading a network raises.
    """
    _check(game, agents, games, workers)
    alone = on_position is not None or any(not isinstance(agent, str) for agent in agents)
    count = 1 if alone else workers or default_workers([str(agent) for agent in agents])
    fixtures = schedule(game, len(agents), games, seed, opened=openings)
    players = [Worker(game, agents, on_position) for _ in range(min(count, games))]
    outcomes: list[Outcome] = []

    def take(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if on_game:
            on_game(outcome.number, outcome.record)
        if progress:
            progress(len(outcomes), games)

    whole = play_all(fixtures, players, take)
    return count_match(game, players[0].specs, seed, outcomes, interrupted=not whole)


def default_workers(specs: Sequence[str]) -> int:
    """One a core, or one where an agent stops by the clock or waits for a human."""
    parsed = [parse(spec) for spec in specs]
    if any(spec.name == "human" or "seconds" in spec.options for spec in parsed):
        return 1
    return min(os.cpu_count() or 1, MAX_WORKERS)


def _check(game: Game, agents: Sequence[str | Agent], games: int, workers: int | None) -> None:
    if not 2 <= len(agents) <= game.players:
        most = "2" if game.players == 2 else f"2 to {game.players}"
        raise UsageError(
            f"a match of {game.name} takes {most} agents, not {len(agents)}"
            + ("; more of them meet in a tournament" if len(agents) > game.players else "")
        )
    if games < 1:
        raise UsageError(f"games must be at least 1, not {games}")
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise UsageError(f"workers must be from 1 to {MAX_WORKERS}, not {workers}")
    ready_made = [agent for agent in agents if not isinstance(agent, str)]
    if ready_made and len(agents) < game.players:
        raise UsageError("ready-made agents need one for each seat; give specs instead")
    if len({id(agent) for agent in ready_made}) < len(ready_made):
        raise UsageError("one agent cannot sit in two seats; make one for each")
