"""Ctrl-C notifies work that polls for it, and aborts other work."""

import signal
import time

import pytest

from meeple.cli.shared.interrupt import stopping

SOON, LATE = 0.2, 30.0  # seconds of patience


def press():
    signal.raise_signal(signal.SIGINT)  # its handler has run when this returns


def wait_for_interruption():
    ends = time.monotonic() + LATE
    while time.monotonic() < ends:
        time.sleep(0.01)


def test_work_that_polls_is_notified_and_not_aborted():
    before = signal.getsignal(signal.SIGINT)
    with stopping(SOON) as stopped:
        assert not stopped()
        press()
        assert stopped()
        time.sleep(3 * SOON)
    assert signal.getsignal(signal.SIGINT) is before


def test_work_that_does_not_poll_is_aborted():
    with pytest.raises(KeyboardInterrupt):
        press_once_in_vain()


def press_once_in_vain():
    with stopping(SOON):
        press()
        wait_for_interruption()


def test_the_second_interrupt_aborts_at_once():
    with pytest.raises(KeyboardInterrupt):
        press_twice()


def press_twice():
    with stopping(LATE) as stopped:
        press()
        assert stopped()
        press()
        wait_for_interruption()


def test_no_interrupt_is_handled_after_the_work():
    with stopping(SOON):
        press()
    time.sleep(3 * SOON)
