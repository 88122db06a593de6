"""What people paste as moves or as a position is read in one place."""

import random
import time

import pytest

import meeple
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.pasted import WrongMove, read_pasted
from meeple.games.contract.records import action_names

USUAL = "---------------------------OX------XO---------------------------"


def pasted(name, text, **options):
    return read_pasted(meeple.make(name, **options).start(), text)


@pytest.mark.parametrize(
    ("name", "options", "text", "moves"),
    [
        ("reversi", {}, "f5d6c3", "f5 d6 c3"),
        ("reversi", {}, "F5D6C3", "f5 d6 c3"),
        ("reversi", {}, "f5d6\nc3d3 c4", "f5 d6 c3 d3 c4"),
        ("reversi", {}, "1. f5 d6 2. c3", "f5 d6 c3"),
        ("reversi", {}, "1.f5 d6 2.c3 33-31", "f5 d6 c3"),
        ("reversi", {}, "f5,d6,c3", "f5 d6 c3"),
        ("reversi", {}, " f5, d6;c3 ", "f5 d6 c3"),
        ("reversi", {}, "f5d6c3 B+12", "f5 d6 c3"),
        ("reversi", {}, "f5 d6 c3 *", "f5 d6 c3"),
        ("gomoku", {}, "h8h9i9", "h8 h9 i9"),
        ("gomoku", {}, "h8i10h10 1-0", "h8 i10 h10"),
        ("gomoku", {}, "H8 H9\r\nI9\r\n", "h8 h9 i9"),
        ("gomoku", {"opening": "swap"}, "h8h9i9 black", "h8 h9 i9 black"),
        ("hex", {"size": 5, "swap": True}, "a1swapc3", "a1 swap c3"),
        ("hex", {"size": 5, "swap": True}, "a1 swap-pieces c3 resign", "a1 swap c3"),
        ("hex", {"size": 13}, "1.mf 2.swap 3.kj 4.resign", "m6 swap k10"),
        ("hex", {}, "https://hexworld.org/board/#11c1,a10:sc4k2", "a10 swap c4 k2"),
        ("hex", {}, "https://www.hexworld.org/board/#14r9nc1,c2b13,d4e5", "c2 b13"),
        ("hex", {}, "#5,A1b2:rb", "a1 b2"),
        ("nim", {}, "1. take 1, take 3\n2... take 2", "take 1 take 3 take 2"),
        ("ledge", {}, "5-3", "5-3"),
        ("reversi", {}, "", ""),
    ],
)
def test_transcripts_are_read(name, options, text, moves):
    assert " ".join(action_names(pasted(name, text, **options))) == moves


def test_links_bring_their_size_and_the_swap_rule():
    position = pasted("hex", "https://hexworld.org/board/#11c1,a10:sc4k2")
    assert dict(position.game.options) == {"size": 11, "swap": True, "first": 1}


@pytest.mark.parametrize("word", ["pass", "PA", "pa", "--", "ps", ""])
def test_passes_are_written_in_several_ways_or_omitted(word):
    position = meeple.make("reversi", size=4).start()
    rng = random.Random(1)
    while position.legal_actions().tolist() != [16]:  # a random game with a pass
        if position.is_over:
            position = position.game.start()
        position.play(rng.choice(position.legal_actions().tolist()))
    before = "".join(action_names(position))
    position.play(16)
    following = position.action_name(int(position.legal_actions()[0]))
    found = pasted("reversi", f"{before}{word}{following}", size=4)
    assert action_names(found)[:-1] == action_names(position)
    assert pasted("reversi", f"{before} {word} {following}", size=4).actions == found.actions


@pytest.mark.parametrize(
    "text",
    [
        f"{USUAL} X;",
        f"{USUAL} X; f5:+0.00; d3:+0.00",
        f"{USUAL}X",
        USUAL,
        USUAL.replace("X", "*").replace("-", ".") + " *",
        USUAL.replace("X", "b").replace("O", "w") + " b",
        USUAL.replace("X", "@").replace("-", "_").lower() + " @",
        "\n".join(" ".join(USUAL[at : at + 8]) for at in range(0, 64, 8)) + "\nX",
    ],
)
def test_boards_of_64_characters_are_read(text):
    assert pasted("reversi", text).row.tobytes() == meeple.make("reversi").start().row.tobytes()


def test_the_board_says_who_is_to_move():
    assert pasted("reversi", f"{USUAL} O;").to_move == 1
    assert pasted("gomoku", "X" + "-" * 24, size=5).to_move == 1
    assert pasted("hex", "XO-" + "-" * 6 + " O", size=3).to_move == 1


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("reversi", "f5d6a1", "move 3, Black to move: 'a1' is not legal here; legal: "),
        ("reversi", "f5 d6 zz", "move 3, Black to move: 'zz' is not legal"),
        ("gomoku", "h8h8", "move 2, White to move: 'h8' is not legal"),
        ("gomoku", "h8 h9 i99", "move 3, Black to move: 'i99'"),
        ("gomoku", "a1a2b1b2c1c2d1d2e1e2", "move 10, 'e2', comes after the end"),
        ("hex", "x" * 100_000, "move 1, player 1 to move: 'xxx"),
        ("hex", "a1" * 50_000, "move 2, player 2 to move"),
        ("reversi", "X" * 63, "this board has 63 signs; reversi with size=8 has 64 cells"),
        ("hex", "https://littlegolem.net/jsp/game/game.jsp?gid=1139802", "holds no moves"),
        ("hex", "https://hexworld.org/board/#11c1,a10:pc4", "such as a pass"),
        ("hex", "https://hexworld.org/board/#40,a10", "size must be"),
    ],
)
def test_errors_name_the_place_in_one_short_sentence(name, text, words):
    with pytest.raises(MeepleError) as caught:
        pasted(name, text)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 600
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["1." * 300_000, "a1 " * 300_000, "--" * 300_000, "-" * 600_000, "ab " * 200_000]
)
def test_hostile_texts_cost_little(text):
    position = meeple.make("hex").start()
    begun = time.process_time()
    with pytest.raises((WrongMove, UsageError)):
        read_pasted(position, text + " z9")
    assert time.process_time() - begun < 2.0
