"""The moves of a game as sentences; consecutive sentences on one subject share a line."""

import shutil
from collections.abc import Sequence

INDENT = "  "


class Story:
    """Prints sentences; consecutive ones on the same subject name it once.

    `subjects` are the possible beginnings of sentences, such as "player 1". Each sentence is
    printed at once, and lines are wrapped at the terminal's width. Call `end` before other output.
    """

    def __init__(self, subjects: Sequence[str]) -> None:
        self._subjects = subjects
        self._subject = ""
        self._column = 0  # the end of the open line; 0 if no line is open

    def tell(self, sentence: str) -> None:
        """Print a sentence, on the open line if it has the same subject."""
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
        """Write a word after the last one, or on a new line if it does not fit."""
        gap = " " if self._column else ""
        room = shutil.get_terminal_size().columns - 1  # without the column of a semicolon
        if gap and self._column + len(gap) + len(word) > room:
            print()
            gap, self._column = INDENT, 0
        print(f"{gap}{word}", end="")
        self._column += len(gap) + len(word)

    def end(self) -> None:
        """End the open line, if any."""
        if self._column:
            print(flush=True)
        self._column, self._subject = 0, ""
