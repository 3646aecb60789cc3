"""The goals of lessons in TZAAR, and the happenings of first games, by their words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from trine.core.contract.lesson import GoalWord, Pieces, Reached, goals_of_pieces
from trine.games.tzaar.board import EMPTY, LINES_FROM, POINT_NAMES, SIDE
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import PASS, Stacking, captures_of
from trine.games.tzaar.rules import reached as reached_from

# --- goals ---------------------------------------------------------------------------------------


def _stacks(position: Position) -> Pieces:
    occupied = zip(POINT_NAMES, position.tops, strict=True)
    return {cell: (SIDE[top], top) for cell, top in occupied if top != EMPTY}


def _has_height(reached: Reached, least: int) -> bool:
    """Return whether the learner has a stack at least this high."""
    stacks = zip(reached.position.tops, reached.position.heights, strict=True)
    return any(SIDE[top] == reached.learner and height >= least for top, height in stacks)


def _passed(reached: Reached) -> bool:
    """Return whether the learner's last turn was a capture and a pass."""
    return bool(reached.actions[-1] == PASS)


def _is_safe(reached: Reached, piece: str) -> bool:
    """Return whether no stack of a kind can be captured with one action."""
    tops, heights = reached.position.tops, reached.position.heights
    captures = captures_of(tops, heights, 1 - reached.learner)
    return all(tops[capture.target] != piece for capture in captures)


def _struck_from(reached: Reached) -> tuple[set[int], set[int], set[int]]:
    """Return the neighbours of the piece just placed, and the own and enemy stacks in its lines."""
    tops, point = reached.position.tops, reached.actions[-1].point
    beside = {line[0] for line in LINES_FROM[point] if line}
    striking = set(reached_from(tops, point))
    own = {other for other in striking if SIDE[tops[other]] == reached.learner}
    return beside, own, striking - own


def _is_in_mass(reached: Reached) -> bool:
    """Return whether the piece just placed touches at least three own pieces."""
    if not reached.actions:
        return False
    beside, own, _ = _struck_from(reached)
    return len(own & beside) >= 3


def _is_in_line(reached: Reached) -> bool:
    """Return whether the piece just placed is guarded from both sides of a line, from afar."""
    if not reached.actions:
        return False
    beside, own, _ = _struck_from(reached)
    lines = LINES_FROM[reached.actions[-1].point]
    covered = [bool((own - beside).intersection(line)) for line in lines]
    return any(covered[way] and covered[way + 3] for way in range(3))


def _is_answered(reached: Reached) -> bool:
    """Return whether the piece just placed touches an enemy, and whatever takes it is retaken."""
    if not reached.actions:
        return False
    beside, own, enemies = _struck_from(reached)
    return bool(enemies & beside) and len(enemies) <= len(own)


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {
        **goals_of_pieces(_stacks),
        "height": _has_height,
        "passed": _passed,
        "safe": _is_safe,
        "in-mass": _is_in_mass,
        "in-line": _is_in_line,
        "answered": _is_answered,
    }
)

# --- happenings ----------------------------------------------------------------------------------


def _builds(turn: Any, player: int) -> bool:
    return turn.player == player and any(isinstance(one, Stacking) for one in turn.actions)


def _is_last_of_kind(turn: Any, player: int) -> bool:
    """Return whether the other side has left the player a single stack of a kind."""
    before, after = (position.shown(player) for position in (turn.before, turn.after))
    return bool(turn.player != player and min(after) == 1 < min(before))


HAPPENINGS: Final = MappingProxyType({"stacks": _builds, "last-of-kind": _is_last_of_kind})
