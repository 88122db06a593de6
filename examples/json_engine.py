"""An engine in 30 lines that plays any game, Catan too: a legal action at random, by JSON lines.

It shares no code with Meeple, so it can be written in any language. Let it play:
meeple match catan greedy weighted weighted "engine:python examples/json_engine.py,protocol=json"
"""

import json
import random
import sys


def say(**message: object) -> None:
    """Write a message as a line of its own, at once."""
    print(json.dumps(message), flush=True)


legal: list[str] = []
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            say(type="hello", protocol=1, name="Dice", wants=[])
        case "game":
            random.seed(message["seed"])
            say(type="ready")
        case "position":
            legal = message["legal"]
        case "go":
            say(type="bestmove", action=random.choice(legal))
        case "quit":
            break
