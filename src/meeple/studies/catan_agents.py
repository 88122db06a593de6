"""Five agents on the reduced game of Catan: do a network and pruning help its search?"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from meeple.agents.agent import Agent
from meeple.arena.seeds import seeds_of
from meeple.errors import RunError
from meeple.files import write_atomically
from meeple.games.catan.narrow import ROADS_TRIED, SETTLEMENTS_TRIED, TRADES_TRIED
from meeple.studies.catan_games import (
    AGAINST_RANDOM,
    AGAINST_UNTRAINED,
    RANDOM,
    UNGUIDED,
    Result,
    found_of,
    play_many,
    tournament,
    wins_of,
)
from meeple.studies.catan_picture import picture
from meeple.studies.catan_players import (
    BIAS,
    EXPLORATION,
    HIDDEN,
    KEEP,
    KINDS,
    LEARNERS,
    SEARCHES,
    SIMULATIONS,
    Kind,
    player,
    searcher,
    the_game,
    untrained,
)
from meeple.studies.catan_training import DESCENT, Training, train, trained
from meeple.studies.study import Effort, Experiment, Found, Progress, Study, share_of

TRAINING_GAMES, GAMES, RANDOM_GAMES, UNTRAINED_GAMES = 2000, 480, 100, 400
LIMIT = 1000  # actions of players, within which a game is asked to end
GAMES_FILE, PICTURE = "tournament.json", "picture.png"

_RANDOM_KIND = KINDS[-1]
_FIRST, _OTHERS = 0, 1  # in a line-up of one against three

Seat = tuple[Sequence[int], Sequence[Agent]]


def simulations_of(effort: Effort) -> int:
    """Simulations of a search: fewer where the study is to be quick, at least two."""
    return max(2, round(SIMULATIONS * min(1.0, effort.pace)))


def _workers(effort: Effort) -> int:
    return effort.workers or os.cpu_count() or 1


def _network_file(effort: Effort, kind: Kind) -> Path:
    return effort.folder / f"{kind.name}.safetensors"


def _trained(effort: Effort, kinds: Sequence[Kind] = LEARNERS) -> dict[str, Training]:
    """Networks from the study's folder. Raises RunError where they were not trained."""
    return {kind.name: trained(_network_file(effort, kind)) for kind in kinds}


# ---------------------------------------------------------------- training and tournament


def _training(kind: Kind) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> Found:
        path, simulations = _network_file(effort, kind), simulations_of(effort)
        training = train(kind, the_game(), path, games, simulations, effort.seed, progress)
        late = slice(games // 2, games)
        named = training.named[late]
        error, even = (sum(part[late]) / len(named) for part in (training.losses, training.even))
        detail = f"last {len(named)} games; error {error:.1f}, of equal shares {even:.1f}"
        return share_of(sum(named), len(named), detail)

    question = f"training, {kind.words}: half way, the network names who will be first"
    return Experiment(f"train-{kind.name}", question, "", TRAINING_GAMES, run)


def _points(who: int) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> Found:
        trainings, simulations = _trained(effort), simulations_of(effort)
        results = tournament(
            the_game(),
            {name: training.network for name, training in trainings.items()},
            {
                "seed": effort.seed,
                "simulations": simulations,
                "trained": {name: training.games for name, training in trainings.items()},
            },
            effort.folder / GAMES_FILE,
            games,
            seed=effort.seed,
            simulations=simulations,
            workers=_workers(effort),
            progress=progress,
        )
        _draw(effort.folder / PICTURE, picture(results, trainings))
        return found_of(results, who)

    kind = KINDS[who]
    question = f"tournament, {kind.words}: mean share of the points"
    return Experiment(f"points-{kind.name}", question, "", GAMES, run)


def _draw(path: Path, content: bytes) -> None:
    try:
        write_atomically(path, content)
    except OSError as error:
        raise RunError(f"cannot save {path}: {error.strerror or error}") from error


# ---------------------------------------------------------------- one against three


def one_of_four(number: int, first: Agent, others: Sequence[Agent]) -> Seat:
    """The first in the seat that is its turn, the others around it."""
    place = number % (1 + len(others))
    lineup = [_OTHERS] * len(others)
    lineup.insert(place, _FIRST)
    return lineup, [*others[:place], first, *others[place:]]


def _against_random(kind: Kind) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> Found:
        game, simulations = the_game(), simulations_of(effort)
        known = _trained(effort, [kind]) if kind.network else {}
        networks = {name: training.network for name, training in known.items()}

        def seat(number: int) -> Seat:
            others = [player(_RANDOM_KIND, game, simulations, networks) for _ in range(3)]
            return one_of_four(number, player(kind, game, simulations, networks), others)

        results = _counted(effort, seat, AGAINST_RANDOM, games, progress)
        wins = wins_of(results, _FIRST)
        return share_of(wins, games, f"{wins} of {games} games")

    question = f"{kind.words}: games won against three random"
    return Experiment(f"random-{kind.name}", question, "", RANDOM_GAMES, run)


def _against_untrained(kind: Kind) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> Found:
        game, simulations = the_game(), simulations_of(effort)
        network = _trained(effort, [kind])[kind.name].network

        def seat(number: int) -> Seat:
            seeds = seeds_of(effort.seed, AGAINST_UNTRAINED, number, count=3)
            others = [searcher(kind, game, simulations, untrained(seed)) for seed in seeds]
            return one_of_four(number, searcher(kind, game, simulations, network), others)

        results = _counted(effort, seat, AGAINST_UNTRAINED, games, progress)
        return found_of(results, _FIRST)

    question = f"{kind.words}: mean share of the points against three untrained"
    return Experiment(f"untrained-{kind.name}", question, "", UNTRAINED_GAMES, run)


def _counted(
    effort: Effort,
    seat: Callable[[int], Seat],
    stream: int,
    games: int,
    progress: Progress,
    limit: int | None = None,
) -> list[Result]:
    """All games of an experiment."""
    results: list[Result] = []
    workers = _workers(effort)
    for result in play_many(the_game(), seat, stream, range(games), effort.seed, workers, limit):
        results.append(result)
        progress(len(results), games)
    return results


# ---------------------------------------------------------------- does a game end?


def _ends(name: str, words: str, stream: int, kind: Kind) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> Found:
        game, simulations = the_game(), simulations_of(effort)

        def seat(number: int) -> Seat:
            if not kind.network:
                return range(4), [player(kind, game, simulations, {}) for _ in range(4)]
            seed = seeds_of(effort.seed, stream, number, count=1)[0]
            agents = [
                searcher(kind, game, simulations, untrained(seed), bias=0.0) for _ in range(4)
            ]
            return range(4), agents

        results = _counted(effort, seat, stream, games, progress, LIMIT)
        ended = sum(bool(result.shares) for result in results)
        return share_of(ended, games, f"{ended} of {games} games")

    question = f"{words}: games that end within {LIMIT} actions"
    return Experiment(name, question, "", UNTRAINED_GAMES, run)


STUDY = Study(
    name="catan-agents",
    title="Five agents on the reduced game of Catan",
    needs=("torch", "matplotlib"),
    experiments=(
        *map(_training, LEARNERS),
        *map(_points, range(len(KINDS))),
        *map(_against_random, SEARCHES),
        *map(_against_untrained, LEARNERS),
        _ends(
            "ends-unguided",
            "four searches with an untrained network, no heuristic, no pruning",
            UNGUIDED,
            KINDS[1],
        ),
        _ends("ends-random", "four random players", RANDOM, _RANDOM_KIND),
    ),
    notes=(
        "The study had 4 games of the five agents, too few to say anything.",
        f"All four searches: {SIMULATIONS} simulations, UCT with c = {EXPLORATION:g} on shares by "
        f"points, and a term {BIAS:g} h / (1 + n) for an action tried n times, h its share "
        "of the heuristic weights. Without a network a leaf is worth one uniformly random rollout.",
        f"Pruning, as we read it: of first settlements the {SETTLEMENTS_TRIED} heaviest are in the "
        f"tree, of roads {ROADS_TRIED}, of trades {TRADES_TRIED}, and of these no action of less "
        f"than {100 * KEEP:g} % of the heaviest's weight. Without pruning all legal actions are in "
        "it, and those beyond these numbers have h = 0.",
        f"Network: the 160 numbers, each brought to 0..1, {HIDDEN} rectified units, four linear "
        f"shares. After each game one step over its positions: SGD, rate {DESCENT.rate:g}, "
        f"momentum {DESCENT.momentum:g}, weight decay {DESCENT.decay:g}.",
        "In the tournament 25 % is an even share. Error: mean squared error of a share, times "
        "1,000, before the network learns from the game.",
        f"The study's folder holds {PICTURE}, the networks and the games.",
    ),
)
