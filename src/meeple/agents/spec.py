"""The language of agent specs, such as `uct:sims=1000`, and the table of agents it can make.

Grammar: `name[:[PATH][,]key=value,...]`. Where a module is named, it is imported on first use.
"""

import difflib
import importlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from meeple.agents.agent import Agent
from meeple.errors import SpecError
from meeple.games.contract.game import Game
from meeple.search.budget import LONGEST, MOST_SIMULATIONS
from meeple.search.mcts.information_set import HEURISTIC_EXPLORATION, PLIES
from meeple.search.mcts.uct_kernels import EXPLORATION
from meeple.search.minimax.deepening import DEEPEST, HEURISTICS, MARGIN
from meeple.search.minimax.expectimax import WORLDS
from meeple.search.qtable.table import TRUST

_PAIR = re.compile(r"\s*(\w+)\s*=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Key:
    """A number that a spec may set, from `low` to `high`; without a default it may be absent."""

    help: str
    low: float
    high: float
    default: float | None = None
    whole: bool = False

    @property
    def allowed(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {_plain(self.low)} to {_plain(self.high)}"

    @property
    def shown(self) -> str:
        """The value in a usage line."""
        return "N"

    def parse(self, text: str) -> float:
        """The number in a text; raises ValueError where it is not allowed."""
        number: float = int(text) if self.whole else float(text)
        if not math.isfinite(number) or not self.low <= number <= self.high:
            raise ValueError
        return number


def _plain(number: float) -> str:
    """A limit as people write it: 0.001, 1000, 1,000,000."""
    return f"{number:,.0f}" if number >= 1_000_000 else f"{number:g}"


@dataclass(frozen=True)
class Word:
    """One of a few words that a spec may set; without a default it may be absent."""

    help: str
    choices: tuple[str, ...]
    default: str | None = None

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(self.choices)

    @property
    def shown(self) -> str:
        """The value in a usage line."""
        return "|".join(self.choices)

    def parse(self, text: str) -> str:
        """The word in a text; raises ValueError where it is not one of the choices."""
        if text not in self.choices:
            raise ValueError
        return text


@dataclass(frozen=True)
class File:
    """A file that a spec may name, by a path without commas."""

    help: str
    default: None = None
    allowed: ClassVar[str] = "the path of a file"
    shown: ClassVar[str] = "FILE"

    def parse(self, text: str) -> str:
        """The path in a text; raises ValueError where there is none."""
        if not text:
            raise ValueError
        return text


@dataclass(frozen=True)
class AgentKind:
    """One name of the language: what it takes, and the function that makes it.

    `target` is "module:function", called as f(game, options, seed), or f(game, path, options,
    seed) where the spec holds a path. `options` has a value for every key with a default, and for
    the keys that were given.
    """

    target: str
    help: str
    path: bool = False
    keys: Mapping[str, Key | Word | File] = field(default_factory=dict)

    def usage(self, name: str) -> str:
        """How to write it: "uct:sims=N,seconds=N"."""
        parts = ["PATH"] * self.path + [f"{key}={value.shown}" for key, value in self.keys.items()]
        return f"{name}:{','.join(parts)}" if parts else name


AGENTS: dict[str, AgentKind] = {
    "random": AgentKind(
        "meeple.agents.random_agent:make_random",
        "any legal action, each as likely as the others",
    ),
    "weighted": AgentKind(
        "meeple.agents.quick:make_weighted",
        "sensible actions by their weights, where the game has such",
    ),
    "greedy": AgentKind(
        "meeple.agents.quick:make_greedy",
        "the best next position by the game's heuristic",
        keys={
            "worlds": Key("samples of what is hidden", 1, 1000, default=8, whole=True),
        },
    ),
    "uct": AgentKind(
        "meeple.agents.search_agent:make_uct",
        "tree search with random rollouts; needs sims, seconds or both",
        keys={
            "sims": Key("simulations a move", 1, MOST_SIMULATIONS, whole=True),
            "seconds": Key("wall clock a move", 0.001, LONGEST),
            "c": Key(
                f"weight of exploration, on shares in [0, 1]; else {EXPLORATION:g}, or "
                f"{HEURISTIC_EXPLORATION:g} where a heuristic judges hidden games",
                0,
                100,
            ),
            "threads": Key("trees grown side by side", 1, 64, default=1, whole=True),
            "guided": Key(
                "chance of a rollout's move by the rule of thumb; else 0, or 1 in hidden games",
                0,
                1,
            ),
            "plies": Key(
                "moves of a rollout before the game's heuristic judges; else 0, to the end, or "
                f"{PLIES} in hidden games",
                0,
                100_000,
                whole=True,
            ),
            "qtable": File("what `meeple qtable` learned, to begin searches with"),
            "trust": Key(
                "visits taken over from it, at most", 1, 1_000_000, default=TRUST, whole=True
            ),
        },
    ),
    "minimax": AgentKind(
        "meeple.agents.minimax:make_minimax",
        "alpha-beta by a heuristic, or expectimax; needs depth, seconds or both",
        keys={
            "depth": Key("plies looked ahead", 1, DEEPEST, whole=True),
            "seconds": Key("wall clock a move", 0.001, LONGEST),
            "heuristic": Word(
                "how unfinished positions are judged: by the game, or as equal shares",
                HEURISTICS,
                default="game",
            ),
            "margin": Key(
                f"shares by which a random move may be worse; else {MARGIN:g}, or 0 in games of "
                "hidden information",
                0,
                1,
            ),
            "worlds": Key("samples of what is hidden", 1, 1000, default=WORLDS, whole=True),
        },
    ),
    "puct": AgentKind(
        "meeple.agents.search_agent:make_puct",
        "tree search with a network; needs sims, seconds or both",
        path=True,
        keys={
            "sims": Key("simulations a move", 1, 100_000_000, whole=True),
            "seconds": Key("wall clock a move", 0.001, LONGEST),
            "c": Key("weight of exploration, on shares in [0, 1]", 0, 100, default=0.5),
            "leaves": Key("positions for the network at once", 1, 4096, default=8, whole=True),
            "views": Word(
                "the network sees a position as it is, or all its symmetric views, averaged",
                ("one", "all"),
                default="one",
            ),
        },
    ),
    "policy": AgentKind(
        "meeple.agents.policy:make_policy",
        "a network alone, without search",
        path=True,
        keys={
            "epsilon": Key("chance of a random action instead", 0, 1, default=0.0),
            "temperature": Key("0 the best action, 1 by probability", 0, 100, default=0.0),
        },
    ),
    "perfect": AgentKind(
        "meeple.agents.perfect:make_perfect",
        "the exact solver, where the game is small enough",
    ),
    "human": AgentKind("meeple.agents.human:make_human", "a person at the terminal"),
}
"""Every agent by name, in the order of the listing."""


@dataclass(frozen=True)
class Parsed:
    """A spec taken apart and checked."""

    name: str
    path: str | None
    options: Mapping[str, float | str]


def agent(spec: str, game: Game, seed: int = 0) -> Agent:
    """The agent that a spec describes, for one game.

    Raises SpecError for a wrong spec (the message says what is allowed), and CheckpointError or
    RunError where a network cannot be read or belongs to another game.
    """
    parsed = parse(spec)
    module, _, function = AGENTS[parsed.name].target.partition(":")
    make: Any = getattr(importlib.import_module(module), function)
    path = () if parsed.path is None else (parsed.path,)
    made = cast(Agent, make(game, *path, parsed.options, seed))
    made.spec = spec
    return made


def parse(spec: str) -> Parsed:
    """Take a spec apart and check it; nothing is loaded.

    Raises SpecError that says what is wrong and what is allowed.
    """
    name, _, rest = spec.strip().partition(":")
    kind = AGENTS.get(name)
    if kind is None:
        near = difflib.get_close_matches(name, AGENTS, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise SpecError(f"there is no agent '{name}'; agents: {', '.join(_usages())}{hint}")
    path, pairs = _split(rest)
    if kind.path and not path:
        raise SpecError(f"{name} needs a checkpoint file or a run folder: {kind.usage(name)}")
    if path and not kind.path:
        raise SpecError(f"'{path}' in '{spec}' is not understood; write {kind.usage(name)}")
    given = dict(_option(name, kind, key, text) for key, text in pairs)
    if len(given) < len(pairs):
        raise SpecError(f"'{spec}' sets a key twice")
    defaults = {key: k.default for key, k in kind.keys.items() if k.default is not None}
    return Parsed(name, path or None, {**defaults, **given})


def _split(rest: str) -> tuple[str, list[tuple[str, str]]]:
    """The path, and the key=value pairs at the end; a path may itself hold commas and `=`."""
    pieces = rest.split(",")
    pairs = []
    while pieces and (pair := _PAIR.fullmatch(pieces[-1])):
        pairs.append((pair[1], pair[2].strip()))
        pieces.pop()
    return ",".join(pieces).strip(), pairs[::-1]


def _option(name: str, kind: AgentKind, key: str, text: str) -> tuple[str, float | str]:
    if key not in kind.keys:
        known = ", ".join(kind.keys) or "none"
        raise SpecError(f"{name} has no key '{key}'; its keys: {known}")
    try:
        return key, kind.keys[key].parse(text)
    except ValueError:
        allowed = kind.keys[key].allowed
        raise SpecError(f"{name}: {key} must be {allowed}, not '{text}'") from None


def _usages() -> list[str]:
    return [kind.usage(name) for name, kind in AGENTS.items()]


def describe() -> str:
    """Every agent and key, a line each, as text for help."""
    lines = []
    for name, kind in AGENTS.items():
        lines.append(f"{kind.usage(name)}  {kind.help}")
        for key, value in kind.keys.items():
            default = value.default
            shown = f"{default:g}" if isinstance(default, float) else default
            note = "" if default is None else f" (default {shown})"
            lines.append(f"  {key}  {value.help}: {value.allowed}{note}")
    return "\n".join(lines)
