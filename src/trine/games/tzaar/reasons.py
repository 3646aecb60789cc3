"""The reasons why actions are illegal: the law that forbids each, by its name in the rule book.

The order of the questions is a patient teacher's: is the play still going on, whose stack is it,
does a free line lead there, what stands there, may it be taken.
"""

from __future__ import annotations

from typing import Final

from trine.core.contract.handbook import Laws
from trine.core.contract.position import Outcome, Reason
from trine.core.text.sentence import Text, join, text
from trine.games.tzaar.board import (
    COORDINATES,
    EMPTY,
    KINDS,
    LINES_FROM,
    PIECE_NAMES,
    POINT_NAMES,
    SIDE,
    SIDE_NAMES,
    piece_name,
)
from trine.games.tzaar.referee import Referee, Stage
from trine.games.tzaar.rules import (
    CAPTURES,
    STACKINGS,
    Action,
    Capture,
    Pass,
    Placement,
    Stacking,
    missing_kind,
)

law: Final = Laws("trine.games.tzaar")


def why_not(position: Referee, action: Action) -> Text | None:
    if isinstance(action, Placement):
        return _why_not_placement(position, action)
    if position.in_setup:
        return law("fill-first")
    if outcome := position.outcome():
        return _how_over(position, outcome)
    if isinstance(action, Pass):
        return None if position.turn_open else _capture_first(position)
    return _why_not_going(position, action) or _why_not_onto(position, action)


def piece_on(tops: str, point: int) -> Text:
    """Return the piece on top of a stack and its point, as in "the white Tzarra on d3"."""
    return text("the {piece} on {cell}", piece=PIECE_NAMES[tops[point]], cell=POINT_NAMES[point])


# --- placements ----------------------------------------------------------------------------------


def _why_not_placement(position: Referee, action: Placement) -> Text | None:
    if not position.in_setup:
        return law("placing-over")
    if position.tops[action.point] != EMPTY:
        return law("taken", piece=piece_on(position.tops, action.point))
    hand = dict(zip(KINDS, position.hand(position.mover), strict=True))
    if not hand[action.kind]:
        left = [
            text("{count} of {piece}", count=count, piece=piece_name(kind))
            for kind, count in hand.items()
            if count
        ]
        return law("none-left", piece=piece_name(action.kind), hand=join(left))
    return None


# --- the turn ------------------------------------------------------------------------------------


def _how_over(position: Referee, outcome: Outcome) -> Text:
    loser = int(outcome.winner == 0)
    if outcome.reason is Reason.EXTINCTION:
        kind = piece_name(missing_kind(position.tops, loser))
        return law("over-extinct", side=SIDE_NAMES[loser], piece=kind)
    return law("over-no-capture", side=SIDE_NAMES[loser])


def _capture_first(position: Referee) -> Text:
    """Return a sentence saying that a turn must begin with a capture."""
    if position.stage is Stage.FIRST:
        return law("first-turn")
    return law("capture-first", side=SIDE_NAMES[position.mover])


# --- moves of stacks -----------------------------------------------------------------------------


def _why_not_moving(position: Referee, origin: int) -> Text | None:
    """Return why the mover has no stack on a point."""
    tops = position.tops
    if tops[origin] == EMPTY:
        return law("empty", cell=POINT_NAMES[origin])
    if SIDE[tops[origin]] != position.mover:
        return law("not-yours", piece=piece_on(tops, origin), side=SIDE_NAMES[position.mover])
    return None


def _why_not_going(position: Referee, action: Capture | Stacking) -> Text | None:
    """Return why a stack cannot go to the target at all: none, not the mover's, no free line."""
    tops, origin, target = position.tops, action.origin, action.target
    names = {"origin": POINT_NAMES[origin], "target": POINT_NAMES[target]}
    if elsewhere := _why_not_moving(position, origin):
        return elsewhere
    if origin == target:
        return law("same-point", cell=POINT_NAMES[origin])
    if not _are_aligned(origin, target):
        return law("no-line", **names)
    line = next((line for line in LINES_FROM[origin] if target in line), None)
    if line is None:
        return law("centre", **names)
    between = line[: line.index(target)]
    if blockers := [point for point in between if tops[point] != EMPTY]:
        return law("blocked", piece=piece_on(tops, blockers[0]), **names)
    if tops[target] == EMPTY:
        return law("empty-target", cell=POINT_NAMES[target])
    return None


def _are_aligned(origin: int, target: int) -> bool:
    """Return whether two points are on one line, even if the missing centre is between them."""
    (column, height), (other_column, other_height) = COORDINATES[origin], COORDINATES[target]
    return column == other_column or abs(height - other_height) == abs(column - other_column)


def _why_not_onto(position: Referee, action: Capture | Stacking) -> Text | None:
    """Return why a target that can be reached does not allow this kind of action."""
    origin, target, tops = action.origin, action.target, position.tops
    height, other = position.heights[origin], position.heights[target]
    piece, own = piece_on(tops, target), SIDE[tops[target]] == position.mover
    stacks = isinstance(action, Stacking)
    if stacks and not position.turn_open:
        return _capture_first(position)
    if own and not position.turn_open:
        return law("own", piece=piece)
    if own and not stacks:
        return law("own-stacks", piece=piece, action=str(STACKINGS[origin, target]))
    if not own and other > height:
        return law("higher", victim=piece, other=other, piece=piece_on(tops, origin), height=height)
    if not own and stacks:
        return law("enemy-captures", piece=piece, action=str(CAPTURES[origin, target]))
    return None
