"""The notation of a player's budget in a match: nodes, depth, seconds, or a clock."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Final

from trine.core.clock import Limits, TimeControl, format_time_control, parse_time_control
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, join, ntext, number, quoted, text, verbatim

_SECONDS: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)s(?:/turn)?")
_NUMBER: Final = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)"
_BOTH_SECONDS: Final = re.compile(rf"(?=.*\.){_NUMBER}\+{_NUMBER}")


def format_budget(limits: Limits, control: TimeControl | None = None) -> str:
    """Return the limits of a turn, and the clock of the game, in the notation of records.

    >>> format_budget(Limits(nodes=20_000, hard=0.5))
    '0.5s/turn, 20000 nodes'
    """
    parts = [
        format_time_control(control) if control else "",
        f"{limits.hard:g}s/turn" if limits.hard else "",
        f"{limits.nodes} nodes" if limits.nodes else "",
        f"depth {limits.depth}" if limits.depth else "",
    ]
    return ", ".join(filter(None, parts)) or "no limit"


def budget_text(limits: Limits, control: TimeControl | None = None) -> Text:
    """Return the limits of a turn, and the clock of the game, for a report."""
    parts = [verbatim(format_time_control(control))] if control else []
    if limits.hard:
        parts.append(text("{seconds}s/turn", seconds=number(f"{limits.hard:g}")))
    if limits.nodes:
        parts.append(ntext("{count} node", "{count} nodes", limits.nodes))
    if limits.depth:
        parts.append(text("depth {depth}", depth=limits.depth))
    return join(parts) if parts else text("no limit")


def parse_budget(
    time: str = "", nodes: int | None = None, depth: int | None = None
) -> tuple[Limits, TimeControl | None]:
    """Read limits; ``time`` is ``0.5s`` for each turn, or a time control for the whole game.

    In ``5+3`` the 5 are minutes, as elsewhere in this program; with a decimal point, as in
    ``10+0.1``, both numbers are seconds, as in chess match programs.

    Raises:
        MalformedError: the time is neither of these, or is zero.

    >>> parse_budget("0.5s")[0].hard, parse_budget("0.5s/turn")[0].hard
    (0.5, 0.5)
    >>> parse_budget("15s/2m") == parse_budget("0:15/2")
    True
    >>> format_budget(*parse_budget("10+0.1")), format_budget(*parse_budget("10+1"))
    ('0.1s/10s', '0:01/10')
    """
    limits, words = Limits(depth, nodes), time.strip()
    if not time:
        return limits, None
    if found := _SECONDS.fullmatch(words):
        if not math.isclose(seconds := float(found[1]), 0):
            return replace(limits, hard=seconds), None
    elif found := _BOTH_SECONDS.fullmatch(words):
        control = parse_time_control(f"{found[2]}s/{found[1]}s")
        if not control.untimed:
            return limits, control
    else:
        control = parse_time_control(words)
        limited = nodes or depth or control.turn_time or control.total
        if limited or not control.untimed:
            return limits, control
    raise MalformedError("{given} leaves no time to think", given=quoted(time))
