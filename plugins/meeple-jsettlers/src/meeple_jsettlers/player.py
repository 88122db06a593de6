"""How an agent plays a seat: its actions, offers and answers, as messages to the server."""

import logging
import time
from collections.abc import Sequence
from typing import Any

from meeple.agents.agent import Agent
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import rate_of
from meeple.kernels import OVER
from meeple_jsettlers import board
from meeple_jsettlers.state import State
from meeple_jsettlers.table import CARDS, CITY, ROAD, SETTLEMENT, Table
from meeple_jsettlers.wire import Kind, text_of

LOG = logging.getLogger(__name__)
CHAIRS = 4
_MAX_ECHO_SECONDS = 30.0  # after which an action that the server does not report counts as declined
_CARD_NUMBERS = {card: number for number, card in reversed(CARDS.items())}


class Offer:
    """An offer of ours that waits for answers."""

    def __init__(self, plan: tuple[int, ...], to: set[int], until: float) -> None:
        self.plan, self.until = plan, until
        self._waiting = set(to)

    def answered(self, player: int) -> bool:
        """Note a refusal; return whether all have refused."""
        self._waiting.discard(player)
        return not self._waiting


class Player:
    """Answers for one seat. Its methods return the messages to send."""

    def __init__(self, game: str, number: int, table: Table, agent: Agent, patience: float) -> None:
        """Take a seat.

        Args:
            game: its name on the server.
            number: the seat's number there.
            table: the game.
            agent: chooses the actions.
            patience: seconds for which an offer waits for answers.
        """
        self.game, self.number, self.table, self.agent = game, number, table, agent
        self._patience = patience
        self._asked: int | None = None  # the action that was sent, until the server reports it
        self._asked_at = 0.0
        self._card: int | None = None  # the action of a card whose cards are still to be named
        self._offer: Offer | None = None
        self._declined: set[int] = set()  # actions that the server declined in this turn
        self._countered: set[tuple[int, ...]] = set()  # counter-offers of ours in this turn

    def begin_turn(self) -> None:
        """Note that a turn begins."""
        self._asked, self._offer, self._card = None, None, None
        self._declined.clear()
        self._countered.clear()

    def see_state(self) -> None:
        """Note that the server reported the state of the game."""
        self._asked = None

    def declined(self, reason: object) -> None:
        """Note that the server declined what was sent: it is not repeated in this turn."""
        LOG.warning("%s: the server declined an action: %s", self.game, reason)
        if self._asked is not None:
            self._declined.add(self._asked)
        self._asked, self._offer, self._card = None, None, None

    # ------------------------------------------------------------ our turn

    def act(self, state: int) -> list[str]:
        """Return the next action, if the game waits for one that was not sent yet."""
        table = self.table
        if self._offer is not None:
            return self._close_offer() if time.monotonic() >= self._offer.until else []
        if not table.my_turn or state == State.WAITING_FOR_DISCARDS:
            return []
        if self._asked is not None:
            if time.monotonic() - self._asked_at > _MAX_ECHO_SECONDS:
                self.declined("it reports nothing")
            return []
        if self._card is not None and state in (
            State.WAITING_FOR_PLENTY,
            State.WAITING_FOR_MONOPOLY,
        ):
            return self._name_cards(self._card)
        if table.state.to_move == OVER and state == State.PLACING_ROBBER:
            # A knight has won by our rules; here the game continues until the robber is moved.
            self._asked = c.ROBBER_TO + int(table.state.robber == 0)
        elif table.state.to_move == table.me:
            self._asked = self._choice()
        self._asked_at = time.monotonic()
        return [] if self._asked is None else self._messages(self._asked)

    def _choice(self) -> int:
        """Return the agent's action; one that the server declined is not repeated."""
        action = int(self.agent.choose(self.table.position))
        if action in self._declined:
            legal = self.table.position.legal_actions().tolist()
            left = [one for one in legal if one not in self._declined]
            ends = [one for one in left if one in (c.END_TURN, c.ROLL_DICE)]
            action = (ends or left or [action])[0]
        return action

    def _messages(self, action: int) -> list[str]:
        """Return the messages that carry out an action of our game."""
        if action < c.ROBBER_TO:
            return [self._put(action)]
        if action < c.ROB:
            where = board.TILE_COORDINATES[action - c.ROBBER_TO]
            return [text_of(Kind.MOVE_ROBBER, self.game, self.number, where)]
        if action < c.ROLL_DICE:
            return [text_of(Kind.CHOOSE_PLAYER, self.game, self.table.players[action - c.ROB])]
        if action < c.PLAY_KNIGHT:
            kind = {
                c.ROLL_DICE: Kind.ROLL_DICE,
                c.END_TURN: Kind.END_TURN,
                c.BUY_CARD: Kind.BUY_CARD_REQUEST,
            }[action]
            return [text_of(kind, self.game)]
        if action < c.MARITIME:
            return [self._play_card(action)]
        if action < c.DISCARD_ONE:
            return [self._bank_trade(*divmod(action - c.MARITIME, c.KINDS))]
        return self._begin_offer(action)

    def _put(self, action: int) -> str:
        """Return the message that builds something."""
        if action < c.CITY_AT:
            piece, where = SETTLEMENT, board.VERTEX_COORDINATES[action - c.SETTLEMENT_AT]
        elif action < c.ROAD_AT:
            piece, where = CITY, board.VERTEX_COORDINATES[action - c.CITY_AT]
        else:
            piece, where = ROAD, board.EDGE_COORDINATES[action - c.ROAD_AT]
        return text_of(Kind.PUT_PIECE, self.game, self.number, piece, where)

    def _play_card(self, action: int) -> str:
        if action == c.PLAY_KNIGHT:
            card = c.KNIGHT
        elif action == c.PLAY_ROADS:
            card = c.ROAD_BUILDING
        else:
            card = c.YEAR_OF_PLENTY if action < c.PLAY_MONOPOLY else c.MONOPOLY
            self._card = action
        return text_of(Kind.PLAY_CARD_REQUEST, self.game, _CARD_NUMBERS[card])

    def _name_cards(self, action: int) -> list[str]:
        """Name the resources of a card: year of plenty or monopoly."""
        self._asked, self._card = action, None
        if action >= c.PLAY_MONOPOLY:
            number = board.their_resource(action - c.PLAY_MONOPOLY)
            return [text_of(Kind.PICK_RESOURCE_TYPE, self.game, number)]
        counts = [0] * c.KINDS
        if action < c.PLAY_PLENTY_ONE:
            for resource in divmod(action - c.PLAY_PLENTY, c.KINDS):
                counts[resource] += 1
        else:
            counts[action - c.PLAY_PLENTY_ONE] += 1
        return [text_of(Kind.PICK_RESOURCES, self.game, *board.theirs(counts))]

    def _bank_trade(self, give: int, take: int) -> str:
        given, taken = [0] * c.KINDS, [0] * c.KINDS
        given[give] = rate_of(self.table.state, self.table.me, give)
        taken[take] = 1
        cards = (*board.theirs(given), *board.theirs(taken))
        return text_of(Kind.BANK_TRADE, self.game, *cards)

    def discard(self, count: int) -> list[str]:
        """Discard cards for a seven."""
        twin = self.table.position.copy()
        s = twin.state
        s.phase, s.to_move, s.last = c.DISCARD, self.table.me, 0
        s.discards[:] = 0
        s.discards[self.table.me] = count
        counts = [0] * c.KINDS
        for _ in range(count):
            action = self.agent.choose(twin)
            counts[action - c.DISCARD_ONE] += 1
            twin.play(action)
        return [text_of(Kind.DISCARD, self.game, *board.theirs(counts), 0)]

    # ------------------------------------------------------------ offers of ours

    def _begin_offer(self, action: int) -> list[str]:
        """Offer a trade to the players with cards with whom we would trade if they agreed.

        The first to accept gets the trade there, so that those are not asked whom it helps to win.
        """
        table = self.table
        plan = self._composed(table.position.copy(), action)
        others = [
            player
            for seat, player in enumerate(table.players)
            if plan
            and seat != table.me
            and table.state.hand[seat].any()
            and self._suits(plan, seat)
        ]
        if plan is None:
            self._declined.add(action)
            self._asked = None
            return []
        self._offer = Offer(plan, set(others), time.monotonic() + self._patience)
        if not others:
            self._note_offer(None)
            return []
        return [self._offer_text(plan, others)]

    def _composed(self, twin: Any, action: int) -> tuple[int, ...] | None:
        """Return the whole offer that the agent begins with an action; None if it gives it up."""
        plan = [action]
        twin.play(action)
        while action != c.PROPOSE:
            action = int(self.agent.choose(twin))
            if action in (c.WITHDRAW, c.REFUSE):
                return None
            plan.append(action)
            twin.play(action)
        return tuple(plan)

    def _suits(self, plan: Sequence[int], seat: int) -> bool:
        """Return whether we would trade with a seat that alone accepts an offer of ours."""
        give, want = _cards(plan, c.GIVE), _cards(plan, c.WANT)
        twin = self._twin(c.CHOOSE, self.table.me, give, want)
        twin.state.answers[seat] = c.ACCEPTED
        return bool(self.agent.choose(twin) == c.TRADE_WITH + seat)

    def _offer_text(self, plan: Sequence[int], to: Sequence[int]) -> str:
        """Return the message of an offer to players."""
        chairs = [chair in to for chair in range(CHAIRS)]
        cards = (*board.theirs(_cards(plan, c.GIVE)), *board.theirs(_cards(plan, c.WANT)))
        return text_of(Kind.MAKE_OFFER, self.game, self.number, *chairs, *cards)

    def _close_offer(self) -> list[str]:
        """Withdraw our offer: nobody accepted it."""
        self._note_offer(None)
        return [text_of(Kind.CLEAR_OFFER, self.game, 0)]

    def _note_offer(self, partner: int | None) -> None:
        """Repeat our offer by our rules, with the answers to it."""
        assert self._offer is not None
        table, plan = self.table, self._offer.plan
        self._offer, self._asked = None, None
        for action in plan:
            table.step(action)
        while table.state.phase == c.ANSWER and table.state.to_move != table.me:
            seat = int(table.state.to_move)
            if seat == partner:
                table.step(c.ACCEPT, hand=table.holding(seat, table.state.want[table.me]))
            else:
                table.step(c.REFUSE)
        if table.state.phase == c.CHOOSE:
            table.step(c.WITHDRAW if partner is None else c.TRADE_WITH + partner)

    def refused(self, player: int) -> list[str]:
        """Note that a player refuses our offer; withdraw it once all have."""
        if self._offer is None or player == self.number or not self._offer.answered(player):
            return []
        return self._close_offer()

    def traded(self, accepting: int, offering: int, gains: Sequence[int]) -> None:
        """Note a trade: the cards that the accepting seat gains, negative where it loses."""
        table = self.table
        if self._offer is not None and offering == table.me:
            self._note_offer(accepting)
        else:
            table.exchange({accepting: gains, offering: [-gain for gain in gains]})
            self._offer, self._asked = None, None

    # ------------------------------------------------------------ offers of others

    def answer(self, maker: int, give: Sequence[int], get: Sequence[int]) -> list[str]:
        """Answer an offer: of the player on turn, or a counter-offer to ours.

        Args:
            maker: the player who makes it.
            give: [5] cards that they give.
            get: [5] cards that they want.
        """
        table = self.table
        seat = table.seat(maker)
        if table.state.phase == c.MAIN and table.my_turn:
            return self._choose(maker, seat, give, get)
        if table.state.phase != c.MAIN or table.state.on_turn != seat:
            return [self._rejection()]
        twin = self._twin(c.ANSWER, seat, give, get)
        twin.state.answers[table.me] = c.WAITING
        action = int(self.agent.choose(twin))
        if action == c.ACCEPT:
            return [text_of(Kind.ACCEPT_OFFER, self.game, 0, maker)]
        plan = None if action == c.REFUSE else self._composed(twin, action)
        if plan is None or plan in self._countered:
            return [self._rejection()]
        self._countered.add(plan)
        return [self._offer_text(plan, [maker])]

    def _choose(self, maker: int, seat: int, give: Sequence[int], get: Sequence[int]) -> list[str]:
        """Take the counter-offer of a player to ours, or leave it."""
        twin = self._twin(c.CHOOSE, seat, give, get)
        twin.state.answers[seat] = c.COUNTERED
        take = c.TRADE_WITH + seat
        if take in twin.legal_actions() and self.agent.choose(twin) == take:
            return [text_of(Kind.ACCEPT_OFFER, self.game, 0, maker)]
        return [self._rejection(), *self.refused(maker)]

    def _twin(self, phase: int, seat: int, give: Sequence[int], get: Sequence[int]) -> Any:
        """Return a position in which we decide on an offer of a seat, which all others refused."""
        twin = self.table.position.copy()
        s = twin.state
        s.phase, s.to_move = phase, self.table.me
        s.give[:], s.want[:], s.answers[:] = 0, 0, c.REFUSED
        s.give[seat], s.want[seat] = give, get
        s.hand[seat] = [max(held, given) for held, given in zip(s.hand[seat], give, strict=True)]
        return twin

    def _rejection(self) -> str:
        return text_of(Kind.REJECT_OFFER, self.game, 0)


def _cards(plan: Sequence[int], first: int) -> list[int]:
    """Return the cards of each resource that an offer gives or wants: c.GIVE or c.WANT."""
    return [plan.count(first + r) for r in range(c.KINDS)]
