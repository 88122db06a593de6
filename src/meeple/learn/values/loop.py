"""Rounds of learning values: label, fit, and let games decide whether the network stays."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from meeple.agents.networks import find_checkpoint
from meeple.arena.lockstep import BatchPlayer, Stop, states_player
from meeple.errors import CheckpointError, RunError, Stopped
from meeple.learn.config import ValuesConfig, at_progress, load_values_config
from meeple.learn.evaluation.matches import EvaluatedNetwork, Matches
from meeple.learn.evaluation.pairing import ALONE
from meeple.learn.run.cluster_state import leave_cluster
from meeple.learn.run.reporter import Reporter, Silent
from meeple.learn.values.figures import figures_of
from meeple.learn.values.folder import CONFIG, ValuesFolder, ValuesState
from meeple.learn.values.gate import DifferenceTest, Match, compare, passes
from meeple.learn.values.jobs import Stream
from meeple.learn.values.labelling import label, past_of_round, teach
from meeple.learn.values.run import ValuesRun
from meeple.learn.values.shards import ValueExamples, joined_cases, read_shard
from meeple.learn.values.work import Work, WorkHere
from meeple.search.values.features import features_of
from meeple.search.values.file import SavedNetwork, compiled, load_network, save_network
from meeple.search.values.labels import NETWORK, OTHER, PAST, Settings, quick_policy
from meeple.search.values.network import Weights, Widths, untrained, widths_of


def start_run(config: ValuesConfig, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError where there is a run already."""
    ValuesFolder(folder).create(config)


def train(
    folder: str | Path,
    reporter: Reporter | None = None,
    stop: Stop = lambda: False,
    work: Work | None = None,
) -> ValuesState:
    """Go on with a run from wherever it stands, to its end or until `stop` turns true.

    `work`: who labels games and plays those that decide; without, this thread. The reporter is told
    each round as a wave. Raises RunError or CheckpointError where the folder cannot be read or
    written, MeepleError where an opponent of its matches cannot play the game.
    """
    if not (Path(folder) / CONFIG).exists():
        raise RunError(f"{folder} holds no run: it has no {CONFIG}")
    config, files = load_values_config(Path(folder) / CONFIG), ValuesFolder(folder)
    games = config.make_games()
    work = work or WorkHere(games, config.run.seed, stop)

    def looking() -> bool:
        work.look()
        return stop()

    leave_cluster(folder)  # of a trainer that was killed there
    state = files.open()
    run = ValuesRun(config, files, games, state, work, reporter or Silent(), looking)
    run.labelled = files.labelled(state.rounds + 1)
    work.show(run.glance)
    matches = Matches(_evaluated_network(run), config.matches, run.state.seconds)
    try:
        while not run.is_over:
            _round(run, matches)
    except Stopped:
        pass
    return run.state


def _round(run: ValuesRun, matches: Matches) -> None:
    """The next round, and matches where they are due. Raises Stopped."""
    began = time.perf_counter() - run.state.seconds
    run.spent.clear()
    found = _first_round(run) if run.round == 0 else _later_round(run)
    found = {"round": run.round, **found, "seconds": _rounded(run.spent)}
    run.state.history.append(found)
    run.state.rounds += 1
    run.state.seconds = time.perf_counter() - began
    run.folder.save(run.state)
    figures = figures_of(found)
    if matches.is_due(run.state.seconds, at_end=run.is_over):
        with _busy(run, "playing matches"):
            figures |= matches.play(run.state.seconds, run.stop)
        run.state.seconds = time.perf_counter() - began
        run.folder.save(run.state)
    run.reporter.wave(run.state.rounds, run.state.seconds, figures)


def _evaluated_network(run: ValuesRun) -> EvaluatedNetwork:
    """The network that plays, as matches know it."""

    def player(round_: int) -> BatchPlayer:
        return states_player(run.folder.checkpoint(round_), run.game)

    return EvaluatedNetwork(
        run.game,
        run.config.run.seed,
        {ALONE: lambda games: player(run.state.incumbent)},
        lambda: player(0),
    )


@contextlib.contextmanager
def _busy(run: ValuesRun, doing: str) -> Iterator[None]:
    """Say what the trainer does itself within it."""
    run.doing = doing
    run.work.look()
    try:
        yield
    finally:
        run.doing = ""


@contextlib.contextmanager
def _timed(run: ValuesRun, what: str) -> Iterator[None]:
    """Count the seconds spent within it."""
    began = time.perf_counter()
    yield
    run.spent[what] = run.spent.get(what, 0.0) + time.perf_counter() - began


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {what: round(count, 3) for what, count in seconds.items()}


def _weights_to_start_with(run: ValuesRun, start: str) -> Weights:
    """Those of a file, a run's newest, or a network that ships.

    Raises CheckpointError where they are of another game or have other widths than the run.
    """
    place = find_checkpoint(start)
    compiled(place, run.game)  # of this game
    weights = load_network(place).weights
    if widths_of(weights) != run.config.widths:
        raise CheckpointError(
            f"{place} has {_in_words(widths_of(weights))}, the run {_in_words(run.config.widths)}"
        )
    return weights


def _in_words(widths: Widths) -> str:
    """As a configuration has them: `site = 32, seat = 64, ...`."""
    return ", ".join(f"{name} = {width}" for name, width in widths._asdict().items())


def _first_round(run: ValuesRun) -> dict[str, Any]:
    """Learn from the results of games, or take the network to begin with."""
    start = run.config.run.start
    if start is not None:
        found: dict[str, Any] = {"start": start}
        weights = _weights_to_start_with(run, start)
    else:
        labels = run.config.labels
        settings = Settings(labels.results_share, 1, 0, 0, quick_policy(run.game), labels.slips)
        with _timed(run, "labelling"):
            label(run, teach(run), settings, labels.results)
        begin = untrained(features_of(run.game), run.config.widths, run.config.run.seed)
        with _timed(run, "learning"), _busy(run, "fitting the network"):
            weights, found = _fit(run, begin, [0])
    _keep(run, weights, found)
    return found


def _later_round(run: ValuesRun) -> dict[str, Any]:
    """Label by the incumbent, fit the newest network further, let it play if it is no weaker."""
    labels, place = run.config.labels, run.folder.candidate(run.round)
    incumbent = run.folder.checkpoint(run.state.incumbent)
    if not place.exists():
        quick = run.round <= labels.quick_rounds
        settings = Settings(
            labels.share,
            labels.siblings,
            labels.playouts,
            round(at_progress(labels.horizon, run.progress)),
            quick_policy(run.game) if quick else NETWORK,
            labels.slips,
            labels.lookahead,
        )
        with _timed(run, "labelling"):
            networks = teach(run, incumbent, past=past_of_round(run))
            label(run, networks, settings, labels.games)
        rounds = range(max(1, run.round + 1 - labels.rounds), run.round + 1)
        with _timed(run, "learning"), _busy(run, "fitting the network"):
            weights, found = _fit(run, load_network(_newest(run)).weights, rounds)
        _save(run, place, weights, found)
    saved = load_network(place)
    found = dict(saved.extra)
    with _timed(run, "gate"):
        found |= _gate(run, place, incumbent)
    if found["accepted"]:
        _keep(run, saved.weights, found)
    return found


def _newest(run: ValuesRun) -> Path:
    """The network that learned last, whether it was let in or not."""
    before = run.folder.candidate(run.round - 1)
    return before if before.exists() else run.folder.checkpoint(run.state.incumbent)


def _save(run: ValuesRun, path: Path, weights: Weights, found: dict[str, Any]) -> None:
    save_network(path, SavedNetwork(weights, run.game.name, dict(run.game.options), found))


def _keep(run: ValuesRun, weights: Weights, found: dict[str, Any]) -> None:
    """Make a network the incumbent."""
    _save(run, run.folder.checkpoint(run.round), weights, found)
    run.state.incumbent = run.round


# ---------------------------------------------------------------- fitting


def _fit(
    run: ValuesRun, begin: Weights, rounds: Iterator[int] | range | list[int]
) -> tuple[Weights, dict[str, Any]]:
    """Fit to labels of some rounds: the mean of a few draws. Raises Stopped between minibatches."""
    from meeple.learn.values.fitting import fit_network
    from meeple.learn.values.training import Fit

    shards = [path for number in rounds for path in run.folder.shards(number)]
    every = run.config.training.held
    if not shards:
        raise RunError(f"round {run.round}: no decision was labelled; raise labels.share or games")
    held = shards[every - 1 :: every] or shards[-1:]
    learned = [path for path in shards if path not in held] or shards
    cases, held_out = _read(learned), _read(held)
    seed = (run.config.run.seed, Stream.FIT, run.round)
    training = run.config.training
    fit = Fit(
        at_progress(training.learning_rate, run.progress), training.siblings, training.averaging
    )
    return fit_network(
        training, fit, begin, (cases, held_out), seed, run.reporter.message, run.stop
    )


def _read(paths: list[Path]) -> ValueExamples:
    return joined_cases([read_shard(path) for path in paths])


# ---------------------------------------------------------------- games that decide


def _pool(run: ValuesRun) -> Iterator[tuple[str, int, Path | None]]:
    """The opponents of a new network: what they are called, their policy, a past network's file."""
    yield "quick players", quick_policy(run.game), None
    yield "the incumbent", OTHER, None
    past = run.folder.past(run.state)
    count = min(run.config.gate.past, len(past))
    for part in range(1, count + 1):
        yield f"past network {part}", PAST, past[len(past) * part // (count + 1)]


def _gate(run: ValuesRun, new: Path, old: Path) -> dict[str, Any]:
    """Play against each opponent of the pool. Raises Stopped."""
    gate = run.config.gate
    if gate.games == 0:
        return {"accepted": True, "games": []}
    verdicts = []
    for number, (opponent, policy, past) in enumerate(_pool(run)):
        networks = teach(run, new, old, past)
        rng = np.random.default_rng((run.config.run.seed, Stream.GATE, run.round, number))
        match = Match((opponent, policy), networks, int(rng.integers(2**62)), gate.games)
        verdict = compare(run.work, match, DifferenceTest(gate.gain, gate.error), run.stop)
        if run.stop():
            raise Stopped
        run.reporter.message(f"round {run.round}: {verdict.words()}")
        verdicts.append(verdict)
        if verdict.accepted is False:
            break
    return {
        "accepted": passes(verdicts),
        "games": [{**v._asdict(), "share": round(v.share, 4)} for v in verdicts],
    }
