"""Splits a text of bracketed games (SGF, GGF) into one text a game, so that each is parsed alone.

Games are between `(;` and `)`, values between `[` and `]`, in which a backslash escapes the next
character.
"""

import re

_TOKEN = re.compile(r"\[(?:[^\]\\]|\\.)*+\]|[\[()]", re.DOTALL)
_BEGIN = re.compile(r"\(\s*;")


def pieces(text: str) -> list[str] | None:
    """Return the text of each game, without the text between games, in linear time.

    Returns None if brackets are unbalanced, so that the end of a game is unknown.
    """
    found: list[str] = []
    depth, start = 0, 0
    begin = _BEGIN.search(text)
    at = begin.start() if begin else len(text)
    while token := _TOKEN.search(text, at):
        at, sign = token.end(), token[0]
        if sign == "[":  # a value without an end
            return None
        if sign == "(":
            if depth == 0:
                start = token.start()
            depth += 1
        elif sign == ")" and depth > 0:
            depth -= 1
            if depth == 0:
                found.append(text[start:at])
                begin = _BEGIN.search(text, at)
                at = begin.start() if begin else len(text)
    return None if depth else found
