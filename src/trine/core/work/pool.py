"""A pool of processes that ends when this process does.

They are started with *spawn*, which works on all systems. Each holds one end of a pipe, the
lifeline, whose other end only this process has: when it is closed, or this process is killed, they
exit. They ignore Ctrl-C, so that only this process receives it.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

Result = TypeVar("Result")
Call = Callable[[], object]


class WorkerPool:
    """Processes that each do one job at a time.

    Jobs must be functions of modules, or partials of them, so that they can be pickled.
    """

    def __init__(
        self, count: int, *, initializer: Call | None = None, on_exit: Call | None = None
    ) -> None:
        """Make a pool of ``count`` processes, which are started as jobs come in.

        Each process calls ``initializer`` before its first job, and ``on_exit`` before it exits.
        """
        self.count = count
        context = get_context("spawn")
        end, self._lifeline = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(
            count, mp_context=context, initializer=_begin, initargs=(end, initializer, on_exit)
        )
        self._closed = False
        self._lock = threading.Lock()
        """Held while a job is submitted, which may start a process: none starts during `close`."""

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Submit a job; raises `BrokenProcessPool`, now or in its future."""
        with self._lock:
            if self._closed:
                raise BrokenProcessPool("the pool was closed")
            with _held_back():
                return self._executor.submit(job)

    def close(self) -> None:
        """Abort the running jobs and end the processes, unless another thread is doing so."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._lifeline.close()
        self._executor.shutdown(cancel_futures=True)


@contextmanager
def _held_back() -> Iterator[None]:
    """Block Ctrl-C in processes that start within the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in the processes ----------------------------------------------------------------------------


def _begin(lifeline: Connection, initializer: Call | None, on_exit: Call | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # After one process has exited, the executor terminates the others, perhaps during ``on_exit``.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if initializer:
        initializer()
    threading.Thread(target=_leave_when_cut, args=(lifeline, on_exit), daemon=True).start()


def _leave_when_cut(lifeline: Connection, on_exit: Call | None) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    try:
        if on_exit:
            on_exit()
    finally:
        os._exit(0)
