"""Run chaos: `python -m bench.chaos [--minutes 60] [--seed 1] [--json FILE]`.

With `--attacks`, measure each attack alone instead, and print the waits of a quiet client.
"""

import argparse
import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from bench.chaos import secrecy
from bench.chaos.findings import LIVED, LONGEST_LIFE, STOPS_AGENTS, TRAINED, Findings, QuietAnswer
from bench.chaos.greedy import ADDRESSES, Greedy
from bench.chaos.people import World, analyst, librarian, onlooker, person
from bench.chaos.programs import HostUnderTest, QuietClients, ServerUnderTest, SmallDisk
from bench.chaos.societies import organiser, student
from bench.chaos.table import measure
from bench.chaos.trainer import PageTrainer, kill_trainers
from bench.chaos.troubles import HOST, TROUBLES, Troubles

EACH = 20.0  # seconds of a trouble, in a run of many minutes
WARM_SECONDS = 20.0  # of a server that was started again, until agents' moves are timed
LOOKS = 5.0  # seconds between two looks at memory
EXTRA = 900.0  # seconds more, at most, until each check has had something to check


class Chaos:
    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.findings = Findings()
        if chosen.train:
            self.findings.least |= TRAINED
        # A run of less than two minutes checks no growth of memory: see `LIVED`.
        self.findings.least[LONGEST_LIFE] = int(min(LIVED, 30 * chosen.minutes))
        self.disk = SmallDisk()
        self.served = ServerUnderTest(self.findings, self.disk.path / "games", chosen.workers)
        self.host: HostUnderTest | None = None
        self.greedy: list[Greedy] = []
        self._up_since: float | None = None
        self._starting = False

    async def run(self) -> None:
        """Run everything; the results are in `findings`."""
        chosen = self.chosen
        midway = await asyncio.to_thread(secrecy.game_with_hidden_cards, chosen.seed)
        await self.served.start()
        world = World(self.served.url, self.findings, chosen.seed, midway)
        self.troubles = await asyncio.to_thread(
            Troubles, self.served, self.disk, world, chosen.seed, chosen.trouble
        )
        seconds = 60 * chosen.minutes
        plan = self.troubles.plan(seconds, min(EACH, seconds / 12))
        await world.get_ready()
        self.findings.lives[-1].clear()
        tasks = [asyncio.create_task(one) for one in await self._all_who_ask(world, plan)]
        try:
            await self.troubles.run(plan)
            await self._continue_until_all_is_checked(plan)
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
        await world.check_accounts()
        for one in (world, *self.greedy):
            await one.http.aclose()
        if self.host is not None:
            await asyncio.to_thread(self.host.stop)
        self.served.stop()
        await asyncio.to_thread(secrecy.check, self.disk.path / "games", world.heard, self.findings)

    async def _all_who_ask(
        self, world: World, plan: list[tuple[str, float]]
    ) -> list[Coroutine[Any, Any, None]]:
        """Return the clients of the server, and of the host if the plan attacks it."""
        people = [person(world, midway=number == 0) for number in range(self.chosen.people)]
        people += [onlooker(world), onlooker(world), analyst(world), librarian(world)]
        people += [organiser(world), student(world)]
        if self.chosen.greedy:
            self.findings.least["greedy: messages of /ws/table"] = 1
            self.greedy = [Greedy(world, address) for address in ADDRESSES]
            people += [task for one in self.greedy for task in one.tasks()]
        if self.chosen.train:
            people.append(PageTrainer(world, self.served).work())
        people.append(self._look())
        self.quiet = QuietClients([self.served.url], self._take_answer)
        people.append(self.quiet.run())
        if any(trouble.startswith(HOST) for trouble, _ in plan):
            self.host = self.troubles.host = HostUnderTest(self.findings)
            await self.host.start()
            people.append(QuietClients([self.host.url], self._take_answer_of_host).run())
        return people

    async def _continue_until_all_is_checked(self, plan: list[tuple[str, float]]) -> None:
        """Continue until each check has enough items, or the time limit.

        Troubles without any answer to the quiet client are repeated.
        """
        ends = time.monotonic() + EXTRA
        while (again := self.findings.unanswered()) and time.monotonic() < ends:
            await self.quiet.answered_since(time.time(), EXTRA)
            await self.troubles.run([one for one in plan if one[0] == again[0]][:1])
        while (missing := self.findings.missing()) and time.monotonic() < ends:
            if not self.chosen.quiet:
                print(f"continues, as too little was checked: {'; '.join(missing)}", flush=True)
            await asyncio.sleep(LOOKS)

    async def _look(self) -> None:
        """Record memory and descriptors at intervals, and print the progress."""
        began = said = time.monotonic()
        while True:
            self.served.look()
            if self.host is not None:
                self.host.look()
            if time.monotonic() - said > 30 and not self.chosen.quiet:
                said = time.monotonic()
                counts = self.findings.counts
                print(
                    f"{said - began:5.0f} s  {counts['games']} games, {counts['moves']} moves, "
                    f"{len(self.findings.faults)} faults; now: {self.troubles.now}",
                    flush=True,
                )
            await asyncio.sleep(min(LOOKS, self.chosen.minutes))

    def _take_answer(self, said: dict[str, Any]) -> None:
        """Record an answer to the quiet client with the trouble during which it was requested."""
        if said["kind"] == "agent":
            self._take_move(said)
            return
        down = not self.served.is_up or said["fault"] == "down"
        if down or self._starting:  # the first to be answered may have come before it was up
            self._starting, self._up_since = down, said["at"] + said["seconds"]
            self.findings.counts["answers while it started"] += 1
            return
        up = said["at"] - self._up_since if self._up_since else None
        trouble = self.troubles.at(said["at"])
        answer = QuietAnswer(said["at"], said["seconds"], trouble, said["fault"], up)
        # A full disk may refuse a list; nothing else may.
        if "cannot be stored" in answer.fault and answer.trouble == "disk full":
            self.findings.counts["lists refused by a full disk"] += 1
        else:
            self.findings.answers.append(answer)

    def _take_move(self, said: dict[str, Any]) -> None:
        """Record an agent's move, unless the workers of a new server load its kernels."""
        began, ended = (self.troubles.at(said["at"] + more) for more in (0.0, said["seconds"]))
        up = said["at"] - self._up_since if self._up_since else None
        if self.served.is_up and not self._starting and (up is None or up > WARM_SECONDS):
            trouble = ended if ended in STOPS_AGENTS else began
            self.findings.counts["moves of agents timed"] += 1
            self.findings.agent_moves.append(
                QuietAnswer(said["at"], said["seconds"], trouble, said["fault"], up)
            )

    def _take_answer_of_host(self, said: dict[str, Any]) -> None:
        """Record an answer of the host to its honest players in the same way."""
        trouble = self.troubles.at(said["at"])
        answer = QuietAnswer(said["at"], said["seconds"], trouble, said["fault"])
        self.findings.host_answers.append(answer)


def parsed() -> argparse.Namespace:
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
    parser.add_argument(
        "--no-greedy", dest="greedy", action="store_false", help="without unfair addresses"
    )
    parser.add_argument("--no-train", dest="train", action="store_false", help="without a run")
    parser.add_argument(
        "--attacks",
        nargs="*",
        metavar="KIND",
        help="measure each attack alone, or those named, and print a table",
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="of each attack")
    parser.add_argument("--json", type=Path, help="a file for the report")
    parser.add_argument("--quiet", action="store_true", help="no line about how it goes")
    return parser.parse_args()


def main() -> int:
    """Run, and print the report; return 1 if there was a fault."""
    chosen = parsed()
    if chosen.attacks is not None:
        return measure(chosen)
    chaos = Chaos(chosen)
    try:
        asyncio.run(chaos.run())
    except KeyboardInterrupt:
        print("broken off: what follows is what was found so far", file=sys.stderr)
    finally:
        with contextlib.suppress(AttributeError, OSError):
            chaos.served.process.kill()
        kill_trainers(chaos.served)
        if chaos.host is not None:
            chaos.host.kill()
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
