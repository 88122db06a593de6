"""Multi-ProbCut: shallow searches that decide nodes far outside their null window.

If a shallow search shows that a score lies beyond the window by more than a margin, the node is not
searched to its full depth. Source: Buro, "Experiments with Multi-ProbCut and a new high-quality
evaluation function for Othello", 1997. A margin is a number of standard deviations of the
difference between logits of shallow and deep searches, measured for each stage after the evaluation
is learned.
"""

from typing import Any

from meeple.kernels import inlined

PROBED_FROM = 1  # remaining plies from which a node is probed
WIDTH = 0.8  # standard deviations of a margin

NOT_PROBED, PROBED_HIGH, PROBED_LOW, PROBE_DONE = range(4)  # the state of a node's probe


@inlined
def probe_depth(remaining: int) -> int:
    """Return the plies of a node's probe: about half of its own, odd if those are odd.

    A probe of no plies is the node's estimate.
    """
    return 0 if remaining == 1 else remaining // 4 * 2 + (remaining & 1)


@inlined
def probe_decides(probe: int, score: Any, alpha: Any, beta: Any, margin: Any) -> Any:
    """Return whether the score of a finished probe puts the node outside its window."""
    if probe == PROBED_HIGH:
        return score >= beta + margin
    return score <= alpha - margin
