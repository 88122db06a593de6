"""Deals as text: the sentence for a deal, and the parser of a typed deal."""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from meeple.errors import IllegalAction
from meeple.games.catan.rules import state as c
from meeple.games.catan.words.names import amounts, cards_in, corner, player, side, tile_number
from meeple.games.contract.game import Position
from meeple.sentences import in_turn, say

Cards = Sequence[int]  # [5] by resource

_CLAUSES = {
    "settlement": range(c.SETTLEMENT_AT, c.CITY_AT),
    "city": range(c.CITY_AT, c.ROAD_AT),
    "road": range(c.ROAD_AT, c.ROBBER_TO),
    "robber": range(c.ROBBER_TO, c.ROB),
}
_PLACE = re.compile(r"(robber|settlement|city|road)(?: to| at)? (\d{1,3})")
_EXAMPLE = "deal player 1 gives 1 wood and gets 1 ore, player 2 gives 1 ore and gets 1 wood"


def deal_words(s: Any) -> str:
    """Describe the open deal: `player 1 gives 1 wood, player 2 gets 1 wood`."""
    parts = []
    for seat in range(int(s.players)):
        gives, gets = s.give[seat].tolist(), s.want[seat].tolist()
        who, gave, got = player(seat), amounts(gives), amounts(gets)
        if any(gives) and any(gets):
            parts.append(say("catan.gives_and_gets", who=who, cards=gave, cards2=got))
        elif any(gives) or any(gets):
            code = "catan.gives" if any(gives) else "catan.gets"
            parts.append(say(code, who=who, cards=gave if any(gives) else got))
    clause = clause_words(s)
    deal = say("text.list", all=parts)
    return in_turn([deal, clause]) if clause else deal


def clause_words(s: Any) -> str:
    """Describe the clause of the open deal; return "" if it has none."""
    clause = int(s.clause)
    if clause == c.NO_CLAUSE:
        return ""
    if clause >= c.ROBBER_TO:
        return say("catan.robber_goes", place=tile_number(clause - c.ROBBER_TO))
    name, places = next(item for item in _CLAUSES.items() if clause in item[1])
    at = (side if name == "road" else corner)(clause - places.start)
    return say(f"catan.that_builds_{name}", who=player(s.on_turn), place=at)


def clause_of(what: str, place: int) -> int:
    """Return the action of a clause.

    Args:
        what: "robber", "road", "settlement" or "city".
        place: the number of the tile, edge or vertex.

    Raises:
        IllegalAction: there is no such place.
    """
    places = _CLAUSES[what]
    if not 0 <= place < len(places):
        raise IllegalAction(
            f"there is no place {place} for a {what}: they are 0 to {len(places) - 1}"
        )
    return places.start + place


def compose_deal(changes: Mapping[int, Cards], clause: int | None) -> list[int]:
    """Return the actions that compose and propose a deal.

    Args:
        changes: by seat, the cards gained of each resource; negative if given.
        clause: the action of the clause, if any.
    """
    places = [(seat, r) for seat in sorted(changes) for r in range(c.KINDS)]
    gives = [
        c.DEAL_GIVE + seat * c.KINDS + r for seat, r in places for _ in range(-changes[seat][r])
    ]
    gets = [c.DEAL_GET + seat * c.KINDS + r for seat, r in places for _ in range(changes[seat][r])]
    return [*gives, *gets, *([] if clause is None else [clause]), c.PROPOSE]


def parse_deal(position: Position, text: str) -> list[int]:
    """Return the actions of `deal player 1 gives 1 wood, player 2 gives 1 brick, road 5`.

    Raises:
        IllegalAction: the text is no deal, or the deal cannot be proposed here.
    """
    s = position.state
    check_may_deal(s)
    changes: dict[int, list[int]] = {}
    clause: int | None = None
    for part in re.split(r"[,;]", text.lower().strip().removeprefix("deal")):
        words = part.split()
        place = _PLACE.fullmatch(part.strip())
        if place is not None:
            clause = clause_of(place[1], int(place[2]))
        elif len(words) > 2 and words[0] == "player" and words[1].isdigit():
            seat = int(words[1]) - 1
            if not 0 <= seat < s.players:
                raise IllegalAction(f"there is no player {words[1]} in this game")
            _add_sides(changes.setdefault(seat, [0] * c.KINDS), words[2:], text)
        else:
            raise IllegalAction(f"'{part.strip()}' is no part of a deal; write: {_EXAMPLE}")
    return checked_deal(position, compose_deal(changes, clause))


def _add_sides(change: list[int], words: list[str], text: str) -> None:
    """Add the cards of `gives 1 wood and gets 2 ore` to the changes of a seat.

    Raises:
        IllegalAction: the words do not begin with `gives` or `gets`, or are not understood.
    """
    starts = [at for at, word in enumerate(words) if word in ("gives", "gets")]
    if not starts or starts[0] != 0:
        raise IllegalAction(f"'{text.strip()}' is no deal; write: {_EXAMPLE}")
    for at, end in itertools.pairwise([*starts, len(words)]):
        sign = 1 if words[at] == "gets" else -1
        for r, count in enumerate(cards_in(words[at + 1 : end], text)):
            change[r] += sign * count


def check_may_deal(s: Any) -> None:
    """Raise IllegalAction unless the seat to move may propose a deal."""
    if not s.with_deals:
        raise IllegalAction("this game is played without deals: its option deals is off")
    if s.to_move < 0 or s.phase not in (c.MAIN, c.ROBBER):
        raise IllegalAction(
            "a deal is made on your own turn, after the dice or while you move the robber"
        )
    if s.offers >= c.MAX_OFFERS_PER_TURN:
        most = c.MAX_OFFERS_PER_TURN
        raise IllegalAction(f"{player(s.to_move)} has begun {most} offers this turn, the most")


def checked_deal(position: Position, actions: list[int]) -> list[int]:
    """Return the actions of a deal unchanged.

    Raises:
        IllegalAction: one of them is not legal after those before it.
    """
    twin = position.copy()
    for action in actions:
        if action not in twin.legal_actions():
            raise IllegalAction(_reason_for_refusal(twin, action))
        twin.play(action)
    return actions


def _reason_for_refusal(position: Position, action: int) -> str:
    """Explain why an action of a deal is not legal."""
    s = position.state
    if action == c.PROPOSE:
        left = [int((s.give[:, r] - s.want[:, r]).sum()) for r in range(c.KINDS)]
        if any(left):
            return f"the deal does not balance: no player gets {amounts(left)}"
        robber = s.phase == c.DEAL and s.dealing == c.ROBBER and s.clause == c.NO_CLAUSE
        if robber:
            return "the deal does not say where the robber goes"
        return "a deal needs at least one other player"
    name = position.action_name(action)
    if c.DEAL_GIVE <= action < c.DEAL_GET:
        return f"{name} too often: that player does not have enough cards"
    if action >= c.DEAL_GET:
        return f"the deal does not balance: {name}, which no player gives"
    return f"'{name}' does not match the cards left over, or there is no site for it"
