"""Reads moves and positions as people paste them: transcripts, boards, links.

Every command and page that takes a list of moves reads it here. A game declares further notations
by `capabilities.ReadsPasted`.
"""

import re
from collections.abc import Sequence

from meeple.errors import IllegalAction
from meeple.games.contract.capabilities import pasted
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE

MAX_NAME_WORDS = 8  # in an action's name
_SHOWN = 60  # characters of a wrong move that a message repeats

# "12." before a move. At most 5 digits, from the first one on: keeps the matching time linear.
MOVE_NUMBER = re.compile(r"(?<!\d)\d{1,5}\.+(?=\D|$)")
_GLUED = re.compile(r"swap|pass|pa|ps|--|[a-z]\d{1,2}", re.IGNORECASE)  # moves without a space
_RESULT = re.compile(  # of a game, at the end of a transcript
    r"\*|=|draw|resigns?|1/2-1/2|\d{1,3}(\.\d)?[-:]\d{1,3}(\.\d)?|(b|w|black|white)\+\S{0,8}",
    re.IGNORECASE,
)
PASS = "pass"


class WrongMove(IllegalAction):
    """A move of a text that cannot be played; `reason` is empty after the end of the game."""

    def __init__(self, number: int, player: str, move: str, reason: str):
        where = f"move {number}, {player} to move: {reason}"
        super().__init__(where if reason else f"move {number}, '{move}', comes after the end")
        self.number, self.player, self.move, self.reason = number, player, move, reason


def read_pasted(position: Position, text: str, max_plies: int | None = None) -> Position:
    """Return the position after the moves, or on the board, of a text.

    Moves are separated by spaces, commas, semicolons, newlines or nothing, with or without numbers;
    a result at the end is ignored, forced passes may be omitted, and the seed decides omitted
    chance outcomes.

    Args:
        position: the position before the first move, which is played on.
        text: what was pasted.
        max_plies: reading ends after more plies; None means no limit.

    Returns:
        `position`, or one of another game if the text is a board or a link with a size.

    Raises:
        WrongMove: a move cannot be played; the message has its number and the player.
        UsageError: a board or a link cannot be read.
    """
    found = None if position.actions else pasted(position.game, text)
    if found is not None:
        position, text = found.game.start(position.seed), found.moves
    rows = [MOVE_NUMBER.sub(" ", row).replace(";", " ").split() for row in text.splitlines()]
    for at, words in enumerate(rows):
        first = 0
        while first < len(words) and (max_plies is None or len(position.actions) <= max_plies):
            rest = words[first : first + MAX_NAME_WORDS]
            last = first + 1 == len(words) and not any(rows[at + 1 :])
            if last and position.actions and _is_result(position, rest[0]):
                break
            first += _play_words(position, rest)
    return position


def play_named(position: Position, name: str) -> None:
    """Play an action by its name. Raises WrongMove."""
    try:
        position.play(position.parse_action(name))
    except IllegalAction as error:
        who = "chance" if position.to_move < 0 else position.game.player_name(position.to_move)
        move = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}..."
        reason = "" if position.is_over else str(error).replace(name, move)
        raise WrongMove(len(position.actions) + 1, who, move, reason) from None


def named(position: Position, name: str) -> int | None:
    """Return the legal action or outcome of a name, or None."""
    try:
        return position.parse_action(name)
    except IllegalAction:
        return None


def _is_result(position: Position, word: str) -> bool:
    return _RESULT.fullmatch(word) is not None and named(position, word) is None


def _play_words(position: Position, words: Sequence[str]) -> int:
    """Play the action that the first words name; return the number of these words."""
    while True:
        for count in range(1, len(words) + 1):
            action = named(position, " ".join(words[:count]).strip(","))
            if action is not None:
                position.play(action)
                return count
        if position.to_move != CHANCE:
            break
        position.play_chance()
    if moves := _separated(words[0]):
        for move in moves:
            _play_or_pass(position, move)
        return 1
    count = 2 if words[0].isalpha() and len(words) > 1 else 1  # "take 9"
    _play_or_pass(position, " ".join(words[:count]).strip(","))
    return count


def _separated(word: str) -> list[str]:
    """Return the moves of a word such as `f5d6c3` or `f5,d6`; none if it is something else."""
    moves = _GLUED.findall(word)
    return moves if len(moves) > 1 and "".join(moves) == word.replace(",", "") else []


def _play_or_pass(position: Position, name: str) -> None:
    """Play an action by its name, after a forced pass that the text omits."""
    if named(position, name) is None and not position.is_over and position.to_move != CHANCE:
        legal = position.legal_actions()
        passed = position.copy()
        if len(legal) == 1 and position.action_name(int(legal[0])) == PASS:
            passed.play(int(legal[0]))
            if named(passed, name) is not None:
                position.play(int(legal[0]))
    play_named(position, name)
