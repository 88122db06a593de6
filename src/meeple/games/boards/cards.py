"""A table of cards as a scene: hands, tricks, piles and notes, each as one viewer may see them.

A card is a short text: a rank and the letter of a suit (S, H, D or C), such as "AS" or "10H", or
any other text. The page draws the suits; the terminal shows the letters.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from meeple.games.boards.scene import CARDS, Scene
from meeple.sentences import say

MAX_CARDS = 500  # of a table

PACK = [f"{rank}{suit}" for suit in "CDHS" for rank in (*"A23456789", "10", *"JQK")]  # 52 cards

Pile = int | Sequence[str]  # the number of cards face down, or the cards face up, the top one last


def cards(
    hands: Sequence[Sequence[str]] = (),
    seat: int | None = None,
    *,
    legal: Mapping[int, str | Sequence[str]] | None = None,
    seen: Collection[int] | None = None,
    trick: Mapping[int, str] | None = None,
    last_trick: Mapping[int, str] | None = None,
    piles: Mapping[str, Pile] | None = None,
    spread: Collection[str] = (),
    notes: Sequence[str] = (),
    note: str = "",
    names: Sequence[str] = (),
) -> Scene:
    """Return a table of cards for one viewer, who sees no hand but those of `seen`.

    The spot of a card of the viewer's hand is the card; of a second equal card "AS 2"; of a card
    that the viewer does not see "card 1" and so on. The spot of a pile is its label.

    Args:
        hands: the cards of each seat, face up: this function hides them.
        seat: the viewer; None for the public, which sees no hand.
        legal: for each action, the spot to click, or the spots one after the other. An action that
            is not in it is a button.
        seen: the seats whose hands the viewer sees; by default its own.
        trick: the card on the table of each seat that has played one, in the order of play.
        last_trick: the trick before.
        piles: the piles by their labels.
        spread: labels of piles whose cards are all shown, not only the top one.
        notes: for each seat, what to show beside its name, such as its bid and its tricks.
        note: what all seats know, such as the trump.
        names: what each seat is called.

    Raises:
        ValueError: there are more than `MAX_CARDS` cards, or two piles and cards share a spot.
    """
    seen = ({seat} if seat is not None else ()) if seen is None else seen
    heaps = [_pile(label, pile, label in spread) for label, pile in (piles or {}).items()]
    count = sum(map(len, hands)) + sum(len(pile["cards"]) for pile in heaps)
    if count > MAX_CARDS:
        raise ValueError(f"a table has {count:,} cards: more than {MAX_CARDS} are not drawn")
    played = [seat + 1 for one in (trick, last_trick) for seat in one or ()]
    seats = int(max(len(hands), len(notes), len(names), *played, 0))
    players = [
        {
            "name": names[one] if one < len(names) else say("game.player", n=one + 1),
            "note": notes[one] if one < len(notes) else "",
            "cards": [*hands[one]] if one < len(hands) and one in seen else [],
            "backs": len(hands[one]) if one < len(hands) and one not in seen else 0,
        }
        for one in range(seats)
    ]
    mine = [] if seat is None or seat >= len(hands) else [*hands[seat]]
    if seat not in seen:
        mine = [f"card {n}" for n in range(1, len(mine) + 1)]
    again = [mine[:place].count(card) for place, card in enumerate(mine)]
    own = [f"{card} {n + 1}" if n else card for card, n in zip(mine, again, strict=True)]
    if len({*own, *(piles or {})}) < len(own) + len(heaps):
        raise ValueError("a pile has the label of a card in the viewer's hand")
    facts: dict[str, Any] = {
        "seat": None if seat is None else int(seat),
        "players": players,
        "hand": own,
        "trick": _played(trick),
        "last_trick": _played(last_trick),
        "piles": heaps,
        "note": note,
    }
    clicks = {
        int(action): (spots,) if isinstance(spots, str) else tuple(spots)
        for action, spots in (legal or {}).items()
    }
    return Scene(CARDS, facts, clicks)


def _pile(label: str, pile: Pile, spread: bool) -> dict[str, Any]:
    if isinstance(pile, int | np.integer):
        return {"label": label, "cards": [], "count": int(pile), "spread": spread}
    shown = [*pile] if spread else [*pile[-1:]]
    return {"label": label, "cards": shown, "count": len(pile), "spread": spread}


def _played(trick: Mapping[int, str] | None) -> list[dict[str, Any]]:
    return [{"seat": int(seat), "card": card} for seat, card in (trick or {}).items()]


def spots_of(facts: Mapping[str, Any]) -> list[str]:
    """Return the spots of a table of cards."""
    return [*facts["hand"], *(pile["label"] for pile in facts["piles"])]


def write_cards(facts: Mapping[str, Any]) -> str:
    """Return a table of cards as plain text, the viewer's hand last."""
    players = facts["players"]

    def line_of(trick: Sequence[Mapping[str, Any]]) -> str:
        return ", ".join(f"{players[one['seat']]['name']} {one['card']}" for one in trick)

    lines = [facts["note"]] if facts["note"] else []
    for seat, one in enumerate(players):
        if seat != facts["seat"]:
            parts = [" ".join(one["cards"]), _count(one["backs"]), one["note"]]
            lines.append(f"{one['name']}: {', '.join(part for part in parts if part) or '-'}")
    for pile in facts["piles"]:
        hidden = pile["count"] - len(pile["cards"])
        above = " ".join(pile["cards"])
        below = f" (on {_count(hidden)})" if above and hidden else "" if above else _count(hidden)
        lines.append(f"{pile['label']}: {above}{below or ('' if above else '-')}")
    for label, trick in (("last trick", facts["last_trick"]), ("trick", facts["trick"])):
        if trick:
            lines.append(f"{label}: {line_of(trick)}")
    if facts["seat"] is not None and facts["seat"] < len(players):
        one = players[facts["seat"]]
        lines.append(f"your hand: {' '.join(facts['hand']) or '-'}")
        lines += [f"you: {one['note']}"] * bool(one["note"])
    return "\n".join(lines) or "-"


def _count(cards: int) -> str:
    return f"{cards} card{'s' * (cards != 1)}" if cards else ""
