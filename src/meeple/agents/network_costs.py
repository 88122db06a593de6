"""The measured cost of the networks that ship.

`network_costs.json` has, by the network's name, an agent that plays with it and the processor time
of its move in milliseconds; `python -m bench.nets` writes it.
"""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".json")


@functools.cache
def costs() -> Mapping[str, Mapping[str, Any]]:
    """Return the costs by name: `{"hex7": {"spec": "puct:hex7,sims=400", "ms": 150.0}}`."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
