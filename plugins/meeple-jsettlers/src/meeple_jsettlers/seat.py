"""A seat at a table: follows the messages of one game, and lets a player answer them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from meeple.agents.agent import Agent
from meeple.errors import MeepleError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple_jsettlers import board
from meeple_jsettlers.player import CHAIRS, Player
from meeple_jsettlers.state import SETUP, State
from meeple_jsettlers.table import CARDS, CITY, SETTLEMENT, Snapshot, Table
from meeple_jsettlers.wire import Kind, Message, whole

PATIENCE = 8.0
"""Seconds for which an offer waits for answers; robots take up to 3."""
_SET = 100  # sets an element; others add to it or take away
_DRAW, _PLAY, _ADD_NEW, _ADD_OLD = 0, 1, 2, 3  # what happens to a development card
_HAND = range(1, c.KINDS + 1)  # elements of a player: cards of each resource
_HIDDEN_HAND, _HAND_SIZE, _CARD_PLAYED, _KNIGHTS = 6, 17, 19, 15
_OTHER_CARDS = {22: c.YEAR_OF_PLENTY, 23: c.MONOPOLY, 24: c.ROAD_BUILDING}
_FIRST, _CURRENT, _LARGEST_ARMY, _LONGEST_ROAD = 3, 4, 5, 6  # elements of a game
_MONOPOLIZED = 3  # a simple action
_UNKNOWN = 6  # a resource
_OTHER_GAMES = {"SBL": "a sea board", "PLB": "the board of six", "SC": "a scenario"}

MakeAgent = Callable[[Catan, int], Agent]
"""Makes an agent for a game and a seed."""


class Seat:
    """One game: `hear` reads a message, and returns the answers to send."""

    def __init__(
        self,
        game: str,
        nick: str,
        options: str,
        make_agent: MakeAgent,
        *,
        seed: int = 1,
        patience: float = PATIENCE,
    ) -> None:
        """Wait for a game to begin.

        Args:
            game: its name on the server.
            nick: our own name there.
            options: of the server's game, such as "PL=4,RD=f".
            make_agent: makes the agent.
            seed: distinguishes games.
            patience: seconds for which an offer waits for answers.

        Raises:
            MeepleError: the options describe another game than Catan's base game.
        """
        self.game, self.nick, self.options = game, nick, options_of(options)
        self.names: dict[int, str] = {}  # by number of the player
        self.robots: set[int] = set()  # numbers of those that are robots
        self.scores: list[int] | None = None  # by number of the player, after the end
        self.asked: int | None = None  # the chair that a player asked for
        self.state = int(State.NEW)
        self.player: Player | None = None  # once the game has begun
        self._make_agent, self._seed, self._patience = make_agent, seed, patience
        self._snapshot = Snapshot()
        self._layout: str | None = None
        self._first = -1
        self._roll: int | None = None  # a throw whose cards are not reported yet
        self._sizes: dict[int, int] = {}  # of hands, as last reported
        self._before: dict[int, Callable[[Message], None]] = {
            Kind.BOARD_LAYOUT: self._see_board,
            Kind.PUT_PIECE: self._see_piece,
            Kind.CARD_ACTION: self._see_cards,
        }
        self._during: dict[int, Callable[[Message, Player], Iterable[str] | None]] = {
            Kind.PUT_PIECE: self._put_piece,
            Kind.CANCEL_BUILD_REQUEST: self._cancel,
            Kind.UNDO_PUT_PIECE: lambda _, player: player.table.take_back(),
            Kind.DICE_RESULT: self._dice,
            Kind.DICE_RESULT_RESOURCES: self._production,
            Kind.DISCARD_REQUEST: lambda message, player: player.discard(message.numbers[0]),
            Kind.DISCARD: self._discard,
            Kind.MOVE_ROBBER: lambda found, player: player.table.move_robber(found.numbers[1]),
            Kind.ROBBERY_RESULT: self._robbery,
            Kind.CARD_ACTION: self._card_action,
            Kind.PICK_RESOURCES: self._plenty,
            Kind.SIMPLE_ACTION: self._simple_action,
            Kind.BANK_TRADE: self._bank_trade,
            Kind.MAKE_OFFER: self._make_offer,
            Kind.ACCEPT_OFFER: self._accept_offer,
            Kind.REJECT_OFFER: lambda message, player: player.refused(message.numbers[0]),
            Kind.DECLINE_REQUEST: lambda message, player: player.declined(message),
        }
        self._always: dict[int, Callable[[Message], None]] = {
            Kind.SIT_DOWN: self._sit_down,
            Kind.START_GAME: self._start,
            Kind.TURN: self._turn,
            Kind.GAME_STATE: self._game_state,
            Kind.PLAYER_ELEMENT: self._elements,
            Kind.PLAYER_ELEMENTS: self._elements,
            Kind.GAME_ELEMENTS: self._game_elements,
            Kind.RESOURCE_COUNT: self._resource_count,
            Kind.GAME_STATS: self._stats,
        }

    @property
    def number(self) -> int | None:
        """Our own number at the table; None before we sit."""
        return next((number for number, name in self.names.items() if name == self.nick), None)

    def chair(self) -> int | None:
        """Return the chair to take: an empty one, or a robot's in a game that has begun."""
        chairs = range(CHAIRS)
        empty = [chair for chair in chairs if chair not in self.names]
        if self._layout is not None or self.state >= State.FIRST_SETTLEMENT:
            empty = [chair for chair in chairs if chair in self.robots]
        return empty[0] if empty else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state >= State.OVER

    def hear(self, message: Message) -> list[str]:
        """Follow a message of this game, and return the answers to it.

        Raises:
            MeepleError: the message contradicts the rules of Catan.
        """
        kind = message.kind
        try:
            if kind in self._always:
                self._always[kind](message)
            elif self.player is None:
                if kind in self._before:
                    self._before[kind](message)
            elif kind in self._during and not self.is_over:
                return list(self._during[kind](message, self.player) or ())
        except (ValueError, LookupError, TypeError, OverflowError) as error:
            raise MeepleError(f"the server sent a malformed message: {message}") from error
        return []

    def act(self) -> list[str]:
        """Return what to send if nothing more comes: the next action, if it is our turn."""
        if self.player is None or self.is_over or self._roll is not None:
            return []
        return self.player.act(self.state)

    # ------------------------------------------------------------ the game and its players

    def _sit_down(self, message: Message) -> None:
        number = whole(message.fields[2])
        self.names[number] = message.fields[1]
        self.robots -= {number}
        if message.fields[3:4] == ("true",):
            self.robots.add(number)

    def _start(self, message: Message) -> None:
        if len(message.fields) > 1:
            self.state = message.numbers[0]

    def _begin(self) -> None:
        """Begin to play, once everything is known."""
        number = self.number
        playing = self.state in SETUP or State.ROLL_OR_CARD <= self.state < State.OVER
        if not playing or number is None or self._layout is None or self._first < 0:
            return
        around = [(self._first + place) % CHAIRS for place in range(CHAIRS)]
        players = [one for one in around if one in self.names]
        options, found = self.options, self._snapshot
        table = Table(players, number, self._layout, options, found, self.state, self._seed)
        agent = self._make_agent(table.game, self._seed)
        agent.begin(self._seed)
        self.player = Player(self.game, number, table, agent, self._patience)

    def _turn(self, message: Message) -> None:
        number, *rest = message.numbers
        self._finish_roll()
        self._snapshot.current = number
        self.state = rest[0] if rest else self.state
        if self.player is not None:
            self.player.begin_turn()
            if not self.is_over:
                self.player.table.turn(number, self.state in SETUP)
        else:
            if self._first < 0:
                self._first = number
            self._begin()

    def _game_state(self, message: Message) -> None:
        self._finish_roll()
        self.state = message.numbers[0]
        if self.player is None:
            self._begin()
        else:
            self.player.see_state()
            if not self.is_over:
                self.player.table.align(self.state)

    def _game_elements(self, message: Message) -> None:
        values = dict(_pairs(message.numbers))
        self._first = values.get(_FIRST, self._first)
        if self.player is None:
            found = self._snapshot
            found.current = values.get(_CURRENT, found.current)
            found.longest_road = values.get(_LONGEST_ROAD, found.longest_road)
            found.largest_army = values.get(_LARGEST_ARMY, found.largest_army)
        else:
            table = self.player.table
            table.award("longest_road", values.get(_LONGEST_ROAD))
            table.award("largest_army", values.get(_LARGEST_ARMY))

    def _stats(self, message: Message) -> None:
        if len(message.fields) > CHAIRS and not message.fields[1].startswith("t"):
            self.scores = [whole(word) for word in message.fields[1 : 1 + CHAIRS]]

    # ------------------------------------------------------------ entering a game that has begun

    def _see_board(self, message: Message) -> None:
        values = message.numbers
        if any(number >= 0 for number in values[37:74]):  # else it is empty: the game is new
            self._layout = board.layout(values[:37], values[37:74])
            self._snapshot.robber = values[74]

    def _see_piece(self, message: Message) -> None:
        number, piece, coordinate = message.numbers[:3]
        pieces = self._snapshot.pieces
        if piece == CITY and (number, SETTLEMENT, coordinate) in pieces:
            pieces.remove((number, SETTLEMENT, coordinate))
        pieces.append((number, piece, coordinate))

    def _see_cards(self, message: Message) -> None:
        number, action, *cards = message.numbers
        if action in (_DRAW, _ADD_NEW, _ADD_OLD):
            self._snapshot.cards.setdefault(number, Counter()).update(cards)

    def _see_elements(self, number: int, values: dict[int, int]) -> None:
        found = self._snapshot
        if set(_HAND) <= set(values):
            found.hands[number] = board.ours([values[one] for one in _HAND])
        played = found.played.setdefault(number, Counter())
        for element, amount in values.items():
            if element == _HAND_SIZE or (element == _HIDDEN_HAND and amount):
                found.sizes[number] = amount
            elif element == _KNIGHTS:
                played[c.KNIGHT] = amount
            elif element in _OTHER_CARDS:
                played[_OTHER_CARDS[element]] = amount
            elif element == _CARD_PLAYED and number == found.current:
                found.card_played = bool(amount)

    def _elements(self, message: Message) -> None:
        number, action, *rest = message.numbers
        if abs(action) != _SET or number < 0:
            return
        values = dict(_pairs(rest))
        if self.player is None:
            self._see_elements(number, values)
        elif number == self.player.number and set(_HAND) <= set(values) and not self.is_over:
            self._finish_roll()
            self.player.table.correct(board.ours([values[one] for one in _HAND]))

    def _resource_count(self, message: Message) -> None:
        number, count = message.numbers[:2]
        self._sizes[number] = self._snapshot.sizes[number] = count

    # ------------------------------------------------------------ pieces, dice, robber

    def _put_piece(self, message: Message, player: Player) -> None:
        player.table.put(*message.numbers[:3])

    def _cancel(self, message: Message, player: Player) -> None:
        if self.state in (State.FIRST_ROAD, State.SECOND_ROAD):
            player.table.take_back()

    def _dice(self, message: Message, player: Player) -> None:
        total = message.numbers[0]
        player.table.roll(total)
        self._roll = total if total != 7 else None

    def _production(self, message: Message, player: Player) -> None:
        count, *rest = message.numbers
        gains: dict[int, list[int]] = {}
        for _ in range(count):
            number, _, *rest = rest
            counts = gains[player.table.seat(number)] = [0] * c.KINDS
            while rest and rest[0] != 0:
                amount, resource, *rest = rest
                counts[board.our_resource(resource)] += amount
            rest = rest[1:]
        self._finish_roll(gains)

    def _finish_roll(self, gains: dict[int, list[int]] | None = None) -> None:
        """Carry out a throw, whose cards are known: those reported, or none."""
        if self.player is not None and self._roll is not None:
            self.player.table.produce(self._roll, gains or {})
        self._roll = None

    def _discard(self, message: Message, player: Player) -> None:
        number, counts = message.fields[1], [whole(word) for word in message.fields[2:8]]
        if number.startswith("p"):
            player.table.discard(whole(number[1:]), board.ours(counts[:5]), counts[5])

    def _robbery(self, message: Message, player: Player) -> None:
        _, _thief, victim, what, resource = message.fields[:5]
        if what == "R":
            known = None if whole(resource) == _UNKNOWN else board.our_resource(whole(resource))
            player.table.rob(whole(victim), known)

    # ------------------------------------------------------------ cards and trade

    def _card_action(self, message: Message, player: Player) -> None:
        number, action, *cards = message.numbers
        table, card = player.table, CARDS.get(cards[0])
        if action == _DRAW:
            table.buy_card(number, card)
        elif card == c.KNIGHT and action == _PLAY:
            table.play_card(number, card, c.PLAY_KNIGHT)
        elif card == c.ROAD_BUILDING and action == _PLAY:
            table.play_card(number, card, c.PLAY_ROADS)
        elif card in (c.KNIGHT, c.ROAD_BUILDING) and action == _ADD_OLD:
            table.take_back()

    def _plenty(self, message: Message, player: Player) -> None:
        values = message.numbers
        player.table.plenty(values[5], board.ours(values[:5]))

    def _simple_action(self, message: Message, player: Player) -> None:
        number, kind, _, resource = message.numbers[:4]
        if kind == _MONOPOLIZED:
            player.table.monopoly(number, board.our_resource(resource), self._sizes)
        self._sizes.clear()

    def _bank_trade(self, message: Message, player: Player) -> None:
        values = message.numbers
        given, got = board.ours(values[:5]), board.ours(values[5:10])
        gains = [gain - loss for gain, loss in zip(got, given, strict=True)]
        player.table.exchange({player.table.seat(values[10]): gains})
        player.see_state()  # no report of the state follows

    def _make_offer(self, message: Message, player: Player) -> list[str]:
        maker, to = whole(message.fields[1]), message.fields[2 : 2 + CHAIRS]
        numbers = [whole(word) for word in message.fields[2 + CHAIRS :]]
        if maker == player.number or to[player.number] != "true":
            return []
        return player.answer(maker, board.ours(numbers[:5]), board.ours(numbers[5:10]))

    def _accept_offer(self, message: Message, player: Player) -> None:
        values = message.numbers
        accepting, offering = (player.table.seat(number) for number in values[:2])
        got, given = board.ours(values[2:7]), board.ours(values[7:12])
        gains = [gain - loss for gain, loss in zip(got, given, strict=True)]
        player.traded(accepting, offering, gains)


def _pairs(values: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(values[::2], values[1::2], strict=True))


def options_of(text: str) -> dict[str, Any]:
    """Return the options of our game for those of a game there, such as "PL=4,RD=f,VP=t12".

    Raises:
        MeepleError: they describe another game than Catan's base game.
    """
    words = dict(part.partition("=")[::2] for part in text.split(",") if "=" in part)
    for name, what in _OTHER_GAMES.items():
        if words.get(name, "f") not in ("f", ""):
            raise MeepleError(f"the game has {what}: only Catan's base game is played here")
    options: dict[str, Any] = {}
    points = words.get("VP", "f")
    if points.startswith("t") and points[1:].isdigit():
        options["victory_points"] = int(points[1:])
    if words.get("NT") == "t":
        options["domestic_trade"] = False
    return options
