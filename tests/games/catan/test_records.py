"""Records of Catan replay to the identical state on their board, and tampering is detected."""

import dataclasses
import json
import re

import numpy as np
import pytest

from meeple.errors import IllegalAction, MeepleError, OptionError
from meeple.games.catan import layouts
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import BEGINNER, layout_text
from meeple.games.catan.rules.topology import NONE, TOPOLOGY
from meeple.games.contract import capabilities
from meeple.games.contract.records import GameRecord, positions, record_of, replay
from tests.games.catan.positions import plies
from tests.games.moves import names_of
from tests.tiers import few_quick

BOARDS = {
    "random": {},
    "balanced": {"board": "balanced", "players": 3},
    "beginner": {"board": "beginner", "players": 2, "payoff": "points", "max_turns": 60},
    "explicit": {"board": layout_text(BEGINNER), "hidden_hands": False, "max_turns": 20},
}


def play_out(seed, **options):
    *_, (_, _, last) = plies(seed, **options)
    return last


@pytest.fixture(scope="module")
def last():
    return play_out(8)


@pytest.fixture(scope="module")
def kept(last):
    return record_of(last, ["a", "b", "c", "d"])


def changed(record, place, name):
    """Return the record with another action."""
    actions = (*record.actions[:place], name, *record.actions[place + 1 :])
    return dataclasses.replace(record, actions=actions)


# ---------------------------------------------------------------- round trips


@pytest.mark.parametrize("options", BOARDS.values(), ids=BOARDS)
def test_record_replays_to_the_identical_state(options):
    last = play_out(3, **options)
    record = record_of(last, ["random"] * last.game.players)
    assert GameRecord.from_json(record.to_json()) == record
    again = replay(record)
    assert again.row.tobytes() == last.row.tobytes()
    assert again.actions == last.actions
    assert record_of(again, record.seats) == record


def test_record_contains_its_board(kept, last):
    lands = [tile.split()[0] for tile in kept.board["tiles"]]
    assert (len(lands), lands.count("desert"), len(kept.board["ports"])) == (19, 1, 9)
    explicit = Catan(board=json.dumps(kept.board)).start(0)
    for field in ("tile_resource", "tile_number", "vertex_port"):
        assert explicit.state[field].tolist() == last.state[field].tolist()


def test_record_replays_on_its_board_or_without_one_on_that_of_its_seed(kept, last):
    """A record stays valid if the shuffling of boards changes."""
    for changes in ({"seed": kept.seed + 1}, {"board": None}):
        again = replay(dataclasses.replace(kept, **changes))
        assert again.row.tobytes() == last.row.tobytes()


@pytest.mark.parametrize("option", ["random", "balanced", "beginner"])
def test_every_board_of_every_option_is_valid_in_a_record(option):
    for seed in range(20):
        position = Catan(board=option).start(seed)
        layouts.ensure_allowed(option, json.dumps(capabilities.layout(position)))


# ---------------------------------------------------------------- tampered records


@pytest.mark.parametrize(
    ("start", "name", "sentence"),
    [
        ("rolled", "rolled 13", r"chance to move: 'rolled 13' is not legal here; legal: rolled 2"),
        ("rolled", "rolled 1", "chance to move: 'rolled 1' is not legal"),
        ("stole", "stole knight", "chance to move: 'stole knight' is not legal here; legal: stole"),
        ("drew", "rolled 7", "chance to move: 'rolled 7' is not legal here; legal: drew"),
        ("roll", "end turn", "player 1 to move: 'end turn' is not legal here; legal: roll"),
        ("settlement", "road 0", "player 1 to move: 'road 0' is not legal here; legal: settlement"),
    ],
)
def test_impossible_action_or_outcome_is_named(kept, start, name, sentence):
    place = next(at for at, action in enumerate(kept.actions) if action.startswith(start))
    with pytest.raises(IllegalAction, match=f"action {place + 1} of the record, {sentence}"):
        replay(changed(kept, place, name))


def test_stolen_card_must_be_in_the_victims_hand(kept):
    for place, position in enumerate(positions(kept)):
        if place < len(kept.actions) and kept.actions[place].startswith("stole"):
            stolen = [f"stole {resource}" for resource in c.RESOURCES]
            missing = next(name for name in stolen if name not in names_of(position))
            break
    with pytest.raises(IllegalAction, match=f"action {place + 1} .*chance to move"):
        replay(changed(kept, place, missing))


def test_seat_that_cannot_pay_is_named(kept):
    for position in positions(kept):
        legal = names_of(position)
        if "end turn" in legal and "buy card" not in legal:
            break
    who, place = f"player {position.to_move + 1}", len(position.actions)
    with pytest.raises(IllegalAction, match=f"action {place + 1} of the record, {who} to move"):
        replay(changed(kept, place, "buy card"))


@pytest.mark.parametrize("what", few_quick(["removed", "doubled", "swapped"]))
@pytest.mark.slow
def test_reported_action_is_never_before_the_tampering(kept, what):
    rng, caught = np.random.default_rng(1), 0
    for place in sorted(rng.choice(len(kept.actions) - 1, 25, replace=False).tolist()):
        here, after = kept.actions[place : place + 2]
        names = {"removed": (after,), "doubled": (here, here, after), "swapped": (after, here)}
        actions = (*kept.actions[:place], *names[what], *kept.actions[place + 2 :])
        record = dataclasses.replace(kept, actions=actions)
        if record == kept:
            continue
        try:
            again = replay(record)
        except IllegalAction as error:
            (ply,) = re.findall(r"^action (\d+) of the record", str(error))
            assert int(ply) > place
            caught += 1
        except MeepleError:
            caught += 1  # the game is not over, or has another result
        else:  # such as two roads built in the other order
            assert record_of(again, record.seats) == record
    assert caught > 10


def exchanged(board, one, two):
    """Return a board with two of its tiles exchanged."""
    tiles = list(board["tiles"])
    tiles[one], tiles[two] = tiles[two], tiles[one]
    return {**board, "tiles": tiles}


def test_exchanged_board_is_detected_by_an_unpayable_action(kept):
    """Exchange two terrains but not their numbers, which gives a valid board."""
    tiles = [tile.split() for tile in kept.board["tiles"]]
    one, two = ([land for land, *_ in tiles].index(name) for name in ("wood", "ore"))
    words = list(kept.board["tiles"])
    words[one], words[two] = f"ore {tiles[one][1]}", f"wood {tiles[two][1]}"
    with pytest.raises(IllegalAction, match=r"action \d+ of the record, player \d to move"):
        replay(dataclasses.replace(kept, board={**kept.board, "tiles": words}))


def test_board_that_contradicts_the_option_is_refused(kept):
    first = next(n for n, tile in enumerate(kept.board["tiles"]) if tile != kept.board["tiles"][0])
    cases = [
        ({}, exchanged(kept.board, 0, first), "catan: the board is not one that board=random lays"),
        ({"board": "beginner"}, kept.board, "board=beginner lays"),
        ({"board": layout_text(BEGINNER)}, kept.board, "its option board lays"),
    ]
    for options, board, sentence in cases:
        record = dataclasses.replace(kept, options={**kept.options, **options}, board=board)
        with pytest.raises(OptionError, match=sentence):
            replay(record)


def test_adjacent_red_numbers_are_not_balanced():
    board = capabilities.layout(Catan(board="balanced").start(0))
    red = [n for n, tile in enumerate(board["tiles"]) if tile.split()[-1] in ("6", "8")]
    neighbour = next(
        n
        for n in TOPOLOGY.tile_tiles[red[0]].tolist()
        if n not in (*red, NONE) and board["tiles"][n] != "desert"
    )
    with pytest.raises(OptionError, match="not one that board=balanced lays"):
        layouts.ensure_allowed("balanced", json.dumps(exchanged(board, red[1], neighbour)))


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        (5, "catan: board must be random, beginner"),
        ("random", "catan: board must be random, beginner"),
        ({}, 'catan: board: a layout has "tiles" and "ports"'),
        ({"tiles": [], "ports": {}}, "catan: board: a layout lists 19 tiles"),
    ],
)
def test_invalid_board_is_refused_in_a_sentence(kept, board, sentence):
    with pytest.raises(OptionError, match=sentence):
        replay(dataclasses.replace(kept, board=board))
