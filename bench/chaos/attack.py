"""An attacker, a separate program: `python -m bench.chaos.attack REQUEST`.

REQUEST is a JSON object with the arguments of `attack`. Prints the count of each action as JSON.
"""

import json
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from bench.chaos.attacker import Attacker
from bench.chaos.attacks import CONNECTIONS, SERVER_KINDS
from bench.chaos.host_attacks import HOST_KINDS, LONE_KINDS

KINDS = {**SERVER_KINDS, **HOST_KINDS}


def attack(
    kind: str,
    url: str,
    address: str,
    seed: int,
    seconds: float,
    record: str = "",
    tokens: list[str] | None = None,
) -> Counter[str]:
    """Attack over a few connections at a time; return the count of each action.

    Args:
        kind: a name of `KINDS`.
        url: the address of the server or of the host.
        address: from which all connections come.
        seed: of the attacker's random choices.
        seconds: duration.
        record: a file with a long game of Catan.
        tokens: of players of the tournament.
    """
    text = Path(record).read_text(encoding="utf-8") if record else ""
    attackers = [
        Attacker(url, address, seed + number, seconds, text, tokens or [])
        for number in range(1 if kind in LONE_KINDS else CONNECTIONS)
    ]
    threads = [
        threading.Thread(target=one.run, args=(KINDS[kind],), daemon=True) for one in attackers
    ]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + seconds + 1
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    done: Counter[str] = Counter()
    for one in attackers:
        done.update(one.done.copy())
    return done


if __name__ == "__main__":
    print(json.dumps(attack(**json.loads(sys.argv[1]))), flush=True)
