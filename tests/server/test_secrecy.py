"""No byte sent to a seat reveals hidden information, in whole games of Catan.

Every view is compared with the view for other hidden cards: another determinization is drawn from
the seat's belief each time. Messages of a server are compared with these views.
"""

import json

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.games.catan.belief.seat_belief import SPECTATOR
from meeple.games.catan.rules.state import DRAW, STEAL
from meeple.server.play.seats import Seat
from meeple.server.play.stored import new_stored, table_of
from meeple.server.play.views import view_of
from meeple.server.store import Ply
from tests.server.tables import ME, agent, at, begin

SAMPLES = 2
TIMES = {"thinking", "can"}  # the thinking seat, since when, and whether it can be hurried
WORDS = ("wood", "brick", "wool", "grain", "ore", "knight", "victory", "monopoly", "plenty", "road")


def other_determinizations(position, belief, rng):
    """Yield the same position with other hidden cards that are consistent with a seat's belief."""
    belief.follow(position)
    for _ in range(SAMPLES):
        twin = position.copy()
        belief.sample(twin.row, rng)
        yield twin


def as_sent(table, you, since=0):
    view = view_of(table, you, since=since)
    return json.dumps(without_time(view))


def without_time(view):
    """Return the view without the thinking seat and its time."""
    return {key: value for key, value in view.items() if key not in TIMES}


def play_whole(seed, **options):
    """Play a game of sensible actions; return its plies."""
    game = meeple.make("catan", **options)
    position, player = game.start(seed), meeple.agent("weighted", game, seed)
    while not position.is_over:
        if position.to_move == kernels.CHANCE:
            position.play_chance()
        else:
            position.play(player.choose(position))
    return position


@pytest.mark.slow
@pytest.mark.parametrize("seat", [2, None])
def test_a_view_does_not_depend_on_hidden_cards(seat):
    played = play_whole(7, players=3, victory_points=6)
    table = table_at_start(played)
    rng = kernels.new_rng(3)
    you = frozenset() if seat is None else frozenset((seat,))
    belief = played.game.belief(SPECTATOR if seat is None else seat)
    differing = 0
    for action in played.actions:
        table.history.play(action)
        if table.position.to_move < 0:
            continue
        sent = as_sent(table, you, since=table.ply - 1)
        true = table.position
        for twin in other_determinizations(true, belief, rng):
            differing += not np.array_equal(twin.row, true.row)
            table.history.position = twin
            assert as_sent(table, you, since=table.ply - 1) == sent
        table.history.position = true
    assert differing > 50, (
        "the determinizations that were drawn hardly differed: this shows nothing"
    )


def table_at_start(played):
    """Return a table at the start of a game, with agents in all seats."""
    game = played.game
    seats = [Seat("agent", spec="weighted") for _ in range(game.players)]
    return table_of(new_stored(game.start(played.seed), seats, {"help": True}, {}))


@pytest.mark.parametrize("seed", [4, 9])
@pytest.mark.slow
def test_details_of_a_steal_or_a_card_are_sent_only_to_players_who_saw_it(seed):
    played = play_whole(seed, players=3, victory_points=6)
    table = table_at_start(played)
    steals = 0
    for ply, step in enumerate(played.steps()):
        before = step.before.view(played.game.State)[0]
        table.history.play(step.action)
        if before.phase not in (STEAL, DRAW):
            continue
        steals += 1
        saw = {int(before.on_turn)} | ({int(before.victim)} if before.phase == STEAL else set())
        told = [one for one in table.history.told if one.ply == ply]
        for seat in (None, 0, 1, 2):
            text = " ".join(one.to(seat) for one in told)
            names_it = any(word in text for word in WORDS)
            assert names_it == (seat in saw), (seat, saw, text)
    assert steals > 3


@pytest.mark.slow
def test_every_message_of_a_game_is_the_view_of_its_seat_without_the_seed(client):
    seats = [ME, agent("weighted"), agent("greedy:determinizations=1")]
    options = {"players": 3, "victory_points": 5}
    made = begin(client, seats, game="catan", options=options, seed=1_234_567_891)
    received = []
    with at(client, made["id"], made["tokens"].values()) as me:
        chooser = np.random.default_rng(5)
        while me.view["status"] != "over":
            received.append(me.view)
            if not me.view["actions"]:
                me.until(lambda view: True)
                continue
            ids = [one["id"] for one in without_trades(me.view["actions"])]
            ply = me.view["ply"]
            me.say("play", ply=ply, actions=[int(chooser.choice(ids))])
            me.until(lambda view, ply=ply: view["ply"] > ply)
    assert me.view["result"]["how"] == "rules"
    stored, plies = client.app.state.services.resources.store.game(made["id"])
    assert str(stored.seed) not in json.dumps(received)
    table = table_of(stored)
    table.status, table.result = "playing", None
    seat = frozenset((0,))
    for number, ply in enumerate([*plies, Ply(-1)]):
        for view in [view for view in received if view["ply"] == number]:
            again = view_of(table, seat, since=view["events"]["from"], here=seat)
            for key in without_time(again):
                assert json.dumps(again[key]) == json.dumps(view[key]), key
        if ply.action >= 0:
            table.history.play(ply.action, ply.value)
    assert len(received) > 50


def without_trades(actions):
    """Exclude trade between players, so that the game ends."""
    quiet = [a for a in actions if not a["name"].startswith(("offer", "ask"))]
    return quiet or actions
