"""A game of Catan as data for a drawn table: the island, and around it what a seat may know.

Spots to click are "v12" (a vertex), "e30" (an edge), "t5" (a tile) and "s1" (a seat). Places are
[across, down] in the units of `topology`: half a tile's width, and a quarter of its height.
"""

import functools
import itertools
from typing import Any

from meeple.games.boards.scene import ISLAND, Scene
from meeple.games.catan import text
from meeple.games.catan.hands import points, rate_of
from meeple.games.catan.state import (
    ACCEPT,
    ACCEPTED,
    ANSWER,
    ANY_PORT,
    BUY_CARD,
    CARDS,
    CHOOSE,
    CITY_AT,
    COUNTER,
    COUNTERED,
    DESERT,
    DISCARD_ONE,
    END_TURN,
    FREE_ROADS,
    GIVE,
    KINDS,
    KNIGHT,
    MARITIME,
    NOBODY,
    NUM_ACTIONS,
    OFFER,
    OFFERS,
    PHASES,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_PLENTY_ONE,
    PLAY_ROADS,
    PROPOSE,
    REFUSE,
    REFUSED,
    RESOURCES,
    ROAD_AT,
    ROB,
    ROBBER,
    ROBBER_TO,
    ROLL_DICE,
    SEATS,
    SETTLE,
    SETTLE_ROAD,
    SETTLEMENT_AT,
    TRADE_WITH,
    VICTIM,
    WANT,
    WITHDRAW,
    State,
)
from meeple.games.catan.topology import TOPOLOGY
from meeple.games.catan.tracker import Tracker
from meeple.games.catan.trades import COSTS
from meeple.games.contract.game import Position

CODES = {
    "settlement": SETTLEMENT_AT,
    "city": CITY_AT,
    "road": ROAD_AT,
    "robber": ROBBER_TO,
    "rob": ROB,
    "roll": ROLL_DICE,
    "end": END_TURN,
    "buy": BUY_CARD,
    "knight": PLAY_KNIGHT,
    "roads": PLAY_ROADS,
    "plenty": PLAY_PLENTY,
    "plenty_one": PLAY_PLENTY_ONE,
    "monopoly": PLAY_MONOPOLY,
    "maritime": MARITIME,
    "discard": DISCARD_ONE,
    "give": GIVE,
    "want": WANT,
    "propose": PROPOSE,
    "accept": ACCEPT,
    "refuse": REFUSE,
    "trade": TRADE_WITH,
    "withdraw": WITHDRAW,
    "end_of_actions": NUM_ACTIONS,
}
"""The first action of each group, by vertex, edge, tile, seat or resource; plenty (two resources,
the lower one first) and maritime trade (what is given, then what is taken) by r * 5 + q."""

_PUBLIC = (SETTLE, SETTLE_ROAD, FREE_ROADS, ROBBER, VICTIM)
"""Phases in which all can see what is legal."""
_TRADING = (OFFER, ANSWER, COUNTER, CHOOSE)
_SPOTS = ((SETTLEMENT_AT, "v"), (CITY_AT, "v"), (ROAD_AT, "e"), (ROBBER_TO, "t"), (ROB, "s"))

_tracker = Tracker()


def scene(position: Position, seat: int | None = None, tracker: Tracker = _tracker) -> Scene:
    """The table as a seat sees it, or (None) as anybody does: nothing that is hidden from it.

    Where hands are open, all see all.
    """
    s = position.state
    opened = not s.hidden_hands
    own = seat is not None
    facts = {
        **_island(s.tile_resource.tobytes(), s.tile_number.tobytes(), tuple(text.ports(s).items())),
        **_pieces(s),
        "resources": list(RESOURCES),
        "cards": list(CARDS),
        "players": [_player(position, i, opened or i == seat) for i in range(s.players)],
        "on_turn": int(s.on_turn),
        "to_move": int(s.to_move),
        "phase": PHASES[s.phase],
        "over": position.is_over,
        "words": "; ".join(text.now_words(position)),
        "bank": s.bank.tolist(),
        "deck": int(s.deck.sum()),
        "target": int(s.victory_points),
        "turn": int(s.turns),
        "rules": _rules(s),
        "dice": int(s.dice) if s.rolled else None,
        "rolls": _rolls(position.actions),
        "card_played": bool(s.card_played),
        "free_roads": int(s.free_roads),
        "discards": s.discards[: s.players].tolist(),
        "offer": _open_offer(s),
        "offers": _offers_of_turn(position),
        "offers_left": OFFERS - int(s.offers),
        "costs": {thing: list(cost) for thing, cost in COSTS.items()},
        "seat": seat,
        "hand": s.hand[seat].tolist() if own else None,
        "held": s.cards[seat].tolist() if own else None,
        "fresh": s.fresh.tolist() if own and seat == s.on_turn else [0] * KINDS,
        "points": points(s, seat) if seat is not None else None,
        "tracker": None if opened else tracker.look(position, seat),
        "codes": CODES,
    }
    return Scene(ISLAND, facts, _clicks(position, seat, opened))


def _clicks(position: Position, seat: int | None, opened: bool) -> dict[int, tuple[str, ...]]:
    """The spots of the legal actions at places, for those who may know which are legal."""
    s = position.state
    if s.to_move < 0 or not (opened or s.to_move == seat or s.phase in _PUBLIC):
        return {}
    found: dict[int, tuple[str, ...]] = {}
    for action in position.legal_actions().tolist():
        if action < ROLL_DICE:
            first, letter = next(spot for spot in reversed(_SPOTS) if action >= spot[0])
            found[action] = (f"{letter}{action - first}",)
    return found


# ---------------------------------------------------------------- the island


@functools.lru_cache(maxsize=64)
def _island(tiles: bytes, numbers: bytes, ports: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    """The empty island: it stays as it is all game."""
    middles = TOPOLOGY.tile_points.tolist()
    return {
        "tiles": [
            {
                "at": [across, down],
                "resource": "desert" if resource == DESERT else RESOURCES[resource],
                "number": number or None,
            }
            for (down, across), resource, number in zip(middles, tiles, numbers, strict=True)
        ],
        "vertices": [
            {"at": [across, down], "tiles": [tile for tile in around if tile >= 0]}
            for (down, across), around in zip(
                TOPOLOGY.vertex_points.tolist(), TOPOLOGY.vertex_tiles.tolist(), strict=True
            )
        ],
        "edges": TOPOLOGY.edge_vertices.tolist(),
        "ports": [
            {
                "edge": edge,
                "kind": "any" if kind == ANY_PORT else RESOURCES[kind - ANY_PORT - 1],
                "rate": 3 if kind == ANY_PORT else 2,
            }
            for edge, kind in ports
        ],
    }


def _pieces(s: Any) -> dict[str, Any]:
    """What stands on the island."""
    return {
        "buildings": [
            {
                "vertex": vertex,
                "seat": (owner - 1) % SEATS,
                "kind": "city" if owner > SEATS else "settlement",
            }
            for vertex, owner in enumerate(s.vertex.tolist())
            if owner
        ],
        "roads": [
            {"edge": edge, "seat": owner - 1} for edge, owner in enumerate(s.edge.tolist()) if owner
        ],
        "robber": None if s.robber == NOBODY else int(s.robber),
    }


# ---------------------------------------------------------------- players


def _player(position: Position, i: int, shown: bool) -> dict[str, Any]:
    """What is known of a seat; with its cards where they are `shown`."""
    s = position.state
    return {
        "name": position.game.player_name(i),
        "hand_size": int(s.hand[i].sum()),
        "card_count": int(s.cards[i].sum()),
        "played": s.played[i].tolist(),
        "knights": int(s.played[i, KNIGHT]),
        "points": text.points_seen(position, i),
        "road": int(s.road_length[i]),
        "longest_road": bool(s.longest_road == i),
        "largest_army": bool(s.largest_army == i),
        "left": {
            "road": int(s.roads[i]),
            "settlement": int(s.settlements[i]),
            "city": int(s.cities[i]),
        },
        "rates": [rate_of(s, i, resource) for resource in range(KINDS)],
        "hand": s.hand[i].tolist() if shown else None,
        "held": s.cards[i].tolist() if shown else None,
    }


def _rules(s: Any) -> dict[str, Any]:
    """The options that the page must know."""
    return {
        "robber": bool(s.with_robber),
        "cards": bool(s.with_cards),
        "trade": bool(s.with_trade),
        "hidden": bool(s.hidden_hands),
        "discard_limit": int(s.discard_limit),
    }


def _rolls(actions: tuple[int, ...]) -> list[int]:
    """How often each sum of the dice has come up: of 2 to 12."""
    counts = [0] * 11
    # No outcome of chance has so high a number.
    for action, outcome in itertools.pairwise(actions):
        if action == ROLL_DICE:
            counts[outcome - 2] += 1
    return counts


# ---------------------------------------------------------------- offers


def _open_offer(s: Any) -> dict[str, Any] | None:
    """The offer that is being composed, answered or chosen from."""
    if s.to_move < 0 or s.phase not in _TRADING:
        return None
    turn = int(s.on_turn)
    return {
        "by": turn,
        "give": s.give[turn].tolist(),
        "want": s.want[turn].tolist(),
        "composing": bool(s.phase == OFFER),
        "answers": [
            {
                "seat": i,
                "answer": _ANSWERS.get(int(s.answers[i]), "waiting"),
                "give": s.give[i].tolist(),
                "want": s.want[i].tolist(),
            }
            for i in ((turn + place) % int(s.players) for place in range(1, s.players))
        ],
    }


_ANSWERS = {ACCEPTED: "accepted", REFUSED: "refused", COUNTERED: "countered"}


def _offers_of_turn(position: Position) -> list[dict[str, Any]]:
    """The offers of this turn with their answers, the latest last, also once they are settled.

    `ply` is the number of the action that was the offer, or the answer.
    """
    actions = position.actions
    first = len(actions)
    while first and actions[first - 1] != END_TURN:
        first -= 1
    if not any(action == PROPOSE for action in actions[first:]):
        return []
    found: list[dict[str, Any]] = []
    for ply, step in enumerate(position.steps(first), first):
        before, after = (row.view(State)[0] for row in (step.before, step.after))
        if before.to_move < 0:
            continue
        seat = int(before.to_move)
        answer: dict[str, Any] = {"seat": seat, "ply": ply, "give": None, "want": None}
        terms = {"give": before.give[seat].tolist(), "want": before.want[seat].tolist()}
        if step.action == PROPOSE and before.phase == OFFER:
            found.append({"by": seat, "ply": ply, **terms, "answers": [], "partner": None})
        elif step.action == PROPOSE:
            found[-1]["answers"].append({**answer, "answer": "countered", **terms})
        elif step.action in (ACCEPT, REFUSE):
            word = "accepted" if step.action == ACCEPT else "refused"
            found[-1]["answers"].append({**answer, "answer": word})
        elif TRADE_WITH <= step.action < WITHDRAW:
            found[-1]["partner"] = step.action - TRADE_WITH
        elif step.action == WITHDRAW and before.phase == CHOOSE:
            found[-1]["withdrawn"] = True
        if found:
            found[-1]["open"] = bool(after.phase in _TRADING and after.to_move >= 0)
    return found
