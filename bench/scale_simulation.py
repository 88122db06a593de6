"""A run on a cluster, event by event, by measured costs: what `bench.scale_model` is checked by.

Players have some waves each, and play them one after the other by the newest network they know. The
trainer learns from some of the waves that have come, tells the network, and only then hands their
players other waves.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import simpy

from bench.scale_model import Costs, Setup, broadcast_seconds, lesson_seconds, waves_of_a_lesson

Events = Generator[Any, Any, None]


@dataclass
class Simulated:
    """What came of it, after a warm-up."""

    games_per_second: float
    behind: float  # games that the network had not learned from, which were learned before a wave


@dataclass
class _World:
    costs: Costs
    setup: Setup
    spread: float  # the standard deviation of a part's times, as a share of their mean
    rng: np.random.Generator
    env: simpy.Environment = field(default_factory=simpy.Environment)
    learned: int = 0  # games
    told: int = 0  # games that the newest network has learned from
    marks: list[tuple[float, int, int]] = field(default_factory=list)  # time, games, behind

    def about(self, seconds: float) -> float:
        """A time that is so long on average, by a gamma distribution."""
        if not self.spread or not seconds:
            return seconds
        variance = self.spread**2
        return float(self.rng.gamma(1 / variance, seconds * variance))


def simulate(
    costs: Costs, setup: Setup, waves: int, spread: float = 0.1, seed: int = 1
) -> Simulated:
    """Play so many waves, of which the first third, or all players' first two, do not count."""
    world = _World(costs, setup, spread, np.random.default_rng(seed))
    env = world.env
    arrivals: Any = simpy.Store(env)
    jobs: list[Any] = [simpy.Store(env) for _ in range(setup.players)]
    link = simpy.Resource(env, 1)
    for number, mine in enumerate(jobs):
        for _ in range(setup.ahead):
            mine.put(None)
        env.process(_player(world, number, mine, arrivals, link))
    env.run(env.process(_trainer(world, arrivals, jobs, link, waves)))
    skipped = min(len(world.marks) - 2, max(waves // 3, 2 * setup.players))
    (began, first, _), (ended, last, _) = world.marks[skipped], world.marks[-1]
    behind = float(np.mean([mark[2] for mark in world.marks[skipped:]]))
    return Simulated((last - first) / (ended - began), behind)


def _player(world: _World, number: int, jobs: Any, arrivals: Any, link: simpy.Resource) -> Events:
    costs, setup, env = world.costs, world.setup, world.env
    mean = setup.games * costs.player
    while True:
        yield jobs.get()
        generation = world.told
        yield env.timeout(world.about(mean))
        env.process(_send(world, number, generation, arrivals, link))


def _send(
    world: _World, number: int, generation: int, arrivals: Any, link: simpy.Resource
) -> Events:
    """A wave on its way, over the one link of the trainer's machine."""
    costs, setup, env = world.costs, world.setup, world.env
    yield env.timeout(costs.latency)
    with link.request() as mine:
        yield mine
        yield env.timeout(setup.games * costs.bytes_in(setup) / setup.link)
    yield arrivals.put((number, generation))


def _trainer(
    world: _World, arrivals: Any, jobs: list[Any], link: simpy.Resource, waves: int
) -> Events:
    costs, setup, env = world.costs, world.setup, world.env
    most = waves_of_a_lesson(costs, setup)
    while len(world.marks) < waves:
        arrived: list[Any] = [(yield arrivals.get())]
        while arrivals.items and len(arrived) < most:
            arrived.append((yield arrivals.get()))
        known = world.learned
        for _, generation in arrived:
            world.marks.append((env.now, world.learned, known - generation))
            world.learned += setup.games
        yield env.timeout(world.about(lesson_seconds(costs, setup, len(arrived))))
        with link.request() as mine:
            yield mine
            yield env.timeout(broadcast_seconds(costs, setup))
        world.told = world.learned
        for number, _ in arrived:
            yield jobs[number].put(None)
    world.marks.append((env.now, world.learned, 0))
