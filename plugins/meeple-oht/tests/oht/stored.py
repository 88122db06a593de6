"""A tournament's file during its league, written without a host."""

import meeple
from meeple_oht.players import RegisteredPlayer
from meeple_oht.rules import TournamentRules
from meeple_oht.store import PLAYING, READY, TournamentStore

NAMES = ("Ada", "Bob", "Cid")
SIZE = 5


def stored(folder):
    """Write the file: Ada won a game by the rules, Bob lost one by a fault, one is in progress."""
    file = folder / "oht.sqlite"
    players = [RegisteredPlayer(name, f"token of {name}") for name in NAMES]
    store = TournamentStore.begin(
        file, meeple.make("hex", size=SIZE), TournamentRules(games=2), players, 1
    )
    for uid in (1, 2, 3):
        store.set_player(uid, state=READY, connected=uid != 2)
    store.begin_league([(1, 2), (3, 1), (2, 3)], 2)
    for id in (1, 2):
        store.set_series(id, PLAYING)
    play(store, store.add_game(1, 0, 1, 7).id, [0, 1, 5, 6, 10, 11, 15, 16, 20])
    store.end_game(1, 1, "rules")
    play(store, store.add_game(1, 1, 2, 8).id, [12])
    store.add_fault(2, 2, "illegal", "[9, 9] is illegal")
    store.end_game(2, 1, "illegal")
    play(store, store.add_game(2, 0, 1, 9).id, [12, 7, 8])
    store.close()
    return file


def play(store, game, actions):
    for ply, action in enumerate(actions):
        store.add_move(game, ply, action, 0.1)
