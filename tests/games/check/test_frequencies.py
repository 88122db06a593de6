"""A hidden value that determinizations have far too seldom is found; a right sampler is not."""

import numpy as np
import pytest

from meeple import kernels
from meeple.games.check.frequencies import hidden_values_are_drawn_about_as_often_as_they_occur
from meeple.games.check.walk import CheckFailure, GameWalk
from tests.games.check.guess import Guess
from tests.tiers import few_quick


class Sampler:
    """Draws the hidden die by these weights for one seat, and uniformly for the other."""

    def __init__(self, seat, weights):
        self.seat, self.weights = seat, np.cumsum(weights)

    def follow(self, position):
        pass

    def sample(self, row, rng):
        drawn = kernels.uniform(rng[0]) * self.weights[-1]
        row.view(Guess.State)["die"] = np.searchsorted(self.weights, drawn, side="right")


def check(weights, seat=0):
    class Sampled(Guess):
        def belief(self, of, seed=0):
            return Sampler(of, weights if of == seat else (1, 1, 1))

    Sampled.__module__ = Guess.__module__  # where its kernels are

    hidden_values_are_drawn_about_as_often_as_they_occur(GameWalk(Sampled(), seconds=100.0))


@pytest.mark.parametrize("weights", [(1, 1, 1), (5, 3, 2), (1, 2, 2)])
def test_a_sampler_about_right_passes(weights):
    check(weights)


@pytest.mark.parametrize(
    ("weights", "value"),
    [((1, 1, 0), 2), ((0, 1, 1), 0), ((49, 2, 49), 1), ((14, 15, 1), 2), ((1, 30, 1), 0)],
)
@pytest.mark.parametrize("seat", few_quick([1, 0]))
def test_a_value_that_is_drawn_far_too_seldom_is_named(weights, value, seat):
    said = rf"`die` the value {value} far too seldom: .* player {seat + 1} cannot know"
    with pytest.raises(CheckFailure, match=said):
        check(weights, seat)


def test_the_games_own_resample_passes():
    hidden_values_are_drawn_about_as_often_as_they_occur(GameWalk(Guess(), seconds=100.0))
