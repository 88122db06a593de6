"""Development cards as trades: each play of one with all its choices, to actions and back.

A knight goes with the robber's tile and the side that is robbed, road building with its edges, a
year of plenty with what the bank gives, a monopoly with what every side loses. As in
`catan_trades.py`, hands are read as they are.

Source: "Explorers of Catan with a neural network computer player", which calls every change of a
position a trade.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from meeple.errors import IllegalAction
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TILES
from meeple.games.contract.game import Position

KNIGHT, ROAD_BUILDING, PLENTY, MONOPOLY = (
    c.CARDS[card] for card in (c.KNIGHT, c.ROAD_BUILDING, c.YEAR_OF_PLENTY, c.MONOPOLY)
)
PLAYED_CARDS = (KNIGHT, ROAD_BUILDING, PLENTY, MONOPOLY)

Trade = dict[str, dict[str, int]]
"""The changes of each side ("P0" to "P3", or "bank"): cards gained, negative if lost."""

KNIGHTS = tuple((tile, seat) for tile in range(TILES) for seat in range(c.MAX_SEATS))
"""Pairs of the robber's tile and the robbed seat: 19 tiles by 4 seats. The seat that plays the
knight stands for robbing no seat."""


class PlacedTrade(NamedTuple):
    """A trade and its places: the arguments of `to_actions`, in order."""

    mapping: Trade
    at: tuple[int, ...] = ()
    """The vertex or edges that are built on."""
    robber: int | None = None
    """The tile that the robber moves to."""
    victim: str | None = None
    """The side that a knight robs; None: no side can be robbed there."""


def card_trades(position: Position) -> list[PlacedTrade]:
    """Return every legal play of a development card of the seat on turn, with all its choices.

    A pair of edges for road building is listed once, in an order in which it can be built.
    """
    legal = position.legal_actions().tolist() if position.to_move >= 0 else []
    found: list[PlacedTrade] = []
    for action in legal:
        if action == c.PLAY_KNIGHT:
            found += _knights(position)
        elif action == c.PLAY_ROADS:
            found += _roads(position)
        elif c.PLAY_PLENTY <= action < c.MARITIME:
            found.append(PlacedTrade(mapping_of(position, action)))
    return found


# ---------------------------------------------------------------- from actions


def is_card(action: int) -> bool:
    """Return whether an action plays a development card."""
    return c.PLAY_KNIGHT <= action < c.MARITIME


def mapping_of(position: Position, action: int) -> Trade:
    """Return what playing a card moves at once; a year of plenty and a monopoly end with that.

    A monopoly of a resource that no other seat holds gains 0 of it.
    """
    s = position.state
    turn = f"P{s.on_turn}"
    if action == c.PLAY_KNIGHT:
        return {turn: {KNIGHT: -1}}
    if action == c.PLAY_ROADS:
        return {turn: {ROAD_BUILDING: -1}}
    if action >= c.PLAY_MONOPOLY:
        r = action - c.PLAY_MONOPOLY
        losses = {
            seat: int(s.hand[seat, r])
            for seat in range(s.players)
            if seat != s.on_turn and s.hand[seat, r]
        }
        gain = {turn: {c.RESOURCES[r]: sum(losses.values()), MONOPOLY: -1}}
        return gain | {f"P{seat}": {c.RESOURCES[r]: -lost} for seat, lost in losses.items()}
    taken = [0] * c.KINDS
    for r in _plenty(action):
        taken[r] += 1
    gains = {name: count for name, count in zip(c.RESOURCES, taken, strict=True) if count}
    paid = {name: -count for name, count in gains.items()}
    return {turn: gains | {PLENTY: -1}, "bank": paid}


def _plenty(action: int) -> tuple[int, ...]:
    """Return the resources that a year of plenty takes."""
    if action < c.PLAY_PLENTY_ONE:
        return divmod(action - c.PLAY_PLENTY, c.KINDS)
    return (action - c.PLAY_PLENTY_ONE,)


def played_trade(position: Position, actions: Sequence[int]) -> PlacedTrade:
    """Return the trade that a card's action and its choices carry out; all are legal in order.

    Raises:
        IllegalAction: there are too few or too many actions.
    """
    mapping = mapping_of(position, actions[0])
    at: list[int] = []
    robber = victim = None
    twin = position.copy()
    for i, action in enumerate(actions):
        if i and twin.state.phase not in (c.ROBBER, c.VICTIM, c.FREE_ROADS):
            raise IllegalAction("the card is played, and these are more actions than its choices")
        if c.ROAD_AT <= action < c.ROBBER_TO:
            at.append(action - c.ROAD_AT)
        elif c.ROBBER_TO <= action < c.ROB:
            robber = action - c.ROBBER_TO
        twin.play(action)
    if twin.state.phase in (c.ROBBER, c.VICTIM, c.FREE_ROADS):
        raise IllegalAction(f"not all is chosen: the game is at: {c.PHASES[twin.state.phase]}")
    if twin.state.phase == c.STEAL:
        victim = f"P{twin.state.victim}"
    if at:
        mapping[f"P{position.state.on_turn}"]["road"] = len(at)
    return PlacedTrade(mapping, tuple(at), robber, victim)


# ---------------------------------------------------------------- to actions


def card_of(sides: Mapping[str, Mapping[str, int]]) -> str | None:
    """Return the development card that a trade plays; None: no card."""
    return next((what for goods in sides.values() for what in goods if what in PLAYED_CARDS), None)


def card_actions(
    position: Position,
    trade: Mapping[str, Mapping[str, int]],
    at: Iterable[int],
    robber: int | None,
    victim: str | None,
) -> list[int]:
    """Return the actions that play the development card of a trade with valid names.

    Resource cards may be omitted if the rules determine them; a monopoly names its resource, with
    0 or the exact number.

    Raises:
        IllegalAction: the card cannot be played in this way.
    """
    s = position.state
    turn, card = f"P{s.on_turn}", card_of(trade)
    assert card is not None
    mine, edges = trade.get(turn, {}), tuple(at)
    if (
        mine.get(card) != -1
        or sum(what in PLAYED_CARDS for side in trade.values() for what in side) > 1
    ):
        raise IllegalAction(f"only {turn}, who is on turn, plays a card, and one: {card!r}: -1")
    _check_playable(s, card)
    if card != KNIGHT and (robber is not None or victim is not None):
        raise IllegalAction(f"a {card} moves no robber")
    if card != ROAD_BUILDING and edges:
        raise IllegalAction(f"a {card} builds nothing")
    if card == PLENTY:
        actions = [_plenty_action(trade, turn)]
    elif card == MONOPOLY:
        actions = [_monopoly_action(mine)]
    elif card == KNIGHT:
        actions = _knight_actions(position, robber, victim)
    else:
        actions = [c.PLAY_ROADS, *[c.ROAD_AT + edge for edge in edges]]
    check_legal(position, actions)
    _check_same(trade, played_trade(position, actions).mapping, turn)
    return actions


def check_legal(position: Position, actions: Iterable[int]) -> None:
    """Raise IllegalAction if one of the actions, played in order, is illegal."""
    twin = position.copy()
    for action in actions:
        if twin.to_move < 0 or action not in twin.legal_actions():
            raise IllegalAction(f"the rules do not allow '{twin.action_name(action)}' here")
        twin.play(action)


def _check_playable(s: Any, card: str) -> None:
    """Raise IllegalAction if the seat on turn has no such card to play."""
    seat, kind = int(s.on_turn), c.CARDS.index(card)
    if not s.cards[seat, kind]:
        raise IllegalAction(f"P{seat} holds no {card} card")
    if s.cards[seat, kind] <= s.fresh[kind]:
        raise IllegalAction(f"P{seat} bought its {card} card on this turn, and plays it on another")
    if s.card_played:
        raise IllegalAction(f"P{seat} has played a development card on this turn")
    if s.phase not in (c.ROLL, c.MAIN) or s.to_move != seat:
        raise IllegalAction(f"P{seat} plays no card while the game is at: {c.PHASES[s.phase]}")


def _check_same(given: Mapping[str, Mapping[str, int]], whole: Trade, turn: str) -> None:
    """Raise IllegalAction where a trade names goods that the play does not move so.

    A side may be left out, or of the seat on turn goods: but what is named must be right.
    """
    for side, goods in given.items():
        for what, number in goods.items():
            moved = whole.get(side, {}).get(what, 0)
            left_open = side == turn and number == 0
            if number != moved and not left_open:
                raise IllegalAction(f"{side} gains {moved} {what} by that, not {number}")
        if side != turn and goods:
            for what in whole.get(side, {}):
                if what not in goods:
                    raise IllegalAction(f"{side} gains {whole[side][what]} {what} by that, not 0")


def _plenty_action(trade: Mapping[str, Mapping[str, int]], turn: str) -> int:
    counts = [trade[turn].get(resource, 0) for resource in c.RESOURCES]
    taken = [r for r, count in enumerate(counts) for _ in range(count)]
    if min(counts) < 0 or len(taken) not in (1, 2):
        raise IllegalAction(f"a {PLENTY} is one card, for two of the bank's")
    if other := next((side for side in trade if side not in (turn, "bank")), None):
        raise IllegalAction(f"a {PLENTY} takes cards from the bank, not from {other}")
    if len(taken) == 1:
        return c.PLAY_PLENTY_ONE + taken[0]
    return c.PLAY_PLENTY + taken[0] * c.KINDS + taken[1]


def _monopoly_action(mine: Mapping[str, int]) -> int:
    named = [r for r, resource in enumerate(c.RESOURCES) if resource in mine]
    if len(named) != 1:
        raise IllegalAction(f"a {MONOPOLY} names one resource, if only as 0")
    return c.PLAY_MONOPOLY + named[0]


def _knight_actions(position: Position, robber: int | None, victim: str | None) -> list[int]:
    """Return the actions of a knight: the card, its tile and, given a choice, the robbed seat."""
    if robber is None or not 0 <= robber < TILES:
        raise IllegalAction(f"a {KNIGHT} says where the robber goes: a tile from 0 to {TILES - 1}")
    actions = [c.PLAY_KNIGHT, c.ROBBER_TO + robber]
    check_legal(position, actions)
    seats = robbed_at(position, robber)
    names = [f"P{seat}" for seat in seats]
    if victim is None and len(seats) > 1:
        raise IllegalAction(f"say who is robbed at tile {robber}: {', '.join(names)}")
    if victim is not None and victim not in names:
        known = f"only {', '.join(names)}" if names else "and no other player can"
        raise IllegalAction(f"{victim} cannot be robbed at tile {robber}, {known}")
    if victim is not None and len(seats) > 1:
        actions.append(c.ROB + seats[names.index(victim)])
    return actions


# ---------------------------------------------------------------- all plays


def robbed_at(position: Position, tile: int) -> list[int]:
    """Return the seats that a knight of the seat on turn may rob at a legal robber tile."""
    twin = position.copy()
    for action in (c.PLAY_KNIGHT, c.ROBBER_TO + tile):
        twin.play(action)
    if twin.state.phase == c.STEAL:
        return [int(twin.state.victim)]
    if twin.state.phase == c.VICTIM:
        return [action - c.ROB for action in twin.legal_actions().tolist()]
    return []


def _knights(position: Position) -> Iterator[PlacedTrade]:
    """Return the members of `KNIGHTS` that the buildings on the board allow."""
    s = position.state
    turn, seat = f"P{s.on_turn}", int(s.on_turn)
    robbed = {
        tile: robbed_at(position, tile) or [seat] for tile in range(TILES) if tile != s.robber
    }
    for tile, victim in KNIGHTS:
        if victim in robbed.get(tile, []):
            name = None if victim == seat else f"P{victim}"
            yield PlacedTrade({turn: {KNIGHT: -1}}, (), tile, name)


def _roads(position: Position) -> Iterator[PlacedTrade]:
    """Return road building for each pair of edges that can be built in one of the two orders."""
    start = position.copy()
    start.play(c.PLAY_ROADS)
    seen: set[frozenset[int]] = set()
    for first in start.legal_actions().tolist():
        after = start.copy()
        after.play(first)
        seconds = after.legal_actions().tolist() if after.state.phase == c.FREE_ROADS else [first]
        for second in seconds:
            pair = frozenset((first, second))
            if pair not in seen:
                seen.add(pair)
                yield played_trade(
                    position, [c.PLAY_ROADS, first, *([second] if second != first else [])]
                )
