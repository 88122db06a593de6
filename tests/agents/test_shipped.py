"""The built-in networks load, are small, and play well."""

import json
from pathlib import Path

import pytest

import meeple
from meeple.agents import networks
from meeple.agents.network_files import NETWORK, PATTERNS, VALUES, network_facts
from meeple.agents.networks import find_checkpoint, shipped_for, shipped_networks
from meeple.agents.words import in_words
from meeple.arena.games.digests import digest
from meeple.arena.ladder import rungs_of
from meeple.cli.info import network_kinds
from meeple.errors import CheckpointError
from meeple.search.patterns.evaluation import PatternEvaluation
from meeple.search.patterns.file import save_patterns

AT_NIGHT = pytest.mark.nightly("every shipped network is as strong as it was when it was learned")
SOLVED = json.loads((Path(__file__).parents[2] / "tests" / "data" / "solved.json").read_text())
REVERSI6 = meeple.make("reversi", size=6)


def of_kind(kind):
    """Return the names of the built-in networks of a kind."""
    paths = shipped_networks()
    return [name for name in paths if network_facts(paths[name]).kind is kind]


def game_of(name):
    facts = network_facts(shipped_networks()[name])
    return meeple.make(facts.game, **facts.options)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "hex7" else AT_NIGHT)
        for name in of_kind(NETWORK)
        if name != "tictactoe"
    ],
)
def test_built_in_network_without_search_beats_uct_of_500_simulations(name):
    agents = [f"policy:{name}", "uct:sims=500"]
    result = meeple.match(game_of(name), agents, games=60, seed=1, workers=1)
    assert result.agents[0].share >= 0.65  # the weakest, reversi6, has about 0.79 of 400 games


@AT_NIGHT
@pytest.mark.parametrize("name", [*of_kind(VALUES), *of_kind(PATTERNS)])
def test_built_in_weights_beat_the_heuristic_of_the_game(name):
    game = game_of(name)
    values = name in of_kind(VALUES)
    own = f"states:{name}" if values else f"minimax:eval={name},depth=3"
    others = ["greedy"] * (game.players - 1) if values else ["minimax:depth=3"]
    games, least = (6, 0.5) if values else (40, 0.65)  # 0.25 would be even of four
    if name == "catan-reduced":  # whose shares are of the points: 0.31 (docs/catan-network.md)
        games, least = 40, 0.28
    result = meeple.match(game, [own, *others], games=games, seed=1, workers=1)
    assert result.agents[0].share >= least


@AT_NIGHT
def test_hex7_with_search_wins_from_openings_as_theory_says():
    """Play every twelfth of the first moves of Hex 7x7, which Hayward et al. solved.

    docs/results.md has the result of all 49.
    """
    game = meeple.make("hex", size=7)
    agents = [meeple.agent("puct:hex7,sims=200", game, seed) for seed in (1, 2)]
    winning = SOLVED["hex7_winning_openings"].replace("|", "")
    as_solved = 0
    for action, mark in list(enumerate(winning))[::12]:
        position = game.start()
        position.play(action)
        for agent in agents:
            agent.begin(action)
        while not position.is_over:
            position.play(agents[position.to_move].choose(position))
        as_solved += (position.payoffs[0] == 1) == (mark == "B")
    assert as_solved >= 4  # of 5; all with these seeds


# ------------------------------------------------------------ kinds of files


@pytest.fixture
def patterns6(tmp_path, monkeypatch):
    """Ship one more file: patterns of Reversi 6x6, whose weights are 0."""
    for path in shipped_networks().values():
        (tmp_path / path.name).symlink_to(path)
    file = tmp_path / "reversi6-patterns.safetensors"
    save_patterns(file, REVERSI6, PatternEvaluation(REVERSI6), games=0)
    monkeypatch.setattr(networks, "_SHIPPED", tmp_path)
    return file.stem


PLAYED = (
    (NETWORK, "hex7", ("puct:{},sims=10", "policy:{}")),
    (VALUES, "catan", ("states:{}", "uct:sims=10,network={}")),
    (PATTERNS, "reversi6-patterns", ("minimax:eval={},depth=1",)),
)
"""Each kind, a file of it, and specs that need this kind."""


@pytest.mark.parametrize(("wanted", "specs"), [(kind, specs) for kind, _, specs in PLAYED])
def test_files_of_another_kind_are_refused_with_the_specs_that_play_them(patterns6, wanted, specs):
    for kind, name, _ in PLAYED:
        if kind is wanted:
            continue
        usage = kind.usage.format(name)
        for spec in specs:
            with pytest.raises(CheckpointError) as error:
                meeple.agent(spec.format(name), game_of(name))
            assert str(error.value) == (
                f"{name} is a {kind.name}, not a {wanted.name}: play it as {usage}"
            )


def test_built_in_patterns_play_by_name_and_are_listed(patterns6):
    spec = f"minimax:eval={patterns6},depth=6"
    for game in (meeple.make("reversi"), meeple.make("hex")):
        with pytest.raises(CheckpointError, match=f"{patterns6} was learned for reversi, size=6"):
            meeple.agent(spec, game)
    assert meeple.agent(spec, REVERSI6).choose(REVERSI6.start()) in REVERSI6.start().legal_actions()
    assert in_words(spec) == "minimax with the patterns reversi6-patterns, 6 plies ahead"
    assert list(shipped_for(REVERSI6)) == [patterns6, "reversi6"]
    assert digest(spec)
    rungs = {rung.name: rung.spec for rung in rungs_of(REVERSI6)}
    assert rungs["Patterns reversi6-patterns"] == spec
    assert rungs["Patterns reversi6-patterns alone"] == spec.replace("=6", "=1")
    listed = network_kinds()
    assert (listed[patterns6], listed["reversi6"]) == ("pattern evaluation", "network")


@pytest.mark.parametrize("seat", [0, 1])
def test_tictactoe_network_loses_to_no_line_of_replies(seat):
    game = meeple.make("gomoku", size=3, in_a_row=3)
    agent = meeple.agent("policy:tictactoe", game)

    def worst(position):
        if position.is_over:
            return position.payoffs[seat]
        if position.to_move == seat:
            position.play(agent.choose(position))
            return worst(position)
        results = []
        for action in position.legal_actions():
            after = position.copy()
            after.play(int(action))
            results.append(worst(after))
        return min(results)

    assert worst(game.start()) == 0.5


def test_networks_of_the_readme_are_built_in_and_small():
    names = "catan gomoku6 gomoku8 hex11 hex7 hex9 reversi6 reversi8 tictactoe"
    assert set(shipped_networks()) >= set(names.split())
    assert all(path.stat().st_size < 3_000_000 for path in shipped_networks().values())


def test_file_or_folder_precedes_a_built_in_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hex7").write_bytes(b"")
    assert find_checkpoint("hex7").read_bytes() == b""
    with pytest.raises(CheckpointError, match="hex9"):  # all names
        find_checkpoint("chess")
