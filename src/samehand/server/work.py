"""The threads in which texts are read and judged, so that the server itself never waits."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.exceptions import HTTPException

T = TypeVar("T")

MOST_WAITING = 100
"""Requests at work or in line; further ones are asked to come again, so that memory is bounded."""


class Work:
    """A few threads, and a line before them."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(min(4, os.cpu_count() or 1), "samehand")
        self._waiting = 0

    async def do(self, job: Callable[[], T]) -> T:
        """The job's result; what it raises is raised."""
        if self._waiting >= MOST_WAITING:
            raise HTTPException(
                503, "Too many requests are waiting; try again in a moment.", {"retry-after": "2"}
            )
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)
        finally:
            self._waiting -= 1

    def stop(self) -> None:
        """Drop what waits."""
        self._threads.shutdown(wait=False, cancel_futures=True)
