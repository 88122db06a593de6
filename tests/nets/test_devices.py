"""The choice of a device, and the message if the requested one is not available."""

import re

import pytest
import torch

from meeple.errors import MeepleError
from meeple.nets import devices
from meeple.nets.devices import DEVICE_PATTERN, choose_device, name_of, report_full_memory

TWO = ("Abacus 3000", "Abacus 4000")


@pytest.fixture(autouse=True)
def no_accelerator(monkeypatch):
    have(monkeypatch)


def have(monkeypatch, *names, problem=""):
    """Let PyTorch report these accelerators."""
    monkeypatch.setattr(devices, "accelerators", lambda: names)
    monkeypatch.setattr(devices, "_problem", lambda device: problem)


def chosen(wanted):
    said: list[str] = []
    return choose_device(wanted, said.append), said


@pytest.mark.parametrize("wanted", ["auto", "cpu"])
def test_without_an_accelerator_auto_and_cpu_choose_the_processor_silently(wanted):
    assert chosen(wanted) == ("cpu", [])


@pytest.mark.parametrize("wanted", ["cuda", "cuda:1"])
def test_a_missing_accelerator_is_reported_in_one_sentence(wanted):
    device, (sentence,) = chosen(wanted)
    assert device == "cpu"
    assert wanted in sentence
    assert "PyTorch sees none here" in sentence


@pytest.mark.parametrize(
    ("wanted", "device"),
    [("auto", "cuda:0"), ("cuda", "cuda:0"), ("cuda:1", "cuda:1"), ("cpu", "cpu")],
)
def test_a_present_accelerator_is_used_unless_the_processor_is_wanted(monkeypatch, wanted, device):
    have(monkeypatch, *TWO)
    assert chosen(wanted) == (device, [])


def test_a_number_that_is_too_high_is_reported_with_the_present_accelerators(monkeypatch):
    have(monkeypatch, *TWO)
    device, (sentence,) = chosen("cuda:2")
    assert device == "cpu"
    assert "cuda:0 Abacus 3000, cuda:1 Abacus 4000" in sentence


def test_an_accelerator_that_does_not_compute_is_reported_with_the_reason(monkeypatch):
    have(monkeypatch, *TWO, problem="no kernel image is available")
    device, (sentence,) = chosen("auto")
    assert device == "cpu"
    assert "Abacus 3000 cannot be used (no kernel image is available)" in sentence


def test_a_device_has_a_name_for_messages(monkeypatch):
    have(monkeypatch, *TWO)
    assert name_of("cuda:1") == "Abacus 4000"
    assert name_of("cpu") == "the processor"


@pytest.mark.parametrize("wanted", ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "CPU", "cpu:0"])
def test_other_names_do_not_match_the_pattern(wanted):
    assert not re.fullmatch(DEVICE_PATTERN, wanted)


def test_accelerators_are_listed_by_name():
    assert all(isinstance(name, str) for name in devices.accelerators())


def test_full_memory_is_reported_in_a_sentence_and_other_errors_are_unchanged(monkeypatch):
    have(monkeypatch, *TWO)
    with (
        pytest.raises(MeepleError, match=r"^Abacus 4000 has too little free memory"),
        report_full_memory("cuda:1"),
    ):
        raise torch.OutOfMemoryError
    with pytest.raises(RuntimeError, match="another"), report_full_memory("cuda:1"):
        raise RuntimeError("another")
