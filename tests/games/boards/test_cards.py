"""Tables of cards show each viewer its own hand, and of others what it may know."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from meeple import kernels
from meeple.games.boards.cards import MAX_CARDS, cards, spots_of
from meeple.games.boards.drawing import write, write_line
from meeple.games.contract.registry import load_game_file

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HANDS = [["AS", "10H"], ["7C", "7C", "KD"]]


def test_a_viewer_sees_its_own_hand_and_the_number_of_the_other_cards():
    scene = cards(HANDS, 1, legal={4: "7C", 5: ("KD", "stock")}, piles={"stock": 12})
    text = json.dumps(scene.to_json())
    assert "AS" not in text
    assert "10H" not in text
    assert scene.facts["players"][0]["backs"] == 2
    assert scene.facts["hand"] == ["7C", "7C 2", "KD"]  # equal cards are two spots
    assert scene.clicks == {4: ("7C",), 5: ("KD", "stock")}
    assert write(scene).splitlines() == [
        "player 1: 2 cards",
        "stock: 12 cards",
        "your hand: 7C 7C 2 KD",
    ]


def test_the_public_sees_no_hand_and_open_hands_are_seen_by_all():
    hidden = json.dumps(cards(HANDS).to_json())
    assert not any(card in hidden for card in ("AS", "10H", "7C", "KD"))
    shown = cards(HANDS, 0, seen=(1,))  # the other's hand, and not the own one
    assert shown.facts["hand"] == ["card 1", "card 2"]
    assert "AS" not in json.dumps(shown.to_json())
    assert shown.facts["players"][1]["cards"] == HANDS[1]


def test_tricks_notes_and_piles_are_text_in_the_terminal():
    scene = cards(
        HANDS, 0, trick={1: "9S"}, last_trick={0: "JS", 1: "QS"}, notes=["bid 2", "bid 1"],
        piles={"up": ["2", "9"], "waste": [], "row": ["3", "4"]}, spread=("row",), note="trump: H",
    )  # fmt: skip
    assert write(scene).splitlines() == [
        "trump: H",
        "player 2: 3 cards, bid 1",
        "up: 9 (on 1 card)",
        "waste: -",
        "row: 3 4",
        "last trick: player 1 JS, player 2 QS",
        "trick: player 2 9S",
        "your hand: AS 10H",
        "you: bid 2",
    ]
    assert write_line(scene).startswith("trump: H / player 2")
    assert spots_of(scene.facts) == ["AS", "10H", "up", "waste", "row"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"piles": {"stock": ["2S"] * (MAX_CARDS + 1)}, "spread": ("stock",)}, "not drawn"),
        ({"hands": [["AS"] * (MAX_CARDS + 1)]}, "not drawn"),
        ({"hands": [["AS"]], "seat": 0, "piles": {"AS": 3}}, "label of a card"),
    ],
)
def test_tables_that_cannot_be_drawn_are_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        cards(**arguments)


@pytest.mark.parametrize("name", ["whist", "piles", "goofspiel", "tricks"])
def test_twins_that_a_seat_cannot_tell_apart_look_the_same(name):
    game = load_game_file(EXAMPLES / f"{name}.py")()
    choice, rng, differ = np.random.default_rng(5), kernels.new_rng(5), 0
    for seed, seat in itertools.product(range(3), range(game.seats)):
        position, belief = game.start(seed), game.belief(seat)
        while not position.is_over:
            belief.follow(position)
            twin = position.copy()
            belief.sample(twin.row, rng)
            differ += twin.row.tobytes() != position.row.tobytes()
            for viewer in (seat, None):
                assert game.scene(twin, viewer) == game.scene(position, viewer)
            assert game.view(twin, seat) == game.view(position, seat)
            if position.to_move < 0:
                position.play_chance()
            else:
                position.play(int(choice.choice(position.legal_actions())))
    assert differ > 5
