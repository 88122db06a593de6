"""Networks in a tournament of Hex: each plays its games with either starter."""

import math

import pytest

import meeple
from meeple.errors import CheckpointError
from meeple.learn.config import parse_config
from meeple.nets.checkpoint import save
from meeple.nets.network import ActorNetwork
from meeple_oht.agent_client import AgentClient
from meeple_oht.rules import TournamentRules
from meeple_oht.standings import table_of
from meeple_oht.store import TournamentStore
from tests.naive.hex import NaiveHex
from tests.oht.hosts import PATIENCE, all_done, hosting, running, token_of
from tests.oht.plain_client import OldClient, PlainClient

SIZE, GAMES = 3, 2


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """An untrained network, for games that player 1 begins."""
    game = meeple.make("hex", size=SIZE, first=1)
    config = parse_config(
        f'[game]\nname = "hex"\noptions = {{ size = {SIZE} }}\n'
        '[network]\nkind = "conv"\nchannels = 4\nblocks = 1\ncritic = true\n'
    )
    path = tmp_path_factory.mktemp("network") / "hex.safetensors"
    weights = ActorNetwork(config.architecture(game), seed=3).weights
    save(path, weights, game="hex", options=dict(game.options), variants=[{"first": 2}])
    return path


def last_free(state):
    free = [cell for cell, code in enumerate(state[1:]) if code == 0]
    return list(divmod(free[-1], SIZE))


def counted(store):
    """Return each player's number of wins, by the rules and the stored moves only."""
    won = dict.fromkeys((row.uid for row in store.players()), 0)
    for series in store.series(kind="league"):
        for game in store.games(series=series.id):
            naive = NaiveHex(SIZE, swap=False, first=game.starter - 1)
            for action in store.moves(game.id):
                assert action in naive.legal()
                naive.play(action)
            winner = naive.winner()
            assert winner is not None
            assert game.starter == 1 + game.number % 2
            won[series.uids[winner]] += 1
    return won


@pytest.mark.slow
def test_networks_play_a_whole_tournament_in_both_dialects(tmp_path, network):
    specs = {"Ada": f"policy:{network}", "Bob": f"puct:{network},sims=12,symmetries=all"}
    names = [*specs, "Cid", "Dot"]
    house = f"puct:{network},sims=12"
    rules = TournamentRules(games=GAMES, seconds=PATIENCE)
    game = meeple.make("hex", size=SIZE)
    with hosting(tmp_path, names, rules, game=game, old=True, specs=[house]) as host:
        new, old = host.ports
        agents = {
            "Ada": AgentClient(specs["Ada"], token_of("Ada"), "127.0.0.1", new),
            "Bob": AgentClient(specs["Bob"], token_of("Bob"), "127.0.0.1", old, dialect="2020"),
        }
        for agent in agents.values():
            agent.get_ready(game)
        plain = {
            "Cid": PlainClient(new, token_of("Cid"), last_free),
            "Dot": OldClient(old, token_of("Dot"), last_free),
        }
        scores: dict[str, float | None] = {}
        clients = [*agents.items(), *plain.items()]
        all_done(running(*(lambda n=n, c=c: scores.update({n: c.run()}) for n, c in clients)))
        host.join()
    store = TournamentStore.open(host.file)
    won, each = counted(store), GAMES * len(names)
    assert not store.faults()
    table = {row.name: row for row in table_of(store).rows}
    assert {row.uid: table[row.name].won for row in store.players()} == won
    assert sum(won.values()) == GAMES * math.comb(len(names) + 1, 2)
    by_name = {row.name: round(100 * won[row.uid] / each, 2) for row in store.players()}
    assert scores == {name: by_name[name] for name in names}
    store.close()


def test_a_network_that_cannot_play_the_game_is_refused_before_it_connects(network):
    for game in (meeple.make("gomoku", size=SIZE), meeple.make("reversi", size=4)):
        client = AgentClient(f"policy:{network}", "token", "127.0.0.1", 1)
        with pytest.raises(CheckpointError, match="was trained for hex"):
            client.get_ready(game)
