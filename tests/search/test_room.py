"""Searches stay within their arrays in games of odd sizes, and name a wrong `max_plies`.

Here, in plain Python, where a wrong index is an IndexError; `make nightly` plays all games of
`odd_games.py` compiled, with bounds checks.
"""

import json
import os
import subprocess
import sys

import pytest

import meeple
from meeple.agents.kinds import AGENTS
from meeple.agents.trials import OUTSIDE
from meeple.cli.check import SEARCHES
from meeple.errors import MeepleError
from meeple.games.check.findings import check_game
from meeple.games.contract import registry
from meeple.games.contract.registry import load_game_file
from meeple.plugins import plug_ins
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.exact.solver import solve
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.learning import PatternLearner
from meeple.search.patterns.temporal_differences import TdSettings
from tests.roots import SYS_PATH
from tests.search.odd_games import CHAIN, TOO_SHORT, Odd

pytestmark = pytest.mark.slow

PLAYED = """
import json, sys
from pathlib import Path
from meeple.agents.trials import specs
from meeple.games.contract.registry import load_game_file
from meeple.search.mcts import rollout_trees
from tests.search.odd_games import result
rollout_trees.MIN_RESERVED_NODES = 1
file, seconds, names = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
game, found = load_game_file(file)(), {}
for spec in specs(game, file.parent, {"sims": 20, "depth": 1, "limit": 500}):
    if names and spec.partition(":")[0] not in names:
        continue
    found[spec] = result(game, spec, seconds)
print(json.dumps(found))
"""


def played(file, seconds, *names):
    """Return the plies of a game by each spec; None: it does not fit; or the error's sentence."""
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, str(file), str(seconds), *names],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(SYS_PATH)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("odd", "names"),
    [
        (CHAIN._replace(rounds=2), ["uct", "puct"]),
        (Odd(rounds=2, flips=40), ["uct", "minimax", "playouts"]),
        (Odd(rounds=2, flips=1, outcomes=1000), ["uct"]),
        (
            Odd(rounds=1, actions=300, hidden=True, prunes=True),
            ["uct", "minimax", "greedy", "playouts"],
        ),
    ],
)
def test_search_stays_within_its_arrays(tmp_path, odd, names):
    plies = played(odd.write(tmp_path), 0.3, *names)
    assert any(plies.values())


@pytest.mark.parametrize("odd", TOO_SHORT.values(), ids=TOO_SHORT)
def test_every_agent_names_the_line_of_a_wrong_max_plies(tmp_path, odd):
    file = odd.write(tmp_path)
    line = file.read_text().splitlines().index(f"        self.max_plies = {odd.max_plies}") + 1
    found = {spec: said for spec, said in played(file, 10.0).items() if said is not None}
    assert {spec.partition(":")[0] for spec in found} >= {"random", "uct", "puct", "strategy"}
    for said in found.values():
        assert said.startswith(f"{file}:{line}: ")
        assert f"can have more than {odd.max_plies} plies, its `max_plies`: set it" in said


def play_first_actions(game):
    position = game.start()
    while not position.is_over:
        position.play(position.legal_actions()[0])


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("hex", play_first_actions),
        ("hex", lambda game: ExternalSampling(game).run(1)),
        ("hex", lambda game: solve(game.start())),
        ("reversi", lambda game: learner(game).learn(1, TdSettings())),
        ("reversi", lambda game: learner(game).examples(1, TdSettings())),
        ("reversi", lambda game: learner(game).positions(1, 0, TdSettings())),
    ],
    ids=["playing", "external sampling", "solver", "patterns", "examples", "positions"],
)
def test_work_in_a_longer_game_names_its_max_plies(name, work):
    game = meeple.make(name, size=4)
    game.max_plies = 3
    with pytest.raises(MeepleError, match=r"game.py:\d+: .*can have more than 3 plies"):
        work(game)


def learner(game):
    return PatternLearner(game, PatternEvaluation(game))


def test_max_plies_below_1_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})  # no other test can make it
    monkeypatch.setattr(registry, "_files", [])
    file = Odd(max_plies=-3).write(tmp_path)
    with pytest.raises(MeepleError, match=r"odd_sizes.py:\d+: .*more than -3 plies"):
        load_game_file(file)()


def test_check_plays_by_every_agent_and_names_the_one_that_leaves_its_arrays(tmp_path):
    def check():
        return check_game(str(file), seconds=2.0, searches=SEARCHES)

    file = Odd(rounds=2, actions=4, prunes=True).write(tmp_path)
    report = check()
    assert report.findings == ()
    for name in set(AGENTS) - set(OUTSIDE) - set(plug_ins(AGENTS.group)):
        played = [promise for promise in report.promises if promise.startswith(f"`{name}")]
        assert played, f"no {name} among {report.promises}"
    assert any("threads=2" in promise for promise in report.promises)
    kernel = "\n@kernel\ndef forced_win(s, nodes, distance):\n    distance[min(nodes, 1)] = 0\n"
    Odd(actions=4).write(tmp_path)
    file.write_text(file.read_text() + kernel)
    found = check().findings[0]
    assert found.sentence.startswith("`minimax:depth=2`: `forced_win` raises IndexError")
    assert found.line == len(file.read_text().splitlines())


def test_trials_play_every_agent_of_the_table():
    assert set(OUTSIDE) < set(AGENTS)
