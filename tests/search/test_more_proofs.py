"""As `test_proofs.py`, in many positions and with pairs of options: an hour.

At the end it prints the positions, the proven and the wrong results of each search and option.
"""

import pytest

from tests.search.test_proofs import (
    BOARDS,
    SEARCHES,
    check,
    compare_agents,
    compare_records,
    empty_counts,
)

pytestmark = pytest.mark.nightly("every proven result is exact, with each pair of options")


@pytest.mark.parametrize("family", BOARDS)
@pytest.mark.parametrize("kind", SEARCHES)
def test_what_an_agent_proves_is_exact_with_pairs_of_options(
    kind, family, tmp_path, record_property
):
    counts = empty_counts()
    for game in BOARDS[family]:
        compare_agents(kind, game, tmp_path, counts, games=10, step=1)
        compare_agents(kind, game, tmp_path, counts, games=2, pairs=True)
    check(counts, record_property, proves=None)


@pytest.mark.parametrize("family", BOARDS)
def test_what_a_search_proves_is_exact_in_many_positions(family, record_property):
    counts = empty_counts()
    for game in BOARDS[family]:
        compare_records(game, counts, games=20, step=1)
    check(counts, record_property)
