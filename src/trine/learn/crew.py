"""Processes that share work: games of self-play and of trials.

They are started afresh (*spawn*), which works alike on all systems. All hold one end of a pipe, the
lifeline; when its other end is closed, or this process is killed, they are gone.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from trine.core.errors import TrineError
from trine.core.text import text

Result = TypeVar("Result")


def share(jobs: Sequence[Callable[[], Result]], processes: int) -> Generator[Result, None, None]:
    """Do jobs, several at once, and give each result as it comes.

    One process is this one. Whoever stops asking breaks off what is being done.
    """
    if processes <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield job()
        return
    context = get_context("spawn")
    end, lifeline = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(
        min(processes, len(jobs)), mp_context=context, initializer=_begin, initargs=(end,)
    )
    try:
        with _unbothered():
            futures = [executor.submit(_do, job) for job in jobs]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool:
        raise TrineError(
            text("a process that played games has died; the same command goes on")
        ) from None
    finally:
        lifeline.close()
        executor.shutdown(cancel_futures=True)


@contextmanager
def _unbothered() -> Iterator[None]:
    """Processes that begin inside do not hear Ctrl-C, which is for this one alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _do(job: Callable[[], Result]) -> Result:
    return job()


def _begin(lifeline: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_go_when_cut, args=(lifeline,), daemon=True).start()


def _go_when_cut(lifeline: Connection) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(0)
