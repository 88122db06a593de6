"""Plays Catan on the page: plans with the game stored by the server, and clicks.

Visible features (an offer, a counter-offer, a card) are used as soon as possible; the other moves
are the best by a search one move ahead.
"""

import re
import time
from collections import Counter

import numpy as np

from meeple.games.catan.rules.state import (
    ACCEPT,
    ANSWER,
    BUY_CARD,
    CHOOSE,
    CITY_AT,
    DISCARD,
    DISCARD_ONE,
    END_TURN,
    GIVE,
    KINDS,
    MAIN,
    MARITIME,
    MAX_SEATS,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_PLENTY,
    PLAY_PLENTY_ONE,
    PLAY_ROADS,
    PROPOSE,
    REFUSE,
    RESOURCES,
    ROAD_AT,
    ROB,
    ROBBER_TO,
    ROLL_DICE,
    TRADE_WITH,
    WITHDRAW,
)
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
        cards = [action for action in legal if PLAY_KNIGHT <= action < MARITIME]
        if s.phase == DISCARD:
            return self._discards(position)
        if s.phase == ANSWER:
            return self._counter(s) or [self._answer(position)]
        if s.phase == CHOOSE:
            self._shown.add("trade")
            return [min(action for action in legal if action != WITHDRAW)]
        if s.phase == MAIN and (offer := self._offer(s, legal)):
            return offer
        if s.phase == MAIN and cards:
            return [self._best(position, cards)]
        if BUY_CARD in legal and "card" not in self._shown:
            self._shown.add("card")
            return [BUY_CARD]
        return [self._best(position, [a for a in legal if not GIVE <= a < PROPOSE])]

    def _best(self, position, among):
        actions, shares = self._search.evaluate(position)
        judged = dict(zip(actions.tolist(), shares.tolist(), strict=True))
        return max(among, key=lambda action: judged.get(action, -1.0))

    def _answer(self, position):
        """Accept if a sensible player may accept."""
        return ACCEPT if ACCEPT in self._search.evaluate(position)[0] else REFUSE

    def _discards(self, position):
        copy, found = position.copy(), []
        while copy.state.phase == DISCARD and copy.to_move == position.to_move:
            found.append(self._best(copy, copy.legal_actions().tolist()))
            copy.play(found[-1])
        return found

    def _offer(self, s, legal):
        """Offer a card held several times for a missing one, until a trade is made."""
        hand = s.hand[s.to_move].tolist()
        given = [r for r in range(KINDS) if hand[r] > 1 and GIVE + r in legal]
        wanted = [q for q in range(KINDS) if not hand[q]]
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
    return [int(r == resource) for r in range(KINDS)]


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

    def use(self, button):
        """Press a button."""
        button.click()

    def press(self, name):
        """Press a button by its name or the beginning of its name."""
        words = re.compile(f"^{re.escape(name)}")
        self.use(self.page.get_by_role("button", name=words).first)

    def click(self, spot):
        """Click a site on the island, which must be marked as legal."""
        self.page.locator(f'.spot.can[data-spot="{spot}"]').click()

    def _act(self, actions):
        first = actions[0]
        if first < ROLL_DICE:
            return self._place(first)
        if first < PLAY_KNIGHT:
            words = {ROLL_DICE: "Roll the dice", END_TURN: "End the turn", BUY_CARD: "Buy a card"}
            self.press(words[first])
            return words[first].lower()
        if first < MARITIME:
            return self._card(first)
        if first < DISCARD_ONE:
            return self._bank(*divmod(first - MARITIME, KINDS))
        if first < GIVE:
            for action in actions:
                self.press(f"Discard 1 {RESOURCES[action - DISCARD_ONE]}")
            self.press(f"Discard {len(actions)} cards")
            return "discard"
        return self._trade(actions)

    def _place(self, action):
        """Place a piece or the robber, and choose the victim."""
        low, letter, what = next(place for place in _PLACES if action >= place[0])
        if what == "rob" and self.did["rob"] % 2:
            self.press(f"Rob player {action - ROB + 1}")
            return what
        if what == "rob":
            tile, s = int(self.position.state.robber), self.position.state
            vertices = TOPOLOGY.tile_vertices[tile].tolist()
            owner = 1 + action - ROB
            corner = next(v for v in vertices if s.vertex[v] in (owner, owner + MAX_SEATS))
            self.click(f"v{corner}")
            return what
        if self.position.state.phase == MAIN and not self.did[what] % 2:
            self.press(what.capitalize())  # hides the other sites
        self.click(f"{letter}{action - low}")
        return what

    def _card(self, action):
        """Play a development card with its choices."""
        name = next(name for low, name in _CARDS if action >= low)
        self.press(f"Play {name}" if action < PLAY_PLENTY else f"Play… {name}")
        chosen = []
        if PLAY_PLENTY <= action < PLAY_PLENTY_ONE:
            chosen = divmod(action - PLAY_PLENTY, KINDS)
        elif action >= PLAY_PLENTY_ONE:
            chosen = [(action - PLAY_PLENTY_ONE) % KINDS]
        for resource in chosen:
            self.use(self.page.locator(".chooser").get_by_role("button", name=RESOURCES[resource]))
        return name

    def _bank(self, give, take):
        self.press("Trade…")
        bank = self.page.get_by_role("group", name="Trade with the bank")
        self.use(bank.get_by_role("button", name=RESOURCES[give]).first)
        self.use(bank.get_by_role("button", name=RESOURCES[take], exact=True))
        self.use(bank.get_by_role("button", name="Trade "))
        return "bank"

    def _trade(self, actions):
        """Handle offers, answers and the choice of a partner."""
        first = actions[0]
        if first < PROPOSE:
            return self.compose(actions)
        words = {ACCEPT: "Accept", REFUSE: "Refuse", WITHDRAW: "Withdraw the offer"}
        if first in words:
            self.press(words[first])
            return words[first].lower()
        self.press(f"Trade with player {first - TRADE_WITH + 1}")
        return "trade"

    def compose(self, actions, send=True):
        """Compose an offer or a counter-offer card by card."""
        counters = self.position.state.phase == ANSWER
        self.press("Counter-offer…" if counters else "Trade…")
        for action in actions[:-1]:
            verb = "Give" if action < GIVE + KINDS else "Want"
            self.press(f"{verb} 1 {RESOURCES[(action - GIVE) % KINDS]} more")
        if send:
            self.press("Offer to")
        return "counter-offer" if counters else "offer"


class Typist(Settler):
    """Plays with the keyboard alone: Tab to a control, arrows over the island, Enter."""

    def use(self, button):
        button.wait_for()
        self._tab_to(button)
        self.page.keyboard.press("Enter")

    def click(self, spot):
        target = self.page.locator(f'.spot.can[data-spot="{spot}"]')
        target.wait_for()
        self._tab_to(self.page.locator('.island .spot[tabindex="0"]'))
        for key in self.page.evaluate(KEYS_TO, spot):
            self.page.keyboard.press(key)
        assert target.evaluate("node => node === document.activeElement")
        self.page.keyboard.press("Enter")

    def _tab_to(self, node):
        """Press Tab until a node has the focus."""
        for _ in range(MAX_STOPS):
            if node.evaluate("node => node === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {node}")


MAX_STOPS = 120  # on the page of a table
KEYS_TO = """async (spot) => {
  const { neighbour } = await import("/static/js/boards/spots.js");
  const places = [...document.querySelectorAll(".island .spot.can")].map((node) => {
    const [x, y] = node.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
    return { spot: node.dataset.spot, x, y };
  });
  const here = places.find((place) => place.spot === document.activeElement.dataset.spot);
  const ways = new Map([[here, []]]);
  for (const [place, keys] of ways) {
    if (place.spot === spot) return keys;
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      const next = neighbour(places, place, key);
      if (next && !ways.has(next)) ways.set(next, [...keys, key]);
    }
  }
  throw new Error(`no arrow keys lead to ${spot}`);
}"""
"""The arrow keys from the spot with the focus to another, by the page's rule for a key."""


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
    (ROB, "s", "rob"),
    (ROBBER_TO, "t", "robber"),
    (ROAD_AT, "e", "road"),
    (CITY_AT, "v", "city"),
    (0, "v", "settlement"),
)
_CARDS = (
    (PLAY_MONOPOLY, "monopoly"),
    (PLAY_PLENTY, "year of plenty"),
    (PLAY_ROADS, "road building"),
    (PLAY_KNIGHT, "knight"),
)
