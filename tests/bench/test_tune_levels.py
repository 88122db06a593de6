"""The search for levels finds searches and losses whose shares follow a known formula."""

import math
from dataclasses import dataclass
from itertools import pairwise

import pytest

from bench import tune_levels
from bench.levels import ALL, LEAST, MOST, LevelResults
from bench.levels import GAMES as MEASURED_GAMES
from bench.levels import SEED as MEASURED_SEED
from bench.tune_levels import GAMES, SEARCHES, SEED, Tuner
from meeple.agents.spec import parse

STRENGTHS = {"uct:sims=10": 2.0, "uct:sims=100": 5.0}  # logits above a start of 0


def strength(spec, no_loss):
    """Return a made-up strength that falls with the logarithm of the loss, above `no_loss`."""
    search, _, loss = spec.partition(",loss=")
    ratio = max(float(loss or 0) / no_loss, 1.0)
    return STRENGTHS[search] - 1.2 * math.log(ratio)


@dataclass(frozen=True)
class KnownTuner(Tuner):
    """Plays nothing: shares follow from the strengths."""

    no_loss: float  # in the scale of the payoff: a win or a loss, or the share of the discs

    def share(self, spec, against, target=None):
        return 1 / (1 + math.exp(strength(against, self.no_loss) - strength(spec, self.no_loss)))


@pytest.mark.parametrize("no_loss", [0.015, 0.003])
@pytest.mark.parametrize("target", [0.7, 0.77])
def test_levels_are_found_with_steps_of_the_target(target, no_loss, monkeypatch, tmp_path):
    searches = (f"uct:sims=10,loss={no_loss * 7}", *STRENGTHS)
    monkeypatch.setattr(tune_levels, "SEARCHES", {"nim-heap": searches})
    tuner = KnownTuner(ALL[0], LevelResults(tmp_path / "probes.json"), 80, target, no_loss)
    found = tuner.run()
    assert (found[0], found[-1]) == (searches[0], searches[-1])
    shares = [tuner.share(spec, before) for before, spec in pairwise(found)]
    assert all(LEAST - 0.05 <= share <= MOST for share in shares), shares
    assert len(found) > 4


def test_levels_are_tuned_and_measured_with_different_seeds():
    measured = range(MEASURED_SEED, MEASURED_SEED + MEASURED_GAMES)
    assert set(measured).isdisjoint(range(SEED, SEED + GAMES))


def test_every_table_has_searches_that_are_specs():
    assert set(SEARCHES) == {levels.name for levels in ALL}
    for searches in SEARCHES.values():
        for spec in searches:
            parse(spec)
