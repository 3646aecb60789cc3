"""The reasons why actions are illegal: the rule that forbids each, in words.

The order of the questions is a patient teacher's: is the play still going on, whose stack is it,
does a free line lead there, what stands there, may it be taken.
"""

from __future__ import annotations

from trine.core.contract.law import law
from trine.core.contract.outcome import Reason
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
from trine.games.tzaar.referee import Referee
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


def why_not(position: Referee, action: Action) -> Text | None:
    if isinstance(action, Placement):
        return _why_not_placement(position, action)
    if position.in_setup:
        return law("setup", "the board is filled first; place a piece, such as Zc3")
    if over := _why_over(position):
        return over
    if isinstance(action, Pass):
        return None if position.turn_open else _capture_first(position)
    return _why_not_going(position, action) or _why_not_onto(position, action)


def piece_on(tops: str, point: int) -> Text:
    """Return the piece on top of a stack and its point, as in "the white Tzarra on d3"."""
    return text("the {piece} on {cell}", piece=PIECE_NAMES[tops[point]], cell=POINT_NAMES[point])


# --- placements ----------------------------------------------------------------------------------


def _why_not_placement(position: Referee, action: Placement) -> Text | None:
    if not position.in_setup:
        return law("setup", "nothing is placed any more; stacks are moved now")
    if position.tops[action.point] != EMPTY:
        return law("setup", "{piece} is in the way", piece=piece_on(position.tops, action.point))
    hand = dict(zip(KINDS, position.hand(position.mover), strict=True))
    if not hand[action.kind]:
        left = [
            text("{count} of {piece}", count=count, piece=piece_name(kind))
            for kind, count in hand.items()
            if count
        ]
        return law(
            "setup",
            "no {piece} is left to place; in hand: {hand}",
            piece=piece_name(action.kind),
            hand=join(left),
        )
    return None


# --- the turn ------------------------------------------------------------------------------------


def _why_over(position: Referee) -> Text | None:
    """Return how the play has ended, if it has."""
    outcome = position.outcome()
    if outcome is None or outcome.winner is None:
        return None
    loser = 1 - outcome.winner
    if outcome.reason is Reason.EXTINCTION:
        return law(
            "end.extinction",
            "the play is over: {side} shows no {piece} any more",
            side=SIDE_NAMES[loser],
            piece=piece_name(missing_kind(position.tops, loser)),
        )
    return law(
        "end.no-capture", "the play is over: {side} can capture nothing", side=SIDE_NAMES[loser]
    )


def _capture_first(position: Referee) -> Text:
    """Return a sentence saying that a turn must begin with a capture."""
    if position.stage.value == "first":
        return law("turn.first-turn", "White's very first turn is one capture and nothing else")
    return law(
        "turn.actions",
        "the first action of a turn must be a capture; {side} has to capture now",
        side=SIDE_NAMES[position.mover],
    )


# --- moves of stacks -----------------------------------------------------------------------------


def _why_not_moving(position: Referee, origin: int) -> Text | None:
    """Return why the mover has no stack on a point."""
    tops = position.tops
    if tops[origin] == EMPTY:
        return law("turn.actions", "nothing stands on {cell}", cell=POINT_NAMES[origin])
    if SIDE[tops[origin]] != position.mover:
        return law(
            "turn.actions",
            "{piece} is the other side's; {side} is to move",
            piece=piece_on(tops, origin),
            side=SIDE_NAMES[position.mover],
        )
    return None


def _why_not_going(position: Referee, action: Capture | Stacking) -> Text | None:
    """Return why a stack cannot go to the target at all: none, not the mover's, no free line."""
    tops, origin, target = position.tops, action.origin, action.target
    names = {"origin": POINT_NAMES[origin], "target": POINT_NAMES[target]}
    if elsewhere := _why_not_moving(position, origin):
        return elsewhere
    if origin == target:
        return law(
            "capture.lines",
            "a stack must go to another point than {cell}",
            cell=POINT_NAMES[origin],
        )
    if not _are_aligned(origin, target):
        return law("capture.lines", "no line leads from {origin} to {target}", **names)
    line = next((line for line in LINES_FROM[origin] if target in line), None)
    if line is None:
        return law(
            "capture.lines",
            "the missing centre lies between {origin} and {target}; no line leads over it",
            **names,
        )
    between = line[: line.index(target)]
    if blockers := [point for point in between if tops[point] != EMPTY]:
        return law(
            "capture.lines",
            "{piece} stands between {origin} and {target}",
            piece=piece_on(tops, blockers[0]),
            **names,
        )
    if tops[target] == EMPTY:
        return law(
            "capture.lines",
            "nothing stands on {cell}, and a stack goes only where another one stands",
            cell=POINT_NAMES[target],
        )
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
        return law("capture", "{piece} is your own; capture one of the other side's", piece=piece)
    if own and not stacks:
        word = str(STACKINGS[origin, target])
        return law(
            "stack", "{piece} is your own; {action} would stack onto it", piece=piece, action=word
        )
    if not own and other > height:
        return law(
            "capture.heights",
            "{victim} has height {other}, {piece} only {height}; a stack captures none that is "
            "higher",
            victim=piece,
            other=other,
            piece=piece_on(tops, origin),
            height=height,
        )
    if not own and stacks:
        word = str(CAPTURES[origin, target])
        return law(
            "stack",
            "{piece} is the other side's; {action} would capture it",
            piece=piece,
            action=word,
        )
    return None
