"""What is measured of rules: random games, against catanatron where asked for, and perft."""

from meeple.cli.bench.measuring import Figures, best_and_median, in_turns, rate_of, ratios
from meeple.cli.bench.subjects import Asked, about
from meeple.errors import UsageError
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.search.perft import perft as count_positions
from meeple.search.random_games import play_random_games

SLOW_SLICES = 10  # so many times as long, where games are slow and of very different lengths


def games(asked: Asked) -> Figures:
    """`meeple bench games`."""
    game = asked.open()
    return about(game) | game_speed(game, asked.times, peer=asked.vs is not None)


def perft(asked: Asked) -> Figures:
    """`meeple bench perft`."""
    if asked.depth is None:
        raise UsageError("perft needs a number of plies: --depth N")
    game = asked.open()
    return about(game) | perft_speed(game, asked.depth, asked.times)


def game_speed(game: Game, repeats: int, peer: bool = False) -> Figures:
    """Random games through the compiled rules, move by move, on one thread.

    Against catanatron if asked for: four random players or as many as the game has, and both play
    all their games on one island. Plies are compared with what it logs, which has no chance in it.
    """
    if peer:
        need("catanatron", "the comparison")
    position, plies, games = game.start(), 0, 0

    def play() -> int:
        nonlocal plies, games
        games += 50
        plies += play_random_games(position, 50, seed=games)
        return 50

    works = [lambda: rate_of(play)]
    if peer:
        theirs = _CatanatronGames(game)
        works.append(lambda: rate_of(theirs.play, SLOW_SLICES))
    rates = in_turns(works, repeats)
    figures = {"repeats": repeats, **best_and_median("games_per_second", rates[0])}
    figures["plies_per_second"] = round(max(rates[0]) * plies / games)
    figures["plies_per_game"] = round(plies / games, 1)
    if peer:
        length = theirs.plies / theirs.games
        figures |= best_and_median("peer_games_per_second", rates[1], 2)
        figures["peer_plies_per_second"] = round(max(rates[1]) * length)
        figures["peer_plies_per_game"] = round(length, 1)
        figures |= ratios(rates)
        figures["peer"] = "catanatron (Python)"
    return figures


class _CatanatronGames:
    """Games of catanatron among random players, all on one island."""

    def __init__(self, game: Game) -> None:
        self.players, self.points = catanatron_game(game)
        self.games = self.plies = 0
        import catanatron
        from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap

        self._theirs = catanatron
        self._island = CatanMap.from_template(BASE_MAP_TEMPLATE)

    def play(self) -> int:
        """Play a game; how many that is."""
        colours = list(self._theirs.Color)[: self.players]
        people = [self._theirs.RandomPlayer(colour) for colour in colours]
        self.games += 1
        goal, island = self.points, self._island
        played = self._theirs.Game(people, seed=self.games, vps_to_win=goal, catan_map=island)
        played.play()
        self.plies += len(played.state.actions)
        return 1


CATANATRON = {  # the options in which it can only play so
    "domestic_trade": False,
    "board": "random",
    "robber": True,
    "development_cards": True,
    "discard_limit": 7,
    "friendly_robber": False,
    "max_turns": 1000,
}


def catanatron_game(game: Game) -> tuple[int, int]:
    """Players and winning points of catanatron's game. Raises UsageError where it has none such."""
    options = dict(game.options)
    if game.name != "catan" or any(options[name] != value for name, value in CATANATRON.items()):
        raise UsageError(
            f"catanatron has no game like {game!r}; compare catan with domestic_trade=off, "
            "and of the other options only players, victory_points, payoff or hidden_hands"
        )
    return int(options["players"]), int(options["victory_points"])


def perft_speed(game: Game, depth: int, repeats: int) -> Figures:
    """Positions at each depth from the start, and how many a second at the deepest.

    `positions_per_second` counts the moves of the last ply without playing them, as is the custom;
    `played_positions_per_second` plays them all.
    """
    position = game.start()
    counts = [count_positions(position, plies) for plies in range(1, depth + 1)]
    works = [lambda: rate_of(lambda: count_positions(position, depth))]
    works.append(lambda: rate_of(lambda: count_positions(position, depth, bulk=False)))
    counted, played = in_turns(works, repeats)
    return {
        "depth": depth,
        "counts": counts,
        "repeats": repeats,
        **best_and_median("positions_per_second", counted),
        **best_and_median("played_positions_per_second", played),
    }
