"""What the command line says about a run, by its training method: options, result, next steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from meeple.errors import RunError
from meeple.learn.config import AnyConfig, Method, ValuesConfig
from meeple.learn.run.schema import RunState

MIN_IMPROVEMENT = 1e-4  # nats by which a loss on held-out games must fall to count as lower


@dataclass(frozen=True)
class Support:
    """What a training method supports."""

    plays_games: bool = True  # and so can train on a cluster, and be diagnosed
    shows_games: bool = False  # while they are played
    threads: bool = False  # several workers without a cluster


SUPPORT: dict[Method, Support] = {
    "self-play": Support(shows_games=True),
    "records": Support(plays_games=False),
    "values": Support(threads=True),
}


def result_sentence(config: AnyConfig, state: RunState, time: str) -> str:
    """Return the result of a run that ended, as a sentence.

    Args:
        config: the configuration of the run.
        state: its state.
        time: the training time, in words.

    Raises:
        RunError: a run on records ended before its first epoch.
    """
    if config.method == "values":
        return (
            f"Learned in {state.episodes} rounds and {time}; "
            f"the network of round {state.incumbent} plays."
        )
    if config.method == "self-play":
        return f"Learned from {state.episodes} episodes in {time}."
    losses = state.held_out
    if not losses:
        raise RunError("the run was given no time for an epoch: allow more run.minutes")
    return (
        f"Learned from {state.episodes:,} games, epochs counted, in {time}; "
        f"the best of {len(losses)} epochs is epoch {losses.index(min(losses)) + 1}."
    )


def uses(config: AnyConfig, network: str) -> list[tuple[str, Literal["play", "match"], str]]:
    """Return ways to use the network of a run, each as (words, command, spec of the agent)."""
    if config.method == "values":
        spec = f"states:{network}"
        return [("Play against it", "play", spec), ("Let it play others", "match", spec)]
    return [
        ("Play the network alone", "play", f"policy:{network}"),
        ("Play it with search", "play", f"puct:{network},sims=400"),
    ]


def completed(config: AnyConfig, state: RunState) -> int:
    """Return what the run has completed in the unit of its length field, such as `run.rounds`."""
    limit: int = getattr(config.run, config.resumable[0])
    return limit - (config.length - state.episodes)


def has_stopped_improving(config: AnyConfig, state: RunState) -> bool:
    """Return whether a run on records ended since its loss no longer fell: it cannot continue."""
    if isinstance(config, ValuesConfig) or config.records is None:
        return False
    return stands_still(state.held_out, config.records.patience)


def stands_still(losses: Sequence[float], patience: int) -> bool:
    """Return whether the last `patience` epochs are all no better than an earlier epoch.

    Args:
        losses: on held-out games, by epoch.
        patience: number of epochs; 0: never.
    """
    if not patience or len(losses) <= patience:
        return False
    return min(losses[-patience:]) >= min(losses[:-patience]) - MIN_IMPROVEMENT
