"""The figures of a round of learning values, for the curves of a run."""

from typing import Any


def figures_of(found: dict[str, Any]) -> dict[str, float]:
    """What was found in a round, by names as `metrics.jsonl` has them.

    `found` is the round's entry in the history of the run's state.
    """
    figures = {f"time/{what}_seconds": float(value) for what, value in found["seconds"].items()}
    if "after" in found:
        after, labels = found["after"], found["labels"]
        figures |= {"unseen/shares": after["entropy"], "labels/learned": float(labels)}
        if after["possible"]:
            figures |= {"unseen/gained": after["gained"], "unseen/siblings": after["siblings"]}
    if found.get("games"):
        figures["gate/accepted"] = float(found["accepted"])
        for verdict in found["games"]:
            figures[f"gate/{verdict['opponent']}"] = verdict["share"]
    return figures
