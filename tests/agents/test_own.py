"""Custom agents and evaluators from files: loading, checks and error messages."""

import threading
from pathlib import Path

import pytest

from meeple.agents.networks import load_predictor
from meeple.agents.own import OwnAgent, names_own
from meeple.agents.spec import agent, parse
from meeple.agents.words import in_words
from meeple.arena.match import match
from meeple.errors import CheckpointError, OptionError, SpecError
from meeple.games.catan.words.names import parse_offer
from meeple.games.contract.registry import load_file, loaded_files, make
from meeple.server.thinking.specs import check_for, settle
from tests.games.catan.positions import in_turn

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
CENTRE = f"agent:{EXAMPLES / 'own_agent.py'}:Centre"
DISCS = f"{EXAMPLES / 'own_evaluator.py'}:Discs"
GOMOKU = make("gomoku", size=5, in_a_row=4)


def test_custom_evaluator_replaces_a_network_alone_and_with_search():
    reversi = make("reversi", size=4)
    result = match(reversi, [f"puct:{DISCS},sims=50", f"policy:{DISCS}"], 4)
    assert result.games == 4
    position = reversi.start()
    searcher = agent(f"puct:{DISCS},sims=50", reversi)
    assert searcher.choose(position) in position.legal_actions()
    assert searcher.analysis is not None
    assert searcher.analysis.visits.sum() > 0


@pytest.mark.parametrize(
    ("taken", "made"), [("self", "nothing"), ("self, game", "gomoku"), ("self, *given", "gomoku")]
)
def test_class_is_called_with_the_game_if_it_accepts_it(tmp_path, taken, made):
    file = tmp_path / "mine.py"
    given = {"self": "'nothing'", "self, game": "game.name", "self, *given": "given[0].name"}[taken]
    file.write_text(
        f"class A:\n    def __init__({taken}):\n        self.made = {given}\n"
        "    def choose(self, position): ...\n"
    )
    found = agent(f"agent:{file}:A", GOMOKU)
    assert isinstance(found, OwnAgent)
    assert found._inner.made == made


def test_loaded_file_is_known_by_its_name(tmp_path):
    load_file(EXAMPLES / "own_agent.py")
    assert agent("agent:Centre", GOMOKU).choose(GOMOKU.start()) == 12
    result = match(GOMOKU, [CENTRE, "random"], 10)
    assert result.agents[0].share > 0.6
    assert result.agents[0].spec == CENTRE
    assert in_words("agent:some/file.py:Centre") == "Centre, a custom agent"
    assert check_for("agent:Centre", GOMOKU, tmp_path) == "agent:Centre"


def test_refused_file_is_not_loaded(tmp_path):
    file = tmp_path / "nim.py"
    file.write_text("from meeple.games import Game\n\n\nclass Nim(Game):\n    name = 'nim'\n")
    for _ in range(2):
        with pytest.raises(OptionError, match="the name of a built-in game"):
            load_file(file)
    assert str(file) not in loaded_files()


def test_page_does_not_load_files(tmp_path):
    for spec in (CENTRE, f"puct:{DISCS},sims=10", f"policy:{DISCS}"):
        with pytest.raises(SpecError, match="is not loaded here"):
            settle(spec, tmp_path)


@pytest.mark.parametrize(
    ("text", "spec", "said"),
    [
        ("class A: pass", "agent:FILE:A", "it lacks choose"),
        ("class A: pass", "agent:FILE:B", "there is no class 'B' in .*classes: A"),
        ("class A: pass", "agent:Bogus", "there is no class 'Bogus' in the loaded files"),
        ("class A:\n    def __init__(self, game):\n        1 / 0", "agent:FILE:A", "line 3: Zero"),
        ("class A:\n    def __init__(s, g): ...", "policy:FILE:A", "it lacks __call__"),
        (
            "class A:\n    def __init__(self, game, depth): ...",
            "agent:FILE:A",
            r"called with the game, or with nothing, and takes \(game, depth\)",
        ),
        ("1 / 0", "agent:FILE:A", "does not run: ZeroDivisionError"),
        ("", "agent:nowhere.py:A", "there is no Python file"),
        ("", "agent", "agent needs FILE.py:NAME"),
    ],
)
def test_invalid_class_is_refused_with_the_reason(tmp_path, text, spec, said):
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(SpecError, match=said):
        agent(spec.replace("FILE", str(file)), GOMOKU)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (99, "chose 99, which is none of the legal"),
        (None, "chose None, which is no whole number"),
        (RuntimeError("oh"), "failed at test_own.py, line .*RuntimeError: oh"),
    ],
)
def test_invalid_choice_of_an_agent_is_reported(chosen, said):
    class Mine:
        def choose(self, position):
            if isinstance(chosen, Exception):
                raise chosen
            return chosen

    with pytest.raises(SpecError, match=said):
        OwnAgent(Mine(), 0).choose(GOMOKU.start())


def test_a_new_game_is_announced_and_an_agent_cannot_change_the_game():
    class Mine:
        heard = []

        def begin(self, seed):
            self.heard.append(seed)

        def choose(self, position):
            position.play(3)
            return 4

    position, mine = GOMOKU.start(), OwnAgent(Mine(), 7)
    mine.begin(8)
    assert Mine.heard == [7, 8]
    assert mine.choose(position) == 4
    assert position.actions == ()


def offer_to_answer():
    """Return a position of Catan in which player 2 may accept an offer."""
    position = in_turn({0: {"wood": 1}, 1: {"ore": 1}})
    for action in parse_offer(position, "1 wood for 1 ore"):
        position.play(action)
    assert position.to_move == 1
    return position


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("accept", ""),
        (10**6, "chose 1000000, which is none of the legal"),
        ("perhaps", "chose 'perhaps' is not legal here"),
        (1.5, "chose 1.5, which is no whole number"),
        (RuntimeError("oh"), "RuntimeError: oh"),
    ],
)
def test_an_agreement_is_accepted_and_an_invalid_answer_is_a_refusal(answer, said, capsys):
    class Mine:
        def choose(self, position):
            if isinstance(answer, Exception):
                raise answer
            return position.parse_action(answer) if answer == "accept" else answer

    position = offer_to_answer()
    position.play(OwnAgent(Mine(), 0).choose(position))
    assert position.action_name(position.actions[-1]) == ("refuse" if said else "accept")
    printed = capsys.readouterr().err
    assert said in printed
    ends = "that counts as a no, here and from now on\n"
    assert printed.endswith(ends if said else "")
    assert not position.is_over


def test_late_answer_of_a_partner_counts_as_a_refusal_and_is_dropped(capsys):
    waiting, calls = threading.Event(), []

    class Mine:
        def choose(self, position):
            calls.append(position)
            waiting.wait()
            return int(position.legal_actions()[0])

    agent, position = OwnAgent(Mine(), 0, answer_seconds=0.01), offer_to_answer()
    for _ in range(2):  # at the second call it is still computing the first answer
        assert position.action_name(agent.choose(position)) == "refuse"
    assert len(calls) == 1
    assert "gave no answer in 0.01 s: that counts as a no" in capsys.readouterr().err
    waiting.set()
    assert agent.choose(GOMOKU.start()) == 0
    assert len(calls) == 2


@pytest.mark.parametrize("folder", ["a.py:b", "a.py:b.py"])
def test_a_run_whose_folder_is_named_like_a_class_runs_no_file(folder, tmp_path):
    assert names_own("a.py:b")
    assert not names_own(f"{tmp_path}/{folder}/checkpoints/00000001.safetensors")
    (tmp_path / "a.py").write_text("raise SystemExit")
    parse(f"agent:{tmp_path / 'a.py'}:A")  # runs no code either
    with pytest.raises(CheckpointError, match="there is no file"):
        load_predictor(tmp_path / folder, GOMOKU)
