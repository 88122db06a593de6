"""A trainer of several processes, each with a device: PyTorch's DistributedDataParallel.

Each has a copy of the network and of the optimizer's state, and computes the gradients of its share
of a minibatch; the gradients are added up, and all copies take the same step. The replay buffer is
in the trainer's process alone, which sends the shares.
"""

from collections.abc import Sequence

import torch
import torch.distributed as dist

from meeple.nets.devices import memory_told
from meeple.nets.network import ActorNetwork
from meeple.nets.ranks import Ranks
from meeple.nets.replica import Replica
from meeple.nets.trainer import PackedRows
from meeple.nets.training import Examples, Recipe


class ParallelTrainer:
    """Updates copies of the network, one for each process; there is one such trainer at a time."""

    def __init__(
        self,
        network: ActorNetwork,
        optimizer: torch.optim.Optimizer,
        recipe: Recipe,
        *,
        devices: Sequence[str],
        format: str = "float32",
    ) -> None:
        """Starts the processes.

        Args:
            devices: of each process, the first of this one: all "cpu", or accelerators.
            format: see `Replica`.

        Raises RunError where a process does not start.
        """
        self._network, self._device = network, devices[0]
        self._ranks = Ranks(network, optimizer, recipe, devices=devices, format=format)
        try:
            with memory_told(devices[0]), self._ranks.failures_told():
                self._replica = Replica(
                    network,
                    optimizer,
                    recipe,
                    device=devices[0],
                    format=format,
                    processes=len(devices),
                    watch=self._ranks.check,
                )
        except BaseException:
            self._ranks.close()
            raise
        self.optimizer = self._replica.optimizer
        self._rows = PackedRows(self._replica)

    def step(self, examples: Examples) -> dict[str, float]:
        count, processes = len(examples.policies), self._ranks.count
        share = -(-count // processes)  # rows for each; those that fill up count nothing
        rate = self.optimizer.param_groups[0]["lr"]
        self._ranks.tell({"rows": share, "count": count, "rate": rate})
        with memory_told(self._device), self._ranks.failures_told():
            rows = self._rows.sent(examples, share * processes)
            mine = torch.empty_like(rows[:share])
            dist.scatter(mine, list(rows.chunk(processes)), src=0)
            return self._replica.step(mine, count)

    def finish(self) -> None:
        self._replica.copy_to(self._network)

    def close(self) -> None:
        """End the other processes."""
        self._ranks.close()
