"""The ideas that turns of TZAAR use, as the referee sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.outcome import Reason
from trine.core.contract.position import position_after
from trine.core.contract.theme import Theme
from trine.core.text.sentence import ctext, text
from trine.games.tzaar.board import POINTS, SIDE
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import Action, Stacking, captures_of
from trine.games.tzaar.view.insight import threats_of

FEW: Final = 2
"""The number of captures that are nearly none. Guess."""


def _wins_by(before: Position, actions: Sequence[Action], reason: Reason) -> bool:
    outcome = position_after(before, actions).outcome()
    return outcome is not None and (outcome.winner, outcome.reason) == (before.mover, reason)


def _extinction(before: Position, actions: Sequence[Action]) -> bool:
    return _wins_by(before, actions, Reason.EXTINCTION)


def _no_capture(before: Position, actions: Sequence[Action]) -> bool:
    """Whether the other side has no capture left, or hardly any."""
    if _wins_by(before, actions, Reason.NO_CAPTURE):
        return True
    after, enemy = position_after(before, actions), 1 - before.mover
    then, now = (
        len(captures_of(position.tops, position.heights, enemy)) for position in (before, after)
    )
    return after.outcome() is None and now < then and now <= FEW


def _ways_to_win(position: Position, side: int) -> int:
    threats = threats_of(position, side)
    return len(threats.extinction) + (threats.no_capture is not None)


def _fork(before: Position, actions: Sequence[Action]) -> bool:
    """Whether the turn threatens to win in two ways or more, of the three kinds and of captures."""
    after, player = position_after(before, actions), before.mover
    if after.outcome():
        return False
    return _ways_to_win(after, player) > max(1, _ways_to_win(before, player))


def _tower(before: Position, actions: Sequence[Action]) -> bool:
    """Whether the turn builds a stack that is too tall for the other side."""
    after, enemy = position_after(before, actions), 1 - before.mover
    tallest = max(
        (after.heights[point] for point in POINTS if SIDE[after.tops[point]] == enemy), default=0
    )
    return any(
        isinstance(action, Stacking) and after.heights[action.target] > tallest
        for action in actions
    )


def _rescue(before: Position, actions: Sequence[Action]) -> bool:
    """Whether the other side could have won before the turn, and cannot after it."""
    after, enemy = position_after(before, actions), 1 - before.mover
    if after.outcome() or not _ways_to_win(before, enemy):
        return False
    return not _ways_to_win(after, enemy)


THEMES: Final = {
    "extinction": Theme(
        ctext("theme", "last of a kind"), text("Count what is left of each kind."), _extinction
    ),
    "no-capture": Theme(
        ctext("theme", "out of captures"),
        text("Count the captures that the other side has left."),
        _no_capture,
    ),
    "fork": Theme(
        ctext("theme", "fork of the three kinds"),
        text("Two threats at once cannot both be met."),
        _fork,
    ),
    "tower": Theme(
        ctext("theme", "tall stack"), text("A stack can grow too tall to be taken."), _tower
    ),
    "rescue": Theme(
        ctext("theme", "meeting a threat"),
        text("Look first at what the other side threatens to win by."),
        _rescue,
    ),
}
