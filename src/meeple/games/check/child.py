"""The program that checks a game: `python -m meeple.games.check.child`.

As plain Python (`NUMBA_DISABLE_JIT=1`) every index is checked and every error has a line number;
compiled, the results of the kernels are compared with those of plain Python. The program reads its
task as JSON and writes its progress and findings as lines of JSON.
"""

import contextlib
import inspect
import json
import linecache
import math
import os
import sys
import threading
import time
import traceback
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from meeple import kernels
from meeple.errors import KernelError, MeepleError, OptionError
from meeple.games.check.assigned import Assignment, describe, watch_assignments
from meeple.games.check.blame import is_unsigned, line_that_sets, short
from meeple.games.check.promises import (
    PROMISES,
    QUICK,
    RULES,
    Promise,
    cases,
    limits,
    pairs_of,
    promise_text,
    the_rollout_kernel_plays_uniformly,
)
from meeple.games.check.rules import every_start_can_be_played
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract.game import Game
from meeple.games.contract.points import random_ends
from meeple.games.contract.registry import classes_of, games_of, load_file, load_game
from meeple.kernels.kernel_source import code_of, line_of_definition, python_function
from meeple.kernels.source_check import mistakes_of

COMPILE_SECONDS = 300.0  # time limit for compiling a kernel
PAIRS_SHARE = 0.25  # of the time limit, in which pairs of options are checked at their limits
TRACED_GAMES = 2  # games whose plain and compiled runs are compared
MAX_ACTIONS = 100_000  # of a game at an option's limit; larger games are skipped
MAX_OBSERVATION_NUMBERS = 4_000_000  # of such a game
NO_GAME = "the file defines no game, a class below `Game`: nothing was checked"
INSTANCE_ATTRIBUTES = ("num_actions", "max_plies", "observation_shape")  # or of the class
CLASS_ATTRIBUTES = ("name", "summary", "State", "max_moves")

Say = Callable[[Mapping[str, Any]], None]


def _defines_only_other_classes(file: str) -> bool:
    """Return whether a file defines classes but no game class."""
    module = load_file(file)
    return bool(classes_of(module)) and not games_of(module)


class Inspector:
    """Checks a game in this process and reports the findings."""

    def __init__(self, order: Mapping[str, Any], say: Say) -> None:
        self.order, self.say = order, say
        self.file = str(Path(order["game"]).resolve()) if order["game"].endswith(".py") else ""
        self.kind: type[Game] | None = None
        self.walk: GameWalk | None = None
        self.options: Mapping[str, Any] = {}
        self.doing = ""
        self.limit = order["ply_seconds"]
        self.known: set[tuple[str, int]] = set()
        self.assigned: set[int] = set()  # lines already reported for a value that does not fit

    def run(self) -> None:
        """Run all checks."""
        with self._reporting("the game is loaded"):
            game = self.order["game"]
            if self.file and not self.order["only_games"] and _defines_only_other_classes(game):
                return  # for example agents
            if self.file and not games_of(load_file(game)):
                self._report(NO_GAME, (self.file, 1))
                return
            self.kind = load_game(game)
            self.file = str(Path(inspect.getfile(self.kind)).resolve())
            self._look_at_source()
        if self.kind is None or self.known:
            return
        self.check_kind(self.kind)

    def check_kind(self, kind: type[Game]) -> None:
        """Check the game with each example of its options."""
        chosen = self.order["options"]
        for number, options in enumerate([chosen] if chosen is not None else cases(kind)):
            self._begin(options)
            if kernels.COMPILED:
                self._compare(self.order["traces"][number : number + 1])
            else:
                game = self._make_or_report()
                if game is not None:
                    promises = QUICK if self.order["quick"] else PROMISES
                    self._check_rules(game, promises, self.order["seconds"])
                    self.walk = None
                    self.say({"traces": None if self.order["quick"] else self._traces(game)})
        if not (kernels.COMPILED or chosen is not None or self.order["quick"] or self.known):
            found = limits(kind)
            self._check_limits(kind, found, RULES, self.order["seconds"])
            seconds = self.order["seconds"] * PAIRS_SHARE
            self._check_limits(kind, pairs_of(found), [every_start_can_be_played], seconds)

    def _begin(self, options: Mapping[str, Any]) -> None:
        self.options = options
        self.say({"options": dict(options)})

    # ------------------------------------------------------------ as plain Python

    def _check_limits(
        self,
        kind: type[Game],
        found: Sequence[Mapping[str, Any]],
        promises: Sequence[Promise],
        seconds: float,
    ) -> None:
        """Check promises at the limits of options, within a time limit."""
        ends = time.monotonic() + seconds
        for options in found:
            if self.known or time.monotonic() > ends:
                return
            try:
                game = kind(**options)
            except OptionError:
                continue  # incompatible options
            except Exception:
                self._begin(options)
                self._make_or_report()  # reports the error
                return
            numbers = math.prod(getattr(game, "observation_shape", ()))
            if getattr(game, "num_actions", 0) > MAX_ACTIONS or numbers > MAX_OBSERVATION_NUMBERS:
                continue
            self._begin(options)
            self._check_rules(game, promises, seconds / len(found))

    def _check_rules(self, game: Game, promises: Sequence[Promise], all_seconds: float) -> None:
        seconds = all_seconds / len(promises)
        for promise in promises:
            with self._reporting(promise_text(promise)):
                self.walk = GameWalk(game, seconds)
                promise(self.walk)
            if promise is RULES[-1] and self.known:
                return  # a game that cannot be played is not checked further

    def _make_or_report(self) -> Game | None:
        """Return the game with its options; None if that fails, which is reported as a finding."""
        made = []
        with self._reporting("the game is made from its options"):
            made.append(self._make())
        return made[0] if made else None

    def _make(self) -> Game:
        assert self.kind is not None
        lacking = [name for name in CLASS_ATTRIBUTES if not hasattr(self.kind, name)]
        if lacking:
            raise CheckFailure(f"the class {self.kind.__name__} does not set `{lacking[0]}`")
        game = self.kind(**self.options)
        unset = [name for name in INSTANCE_ATTRIBUTES if not hasattr(game, name)]
        if unset:
            raise CheckFailure(
                f"neither the class {self.kind.__name__} nor its `configure` sets `{unset[0]}`",
                "configure",
            )
        return game

    def _traces(self, game: Game) -> list[list[Any]]:
        """Record a few games ply by ply, for comparison with the compiled rules."""
        found: list[list[Any]] = []
        with self._reporting("the compiled rules do the same as plain Python"):
            whole = all(self._is_integer(game.State[name]) for name in game.State.names or ())
            for seed in range(TRACED_GAMES):
                self.walk = GameWalk(game, self.order["seconds"] / 10)
                found.append([])
                for position in self.walk.positions(seed):
                    state = zlib.crc32(position.row.tobytes()) if whole else 0
                    shares = position.payoffs.tolist() if position.is_over else []
                    listed = position.legal_actions().tolist()
                    seen = [
                        round(float(position.observation(seat).sum()), 3)
                        for seat in range(game.seats)
                    ]
                    found[-1].append([position.to_move, listed, state, seen, shares])
        return found

    @staticmethod
    def _is_integer(kind: Any) -> bool:
        return bool(kind.base.kind in "iub")

    # ------------------------------------------------------------ compiled

    def _compare(self, traces: Sequence[Sequence[Any]]) -> None:
        game = self._make_or_report()
        if game is None:
            return
        self.limit = COMPILE_SECONDS
        for index, name in enumerate(kernels.GAME_KERNELS):
            if game.has(index):
                with self._reporting(f"`{name}` is compiled"):
                    game.address_of(index)
        self.limit = self.order["ply_seconds"]
        if self.known or not traces or traces[0] is None:
            return
        with self._reporting("the compiled rules do the same as plain Python"):
            names = ("to_move", "the legal actions", "the state", "what is observed", "the payoffs")
            blame = ("play", "legal", "play", "observe", "payoffs")
            for one, other in zip(traces[0], self._traces(game), strict=False):
                # The time limit may have ended one of the two runs early.
                for plain, compiled in zip(one, other, strict=False):
                    for place, (name, blamed) in enumerate(zip(names, blame, strict=True)):
                        if not _close(plain[place], compiled[place]):
                            raise CheckFailure(
                                f"compiled, {name}: {short(compiled[place])}; in plain Python: "
                                f"{short(plain[place])}; a number too large for its type, or "
                                "memory that was not set",
                                blamed,
                            )
        if not self.order["quick"]:
            compiled = [every_start_can_be_played, the_rollout_kernel_plays_uniformly]
            self._check_rules(game, compiled, 2 * self.order["seconds"])
            if game.points is not None and not self.known:
                self.say({"note": _use_of_points(game)})

    # ------------------------------------------------------------ the source

    def _look_at_source(self) -> None:
        """Report Python features that kernels do not support.

        Raises:
            CheckFailure: a kernel, or a function that a kernel calls, lacks its decorator.
        """
        assert self.kind is not None
        module = sys.modules[self.kind.__module__]
        found = {name: self.kind.kernel_named(name) for name in kernels.GAME_KERNELS}
        arrays = {
            name: _filled(function.__code__.co_varnames, kernels.SIGNATURES[name])
            for name, kernel in found.items()
            if (function := python_function(kernel)) is not None
        }
        for mistake in mistakes_of([one for one in found.values() if one is not None], arrays):
            self._report(mistake.sentence, (mistake.file, mistake.line))
        for name, kernel in found.items():
            if isinstance(kernel, FunctionType) and code_of(kernel) is kernel.__code__:
                raise CheckFailure(f"`{name}` is not a kernel: it needs @kernel above it", name)
        waiting = [one for one in found.values() if one is not None]
        seen: set[str] = set()
        while waiting:
            code = code_of(waiting.pop())
            for name in {*(code.co_names if code else ())} - seen:
                seen.add(name)
                called = vars(module).get(name)
                if isinstance(called, FunctionType) and called.__module__ == module.__name__:
                    if code_of(called) is called.__code__:
                        raise CheckFailure(
                            f"`{name}` is called by kernels: it needs @kernel too", name
                        )
                    waiting.append(called)

    # ------------------------------------------------------------ findings

    @contextlib.contextmanager
    def _reporting(self, doing: str) -> Iterator[None]:
        """Report the current step; report an error inside the block as a finding."""
        self.doing = doing
        self.say({"doing": doing})
        try:
            yield
        except CheckFailure as fault:
            self._report(str(fault), self._place_of(fault.blamed))
        except KernelError as error:
            self._report(error.sentence, (error.file, error.line))
        except MeepleError as error:
            cause = error.__cause__ or error
            self._report(short(error), self._place_in(cause))
        except NotImplementedError as error:
            self._report(str(error) or self._describe_error(error), self._place_in(error))
        except Exception as error:
            self._report(self._describe_error(error), self._place_in(error))

    def _report(self, sentence: str, place: tuple[str, int]) -> None:
        if (sentence, place[1]) in self.known:
            return
        self.known.add((sentence, place[1]))
        walk = self.walk
        position = walk.position if walk is not None else None
        self.say({
            "finding": {
                "sentence": sentence,
                "promise": self.doing,
                "file": place[0],
                "line": place[1],
                "options": dict(self.options),
                "seed": None if position is None else position.seed,
                "actions": [] if position is None else list(position.actions),
                "action": None if walk is None else walk.action,
            }
        })  # fmt: skip

    def _describe_error(self, error: Exception) -> str:
        """Describe an error raised by the game's own code in a sentence."""
        frames = traceback.extract_tb(error.__traceback__)
        where = [frame.name for frame in frames if self._is_ours(frame.filename)]
        function = f"`{where[-1]}`" if where else "the game"
        in_list = any(frame.name in ("add", "add_outcome") for frame in frames)
        in_list |= any(".actions[" in (frame.line or "") for frame in frames)
        if isinstance(error, IndexError) and in_list and self.kind is not None:
            return (
                f"{function} lists more than {self.kind.max_moves} actions, the class's "
                "`max_moves`: "
                "set it to the most legal actions, or chance outcomes, of any position"
            )
        if isinstance(error, OverflowError) and any(one.name == "encode_options" for one in frames):
            return f"an option does not fit its field of `Options`: {short(error)}"
        key = error.args[0] if isinstance(error, KeyError) and error.args else None
        if isinstance(key, str) and self.kind is not None and key not in self.kind.declared:
            return f"{function} reads the option '{key}', which is not declared"
        if isinstance(error, (IndexError, KeyError)) and where[-1:] == ["action_name"]:
            return (
                f"`action_name` raises {type(error).__name__}: {short(error)}; each action below "
                "`num_actions` needs a name, also a pass, which is no cell"
            )
        if isinstance(error, OverflowError) and "out of bounds" in str(error):
            return (
                f"{function} puts a number into a field that is too small for it: {short(error)}; "
                "if it only adds it to one, write int(...) around the field"
            )
        return f"{function} raises {type(error).__name__}: {short(error)}"

    def _place_in(self, error: BaseException) -> tuple[str, int]:
        """Return the innermost line of the game's own code in an error's traceback."""
        if isinstance(error, SyntaxError):
            return error.filename or "", error.lineno or 0
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno or 0 for frame in frames if self._is_ours(frame.filename)]
        if any(frame.name == "encode_options" for frame in frames) and not lines:
            lines = [line_that_sets("Options", self.file)]
        return self.file, lines[-1] if lines else 0

    def _place_of(self, blamed: Sequence[str]) -> tuple[str, int]:
        """Return the file and line of the first of these kernels or methods in the game's code."""
        for name in blamed:
            for owner in (sys.modules.get(getattr(self.kind, "__module__", "")), self.kind):
                code = code_of(vars(owner).get(name)) if owner is not None else None
                if code is not None:
                    return code.co_filename, line_of_definition(code)
        return self.file, 0

    def _is_ours(self, name: str) -> bool:
        return str(Path(name).resolve()) == self.file

    # ------------------------------------------------------------ arithmetic and time

    def on_number(self, kind: str, frame: FrameType | None) -> None:
        """Report an overflow or a division by zero that NumPy detected in a kernel."""
        top = frame
        if top is None or not self._is_ours(top.f_code.co_filename):
            return
        while frame is not None:
            if frame.f_code.co_name == "identity":  # hashes overflow on purpose
                return
            frame = frame.f_back
        line, source = top.f_lineno, linecache.getline(self.file, top.f_lineno).strip()
        if kind == "overflow" and is_unsigned(source, top):
            return
        name = top.f_code.co_name
        what = {
            "overflow": f"a number grows too large for its type in `{name}`: `{source}`",
            "divide by zero": f"`{name}` divides by zero: `{source}`",
        }.get(kind, f"`{name}` computes a value that is not a number: `{source}`")
        self._report(what, (self.file, line))

    def on_assignment(self, what: Assignment) -> None:
        """Report an assignment of a number that the field cannot hold."""
        frame: FrameType | None = what.frame
        while frame is not None and not self._is_ours(frame.f_code.co_filename):
            if frame.f_code.co_name == "encode_options":
                sentence = describe(what, "the game")
                self._report(sentence, (self.file, line_that_sets("Options", self.file)))
                return
            frame = frame.f_back
        if frame is None or frame.f_code.co_name == "identity":
            return
        sentence = describe(what._replace(frame=frame), frame.f_code.co_name)
        if sentence and frame.f_lineno not in self.assigned:
            self.assigned.add(frame.f_lineno)
            self._report(sentence, (self.file, frame.f_lineno))

    def watch(self) -> None:
        """Watchdog thread: end the process after too much processor time without progress."""
        main, last, since = threading.main_thread().ident or 0, None, _clocks()
        while True:
            time.sleep(0.2)
            now = (self.doing, self.walk.plies if self.walk is not None else 0)
            if now != last:
                last, since = now, _clocks()
            elif max(np.subtract(_clocks(), since)) > self.limit:
                stack = traceback.extract_stack(sys._current_frames().get(main))
                ours = [frame for frame in stack if self._is_ours(frame.filename)]
                function, line = "the game", 0
                if ours:
                    function, line = f"`{ours[-1].name}`", ours[-1].lineno or 0
                if function == "`<module>`":
                    function = "the file's code outside functions"
                self._report(f"{function} does not end", (self.file, line))
                os._exit(0)


def _use_of_points(game: Game) -> str:
    """Return how much of the declared range random games use."""
    assert game.points is not None
    made = np.concatenate([end.points for end in random_ends(game)])
    used, declared = (
        " to ".join(f"{end:g}" for end in ends) for ends in ((made.min(), made.max()), game.points)
    )
    return f"{game.title}: random games make {used} points; `points` declares {declared}"


def _clocks() -> tuple[float, float]:
    """Return the seconds of processor time, and a tenth of the time.

    A busy machine is no endless loop; a process that sleeps works a tenth of the time.
    """
    return time.process_time(), time.monotonic() / 10


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, list) and one and isinstance(one[0], float):
        return len(one) == len(other) and bool(np.allclose(one, other, rtol=1e-4, atol=2e-3))
    return bool(one == other)


def _filled(parameters: Sequence[str], kinds: Sequence[kernels.Parameter]) -> str:
    """Return the name of a kernel's output array parameter."""
    found = [name for name, kind in zip(parameters, kinds, strict=False) if kind.items is not None]
    return found[0] if found else ""


def run_program(kind: type[Inspector]) -> None:
    """Run the task read from stdin; the game's own output goes to stderr."""
    order = json.load(sys.stdin)
    with os.fdopen(os.dup(1), "w", buffering=1) as report, contextlib.redirect_stdout(sys.stderr):
        inspector = kind(order, lambda message: print(json.dumps(message), file=report))
        kernels.in_python.update(over="call", divide="call", invalid="call")
        np.seterrcall(lambda kind, _: inspector.on_number(kind, sys._getframe(1)))
        if not kernels.COMPILED:
            watch_assignments(inspector.on_assignment)
        threading.Thread(target=inspector.watch, daemon=True).start()
        inspector.run()
        inspector.say({"done": True})
    os._exit(0)  # even if the game started threads


if __name__ == "__main__":
    run_program(Inspector)
