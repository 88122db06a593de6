"""The examples: a custom game (Domineering) and the two textbook programs."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import meeple
from examples import own_training
from meeple.agents.networks import checkpoint_files
from meeple.cli.main import run
from meeple.games.check.findings import check_game
from meeple.games.contract.registry import load_game_file, make
from meeple.learn.config import load, load_config
from meeple.learn.loop import start_run, train
from meeple.learn.usual import config_for
from tests.roots import EXAMPLE_GAMES

pytestmark = pytest.mark.slow
VALUES_AT_NIGHT = pytest.mark.nightly("a value network of three players learns from its example")
AT_NIGHT = pytest.mark.nightly("an outside learner learns Connect Four in our environment")

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
FILE = EXAMPLES / "third_party_game.py"


@pytest.fixture(scope="module", autouse=True)
def domineering():
    return load_game_file(FILE)


def first_player_wins(position):
    """Return whether the first player wins, by exhaustive search."""
    if position.is_over:
        return bool(position.payoffs[0] == 1)
    mover = position.to_move
    for action in position.legal_actions().tolist():
        position.play(action)
        first = first_player_wins(position)
        position.undo()
        if first == (mover == 0):
            return first
    return mover != 0


@pytest.mark.parametrize("seed", range(5))
def test_random_play_covers_the_board_with_whole_dominoes(seed):
    position = make("domineering", size=5).start(seed)
    rng = np.random.default_rng(seed)
    while not position.is_over:
        mover = position.to_move
        position.play(int(rng.choice(position.legal_actions())))
    assert position.payoffs[mover] == 1
    text = str(position)
    assert text.count("|") + text.count("-") == 2 * len(position.actions)


@pytest.mark.parametrize(("size", "wins"), [(2, True), (3, True), (4, True), (5, False)])
def test_first_player_wins_on_the_known_small_boards(size, wins):
    """Breuker, Uiterwijk and van den Herik, "Solving 8x8 Domineering" (2000)."""
    position = make("domineering", size=size).start()
    assert meeple.solve(position).payoffs[0] == wins
    if size < 4:
        assert first_player_wins(position) is wins


def test_example_trains_from_its_configuration(tmp_path, capsys):
    words = ["--load", str(FILE), "train", str(FILE.parent / "domineering.toml")]
    small = ["run.episodes=4", "run.networks=2", "search.simulations=10", "training.batches=1"]
    changes = [word for change in small for word in ("--set", change)]
    assert run([*words, "--run", str(tmp_path / "run"), *changes], debug=False) == 0
    assert "Learned from 4 episodes" in capsys.readouterr().out
    assert len(checkpoint_files(tmp_path / "run")) == 2


def output_of(*words):
    """Run an example as a script; return its output."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_plain_search_finds_and_shows_the_winning_move():
    rows = [line.split() for line in output_of(EXAMPLES / "mcts.py").splitlines()]
    table = rows[rows.index(["action", "visits", "mean", "share"]) + 1 :]
    visits = {action: int(count) for action, count, _ in table}
    assert sum(visits.values()) == 2000
    assert next(iter(visits)) == "b2"  # two threats at once
    assert visits["b2"] == max(visits.values())


def test_the_document_of_agents_shows_lines_of_the_plain_search():
    document = (EXAMPLES.parent / "docs" / "agents.md").read_text()
    section = document.split("## The search in ten lines")[1]
    shown = section.split("```python\n")[1].split("```")[0]
    source = (EXAMPLES / "mcts.py").read_text()
    assert all(function.strip() in source for function in shown.split("\n\n"))


GAMES = ("connect_four", "coins", "leduc")  # a board, three players, and hidden cards


@pytest.mark.parametrize("name", EXAMPLE_GAMES)
def test_example_game_fulfils_the_contract(forked_checks, name):
    assert check_game(str(EXAMPLE_GAMES[name]), seconds=3).findings == ()


@pytest.mark.parametrize("name", EXAMPLE_GAMES)
def test_example_game_is_learned_for_a_moment(name, tmp_path):
    game = load_game_file(EXAMPLE_GAMES[name])()
    few = ("run.episodes=2", "run.networks=2", "selfplay.games=2", "search.simulations=2")
    start_run(config_for(game, few), tmp_path / "run")
    assert train(tmp_path / "run").episodes == 2
    assert checkpoint_files(tmp_path / "run")


@pytest.mark.parametrize(
    ("file", "lines"),
    [
        (EXAMPLES / "alphazero.py", 300),
        *((file, 168 if "board_games" in str(file) else 119) for file in EXAMPLE_GAMES.values()),
    ],
    ids=lambda value: getattr(value, "stem", None),
)
def test_example_is_short(file, lines):
    assert len(file.read_text().splitlines()) <= lines


@pytest.mark.parametrize("name", GAMES)
def test_configuration_of_each_example_trains_its_game(name, tmp_path):
    game = load_game_file(EXAMPLES / f"{name}.py")
    changes = ("run.episodes=4", "run.networks=2", "selfplay.games=4", "search.simulations=4")
    config = load_config(EXAMPLES / f"{name}.toml", changes)
    assert config.make_game().name == game.name
    start_run(config, tmp_path / "run")
    assert train(tmp_path / "run").episodes == 4


@pytest.mark.parametrize("name", ["pig", pytest.param("tricks", marks=VALUES_AT_NIGHT)])
def test_configuration_of_each_value_example_trains_values(name, tmp_path):
    load_game_file(EXAMPLES / f"{name}.py")
    changes = ("run.rounds=1", "labels.results=20", "labels.games=6", "labels.shard=3")
    config = load(EXAMPLES / f"{name}.toml", (*changes, "gate.games=2"))
    start_run(config, tmp_path / "run")
    state = train(tmp_path / "run")
    assert state.episodes == 2
    assert state.history[1]["labels"] >= 10


def test_highest_trump_or_card_of_the_suit_wins_a_trick():
    tricks = load_game_file(EXAMPLES / "tricks.py")()
    rng, taken = np.random.default_rng(1), 0
    for seed in range(30):
        position = tricks.start(seed)
        assert sorted(position.state.place.tolist()) == sorted([0, 1, 2, -1] * 6)
        while not position.is_over:
            cards = {}
            before, leader = position.state.tricks.copy(), int(position.state.leader)
            for _ in range(3):
                card = int(rng.choice(position.legal_actions()))
                cards[position.to_move] = card
                position.play(card)
            led = cards[leader] // 6
            ranks = {seat: (c // 6 == 3, c // 6 == led, c) for seat, c in cards.items()}
            winner = max(
                ranks, key=lambda seat: ranks[seat] if any(ranks[seat][:2]) else (0, 0, -1)
            )
            assert (position.state.tricks - before).tolist() == [s == winner for s in range(3)]
            taken += winner != leader
    assert taken > 20


def test_custom_training_loop_learns_tic_tac_toe():
    _, losses = own_training.learn(12)
    assert np.mean(losses[-3:]) < np.mean(losses[:3])


@pytest.mark.parametrize(
    ("plies", "share"), [(2_048, 0.0), pytest.param(40_000, 0.7, marks=AT_NIGHT)]
)
def test_maskable_ppo_learns_connect_four(plies, share):
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    from examples import maskable_ppo

    game = meeple.make(maskable_ppo.CONNECT_FOUR)
    model = maskable_ppo.learn(game, seconds=3600, plies=plies)
    learned = maskable_ppo.Learned(model)
    result = meeple.match(game, [learned, "random"], games=60)
    assert result.agents[0].share > share  # 0.95 after half a minute
