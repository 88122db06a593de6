"""A latest-value cell: threads wait for the newest value, in any order of publication."""

import threading

from meeple_ray.learning.newest import Newest, Published


def test_the_newest_value_counts_in_any_order_of_publication():
    newest = Newest("nothing")
    assert newest.wait(lambda latest: True, 0.0) == Published(-1, "nothing")
    for number, value in ((3, "three"), (1, "one"), (3, "three again")):
        newest.tell(number, value)
    assert newest.wait(lambda latest: True, 0.0) == Published(3, "three")
    assert newest.wait(lambda latest: latest.number > 3, 0.01) is None


def test_a_waiting_thread_gets_the_wanted_value_once_it_is_published():
    newest: Newest[int] = Newest(0)
    found: list[Published[int] | None] = []
    waits = threading.Thread(
        target=lambda: found.append(newest.wait(lambda latest: latest.value >= 20, 60.0))
    )
    waits.start()
    for number in (1, 2, 3):
        newest.tell(number, 10 * number)
    waits.join(60)
    assert found in ([Published(2, 20)], [Published(3, 30)])
