"""What any search calls proven is the exact solver's result, whatever the options.

The searches are the agents that take a limit; their options come from the table of agents, those of
the searches that no agent has from the records of options. `test_more_proofs.py` tries many
positions and pairs of options.
"""

import contextlib
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from examples.connect_four import ConnectFour
from examples.third_party_game import Domineering
from meeple.agents.kinds import AGENTS, OWN_AGENTS
from meeple.agents.spec import agent
from meeple.errors import MeepleError, TooLarge
from meeple.games.contract.registry import BUILT_IN, make
from meeple.learn.qtable import learn
from meeple.options import Choice, File, Flag
from meeple.search.evaluators import RandomRolloutEvaluator
from meeple.search.exact.solver import solve
from meeple.search.mcts.lockstep import IMPROVED, PUCT, UCT, Lockstep, LockstepSettings
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import save_patterns
from meeple.search.qtable import file as qtable_file
from meeple.search.qtable.table import QTable
from meeple.search.values.features import features_of
from meeple.search.values.file import KIND
from meeple.search.values.network import Widths, untrained
from meeple.tensor_file import SavedWeights
from tests.agents.test_policy import network_file
from tests.search.coin import Coin
from tests.search.die import Die
from tests.search.kuhn import Kuhn
from tests.search.wood import Wood
from tests.settings import PRINTED

BOARDS = {
    "nim": [make("nim", heaps="2,3,4"), make("nim", stones=11, misere=True)],
    "ledge": [make("ledge"), make("ledge", row="12")],
    "hex": [make("hex", size=3, swap=True), make("hex", size=4)],
    "reversi": [make("reversi", size=4), make("reversi", size=6), make("reversi", size=8)],
    "gomoku": [
        make("gomoku", size=3, in_a_row=3),
        make("gomoku", size=5, in_a_row=4),
        make("gomoku", size=6, rule="renju"),
    ],
    "fractions": [make("reversi", size=6, payoff="discs"), *(Wood(seed=s) for s in (5, 6))],
    "chance": [Die(), *(Wood(seed=seed, luck=True) for seed in (2, 3))],
    "others": [Domineering(), ConnectFour()],
}
"""Games of two players that hide nothing, with positions near the end that can be solved."""
HIDING = [Coin(), Kuhn()]
TOO_LARGE = {"catan", "catan-reduced"}
MAX_SOLVED = 30_000  # positions that the solver stores
LAST = 8  # plies before the end of a random game

SEARCHES = [
    name
    for name, kind in OWN_AGENTS.items()
    if {"sims", "seconds", "limit"} & kind.keys.keys() and name not in ("engine", "states")
]
"""All that may prove: the playouts of `states` do not."""
LIMITS = {
    "uct": ({"sims": 200}, {"seconds": 0.01}),
    "playouts": ({"sims": 60}, {"seconds": 0.005}),
    "minimax": ({"depth": 8}, {"depth": 3}, {"seconds": 0.02}),
    "puct": ({"sims": 60}, {"sims": 200}),
    "perfect": ({}, {"limit": 500}),
}
"""The limits of each search; a search that is cut off proves nothing, or a part."""


def test_every_built_in_game_and_search_is_compared():
    assert BOARDS.keys() | TOO_LARGE >= BUILT_IN.keys()
    assert LIMITS.keys() == set(SEARCHES)


def values_of(option, name, game, folder):
    """Return values of an option, other than its default, that a search of a game may have."""
    if isinstance(option, File):
        return [file_of(name, game, folder)]
    if isinstance(option, Flag):
        return [not option.default]
    if isinstance(option, Choice):
        return [choice for choice in option.choices if choice != option.default]
    low = option.low if option.low is not None else 0.5
    tried = dict.fromkeys((low, low + 1, 2 * low + 0.3))
    return [value for value in tried if is_allowed(option, value)]


def is_allowed(option, value):
    with contextlib.suppress(ValueError):
        return value != option.default and option.check(value) == value
    return False


def file_of(name, game, folder):
    """Write the file that a key names, of random weights; return its path."""
    path = folder / f"{name}-{abs(hash(repr(game)))}.safetensors"
    if name == "qtable":
        table = QTable(game)
        learn(table, 20, simulations=30)
        qtable_file.save(path, table)
    elif name == "network":
        weights = untrained(features_of(game), Widths(1, 16, 16, 8), 3)
        SavedWeights(weights, game.name, dict(game.options)).write(path, KIND)
    else:
        assert name == "eval", f"write a file for the key {name}"
        evaluation = PatternEvaluation(game)
        evaluation.weights[:] = np.random.default_rng(3).normal(size=evaluation.weights.shape)
        save_patterns(path, game, evaluation, games=1)
    return path


def settings_of(kind, game, folder, pairs):
    """Yield the limits of a search with no other option, with each, and with pairs of them."""
    keys = AGENTS[kind].keys
    known = {key for limits in LIMITS[kind] for key in limits} | {"sims", "seconds"}
    if not pairs and game.name not in ("hex", "kuhn"):
        known.add("network")  # whose kernels take seconds to compile for a game
    single = []
    for key, option in keys.items():
        if key not in known:
            with contextlib.suppress(MeepleError):  # the game has no patterns, for instance
                single += [{key: value} for value in values_of(option, key, game, folder)]
    first, *more = LIMITS[kind]
    yield from LIMITS[kind]
    yield from (first | other for other in single)
    if pairs:
        yield from (limits | other for limits in more for other in single)
        both = itertools.combinations(single, 2)
        yield from (first | a | b for a, b in both if a.keys() != b.keys())


def positions_of(game, games, step, seed=0):
    """Yield every `step`-th of the last positions of random games, for a player, by game."""
    rng = np.random.default_rng([seed, *repr(game).encode()])
    for _ in range(games):
        position = game.start(int(rng.integers(2**31)))
        found = []
        while not position.is_over:
            if position.to_move < 0:
                position.play_chance()
                continue
            found.append(position.copy())
            position.play(int(rng.choice(position.legal_actions())))
        yield found[-LAST::step]


def by_definition(position, known):
    """Return both players' shares if both play their best, in plain Python."""
    key = position.row.tobytes()
    if position.is_over:
        return position.payoffs
    if key not in known:
        below = []
        for action in list_of(position):
            after = position.copy()
            after.play(action)
            below.append(by_definition(after, known))
        if position.to_move < 0:
            known[key] = position.chance_outcomes()[1] @ np.array(below)
        else:
            known[key] = max(below, key=lambda shares: shares[position.to_move])
    return known[key]


def list_of(position):
    moves = position.chance_outcomes()[0] if position.to_move < 0 else position.legal_actions()
    return moves.tolist()


class Truth:
    """The exact values of the positions of one game; each is computed once."""

    def __init__(self, game):
        self.by_python = game.name in ("die", "wood")
        self._known, self._solved = {}, {}

    def of(self, position):
        """Return the shares, and the actions that reach them; None if it is too large."""
        key = position.row.tobytes()
        if key not in self._solved:
            self._solved[key] = self._compute(position)
        return self._solved[key]

    def _compute(self, position):
        if not self.by_python:
            try:
                solution = solve(position, MAX_SOLVED)
            except TooLarge:
                return None
            return solution.payoffs, solution.best_actions
        shares, best = by_definition(position, self._known), []
        for action in list_of(position):
            after = position.copy()
            after.play(action)
            reached = by_definition(after, self._known)[position.to_move]
            best += [action] * bool(reached >= shares[position.to_move] - 1e-9)
        return shares, best


def compare(counts, label, truth, position, proven, value, best):
    """Count a result, and whether it is proven and wrong."""
    exact = truth.of(position) if proven else None
    wrong = exact is not None and not (np.allclose(value, exact[0], atol=1e-5) and best in exact[1])
    counts[label] += np.array([1, exact is not None, wrong])


def printed(counts):
    """Return the counts as lines of text, summed by search and option."""
    lines = [f"{'search and option':<44}{'positions':>10}{'proven':>8}{'wrong':>7}"]
    rows = sorted(counts.items())
    total = sum(counts.values())
    for label, (positions, proven, wrong) in [*rows, ("all", total)]:
        lines.append(f"{label:<44}{positions:>10}{proven:>8}{wrong:>7}")
    return "\n".join(lines)


def labels_of(kind, settings):
    """Return what a result is counted under: its search, and each option that is not a limit."""
    options = [key for key in settings if key not in ("sims", "seconds", "depth", "limit")]
    return [f"{kind} {key}={word(settings[key])}" for key in options] or [kind]


def word(value):
    """Return a value as labels have it; of a path, only that it is one."""
    return "FILE" if isinstance(value, Path) else text(value)


def text(value):
    """Return a value as a spec has it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def compare_agents(kind, game, folder, counts, games=1, step=4, pairs=False, only=()):
    """Compare an agent with each setting, or these; its trees grow through each game."""
    truth = Truth(game)
    path = [str(network_file(folder / "policy.safetensors", game=game))] if kind == "puct" else []
    walks = list(positions_of(game, games, step))
    for settings in only or settings_of(kind, game, folder, pairs):
        words = [f"{key}={text(value)}" for key, value in settings.items()]
        spec = f"{kind}:{','.join(path + words)}".rstrip(":")
        try:
            player = agent(spec, game, 3)
        except MeepleError:
            continue  # the game does not allow the option
        for number, walk in enumerate(walks):
            player.begin(number)
            for position in walk:
                try:
                    action = player.choose(position)
                except MeepleError:
                    continue  # too large for the exact solver
                if player.analysis is not None:  # it did not choose without a search
                    shown = player.analysis.proven, player.analysis.value, action
                    for label in labels_of(kind, settings):
                        compare(counts, label, truth, position, *shown)


def compare_records(game, counts, games=1, step=4):
    """Compare the searches by options that no agent has."""
    truth = Truth(game)
    evaluator = RandomRolloutEvaluator(0)
    changed: dict[str, list[Any]] = {
        "UctSettings": [
            *(UctSettings(transpositions=share, prune=prune)
              for share in (True, False) for prune in {False, game.can_prune}),
            UctSettings(solve=False), UctSettings(max_nodes=40), UctSettings(c=0.0),
        ],
        "LockstepSettings": [
            *(LockstepSettings(rule=rule, leaves=leaves, considered=considered, room=room)
              for rule in (UCT, PUCT, IMPROVED) for leaves in (1, 5)
              for considered in ((0, 3) if rule == IMPROVED else (0,)) for room in (8, 300)),
            LockstepSettings(solve=False),
        ],
    }  # fmt: skip
    walks = list(positions_of(game, games, step))
    for options in changed["UctSettings"]:
        for decisive in (True, False):
            search = TreeSearch(OpenUct(game, options), decisive=decisive)
            for number, walk in enumerate(walks):
                search.begin(number)
                for position in walk:
                    result = search.run(position, 200)
                    label = f"OpenUct {differences(options)} decisive={decisive}"
                    compare(counts, label, truth, position, *certain(result))
    for options in changed["LockstepSettings"]:
        lockstep = Lockstep(game, 1, options, 3)
        for position in itertools.chain(*walks):
            lockstep.begin([position])
            lockstep.run(evaluator, 100)
            result = lockstep.result(0)
            label = f"Lockstep {differences(options)}"
            compare(counts, label, truth, position, *certain(result))


def certain(result):
    return result.proven, result.value, result.best


def differences(options):
    """Return the fields of a record that are not the default."""
    defaults = type(options)()._asdict()
    given = options._asdict().items()
    return " ".join(f"{name}={value}" for name, value in given if value != defaults[name])


def check(counts, record_property, proves=True):
    """Print the counts; fail if a result is wrong, or if nothing is proven (`proves`)."""
    record_property(PRINTED, printed(counts))
    wrong = {label: row.tolist() for label, row in counts.items() if row[2]}
    assert not wrong
    if proves is not None:
        assert proves == any(row[1] for row in counts.values())


def empty_counts():
    class Counts(dict[str, Any]):
        def __missing__(self, key):
            return np.zeros(3, dtype=int)

    return Counts()


@pytest.mark.slow
@pytest.mark.parametrize("kind", SEARCHES)
def test_what_an_agent_proves_is_exact(kind, tmp_path, record_property):
    counts = empty_counts()
    for game, *_ in BOARDS.values():
        compare_agents(kind, game, tmp_path, counts)
    check(counts, record_property)


@pytest.mark.slow
def test_what_a_search_without_an_agent_proves_is_exact(record_property):
    counts = empty_counts()
    for game, *_ in BOARDS.values():
        compare_records(game, counts)
    check(counts, record_property)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "game", "options"),
    [
        ("uct", make("reversi", size=6), {"sims": 200, "prune": True}),
        ("minimax", make("reversi", size=6, payoff="discs"), {"depth": 8, "loss": 0.3}),
        ("minimax", Wood(seed=2, luck=True), {"depth": 8, "loss": 1}),
    ],
)
def test_a_choice_among_some_moves_or_of_a_lesser_one_is_not_proven(
    kind, game, options, tmp_path, record_property
):
    counts = empty_counts()
    compare_agents(kind, game, tmp_path, counts, games=60, step=1, only=[options])
    check(counts, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SEARCHES)
def test_determinizations_prove_nothing(kind, tmp_path):
    counts = empty_counts()
    for game in HIDING:
        compare_agents(kind, game, tmp_path, counts)
    assert not any(row[1] for row in counts.values())
