"""A game of Catan as data for a drawn table: the island, and the facts that a seat may know.

Spots to click are "v12" (a vertex), "e30" (an edge), "t5" (a tile) and "s1" (a seat). Coordinates
are [across, down] in the units of `topology`: half a tile's width and a quarter of its height.
"""

import functools
import itertools
from typing import Any

from meeple.games.boards.scene import ISLAND, Scene
from meeple.games.catan.belief.card_tracker import Tracker
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import points, rate_of
from meeple.games.catan.rules.roads import road_sites, touched_by
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.catan.words import drawing as text
from meeple.games.catan.words.deal_words import deal_words
from meeple.games.catan.words.names import COSTS
from meeple.games.catan.words.sentences import tile_name
from meeple.games.contract.game import Position
from meeple.sentences import in_turn

CODES = {
    "settlement": c.SETTLEMENT_AT,
    "city": c.CITY_AT,
    "road": c.ROAD_AT,
    "robber": c.ROBBER_TO,
    "rob": c.ROB,
    "roll": c.ROLL_DICE,
    "end": c.END_TURN,
    "buy": c.BUY_CARD,
    "knight": c.PLAY_KNIGHT,
    "roads": c.PLAY_ROADS,
    "plenty": c.PLAY_PLENTY,
    "plenty_one": c.PLAY_PLENTY_ONE,
    "monopoly": c.PLAY_MONOPOLY,
    "maritime": c.MARITIME,
    "discard": c.DISCARD_ONE,
    "give": c.GIVE,
    "want": c.WANT,
    "propose": c.PROPOSE,
    "accept": c.ACCEPT,
    "refuse": c.REFUSE,
    "trade": c.TRADE_WITH,
    "withdraw": c.WITHDRAW,
    "deal_give": c.DEAL_GIVE,
    "deal_get": c.DEAL_GET,
    "end_of_actions": c.NUM_ACTIONS_WITH_DEALS,
}
"""The first action of each group. Within a group actions are in the order of vertices, edges,
tiles, seats or resources; year of plenty (two resources, the lower one first) and maritime trade
(resource given, resource taken) are numbered r * 5 + q."""

_PUBLIC_PHASES = (c.SETTLE, c.SETTLE_ROAD, c.FREE_ROADS, c.ROBBER, c.VICTIM)
"""Phases in which the legal actions are public knowledge."""
_TRADING_PHASES = (c.OFFER, c.ANSWER, c.COUNTER, c.CHOOSE)
_SPOT_LETTERS = (  # first action of a group, and the letter of its spots
    (c.SETTLEMENT_AT, "v"),
    (c.CITY_AT, "v"),
    (c.ROAD_AT, "e"),
    (c.ROBBER_TO, "t"),
    (c.ROB, "s"),
)

_tracker = Tracker()


def scene(position: Position, seat: int | None = None, tracker: Tracker = _tracker) -> Scene:
    """Return the table with what one seat may know.

    Args:
        position: the position.
        seat: the viewer; None: the public. With open hands every viewer sees everything.
        tracker: the cache of beliefs for the card tracker.
    """
    s = position.state
    open_hands = not s.hidden_hands
    own = seat is not None
    facts = {
        **_island(s.tile_resource.tobytes(), s.tile_number.tobytes(), tuple(text.ports(s).items())),
        **_pieces(s),
        "resources": list(c.RESOURCES),
        "cards": list(c.CARDS),
        "players": [_player(position, i, open_hands or i == seat) for i in range(s.players)],
        "on_turn": int(s.on_turn),
        "to_move": int(s.to_move),
        "phase": c.PHASES[s.phase],
        "over": position.is_over,
        "words": in_turn(text.now_words(position)),
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
        "deal": _deal(s),
        "offers_left": c.MAX_OFFERS_PER_TURN - int(s.offers),
        "costs": {thing: list(cost) for thing, cost in COSTS.items()},
        "seat": seat,
        "hand": s.hand[seat].tolist() if own else None,
        "held": s.cards[seat].tolist() if own else None,
        "fresh": s.fresh.tolist() if own and seat == s.on_turn else [0] * c.KINDS,
        "points": points(s, seat) if seat is not None else None,
        "tracker": None if open_hands else tracker.look(position, seat),
        "codes": CODES,
    }
    return Scene(ISLAND, facts, _clicks(position, seat, open_hands))


def _clicks(position: Position, seat: int | None, open_hands: bool) -> dict[int, tuple[str, ...]]:
    """Return the spots of the legal actions at places; empty if the viewer may not know them."""
    s = position.state
    if s.to_move < 0 or not (open_hands or s.to_move == seat or s.phase in _PUBLIC_PHASES):
        return {}
    found: dict[int, tuple[str, ...]] = {}
    for action in position.legal_actions().tolist():
        if action < c.ROLL_DICE:
            found[action] = spots(action)
    return found


def spots(action: int) -> tuple[str, ...]:
    """Return the spot of an action at a place: one below `ROLL_DICE`."""
    first, letter = next(spot for spot in reversed(_SPOT_LETTERS) if action >= spot[0])
    return (f"{letter}{action - first}",)


# ---------------------------------------------------------------- the island


@functools.lru_cache(maxsize=64)
def _island(tiles: bytes, numbers: bytes, ports: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    """Return the facts about the empty island, which are constant during a game."""
    centres = TOPOLOGY.tile_points.tolist()
    return {
        "tiles": [
            {
                "at": [across, down],
                "resource": "desert" if resource == c.DESERT else c.RESOURCES[resource],
                "number": number or None,
            }
            for (down, across), resource, number in zip(centres, tiles, numbers, strict=True)
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
                "kind": "any" if kind == c.ANY_PORT else c.RESOURCES[kind - c.ANY_PORT - 1],
                "rate": 3 if kind == c.ANY_PORT else 2,
            }
            for edge, kind in ports
        ],
    }


def _pieces(s: Any) -> dict[str, Any]:
    """Return the facts about the buildings, the roads and the robber."""
    return {
        "buildings": [
            {
                "vertex": vertex,
                "seat": (owner - 1) % c.MAX_SEATS,
                "kind": "city" if owner > c.MAX_SEATS else "settlement",
            }
            for vertex, owner in enumerate(s.vertex.tolist())
            if owner
        ],
        "roads": [
            {"edge": edge, "seat": owner - 1} for edge, owner in enumerate(s.edge.tolist()) if owner
        ],
        "robber": None if s.robber == c.NO_SEAT else int(s.robber),
    }


# ---------------------------------------------------------------- players


def _player(position: Position, i: int, shown: bool) -> dict[str, Any]:
    """Return the facts about a seat, with its cards if `shown`."""
    s = position.state
    return {
        "name": position.game.player_name(i),
        "hand_size": int(s.hand[i].sum()),
        "card_count": int(s.cards[i].sum()),
        "played": s.played[i].tolist(),
        "knights": int(s.played[i, c.KNIGHT]),
        "points": text.points_seen(position, i),
        "road": int(s.road_length[i]),
        "longest_road": bool(s.longest_road == i),
        "largest_army": bool(s.largest_army == i),
        "left": {
            "road": int(s.roads[i]),
            "settlement": int(s.settlements[i]),
            "city": int(s.cities[i]),
        },
        "rates": [rate_of(s, i, resource) for resource in range(c.KINDS)],
        "hand": s.hand[i].tolist() if shown else None,
        "held": s.cards[i].tolist() if shown else None,
    }


def _rules(s: Any) -> dict[str, Any]:
    """Return the options that the page needs."""
    return {
        "robber": bool(s.with_robber),
        "cards": bool(s.with_cards),
        "trade": bool(s.with_trade),
        "deals": bool(s.with_deals),
        "hidden": bool(s.hidden_hands),
        "discard_limit": int(s.discard_limit),
    }


def _rolls(actions: tuple[int, ...]) -> list[int]:
    """Return how often each sum of the dice, 2 to 12, was rolled."""
    counts = [0] * 11
    # Outcomes of chance are smaller numbers than ROLL_DICE.
    for action, outcome in itertools.pairwise(actions):
        if action == c.ROLL_DICE:
            counts[outcome - 2] += 1
    return counts


# ---------------------------------------------------------------- offers


def _open_offer(s: Any) -> dict[str, Any] | None:
    """Return the offer that is being composed or answered, or whose partner is being chosen."""
    if s.to_move < 0 or s.phase not in _TRADING_PHASES:
        return None
    turn = int(s.on_turn)
    return {
        "by": turn,
        "give": s.give[turn].tolist(),
        "want": s.want[turn].tolist(),
        "composing": bool(s.phase == c.OFFER),
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


def _deal(s: Any) -> dict[str, Any] | None:
    """Return the open deal and the possible places of a clause; None in a game without deals."""
    if not s.with_deals or s.to_move < 0:
        return None
    seats = range(int(s.players))
    moving = s.phase == c.ROBBER or (s.phase == c.DEAL and s.dealing == c.ROBBER)
    return {
        "words": deal_words(s) if s.phase >= c.DEAL else None,
        "asked": [i for i in seats if s.answers[i] == c.WAITING] if s.phase == c.CONSENT else [],
        "places": _robber_places(s) if moving else _building_places(s),
    }


def _robber_places(s: Any) -> list[dict[str, Any]]:
    tiles = [tile for tile in range(len(s.tile_number)) if tile != s.robber]
    return [
        {
            "action": c.ROBBER_TO + t,
            "words": tile_name(s, t),
            "cost": [0] * c.KINDS,
        }
        for t in tiles
    ]


def _building_places(s: Any) -> list[dict[str, Any]]:
    """Return the sites where the seat on turn could build, costs aside."""
    seat = int(s.on_turn)
    touched = touched_by(s, seat)
    vertices = range(len(s.vertex))
    free = [v for v in vertices if s.crowded[v] == 0 and (touched >> v) & 1]
    sites = {
        "road": (c.ROAD_AT, road_sites(s, seat, touched)),
        "settlement": (c.SETTLEMENT_AT, free),
        "city": (c.CITY_AT, [v for v in vertices if s.vertex[v] == 1 + seat]),
    }
    return [
        {"action": first + at, "words": f"{thing} {at}", "cost": list(COSTS[thing])}
        for thing, (first, places) in sites.items()
        for at in places
    ]


_ANSWERS = {c.ACCEPTED: "accepted", c.REFUSED: "refused", c.COUNTERED: "countered"}


def _offers_of_turn(position: Position) -> list[dict[str, Any]]:
    """Return the offers of this turn with their answers, including settled ones, in order.

    `ply` is the index of the action that made the offer or the answer.
    """
    actions = position.actions
    first = len(actions)
    while first and actions[first - 1] != c.END_TURN:
        first -= 1
    if not any(action == c.PROPOSE for action in actions[first:]):
        return []
    found: list[dict[str, Any]] = []
    for ply, step in enumerate(position.steps(first), first):
        before, after = (row.view(c.State)[0] for row in (step.before, step.after))
        if before.to_move < 0 or before.phase >= c.DEAL:
            continue
        seat = int(before.to_move)
        answer: dict[str, Any] = {"seat": seat, "ply": ply, "give": None, "want": None}
        terms = {"give": before.give[seat].tolist(), "want": before.want[seat].tolist()}
        if step.action == c.PROPOSE and before.phase == c.OFFER:
            found.append({"by": seat, "ply": ply, **terms, "answers": [], "partner": None})
        elif step.action == c.PROPOSE:
            found[-1]["answers"].append({**answer, "answer": "countered", **terms})
        elif step.action in (c.ACCEPT, c.REFUSE):
            word = "accepted" if step.action == c.ACCEPT else "refused"
            found[-1]["answers"].append({**answer, "answer": word})
        elif c.TRADE_WITH <= step.action < c.WITHDRAW:
            found[-1]["partner"] = step.action - c.TRADE_WITH
        elif step.action == c.WITHDRAW and before.phase == c.CHOOSE:
            found[-1]["withdrawn"] = True
        if found:
            found[-1]["open"] = bool(after.phase in _TRADING_PHASES and after.to_move >= 0)
    return found
