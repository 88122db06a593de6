"""Two of our agents play the same game over the protocol and directly."""

import pytest

import meeple
from meeple.arena.games.play import play_game
from meeple.arena.plan.seeds import seeds_of
from meeple_oht.agent_client import AgentClient
from meeple_oht.rules import TournamentRules
from meeple_oht.standings import records_of
from meeple_oht.store import TournamentStore
from meeple_oht.wire.boards import WireBoard
from tests.oht.hosts import PATIENCE, all_done, hosting, running, token_of

SPECS = {"Ada": "uct:sims=60", "Bob": "uct:sims=90"}


@pytest.mark.parametrize(
    ("name", "options", "old"),
    [
        ("hex", {"size": 5}, False),
        ("hex", {"size": 4, "swap": True}, True),
        ("reversi", {"size": 4}, False),
        ("nim", {"heaps": "2,3"}, False),
    ],
)
def test_games_over_the_protocol_equal_direct_games(tmp_path, name, options, old):
    game, games = meeple.make(name, **options), 2
    with hosting(
        tmp_path, SPECS, TournamentRules(games=games, seconds=PATIENCE), game=game, old=old
    ) as host:
        dialects = {"Ada": "2023", "Bob": "2020" if old else "2023"}
        clients = [
            AgentClient(
                spec,
                token_of(who),
                "127.0.0.1",
                host.ports[dialects[who] == "2020"],
                seed=seed,
                dialect=dialects[who],
            )
            for seed, (who, spec) in enumerate(SPECS.items(), start=1)
        ]
        all_done(running(*(client.run for client in clients)))
        host.join()
    store = TournamentStore.open(host.file)
    board = WireBoard(game)
    for number, record in enumerate(records_of(store)):
        starter = 1 + number % 2
        begun = board.begun_by(starter)
        agents = [meeple.agent(spec, begun) for spec in SPECS.values()]
        seeds = [seeds_of(who, 1 + number, count=1)[0] for who in (1, 2)]
        order = [board.player(seat, starter) - 1 for seat in (0, 1)]
        played = play_game(
            begun,
            [agents[at] for at in order],
            [store.games()[number].seed, *(seeds[at] for at in order)],
        )
        assert list(record.actions) == list(names(begun, played.position.actions, record.seed))
        assert tuple(played.position.payoffs) == record.payoffs
    assert number + 1 == games
    store.close()


def names(game, actions, seed):
    """Return the names of actions in the order of play."""
    position = game.start(seed)
    for action in actions:
        yield position.action_name(action)
        position.play(action)
