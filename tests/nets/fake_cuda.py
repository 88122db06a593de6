"""A stand-in for CUDA's streams, events and graphs, on the processor.

It checks the order of calls and that names and arguments are PyTorch's: each has the signature
of its original. It cannot test what kernels do on a device.
"""

import contextlib
import inspect
from typing import Any

import pytest
import torch

from meeple.nets import torch_engines
from meeple.nets.torch_engines import DeviceEngine

GRAPH = inspect.signature(torch.cuda.graph.__init__)  # PyTorch's signature


class Graph:
    """Repeats the computation of a capture into the same memory."""

    def __init__(self):
        self.work: Any = None
        self.outputs: Any = None
        self.replays = 0

    def replay(self):
        self.replays += 1
        for there, found in zip(self.outputs, self.work(), strict=True):
            if there is not None:
                there.copy_(found)


class Event:
    def __init__(self, blocking=False):
        assert blocking, "a core would be kept busy by waiting"
        self.recorded = self.waited = 0

    def record(self, stream=None):
        self.recorded += 1

    def synchronize(self):
        assert self.recorded == self.waited + 1
        self.waited += 1


class Stream:
    def __init__(self, device=None):
        self.synchronised = 0

    def synchronize(self):
        self.synchronised += 1


class Engine(DeviceEngine):
    """An engine that treats the processor as an accelerator."""

    capturing: Graph | None = None

    def _pinned(self, shape):
        return torch.zeros(shape)

    def _logits(self, planes):
        found = super()._logits(planes)
        if Engine.capturing is not None:
            graph, ask = Engine.capturing, super()._logits
            assert graph.work is None, "one batch in a graph"
            graph.work, graph.outputs = lambda: ask(planes), found
        return found


@pytest.fixture
def fake_cuda(monkeypatch):
    """Let engines treat the processor as an accelerator; return the captured graphs."""
    graphs: list[Graph] = []
    streams: list[Stream] = []
    current: list[Stream] = []

    def make_stream(device=None):
        streams.append(Stream(device))
        return streams[-1]

    @contextlib.contextmanager
    def in_stream(stream):
        current.append(stream)
        yield
        current.pop()

    @contextlib.contextmanager
    def capture(graph, **options):
        GRAPH.bind(None, graph, **options)
        assert options["stream"] is current[-1], "work before the capture is in the same stream"
        assert options["pool"] == "pool"
        assert current[-1].synchronised > len(graphs), "warmed up"
        Engine.capturing = graph
        yield
        Engine.capturing = None
        graphs.append(graph)

    monkeypatch.setattr(torch_engines, "CPU", "another device")
    monkeypatch.setattr(torch.cuda, "Stream", make_stream)
    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "CUDAGraph", Graph)
    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: "pool")
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: current[-1])
    monkeypatch.setattr(torch.cuda, "device", lambda device: contextlib.nullcontext())
    monkeypatch.setattr(torch.cuda, "stream", in_stream)
    monkeypatch.setattr(torch.cuda, "graph", capture)
    return graphs
