"""A text of many games in brackets, cut into one for each, so that none waits for the others.

SGF and GGF put games between `(;` and `)`, and values between `[` and `]`, where a backslash
takes the meaning from the sign after it.
"""

import re

_TOKEN = re.compile(r"\[(?:[^\]\\]|\\.)*+\]|[\[()]", re.DOTALL)
_BEGIN = re.compile(r"\(\s*;")


def pieces(text: str) -> list[str] | None:
    """The text of each game; what stands between games is left out.

    None where brackets do not match, so that nobody knows where a game ends. Takes time in
    proportion to the text.
    """
    found: list[str] = []
    depth, start = 0, 0
    begin = _BEGIN.search(text)
    at = begin.start() if begin else len(text)
    while token := _TOKEN.search(text, at):
        at, sign = token.end(), token[0]
        if sign == "[":  # of a value without an end
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
