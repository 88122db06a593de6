"""A match: agents of one game meet many times, in rotated seats, and the result is counted."""

import os
import queue
import threading
from collections.abc import Callable, Sequence

from meeple.agents.agent import Agent
from meeple.agents.spec import agent as make_agent
from meeple.agents.spec import parse
from meeple.arena.openings import openings as openings_of
from meeple.arena.play import play_game
from meeple.arena.result import MatchResult, Outcome, count_agent
from meeple.arena.seating import seating_plan, uneven
from meeple.arena.seeds import seeds_of
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.position import Position
from meeple.games.contract.records import GameRecord, record_of

MAX_WORKERS = 64


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
    on_position: Callable[[int, tuple[str, ...], Position], None] | None = None,
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
    count = min(count, games)
    plan = seating_plan(len(agents), game.players)
    lineups = [plan[number % len(plan)] for number in range(games)]
    rounds = -(-games // len(plan))
    starts = openings_of(game, rounds, seed) if openings else []
    game.compile()  # once, before threads ask for it together
    tables = [_table(game, agents) for _ in range(count)]
    warm = [False] * count
    specs = [table[0].spec for table in tables[0]]

    def play(worker: int, number: int, stopped: Callable[[], bool]) -> Outcome | None:
        lineup = lineups[number]
        free = [list(copies) for copies in tables[worker]]
        seats = [free[agent].pop(0) for agent in lineup]
        names = tuple(specs[agent] for agent in lineup)

        def show(position: Position) -> None:
            if on_position:
                on_position(number, names, position)

        seeds = seeds_of(seed, number, count=1 + game.players)
        opening = starts[number // len(plan)] if starts else None
        played = play_game(game, seats, seeds, opening=opening, on_position=show, stopped=stopped)
        if played is None:
            return None
        was_warm, warm[worker] = warm[worker], True
        set_moves = 0 if opening is None else len(opening.actions)
        return Outcome(number, played, record_of(played.position, names, set_moves), was_warm)

    outcomes: list[Outcome] = []

    def take(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if on_game:
            on_game(outcome.number, outcome.record)
        if progress:
            progress(len(outcomes), games)

    interrupted = not _run(play, games, count, take)
    outcomes.sort(key=lambda outcome: outcome.number)
    played_lineups = [lineups[outcome.number] for outcome in outcomes]
    return MatchResult(
        game=game.name,
        options=game.options,
        games=len(outcomes),
        seed=seed,
        agents=tuple(
            count_agent(i, spec, outcomes, played_lineups) for i, spec in enumerate(specs)
        ),
        records=tuple(outcome.record for outcome in outcomes),
        lineups=tuple(played_lineups),
        uneven=uneven(played_lineups, len(agents)),
        interrupted=interrupted,
    )


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


def _table(game: Game, agents: Sequence[str | Agent]) -> list[list[Agent]]:
    """One worker's agents: of each as many as the seats it may hold in one game."""
    most = -(-game.players // len(agents))
    return [
        [make_agent(agent, game) for _ in range(most)] if isinstance(agent, str) else [agent]
        for agent in agents
    ]


def _run(
    play: Callable[[int, int, Callable[[], bool]], Outcome | None],
    games: int,
    workers: int,
    take: Callable[[Outcome], None],
) -> bool:
    """Play all games in threads, or in this one if there is one worker; False after Ctrl-C."""
    if workers == 1:
        try:
            for number in range(games):
                outcome = play(0, number, lambda: False)
                assert outcome is not None
                take(outcome)
        except KeyboardInterrupt:
            return False
        return True
    numbers: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(games):
        numbers.put(number)
    done: queue.SimpleQueue[Outcome | BaseException | None] = queue.SimpleQueue()
    stop = threading.Event()

    def work(worker: int) -> None:
        try:
            while not stop.is_set():
                outcome = play(worker, numbers.get_nowait(), stop.is_set)
                if outcome is not None:
                    done.put(outcome)
        except queue.Empty:
            pass
        except BaseException as error:  # handed to the thread that waits, which raises it
            done.put(error)
        done.put(None)

    # Daemons: a second Ctrl-C ends the process without waiting for the moves being thought of.
    threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(workers)]
    for thread in threads:
        thread.start()
    return _collect(done, workers, stop, take)


def _collect(
    done: "queue.SimpleQueue[Outcome | BaseException | None]",
    workers: int,
    stop: threading.Event,
    take: Callable[[Outcome], None],
) -> bool:
    interrupted = False
    failure: BaseException | None = None
    while workers:
        try:
            item = done.get()
            if item is None:
                workers -= 1
            elif isinstance(item, BaseException):
                failure = failure or item
                stop.set()
            else:
                take(item)
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            stop.set()
        except BaseException:  # of a caller's hook: the workers must not go on unseen
            stop.set()
            raise
    if failure:
        raise failure
    return not interrupted
