"""A position of TZAAR: the referee, plus reasons in words.

A reason is the law that forbids an illegal action, by its name in the rule book. The order of the
questions is a patient teacher's: is the play still going on, whose stack is it, does a free line
lead there, what stands there, may it be taken.
"""

from dataclasses import dataclass
from typing import Final

from trine.core.contract import position as contract
from trine.core.contract.handbook import Laws
from trine.core.contract.position import NO_HISTORY, History, Outcome, Reason
from trine.core.text.sentence import Text, join, text
from trine.games.tzaar import board, rules
from trine.games.tzaar.referee import Referee, Stage

law: Final = Laws("trine.games.tzaar")


def piece_on(tops: str, point: int) -> Text:
    """Return the piece on top of a stack and its point, as in "the white Tzarra on d3"."""
    return text(
        "the {piece} on {cell}", piece=board.PIECE_NAMES[tops[point]], cell=board.POINT_NAMES[point]
    )


def _why_not_placement(position: Referee, action: rules.Placement) -> Text | None:
    if not position.in_setup:
        return law("placing-over")
    if position.tops[action.point] != board.EMPTY:
        return law("taken", piece=piece_on(position.tops, action.point))
    hand = dict(zip(board.KINDS, position.hand(position.mover), strict=True))
    if not hand[action.kind]:
        left = [
            text("{count} of {piece}", count=count, piece=board.piece_name(kind))
            for kind, count in hand.items()
            if count
        ]
        return law("none-left", piece=board.piece_name(action.kind), hand=join(left))
    return None


def _how_over(position: Referee, outcome: Outcome) -> Text:
    loser = int(outcome.winner == 0)
    if outcome.reason is Reason.EXTINCTION:
        kind = board.piece_name(rules.missing_kind(position.tops, loser))
        return law("over-extinct", side=board.SIDE_NAMES[loser], piece=kind)
    return law("over-no-capture", side=board.SIDE_NAMES[loser])


def _capture_first(position: Referee) -> Text:
    """Return a sentence saying that a turn must begin with a capture."""
    if position.stage is Stage.FIRST:
        return law("first-turn")
    return law("capture-first", side=board.SIDE_NAMES[position.mover])


def _why_not_moving(position: Referee, origin: int) -> Text | None:
    """Return why the mover has no stack on a point."""
    tops = position.tops
    if tops[origin] == board.EMPTY:
        return law("empty", cell=board.POINT_NAMES[origin])
    if board.SIDE[tops[origin]] != position.mover:
        return law("not-yours", piece=piece_on(tops, origin), side=board.SIDE_NAMES[position.mover])
    return None


def _why_not_going(position: Referee, action: rules.Capture | rules.Stacking) -> Text | None:
    """Return why no stack of the mover can go from one point to another.

    There is no such stack, no free line leads there, or the target is empty.
    """
    tops, origin, target = position.tops, action.origin, action.target
    names = {"origin": board.POINT_NAMES[origin], "target": board.POINT_NAMES[target]}
    if elsewhere := _why_not_moving(position, origin):
        return elsewhere
    if origin == target:
        return law("same-point", cell=board.POINT_NAMES[origin])
    if not _are_aligned(origin, target):
        return law("no-line", **names)
    line = next((line for line in board.LINES_FROM[origin] if target in line), None)
    if line is None:
        return law("centre", **names)
    between = line[: line.index(target)]
    if blockers := [point for point in between if tops[point] != board.EMPTY]:
        return law("blocked", piece=piece_on(tops, blockers[0]), **names)
    if tops[target] == board.EMPTY:
        return law("empty-target", cell=board.POINT_NAMES[target])
    return None


def _are_aligned(origin: int, target: int) -> bool:
    """Return whether two points are on one line, even if the missing centre is between them."""
    (column, height), (other_column, other_height) = (
        board.COORDINATES[origin],
        board.COORDINATES[target],
    )
    return column == other_column or abs(height - other_height) == abs(column - other_column)


def _why_not_onto(position: Referee, action: rules.Capture | rules.Stacking) -> Text | None:
    """Return why a target that can be reached does not allow this kind of action."""
    origin, target, tops = action.origin, action.target, position.tops
    height, other = position.heights[origin], position.heights[target]
    piece, own = piece_on(tops, target), board.SIDE[tops[target]] == position.mover
    stacks = isinstance(action, rules.Stacking)
    if stacks and not position.turn_open:
        return _capture_first(position)
    if own and not position.turn_open:
        return law("own", piece=piece)
    if own and not stacks:
        return law("own-stacks", piece=piece, action=str(rules.STACKINGS[origin, target]))
    if not own and other > height:
        return law("higher", victim=piece, other=other, piece=piece_on(tops, origin), height=height)
    if not own and stacks:
        return law("enemy-captures", piece=piece, action=str(rules.CAPTURES[origin, target]))
    return None


@dataclass(frozen=True, slots=True)
class Position(Referee, contract.Position):
    """The public position: the referee, plus reasons in words.

    >>> from trine.games.tzaar.rules import PASS, RULE_SETS
    >>> start = Position.before_placement(RULE_SETS["official"])
    >>> print(start.why_not(PASS))
    the board is filled first; place a piece, such as Zc3
    """

    def why_not(self, action: rules.Action, history: History = NO_HISTORY) -> Text | None:
        if isinstance(action, rules.Placement):
            return _why_not_placement(self, action)
        if self.in_setup:
            return law("fill-first")
        if outcome := self.outcome():
            return _how_over(self, outcome)
        if isinstance(action, rules.Pass):
            return None if self.turn_open else _capture_first(self)
        return _why_not_going(self, action) or _why_not_onto(self, action)

    def warning(self, action: rules.Action, history: History = NO_HISTORY) -> Text | None:
        """Return a warning if a legal stacking would hide the last piece of a kind, and so lose."""
        if not isinstance(action, rules.Stacking):
            return None
        covered = self.tops[action.target]
        if self.tops.count(covered) > 1:
            return None
        return text(
            "{action} covers your last {piece} in sight: you would lose at once",
            action=str(action),
            piece=board.piece_name(covered),
        )
