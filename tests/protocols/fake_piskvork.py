"""A strict Gomocup program: `python fake_piskvork.py DEAF KNOWN...`.

It plays the first free cell in reading order. `DEAF`: seconds after each of its moves in which it
drops every line, as some programs do at the end of a search. `KNOWN`: the keys of INFO that it
accepts; other keys and unknown commands get an error.
"""

import sys
import time


def main() -> None:
    deaf, known = float(sys.argv[1]), set(sys.argv[2:])
    size, moved = 0, float("-inf")
    taken: set[tuple[int, ...]] = set()
    board: list[tuple[int, ...]] | None = None
    for line in sys.stdin:
        if time.monotonic() < moved + deaf:
            continue
        word, _, rest = line.strip().partition(" ")
        if board is not None and word != "DONE":
            board.append(tuple(map(int, word.split(",")[:2])))
            continue
        answer = "OK"
        if word == "START":
            size, taken = int(rest), set()
        elif word == "RESTART":
            taken = set()
        elif word == "INFO":
            answer = "" if rest.split()[0] in known else "ERROR Unknown command"
        elif word == "BOARD":
            board, answer = [], ""
        elif word in ("BEGIN", "TURN", "DONE"):
            if board is not None:
                taken, board = set(board), None
            if word == "TURN":
                cell = tuple(map(int, rest.split(",")))
                if cell in taken:
                    print("ERROR this cell is taken", flush=True)
                    continue
                taken.add(cell)
            x, y = next(
                (n % size, n // size) for n in range(size**2) if (n % size, n // size) not in taken
            )
            taken.add((x, y))
            answer = f"{x},{y}"
        elif word == "END":
            return
        else:
            answer = "UNKNOWN command"
        if answer:
            print(answer, flush=True)
        if "," in answer:
            moved = time.monotonic()


main()
