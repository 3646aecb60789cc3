"""A stop (cancellation token): a value passed to a computation to request its end."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Event, RLock, Timer


class Stop:
    """A request to end a computation.

    It can be set before, during and after the computation, from any thread and repeatedly; it stays
    set. Each computation has its own stop.

    >>> stop = Stop()
    >>> with stop.child() as part:
    ...     stop.set()
    ...     part.is_set
    True
    """

    def __init__(self) -> None:
        self.flag = array("q", [0])
        """Shapes: 1, as ``int64``; nonzero once the stop is set. Compiled code reads it as an array
        that shares this memory."""
        self._event = Event()
        self._lock = RLock()
        """Held during a call, so that nothing is called after the end of `calls`."""
        self._calls: list[Callable[[], object]] = []

    @property
    def is_set(self) -> bool:
        return self.flag[0] != 0

    def set(self) -> None:
        self.flag[0] = 1
        self._event.set()
        with self._lock:
            while self._calls:
                call = self._calls.pop(0)
                try:
                    call()
                except BaseException:  # Ctrl-C during a call too: the next `set` continues
                    self._calls.insert(0, call)
                    raise

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the stop is set, or for some seconds; return whether it is set."""
        return self._event.wait(seconds)

    @contextmanager
    def calls(self, call: Callable[[], object]) -> Iterator[None]:
        """Within the block, call ``call`` when the stop is set; at once if it already is.

        Guarantee: ``call`` is called at most once, in the thread that sets the stop, and not after
            the end of the block. It must return quickly.
        """
        with self._lock:
            self._calls.append(call)
            if self.is_set:
                self.set()
        try:
            yield
        finally:
            with self._lock:
                if call in self._calls:
                    self._calls.remove(call)

    @contextmanager
    def child(self) -> Iterator[Stop]:
        """A stop for a part of the computation: this stop sets it too, but not the reverse."""
        part = Stop()
        with self.calls(part.set):
            yield part

    @contextmanager
    def after(self, seconds: float) -> Iterator[Stop]:
        """A stop for a part of the computation that is also set after some seconds."""
        with self.child() as part:
            if math.isinf(seconds):
                yield part
                return
            timer = Timer(max(0.0, min(seconds, TIMEOUT_MAX)), part.set)
            timer.daemon = True
            timer.start()
            try:
                yield part
            finally:
                timer.cancel()
