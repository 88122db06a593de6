"""A fake accelerator named cuda:0, computed on the CPU."""

from typing import Any

import pytest

from meeple.nets import devices, torch_engines, trainer
from meeple.nets.torch_engines import DeviceEngine

NAME = "Abacus 3000"


class _Engine(DeviceEngine):
    def __init__(self, weights, *, device, **options):
        assert device == "cuda:0"
        super().__init__(weights, device="cpu", **options)


@pytest.fixture
def one_accelerator(monkeypatch):
    """Make PyTorch report one accelerator; return a function that removes it."""
    monkeypatch.setattr(devices, "accelerators", lambda: (NAME,))
    monkeypatch.setattr(devices, "_problem", lambda device: "")
    monkeypatch.setattr(torch_engines, "DeviceEngine", _Engine)
    copy: Any = trainer.copy_to_device
    monkeypatch.setattr(trainer, "copy_to_device", lambda *of: copy(*of[:-1], "cpu"))
    return lambda: monkeypatch.setattr(devices, "accelerators", lambda: ())
