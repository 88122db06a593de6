"""Benchmarks of rules: random games, optionally against catanatron, and perft."""

from bench.speed.measuring import Figures, best_and_median, in_turns, rate_of, ratios
from bench.speed.subjects import BenchOptions, about
from meeple.errors import UsageError
from meeple.extras import need
from meeple.games.contract.game import Game
from meeple.search.perft import perft as count_positions
from meeple.search.random_games import play_random_games

SLOW_SLICES = 10  # multiple of a repeat's duration for slow games of very different lengths


def games(options: BenchOptions) -> Figures:
    """`python -m bench games`."""
    game = options.open()
    return about(game) | game_speed(game, options.times, peer=options.vs is not None)


def perft(options: BenchOptions) -> Figures:
    """`python -m bench perft`."""
    if options.depth is None:
        raise UsageError("perft needs a number of plies: --depth N")
    game = options.open()
    return about(game) | perft_speed(game, options.depth, options.times)


def game_speed(game: Game, repeats: int, peer: bool = False) -> Figures:
    """Measure random games through the compiled rules, move by move, on one thread.

    With `peer`, catanatron plays too, with the same number of random players; both programs play
    all their games on one island. Plies are compared with catanatron's log, which has no chance.
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
        """Play a game and return 1, the number of games played."""
        colours = list(self._theirs.Color)[: self.players]
        people = [self._theirs.RandomPlayer(colour) for colour in colours]
        self.games += 1
        goal, island = self.points, self._island
        played = self._theirs.Game(people, seed=self.games, vps_to_win=goal, catan_map=island)
        played.play()
        self.plies += len(played.state.actions)
        return 1


CATANATRON = {  # the only values of these options that catanatron supports
    "domestic_trade": False,
    "board": "random",
    "robber": True,
    "development_cards": True,
    "discard_limit": 7,
    "friendly_robber": False,
    "max_turns": 1000,
}


def catanatron_game(game: Game) -> tuple[int, int]:
    """Return players and winning points of catanatron's game; raise UsageError if it has none."""
    options = dict(game.options)
    if game.name != "catan" or any(options[name] != value for name, value in CATANATRON.items()):
        raise UsageError(
            f"catanatron has no game like {game!r}; compare catan with domestic_trade=off, "
            "and of the other options only players, victory_points, payoff or hidden_hands"
        )
    return int(options["players"]), int(options["victory_points"])


def perft_speed(game: Game, depth: int, repeats: int) -> Figures:
    """Count positions at each depth from the start, and measure the speed at the greatest depth.

    `positions_per_second` counts the moves of the last ply without playing them, as is usual;
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
