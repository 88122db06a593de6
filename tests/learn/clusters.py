"""A made-up cluster run: three nodes and twelve actors, one of them dead."""

import time

from meeple.learn.run.cluster import ActorState, ClusterState, Counts, NodeState


def made_up(now: float | None = None, running: bool = True) -> ClusterState:
    """Return its state at a time; by default, now."""
    nodes = [
        NodeState(name="head", address="10.0.0.1", processors=8, accelerators=["H100"]),
        NodeState(name="worker-1", address="10.0.0.2", processors=16),
        NodeState(name="worker-2", address="10.0.0.3", processors=16, alive=False),
    ]
    actors = [
        ActorState(
            name="learner", role="learner", node="head", pid=101, games=5200, generation=5120
        ),
        ActorState(name="buffer", role="buffer", node="head", pid=102, games=5312),
        ActorState(
            name="inference-1", role="inference", node="head", pid=103, generation=5120, restarts=1
        ),
        ActorState(
            name="matches-1", role="matches", node="worker-1", pid=210, waiting="a generation"
        ),
    ]
    for number in range(1, 9):
        dead = number == 8
        actors.append(
            ActorState(
                name=f"self-play-{number}",
                role="self-play",
                node="worker-2" if dead else "worker-1",
                pid=200 + number,
                alive=not dead,
                games=664 - 8 * number,
                games_per_second=0.0 if dead else 1.5 + number / 8,
                generation=5056 if number % 3 else 5120,
                waiting="the buffer" if number == 4 else "",
                restarts=2 if dead else 0,
            )
        )
    return ClusterState(
        place="ray://10.0.0.1:6379",
        time=time.time() if now is None else now,
        running=running,
        nodes=nodes,
        actors=actors,
        account=Counts(
            begun=5460,
            finished=5312,
            stored=5312,
            trained=5200,
            lost=36,
            dropped=0,
            deaths=3,
            in_flight=112,
        ),
        waiting="self-play waits for the learner, which is 2 waves behind",
    )
