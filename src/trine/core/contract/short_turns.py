"""Whole turns, generated action by action, for rooms whose turns are short.

Arimaa, whose turns are many thousands, has its own way: `trine.games.arimaa.turns`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from trine.core.contract.position import Action, Position, position_after
from trine.core.history import FIRST_STANDING, History

P = TypeVar("P", bound=Position)


def legal_turns(position: P, history: History = FIRST_STANDING) -> Iterator[tuple[Action, ...]]:
    """Yield every legal turn as its actions; for a position within a turn, the rests of it."""
    for action in position.legal_actions(history):
        after = position.play_unchecked(action)
        if after.turn_open and after.outcome(history) is None:
            for rest in legal_turns(after, history):
                yield (action, *rest)
        else:
            yield (action,)


def turn_results(position: P, history: History = FIRST_STANDING) -> dict[P, tuple[Action, ...]]:
    """Return the distinct positions that a turn can lead to, each with a shortest turn to it."""
    results: dict[P, tuple[Action, ...]] = {}
    for turn in legal_turns(position, history):
        after = position_after(position, turn)
        if len(turn) < len(results.get(after, (*turn, ""))):
            results[after] = turn
    return results
