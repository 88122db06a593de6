"""Plays Catan on the page: plans with the game stored by the server, and clicks.

Visible features (an offer, a counter-offer, a card) are used as soon as possible; the other moves
are the best by a search one move ahead.
"""

import re
import time
from collections import Counter

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.catan.words.names import compose
from meeple.games.contract.registry import make_from
from meeple.search.minimax.greedy import GreedySearch
from meeple.server.store import GameStore

OFFERS_TRIED = 3  # in a turn, until one is accepted
PATIENCE = 600.0  # seconds for consecutive moves of agents, including compilation
GLANCE = 0.03  # seconds between two reads of the stored game


class Mind:
    """Chooses the actions of a seat; it knows all hands, as the server does."""

    def __init__(self, game):
        self._search = GreedySearch(game, determinizations=1)
        self._shown = set()  # features that were shown already
        self._tried: Counter[int] = Counter()  # number of offers by turn

    def plan(self, position):
        """Return the actions of the next move: one, or a whole offer or discard."""
        s = position.state
        legal = position.legal_actions().tolist()
        cards = [action for action in legal if c.PLAY_KNIGHT <= action < c.MARITIME]
        if s.phase == c.DISCARD:
            return self._discards(position)
        if s.phase == c.ANSWER:
            return self._counter(s) or [self._answer(position)]
        if s.phase == c.CHOOSE:
            self._shown.add("trade")
            return [min(action for action in legal if action != c.WITHDRAW)]
        if s.phase == c.MAIN and (offer := self._offer(s, legal)):
            return offer
        if s.phase == c.MAIN and cards:
            return [self._best(position, cards)]
        if c.BUY_CARD in legal and "card" not in self._shown:
            self._shown.add("card")
            return [c.BUY_CARD]
        return [self._best(position, [a for a in legal if not c.GIVE <= a < c.PROPOSE])]

    def _best(self, position, among):
        actions, shares = self._search.evaluate(position)
        judged = dict(zip(actions.tolist(), shares.tolist(), strict=True))
        return max(among, key=lambda action: judged.get(action, -1.0))

    def _answer(self, position):
        """Accept if a sensible player may accept."""
        return c.ACCEPT if c.ACCEPT in self._search.evaluate(position)[0] else c.REFUSE

    def _discards(self, position):
        copy, found = position.copy(), []
        while copy.state.phase == c.DISCARD and copy.to_move == position.to_move:
            found.append(self._best(copy, copy.legal_actions().tolist()))
            copy.play(found[-1])
        return found

    def _offer(self, s, legal):
        """Offer a card held several times for a missing one, until a trade is made."""
        hand = s.hand[s.to_move].tolist()
        given = [r for r in range(c.KINDS) if hand[r] > 1 and c.GIVE + r in legal]
        wanted = [q for q in range(c.KINDS) if not hand[q]]
        pairs = [(r, q) for r in given for q in wanted]
        tried = self._tried[int(s.turns)]
        if "trade" in self._shown or tried >= min(OFFERS_TRIED, len(pairs)):
            return []
        self._tried[int(s.turns)] += 1
        give, want = pairs[tried]
        return compose(one(give), one(want))

    def _counter(self, s):
        """Make one counter-offer: a card that the player on turn wants, for two of one kind."""
        turn = int(s.on_turn)
        mine = np.flatnonzero((s.want[turn] > 0) & (s.hand[s.to_move] > 0))
        if "counter" in self._shown or not len(mine) or s.hand[turn].sum() < 2:
            return []
        self._shown.add("counter")
        return compose(one(mine[0]), [2 * n for n in one(np.flatnonzero(s.give[turn])[0])])


def one(resource):
    """Return one card of a resource, as counts by resource."""
    return [int(r == resource) for r in range(c.KINDS)]


class Settler:
    """Plays the moves of a `Mind` by clicks on a page that shows a table."""

    def __init__(self, page, folder, table, seat, frames):
        """`folder` has the server's games, `frames` the messages received by the page's sockets."""
        self.page, self.table, self.seat, self.frames = page, table, seat, frames
        self.store = GameStore(folder)
        stored, _ = self.store.game(table)
        self.position = make_from(stored.game, stored.options).start(stored.seed)
        self.mind = Mind(self.position.game)
        self.did: Counter[str] = Counter()  # number of clicks by kind of move
        self._planned = -1  # number of plies at the last move

    def close(self):
        """Close the database."""
        self.store.close()

    def wait(self):
        """Wait until the seat is to move or the game is over; return whether it continues."""
        return first_to_move([self]) is not None

    def is_asked(self):
        """Return whether the seat is to move in the stored game and has not moved yet."""
        _, plies = self.store.game(self.table)
        for ply in plies[len(self.position.actions) :]:
            self.position.play(ply.action)
        return self.position.to_move == self.seat and len(plies) > self._planned

    def leave_to_page(self):
        """Make no move now: the page answers by itself."""
        self._planned = len(self.position.actions)

    def move(self):
        """Make one move by clicks; return its kind, as in `did`, or False if the game is over."""
        if not self.wait():
            return False
        actions = self.mind.plan(self.position)
        self._planned = len(self.position.actions)
        done = self._act(actions)
        self.did[done] += 1
        return done

    def play_to(self, phase):
        """Play until the seat is to move in a phase of the game."""
        while self.wait() and self.position.state.phase != phase:
            self.move()
        assert not self.position.is_over

    def hand(self):
        """Return its cards by resource."""
        return self.position.state.hand[self.seat].tolist()

    # ------------------------------------------------------------ clicks

    def press(self, name):
        """Press a button by its name or the beginning of its name."""
        words = re.compile(f"^{re.escape(name)}")
        self.page.get_by_role("button", name=words).first.click()

    def click(self, spot):
        """Click a site on the island, which must be marked as legal."""
        self.page.locator(f'.spot.can[data-spot="{spot}"]').click()

    def _act(self, actions):
        first = actions[0]
        if first < c.ROLL_DICE:
            return self._place(first)
        if first < c.PLAY_KNIGHT:
            words = {
                c.ROLL_DICE: "Roll the dice",
                c.END_TURN: "End the turn",
                c.BUY_CARD: "Buy a card",
            }
            self.press(words[first])
            return words[first].lower()
        if first < c.MARITIME:
            return self._card(first)
        if first < c.DISCARD_ONE:
            return self._bank(*divmod(first - c.MARITIME, c.KINDS))
        if first < c.GIVE:
            for action in actions:
                self.press(f"Discard 1 {c.RESOURCES[action - c.DISCARD_ONE]}")
            self.press(f"Discard {len(actions)} cards")
            return "discard"
        return self._trade(actions)

    def _place(self, action):
        """Place a piece or the robber, and choose the victim."""
        low, letter, what = next(place for place in _PLACES if action >= place[0])
        if what == "rob" and self.did["rob"] % 2:
            self.press(f"Rob player {action - c.ROB + 1}")
            return what
        if what == "rob":
            tile, s = int(self.position.state.robber), self.position.state
            vertices = TOPOLOGY.tile_vertices[tile].tolist()
            owner = 1 + action - c.ROB
            corner = next(v for v in vertices if s.vertex[v] in (owner, owner + c.MAX_SEATS))
            self.click(f"v{corner}")
            return what
        if self.position.state.phase == c.MAIN and not self.did[what] % 2:
            self.press(what.capitalize())  # hides the other sites
        self.click(f"{letter}{action - low}")
        return what

    def _card(self, action):
        """Play a development card with its choices."""
        name = next(name for low, name in _CARDS if action >= low)
        self.press(f"Play {name}" if action < c.PLAY_PLENTY else f"Play… {name}")
        chosen = []
        if c.PLAY_PLENTY <= action < c.PLAY_PLENTY_ONE:
            chosen = divmod(action - c.PLAY_PLENTY, c.KINDS)
        elif action >= c.PLAY_PLENTY_ONE:
            chosen = [(action - c.PLAY_PLENTY_ONE) % c.KINDS]
        for resource in chosen:
            self.page.locator(".chooser").get_by_role("button", name=c.RESOURCES[resource]).click()
        return name

    def _bank(self, give, take):
        self.press("Trade…")
        bank = self.page.get_by_role("group", name="Trade with the bank")
        bank.get_by_role("button", name=c.RESOURCES[give]).first.click()
        bank.get_by_role("button", name=c.RESOURCES[take], exact=True).click()
        bank.get_by_role("button", name="Trade ").click()
        return "bank"

    def _trade(self, actions):
        """Handle offers, answers and the choice of a partner."""
        first = actions[0]
        if first < c.PROPOSE:
            return self.compose(actions)
        words = {c.ACCEPT: "Accept", c.REFUSE: "Refuse", c.WITHDRAW: "Withdraw the offer"}
        if first in words:
            self.press(words[first])
            return words[first].lower()
        self.press(f"Trade with player {first - c.TRADE_WITH + 1}")
        return "trade"

    def compose(self, actions, send=True):
        """Compose an offer or a counter-offer card by card."""
        counters = self.position.state.phase == c.ANSWER
        self.press("Counter-offer…" if counters else "Trade…")
        for action in actions[:-1]:
            verb = "Give" if action < c.GIVE + c.KINDS else "Want"
            self.press(f"{verb} 1 {c.RESOURCES[(action - c.GIVE) % c.KINDS]} more")
        if send:
            self.press("Offer to")
        return "counter-offer" if counters else "offer"


def first_to_move(settlers):
    """Wait for the settler of a table that is to move; None if its game is over."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for settler in settlers:
            if settler.is_asked():
                return settler
            if settler.position.is_over:
                return None
        time.sleep(GLANCE)
    raise AssertionError(f"nobody of {len(settlers)} was asked for {PATIENCE:.0f} seconds")


_PLACES = (
    (c.ROB, "s", "rob"),
    (c.ROBBER_TO, "t", "robber"),
    (c.ROAD_AT, "e", "road"),
    (c.CITY_AT, "v", "city"),
    (0, "v", "settlement"),
)
_CARDS = (
    (c.PLAY_MONOPOLY, "monopoly"),
    (c.PLAY_PLENTY, "year of plenty"),
    (c.PLAY_ROADS, "road building"),
    (c.PLAY_KNIGHT, "knight"),
)
