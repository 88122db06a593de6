"""Trades as data: the cards gained by each side, `{"P0": {"wood": -2, "ore": 1}, "P2": {...}}`.

A side is a seat, "P0" to "P3", or "bank". A purchase is one more key on the buyer's side, such as
"road": 1, and a played development card is "knight": -1 (`catan_card_plays.py`). All functions read
the true hands, including hidden ones.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from meeple.errors import IllegalAction
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import deck_size, rate_of
from meeple.games.catan.words.deal_words import (
    check_may_deal,
    checked_deal,
    clause_of,
    compose_deal,
)
from meeple.games.catan.words.names import CARD, COSTS, amounts, check_may_offer, compose
from meeple.games.catan.words.sentences import gains_from
from meeple.games.contract.game import Position
from meeple_studies.catan_card_plays import (
    PLAYED_CARDS,
    PlacedTrade,
    Trade,
    card_actions,
    card_of,
    check_legal,
    is_card,
    mapping_of,
    played_trade,
)

BANK_SIDE = "bank"
_FIRST = {"road": c.ROAD_AT, "settlement": c.SETTLEMENT_AT, "city": c.CITY_AT, CARD: c.BUY_CARD}


# ---------------------------------------------------------------- from an action


def to_mapping(position: Position, action: int) -> Trade | None:
    """Return the trade that one legal action carries out; None if it is not a trade.

    Trades are purchases, trades with the bank or a seat, and plays of development cards. The
    choices of a knight and of road building follow later: use `from_actions` to include them.
    """
    s = position.state
    if s.to_move < 0 or s.phase not in (c.MAIN, c.ROLL, c.CHOOSE):
        return None
    seat = int(s.on_turn)
    bought = _bought(action)
    if bought is not None:
        return _with_bank(seat, [-cost for cost in COSTS[bought]], {bought: 1})
    if is_card(action):
        return mapping_of(position, action)
    change = [0] * c.KINDS
    if c.MARITIME <= action < c.DISCARD_ONE:
        give, take = divmod(action - c.MARITIME, c.KINDS)
        change[give] = -rate_of(s, seat, give)
        change[take] = 1
        return _with_bank(seat, change, {})
    if c.TRADE_WITH <= action < c.WITHDRAW:
        other = action - c.TRADE_WITH
        gains = gains_from(s, other)
        return {f"P{seat}": _words(gains), f"P{other}": _words([-gain for gain in gains])}
    return None


def _bought(action: int) -> str | None:
    """Return what an action buys on the seat's own turn."""
    if action < c.ROBBER_TO:
        return "settlement" if action < c.CITY_AT else "city" if action < c.ROAD_AT else "road"
    return CARD if action == c.BUY_CARD else None


def _words(change: list[int]) -> dict[str, int]:
    return {r: n for r, n in zip(c.RESOURCES, change, strict=True) if n}


def _with_bank(seat: int, change: list[int], more: dict[str, int]) -> Trade:
    return {f"P{seat}": _words(change) | more, BANK_SIDE: _words([-number for number in change])}


def from_actions(position: Position, actions: Sequence[int]) -> PlacedTrade:
    """Return the trade, with its places, that a sequence of actions from `to_actions` carries out.

    Raises:
        IllegalAction: the actions carry out no trade.
    """
    check_legal(position, actions)
    if actions and is_card(actions[0]):
        return played_trade(position, actions)
    before = position.copy()
    for action in actions[:-1]:
        before.play(action)
    mapping = to_mapping(before, actions[-1]) if actions else None
    if mapping is None:
        raise IllegalAction("these actions carry out no trade")
    bought = _bought(actions[-1])
    placed = bought is not None and bought != CARD
    return PlacedTrade(mapping, (actions[-1] - _FIRST[bought],) if placed and bought else ())


# ---------------------------------------------------------------- to actions


def to_actions(
    position: Position,
    mapping: Mapping[str, Mapping[str, int]],
    at: int | Sequence[int] | None = None,
    robber: int | None = None,
    victim: str | None = None,
) -> list[int]:
    """Return the legal actions, in order, that carry out a trade for the seat on turn.

    A trade with a seat is composed, proposed and answered by all seats; if the answers are already
    there, it is the choice of the partner. With the option `deals`, a mapping of several seats, a
    purchase that others pay for, or a robber's tile without a knight is a deal, and all parties
    agree.

    Args:
        position: the position.
        mapping: by side, the cards gained; a purchase may omit its cost and the bank.
        at: the vertex or edge of a purchase, optional if there is only one site; or the edges of
            road building.
        robber: the robber's tile, of a knight or a deal.
        victim: the side that a knight robs, needed if there are several.

    Raises:
        IllegalAction: a side cannot pay, cards do not balance, no piece or site is left, or the
            rules do not allow the trade in this position.
    """
    s = position.state
    sides = _sides(s, mapping)
    seat = int(s.on_turn)
    edges = (at,) if isinstance(at, int) else tuple(at or ())
    if card_of(sides) is not None:
        return card_actions(position, mapping, edges, robber, victim)
    if victim is not None or len(edges) > 1:
        raise IllegalAction("only a knight has a victim, and only road building two places")
    at = next(iter(edges), None)
    if s.with_deals and _is_deal(sides, seat, robber):
        return _deal(position, sides, at, robber)
    if robber is not None:
        raise IllegalAction("only a deal or a knight moves the robber")
    mine = sides.pop(f"P{seat}", None)
    if mine is None or len(sides) > 1:
        raise IllegalAction(f"a trade is between P{seat}, who is on turn, and one other side")
    _check_phase(s, sides)
    things = [name for name in mine if name not in c.RESOURCES]
    if at is not None and things not in (["road"], ["settlement"], ["city"]):
        raise IllegalAction("only a road, a settlement or a city is bought at a place")
    name, theirs = next(iter(sides.items()), (BANK_SIDE, {}))
    change = _counts(mine)
    if things:
        actions = [_purchase(position, things, mine, theirs, name, at)]
    else:
        _check_balance(s, f"P{seat}", change, name, _counts(theirs))
        if name == BANK_SIDE:
            actions = [_maritime(s, change)]
        else:
            actions = _domestic(position, int(name[1:]), change)
    check_legal(position, actions)
    return actions


def apply(
    position: Position,
    mapping: Mapping[str, Mapping[str, int]],
    at: int | Sequence[int] | None = None,
    robber: int | None = None,
    victim: str | None = None,
) -> None:
    """Carry out a trade; the arguments are those of `to_actions`.

    After the purchase of a development card, and after a robbery, the position is at the chance
    node that draws the card.

    Raises:
        IllegalAction: as for `to_actions`; the position is unchanged.
    """
    for action in to_actions(position, mapping, at, robber, victim):
        position.play(action)


def _sides(s: Any, mapping: Any) -> dict[str, dict[str, int]]:
    """Return the sides without zeros; raise IllegalAction for an invalid name or number."""
    names = [*(f"P{seat}" for seat in range(s.players)), BANK_SIDE]
    found = {}
    if not isinstance(mapping, Mapping):
        raise IllegalAction("a trade is a mapping of each side to what it gains or loses")
    for side, changes in mapping.items():
        if not isinstance(changes, Mapping):
            raise IllegalAction(f"what {side} gains or loses is a mapping, not {changes!r:.40}")
        if side not in names:
            raise IllegalAction(f"'{side}' is not a side of a trade; sides: {', '.join(names)}")
        goods = c.RESOURCES if side == BANK_SIDE else (*c.RESOURCES, *COSTS, *PLAYED_CARDS)
        for what, number in changes.items():
            if what not in goods:
                raise IllegalAction(f"{side} cannot trade '{what}', only {', '.join(goods)}")
            if not isinstance(number, int) or isinstance(number, bool):
                raise IllegalAction(f"{side} trades whole numbers of {what}, not {number!r}")
        nonzero = {what: number for what, number in changes.items() if number}
        if nonzero:
            found[side] = nonzero
    return found


def _check_phase(s: Any, others: Mapping[str, Any]) -> None:
    """Raise IllegalAction if the seat on turn cannot begin such a trade now."""
    if s.to_move != s.on_turn or s.phase not in (c.MAIN, c.ROLL, c.CHOOSE):
        raise IllegalAction(f"P{s.on_turn} cannot trade while the game is at: {c.PHASES[s.phase]}")
    if s.phase == c.ROLL:
        raise IllegalAction("before the dice, nothing is bought or traded")
    if s.phase == c.CHOOSE and (BANK_SIDE in others or not others):
        raise IllegalAction("an offer is open: first trade with a player who agreed or withdraw it")


def _counts(side: Mapping[str, int]) -> list[int]:
    return [side.get(resource, 0) for resource in c.RESOURCES]


def _check_balance(s: Any, mine: str, change: list[int], name: str, theirs: list[int]) -> None:
    """Raise IllegalAction unless the trade balances and every side holds what it gives."""
    for r, resource in enumerate(c.RESOURCES):
        if change[r] + theirs[r] != 0:
            raise IllegalAction(
                f"{resource} does not balance: {mine} {change[r]:+}, {name} {theirs[r]:+}"
            )
    for side, changes in ((mine, change), (name, theirs)):
        hand = s.bank if side == BANK_SIDE else s.hand[int(side[1:])]
        for resource, held, gain in zip(c.RESOURCES, hand.tolist(), changes, strict=True):
            if held + gain < 0:
                raise IllegalAction(f"{side} holds {held} {resource} and cannot pay {-gain}")


def _purchase(
    position: Position,
    things: list[str],
    mine: Mapping[str, int],
    theirs: Mapping[str, int],
    name: str,
    at: int | None,
) -> int:
    """Return the action that buys one piece or development card."""
    s = position.state
    seat = f"P{s.on_turn}"
    if len(things) > 1 or mine[things[0]] != 1 or name != BANK_SIDE:
        raise IllegalAction("a purchase is of one piece or card, from the bank")
    what = things[0]
    cost = [-count for count in COSTS[what]]
    change = _counts(mine)
    if any(change) and change != cost:
        raise IllegalAction(f"a {what} costs {amounts(COSTS[what])}")
    paid = _counts(theirs) if any(theirs.values()) else list(COSTS[what])
    _check_balance(s, seat, cost, BANK_SIDE, paid)
    _check_stock(s, what)
    if what == CARD:
        return c.BUY_CARD
    sites = _sites(position, what)
    if at is None and len(sites) == 1:
        return _FIRST[what] + sites[0]
    if at not in sites:
        known = ", ".join(map(str, sites)) or "none"
        where = "say where" if at is None else f"{at} is no site"
        raise IllegalAction(f"{where} for the {what} of {seat}; sites: {known}")
    return _FIRST[what] + at


def _check_stock(s: Any, what: str) -> None:
    """Raise IllegalAction if no such piece or card is left."""
    stock = {"road": s.roads, "settlement": s.settlements, "city": s.cities}
    if what == CARD and not s.with_cards:
        raise IllegalAction("this game is played without development cards")
    left = deck_size(s) if what == CARD else int(stock[what][s.on_turn])
    if not left:
        owner = "the deck" if what == CARD else f"P{s.on_turn}"
        raise IllegalAction(f"{owner} has no {what} left")


def _sites(position: Position, what: str) -> list[int]:
    """Return where the seat on turn may build this piece now."""
    first = _FIRST[what]
    legal = position.legal_actions().tolist()
    return sorted(action - first for action in legal if _bought(action) == what)


def _maritime(s: Any, change: list[int]) -> int:
    """Return the action that trades with the bank at the seat's best rate, for one card."""
    gives = [r for r in range(c.KINDS) if change[r] < 0]
    takes = [r for r in range(c.KINDS) if change[r] > 0]
    if len(gives) != 1 or len(takes) != 1 or change[takes[0]] != 1:
        raise IllegalAction("the bank gives one card, for cards of one other resource")
    rate = rate_of(s, int(s.on_turn), gives[0])
    if change[gives[0]] != -rate:
        raise IllegalAction(
            f"the bank takes {rate} {c.RESOURCES[gives[0]]} from P{s.on_turn} for a card, not "
            f"{-change[gives[0]]}"
        )
    return c.MARITIME + gives[0] * c.KINDS + takes[0]


def _domestic(position: Position, other: int, change: list[int]) -> list[int]:
    """Return the actions of a trade with a seat: the choice of its answer, or a complete offer."""
    s = position.state
    give = [max(0, -number) for number in change]
    want = [max(0, number) for number in change]
    if not any(give) or not any(want):
        raise IllegalAction("both sides of a trade give at least one card")
    if s.phase == c.CHOOSE:
        if c.TRADE_WITH + other not in position.legal_actions() or gains_from(s, other) != change:
            raise IllegalAction(f"P{other} has not agreed to this trade")
        return [c.TRADE_WITH + other]
    check_may_offer(s)
    twin = position.copy()
    actions = compose(give, want)
    check_legal(position, actions)
    for action in actions:
        twin.play(action)
    while twin.state.phase == c.ANSWER:
        actions.append(c.ACCEPT if twin.to_move == other else c.REFUSE)
        twin.play(actions[-1])
    return [*actions, c.TRADE_WITH + other]


# ---------------------------------------------------------------- deals


def _is_deal(sides: Mapping[str, Mapping[str, int]], seat: int, robber: int | None) -> bool:
    """Return whether the trade is possible only as a deal."""
    others = set(sides) - {f"P{seat}", BANK_SIDE}
    built = set(sides.get(f"P{seat}", {})) & set(COSTS)
    return robber is not None or len(others) > 1 or bool(others and (built or BANK_SIDE in sides))


def _deal(
    position: Position, sides: Mapping[str, Mapping[str, int]], at: int | None, robber: int | None
) -> list[int]:
    """Return the actions of a deal, including the consent of all participants."""
    s = position.state
    turn = f"P{s.on_turn}"
    changes = {int(side[1:]): _counts(cards) for side, cards in sides.items() if side != BANK_SIDE}
    things = {what for side in sides for what in sides[side] if what not in c.RESOURCES}
    if things - {"road", "settlement", "city"} or len(things) + (robber is not None) > 1:
        raise IllegalAction("beside cards a deal has one of: a road, a settlement, a city, robber")
    clause = None if robber is None else clause_of("robber", robber)
    cost = [0] * c.KINDS
    for what in things:
        if sides.get(turn, {}).get(what) != 1 or at is None:
            raise IllegalAction(f"a deal builds one {what} of {turn}, and says where")
        clause, cost = clause_of(what, at), list(COSTS[what])
    paid = _counts(sides[BANK_SIDE]) if BANK_SIDE in sides else cost
    for r, resource in enumerate(c.RESOURCES):
        left = -sum(change[r] for change in changes.values())
        if left != cost[r] or paid[r] != cost[r]:
            raise IllegalAction(f"{resource} does not balance: {left} left over, of {cost[r]} due")
    for seat, change in changes.items():
        for resource, held, gain in zip(c.RESOURCES, s.hand[seat].tolist(), change, strict=True):
            if held + gain < 0:
                raise IllegalAction(f"P{seat} holds {held} {resource} and cannot pay {-gain}")
    check_may_deal(s)
    actions = checked_deal(position, compose_deal(changes, clause))
    others = [seat for seat, change in changes.items() if seat != s.on_turn and any(change)]
    return [*actions, *[c.ACCEPT for _ in others]]
