"""The choice of a device, and the message if the requested one is not available."""

import re

import pytest
import torch

from meeple.errors import MeepleError
from meeple.nets import devices
from meeple.nets.devices import DEVICE_PATTERN, choose_device, name_of, report_full_memory

TWO = ("Abacus 3000", "Abacus 4000")


def have(monkeypatch, names, problem=""):
    """Let PyTorch report these accelerators."""
    monkeypatch.setattr(devices, "accelerators", lambda: names)
    monkeypatch.setattr(devices, "_problem", lambda device: problem)


@pytest.mark.parametrize(
    ("names", "wanted", "device"),
    [
        ((), "auto", "cpu"),
        ((), "cpu", "cpu"),
        (TWO, "auto", "cuda:0"),
        (TWO, "cuda", "cuda:0"),
        (TWO, "cuda:1", "cuda:1"),
        (TWO, "cpu", "cpu"),
    ],
)
def test_a_present_accelerator_is_used_unless_the_processor_is_wanted(
    monkeypatch, names, wanted, device
):
    have(monkeypatch, names)
    said: list[str] = []
    assert (choose_device(wanted, said.append), said) == (device, [])
    assert name_of(device) == {"cuda:0": TWO[0], "cuda:1": TWO[1], "cpu": "the processor"}[device]


@pytest.mark.parametrize(
    ("names", "wanted", "problem", "words"),
    [
        ((), "cuda", "", "no accelerator cuda (PyTorch sees none here)"),
        ((), "cuda:1", "", "no accelerator cuda:1 (PyTorch sees none here)"),
        (TWO, "cuda:2", "", "(PyTorch sees cuda:0 Abacus 3000, cuda:1 Abacus 4000)"),
        (TWO, "auto", "no kernel", "Abacus 3000 cannot be used (no kernel)"),
    ],
)
def test_the_processor_replaces_an_accelerator_that_cannot_be_used_with_a_sentence(
    monkeypatch, names, wanted, problem, words
):
    have(monkeypatch, names, problem)
    said: list[str] = []
    assert choose_device(wanted, said.append) == "cpu"
    (sentence,) = said
    assert words in sentence


@pytest.mark.parametrize("wanted", ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "CPU", "cpu:0"])
def test_other_names_do_not_match_the_pattern(wanted):
    assert not re.fullmatch(DEVICE_PATTERN, wanted)


def test_accelerators_are_listed_by_name():
    assert all(isinstance(name, str) for name in devices.accelerators())


def test_full_memory_is_reported_in_a_sentence_and_other_errors_are_unchanged(monkeypatch):
    have(monkeypatch, TWO)
    full = pytest.raises(MeepleError, match=r"^Abacus 4000 has too little free memory")
    with full, report_full_memory("cuda:1"):
        raise torch.OutOfMemoryError
    with pytest.raises(RuntimeError, match="another"), report_full_memory("cuda:1"):
        raise RuntimeError("another")
