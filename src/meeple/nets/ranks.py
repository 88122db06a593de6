"""The processes that learn together: how the trainer starts the others, tells them, and ends them.

The trainer's process is rank 0; each other is `python -m meeple.nets.rank`, with a private folder
in which it finds what it is to learn, and meets the others (by a `FileStore`, so that no port must
be known). What is to be done next comes by its standard input; when that ends, because the trainer
has ended, however it did, the process ends too.
"""

import contextlib
import datetime
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psutil
import torch
import torch.distributed as dist

from meeple.errors import RunError
from meeple.nets.devices import CPU
from meeple.nets.network import ActorNetwork
from meeple.nets.training import Recipe
from meeple.nets.training_state import save_training_state

PLAN, STATE, STORE = "plan.json", "state.safetensors", "store"  # files of the private folder
READY = "ready"  # what a process says once it can meet the others
START_SECONDS = 300.0  # that a process may take to import PyTorch, on a busy machine
PATIENCE = 300.0  # seconds that one may let the others wait; one that has ended is noticed at once
END_SECONDS = 5.0  # that a process is given to end by itself
_KEPT = "what was saved last stays, and the run goes on from there with --resume"


class Ranks:
    """The other processes of a trainer. Close it, whatever happens."""

    def __init__(
        self,
        network: ActorNetwork,
        optimizer: torch.optim.Optimizer,
        recipe: Recipe,
        *,
        devices: Sequence[str],
        format: str,
    ) -> None:
        """Start a process for each device but the first, and meet them all in a process group.

        Raises RunError where one does not start.
        """
        self.count = len(devices)
        self._folder = Path(tempfile.mkdtemp(prefix="meeple-ranks-"))  # for its owner alone
        self._processes: list[subprocess.Popen[str]] = []
        self._joined = False
        self._on_cpu = devices[0] == CPU
        try:
            save_training_state(self._folder / STATE, network, optimizer)
            plan = {
                "architecture": network.architecture.model_dump(mode="json"),
                "recipe": asdict(recipe),
                "devices": list(devices),
                "format": format,
                "threads": max(1, torch.get_num_threads() // self.count),
            }
            (self._folder / PLAN).write_text(json.dumps(plan), encoding="utf-8")
            self._start()
            with self.failures_told():
                join(self._folder, 0, devices)
            self._joined = True
        except BaseException:
            self.close()
            raise

    def tell(self, message: dict[str, Any]) -> None:
        """Tell all what to do next. Raises RunError where one has ended."""
        line = json.dumps(message) + "\n"
        self.check()
        for process in self._processes:
            assert process.stdin is not None
            try:
                process.stdin.write(line)
                process.stdin.flush()
            except OSError:  # who does not read has ended
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(END_SECONDS)
        self.check()

    def check(self) -> None:
        """Raise RunError where a process has ended."""
        for rank, process in enumerate(self._processes, start=1):
            if process.poll() is not None:
                raise self._error(rank, process.returncode)

    @contextlib.contextmanager
    def failures_told(self) -> Iterator[None]:
        """Work with the others. Raises RunError where it fails because one has ended, or hangs."""
        try:
            yield
        except RuntimeError as error:  # PyTorch's own of a lost connection
            self._await_an_end()
            self.check()
            if "timed out" in str(error).lower():
                raise RunError(
                    f"a process that learns has not answered for {PATIENCE:.0f} seconds: {_KEPT}"
                ) from None
            raise

    def close(self) -> None:
        """End all processes, at most some seconds later."""
        for process in self._processes:
            with contextlib.suppress(OSError):
                if process.stdin is not None:
                    process.stdin.close()
        if self._joined:
            self._joined = False
            self._leave()
        deadline = time.monotonic() + END_SECONDS
        for process in self._processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self._processes = []
        shutil.rmtree(self._folder, ignore_errors=True)

    # ------------------------------------------------------------ inside

    def _start(self) -> None:
        heard: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        for rank in range(1, self.count):
            with open(self._folder / f"rank-{rank}.log", "wb") as log:
                process = subprocess.Popen(
                    [sys.executable, "-m", "meeple.nets.rank", str(self._folder), str(rank)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                    start_new_session=True,  # where Ctrl-C in a terminal does not reach it
                )
            self._processes.append(process)
            threading.Thread(target=_listen, args=(rank, process, heard), daemon=True).start()
        deadline = time.monotonic() + START_SECONDS
        for _ in self._processes:
            try:
                rank, line = heard.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise RunError(
                    f"the processes that learn did not start within {START_SECONDS:.0f} seconds"
                ) from None
            if line != READY:
                raise self._error(rank, self._processes[rank - 1].wait())

    def _await_an_end(self) -> None:
        """Wait until a process has ended, for a moment."""
        deadline = time.monotonic() + END_SECONDS
        while time.monotonic() < deadline:
            if any(process.poll() is not None for process in self._processes):
                return
            time.sleep(0.01)

    def _leave(self) -> None:
        """Leave the process group; collectives that still wait for a dead process are given up."""
        if self._on_cpu:
            dist.destroy_process_group()
        else:
            dist.distributed_c10d._abort_process_group()

    def _error(self, rank: int, code: int) -> BaseException:
        """What to raise where a process has ended."""
        if code == -signal.SIGINT:  # Ctrl-C, before the process had a session of its own
            return KeyboardInterrupt()
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        lines: list[str] = []
        with contextlib.suppress(OSError):
            log = self._folder / f"rank-{rank}.log"
            lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        why = f" ({last:.200})" if last and code >= 0 else ""
        return RunError(
            f"process {rank} of the {self.count} that learn has ended {how}{why}: {_KEPT}"
        )


def _listen(
    rank: int, process: "subprocess.Popen[str]", heard: "queue.SimpleQueue[tuple[int, str]]"
) -> None:
    """Pass on the first line that a process says, or that it has ended."""
    assert process.stdout is not None
    heard.put((rank, process.stdout.readline().strip()))


def join(folder: Path, rank: int, devices: Sequence[str]) -> None:
    """Meet the other processes: gloo on the processor, NCCL on accelerators; loopback alone.

    Raises RuntimeError where they do not come.
    """
    on_cpu = devices[rank] == CPU
    path = str(folder / STORE)
    store = dist.FileStore(path, len(devices))  # type: ignore[attr-defined]  # missing in its stubs
    # Without NCCL's own handling of errors, which would end this process: `Ranks` looks after them.
    settings = _on_loopback() | {"TORCH_NCCL_ASYNC_ERROR_HANDLING": "0"}
    with _environment(settings):
        dist.init_process_group(
            "gloo" if on_cpu else "nccl",
            store=store,
            rank=rank,
            world_size=len(devices),
            timeout=datetime.timedelta(seconds=PATIENCE),
            device_id=None if on_cpu else torch.device(devices[rank]),
        )


def lacks_backend(device: str) -> str:
    """What this PyTorch lacks for processes to learn together on such devices; "" if nothing."""
    if not dist.is_available():
        return "torch.distributed"
    if device == CPU:
        return "" if dist.is_gloo_available() else "gloo"
    return "" if dist.is_nccl_available() else "NCCL"


def _on_loopback() -> dict[str, str]:
    """Settings by which the processes of this machine talk to each other over no network."""
    for name, addresses in psutil.net_if_addrs().items():
        if any(address.address == "127.0.0.1" for address in addresses):
            return {"GLOO_SOCKET_IFNAME": name, "NCCL_SOCKET_IFNAME": name}
    return {}


@contextlib.contextmanager
def _environment(settings: dict[str, str]) -> Iterator[None]:
    """Environment variables for a while; libraries read them when a process group is made."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
