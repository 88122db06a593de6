"""Catan's game class for the registry: options, start state and texts."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from meeple.errors import OptionError
from meeple.games.catan import features, habits, layouts, observe, statistics
from meeple.games.catan.belief import resample
from meeple.games.catan.belief.events import Event, event
from meeple.games.catan.belief.seat_belief import SPECTATOR, CatanBelief
from meeple.games.catan.rules import legal, play
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import BEGINNER, Layout, lay_out, parse_layout
from meeple.games.catan.rules.topology import PORTS, TILES, TOPOLOGY
from meeple.games.catan.strategy import heuristic, narrow, prune
from meeple.games.catan.trade import bargaining
from meeple.games.catan.words import drawing as text
from meeple.games.catan.words import explanations, menus, names, reasons, sentences
from meeple.games.catan.words import scene as scenes
from meeple.games.contract.game import Game, Position
from meeple.games.contract.lessons import Lesson, read_lesson
from meeple.games.contract.rules import refuse
from meeple.kernels import kernel
from meeple.options import Choice, Flag, Integer, OptionValue, Text

_EDGE_VERTICES = TOPOLOGY.edge_vertices
_MAX_POINTS_WITHOUT_CARDS = c.SETTLEMENTS_PER_SEAT + 2 * c.CITIES_PER_SEAT + 2
"""Points of all settlements, all cities and the longest road."""
_DECK = np.array(c.DECK_CARDS, dtype=np.int8)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Start on an empty island, shuffled as the options say."""
    lay_out(options, rng)
    s.players = options.players
    s.victory_points = options.victory_points
    s.discard_limit = options.discard_limit
    s.with_robber = options.robber
    s.with_cards = options.development_cards
    s.with_trade = options.domestic_trade
    s.with_deals = options.deals
    s.hidden_hands = options.hidden_hands
    s.friendly_robber = options.friendly_robber
    s.by_points = options.by_points
    s.max_turns = options.max_turns
    s.max_actions = options.max_actions
    s.robber = c.NO_SEAT
    for tile in range(TILES):
        s.tile_resource[tile] = options.tile_resource[tile]
        s.tile_number[tile] = options.tile_number[tile]
        if s.with_robber and s.tile_resource[tile] == c.DESERT:
            s.robber = tile
    for port in range(PORTS):
        for end in range(2):
            s.vertex_port[_EDGE_VERTICES[options.port_edge[port], end]] = options.port[port]
    for seat in range(s.players):
        s.roads[seat] = c.ROADS_PER_SEAT
        s.settlements[seat] = c.SETTLEMENTS_PER_SEAT
        s.cities[seat] = c.CITIES_PER_SEAT
    for kind in range(c.KINDS):
        s.bank[kind] = c.BANK_CARDS
        s.deck[kind] = _DECK[kind] if s.with_cards else 0
    if not s.with_robber:
        s.deck[c.KNIGHT] = 0
    s.longest_road = c.NO_SEAT
    s.largest_army = c.NO_SEAT
    s.victim = c.NO_SEAT
    s.clause = c.NO_CLAUSE
    s.phase = c.SETTLE
    s.to_move = 0


def _board_of(word: str) -> tuple[int, Layout]:
    """Return how the option `board` shuffles, and the layout before it is shuffled."""
    kinds = {"random": c.SHUFFLED, "balanced": c.BALANCED, "beginner": c.FIXED}
    if word in kinds:
        return kinds[word], BEGINNER
    return c.FIXED, parse_layout(word)


class Catan(Game):
    """The base game for 2 to 4 players."""

    name = "catan"
    summary = "settle an island, trade, and be the first to ten points"
    can_be_drawn = False
    declared = {
        "players": Integer(4, 2, 4, "seats"),
        "board": Text(
            "random", "random, beginner, balanced, or a layout as JSON", _board_of, "the island"
        ),
        "victory_points": Integer(10, 3, 20, "points that win on the player's own turn"),
        "discard_limit": Integer(7, 5, 20, "cards in a hand above which a 7 discards half"),
        "robber": Flag(True, "the robber"),
        "development_cards": Flag(True, "development cards"),
        "domestic_trade": Flag(True, "trade between players"),
        "deals": Flag(False, "deals of several players, also about the robber and buildings"),
        "hidden_hands": Flag(True, "players see only their own hand"),
        "friendly_robber": Flag(False, "the robber spares players with at most 2 public points"),
        "payoff": Choice("win", ("win", "points"), "the winner takes all, or shares by points"),
        "max_turns": Integer(1000, 1, 10_000, "turns after which the win is shared by points"),
    }
    examples: ClassVar[Sequence[Mapping[str, Any]]] = (
        {},
        {"players": 3, "board": "balanced", "deals": True},
        {"players": 2, "board": "beginner", "domestic_trade": False, "friendly_robber": True},
        {
            "players": 2,
            "board": "beginner",
            "domestic_trade": False,
            "payoff": "points",
            "max_turns": 2,
        },
    )
    max_moves = c.MAX_MOVES
    transpositions = False
    open_actions = True  # only chance outcomes are hidden: cards that are stolen or drawn
    State = c.State
    Options = c.Options
    Features = features.Features
    kernel_modules: ClassVar[Sequence[ModuleType]] = (
        legal,
        play,
        observe,
        features,
        heuristic,
        narrow,
        prune,
        resample,
    )

    def configure(self) -> None:
        settings = self.settings
        if settings["friendly_robber"] and not settings["robber"]:
            raise refuse(self, "without the robber friendly_robber must be off")
        most = _MAX_POINTS_WITHOUT_CARDS
        if not settings["development_cards"] and int(settings["victory_points"]) > most:
            raise refuse(
                self,
                f"without development cards a player has at most {most} points: victory_points "
                "must be at most that",
            )
        self.players = int(self.options["players"])
        deals = bool(settings["deals"])
        if deals and not settings["domestic_trade"]:
            raise refuse(self, "deals are trade between players: domestic_trade must be on")
        self.num_actions = c.NUM_ACTIONS_WITH_DEALS if deals else c.NUM_ACTIONS
        self.max_plies = 3500 * int(self.options["max_turns"])
        length = observe.OBSERVATION_LENGTH + (observe.DEAL_FEATURES if deals else 0)
        self.observation_shape = (length,)

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """Return the options, including those fixed by a variant of the game."""
        return self.options

    def encode_options(self, options: Any) -> None:
        for name in self.declared:
            if name in options.dtype.names and name != "board":
                setattr(options, name, self.options[name])
        options.by_points = self.options["payoff"] == "points"
        options.board, layout = _board_of(str(self.options["board"]))
        options.tile_resource = layout.tiles
        options.tile_number = layout.numbers
        options.port_edge = layout.port_edges
        options.port = layout.ports

    @property
    def hides(self) -> bool:
        """Return whether hands are hidden, as the options say."""
        return bool(self.options["hidden_hands"])

    sight = staticmethod(event)
    sight_to_json = staticmethod(Event.to_json)
    sight_from_json = staticmethod(Event.of)

    def belief(self, seat: int, seed: int = 0) -> CatanBelief:
        """Return the joint distribution of all hands, given what a seat or SPECTATOR observed."""
        return CatanBelief(
            seat if seat == SPECTATOR else self.checked_seat(seat),
            self.players,
            victory_points=int(self.options["victory_points"]),
            robber=bool(self.options["robber"]),
            seed=seed,
        )

    # ------------------------------------------------------------ trade

    offers = staticmethod(bargaining.offers)
    partners = staticmethod(bargaining.partners)
    answers = staticmethod(bargaining.answers)
    without_offers = staticmethod(bargaining.without_offers)
    agreed = staticmethod(bargaining.agreed)
    offer_words = staticmethod(bargaining.offer_words)

    def gains(self, trades: Sequence[tuple[bargaining.Plan, int]]) -> list[tuple[int, ...]]:
        return [bargaining.gains(*trade) for trade in trades]

    def refusal(self, position: Position) -> int | None:
        return c.REFUSE if position.state.phase in (c.ANSWER, c.CONSENT) else None

    # ------------------------------------------------------------ games and their boards

    habits = staticmethod(habits.habits)
    statistics = staticmethod(statistics.statistics)

    def in_setup(self, position: Position) -> bool:
        """Return whether a player places a settlement or road of the set-up."""
        return position.state.phase in (c.SETTLE, c.SETTLE_ROAD)

    def layout(self, position: Position) -> dict[str, Any] | None:
        """Return the island in the format of the option `board`; None without that option."""
        return layouts.layout_of(position.state) if "board" in self.declared else None

    def with_layout(self, layout: Any) -> Game:
        """Return the same game on an explicit board.

        Raises:
            OptionError: the game's option `board` does not allow this board.
        """
        if "board" not in self.declared:
            raise refuse(self, "its board is the same in every game")
        text = json.dumps(layout)
        game = type(self)(**{**self.options, "board": text})
        try:
            layouts.ensure_allowed(str(self.options["board"]), text)
        except OptionError as error:
            raise refuse(self, str(error)) from None
        return game

    # ------------------------------------------------------------ for people

    action_name = staticmethod(names.action_name)
    parse_action = staticmethod(names.parse_action)
    draw = staticmethod(text.draw)
    view = staticmethod(text.view)
    scene = staticmethod(scenes.scene)
    parse_line = staticmethod(menus.parse_line)
    action_groups = staticmethod(menus.groups)
    guide = staticmethod(menus.guide)
    describe_action = staticmethod(sentences.describe_action)
    explain_action = staticmethod(reasons.explain_action)
    explanations = staticmethod(explanations.explanations)

    def lesson(self) -> Lesson:
        return read_lesson(Path(__file__).with_name("lesson.toml"))

    def spots(self, action: int) -> tuple[str, ...]:
        """Return the vertex, the edge or the tile of an action that places something."""
        return scenes.spots(action) if action < c.ROB else ()
