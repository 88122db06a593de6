"""The symmetries of a square board."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from meeple.games.contract.symmetry import dihedral


@given(st.integers(2, 6), st.integers(1, 4), st.integers(0, 2))
def test_square_has_seven_symmetries_besides_the_identity(size, planes, extras):
    images = {tuple(s.action.tolist()) for s in dihedral(planes, size, extras)}
    assert len(images | {tuple(range(size * size + extras))}) == 8
    for symmetry in dihedral(planes, size, extras):
        cells = size * size
        assert symmetry.action[cells:].tolist() == list(range(cells, cells + extras))
        expected = [plane * cells + symmetry.action[:cells] for plane in range(planes)]
        assert symmetry.observation.tolist() == np.concatenate(expected).tolist()
        assert symmetry.player.tolist() == [0, 1]


def test_symmetries_preserve_adjacency():
    size = 5
    for symmetry in dihedral(1, size):
        place = np.argsort(symmetry.action)
        for cell in range(size * size - size):
            below = abs(place[cell] - place[cell + size])
            assert below in (1, size)
