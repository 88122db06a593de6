"""Reads the answers that a quiet program prints, and waits for an answer after a given time."""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

PAUSE = 0.1  # seconds between two looks


class Listening:
    """A quiet program, `python -m MODULE WORDS`; each of its lines is passed to `take`."""

    def __init__(self, module: str, words: list[str], take: Callable[[Any], None]) -> None:
        self._words, self._take = [sys.executable, "-m", module, *words], take
        self.asked = 0.0  # time of the last question that was answered
        self.count = 0

    async def run(self) -> None:
        """Read until cancelled, or until the program ends."""
        program = await asyncio.create_subprocess_exec(*self._words, stdout=asyncio.subprocess.PIPE)
        assert program.stdout is not None
        try:
            while line := await program.stdout.readline():
                answer = json.loads(line)
                self._take(answer)
                self.asked = max(self.asked, answer["at"])
                self.count += 1
        finally:
            with contextlib.suppress(ProcessLookupError):
                program.kill()
            await program.wait()

    async def answered_since(self, moment: float, seconds: float) -> bool:
        """Wait for an answer to a request after a moment; return whether it came in time."""
        ends = time.monotonic() + seconds
        while self.asked <= moment:
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(PAUSE)
        return True
