"""Finds problems in the metrics of a run that learns values; each is a sentence with advice."""

from collections.abc import Sequence

from meeple.learn.config import ValuesConfig
from meeple.learn.evaluation.findings import (
    RunFinding,
    ends_of,
    is_worse,
    loses_to_random,
    loses_to_start,
    mean_of,
)
from meeple.learn.run.schema import WaveMetrics

RECENT_ROUNDS = 8  # last rounds that are checked
MIN_ROUNDS = 3  # with held-out labels, before their metrics count as worse


def values_findings(waves: Sequence[WaveMetrics], config: ValuesConfig) -> list[RunFinding]:
    """Return the problems of a run, given its rounds in order."""
    if not waves:
        return []
    found = [
        loses_to_random(waves, config, "raise labels.games"),
        loses_to_start(waves, config, _LEARN_LESS),
        _unlearns(waves),
        _none_accepted(waves),
        _siblings_are_alike(waves),
    ]
    return [one for one in found if one is not None]


_LEARN_LESS = (
    "lower training.learning_rate or training.epochs, label more (labels.games, labels.playouts), "
    "or learn from more rounds (labels.rounds)"
)


def _unlearns(waves: Sequence[WaveMetrics]) -> RunFinding | None:
    """Check whether the held-out loss rises while choosing by the network gains less."""
    judged = [wave for wave in waves if "unseen/gained" in wave.metrics]
    losses, gains = ends_of(judged, "unseen/shares"), ends_of(judged, "unseen/gained")
    if len(judged) < MIN_ROUNDS or losses is None or gains is None:
        return None
    if not (is_worse(-1, *losses) and is_worse(1, *gains)):
        return None
    return RunFinding(
        "unlearns",
        f"the network gets worse on labels that it has not seen: its loss rises "
        f"({losses[0]:.3f} to {losses[1]:.3f}), and choosing by it gains less "
        f"({gains[0]:.2%} to {gains[1]:.2%})",
        _LEARN_LESS,
    )


def _none_accepted(waves: Sequence[WaveMetrics]) -> RunFinding | None:
    verdicts = [wave.metrics["gate/accepted"] for wave in waves if "gate/accepted" in wave.metrics]
    if len(verdicts) < RECENT_ROUNDS or any(verdicts[-RECENT_ROUNDS:]):
        return None
    return RunFinding(
        "none accepted",
        f"the gate accepted no network in the last {RECENT_ROUNDS} rounds: games did not show that "
        "one is at least as strong as the current network",
        "label more (labels.games, labels.playouts), learn from more rounds (labels.rounds), or "
        "accept every network (gate.games = 0)",
    )


def _siblings_are_alike(waves: Sequence[WaveMetrics]) -> RunFinding | None:
    judged = [wave for wave in waves if "unseen/gained" in wave.metrics]
    gained = mean_of(judged[-RECENT_ROUNDS:], "unseen/gained")
    if len(judged) < RECENT_ROUNDS or gained is None or gained > 0:
        return None
    return RunFinding(
        "siblings alike",
        "the network does not tell good actions from bad ones: of siblings that it has not seen, "
        "the one that it prefers is no better than their mean",
        "see whether `observe` shows all that a choice depends on; then try more labels.playouts "
        "or a larger network",
    )
