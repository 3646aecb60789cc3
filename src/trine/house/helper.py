"""Workers for the bots of a house in a process of their own, on another machine for example.

They take jobs from the database of the house, read the game there, and write the answer there.
Killed at any moment they lose nobody anything: the house thinks itself then.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Final

from trine import __version__
from trine.core.errors import TrineError
from trine.core.pool import WorkerPool
from trine.games import ROOMS
from trine.house import worker
from trine.house.export import entries_of
from trine.store.jobs import Job
from trine.store.store import Store

LOOK: Final = 0.1
"""Units: seconds; so often one looks for a job. Guess."""
BEAT: Final = 2.0
"""Units: seconds; so often the house is told that there are workers."""
Choose = Callable[..., tuple[str, ...]]


class Helper:
    """A process that thinks for a house."""

    def __init__(
        self,
        store: Store,
        count: int | None = None,
        report: Callable[[str, BaseException], None] = lambda words, error: None,
        choose: Choose = worker.choose,
    ) -> None:
        self._store, self._report, self._choose = store, report, choose
        self._count = count or os.cpu_count() or 1
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._pool = WorkerPool(self._count, begin=worker.stand_back)
        self._free = threading.Semaphore(self._count)
        self._closing = threading.Event()
        self._noted = float("-inf")
        self.done = 0
        """Jobs that were answered."""

    def warm(self, told: Callable[[str], None] = lambda game: None) -> None:
        """Have the code of all games ready before the first job."""
        for game in ROOMS:
            told(game)
            self._pool.submit(partial(worker.warm, game)).result()

    def run(self) -> None:
        """Take jobs until it is closed."""
        while not self._closing.is_set():
            try:
                self._note()
                if not self._take():
                    self._closing.wait(LOOK)
            except TrineError as error:
                self._report("the house could not be asked for jobs", error)
                self._closing.wait(BEAT)

    def close(self) -> None:
        """Stop; what is being thought about is left to the house."""
        self._closing.set()
        self._pool.close()
        try:
            self._store.jobs.forget_worker(self._name).result()
        except TrineError as error:
            self._report("the house could not be told", error)

    def _note(self) -> None:
        if time.monotonic() - self._noted > BEAT:
            self._noted = time.monotonic()
            self._store.jobs.note_worker(self._name, self._count).result()

    def _take(self) -> bool:
        """Take a job, if there is one and a worker is free; whether it was."""
        if not self._store.jobs.wait_any(__version__) or not self._free.acquire(timeout=LOOK):
            return False
        job = None
        try:
            job = self._store.jobs.take(self._name, __version__).result()
            if job:
                self._begin(job)
        finally:
            if not job:
                self._free.release()
        return job is not None

    def _begin(self, job: Job) -> None:
        try:
            entries = entries_of(self._store.events(job.game))[: job.seq]
            call = partial(self._choose, job.game, job.bot, entries, job.elapsed)
            future = self._pool.submit(call)
        except Exception as error:
            self._free.release()
            self._answer(job, (), error)
        else:
            future.add_done_callback(partial(self._end, job))

    def _end(self, job: Job, future: Future[Any]) -> None:
        self._free.release()
        if future.cancelled() or self._closing.is_set():
            return
        error = future.exception()
        self._answer(job, () if error else future.result(), error)

    def _answer(self, job: Job, ids: tuple[str, ...], error: BaseException | None) -> None:
        if error:
            self._report("a turn could not be thought about", error)
        try:
            self._store.jobs.answer(job.id, ids)
            self.done += 1
        except TrineError as refused:
            self._report("a turn could not be handed in", refused)
