"""What happens in a game, told sentence by sentence: those on one subject share a line."""

import shutil
from collections.abc import Sequence

INDENT = "  "


class Story:
    """Sentences as they come; the next one on the same subject goes on without naming it again.

    `subjects` are what sentences may begin with, such as "player 1". Each is printed at once, and
    lines are broken at the terminal's width. `end` ends the line, for other words to follow.
    """

    def __init__(self, subjects: Sequence[str]) -> None:
        self._subjects = subjects
        self._subject = ""
        self._column = 0  # where the open line ends; 0: none is open

    def tell(self, sentence: str) -> None:
        """Print a sentence, on the open line if that is on the same subject."""
        subject = next((one for one in self._subjects if sentence.startswith(f"{one} ")), "")
        if subject and subject == self._subject and self._column:
            print(";", end="")
            self._column += 1
            sentence = sentence.removeprefix(subject).lstrip()
        else:
            self.end()
        self._subject = subject
        for word in sentence.split():
            self._put(word)
        print(end="", flush=True)

    def _put(self, word: str) -> None:
        """Write a word after the last one, or on a new line where there is no room."""
        gap = " " if self._column else ""
        room = shutil.get_terminal_size().columns - 1  # less a semicolon
        if gap and self._column + len(gap) + len(word) > room:
            print()
            gap, self._column = INDENT, 0
        print(f"{gap}{word}", end="")
        self._column += len(gap) + len(word)

    def end(self) -> None:
        """End the open line, if there is one."""
        if self._column:
            print(flush=True)
        self._column, self._subject = 0, ""
