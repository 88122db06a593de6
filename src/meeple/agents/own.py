"""Custom agents and evaluators: classes of a Python file, named `FILE.py:NAME` in specs.

After `--load FILE.py` the name alone is enough. A custom class is trusted: it receives the whole
position, and can restrict itself to what a seat may know by `position.observation(seat)`.

An invalid or late answer to an offer counts as a refusal, so that the other players need not wait.
"""

import inspect
import re
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, cast

from meeple.agents.agent import Agent, Analysis
from meeple.errors import CustomAgentError, IllegalAction, OptionError, SpecError, did_you_mean
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import classes_of, load_file, loaded_files
from meeple.search.evaluators import Predict

_OF_FILE = re.compile(r"\.py:\w+$")


class Chooser(Protocol):
    """What a custom agent must have; `Agent` lists what else it may have."""

    def choose(self, position: Position) -> int | str:
        """Return a legal action, or its name."""
        ...


def own_classes() -> dict[str, type]:
    """Return the classes of all loaded files by name, without games."""
    found = {}
    for file in loaded_files():
        for kind in classes_of(load_file(file)):
            if not issubclass(kind, Game):
                found[kind.__name__] = kind
    return found


def names_own(word: str) -> bool:
    """Return whether a network's name is that of a class: FILE.py:NAME, or of a loaded file."""
    return _OF_FILE.search(word) is not None or word in own_classes()


def find_class(word: str) -> type:
    """Return the class FILE.py:NAME, or NAME of a loaded file. Raises SpecError if missing."""
    file, _, name = word.rpartition(":")
    if not file:
        known = own_classes()
    else:
        try:
            known = {kind.__name__: kind for kind in classes_of(load_file(file))}
        except OptionError as error:
            raise SpecError(str(error)) from None
    if name not in known:
        listed, near = ", ".join(known) or "none", did_you_mean(name, known)
        place = file or "the loaded files (--load FILE.py)"
        raise SpecError(
            f"there is no class {name!r} in {place}; classes: {listed}{near and f'; {near}'}"
        )
    return known[name]


def make_own(game: Game, path: str, options: Mapping[str, Any], seed: int) -> Agent:
    """Make the agent of `agent:FILE.py:NAME`; the class gets the game if it takes an argument.

    Raises SpecError if the class cannot be instantiated, or has no method `choose`.
    """
    made = _made(path, game)
    if not callable(getattr(made, "choose", None)):
        raise SpecError(f"{path} is no agent: it lacks choose(position)")
    return OwnAgent(made, seed)


def as_agent(given: Agent | Chooser) -> Agent:
    """Return an object as an agent: itself, or wrapped if it only has a method `choose(position)`.

    Raises:
        SpecError: it has no such method.
    """
    if all(hasattr(given, name) for name in ("spec", "begin", "analysis")):
        return cast(Agent, given)
    if not callable(getattr(given, "choose", None)):
        raise SpecError(f"{given!r:.60} is no agent: it lacks choose(position)")
    wrapped = OwnAgent(given, seed=0)
    wrapped.spec = type(given).__name__
    return wrapped


def load_own_predictor(word: str, game: Game) -> Predict:
    """Make a custom evaluator. Raises SpecError if it cannot be made, or is not callable."""
    made = _made(word, game)
    if not callable(made):
        raise SpecError(f"{word} is no evaluator: it lacks __call__(observations, legal)")
    predict: Predict = made
    return predict


ANSWER_SECONDS = 30.0  # to answer an offer; afterwards the answer is a refusal


class OwnAgent:
    """Wraps a custom agent, which needs no method but `choose(position)`."""

    def __init__(self, inner: Any, seed: int, answer_seconds: float = ANSWER_SECONDS) -> None:
        self.spec = "agent"
        self.analysis: Analysis | None = None
        self._inner = inner
        self._answer_seconds = answer_seconds
        self._late: threading.Thread | None = None  # that still computes a late answer
        self._reported = False  # whether a refusal was reported
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Start a game; calls the custom `begin` if there is one."""
        self.analysis = None
        if hasattr(self._inner, "begin"):
            self._call(self._inner.begin, seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return the custom agent's choice for a copy of the position.

        If the choice answers an offer, an error or an illegal action counts as a refusal.

        Raises:
            CustomAgentError: the class raises, or chooses an illegal action.
        """
        refusal = capabilities.refusal(position)
        if refusal is not None:
            return self._answer(position, refusal)
        if self._late is not None:
            self._late.join()
            self._late = None
        return self._choice(position)

    def _answer(self, position: Position, refusal: int) -> int:
        """Return the answer to an offer if it is valid and in time, else the refusal.

        The first refusal of this kind is reported on stderr.
        """
        found: list[int | SpecError] = []

        def think() -> None:
            try:
                found.append(self._choice(position))
            except SpecError as error:
                found.append(error)

        if self._late is None or not self._late.is_alive():
            self._late = threading.Thread(target=think, daemon=True)
            self._late.start()
            self._late.join(self._answer_seconds)
        if not found:
            found.append(SpecError(f"{self.spec} gave no answer in {self._answer_seconds:g} s"))
        else:
            self._late = None
        answer = found[0]
        if isinstance(answer, SpecError):
            if not self._reported:
                sys.stderr.write(f"{answer}: that counts as a no, here and from now on\n")
            self._reported = True
            return refusal
        return answer

    def close(self) -> None:
        """End the last game; calls the custom `close` if there is one."""
        if callable(getattr(self._inner, "close", None)):
            self._call(self._inner.close)

    def _call(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call a method of the custom agent. Raises CustomAgentError if it raises."""
        try:
            return _tried(self.spec, call, *arguments)
        except SpecError as error:
            raise CustomAgentError(str(error), "crash") from error

    def _choice(self, position: Position) -> int:
        action = self._call(self._inner.choose, position.copy())
        if isinstance(action, str):
            try:
                action = position.parse_action(action)
            except IllegalAction as error:
                raise CustomAgentError(f"{self.spec} chose {error}", "illegal") from error
        legal = position.legal_actions().tolist()
        if not isinstance(action, int) and not hasattr(action, "__index__"):
            words = f"{self.spec} chose {action!r}, which is no whole number"
            raise CustomAgentError(words, "illegal")
        if int(action) not in legal:
            words = f"{self.spec} chose {int(action)}, which is none of the legal {legal}"
            raise CustomAgentError(words, "illegal")
        self.analysis = getattr(self._inner, "analysis", None)
        return int(action)


def _made(word: str, game: Game) -> Any:
    """Instantiate a class with the game, or without arguments.

    Raises SpecError if it accepts neither, or raises.
    """
    kind = find_class(word)
    if not any("__init__" in vars(one) for one in kind.__mro__[:-1]):
        return _tried(word, kind)
    taken = inspect.signature(kind)
    for arguments in ((game,), ()):
        try:
            taken.bind(*arguments)
        except TypeError:
            continue
        return _tried(word, kind, *arguments)
    raise SpecError(
        f"{word} cannot be made: it is called with the game, or with nothing, and takes {taken}"
    )


def _tried(what: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """Return the call's result. Raises SpecError, with the line, for any exception."""
    try:
        return call(*arguments)
    except Exception as error:
        last = traceback.extract_tb(sys.exc_info()[2])[-1]
        place = f"{Path(last.filename).name}, line {last.lineno}"
        raise SpecError(f"{what} failed at {place}: {type(error).__name__}: {error}") from error
