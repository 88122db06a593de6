"""The board and the table of Catan as text, for the public or for one seat.

Sea and land are drawn on a canvas of characters, at places computed from the topology.
"""

import functools
from typing import Any, NamedTuple

from meeple.games.boards.drawing import block, bold, dim, free, paint
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of, deck_size, points, public_points
from meeple.games.catan.rules.roads import road_sites, touched_by
from meeple.games.catan.rules.topology import NONE, TOPOLOGY, VERTICES
from meeple.games.catan.words.deal_words import deal_words
from meeple.games.catan.words.names import amounts, player
from meeple.games.catan.words.sentences import offer_words
from meeple.games.contract.game import Position
from meeple.sentences import say

LEFT, TOP = 10, 1  # column of the leftmost and line of the topmost vertex on the canvas
STEP = 6  # columns per half tile
LINES, COLUMNS = 2 * TOP + 23, 2 * LEFT + 10 * STEP + 2

# Styles. _ROAD and _BUILDING are the first of one style per seat.
_PLAIN, _DIM, _BOLD, _SITE, _ROAD, _BUILDING = 0, 1, 2, 3, 4, 4 + c.MAX_SEATS


class _Place(NamedTuple):
    line: int
    column: int


def _vertex_places() -> list[_Place]:
    rows = sorted({down for down, _ in TOPOLOGY.vertex_points.tolist()})
    return [
        _Place(TOP + 2 * rows.index(down), LEFT + STEP * (across + 5))
        for down, across in TOPOLOGY.vertex_points.tolist()
    ]


_VERTEX = _vertex_places()
_EDGE_ENDS: list[list[int]] = TOPOLOGY.edge_vertices.tolist()
_TILE_EDGES: list[list[int]] = TOPOLOGY.tile_edges.tolist()
_EDGE = [
    _Place((_VERTEX[a].line + _VERTEX[b].line) // 2, (_VERTEX[a].column + _VERTEX[b].column) // 2)
    for a, b in _EDGE_ENDS
]
_EDGE_SIGN = [
    "|" if _VERTEX[a].column == _VERTEX[b].column
    else ".-'" if _VERTEX[a].column > _VERTEX[b].column
    else "'-."
    for a, b in _EDGE_ENDS
]  # fmt: skip
_TILE = [
    _Place(_VERTEX[six[0]].line + 2, _VERTEX[six[0]].column)
    for six in TOPOLOGY.tile_vertices.tolist()
]
"""The first of the three lines of a tile's text, and its middle column."""


def _port_words(edge: int, kind: int) -> list[tuple[_Place, str]]:
    """Return the text of a port in parts, each with its place: at sea, beside the edge.

    In a bay between two tiles, which is too narrow, the text is above or below the edge in two
    lines.
    """
    resource = "" if kind == c.ANY_PORT else c.RESOURCES[kind - c.ANY_PORT - 1]
    rate = "3:1" if kind == c.ANY_PORT else "2:1"
    tile, side = next((t, six.index(edge)) for t, six in enumerate(_TILE_EDGES) if edge in six)
    line, column = _EDGE[edge]
    right = side < 3  # sides are counted clockwise from the upper right one
    if side not in (1, 4) and TOPOLOGY.tile_tiles[tile, 1 if right else 4] != NONE:
        column += 1 if right else -1
        down = -1 if side in (0, 5) else 1
        return [
            (_Place(line + down, column - 1), rate),
            (_Place(line + 2 * down, column - (len(resource) - 1) // 2), resource),
        ]
    if side in (1, 4):  # a vertical edge at the side of the canvas: in two lines
        below = _Place(line + 1, column + 4 if right else column - 2 - len(resource))
        return [(_Place(line, column + 3 if right else column - 5), rate), (below, resource)]
    words = f"{resource} {rate}".strip()
    return [(_Place(line, column + 3 if right else column - 2 - len(words)), words)]


class Canvas:
    """A grid of characters with their styles."""

    def __init__(self, lines: int, columns: int) -> None:
        self._signs = [[" "] * columns for _ in range(lines)]
        self._styles = [[_PLAIN] * columns for _ in range(lines)]

    def copy(self) -> "Canvas":
        """Return an independent copy."""
        twin = Canvas(0, 0)
        twin._signs = [row.copy() for row in self._signs]
        twin._styles = [row.copy() for row in self._styles]
        return twin

    def put(self, line: int, column: int, text: str, style: int = _PLAIN) -> None:
        """Write a text that begins at a column."""
        self._signs[line][column : column + len(text)] = text
        self._styles[line][column : column + len(text)] = [style] * len(text)

    def centre(self, line: int, column: int, text: str, style: int = _PLAIN) -> None:
        """Write a text centred at a column; an even length extends further to the right."""
        self.put(line, column - (len(text) - 1) // 2, text, style)

    def lines(self, colour: bool) -> list[str]:
        """Return the lines without trailing spaces, with ANSI colours if `colour`."""
        if not colour:
            return ["".join(row).rstrip() for row in self._signs]
        return [
            _coloured(signs, styles)
            for signs, styles in zip(self._signs, self._styles, strict=True)
        ]


def _coloured(signs: list[str], styles: list[int]) -> str:
    """Return a line with ANSI codes around each run of one style."""
    text, at = "", 0
    end = len("".join(signs).rstrip())
    while at < end:
        until = at
        while until < end and styles[until] == styles[at]:
            until += 1
        text += _styled("".join(signs[at:until]), styles[at])
        at = until
    return text


def _styled(text: str, style: int) -> str:
    if style >= _BUILDING:
        return block(text, style - _BUILDING)
    if style >= _ROAD:
        return paint(text, style - _ROAD)
    plain = {_DIM: dim, _BOLD: bold, _SITE: free}.get(style)
    return plain(text) if plain else text


# ---------------------------------------------------------------- the island


def ports(s: Any) -> dict[int, int]:
    """Return the kind of each port, as in `vertex_port`, by its coast edge."""
    kinds = s.vertex_port.tolist()
    coast = TOPOLOGY.coast.tolist()
    pairs = [set(_EDGE_ENDS[edge]) for edge in coast]
    found: dict[int, int] = {}
    first = next(i for i, ends in enumerate(pairs) if len({kinds[v] for v in ends}) == 2)
    taken: set[int] = set()
    for i in range(first, first + len(coast)):
        ends = pairs[i % len(coast)]
        kind = min(kinds[v] for v in ends)
        if kind and len({kinds[v] for v in ends}) == 1 and not ends & taken:
            found[coast[i % len(coast)]] = kind
            taken |= ends
    return found


@functools.lru_cache(maxsize=8)
def _island(tiles: bytes, numbers: bytes, at_coast: tuple[tuple[int, int], ...]) -> Canvas:
    """Return the canvas of the empty island."""
    canvas = Canvas(LINES, COLUMNS)
    for edge, (line, column) in enumerate(_EDGE):
        canvas.centre(line, column, _EDGE_SIGN[edge], _DIM)
    for line, column in _VERTEX:
        canvas.put(line, column, "+", _DIM)
    for tile, (line, column) in enumerate(_TILE):
        if tiles[tile] == c.DESERT:
            canvas.centre(line, column, "desert")
            continue
        number = numbers[tile]
        canvas.centre(line, column, c.RESOURCES[tiles[tile]])
        dots = "." * (6 - abs(number - 7))
        canvas.centre(line + 1, column, f"{number} {dots}", _BOLD if number in (6, 8) else _PLAIN)
    for edge, kind in at_coast:
        for place, words in _port_words(edge, kind):
            canvas.put(*place, words)
    return canvas


def _board(position: Position, colour: bool) -> list[str]:
    s = position.state
    at_coast = tuple(ports(s).items())
    canvas = _island(s.tile_resource.tobytes(), s.tile_number.tobytes(), at_coast).copy()
    for edge, owner in enumerate(s.edge.tolist()):
        if owner:
            line, column = _EDGE[edge]
            sign = str(owner) * len(_EDGE_SIGN[edge])
            canvas.centre(line, column, sign, _ROAD + owner - 1)
    for vertex, owner in enumerate(s.vertex.tolist()):
        if owner:
            seat = (owner - 1) % c.MAX_SEATS
            sign = "C" if owner > c.MAX_SEATS else "S"
            canvas.put(*_VERTEX[vertex], f"{sign}{seat + 1}", _BUILDING + seat)
    _put_sites(canvas, position)
    for tile, (line, column) in enumerate(_TILE):
        if tile == s.robber:
            canvas.centre(line + 2, column, "ROBBER", _BOLD)
        elif s.phase == c.ROBBER and not position.is_over:
            canvas.centre(line + 2, column, f"tile {tile}", _SITE)
    lines = canvas.lines(colour)
    while not lines[0]:
        del lines[0]
    while not lines[-1]:
        del lines[-1]
    return lines


def _put_sites(canvas: Canvas, position: Position) -> None:
    """Write the numbers of the sites of the player on turn.

    Costs are ignored: whether the player holds the cards is private.
    """
    s = position.state
    if position.is_over:
        return
    seat = int(s.on_turn)
    if s.phase == c.SETTLE or (s.phase in _TURN and s.settlements[seat] > 0):
        free = -1 if s.phase == c.SETTLE else int(touched_by(s, seat))  # a bit for each vertex
        for vertex, crowded in enumerate(s.crowded.tolist()):
            if not crowded and free >> vertex & 1:
                canvas.put(*_VERTEX[vertex], str(vertex), _SITE)
    if s.phase in _TURN and s.cities[seat] > 0:
        for vertex in range(VERTICES):
            if s.vertex[vertex] == 1 + seat:
                canvas.put(*_VERTEX[vertex], f"c{vertex}", _BUILDING + seat)
    for edge in _road_sites(position):
        canvas.centre(*_EDGE[edge], f"r{edge}".center(len(_EDGE_SIGN[edge])), _SITE)


_TURN = (c.ROLL, c.DICE, c.MAIN, c.DRAW, c.OFFER, c.CHOOSE)
"""Phases in which the sites of the player on turn are shown."""


def _road_sites(position: Position) -> list[int]:
    """Return the edges where the player on turn may build a road, costs aside."""
    s, seat = position.state, int(position.state.on_turn)
    if s.phase == c.SETTLE_ROAD:
        return [action - c.ROAD_AT for action in position.legal_actions().tolist()]
    if s.phase not in (*_TURN, c.FREE_ROADS) or s.roads[seat] == 0:
        return []
    return road_sites(s, seat, touched_by(s, seat))


# ---------------------------------------------------------------- the table


def draw(position: Position, colour: bool = False) -> str:
    """Draw the board and the public facts in at most 80 columns and 45 lines."""
    s = position.state
    lines = _board(position, colour)
    deck = f"; deck: {_count(deck_size(s), 'card')}" if s.with_cards else ""
    lines += ["", f"bank: {amounts(s.bank.tolist())}{deck}", *_table(position, colour)]
    return "\n".join([*lines, "", *now_words(position), *_offers(s)])


def view(position: Position, seat: int, colour: bool = False) -> str:
    """Draw the board and the public facts, and the hand and development cards of a seat."""
    return f"{draw(position, colour)}\n{hand_words(position, seat)}"


def hand_words(position: Position, seat: int) -> str:
    """Describe a seat's hand and development cards in one or two lines, for that seat only."""
    s = position.state
    cards = _cards(s.cards[seat].tolist())
    fresh = _cards(s.fresh.tolist()) if seat == s.on_turn else ""
    new = f" (new: {fresh})" if fresh else ""
    held = (
        f"{player(seat)} holds {amounts(s.hand[seat].tolist())}; {_count(points(s, seat), 'point')}"
    )
    return f"{held}\ndevelopment cards: {cards}{new}" if cards else held


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _cards(counts: list[int]) -> str:
    """Describe development cards: `2 knight, 1 monopoly`; "" for none."""
    return ", ".join(f"{n} {card}" for n, card in zip(counts, c.CARDS, strict=True) if n)


def _table(position: Position, colour: bool) -> list[str]:
    """Return one line per seat (points, cards, pieces left), then the awards and open cards."""
    s = position.state
    hand = f"{'hand':>6}" if s.hidden_hands else "".join(f"{name:>6}" for name in c.RESOURCES)
    left = "left: roads settlements cities" if s.hidden_hands else "left r/s/c"
    lines = [f"{'':9}{'points':>7}{hand}{'cards':>7}{'knights':>9}{'road':>6}  {left}"]
    for seat in range(s.players):
        name = f"{player(seat):9}"
        held = f"{cards_of(s, seat):6}"
        pieces = f"{s.roads[seat]:13}{s.settlements[seat]:12}{s.cities[seat]:7}"
        if not s.hidden_hands:
            held = "".join(f"{count:6}" for count in s.hand[seat].tolist())
            pieces = f"{f'{s.roads[seat]}/{s.settlements[seat]}/{s.cities[seat]}':>12}"
        lines.append(
            (paint(name, seat) if colour else name)
            + f"{points_seen(position, seat):7}{held}{int(s.cards[seat].sum()):7}"
            f"{s.played[seat, c.KNIGHT]:9}{s.road_length[seat]:6}{pieces}"
        )
    awards = (("longest road", s.longest_road), ("largest army", s.largest_army))
    lines.append("; ".join(f"{name}: {player(i) if i >= 0 else 'nobody'}" for name, i in awards))
    if not s.hidden_hands:
        seen = [_cards(cards) for cards in s.cards[: s.players].tolist()]
        lines += [f"{player(seat)} holds {cards}" for seat, cards in enumerate(seen) if cards]
    return lines


def _won(s: Any) -> bool:
    """Return whether a finished game was won, rather than ended by `max_turns`."""
    return bool(points(s, int(s.on_turn)) >= s.victory_points)


def points_seen(position: Position, seat: int) -> int:
    """Return a seat's points as the public knows them; payoffs can reveal them at the end."""
    s = position.state
    revealed = position.is_over and (seat == s.on_turn or s.by_points or not _won(s))
    count = points if revealed or not s.hidden_hands else public_points
    return int(count(s, seat))


def now_words(position: Position) -> list[str]:
    """Describe the next decision and the player who makes it."""
    s = position.state
    turn, phase = player(s.on_turn), int(s.phase)
    if position.is_over:
        if _won(s):
            return [say("catan.has_won_with_points", who=turn, n=points(s, int(s.on_turn)))]
        return [say("catan.has_ended", n=int(s.turns))]
    sentences = {
        c.SETTLE: say("catan.places_a_settlement", who=turn),
        c.SETTLE_ROAD: say("catan.places_a_road_beside", who=turn),
        c.ROLL: say("catan.is_about_to_roll", who=turn),
        c.DICE: say("catan.rolls_the_dice", who=turn),
        c.DISCARD: _discards(s),
        c.ROBBER: say("catan.moves_the_robber", who=turn),
        c.VICTIM: say("catan.chooses_whom_to_rob", who=turn),
        c.STEAL: say("catan.steals_a_card_from", who=turn, whom=player(s.victim)),
        c.MAIN: say("catan.has_rolled_and_builds", who=turn, n=int(s.dice)),
        c.FREE_ROADS: say("catan.places_roads_that_cost", who=turn, n=int(s.free_roads)),
        c.DRAW: say("catan.draws_a_development_card", who=turn),
        c.OFFER: say("catan.composes_an_offer", who=turn),
        c.ANSWER: say("catan.answers_the_offer", who=player(s.to_move)),
        c.COUNTER: say("catan.composes_a_counter_offer", who=player(s.to_move)),
        c.DEAL: say("catan.composes_deal", who=turn),
        c.CONSENT: say("catan.consents", who=player(s.to_move)),
    }
    return [sentences.get(phase, say("catan.chooses_whom_to_trade", who=turn))]


def _discards(s: Any) -> str:
    who, left = player(s.to_move), int(s.discards[s.to_move])
    return (
        say("catan.discards_one", who=who) if left == 1 else say("catan.discards", who=who, n=left)
    )


def _offers(s: Any) -> list[str]:
    """Return the offer, if there is one, and its answers, one line each."""
    if s.to_move < 0 or not s.give.any():
        return []
    if s.phase >= c.DEAL:
        agreed = [seat for seat in range(s.players) if s.answers[seat] == c.ACCEPTED]
        consents = [
            f"{player(seat)} agrees" for seat in agreed if s.give[seat].any() and seat != s.on_turn
        ]
        return [f"the deal: {deal_words(s)}", *consents]
    lines = [f"{player(s.on_turn)} offers {offer_words(s, int(s.on_turn))}"]
    for place in range(1, s.players):
        seat = (s.on_turn + place) % s.players
        if s.answers[seat] == c.ACCEPTED:
            lines.append(f"{player(seat)} accepts")
        elif s.answers[seat] == c.REFUSED:
            lines.append(f"{player(seat)} refuses")
        elif s.answers[seat] == c.COUNTERED or s.give[seat].any():
            lines.append(f"{player(seat)} would give {offer_words(s, int(seat))}")
    return lines
