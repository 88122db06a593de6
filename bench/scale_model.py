"""A cost model of training on a cluster: games/s and the bottleneck, from measured costs.

Run: python -m bench.scale_model SCALE.json --parts PARTS.json --nodes 1 10 100 1000 --price 0.04,
where SCALE.json is the output of `meeple bench scale --json`, and PARTS.json that of `python -m
bench.scale_parts hex7 reversi8`. It compares the model with the measurements, fits the costs of the
trainer, and prints a plan for each number of nodes.
"""

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from meeple.executors.on_ray import BATCH_SECONDS


@dataclass(frozen=True)
class RunCosts:
    """The costs of the parts of a run, in seconds unless bytes are named."""

    network: float  # a player's calls of the network, for each game
    tree: float  # the rest of a player's game: tree, rules and Python
    minibatch: float  # the learner, for a minibatch
    draw: float  # the buffer, for a minibatch
    update: float  # the trainer, for an update of any number of waves
    game: float  # the trainer, for each game, without learning
    publish: float  # the trainer, to send a network to a player
    arrival: float = 0.0  # bytes of a game from a player, and on to the buffer
    minibatch_bytes: float = 0.0
    weights: float = 0.0  # bytes

    @property
    def player(self) -> float:
        """Seconds of a player for each game."""
        return self.network + self.tree

    def bytes_in(self, setup: "Setup") -> float:
        """Bytes of a game over the link of the machine of trainer and buffer."""
        drawn = self.minibatch_bytes * setup.batches if setup.learner_apart else 0.0
        return self.arrival / setup.shards + drawn / setup.shards


@dataclass(frozen=True)
class Setup:
    """A cluster, and how a run is laid out on it."""

    players: int
    lockstep: int = 8
    batch: int = 1  # waves that a player has at a time
    batches: float = 1.0  # minibatches for each game
    nodes: int = 1
    ahead: int = 2  # waves of each player in flight
    together: float = 1.0  # seconds of learning that an update of several waves may have
    learners: float = 1.0  # how many times as fast learning is as one processor's
    shards: int = 1  # of the buffer, and of those who take waves in
    learner_apart: bool = False  # on another machine than the buffer
    link: float = 1.25e9  # bytes a second of a machine: 10 Gbit/s
    tree: bool = False  # the broadcast: each machine sends to two, not the trainer to all

    @property
    def games(self) -> int:
        return self.lockstep * self.batch


@dataclass(frozen=True)
class Predicted:
    games_per_second: float
    limits: Mapping[str, float]  # games/s that each part could do
    behind: float  # games

    @property
    def held_up_by(self) -> str:
        """The slowest part."""
        return min(self.limits, key=lambda name: self.limits[name])


def update_seconds(costs: RunCosts, setup: Setup, waves: float) -> float:
    """Return the trainer's seconds for an update of `waves` waves, without the broadcast's bytes.

    Minibatches are drawn while others are learned from.
    """
    each = max(costs.minibatch / setup.learners, costs.draw / setup.shards)
    games = waves * setup.games * (costs.game / setup.shards + setup.batches * each)
    return costs.update / setup.shards + games + costs.publish * setup.players


def broadcast_seconds(costs: RunCosts, setup: Setup) -> float:
    if setup.nodes == 1:
        return 0.0
    copies = min(2, setup.nodes - 1) if setup.tree else setup.nodes - 1
    return costs.weights * copies / setup.link


def predict(costs: RunCosts, setup: Setup) -> Predicted:
    """Return the games a second of the slowest part of a run.

    An update learns from the waves that have arrived, at most one of each player or as many as
    can be learned in a second; its broadcast follows. The link carries arrivals and broadcasts.
    If the players are the bottleneck, each of them makes one wave while a wave is played. If the
    trainer is, all waves in flight come before, except those of the same update. If players have
    batches of waves, a batch replaces a wave; the later waves of a batch use newer networks, so
    their real delay is smaller.
    """
    waves = waves_of_an_update(costs, setup)
    update, sent = update_seconds(costs, setup, waves), broadcast_seconds(costs, setup)
    games = waves * setup.games
    arriving = games * costs.bytes_in(setup) / setup.link
    limits = {
        "players": setup.players / costs.player,
        "trainer": games / (update + sent),
        "link": games / (arriving + sent) if arriving + sent else math.inf,
    }
    behind: float = setup.players
    if limits["players"] > min(limits["trainer"], limits["link"]):
        behind = setup.ahead * setup.players - waves
    return Predicted(min(limits.values()), limits, setup.games * behind)


def waves_of_an_update(costs: RunCosts, setup: Setup) -> float:
    """Return the number of waves of an update if enough are always waiting."""
    learning = setup.games * setup.batches * costs.minibatch / setup.learners
    enough = math.ceil(setup.together / learning) if learning else setup.players
    return float(max(1, min(setup.players, enough)))


# ---------------------------------------------------------------- fitting


def non_negative(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Solve least squares without negative coefficients, by omitting negative ones in turn."""
    matrix, wanted = np.array(rows, dtype=float), np.array(values, dtype=float)
    kept = list(range(matrix.shape[1]))
    while kept:
        found = np.linalg.lstsq(matrix[:, kept], wanted, rcond=None)[0]
        if found.min() >= 0:
            break
        del kept[int(found.argmin())]
    result = [0.0] * matrix.shape[1]
    for column, value in zip(kept, found if kept else (), strict=True):
        result[column] = float(value)
    return result


def trainer_costs(points: Sequence[Mapping[str, Any]]) -> tuple[float, float, float]:
    """Return the trainer's processor seconds for an update, a game, and a network sent to a player.

    They are fitted to figures of `meeple bench scale`, and do not depend on the network.
    """
    rows = []
    for point in points:
        updates = 1 / point["waves_per_lesson"]
        rows.append([updates, point["lockstep"], updates * point["actors"]])
    spent = [point["trainer_processor_seconds_per_wave"] for point in points]
    update, game, publish = non_negative(rows, spent)
    return update, game, publish


def setup_of(point: Mapping[str, Any], batches: float) -> Setup:
    """Return the setup of a point of `meeple bench scale`, with batches of a second."""
    wave = point["lockstep"] * point["player_seconds_per_game"]
    batch = max(1, round(BATCH_SECONDS / wave))
    return Setup(point["actors"], point["lockstep"], batch, batches)


def costs_of(point: Mapping[str, Any], batches: float) -> RunCosts:
    """Return the costs of one point of `meeple bench scale`, by wall clock.

    The trainer's time besides waiting and learning counts as a cost of each update.
    """
    games, per_wave = point["lockstep"], point["seconds_per_wave"]
    busy = point["seconds"] / point["waves"] - per_wave["waiting"]
    share = point["network_share"]
    return RunCosts(
        network=point["player_seconds_per_game"] * share,
        tree=point["player_seconds_per_game"] * (1 - share),
        minibatch=per_wave["learning"] / games / batches,
        draw=0.0,
        update=max(0.0, busy - per_wave["learning"]) * point["waves_per_lesson"],
        game=0.0,
        publish=0.0,
    )


def costs_of_parts(parts: Mapping[str, Any], trainer: tuple[float, float, float]) -> RunCosts:
    """Return the costs of a line of `bench.scale_parts`, and of the trainer."""
    game = parts["evaluations_per_game"] * parts["seconds_per_evaluation"]
    update, each, publish = trainer
    return RunCosts(
        network=game * parts["network_share"],
        tree=game * (1 - parts["network_share"]),
        minibatch=parts["minibatch_seconds"],
        draw=parts["draw_seconds"],
        update=update,
        game=each,
        publish=publish,
        arrival=parts["arrival_bytes_per_game"],
        minibatch_bytes=parts["minibatch_bytes"],
        weights=parts["weights_bytes"],
    )


# ---------------------------------------------------------------- a plan


@dataclass(frozen=True)
class Plan:
    """The requirements of a run on a number of nodes whose only bottleneck is the players."""

    nodes: int
    players: int
    games_per_second: float
    as_it_is: Predicted  # one learner, one buffer
    learners: float  # how many times as fast as one processor learning must be
    steps_per_second: float  # minibatches
    in_bytes_per_second: float  # arrivals at the buffer
    drawn_bytes_per_second: float
    shards: int  # of the buffer and of those who take waves in
    period: float  # seconds from one network to the next: players wait for none
    star_seconds: float  # to send a network to all nodes from one machine
    tree_seconds: float
    behind: float  # games
    price_per_hour: float
    price_per_million_games: float


ROOM = 0.7  # of what a part can do, that it is planned for
PERIOD = 2.0  # seconds from one network to the next, or longer where the broadcast takes long


def plan(
    costs: RunCosts, setup: Setup, processors: int, price: float, period: float = PERIOD
) -> Plan:
    """Return the requirements of a setup's nodes, each processor with a player.

    `price` is that of a processor for an hour.
    """
    nodes = setup.nodes
    players = nodes * processors
    asked = replace(setup, players=players)
    games = players / costs.player
    steps = games * setup.batches
    taken = costs.update / (games * period) + costs.game  # seconds of a taker for each game
    arriving, drawn = games * costs.arrival, steps * costs.minibatch_bytes
    shards = max(
        1, math.ceil(games * taken / ROOM), math.ceil((arriving + drawn) / (ROOM * setup.link))
    )
    star = costs.weights * max(0, nodes - 1) / setup.link
    tree = 2 * costs.weights / setup.link * math.ceil(math.log2(nodes + 1)) if nodes > 1 else 0.0
    period = max(period, 10 * tree)  # so that the link is free nine tenths of the time
    wave = setup.lockstep * costs.player
    return Plan(
        nodes=nodes,
        players=players,
        games_per_second=games,
        as_it_is=predict(costs, asked),
        learners=steps * costs.minibatch / ROOM,
        steps_per_second=steps,
        in_bytes_per_second=arriving,
        drawn_bytes_per_second=drawn,
        shards=shards,
        period=period,
        star_seconds=star,
        tree_seconds=tree,
        behind=games * (wave + period / 2 + tree),
        price_per_hour=players * price,
        price_per_million_games=players * price / games / 3600 * 1e6,
    )


def shown(found: Plan) -> str:
    mib = 2**20
    return "\n".join(
        [
            f"{found.nodes} nodes, {found.players} players: {found.games_per_second:,.0f} games/s; "
            f"as it is now {found.as_it_is.games_per_second:,.0f}, held up by the "
            f"{found.as_it_is.held_up_by}, {found.as_it_is.behind:,.0f} games behind",
            f"  learning: {found.steps_per_second:,.0f} minibatches/s, "
            f"{found.learners:,.1f} processors' worth",
            f"  buffer: {found.in_bytes_per_second / mib:,.1f} MiB/s in, "
            f"{found.drawn_bytes_per_second / mib:,.1f} MiB/s drawn, {found.shards} shards",
            f"  broadcast: {found.star_seconds:.3f} s as a star, {found.tree_seconds:.3f} s as a "
            f"tree, each {found.period:.1f} s; {found.behind:,.0f} games behind",
            f"  price: {found.price_per_hour:,.2f} an hour, "
            f"{found.price_per_million_games:,.2f} for a million games",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="of meeple bench scale --json")
    parser.add_argument("--parts", type=Path, help="lines of bench.scale_parts")
    parser.add_argument("--batches", type=float, default=1.0, help="minibatches a game in FILE")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 10, 100, 1000])
    parser.add_argument("--processors", type=int, default=32, help="of a node")
    parser.add_argument("--lockstep", type=int, help="of all plans, not those of PARTS")
    parser.add_argument("--period", type=float, default=PERIOD, help="seconds of a generation")
    parser.add_argument("--price", type=float, default=0.04, help="of a processor's hour")
    arguments = parser.parse_args()
    points = json.loads(arguments.file.read_text())["points"]
    print("measured, and by the model with each point's own costs:")
    for point in points:
        setup, own = setup_of(point, arguments.batches), costs_of(point, arguments.batches)
        model = predict(own, setup)
        print(
            f"  {point['actors']} actors, {point['lockstep']:>3} in lockstep, network x "
            f"{point['network']:g}: {point['games_per_second']:.2f}, "
            f"{model.games_per_second:.2f} games/s ({model.held_up_by}); "
            f"behind {point['behind_games']:.0f}, {model.behind:.0f} games"
        )
    trainer = trainer_costs(points)
    print("trainer: {:.2g} s an update, {:.2g} s a game, {:.2g} s a network sent".format(*trainer))
    lines = arguments.parts.read_text().splitlines() if arguments.parts else []
    for parts in map(json.loads, lines):
        costs = costs_of_parts(parts, trainer)
        print(f"{parts['config']}: {json.dumps(asdict(costs))}")
        for nodes in arguments.nodes:
            players = nodes * arguments.processors
            lockstep = arguments.lockstep or int(parts["lockstep"])
            setup = Setup(players, lockstep, batches=parts["batches"], nodes=nodes)
            needed = plan(costs, setup, arguments.processors, arguments.price, arguments.period)
            print(shown(needed))


if __name__ == "__main__":
    main()
