"""Endless loops in a game end soon, in checks that are forked."""

import pytest

from meeple.games.check import findings


@pytest.fixture(scope="module", autouse=True)
def soon(forked_checks):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "PLY_SECONDS", 5.0)
        yield
