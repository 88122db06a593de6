"""Games of Catan played in lockstep with catanatron, and the list of permitted differences.

Both have the same island, seats, dice, cards, thefts and actions. After every ply their states and
legal actions are compared; a difference must be one of DEPARTURES, for the reason given there. It
is counted and then undone in their game. Any other difference is an AssertionError.
"""

from collections import Counter
from typing import Any

import numpy as np
from catanatron import Color, Game, RandomPlayer
from catanatron.models.actions import generate_playable_actions
from catanatron.models.enums import ActionPrompt

from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import layout_text
from meeple.games.catan.rules.topology import NONE, TOPOLOGY
from meeple.kernels import CHANCE
from tests.games.catan.oracle_words import in_words
from tests.games.catan.rules.catanatron_bridge import (
    Facts,
    Word,
    action_of,
    layout_of,
    numbering_of,
    our_facts,
    put_hands,
    put_longest_road,
    their_facts,
    word_of,
)

# Departures of catanatron 3.2.1 from the official rules, by name.
SHORT_BANK = "one recipient of a short bank"
ROAD_AT_BUILDING = "road ending at a building"
ROAD_TOO_SHORT = "longest road of less than 5 after a cut"
ROAD_TIED = "longest road to one of several after a cut"
ROAD_TAKEN = "longest road taken from a tied holder after a cut"
FOREIGN_WIN = "win on another's turn"
FRESH_CARD = "card of the same turn"
ONLY_KNIGHT = "only the knight before the dice"
PAID_FREE_ROADS = "road building needs the price of a road"
PLENTY_OF_ONE = "year of plenty of one card"
WHOLE_DISCARD = "discards at random"

DEPARTURES = {
    SHORT_BANK: "gets nothing, though nobody else is due; officially what is left",
    ROAD_AT_BUILDING: "an edge that ends at an opponent's building is not counted when it is built "
    "there, nor a second such end after a cut",
    ROAD_TOO_SHORT: "goes to the longest of any length; officially nobody holds it",
    ROAD_TIED: "goes to the first of those tied; officially nobody holds it",
    ROAD_TAKEN: "goes to the first of those tied; officially the holder among them keeps it",
    FOREIGN_WIN: "ends the game at once; officially only at the start of the own turn",
    FRESH_CARD: "may be played on the turn it was bought",
    ONLY_KNIGHT: "other development cards wait for the dice; officially any is played before them",
    PAID_FREE_ROADS: "the card and its second road ask for wood and brick in hand, not taken",
    PLENTY_OF_ONE: "may be taken where two of a kind are too many; officially two cards are taken "
    "while the bank has two",
    WHOLE_DISCARD: "one action, at random and by seat; here each seat's choice, from the one on "
    "turn, and the choice is handed over",
}

CARD_OF = {
    "knight": c.KNIGHT,
    "roads": c.ROAD_BUILDING,
    "plenty": c.YEAR_OF_PLENTY,
    "monopoly": c.MONOPOLY,
}
STYLES = ("uniform", "building", "rival", "hoarding")


def chances_of(style: str, s: Any, actions: Any) -> Any:
    """Return the weight of each action; styles crowd the board, cut roads, or empty the bank.

    Rivals build mostly roads, and settlements that cut the roads of others.
    """
    table = np.ones(len(actions))
    if style == "hoarding":
        table[(actions == c.END_TURN) | (actions == c.BUY_CARD)] = 30
        table[(actions >= c.PLAY_KNIGHT) & (actions < c.DISCARD_ONE)] = 0.1
    elif style != "uniform":
        table[actions < c.ROAD_AT] = 30
        table[(actions >= c.ROAD_AT) & (actions < c.ROBBER_TO)] = 10
        table[(actions >= c.BUY_CARD) & (actions < c.MARITIME)] = 5
    if style == "rival":
        for index, action in enumerate(actions.tolist()):
            if action < c.CITY_AT and cuts(s, action):
                table[index] = 1000
            elif action < c.CITY_AT and s.phase == c.MAIN:
                table[index] = 1
            elif c.ROAD_AT <= action < c.ROBBER_TO:
                ends = TOPOLOGY.edge_vertices[action - c.ROAD_AT].tolist()
                table[index] = 200 if any(cuts(s, vertex) for vertex in ends) else 20
    return table / table.sum()


def cuts(s: Any, vertex: int) -> bool:
    """Return whether a building of the player on turn at this vertex cuts or would cut a road."""
    edges = TOPOLOGY.vertex_edges[vertex]
    owners = [int(s.edge[edge]) - 1 for edge in edges if edge != NONE]
    if s.vertex[vertex] == 0 and s.crowded[vertex]:
        return False
    return any(owners.count(who) == 2 for who in owners if who not in (-1, s.on_turn))


class Lockstep:
    """One game in both engines, `ours` and `theirs`; without player trade, which they lack.

    `departures` counts by name; `plies` counts the plies after which the games were compared.
    """

    def __init__(
        self, seed: int, players: int = 4, victory_points: int = 10, style: str = "uniform"
    ) -> None:
        self.goal, self.style = victory_points, style
        people = [RandomPlayer(colour) for colour in list(Color)[:players]]
        # catanatron takes a seed of 0 as none.
        self.theirs = Game(people, seed=seed + 1, vps_to_win=victory_points)
        island = self.theirs.state.board.map
        self.numbering = numbering_of(island)
        board = layout_text(layout_of(island, self.numbering))
        options = {"board": board, "players": players, "victory_points": victory_points}
        self.ours = Catan(**options, domestic_trade=False).start(seed)
        self.departures: Counter[str] = Counter()
        self.plies = 0
        self._robber: list[Any] = []  # tile and victim, until the stolen card is known
        self._discards: dict[int, list[int]] = {}
        self._early: set[int] = set()  # seats that have won in their game only
        self._rng = np.random.default_rng(seed)
        self.compare(("start",))

    def play_out(self) -> None:
        """Play a whole random game and compare after every ply."""
        while not self.ours.is_over:
            self.step()

    def step(self) -> None:
        """Play a random action or outcome."""
        if self.style == "rival" and self.ours.state.phase == c.ROLL:
            self._give_gifts()
        self.play(self._choose())

    def _give_gifts(self) -> None:
        """Give seats with few cards those of a settlement and a road, in both games."""
        s = self.ours.state
        for r in (c.WOOD, c.BRICK, c.WOOL, c.GRAIN):
            if s.hand[s.on_turn, r] < 2 and s.bank[r] > 0:
                s.hand[s.on_turn, r] += 1
                s.bank[r] -= 1
        put_hands(self.theirs, s.hand[: s.players].tolist(), s.bank.tolist())
        self._renew()

    def _choose(self) -> int:
        if self.ours.to_move == CHANCE:
            outcomes, chances = self.ours.chance_outcomes()
            return int(self._rng.choice(outcomes, p=chances / chances.sum(dtype=float)))
        actions = self.ours.legal_actions()
        chances = chances_of(self.style, self.ours.state, actions)
        return int(self._rng.choice(actions, p=chances))

    def play(self, action: int) -> None:
        """Play an action or outcome in both games, and compare once they are in step."""
        word, seat = in_words(self.ours, action), self.ours.to_move
        on_turn = int(self.ours.state.on_turn)
        self.ours.play(action)
        name = word[0]
        if name in ("roll", "buy"):
            return  # an outcome of chance follows
        if name == "discard":
            self._discards.setdefault(seat, []).append(word[1])
            if self.ours.state.phase == c.DISCARD:
                return
            for who in sorted(self._discards):
                self._play_there(who, ("discard", self._discards[who]))
            self._discards = {}
        elif name in ("robber", "rob", "stolen"):
            self._move_robber(word, on_turn)
        else:
            self._play_there(on_turn, word)
        if not self._robber:
            self.compare(word)

    def _move_robber(self, word: Word, on_turn: int) -> None:
        """Play their single robber action once tile, victim and card are known."""
        s = self.ours.state
        self._robber.append(word[1])
        if word[0] != "stolen" and s.phase in (c.VICTIM, c.STEAL):
            if word[0] == "robber" and s.phase == c.STEAL:
                self._robber.append(int(s.victim))
            return
        tile, victim, resource = [*self._robber, None, None][:3]
        self._robber = []
        self._play_there(on_turn, ("robber", tile, victim, resource))

    def _play_there(self, seat: int, word: Word) -> None:
        rate = self._rate(seat, word[1]) if word[0] == "maritime" else 0
        action = action_of(self.theirs, self.numbering, seat, word, rate)
        self.theirs.execute(action, validate_action=False)  # the legal actions were compared before

    def _rate(self, seat: int, resource: int) -> int:
        """Return their price of a card from the bank."""
        for action in self.theirs.state.playable_actions:
            word = word_of(self.theirs, self.numbering, action)
            if word[:2] == ("maritime", resource):
                return 4 - int(action.value.count(None))
        raise AssertionError(f"seat {seat} cannot trade resource {resource} there")

    # ------------------------------------------------------------ comparing

    def compare(self, word: Word) -> None:
        """Compare all facts; raise AssertionError for a difference not in DEPARTURES."""
        self.plies += 1
        ours, theirs = our_facts(self.ours), their_facts(self.theirs, self.numbering)
        if ours != theirs:
            if word[0] == "dice":
                self._excuse_short_bank(ours, theirs)
            if word[0] in ("road", "settlement"):
                self._excuse_longest_road(ours, theirs, word)
            theirs = their_facts(self.theirs, self.numbering)
        for name, value in ours.items():
            assert theirs[name] == value, f"{name} after {word}: {value}, there {theirs[name]}"
        self._compare_winners(ours)
        if self.ours.is_over:
            return
        self._excuse_second_road()
        self._compare_actions()

    def _excuse_short_bank(self, ours: Facts, theirs: Facts) -> None:
        """Excuse a seat's missing cards: they keep the last cards in the bank."""
        short = [r for r in range(c.KINDS) if ours["bank"][r] != theirs["bank"][r]]
        for r in short:
            left = theirs["bank"][r]
            gained = [h[r] - t[r] for h, t in zip(ours["hands"], theirs["hands"], strict=True)]
            assert ours["bank"][r] == 0
            assert sorted(gained) == [0] * (len(gained) - 1) + [left]
            self.departures[SHORT_BANK] += 1
        if short:
            put_hands(self.theirs, ours["hands"], ours["bank"])
            self._renew()

    def _excuse_longest_road(self, ours: Facts, theirs: Facts, word: Word) -> None:
        """Excuse shorter lengths at opponents' buildings, and any longest holder after a cut."""
        names = ("road_length", "longest_road")
        if all(ours[name] == theirs[name] for name in names):
            return
        short = [
            seat
            for seat, length in enumerate(ours["road_length"])
            if length != theirs["road_length"][seat]
        ]
        for seat in short:
            missing = ours["road_length"][seat] - theirs["road_length"][seat]
            assert 1 <= missing <= self._ends_at_buildings(seat)
            self.departures[ROAD_AT_BUILDING] += 1
        best, holder = max(ours["road_length"]), theirs["longest_road"]
        cut = word[0] == "settlement" and cuts(self.ours.state, word[1])
        if ours["longest_road"] != holder and not cut:
            assert ours["longest_road"] in short, f"longest road after {word}"
        elif ours["longest_road"] != holder and not short:
            assert ours["road_length"][holder] == best
            if best < c.MIN_LONGEST_ROAD:
                self.departures[ROAD_TOO_SHORT] += 1
            elif ours["longest_road"] is None:
                self.departures[ROAD_TIED] += 1
            else:
                self.departures[ROAD_TAKEN] += 1
        put_longest_road(self.theirs, ours["road_length"], ours["longest_road"])
        self._renew()

    def _ends_at_buildings(self, seat: int) -> int:
        """Count the ends of a seat's roads at opponents' buildings."""
        s = self.ours.state
        own = np.flatnonzero(s.edge == seat + 1)
        ends = s.vertex[TOPOLOGY.edge_vertices[own]]
        return int(((ends > 0) & ((ends - 1) % c.MAX_SEATS != seat)).sum())

    def _compare_winners(self, ours: Facts) -> None:
        """Compare winners: theirs wins at any time with enough points, ours on its own turn."""
        won = {seat for seat, points in enumerate(ours["points"]) if points >= self.goal}
        assert (self.theirs.winning_color() is not None) == bool(won)
        by_turns = self.ours.state.turns >= self.ours.state.max_turns
        assert self.ours.is_over == (ours["on_turn"] in won or by_turns)
        early = won - {ours["on_turn"]}
        self.departures[FOREIGN_WIN] += len(early - self._early)
        self._early = early

    def _excuse_second_road(self) -> None:
        """Excuse the second free road, which they deny a player who cannot pay for it."""
        s, state = self.ours.state, self.theirs.state
        if s.phase == c.FREE_ROADS and not state.is_road_building:
            assert s.free_roads == 1
            assert not self._affords_road()
            state.is_road_building, state.free_roads_available = True, 1
            self.departures[PAID_FREE_ROADS] += 1
            self._renew()

    def _affords_road(self) -> bool:
        hand = self.ours.state.hand[self.ours.state.on_turn]
        return bool(hand[c.WOOD] > 0 and hand[c.BRICK] > 0)

    def _renew(self) -> None:
        self.theirs.state.playable_actions = generate_playable_actions(self.theirs.state)

    # ------------------------------------------------------------ legal actions

    def _compare_actions(self) -> None:
        state = self.theirs.state
        if self.ours.state.phase == c.DISCARD:
            assert state.current_prompt == ActionPrompt.DISCARD
            self.departures[WHOLE_DISCARD] += 1
            return
        assert self.ours.to_move == state.current_player_index
        ours = self._our_words()
        theirs = {word_of(self.theirs, self.numbering, a) for a in state.playable_actions}
        assert len(theirs) == len(state.playable_actions)
        reasons = {self._why_only_theirs(word) for word in theirs - ours}
        reasons |= {self._why_only_ours(word) for word in ours - theirs}
        self.departures.update(reasons)

    def _our_words(self) -> set[Word]:
        """Return our legal actions in the common words."""
        actions = self.ours.legal_actions().tolist()
        if self.ours.state.phase != c.ROBBER:
            return {in_words(self.ours, action) for action in actions}
        found = set()
        for action in actions:
            word = in_words(self.ours, action)
            self.ours.play(action)
            s = self.ours.state
            victims: list[Any] = [None]
            if s.phase == c.STEAL:
                victims = [int(s.victim)]
            elif s.phase == c.VICTIM:
                victims = [a - c.ROB for a in self.ours.legal_actions().tolist()]
            found |= {(*word, victim) for victim in victims}
            self.ours.undo()
        return found

    def _why_only_theirs(self, word: Word) -> str:
        s = self.ours.state
        card = CARD_OF.get(word[0])
        if card is not None and s.fresh[card] > 0 and s.cards[s.on_turn, card] == s.fresh[card]:
            return FRESH_CARD
        if word[0] == "plenty" and len(word) == 2 and s.bank.sum() > 1:
            return PLENTY_OF_ONE
        raise AssertionError(f"only there: {word}")

    def _why_only_ours(self, word: Word) -> str:
        s = self.ours.state
        if s.phase == c.ROLL and word[0] in ("roads", "plenty", "monopoly"):
            return ONLY_KNIGHT
        free = word[0] == "roads" or (word[0] == "road" and s.phase == c.FREE_ROADS)
        if free and not self._affords_road():
            return PAID_FREE_ROADS
        raise AssertionError(f"only here: {word}")
