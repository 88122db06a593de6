"""What goes wrong in a run that learns values, by its figures: a sentence, and what to change."""

from collections.abc import Sequence

from meeple.learn.findings import Finding, loses_to_random, mean_of
from meeple.learn.run_schema import WaveMetrics
from meeple.learn.values.config import ValuesConfig

LATELY = 8  # rounds that are looked at


def values_findings(waves: Sequence[WaveMetrics], config: ValuesConfig) -> list[Finding]:
    """What goes wrong in a run, by its rounds in their order; empty where nothing is seen."""
    players = config.make_game().players
    found = [
        loses_to_random(waves, players, "rounds", "more labels.games"),
        _none_is_let_in(waves),
        _siblings_are_alike(waves),
    ]
    return [one for one in found if one is not None]


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
