"""The runs of a folder: how far each is, its curves, ratings and games; begun, stopped, rated.

A name from outside is looked up in the folder's own list, so it leads nowhere else. All calls
block, some for a while: they are made in threads.
"""

import json
import math
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from meeple.agents.networks import checkpoint_files, shipped_networks
from meeple.errors import MeepleError, RunError, UsageError
from meeple.games.game import Game
from meeple.games.records import GameRecord
from meeple.learn.config import Config, load_config
from meeple.learn.describe import documented
from meeple.learn.run_folder import CONFIG, GAMES, STATE, RunFolder
from meeple.server.errors import Busy, NotFound
from meeple.server.training_figures import Curves
from meeple.server.training_form import flat, settle
from meeple.server.training_games import episode_of, games_after, last_games, last_line
from meeple.server.training_jobs import Job, Jobs, Kind

NAME = r"[a-z0-9][a-z0-9._-]{0,63}"
AT_ONCE = 1  # runs that train at a time, and as many that are rated
MOST_LISTED = 200  # the last changed
MOST_FOLLOWED = 16  # runs whose curves are kept in memory
MOST_REPORT = 4_000_000  # bytes of a tournament's result
MOST_IN_MATRIX = 40  # networks that a table shows against each other
FRESH = 60.0  # seconds after which files that nobody writes are left alone

_AT_WORK = ("running", "stopping", "elsewhere")


@dataclass(frozen=True)
class Run:
    """One folder's files, read."""

    name: str
    folder: Path
    config: Config
    game: Game
    episodes: int  # played
    seconds: float  # spent
    changed: float  # seconds since the epoch


class Runs:
    """The runs of one folder; may be called by several threads."""

    def __init__(self, folder: Path, game_files: Sequence[str] = (), at_once: int = AT_ONCE):
        self.folder, self.at_once = folder.resolve(), at_once
        self.jobs = Jobs(game_files)
        self._starting = threading.Lock()
        self._reading = threading.Lock()  # of curves
        self._curves: OrderedDict[tuple[str, int], Curves] = OrderedDict()
        self._configs: OrderedDict[tuple[Path, int, int], tuple[Config, Game]] = OrderedDict()

    # ------------------------------------------------------------ looking

    def names(self) -> list[str]:
        """The runs of the folder, the last changed first."""
        try:
            entries = [e for e in os.scandir(self.folder) if re.fullmatch(NAME, e.name)]
        except OSError:
            return []
        found = [(_changed(Path(e.path)), e.name) for e in entries if _is_run(Path(e.path))]
        return [name for _, name in sorted(found, reverse=True)[:MOST_LISTED]]

    def all(self) -> list[dict[str, Any]]:
        """All runs in short; one that cannot be read with the sentence that says why."""
        found = []
        for name in self.names():
            try:
                found.append(self._short(self._run(name)))
            except MeepleError as error:
                found.append({"name": name, "problem": str(error)})
        return found

    def facts(self, name: str, since: int = 0) -> dict[str, Any]:
        """All that is known of a run; of its curves, what came after the episode `since`."""
        run = self._run(name)
        train, topp = self.jobs.look(run.folder, "train"), self.jobs.look(run.folder, "topp")
        status = _status(run, train)
        first, curves, speed = self._figures(run, since)
        networks = _networks(run.folder)
        return {
            **self._short(run),
            "seconds": round(run.seconds, 1),
            "left": _left(run, speed) if status in _AT_WORK else None,
            "networks": networks,
            "marks": run.config.run.networks,
            "since": first,
            "curves": curves,
            "topp": _report(run.folder),
            "problem": _problem(name, status, train, topp),
            "output": self._output(run, status, train, topp),
            "spec": _spec(name, run.config) if networks else None,
            "settings": _shown(run.config),
        }

    def games(self, name: str, after: int | None, limit: int) -> dict[str, Any]:
        """The first games of self-play after an episode, or the last ones."""
        run = self._run(name)
        file = run.folder / GAMES
        lines = last_games(file, limit) if after is None else games_after(file, after, limit)
        samples = (_sample(run.game, line) for line in lines)
        return {"games": [one for one in samples if one], "last": _last_episode(file)}

    # ------------------------------------------------------------ doing

    def begin(self, name: str, config: str, changes: Mapping[str, Any]) -> None:
        """Make a run of a ready configuration with changes, and start it.

        Raises MeepleError in a sentence: for a name that is taken, a field that is wrong, or Busy
        where as many runs as may are at it.
        """
        if not re.fullmatch(NAME, name):
            raise UsageError(
                "a run's name is made of small letters, digits, '-', '_' and '.', and begins with "
                "a letter or digit"
            )
        if name in shipped_networks():
            raise UsageError(f"'{name}' is the name of a network that ships; choose another")
        settled = settle(config, changes, self.folder)
        with self._starting:
            self._refuse_more("train")
            if (self.folder / name).exists():
                raise UsageError(f"there is something called '{name}' already; choose another name")
            RunFolder(self.folder / name).create(documented(settled))
            self.jobs.start(self.folder / name, "train")

    def resume(self, name: str) -> None:
        """Go on with a run. Raises Busy as `begin`, UsageError where it is at its end."""
        run = self._run(name)
        with self._starting:
            status = _status(run, self.jobs.look(run.folder, "train"))
            if status == "elsewhere":
                raise Busy(f"{name} is being trained by another program; its files change")
            if status == "finished":
                raise UsageError(f"{name} has finished; begin a new run that starts from it")
            self._refuse_more("train")
            self.jobs.start(run.folder, "train")

    def rate(self, name: str) -> None:
        """Let the networks that a run kept play each other. Raises Busy or UsageError."""
        run = self._run(name)
        if run.game.players != 2:
            raise UsageError(f"networks meet two at a time; this game is for {run.game.players}")
        if len(_networks(run.folder)) < 2:
            raise UsageError(f"{name} has kept one network so far; rating needs at least two")
        with self._starting:
            self._refuse_more("topp")
            self.jobs.start(run.folder, "topp")

    def stop(self, name: str) -> None:
        """Ask a run's training to save all and end, or else its rating."""
        run = self._run(name)
        for kind in ("train", "topp"):
            if self.jobs.look(run.folder, kind).running:
                self.jobs.stop(run.folder, kind)
                return
        if _status(run, self.jobs.look(run.folder, "train")) == "elsewhere":
            raise UsageError(f"{name} was not started from here; stop it where it runs, by Ctrl-C")
        raise UsageError(f"{name} does not run")

    def at_work(self, kind: Kind) -> list[str]:
        """The runs that train, or are rated, as children of this or an earlier server."""
        return [name for name in self.names() if self.jobs.look(self.folder / name, kind).running]

    def _refuse_more(self, kind: Kind) -> None:
        busy = self.at_work(kind)
        if len(busy) >= self.at_once:
            what = "trains" if kind == "train" else "is being rated"
            raise Busy(f"{busy[0]} {what} now; stop it first, or wait for its end")

    # ------------------------------------------------------------ reading

    def _run(self, name: str) -> Run:
        """Raises NotFound, or MeepleError where its files cannot be read."""
        folder = self.folder / name
        if not re.fullmatch(NAME, name) or name not in _listing(self.folder) or not _is_run(folder):
            raise NotFound(f"there is no run {name[:64]!r} here")
        config, game = self._config(folder / CONFIG)
        episodes, seconds = _state(folder / STATE)
        return Run(name, folder, config, game, episodes, seconds, _changed(folder))

    def _config(self, file: Path) -> tuple[Config, Game]:
        try:
            stat = file.stat()
        except OSError as error:
            raise RunError(f"cannot read {file.name}: {error.strerror}") from None
        key = (file, stat.st_mtime_ns, stat.st_size)
        found = self._configs.get(key)
        if found is None:
            try:
                config = load_config(file)
                found = config, config.make_game()
            except MeepleError as error:  # without the place of the folder
                sentence = str(error).replace(f"{self.folder}{os.sep}", "")
                raise RunError(sentence) from None
            self._configs[key] = found
            while len(self._configs) > 2 * MOST_LISTED:
                self._configs.popitem(last=False)
        return found

    def _short(self, run: Run) -> dict[str, Any]:
        train = self.jobs.look(run.folder, "train")
        status = _status(run, train)
        done = run.episodes
        if status in _AT_WORK:  # the state is saved now and then only
            done = max(done, _last_episode(run.folder / GAMES))
        report = _report(run.folder)
        return {
            "name": run.name,
            "game": run.game.name,
            "title": _title(run.game),
            "options": dict(run.game.options),
            "status": status,
            "late": train.late,
            "rating": self.jobs.look(run.folder, "topp").running,
            "episodes": done,
            "of": run.config.run.episodes,
            "changed": round(run.changed, 1),
            "gain": report and report["gain"],
        }

    def _figures(self, run: Run, since: int) -> tuple[int, Any, float | None]:
        key = (run.name, (run.folder / CONFIG).stat().st_mtime_ns)
        with self._reading:
            curves = self._curves.pop(key, None) or Curves(run.folder, run.config.run.episodes)
            self._curves[key] = curves
            while len(self._curves) > MOST_FOLLOWED:
                self._curves.popitem(last=False)
            curves.update()
            return (*curves.since(since), curves.speed)

    def _output(self, run: Run, status: str, train: Job, topp: Job) -> list[str]:
        """What a child said that failed, was stopped, or is still getting ready."""
        if _unrated(train, topp):
            return self.jobs.output(run.folder, "topp")
        ready = run.episodes > 0 or status in ("finished", "elsewhere")
        silent = ready and status not in ("failed", "stopped")
        return [] if silent else self.jobs.output(run.folder, "train")


# ---------------------------------------------------------------- of one folder


def _listing(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _is_run(folder: Path) -> bool:
    return (folder / CONFIG).is_file()


def _changed(folder: Path) -> float:
    """When the run last wrote, seconds since the epoch."""
    times = [0.0]
    for name in (STATE, GAMES, CONFIG):
        try:
            times.append((folder / name).stat().st_mtime)
        except OSError:
            continue
    return max(times)


def _state(file: Path) -> tuple[int, float]:
    """Episodes and seconds; none where there is no state yet, or a damaged one."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return max(int(data["episodes"]), 0), _finite(data["seconds"])
    except (OSError, ValueError, TypeError, KeyError):
        return 0, 0.0


def _status(run: Run, train: Job) -> str:
    """One word; "elsewhere": another program than this server's child writes its files."""
    limit = run.config.run.minutes
    if train.running:
        return "stopping" if train.asked else "running"
    if run.episodes >= run.config.run.episodes or (limit and run.seconds >= 60 * limit):
        return "finished"
    since = max(time.time() - FRESH, (train.ended or 0) + 1)
    if run.changed > since and run.episodes > 0:
        return "elsewhere"
    return "failed" if train.failed else "stopped"


def _problem(name: str, status: str, train: Job, topp: Job) -> str | None:
    if train.late or topp.late:
        return (
            f"{name} was asked to stop and has not ended yet: a search may take long. Asked again, "
            "it stops at once"
        )
    if status == "failed":
        return f"{name} ended by an error; what was saved before is whole. Its last words:"
    if _unrated(train, topp):
        return f"{name} could not be rated. The last words:"
    return None


def _unrated(train: Job, topp: Job) -> bool:
    """Whether the last that happened is that a rating failed."""
    return topp.failed and not topp.running and (topp.ended or 0) > (train.ended or 0)


def _left(run: Run, speed: float | None) -> float | None:
    """Seconds to the run's end, by the speed of late."""
    if speed is None:
        speed = run.episodes / run.seconds if run.seconds and run.episodes else None
    lefts = [(run.config.run.episodes - run.episodes) / speed] if speed else []
    if run.config.run.minutes:
        lefts.append(60 * run.config.run.minutes - run.seconds)
    return round(max(min(lefts), 0.0), 1) if lefts else None


def _networks(folder: Path) -> list[int]:
    """After how many episodes networks were kept."""
    try:
        return [episode for episode, _ in checkpoint_files(folder)]
    except RunError:
        return []


def _spec(name: str, config: Config) -> str:
    """The agent that plays with the run's newest network."""
    return f"puct:{name},sims=100" if config.network.critic else f"policy:{name}"


def _shown(config: Config) -> dict[str, Any]:
    """All values, as text; of a place, its name alone."""
    values = flat(config)
    if config.run.start:
        values["run.start"] = Path(config.run.start).name
    return {key: value for key, value in values.items() if value is not None}


def _title(game: Game) -> str:
    """The game with those options that are not the usual ones."""
    unusual = [
        f"{name}={game.options[name]}"
        for name, option in game.declared.items()
        if game.options[name] != option.default
    ]
    return ", ".join([game.name.replace("-", " ").capitalize(), *unusual])


def _report(folder: Path) -> dict[str, Any] | None:
    """The last tournament of a run's networks; None where there is none that can be read."""
    file = folder / "topp" / "result.json"
    try:
        stat = file.stat()
    except OSError:
        return None
    return _read_report(file, stat.st_mtime, stat.st_size)


@lru_cache(maxsize=MOST_LISTED)
def _read_report(file: Path, made: float, size: int) -> dict[str, Any] | None:
    if size > MOST_REPORT:
        return None
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        small = len(data["networks"]) <= MOST_IN_MATRIX
        return {
            "policy": str(data["policy"]),
            "epsilon": _finite(data["epsilon"]),
            "games": int(data["games"]),
            "games_per_pair": int(data["games_per_pair"]),
            "distinct_games": int(data["distinct_games"]),
            "networks": [
                {
                    "episode": int(entry["episode"]),
                    **_rating(entry),
                    "share": round(_finite(entry["share"]), 3),
                }
                for entry in data["networks"]
            ],
            "matrix": [
                [None if share is None else round(_finite(share), 3) for share in row]
                for row in (data["matrix"] if small else [])
            ],
            "gain": _rating(data["gain"]),
            "made": round(made, 1),
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _rating(entry: dict[str, Any]) -> dict[str, Any]:
    low, high = entry["interval"]
    ends = [round(_finite(low), 1), round(_finite(high), 1)]
    return {"rating": round(_finite(entry["rating"]), 1), "interval": ends}


def _finite(number: Any) -> float:
    """Raises ValueError or TypeError for anything but a number."""
    if not math.isfinite(value := float(number)):
        raise ValueError
    return value


def _last_episode(file: Path) -> int:
    return episode_of(last_line(file) or "")


def _sample(game: Game, line: str) -> dict[str, Any] | None:
    """None where the line is no record after all."""
    try:
        record = GameRecord.from_json(line)
    except MeepleError:
        return None
    return {
        "episode": episode_of(line),
        "plies": len(record.actions),
        "result": _outcome(game, record),
        "record": line,
    }


def _outcome(game: Game, record: GameRecord) -> str:
    """Who won, in words."""
    if record.payoffs is None:
        return "broken off"
    best = max(record.payoffs)
    winners = [game.player_name(p) for p, share in enumerate(record.payoffs) if share == best]
    return f"{winners[0]} wins" if len(winners) == 1 else "a draw"
