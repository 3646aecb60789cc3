"""The place of workers: processes of this machine, or a Ray cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trine.core.errors import MalformedError
from trine.core.text.words import quoted

if TYPE_CHECKING:  # most commands need no workers
    from trine.core.work.pool import Call
    from trine.core.work.workers import Workers

MAX_PROCESSES: Final = 256


@dataclass(frozen=True)
class Backend:
    """The place of workers that run jobs."""

    processes: int = 0
    """The number of processes; 0: jobs run in this process."""
    ray: str | None = None
    """The address of a Ray cluster; empty: `ray.init` finds or starts one. None: processes."""

    def open(self, most: int | None = None, on_exit: Call | None = None) -> Workers:
        """Start workers; ``most`` is the number of jobs, so that no more processes start.

        A process that has to exit, possibly during a job, calls ``on_exit`` first.

        Raises:
            TrineError: Ray is not installed, or the cluster cannot be reached.
        """
        if self.ray is not None:
            from trine.core.work.cluster import RayWorkers

            return RayWorkers(self.ray)
        from trine.core.work.pool import WorkerPool
        from trine.core.work.workers import InProcess

        processes = self.processes if most is None else min(self.processes, most)
        return WorkerPool(processes, on_exit=on_exit) if processes else InProcess()

    @property
    def alone(self) -> Backend:
        """The backend itself; `IN_PROCESS` if it would start a single process."""
        return IN_PROCESS if self == Backend(1) else self


IN_PROCESS: Final = Backend()
"""Jobs run in this process, one after the other."""


def parse_backend(words: str) -> Backend:
    """Read a number of processes, ``ray``, or ``ray:`` with the address of a cluster.

    Raises:
        MalformedError: the text is neither.

    >>> parse_backend("4"), parse_backend("ray:10.0.0.7:6379").ray
    (Backend(processes=4, ray=None), '10.0.0.7:6379')
    """
    name, _, address = words.strip().partition(":")
    if name == "ray":
        return Backend(ray=address)
    if re.fullmatch("[0-9]{1,3}", name) and not address and 1 <= int(name) <= MAX_PROCESSES:
        return Backend(int(name))
    raise MalformedError(
        "{given} names no workers; expected a number from 1 to {most}, ray, or ray:ADDRESS",
        given=quoted(words),
        most=MAX_PROCESSES,
    )
