"""The place of workers, in words: processes of this machine, or a Ray cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trine.core.errors import MalformedError
from trine.core.text.words import quoted

if TYPE_CHECKING:  # most commands need no workers
    from trine.core.work.pool import Call
    from trine.core.work.workers import Workers

MOST: Final = 256
"""The most processes."""


@dataclass(frozen=True)
class Workplace:
    """The place where jobs are done."""

    processes: int = 0
    """0 is this process itself."""
    ray: str | None = None
    """The address of a Ray cluster; empty for one that is found, or else started, as `ray.init`
    does. None for processes."""

    def open(self, most: int | None = None, part: Call | None = None) -> Workers:
        """Let workers begin.

        Args: ``most`` is the number of jobs, beyond which no process is needed; ``part`` is what a
        process calls when it is to leave, possibly while a job is still running.

        Raises:
            TrineError: Ray is not installed, or the cluster cannot be reached.
        """
        if self.ray is not None:
            from trine.core.work.cluster import RayWorkers

            return RayWorkers(self.ray)
        from trine.core.work.pool import WorkerPool
        from trine.core.work.workers import Here

        processes = self.processes if most is None else min(self.processes, most)
        return WorkerPool(processes, part=part) if processes else Here()

    @property
    def alone(self) -> Workplace:
        """The same, but this process where a single other one would do the jobs."""
        return HERE if self == Workplace(1) else self


HERE: Final = Workplace()
"""This process itself."""


def parse_workplace(words: str) -> Workplace:
    """Read a number of processes, ``ray``, or ``ray:`` with the address of a cluster.

    Raises:
        MalformedError: the text is neither.

    >>> parse_workplace("4"), parse_workplace("ray:10.0.0.7:6379").ray
    (Workplace(processes=4, ray=None), '10.0.0.7:6379')
    """
    name, _, address = words.strip().partition(":")
    if name == "ray":
        return Workplace(ray=address)
    if re.fullmatch("[0-9]{1,3}", name) and not address and 1 <= int(name) <= MOST:
        return Workplace(int(name))
    raise MalformedError(
        "{given} names no workers; expected a number from 1 to {most}, ray, or ray:ADDRESS",
        given=quoted(words),
        most=MOST,
    )
