"""Which device computes: what is asked for, what is there, and the sentence where they differ."""

import re

import pytest
import torch

from meeple.errors import MeepleError, UsageError
from meeple.nets import devices
from meeple.nets.devices import WANTED, choose_device, devices_from, memory_told, name_of

TWO = ("Abacus 3000", "Abacus 4000")


@pytest.fixture(autouse=True)
def no_accelerator(monkeypatch):
    have(monkeypatch)


def have(monkeypatch, *names, problem=""):
    """As if PyTorch saw these accelerators."""
    monkeypatch.setattr(devices, "accelerators", lambda: names)
    monkeypatch.setattr(devices, "_problem", lambda device: problem)


def chosen(wanted):
    said: list[str] = []
    return choose_device(wanted, said.append), said


@pytest.mark.parametrize("wanted", ["auto", "cpu"])
def test_without_an_accelerator_the_processor_computes_and_nothing_is_said(wanted):
    assert chosen(wanted) == ("cpu", [])


@pytest.mark.parametrize("wanted", ["cuda", "cuda:1"])
def test_an_accelerator_that_is_not_there_is_told_in_one_sentence(wanted):
    device, (sentence,) = chosen(wanted)
    assert device == "cpu"
    assert wanted in sentence
    assert "PyTorch sees none here" in sentence


@pytest.mark.parametrize(
    ("wanted", "device"),
    [("auto", "cuda:0"), ("cuda", "cuda:0"), ("cuda:1", "cuda:1"), ("cpu", "cpu")],
)
def test_an_accelerator_that_is_there_is_used_unless_the_processor_is_asked_for(
    monkeypatch, wanted, device
):
    have(monkeypatch, *TWO)
    assert chosen(wanted) == (device, [])


def test_a_number_that_is_too_high_is_told_with_what_is_there(monkeypatch):
    have(monkeypatch, *TWO)
    device, (sentence,) = chosen("cuda:2")
    assert device == "cpu"
    assert "cuda:0 Abacus 3000, cuda:1 Abacus 4000" in sentence


def test_an_accelerator_that_does_not_compute_is_told_with_the_reason(monkeypatch):
    have(monkeypatch, *TWO, problem="no kernel image is available")
    device, (sentence,) = chosen("auto")
    assert device == "cpu"
    assert "Abacus 3000 cannot be used (no kernel image is available)" in sentence


def test_each_process_gets_an_accelerator_of_its_own(monkeypatch):
    have(monkeypatch, *TWO)
    assert devices_from("cuda:0", 2) == ["cuda:0", "cuda:1"]
    assert devices_from("cuda:1", 1) == ["cuda:1"]
    assert devices_from("cpu", 3) == ["cpu"] * 3
    with pytest.raises(UsageError, match=r"2 processes from cuda:1 on .*there is 1: .*Abacus 4000"):
        devices_from("cuda:1", 2)


def test_a_device_has_a_name_for_people(monkeypatch):
    have(monkeypatch, *TWO)
    assert name_of("cuda:1") == "Abacus 4000"
    assert name_of("cpu") == "the processor"


@pytest.mark.parametrize("wanted", ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "CPU", "cpu:0"])
def test_other_words_do_not_fit_the_pattern(wanted):
    assert not re.fullmatch(WANTED, wanted)


def test_what_pytorch_sees_here_is_a_list_of_names():
    assert all(isinstance(name, str) for name in devices.accelerators())


def test_full_memory_is_told_in_a_sentence_and_other_errors_are_not_touched(monkeypatch):
    have(monkeypatch, *TWO)
    with (
        pytest.raises(MeepleError, match=r"^Abacus 4000 has too little free memory"),
        memory_told("cuda:1"),
    ):
        raise torch.OutOfMemoryError
    with pytest.raises(RuntimeError, match="another"), memory_told("cuda:1"):
        raise RuntimeError("another")
