"""The study of five agents in reduced Catan: do a network and pruning improve the search?"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from meeple.agents.agent import Agent
from meeple.agents.spec import agent
from meeple.arena.plan.seeds import seeds_of
from meeple.files import save
from meeple.games.catan.strategy.narrow import ROADS_TRIED, SETTLEMENTS_TRIED, TRADES_TRIED
from meeple_studies.agent import KEEP
from meeple_studies.catan_games import (
    AGAINST_RANDOM,
    AGAINST_UNTRAINED,
    LEAVES,
    RANDOM,
    SHIPPED,
    UNGUIDED,
    Result,
    found_of,
    lengths,
    play_many,
    read_games,
    tournament,
    wins_of,
)
from meeple_studies.catan_picture import picture
from meeple_studies.catan_players import (
    KINDS,
    LEARNERS,
    SCHEDULES,
    SEARCHES,
    SETTINGS,
    AgentVariant,
    StudyTerms,
    player,
    searcher,
    terms_of,
    the_game,
    untrained,
)
from meeple_studies.catan_training import Training, train, trained
from meeple_studies.kind import BIAS, LEAF
from meeple_studies.study import (
    Effort,
    Experiment,
    ExperimentResult,
    Progress,
    Statistic,
    Study,
    share_of,
)

TRAINING_GAMES, GAMES, RANDOM_GAMES, UNTRAINED_GAMES, OTHER_GAMES = 2000, 480, 100, 400, 100
ENOUGH = 1000  # player actions within which a game without a limit should end
GAMES_FILE, PICTURE = "tournament.json", "picture.png"

PRINTED = {"network-pruned": "25.0 %", "random": "75.0 %, labels swapped"}
"""Shares of the points in the publication, by agent; see the notes."""

_RANDOM_KIND = KINDS[-1]
_BEST_KIND = KINDS[2]  # without a network
_FIRST, _OTHERS = 0, 1  # in a line-up of one against three

Seat = tuple[Sequence[int], Sequence[Agent]]


def _terms(effort: Effort) -> StudyTerms:
    return terms_of(effort.settings, effort.pace)


def _workers(effort: Effort) -> int:
    return effort.workers or os.cpu_count() or 1


def _network_file(effort: Effort, kind: AgentVariant) -> Path:
    return effort.folder / f"{kind.name}.safetensors"


def _trained(effort: Effort, kinds: Sequence[AgentVariant] = LEARNERS) -> dict[str, Training]:
    """Load the networks of the study's folder. Raises RunError if one was not trained."""
    return {kind.name: trained(_network_file(effort, kind)) for kind in kinds}


# ---------------------------------------------------------------- training and tournament


def _training(kind: AgentVariant) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        path, terms = _network_file(effort, kind), _terms(effort)
        training = train(kind, the_game(terms.limit), path, games, terms, effort.seed, progress)
        late = slice(games // 2, games)
        named = training.named[late]
        error, even = (
            1000 * sum(part[late]) / len(named) for part in (training.before, training.even)
        )
        detail = f"last {len(named)} games; error {error:.1f}, of equal shares {even:.1f}"
        return share_of(sum(named), len(named), detail)

    question = f"training, {kind.words}: half way, the network names who will be first"
    return Experiment(f"train-{kind.name}", question, "", TRAINING_GAMES, run)


def _points(who: int) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        trainings, terms = _trained(effort), _terms(effort)
        results = tournament(
            the_game(terms.limit),
            {name: training.network for name, training in trainings.items()},
            terms,
            {
                "seed": effort.seed,
                "simulations": terms.simulations,
                "settings": dict(effort.settings),
                "trained": {name: training.games for name, training in trainings.items()},
            },
            effort.folder / GAMES_FILE,
            games,
            seed=effort.seed,
            workers=_workers(effort),
            progress=progress,
        )
        save(effort.folder / PICTURE, picture(results, trainings))
        return found_of(results, who)

    kind = KINDS[who]
    question = f"tournament, {kind.words}: mean share of the points"
    return Experiment(f"points-{kind.name}", question, PRINTED.get(kind.name, ""), GAMES, run)


def statistics(folder: Path) -> list[Statistic]:
    """Return the mean lengths of the tournament's games by their winner."""
    results = read_games(folder / GAMES_FILE)
    return [
        Statistic(f"won by {kind.words}", lengths(results, who))
        for who, kind in enumerate(KINDS)
        if results
    ]


# ---------------------------------------------------------------- one against three


def one_of_four(number: int, first: Agent, others: Sequence[Agent]) -> Seat:
    """Return the line-up and agents of a game: the first agent's seat rotates by game number."""
    place = number % (1 + len(others))
    lineup = [_OTHERS] * len(others)
    lineup.insert(place, _FIRST)
    return lineup, [*others[:place], first, *others[place:]]


def _against_random(kind: AgentVariant) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        terms = _terms(effort)
        game = the_game(terms.limit)
        known = _trained(effort, [kind]) if kind.network else {}
        networks = {name: training.network for name, training in known.items()}

        def seat(number: int) -> Seat:
            others = [player(_RANDOM_KIND, game, terms, networks) for _ in range(3)]
            return one_of_four(number, player(kind, game, terms, networks), others)

        results = _play_all(effort, seat, AGAINST_RANDOM, games, progress)
        wins = wins_of(results, _FIRST)
        return share_of(wins, games, f"{wins} of {games} games")

    question = f"{kind.words}: games won against three random"
    return Experiment(f"random-{kind.name}", question, "", RANDOM_GAMES, run)


def _against_untrained(kind: AgentVariant) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        terms = _terms(effort)
        game = the_game(terms.limit)
        network = _trained(effort, [kind])[kind.name].network

        def seat(number: int) -> Seat:
            seeds = seeds_of(effort.seed, AGAINST_UNTRAINED, number, count=3)
            others = [searcher(kind, game, terms, untrained(seed, terms)) for seed in seeds]
            return one_of_four(number, searcher(kind, game, terms, network), others)

        results = _play_all(effort, seat, AGAINST_UNTRAINED, games, progress)
        return found_of(results, _FIRST)

    question = f"{kind.words}: mean share of the points against three untrained"
    return Experiment(f"untrained-{kind.name}", question, "", UNTRAINED_GAMES, run)


def _leaf_against_bias(kind: AgentVariant) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        terms = _terms(effort)
        game = the_game(terms.limit)
        network = _trained(effort, [kind])[kind.name].network if kind.network else None
        leaf, bias = (replace(terms, heuristic=where) for where in (LEAF, BIAS))

        def seat(number: int) -> Seat:
            others = [searcher(kind, game, bias, network) for _ in range(3)]
            return one_of_four(number, searcher(kind, game, leaf, network), others)

        return found_of(_play_all(effort, seat, LEAVES, games, progress), _FIRST)

    question = (
        f"{kind.words}: share of the points with the heuristic at leaves, against three with it in "
        "selection"
    )
    return Experiment(f"leaf-{kind.name}", question, "", OTHER_GAMES, run)


def _shipped(name: str, words: str, spec: Callable[[StudyTerms], str]) -> Experiment:
    """An experiment with the network that ships with Meeple, not part of the publication."""

    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        terms = _terms(effort)
        game = the_game(terms.limit)

        def seat(number: int) -> Seat:
            others = [searcher(_BEST_KIND, game, terms) for _ in range(3)]
            return one_of_four(number, agent(spec(terms), game), others)

        return found_of(_play_all(effort, seat, SHIPPED, games, progress), _FIRST)

    question = f"{words}: share of the points against three of {_BEST_KIND.words}"
    return Experiment(name, question, "", OTHER_GAMES, run)


def _play_all(
    effort: Effort,
    seat: Callable[[int], Seat],
    stream: int,
    games: int,
    progress: Progress,
    limit: int | None = None,
) -> list[Result]:
    """Play all games of an experiment; `limit` stops games that have no limit of their own."""
    results: list[Result] = []
    workers = _workers(effort)
    game = the_game(_terms(effort).limit if limit is None else 0)
    for result in play_many(game, seat, stream, range(games), effort.seed, workers, limit):
        results.append(result)
        progress(len(results), games)
    return results


# ---------------------------------------------------------------- does a game end?


def _ends(name: str, words: str, stream: int, kind: AgentVariant) -> Experiment:
    def run(effort: Effort, games: int, progress: Progress) -> ExperimentResult:
        game, terms = the_game(), replace(_terms(effort), d=0.0)

        def seat(number: int) -> Seat:
            if not kind.network:
                return range(4), [player(kind, game, terms, {}) for _ in range(4)]
            seed = seeds_of(effort.seed, stream, number, count=1)[0]
            network = untrained(seed, terms)
            return range(4), [searcher(kind, game, terms, network) for _ in range(4)]

        results = _play_all(effort, seat, stream, games, progress, ENOUGH)
        ended = sum(bool(result.shares) for result in results)
        return share_of(ended, games, f"{ended} of {games} games")

    question = f"{words}: games that end within {ENOUGH} actions"
    return Experiment(name, question, "", UNTRAINED_GAMES, run)


_DESCENT, _SCHEDULE = SCHEDULES["epochs"]

STUDY = Study(
    name="catan-agents",
    title="Five agents on the reduced game of Catan",
    needs=("torch", "matplotlib"),
    settings=SETTINGS,
    statistics=statistics,
    experiments=(
        *map(_training, LEARNERS),
        *map(_points, range(len(KINDS))),
        *map(_against_random, SEARCHES),
        *map(_against_untrained, LEARNERS),
        *map(_leaf_against_bias, SEARCHES),
        _shipped(
            "shipped-simulations",
            "the network that ships, as many simulations",
            lambda terms: f"uct:sims={terms.simulations},network=catan-reduced",
        ),
        _shipped(
            "shipped-time",
            "the network that ships, looking one action ahead, in less time",
            lambda terms: "states:catan-reduced",
        ),
        _ends(
            "ends-unguided",
            "four searches with an untrained network, no heuristic, no pruning",
            UNGUIDED,
            KINDS[1],
        ),
        _ends("ends-random", "four random players", RANDOM, _RANDOM_KIND),
    ),
    notes=(
        "The study had two tournaments of 4 games, too few to say anything, and printed two "
        "figures of each: 25.0 for the trained network with pruning, 75.0 for random actions. Its "
        "code swaps the labels of the last two agents.",
        "With heuristic=leaf a leaf is worth v + d h: v by the network, or by one uniformly random "
        "rollout, h each seat's share by the game's heuristic; UCT with c is on that scale. With "
        "heuristic=bias a leaf is worth v, and a term d h / (1 + n) is added for an action tried n "
        "times, h its share of the heuristic weights.",
        f"Pruning, as we read it: of first settlements the {SETTLEMENTS_TRIED} heaviest are in the "
        f"tree, of roads {ROADS_TRIED}, of trades {TRADES_TRIED}, and of these no action of less "
        f"than {100 * KEEP:g} % of the heaviest's weight. Without pruning all legal actions are in "
        "it.",
        "Network: the 160 numbers, each brought to 0..1, hidden layers, four linear shares. SGD, "
        f"rate {_DESCENT.rate:g}, momentum {_DESCENT.momentum:g}, weight decay {_DESCENT.decay:g}. "
        f"With schedule=epochs, after each game: batches of {_DESCENT.batch}, up to "
        f"{_SCHEDULE.epochs} epochs, {100 * _SCHEDULE.test:g} % of its positions for test and "
        f"{100 * _SCHEDULE.validation:g} % of the rest for validation; it stops after "
        f"{_SCHEDULE.patience} epochs without a smaller error of validation, and keeps the best. "
        "With schedule=step, one step over all positions.",
        "In the tournament 25 % is an even share. Error: mean squared error of a share, times "
        "1,000, before the network learns from the game.",
        f"The study's folder holds {PICTURE}, the networks and the games. Play against a network: "
        "meeple play catan-reduced --against study:FILE,sims=300.",
    ),
)
