"""People who hold cups by link and write studies; what the server acknowledged must stay."""

import asyncio
import json
import random

from bench.chaos.people import REST, Json, Player, World

CUP_SECONDS = 150.0  # that a cup is followed, at most
NAMES = ("Ann", "Bob")
STUDY_MOVES = ("c3", "d4", "b2", "e1", "a5", "d2", "b4", "e5")  # of Hex 5x5, in any order
SAVES = 6  # of one study


async def organiser(world: World) -> None:
    """Hold one cup after another, with two people and three computers."""
    rng = random.Random(world.rng.random())
    while True:
        wanted = {"game": "nim", "options": {"stones": 9}, "agents": ["random"] * 3}
        form = rng.choice(("round-robin", "swiss"))
        made = await world.ask("POST", "/api/cups", json={**wanted, "format": form})
        if made is None:
            continue
        tokens = []
        for name in NAMES:
            joined = await world.ask("POST", f"/api/cups/{made['id']}/join", json={"name": name})
            tokens += [joined["token"]] if joined else []
        host = {"x-seat-tokens": made["token"]}
        if await world.ask("POST", f"/api/cups/{made['id']}/start", headers=host) is not None:
            await Cup(world, made["id"], tokens).play()


class Cup:
    """A cup: its people play, and its results are checked."""

    def __init__(self, world: World, id: str, tokens: list[str]) -> None:
        self.world, self.id, self.tokens = world, id, tokens
        self._results: dict[str, list[float]] = {}
        self._playing: dict[str, asyncio.Task[None]] = {}

    async def play(self) -> None:
        ends = asyncio.get_running_loop().time() + CUP_SECONDS
        try:
            while asyncio.get_running_loop().time() < ends:
                view = await self.world.ask("GET", f"/api/cups/{self.id}")
                if view is not None:
                    self._check(view)
                    if view["status"] == "over":
                        self.world.findings.counts["cups finished"] += 1
                        return
                    self._sit_down(view, ends)
                await asyncio.sleep(REST)
            self.world.findings.counts["cups left unfinished"] += 1
        finally:
            for task in self._playing.values():
                task.cancel()
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    def _sit_down(self, view: Json, ends: float) -> None:
        """Play the open games of people that are not played yet."""
        people = {at for at, one in enumerate(view["entrants"]) if not one["spec"]}
        for game in view["games"]:
            table = game["table"]
            if (
                game["payoffs"] is None
                and people & set(game["seats"])
                and (table not in self._playing or self._playing[table].done())
            ):
                player = Player(self.world, table, self.tokens)
                self._playing[table] = asyncio.create_task(player.play(ends))

    def _check(self, view: Json) -> None:
        """Check that results stay, and that the scores are their sums and the byes."""
        fault = self.world.findings.fault
        now = {game["table"]: game["payoffs"] for game in view["games"] if game["payoffs"]}
        for table, payoffs in self._results.items():
            if now.get(table) != payoffs:
                fault(f"cup {self.id}: the result of {table} was {payoffs}, is {now.get(table)}")
        self._results = now
        self.world.findings.counts["results of cups"] = max(
            self.world.findings.counts["results of cups"], len(now)
        )
        byes = view["round"] * (len(view["entrants"]) % 2) / 2 if view["format"] == "swiss" else 0
        total = sum(one["score"] for one in view["entrants"])
        if abs(total - len(now) - byes) > 0.01:
            fault(f"cup {self.id}: {len(now)} games over, and the scores sum up to {total}")


async def student(world: World) -> None:
    """Write studies, save them again and again, and look for each acknowledged version."""
    rng = random.Random(world.rng.random())
    while True:
        moves = rng.sample(STUDY_MOVES, 3)
        source = {"game": "hex", "options": {"size": 5}, "moves": moves}
        study = await world.ask("POST", "/api/studies", json={"title": "Chaos", "source": source})
        if study is None:
            continue
        for number in range(SAVES):
            tree = _commented(study, f"comment {number} of {rng.random()}")
            body = {"version": study["version"], "title": "Chaos", "tree": tree}
            saved = await world.ask("POST", f"/api/studies/{study['key']}", json=body)
            found = await world.ask("GET", f"/api/studies/{study['id']}")
            if saved is None or found is None:
                break  # refused, or the server was killed before its answer
            world.findings.counts["studies read again"] += 1
            if (found["version"], found["nodes"]["comments"]) != (
                saved["version"],
                tree["comments"],
            ):
                world.findings.fault(f"study {study['id']} is not as saved: {json.dumps(found)}")
            study = {**study, "version": saved["version"]}
            await asyncio.sleep(REST * rng.random())
        if rng.random() < 0.8:
            await world.ask("POST", f"/api/studies/{study['key']}/remove")
        await asyncio.sleep(2 * REST)


def _commented(study: Json, comment: str) -> Json:
    """Return the tree of a study with another comment on its last node."""
    columns = {name: study["nodes"][name] for name in ("ids", "parents", "actions", "marks")}
    comments = [*study["nodes"]["comments"][:-1], comment]
    return {"game": study["game"], "options": study["options"], **columns, "comments": comments}
