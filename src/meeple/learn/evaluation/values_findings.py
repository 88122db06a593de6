"""What goes wrong in a run that learns values, by its figures: a sentence, and what to change."""

from collections.abc import Sequence

from meeple.learn.config import ValuesConfig
from meeple.learn.evaluation.findings import (
    Finding,
    ends_of,
    is_worse,
    loses_to_random,
    loses_to_start,
    mean_of,
)
from meeple.learn.run.schema import WaveMetrics

LATELY = 8  # rounds that are looked at
LEAST_ROUNDS = 3  # that labels judged, before their figures count as worse


def values_findings(waves: Sequence[WaveMetrics], config: ValuesConfig) -> list[Finding]:
    """What goes wrong in a run, by its rounds in their order; empty where nothing is seen."""
    if not waves:
        return []
    found = [
        loses_to_random(waves, config, "raise labels.games"),
        loses_to_start(waves, config, _LEARN_LESS),
        _unlearns(waves),
        _none_is_let_in(waves),
        _siblings_are_alike(waves),
    ]
    return [one for one in found if one is not None]


_LEARN_LESS = (
    "lower training.learning_rate or training.epochs, label more (labels.games, labels.playouts), "
    "or learn from more rounds (labels.rounds)"
)


def _unlearns(waves: Sequence[WaveMetrics]) -> Finding | None:
    """A loss that rises while choosing by the network gains less."""
    judged = [wave for wave in waves if "unseen/gained" in wave.metrics]
    losses, gains = ends_of(judged, "unseen/shares"), ends_of(judged, "unseen/gained")
    if len(judged) < LEAST_ROUNDS or losses is None or gains is None:
        return None
    if not (is_worse(-1, *losses) and is_worse(1, *gains)):
        return None
    return Finding(
        "unlearns",
        f"the network gets worse on labels that it has not seen: its loss rises "
        f"({losses[0]:.3f} to {losses[1]:.3f}), and choosing by it gains less "
        f"({gains[0]:.2%} to {gains[1]:.2%})",
        _LEARN_LESS,
    )


def _none_is_let_in(waves: Sequence[WaveMetrics]) -> Finding | None:
    verdicts = [wave.metrics["gate/accepted"] for wave in waves if "gate/accepted" in wave.metrics]
    if len(verdicts) < LATELY or any(verdicts[-LATELY:]):
        return None
    return Finding(
        "none let in",
        f"none of the networks of the last {LATELY} rounds was let in: games did not show that "
        "they are no weaker than the one that plays",
        "label more (labels.games, labels.playouts), learn from more rounds (labels.rounds), or "
        "let every network play on (gate.games = 0)",
    )


def _siblings_are_alike(waves: Sequence[WaveMetrics]) -> Finding | None:
    judged = [wave for wave in waves if "unseen/gained" in wave.metrics]
    gained = mean_of(judged[-LATELY:], "unseen/gained")
    if len(judged) < LATELY or gained is None or gained > 0:
        return None
    return Finding(
        "siblings alike",
        "the network does not tell good actions from bad ones: of siblings that it has not seen, "
        "the one that it prefers is no better than their mean",
        "see whether `observe` shows all that a choice depends on; then try more labels.playouts "
        "or a larger network",
    )
