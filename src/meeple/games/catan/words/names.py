"""Names of Catan's actions and outcomes, and the parser of typed texts.

Vertices, edges and tiles are named by their numbers in reading order, as in the drawing.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from meeple.errors import IllegalAction
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import rate_of
from meeple.games.catan.rules.topology import EDGES, TILES, VERTICES
from meeple.games.catan.trade.offers import most_wanted
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE
from meeple.sentences import say

CARD = c.THINGS[c.CARD]
COSTS = {thing: tuple(cost) for thing, cost in zip(c.THINGS, c.COSTS.tolist(), strict=True)}
"""The cards of each resource by what they buy."""
RESOURCES = tuple(say(f"name.{name}") for name in c.RESOURCES)
CARDS = tuple(say(f"name.{name.replace(' ', '_')}") for name in c.CARDS)
SYNONYMS = {"sheep": "wool", "wheat": "grain", "lumber": "wood", "clay": "brick"}

_ABBREVIATIONS = (
    ("settlement ", "s "),
    ("city ", "c "),
    ("road ", "r "),
    ("rob player ", "rob "),
    ("end turn", "end"),
    ("buy card", "buy"),
    ("buy card", "buy development card"),
    ("play ", ""),
    ("play year of plenty ", "plenty "),
    ("trade with player ", "trade with "),
    ("trade with player ", "trade "),
    ("accept", "yes"),
    ("refuse", "no"),
)
"""Beginnings of action names, and shorter texts that stand for them."""


def player(seat: int) -> str:
    """Return the name of a seat."""
    return say("game.player", n=seat + 1)


def corner(vertex: int) -> str:
    """Return a vertex: the page names it by its tiles."""
    return say("catan.corner", n=int(vertex))


def side(edge: int) -> str:
    """Return an edge: the page names it by its tiles."""
    return say("catan.side", n=int(edge))


def tile_number(tile: int) -> str:
    """Return a tile: the page names it by its resource and number."""
    return say("catan.tile_number", n=int(tile))


def amounts(counts: Iterable[int]) -> str:
    """Return counts of cards by resource as text: `2 wood, 1 ore`, or `nothing`."""
    held = [amount(n, r) for r, n in enumerate(counts) if n]
    return say("text.list", all=held) if held else say("catan.nothing")


def amount(n: int, resource: int) -> str:
    """Return a number of cards of a resource: `2 wood`."""
    return say("catan.amount", n=int(n), card=RESOURCES[resource])


_SEATS = [player(seat) for seat in range(c.MAX_SEATS)]
_NAMES = [
    *(say("catan.settlement", place=corner(vertex)) for vertex in range(VERTICES)),
    *(say("catan.city", place=corner(vertex)) for vertex in range(VERTICES)),
    *(say("catan.road", place=side(edge)) for edge in range(EDGES)),
    *(say("catan.robber", place=tile) for tile in range(TILES)),
    *(say("catan.rob", who=seat) for seat in _SEATS),
    *("roll", "end turn", "buy card", "play knight", "play road building"),
    *(f"play year of plenty {one} {other}" for one in c.RESOURCES for other in c.RESOURCES),
    *(f"play year of plenty {resource}" for resource in c.RESOURCES),
    *(say("catan.play_monopoly", card=resource) for resource in RESOURCES),
    *(f"{give} for 1 {take}" for give in c.RESOURCES for take in c.RESOURCES),
    *(f"discard {resource}" for resource in c.RESOURCES),
    *(f"offer {resource}" for resource in c.RESOURCES),
    *(f"ask {resource}" for resource in c.RESOURCES),
    *("propose", "accept", "refuse"),
    *(say("catan.trade_with", who=seat) for seat in _SEATS),
    "withdraw",
    *(say("catan.gives", who=seat, cards=resource) for seat in _SEATS for resource in RESOURCES),
    *(say("catan.gets", who=seat, cards=resource) for seat in _SEATS for resource in RESOURCES),
]
"""The names of all actions by number; those of maritime trade lack the rate."""


def action_name(position: Position, action: int) -> str:
    """Return the name of an action, or of an outcome at a chance node."""
    s = position.state
    if s.to_move == CHANCE:
        return _outcome_name(int(s.phase), action)
    if c.MARITIME <= action < c.DISCARD_ONE:
        rate = rate_of(s, int(s.on_turn), (action - c.MARITIME) // c.KINDS)
        return f"{rate} {_NAMES[action]}"
    return _NAMES[action]


def _outcome_name(phase: int, outcome: int) -> str:
    if phase == c.DICE:
        return f"rolled {outcome}"
    word, things = ("stole", c.RESOURCES) if phase == c.STEAL else ("drew", c.CARDS)
    return f"{word} {things[outcome] if 0 <= outcome < c.KINDS else outcome}"


# ---------------------------------------------------------------- typed texts


def _key(text: str) -> str:
    """Normalize case, spaces and synonyms; return "" if a character occurs in no name."""
    lower = text.lower()
    if re.search(r"[^a-z0-9\s]", lower):
        return ""
    return "".join(SYNONYMS.get(word, word) for word in re.findall(r"[a-z]+|[0-9]+", lower))


def _spellings() -> dict[str, int]:
    """Return the action of every normalized spelling, without maritime trade."""
    table: dict[str, int] = {}
    for action, name in enumerate(_NAMES):
        if c.MARITIME <= action < c.DISCARD_ONE:
            continue
        meant = action
        if c.PLAY_PLENTY <= action < c.PLAY_PLENTY_ONE:
            low, high = sorted(divmod(action - c.PLAY_PLENTY, c.KINDS))
            meant = c.PLAY_PLENTY + low * c.KINDS + high
        table[_key(name)] = meant
        for long, short in _ABBREVIATIONS:
            if name.startswith(long):
                table.setdefault(_key(short + name.removeprefix(long)), meant)
    return table


_SPELLINGS = _spellings()


def parse_action(position: Position, text: str) -> int | None:
    """Return the action or outcome that a text names, legal or not; None if it names none.

    Case and spaces do not matter. Abbreviations such as `s 12` and `end` are understood.
    """
    s = position.state
    key = _key(text)
    if s.to_move == CHANCE:
        return _parse_outcome(int(s.phase), key)
    found = re.fullmatch(r"(?:bank)?([0-9]+)([a-z]+)for1?([a-z]+)", key)
    if found is None:
        return _SPELLINGS.get(key)
    count, give, take = found.groups()
    if give not in c.RESOURCES or take not in c.RESOURCES:
        return None
    r, q = c.RESOURCES.index(give), c.RESOURCES.index(take)
    if count != str(rate_of(s, int(s.on_turn), r)):
        return None
    return c.MARITIME + r * c.KINDS + q


def _parse_outcome(phase: int, key: str) -> int | None:
    outcomes = range(2, 13) if phase == c.DICE else range(c.KINDS)
    for outcome in outcomes:
        if key == _key(_outcome_name(phase, outcome)):
            return outcome
    return None


def parse_offer(position: Position, text: str) -> list[int]:
    """Return the actions that compose and propose a whole offer such as `2 wood for 1 ore`.

    For a seat that answers, it is a counter-offer, also written `counter 1 ore for 1 wood`. Several
    resources on a side are written `2 wood and 1 brick`.

    Raises:
        IllegalAction: the text is no offer, or the seat to move cannot make it here.
    """
    counter, give, want = _terms(text)
    s = position.state
    check_may_offer(s, counter)
    for r in range(c.KINDS):
        if give[r] and want[r]:
            raise IllegalAction(f"'{text}' has {c.RESOURCES[r]} on both sides")
        if give[r] > s.hand[s.to_move, r]:
            raise IllegalAction(
                f"{player(s.to_move)} holds {s.hand[s.to_move, r]} {c.RESOURCES[r]} and cannot "
                f"give {give[r]}"
            )
    most = most_wanted(s)
    if sum(want) > most:
        whom = "every other player" if s.to_move == s.on_turn else player(s.on_turn)
        raise IllegalAction(f"{amounts(want)} is too much: {whom} holds {most} cards or fewer")
    return compose(give, want)


def compose(give: Iterable[int], want: Iterable[int]) -> list[int]:
    """Return the actions that compose and propose an offer, in the order that the rules require."""
    gives = [c.GIVE + r for r, count in enumerate(give) for _ in range(count)]
    wants = [c.WANT + r for r, count in enumerate(want) for _ in range(count)]
    return [*gives, *wants, c.PROPOSE]


def check_may_offer(s: Any, counter: bool = False) -> None:
    """Raise IllegalAction unless the seat to move may make an offer, or a counter-offer."""
    if not s.with_trade:
        raise IllegalAction("this game is played without trade between players")
    if s.to_move < 0 or s.phase not in (c.MAIN, c.ANSWER):
        raise IllegalAction(
            "an offer is made on your own turn after the dice, or in answer to another offer"
        )
    if counter and s.phase == c.MAIN:
        raise IllegalAction("there is no offer to counter: leave out the word 'counter'")
    if s.phase == c.MAIN and s.offers >= c.MAX_OFFERS_PER_TURN:
        most = c.MAX_OFFERS_PER_TURN
        raise IllegalAction(f"{player(s.to_move)} has begun {most} offers this turn, the most")


def parse_cards(text: str) -> list[int] | None:
    """Return the cards by resource of a text such as `2 wood 1 ore` or `discard ore`.

    Returns:
        [5] counts; None if the text names no resource.

    Raises:
        IllegalAction: a part of the text is not understood.
    """
    words = re.findall(r"[a-z]+|[0-9]+|\S", text.lower())
    words = words[1:] if words[:1] == ["discard"] else words
    if not any(SYNONYMS.get(word, word) in c.RESOURCES for word in words):
        return None
    return cards_in(words, text)


def _terms(text: str) -> tuple[bool, list[int], list[int]]:
    """Return whether a text says `counter`, and the cards that it gives and wants, by resource."""
    words = re.findall(r"[a-z]+|[0-9]+|\S", text.lower())
    counter = words[:1] == ["counter"]
    if counter or words[:1] == ["offer"]:
        words = words[1:]
    if words.count("for") != 1:
        raise IllegalAction(f"'{text}' is no offer: one is typed as '2 wood for 1 ore'")
    middle = words.index("for")
    give, want = (cards_in(words, text) for words in (words[:middle], words[middle + 1 :]))
    if not any(give) or not any(want):
        raise IllegalAction(f"both sides of '{text}' must give at least one card of a resource")
    return counter, give, want


def cards_in(words: Sequence[str], text: str) -> list[int]:
    """Return the cards by resource that words name, such as one side of an offer.

    Raises:
        IllegalAction: a word is not understood; the message cites `text`.
    """
    counts = [0] * c.KINDS
    number = ""
    for word in words:
        resource = SYNONYMS.get(word, word)
        if word.isdecimal() and not number:
            if len(word) > 2:
                raise IllegalAction(f"no player holds {word} cards")
            number = word
        elif resource in c.RESOURCES:
            counts[c.RESOURCES.index(resource)] += int(number or 1)
            number = ""
        elif number or word not in ("and", ","):
            raise IllegalAction(f"'{word}' is no resource; resources: {', '.join(c.RESOURCES)}")
    if number:
        raise IllegalAction(f"no resource follows '{number}' in '{text}'")
    return counts
