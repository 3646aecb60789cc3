"""What a board is shown with: the last turn in words, and the cells that it changed."""

from __future__ import annotations

from collections.abc import Sequence

from trine.core.doors import Action, Position, Room
from trine.core.play import Turn
from trine.core.text import Text, text
from trine.record.replay import written_actions


def last_turn(room: Room, turns: Sequence[Turn]) -> list[Text]:
    """A line that tells the last turn; none before the first, nor of a setup."""
    if not turns or turns[-1].before.in_setup:
        return []
    last = turns[-1]
    steps = written_actions(room, last.before, last.actions)
    return [text("last turn: {turn} {steps}", turn=room.tag(last.before), steps=steps)]


def changed_cells(room: Room, before: Position, actions: Sequence[Action]) -> frozenset[str]:
    """The cells that actions have changed; none by a setup, which changes everything."""
    return frozenset() if before.in_setup else room.changed_cells(before, actions)
