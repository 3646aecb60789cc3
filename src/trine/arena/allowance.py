"""What a player may spend on a turn of a match: nodes, depth, seconds, or a clock."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from trine.core.clock import Clock, TimeControl, format_time_control, parse_time_control
from trine.core.errors import MalformedError
from trine.core.text import text
from trine.core.words import quoted
from trine.engine.limits import Limits

_SECONDS: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)s(?:/turn)?")
_NUMBER: Final = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)"
_BOTH_SECONDS: Final = re.compile(rf"(?=.*\.){_NUMBER}\+{_NUMBER}")


@dataclass(frozen=True)
class Allowance:
    """What a player may spend; whichever limit comes first ends the thinking."""

    depth: int | None = None
    """Units: actions of all players."""
    nodes: int | None = None
    """For each turn."""
    seconds: float | None = None
    """For each turn."""
    control: TimeControl | None = None
    """For the whole game, by a clock that is common to all players."""

    @property
    def timed(self) -> bool:
        """Whether time limits it: then a game cannot be repeated exactly."""
        return self.seconds is not None or self.control is not None

    def limits(self, clock: Clock | None) -> Limits:
        """The limits of a turn that begins with such a clock."""
        return Limits(self.depth, self.nodes, self.seconds, clock if self.control else None)

    def __str__(self) -> str:
        """As reports say it.

        >>> str(Allowance(nodes=20_000, seconds=0.5))
        '0.5s/turn, 20000 nodes'
        """
        parts = [
            format_time_control(self.control) if self.control else "",
            f"{self.seconds:g}s/turn" if self.seconds else "",
            f"{self.nodes} nodes" if self.nodes else "",
            f"depth {self.depth}" if self.depth else "",
        ]
        return ", ".join(filter(None, parts)) or "no limit"


def parse_allowance(
    time: str = "", nodes: int | None = None, depth: int | None = None
) -> Allowance:
    """Read an allowance; the time is ``0.5s`` for each turn, or a time control.

    In ``5+3`` the 5 are minutes, as everywhere in this house; with a decimal point, as in
    ``10+0.1``, both numbers are seconds, as controllers of chess engines have it.

    Raises:
        MalformedError: the time is neither, or none at all.

    >>> parse_allowance("0.5s").seconds, parse_allowance("0.5s/turn").seconds
    (0.5, 0.5)
    >>> parse_allowance("15s/2m").control == parse_allowance("0:15/2").control
    True
    >>> str(parse_allowance("10+0.1")), str(parse_allowance("10+1"))
    ('0.1s/10s', '0:01/10')
    """
    if not time:
        return Allowance(depth, nodes)
    words = time.strip()
    if found := _SECONDS.fullmatch(words):
        if not math.isclose(seconds := float(found[1]), 0):
            return Allowance(depth, nodes, seconds)
    elif found := _BOTH_SECONDS.fullmatch(words):
        control = parse_time_control(f"{found[2]}s/{found[1]}s")
        if not control.untimed:
            return Allowance(depth, nodes, control=control)
    else:
        return Allowance(depth, nodes, control=parse_time_control(words))
    raise MalformedError(text("{given} leaves no time to think", given=quoted(time)))
