"""Mistakes in a game are reported with a line, and neither crash nor hang the check."""

import json
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from meeple.agents.spec import agent
from meeple.cli.main import run
from meeple.cli.new_game import Kind, written_files
from meeple.errors import MeepleError, OptionError
from meeple.games.check.findings import check_game, ensure_playable
from meeple.games.check.promises import pairs_of
from meeple.games.contract.registry import load_game_file
from meeple.search.evaluators import UniformEvaluator
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch

pytestmark = pytest.mark.slow
AT_NIGHT = pytest.mark.nightly("a `resample` that deals no hand is found in a larger game")
DICE = Path(__file__).with_name("dice.py")
TABLE = DICE.with_name("mistakes.toml")
GUESS = Path(__file__).with_name("guess.py")
TRICKS = Path(__file__).parents[3] / "examples" / "tricks.py"


class Mistake(NamedTuple):
    """A row of `mistakes.toml`."""

    right: str
    wrong: str
    said: str
    line: str = ""


MISTAKES = {name: Mistake(**row) for name, row in tomllib.loads(TABLE.read_text()).items()}
OVER = MISTAKES["endless game"].right


def changed(folder, *changes, source=DICE):
    """Write a game with changes, pairs of a piece and its replacement; return its path."""
    text = source.read_text()
    for right, wrong in changes:
        assert right in text, right
        text = text.replace(right, wrong, 1)
    file = folder / source.name
    file.write_text(text)
    return file


def written(folder, mistake):
    """Write the game with a mistake to a file; return its path."""
    return changed(folder, mistake[:2])


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_mistake_is_reported_with_its_line(mistake, tmp_path):
    file = written(tmp_path, mistake)
    report = check_game(str(file), seconds=5)
    assert report.findings
    first = report.findings[0]
    assert mistake.said in first.sentence, first
    assert not any("NotImplementedError" in one.sentence for one in report.findings)
    piece = mistake.line or mistake.wrong.rstrip().splitlines()[-1]
    if piece != "-":
        assert piece.strip() in file.read_text().splitlines()[first.line - 1], first
        assert first.place == f"{file}:{first.line}"


def test_game_without_options_has_no_findings(tmp_path):
    file = tmp_path / "dice.py"
    source = DICE.read_text().replace("record(stones=np.int32)", "record()")
    source = source.replace("options.stones", "9").replace('self.options["stones"]', "9")
    file.write_text(re.sub(r"    declared = .*\n", "", source))
    assert check_game(str(file), seconds=5).findings == ()


def with_methods(folder, *names):
    """Write the game with methods that it has no use for; return its path."""
    methods = "".join(f"\n    def {one}(self, *arguments):\n        return None\n" for one in names)
    file = folder / "dice.py"
    file.write_text(DICE.read_text() + methods)
    return file


CONTRACT = "meeple.games.contract"


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (
            "tell",  # an old name of another method
            f"`describe_action` of the capability {CONTRACT}.capabilities.DescribesActions "
            "replaced it",
        ),
        (
            "layout",  # half a capability
            f"its capability {CONTRACT}.capabilities.HasLayout also needs `with_layout`",
        ),
    ],
)
def test_ignored_optional_method_is_reported(method, sentence, tmp_path):
    file = with_methods(tmp_path, method)
    (finding,) = check_game(str(file), seconds=5).findings
    assert finding.sentence == f"`{method}` is never called: {sentence}"
    assert f"def {method}(" in file.read_text().splitlines()[finding.line - 1]


def test_old_method_beside_its_replacement_is_accepted(tmp_path):
    file = with_methods(tmp_path, "tell", "describe_action")
    assert check_game(str(file), seconds=5).findings == ()


def cards(folder, *changes):
    """Write the pattern of a game of hidden cards with changes; return its path."""
    file, _, _ = written_files("my-cards", Kind.hidden, folder)
    return changed(folder, *changes, source=file)


TELLING = {
    "observation": (
        "out[s.count] = player",
        "out[s.count] = s.cards[1 - player]",
        "the observation of player",
    ),
    "legal actions": (
        "        add(moves, BET)",
        "        if s.cards[1] > 0:\n            add(moves, BET)",
        "depend on something hidden from player",
    ),
    "view": (
        "position.state.cards[seat]",
        "position.state.cards[1 - seat]",
        "shows something hidden",
    ),
    "resample": ("s.cards[other] = card", "s.cards[player] = card", "the observation of player"),
}


@pytest.mark.parametrize(("right", "wrong", "said"), TELLING.values(), ids=TELLING)
def test_visible_hidden_card_is_reported(right, wrong, said, tmp_path):
    file = cards(tmp_path, (right, wrong))
    assert any(said in finding.sentence for finding in check_game(str(file), seconds=8).findings)


def test_rules_that_differ_when_compiled_are_reported(tmp_path):
    compiled = ("range(3):", "range(2 if COMPILED else 3):")
    file = changed(tmp_path, ("import CHANCE,", "import CHANCE, COMPILED,"), compiled)
    (finding,) = check_game(str(file), seconds=5).findings
    assert "compiled, the legal actions: [0, 1]; in plain Python: [0, 1, 2]" in finding.sentence


def test_correct_game_has_no_findings():
    report = check_game(str(DICE), seconds=5)
    assert report.findings == ()
    assert "payoffs are shares of one win" in report.promises
    assert "`play` is compiled" in report.promises


def test_finding_includes_the_moves_that_lead_to_it(tmp_path):
    file = written(tmp_path, MISTAKES["endless game"])
    finding = check_game(str(file), seconds=5).findings[0]
    assert len(finding.actions) == 18
    assert finding.options == {"stones": 9} or finding.options == {}
    assert finding.seed is not None


def test_file_is_checked_once_for_each_version(tmp_path, monkeypatch):
    monkeypatch.setenv("MEEPLE_CACHE", str(tmp_path / "cache"))
    file = written(tmp_path, MISTAKES["wrong probabilities"])
    for _ in range(2):
        with pytest.raises(OptionError, match=r"dice\.py:\d+: .* sum to 0\.75.*meeple check"):
            ensure_playable(file)
    file.write_text(DICE.read_text())
    ensure_playable(file)
    monkeypatch.setattr("meeple.games.check.findings.check_game", None)  # not called again
    ensure_playable(file)


def test_missing_file_is_reported():
    with pytest.raises(OptionError, match="no Python file"):
        check_game("nowhere.py")


def test_game_of_hidden_information_must_define_resample(tmp_path):
    file, _, _ = written_files("hiding", Kind.hidden, tmp_path)
    source = file.read_text()
    begins, ends = source.index("@kernel\ndef resample"), source.index("class Hiding")
    without = source[:begins] + source[ends:]
    file.write_text(without)
    said = "lacks the kernel `resample`"
    assert any(said in one.sentence for one in check_game(str(file), seconds=5).findings)
    game = load_game_file(file)()
    for spec in ("uct:sims=10", "minimax:depth=2,heuristic=even"):
        with pytest.raises(MeepleError, match=said):
            agent(spec, game)
    with pytest.raises(MeepleError, match=said):
        TreeSearch(Puct(game, UniformEvaluator()))
    stated = without.replace("name, summary = ", "perfect_information = True\n    name, summary = ")
    shown = tmp_path / "showing.py"
    shown.write_text(stated.replace('"hiding"', '"showing"'))
    assert not load_game_file(shown)().hides


@pytest.mark.parametrize(
    ("right", "wrong", "seat"),
    [
        (
            "        s.cards[other] = card if card < s.cards[player] else card + 1\n",
            "        s.moves += 0 * card\n",
            1,
        ),
        ("if s.cards[other] != NONE:", "if s.cards[other] != NONE and player == 0:", 2),
    ],
    ids=["for both players", "for one of the players"],
)
def test_resample_that_keeps_the_hidden_card_is_reported(right, wrong, seat, tmp_path):
    file = cards(tmp_path, (right, wrong))
    (finding,) = check_game(str(file), seconds=20).findings
    said = f"`resample` leaves `cards` as it is, which player {seat} cannot know"
    assert said in finding.sentence
    assert "def resample" in file.read_text().splitlines()[finding.line - 1]


@pytest.mark.parametrize(
    ("example", "right"),
    [
        (GUESS, "    s.die = below(rng, 3)\n"),
        pytest.param(TRICKS, "        shuffle(s, player, rng)\n", marks=AT_NIGHT),
    ],
    ids=["a die that neither player sees", "hands that are dealt at the start"],
)
def test_resample_that_changes_nothing_is_reported(example, right, tmp_path):
    file = tmp_path / "changed.py"
    begins, resample = example.read_text().split("def resample")
    assert right in resample
    nothing = right[: len(right) - len(right.lstrip())] + "pass\n"
    file.write_text(begins + "def resample" + resample.replace(right, nothing))
    assert check_game(str(example), seconds=20).findings == ()
    (finding,) = check_game(str(file), seconds=600).findings  # 10 s on an idle machine
    assert "as it is, which player 1 cannot know: other states look the same" in finding.sentence


def test_negative_number_in_an_unsigned_field_is_reported(tmp_path):
    negative = (OVER, f"s.roll = np.int8(-1)\n        {OVER}")
    file = changed(tmp_path, ("roll=np.int8", "roll=np.uint8"), negative)
    (finding,) = check_game(str(file), seconds=5).findings
    assert "`play` puts -1 into `roll`, whose type uint8 holds 0 to 255" in finding.sentence


def test_option_that_overflows_its_field_is_reported(tmp_path):
    limit = ("Integer(9, 1, 20,", "Integer(9, 1, 200,")
    file = changed(tmp_path, ("stones=np.int32", "stones=np.int8"), limit)
    (finding,) = check_game(str(file), seconds=5).findings
    assert "an option does not fit its field of `Options`" in finding.sentence
    assert finding.options == {"stones": 200}
    assert file.read_text().splitlines()[finding.line - 1].startswith("Options = ")


def test_options_of_the_check_are_listed():
    report = check_game(str(DICE), seconds=5)
    assert report.options == ({}, {"stones": 1}, {"stones": 20})
    assert check_game(str(DICE), seconds=5, quick=True).options == ({},)
    assert check_game(str(DICE), {"stones": "3"}, seconds=5).options == ({"stones": "3"},)


@pytest.mark.parametrize("source", ["", "x = 1\n", "class Agent:\n    pass\n"])
def test_file_without_a_game_is_reported_and_can_be_loaded(source, tmp_path, capsys):
    file = tmp_path / "none.py"
    file.write_text(source)
    assert run(["check", str(file)], debug=False) == 1
    assert "the file defines no game, a class below `Game`" in capsys.readouterr().out
    assert run(["check", str(file), "--json"], debug=False) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["sentence"].startswith("the file defines no game")
    assert finding["file"] == str(file)
    assert finding["line"] == 1
    if "class" in source:
        ensure_playable(file)  # as a file of agents


def test_a_start_without_actions_is_found_among_many_seeds(tmp_path):
    begun = "s.to_move, s.mover, s.roll, s.rest = CHANCE, 0, 0, options.stones"
    file = changed(
        tmp_path,
        ("import CHANCE,", "import below, CHANCE,"),
        (begun, f"{begun}\n    s.roll = 100 if below(rng, 150) == 0 else 0"),
        (
            "    if s.to_move == CHANCE:",
            "    if s.roll == 100:\n        return\n    if s.to_move < 0:",
        ),
    )
    finding = check_game(str(file), seconds=5).findings[0]
    assert finding.sentence == "the game is not over, but no outcome of chance is possible"
    assert finding.actions == ()
    assert finding.seed is not None
    assert load_game_file(file)().start(finding.seed).state.roll == 100
    assert "def legal" in file.read_text().splitlines()[finding.line - 1]


def test_options_are_paired_at_their_limits():
    pairs = pairs_of([{"size": 1}, {"size": 9}, {"hands": 2}])
    assert sorted(pairs, key=str) == [{"size": 1, "hands": 2}, {"size": 9, "hands": 2}]
