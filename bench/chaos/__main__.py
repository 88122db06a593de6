"""A run of chaos: `python -m bench.chaos [--minutes 60] [--seed 1] [--json FILE]`."""

import argparse
import asyncio
import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from bench.chaos import secrecy
from bench.chaos.findings import Answer, Findings
from bench.chaos.people import World, analyst, librarian, onlooker, person
from bench.chaos.served import Served, SmallDisk
from bench.chaos.trainer import Trainer, kill_trainers
from bench.chaos.troubles import TROUBLES, Troubles

EACH = 20.0  # seconds of a trouble, in a run of many minutes
READY = 900.0  # seconds until all games can be played, where they must be compiled first
LOOKS = 5.0  # seconds between two looks at memory


class Chaos:
    """One run."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.findings = Findings()
        self.disk = SmallDisk()
        self.served = Served(self.disk, self.findings, chosen.workers)

    async def run(self) -> None:
        """All of it; what was found is in `findings`."""
        chosen = self.chosen
        await self.served.start()
        world = World(self.served.url, self.findings, chosen.seed)
        troubles = await asyncio.to_thread(
            Troubles, self.served, world, chosen.seed, chosen.trouble
        )
        await self._get_ready(world)
        self.findings.lives[-1].clear()
        people = [person(world) for _ in range(chosen.people)]
        people += [onlooker(world), onlooker(world), analyst(world), librarian(world)]
        if chosen.train:
            people.append(Trainer(world, self.served).work())
        tasks = [asyncio.create_task(one) for one in people]
        tasks.append(asyncio.create_task(self._look(troubles)))
        tasks.append(asyncio.create_task(self._listen_to_quiet_client(troubles)))
        seconds = 60 * chosen.minutes
        plan = troubles.plan(seconds, min(EACH, seconds / 12))
        try:
            await troubles.run(plan)
        finally:
            left = set(tasks)
            while left:  # before Python 3.12 `wait_for` may swallow a cancellation
                for task in left:
                    task.cancel()
                _, left = await asyncio.wait(left, timeout=5.0)
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        for error in ended:
            if not isinstance(error, asyncio.CancelledError | None):
                self.findings.fault(f"one of the people ended: {error!r}")
        await self._account(world)
        await world.http.aclose()
        self.served.stop()
        await asyncio.to_thread(secrecy.check, self.disk.path / "games", world.heard, self.findings)

    async def _get_ready(self, world: World) -> None:
        """Wait until every game has been shown once."""
        ends = time.monotonic() + READY
        while time.monotonic() < ends:
            games = await world.ask("GET", "/api/games")
            if games is not None and all(one["family"] for one in games["games"]):
                return
            await asyncio.sleep(1)
        raise RuntimeError("the server does not get its games ready")

    async def _look(self, troubles: Troubles) -> None:
        """Note memory and descriptors now and then, and say how it goes."""
        began = said = time.monotonic()
        while True:
            self.served.look()
            if time.monotonic() - said > 30 and not self.chosen.quiet:
                said = time.monotonic()
                counts = self.findings.counts
                print(
                    f"{said - began:5.0f} s  {counts['games']} games, {counts['moves']} moves, "
                    f"{len(self.findings.faults)} faults; now: {troubles.now}",
                    flush=True,
                )
            await asyncio.sleep(min(LOOKS, self.chosen.minutes))

    async def _listen_to_quiet_client(self, troubles: Troubles) -> None:
        """Take down what the quiet client was answered, and during what."""
        words = [sys.executable, "-m", "bench.chaos.quiet", self.served.url]
        client = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        assert client.stdout is not None
        starting, up_since = False, None
        try:
            while line := await client.stdout.readline():
                said = json.loads(line)
                down = not self.served.is_up or said["fault"] == "down"
                if down or starting:  # the first to be answered may have come before it was up
                    starting, up_since = down, said["at"] + said["seconds"]
                    self.findings.counts["answers while it started"] += 1
                else:
                    up = said["at"] - up_since if up_since else None
                    waited, fault = said["seconds"], said["fault"]
                    self._explain(Answer(said["at"], waited, troubles.now, fault, up))
        finally:
            with contextlib.suppress(ProcessLookupError):
                client.kill()
            await client.wait()

    def _explain(self, answer: Answer) -> None:
        """A full disk may refuse a list; nothing else may."""
        if "cannot be stored" in answer.fault and answer.trouble == "disk full":
            self.findings.counts["lists refused by a full disk"] += 1
        else:
            self.findings.answers.append(answer)

    async def _account(self, world: World) -> None:
        """Every move that was acknowledged is in the server's own account."""
        for table, tokens, account in world.accounts:
            headers = {"x-seat-tokens": ",".join(tokens)}
            view = await world.ask("GET", f"/api/tables/{table}", headers=headers)
            if view is None:
                self.findings.fault(f"table {table} cannot be had")
                continue
            known = len(account.told)
            fault = account.take(view)
            if fault:
                self.findings.fault(f"table {table} ({view['game']}), at the end: {fault}")
            self.findings.counts["plies looked for at the end"] += known


def parsed() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--people", type=int, default=10, help="who play at once")
    parser.add_argument("--workers", type=int, default=2, help="processes that think")
    parser.add_argument("--patience", type=float, default=1.0, help="seconds to answer within")
    parser.add_argument(
        "--trouble",
        action="append",
        default=[],
        choices=TROUBLES,
        help="this alone; again for more",
    )
    parser.add_argument("--no-train", dest="train", action="store_false", help="without a run")
    parser.add_argument("--json", type=Path, help="a file for the report")
    parser.add_argument("--quiet", action="store_true", help="no line about how it goes")
    return parser.parse_args()


def main() -> int:
    """Run, and print the report; 1 where anything was as it must not be."""
    chosen = parsed()
    chaos = Chaos(chosen)
    try:
        asyncio.run(chaos.run())
    except KeyboardInterrupt:
        print("broken off: what follows is what was found so far", file=sys.stderr)
    finally:
        with contextlib.suppress(AttributeError, OSError):
            chaos.served.process.kill()
        kill_trainers(chaos.served)
        chaos.disk.remove()
    chaos.findings.check(chosen.patience)
    report: dict[str, Any] = {
        "minutes": chosen.minutes,
        "seed": chosen.seed,
        "small_disk": chaos.disk.is_small,
        **chaos.findings.report(),
    }
    text = json.dumps(report, indent=1)
    print(text)
    if chosen.json:
        chosen.json.write_text(text + "\n", encoding="utf-8")
    if chaos.findings.faults:
        print(f"the server's own messages are in {chaos.served.log}", file=sys.stderr)
        return 1
    chaos.served.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
