"""Would a larger network judge better? `python -m bench.catan_attention runs/catan --minutes 10`.

The network that ships is fitted from nothing to the labels of a run, and beside it a transformer
over the same features: a token for each seat, each of its places and the table, two layers of
attention. Each learns for the same time on one core. Printed of labels that neither has learned
from: cross entropy, and how much better the chosen sibling is than the mean of its siblings; and
how many positions each judges in a second, in batches, by PyTorch.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from meeple.cli.arguments import open_game
from meeple.learn.values.fitting import Fit, Fitting, batch_of, fitness, minibatches
from meeple.learn.values.module import NO_SHARE, ValueModule, new_module
from meeple.learn.values.shards import ValueExamples, joined_examples, read_shard
from meeple.search.values.features import features_of
from meeple.search.values.network import Widths

WIDTH, HEADS, LAYERS = 64, 4, 2
BATCH, SIBLINGS, RATE = 1024, 30.0, 1e-3
HELD = 10  # each so many shards one is held out
JUDGED = 256  # positions at once when the speed is measured


class AttentionModule(nn.Module):
    """Shares of the win by attention; takes and gives what `ValueModule` does."""

    def __init__(self, own: int, site: int, table: int) -> None:
        super().__init__()
        self.own, self.site = nn.Linear(own, WIDTH), nn.Linear(site, WIDTH)
        self.table = nn.Linear(table, WIDTH)
        layer = nn.TransformerEncoderLayer(
            WIDTH, HEADS, 2 * WIDTH, dropout=0.0, batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.last = nn.Linear(WIDTH, 1)

    def forward(self, own: Tensor, sites: Tensor, table: Tensor, taken: Tensor) -> Tensor:
        """Logits [B, P]. A seat's places are told apart by adding the seat's own token."""
        batch, players, places = sites.shape[:3]
        seats = self.own(own)  # [B, P, W]
        spots = self.site(sites) + seats[:, :, None]  # [B, P, S, W]
        tokens = torch.cat([seats, spots.flatten(1, 2), self.table(table)[:, None]], dim=1)
        absent = torch.cat(
            [
                ~taken,
                ((sites[..., 0] == 0) | ~taken[..., None]).reshape(batch, players * places),
                torch.zeros(batch, 1, dtype=torch.bool),
            ],
            dim=1,
        )
        found = self.layers(tokens, src_key_padding_mask=absent)[:, :players]
        logits: Tensor = self.last(found)[..., 0]
        return logits.masked_fill(~taken, NO_SHARE)


def fitted(
    module: nn.Module, cases: ValueExamples, seconds: float
) -> tuple[ValueModule, int, float]:
    """The mean of the weights after so many seconds, the steps, and epochs that they made."""
    rng = np.random.default_rng(1)
    expected = _steps_in(module, cases, seconds)
    fitting = Fitting(
        cast(ValueModule, module), Fit(learning_rate=RATE, siblings=SIBLINGS), expected
    )
    began = time.thread_time()
    while True:
        for batch in minibatches(cases, BATCH, rng):
            fitting.step(batch)
            if time.thread_time() - began >= seconds:
                return fitting.averaged, fitting.done, fitting.done * BATCH / cases.size


def _steps_in(module: nn.Module, cases: ValueExamples, seconds: float) -> int:
    """About how many steps fit in the time, so that the rate falls as it is meant to."""
    twin = Fitting(cast(ValueModule, module), Fit(learning_rate=0.0), 10)
    batches = minibatches(cases, BATCH, np.random.default_rng(0))
    twin.step(next(batches))
    began = time.thread_time()
    for _ in range(10):
        twin.step(next(batches))
    return max(1, int(10 * seconds / (time.thread_time() - began)))


@torch.no_grad()
def judged_in_a_second(module: nn.Module, cases: ValueExamples) -> float:
    """Positions, in batches of `JUDGED`."""
    batch = batch_of(cases, np.arange(JUDGED))
    parts = batch.own, batch.sites, batch.table, batch.taken
    module(*parts)
    began, rounds = time.thread_time(), 20
    for _ in range(rounds):
        module(*parts)
    return rounds * JUDGED / (time.thread_time() - began)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each network."""
    parser = argparse.ArgumentParser(prog="python -m bench.catan_attention", description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run of `meeple train catan`")
    parser.add_argument("--minutes", type=float, default=10.0, help="that each network learns")
    parser.add_argument("--shards", type=int, default=120, help="files of labels, at most")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    paths = sorted((chosen.run / "labels").glob("*.safetensors"))[-chosen.shards :]
    shards = [read_shard(path) for path in paths]
    learned = joined_examples([shard for i, shard in enumerate(shards) if i % HELD])
    held = joined_examples(shards[::HELD])
    print(f"{learned.size:,} labels to learn from, {held.size:,} held out", flush=True)
    modules: dict[str, nn.Module] = {
        "the network that ships": new_module(features_of(open_game("catan", [])), Widths(), 1),
        "attention": AttentionModule(
            learned.own.shape[-1], learned.sites.shape[-1], learned.table.shape[-1]
        ),
    }
    for name, module in modules.items():
        mean, steps, epochs = fitted(module, learned, 60 * chosen.minutes)
        found = fitness(mean, held)
        print(
            f"{name}: {sum(p.numel() for p in module.parameters()):,} weights, {steps:,} steps "
            f"({epochs:.1f} epochs); cross entropy {found.entropy:.4f}, the chosen sibling "
            f"{100 * found.gained:+.2f} points above the mean (best {100 * found.possible:+.2f}); "
            f"{judged_in_a_second(mean, held):,.0f} positions a second",
            flush=True,
        )


if __name__ == "__main__":
    main()
