"""Records of Catan replay to the identical state on their board, and tampering is detected."""

import dataclasses
import json
import re

import numpy as np
import pytest

from meeple.errors import IllegalAction, MeepleError, OptionError
from meeple.games.catan import layouts
from meeple.games.catan.game import Catan
from meeple.games.catan.rules.layout import BEGINNER, layout_text
from meeple.games.catan.rules.topology import NONE, TOPOLOGY
from meeple.games.contract import capabilities
from meeple.games.contract.records import GameRecord, positions, record_of, replay
from tests.games.catan.positions import plies
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


def changed(record, place, *names):
    """Return the record with these actions instead of one."""
    actions = (*record.actions[:place], *names, *record.actions[place + 1 :])
    return dataclasses.replace(record, actions=actions)


def places_of(record, start):
    return [place for place, name in enumerate(record.actions) if name.startswith(start)]


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


def test_game_resumed_from_its_record_has_the_dice_of_its_seed():
    whole = Catan(players=2).start(5)
    while len(whole.actions) < 60:
        go_on(whole)
        if len(whole.actions) == 30:
            broken_off = record_of(whole, "ab")
    again = replay(broken_off)
    while len(again.actions) < 60:
        go_on(again)
    assert again.actions == whole.actions


def go_on(position):
    """Play a ply that depends only on the position and its seed."""
    if position.to_move < 0:
        position.play_chance()
    else:
        position.play(int(position.legal_actions()[0]))


def test_record_contains_its_board(kept, last):
    lands = [tile.split()[0] for tile in kept.board["tiles"]]
    assert (len(lands), lands.count("desert"), len(kept.board["ports"])) == (19, 1, 9)
    explicit = Catan(board=json.dumps(kept.board)).start(0)
    for field in ("tile_resource", "tile_number", "vertex_port"):
        assert explicit.state[field].tolist() == last.state[field].tolist()


def test_record_replays_on_its_board_even_if_the_seed_gives_another(kept, last):
    """A record stays valid if the shuffling of boards changes."""
    again = replay(dataclasses.replace(kept, seed=kept.seed + 1))
    assert again.row.tobytes() == last.row.tobytes()
    assert json.loads(str(again.game.options["board"])) == kept.board


def test_record_without_a_board_uses_that_of_its_seed(kept, last):
    assert replay(dataclasses.replace(kept, board=None)).row.tobytes() == last.row.tobytes()


@pytest.mark.parametrize("seed", range(20))
def test_every_board_of_every_option_is_valid_in_a_record(seed):
    for option in ("random", "balanced", "beginner"):
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
    place = places_of(kept, start)[0]
    with pytest.raises(IllegalAction, match=f"action {place + 1} of the record, {sentence}"):
        replay(changed(kept, place, name))


def test_stolen_card_must_be_in_the_victims_hand(kept):
    for place, position in enumerate(positions(kept)):
        if place < len(kept.actions) and kept.actions[place].startswith("stole"):
            there = {position.action_name(outcome) for outcome in position.legal_actions()}
            missing = [
                r for r in ("wood", "brick", "wool", "grain", "ore") if f"stole {r}" not in there
            ]
            break
    with pytest.raises(IllegalAction, match=f"action {place + 1} .*chance to move"):
        replay(changed(kept, place, f"stole {missing[0]}"))


def test_seat_that_cannot_pay_is_named(kept):
    for position in positions(kept):
        legal = {position.action_name(action) for action in position.legal_actions()}
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
        names = {"removed": (), "doubled": (here, here), "swapped": (after, here)}[what]
        record = changed(kept, place, *names)
        if what == "swapped":
            record = dataclasses.replace(
                record, actions=(*record.actions[: place + 2], *record.actions[place + 3 :])
            )
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


def test_wrong_payoffs_are_detected(kept):
    with pytest.raises(MeepleError, match="the rules give"):
        replay(dataclasses.replace(kept, payoffs=(0.25,) * 4))


def with_tiles(board, change):
    tiles = list(board["tiles"])
    change(tiles)
    return {**board, "tiles": tiles}


def exchange(one, two):
    def change(tiles):
        tiles[one], tiles[two] = tiles[two], tiles[one]

    return change


def test_exchanged_board_is_detected_by_an_unpayable_action(kept):
    """Exchange two terrains but not their numbers, which gives a valid board."""
    tiles = [tile.split() for tile in kept.board["tiles"]]
    one, two = (
        next(place for place, (land, *_) in enumerate(tiles) if land == name)
        for name in ("wood", "ore")
    )

    def change(words):
        words[one], words[two] = f"ore {tiles[one][1]}", f"wood {tiles[two][1]}"

    with pytest.raises(IllegalAction, match=r"action \d+ of the record, player \d to move"):
        replay(dataclasses.replace(kept, board=with_tiles(kept.board, change)))


def test_board_that_contradicts_the_option_is_refused(kept):
    first = next(n for n, tile in enumerate(kept.board["tiles"]) if tile != kept.board["tiles"][0])
    moved = with_tiles(kept.board, exchange(0, first))
    cases = [
        ({}, moved, "catan: the board is not one that board=random lays"),
        ({"board": "beginner"}, kept.board, "board=beginner lays"),
        ({"board": layout_text(BEGINNER)}, kept.board, "its option board lays"),
    ]
    for options, board, sentence in cases:
        record = dataclasses.replace(kept, options={**kept.options, **options}, board=board)
        with pytest.raises(OptionError, match=sentence):
            replay(record)


def test_adjacent_red_numbers_are_not_balanced():
    position = Catan(board="balanced").start(0)
    board = capabilities.layout(position)
    red = [n for n, tile in enumerate(board["tiles"]) if tile.split()[-1] in ("6", "8")]
    neighbour = next(
        n
        for n in TOPOLOGY.tile_tiles[red[0]].tolist()
        if n not in (*red, NONE) and board["tiles"][n] != "desert"
    )
    close = with_tiles(board, exchange(red[1], neighbour))
    with pytest.raises(OptionError, match="not one that board=balanced lays"):
        layouts.ensure_allowed("balanced", json.dumps(close))


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
