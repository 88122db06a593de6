"""What is told in one thread and waited for in others: the newest, whatever comes late."""

import threading

from meeple.executors.newest import Newest, Told


def test_the_newest_counts_in_whatever_order_values_come():
    newest = Newest("nothing")
    assert newest.wait(lambda told: True, 0.0) == Told(-1, "nothing")
    for number, value in ((3, "three"), (1, "one"), (3, "three again")):
        newest.tell(number, value)
    assert newest.wait(lambda told: True, 0.0) == Told(3, "three")
    assert newest.wait(lambda told: told.number > 3, 0.01) is None


def test_whoever_waits_has_what_is_wanted_as_soon_as_it_is_told():
    newest: Newest[int] = Newest(0)
    found: list[Told[int] | None] = []
    waits = threading.Thread(
        target=lambda: found.append(newest.wait(lambda told: told.value >= 20, 60.0))
    )
    waits.start()
    for number in (1, 2, 3):
        newest.tell(number, 10 * number)
    waits.join(60)
    assert found in ([Told(2, 20)], [Told(3, 30)])
