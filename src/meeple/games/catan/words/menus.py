"""Menus of Catan's actions by type, typed lines, and the help text of a position."""

import re
from typing import Any

from meeple.errors import IllegalAction
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import rate_of
from meeple.games.catan.words import names
from meeple.games.catan.words.deal_words import parse_deal
from meeple.games.catan.words.names import COSTS
from meeple.games.catan.words.sentences import exchange_words, gains_from
from meeple.games.contract.game import Position
from meeple.sentences import say

# ---------------------------------------------------------------- menus


def groups(position: Position) -> dict[str, dict[str, int]]:
    """Return the legal actions by type; places have their numbers on the board as labels."""
    s = position.state
    found: dict[str, dict[str, int]] = {}
    actions = position.legal_actions().tolist() if s.to_move >= 0 else []
    for action in sorted(actions, key=_menu_order):
        at_place = action < c.ROLL_DICE
        title, label = _place_entry(s, action) if at_place else _other_entry(position, action)
        title = f"{title}, if all agree" if s.phase == c.DEAL and action < c.ROLL_DICE else title
        found.setdefault(title, {})[label] = action
    return found


def _menu_order(action: int) -> int:
    """Return a sort key: the action's number, but rolling and accepting first, ending last."""
    if action in (c.ROLL_DICE, c.ACCEPT):
        return -1
    return c.NUM_ACTIONS_WITH_DEALS if action == c.END_TURN else action


def _place_entry(s: Any, action: int) -> tuple[str, str]:
    """Return title and label of an action at a place or seat; the label is its number."""
    if action < c.CITY_AT:
        title = "place a settlement" if s.phase == c.SETTLE else "build a settlement"
        return title, str(action - c.SETTLEMENT_AT)
    if action < c.ROAD_AT:
        return "build a city", str(action - c.CITY_AT)
    if action < c.ROBBER_TO:
        return "build a road" if s.phase == c.MAIN else "place a road", str(action - c.ROAD_AT)
    if action < c.ROB:
        return "move the robber to tile", str(action - c.ROBBER_TO)
    return "rob player", str(action - c.ROB + 1)


def _other_entry(position: Position, action: int) -> tuple[str, str]:
    """Return title and label of any other action; the label is empty for a single action."""
    s = position.state
    name = position.action_name(action)
    if c.PLAY_PLENTY <= action < c.PLAY_MONOPOLY:
        return "play year of plenty", name.removeprefix("play year of plenty ")
    if c.PLAY_MONOPOLY <= action < c.MARITIME:
        return "play monopoly", c.RESOURCES[action - c.PLAY_MONOPOLY]
    if c.MARITIME <= action < c.DISCARD_ONE:
        return "trade with the bank", name
    if c.DISCARD_ONE <= action < c.GIVE:
        left = int(s.discards[s.to_move])
        title = "discard a card" if left == 1 else say("catan.menu_discard", n=left)
        return title, c.RESOURCES[action - c.DISCARD_ONE]
    if c.GIVE <= action < c.WANT:
        return _GIVE_TITLES.get(int(s.phase), say("catan.menu_give")), c.RESOURCES[action - c.GIVE]
    if c.WANT <= action < c.PROPOSE:
        return "ask for one more", c.RESOURCES[action - c.WANT]
    if action >= c.DEAL_GIVE:
        gives = action < c.DEAL_GET
        who = names.player((action - c.DEAL_GIVE) // c.KINDS % c.MAX_SEATS)
        deal = "" if s.phase == c.DEAL else "make a deal: "
        return f"{deal}{who} {'gives' if gives else 'gets'}", name.rpartition(" ")[2]
    if c.TRADE_WITH <= action < c.WITHDRAW:
        exchange = exchange_words(gains_from(s, action - c.TRADE_WITH))
        return say("catan.trade_with_for", name=name, exchange=exchange), ""
    return _TITLES[action], ""


_GIVE_TITLES = {
    c.MAIN: say("catan.menu_offer"),
    c.ANSWER: say("catan.menu_counter"),
}
_TITLES = {
    c.ROLL_DICE: "roll the dice",
    c.END_TURN: "end the turn",
    c.BUY_CARD: "buy a development card",
    c.PLAY_KNIGHT: "play a knight",
    c.PLAY_ROADS: "play road building",
    c.PROPOSE: "propose it",
    c.ACCEPT: "accept",
    c.REFUSE: "refuse",
    c.WITHDRAW: "withdraw the offer",
}


# ---------------------------------------------------------------- typed lines


def parse_line(position: Position, text: str) -> list[int] | None:
    """Return the actions that a line names: one, a whole offer or deal, or a whole discard."""
    s = position.state
    if text.lower().split()[:1] == ["deal"]:
        return parse_deal(position, text)
    action = names.parse_action(position, text)
    if action is not None and action in position.legal_actions():
        return [action]
    if s.phase == c.DISCARD and s.to_move >= 0:
        cards = names.parse_cards(text)
        if cards is not None:
            return _discard(s, cards, position.legal_actions().tolist())
    if " for " not in text:
        return None if action is None else [action]
    _check_bank(s, text)
    return names.parse_offer(position, text)


def _discard(s: Any, cards: list[int], legal: list[int]) -> list[int]:
    """Return the actions that discard these cards, in the order that the rules require.

    Raises:
        IllegalAction: the cards are not in the hand, too many, or not all that must be discarded.
    """
    seat, left = int(s.to_move), int(s.discards[s.to_move])
    for resource, held, count in zip(c.RESOURCES, s.hand[seat].tolist(), cards, strict=True):
        if count > held:
            raise IllegalAction(
                f"{names.player(seat)} holds {held} {resource} and cannot discard {count}"
            )
    if sum(cards) > left:
        raise IllegalAction(f"{names.amounts(cards)} is too much: {left} to discard")
    actions = [c.DISCARD_ONE + r for r in range(c.KINDS) for _ in range(cards[r])]
    if actions[0] not in legal or (1 < len(actions) < left):
        raise IllegalAction(f"name all {left} cards at once, such as 2 wood 1 ore")
    return actions


def _check_bank(s: Any, text: str) -> None:
    """Raise IllegalAction if a line names a trade with the bank that the bank does not make."""
    found = re.fullmatch(r"(bank )?(\d+) (\w+) for (?:1 )?(\w+)", " ".join(text.lower().split()))
    if found is None or s.phase != c.MAIN or (s.with_trade and not found[1]):
        return
    _, count, give, take = found.groups()
    give, take = (names.SYNONYMS.get(word, word) for word in (give, take))
    if give not in c.RESOURCES or take not in c.RESOURCES or give == take:
        raise IllegalAction(f"the bank trades one of {', '.join(c.RESOURCES)} for another")
    who, r = names.player(s.on_turn), c.RESOURCES.index(give)
    rate, held = rate_of(s, int(s.on_turn), r), int(s.hand[s.on_turn, r])
    if int(count) != rate:
        raise IllegalAction(f"the bank takes {rate} {give} from {who} for a card, not {count}")
    if held < rate:
        raise IllegalAction(f"{who} holds {held} {give} and cannot give {rate}")
    raise IllegalAction(f"the bank has no {take} left")


# ---------------------------------------------------------------- help


def guide(position: Position) -> str:
    """Return a few lines on how to read the board and what may be done in this phase."""
    s = position.state
    lines = [_BOARD_HELP]
    if s.phase == c.MAIN:
        costs = "; ".join(f"{what}: {names.amounts(cost)}" for what, cost in COSTS.items())
        lines += [f"Costs: {costs}. A city takes the place of a settlement.", _bank_help(s)]
        lines += [_OFFER_HELP] if s.with_trade else []
        lines += [_DEAL_HELP] if s.with_deals else []
    elif s.phase == c.DISCARD:
        lines += [_DISCARD_HELP]
    elif s.phase in (c.ANSWER, c.COUNTER):
        lines += [_COUNTER_HELP]
    elif s.phase == c.CHOOSE:
        lines += ["Trade with one of those who agreed, or withdraw the offer."]
    elif s.phase in (c.ROBBER, c.VICTIM):
        lines += ["The robber's tile yields nothing, and a player beside it loses a card to you."]
    elif s.phase == c.SETTLE:
        lines += ["No settlement stands next to another; the second yields a card a tile."]
    return "\n".join(lines)


_BOARD_HELP = (
    "On the board S2 is a settlement of player 2, C2 a city and 222 a road. Other numbers are "
    "places to build: 12 for settlement 12 (or s 12), r30 for road 30 (or r 30), c9 for city 9 on "
    "your settlement there. The dots on a tile say how many of 36 rolls bring its number."
)
_OFFER_HELP = (
    "Trade with players: 2 wood for 1 ore, or 1 wood 1 brick for 1 ore, is offered to all; they "
    "accept, refuse or counter. If the bank makes that trade too, write: offer 4 wood for 1 ore."
)
_DEAL_HELP = (
    "Deals of several players: deal player 1 gives 1 wood, player 2 gives 1 brick, road 5. While "
    "the robber is moved: deal player 2 gives 1 ore, player 1 gets 1 ore, robber 9."
)
_COUNTER_HELP = "A counter-offer says what you give for what you want: 1 ore for 2 wood."
_DISCARD_HELP = (
    "Name all cards at once: 2 wood 1 ore. One by one, they go in the order of the list."
)


def _bank_help(s: Any) -> str:
    """Return the bank's rates for the player on turn."""
    seat = int(s.on_turn)
    rates = ", ".join(f"{rate_of(s, seat, r)} {name}" for r, name in enumerate(c.RESOURCES))
    return f"Trade with the bank: 4 wood for 1 ore; for one card it takes {rates} from you."
