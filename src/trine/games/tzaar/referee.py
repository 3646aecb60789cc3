"""The referee of TZAAR: positions, legal actions, and the results of plays."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Self

from trine.core.contract.position import NO_HISTORY, History, Outcome, Reason, Seat
from trine.games.tzaar import board
from trine.games.tzaar.rules import (
    PASS,
    Action,
    Capture,
    Heights,
    Pass,
    Placement,
    RuleSet,
    after_moving,
    can_capture,
    captures_of,
    missing_kind,
    shown,
    stackings_of,
)


class Stage(Enum):
    """The kind of the next action; position texts have these values."""

    PLACE = "place"  # a placement: the board is still being filled, one piece a turn
    FIRST = "first"  # white's very first turn in `official`: one capture
    ONE = "1"  # the first action of a turn: a capture
    TWO = "2"  # the second action of a turn: a capture, a stacking or a pass


@dataclass(frozen=True, slots=True)
class Referee:
    """Everything that decides which actions are legal. Immutable and hashable.

    Two positions are equal if the same play can follow; turn numbers do not count.
    """

    rules: RuleSet
    tops: str  # the piece on top of the stack on each point
    heights: Heights
    mover: int = board.WHITE
    stage: Stage = Stage.ONE
    number: int = field(default=1, compare=False)
    """The number of the turn, as in ``2w``; one turn of White and one of Black share it."""

    @classmethod
    def before_placement(cls, rules: RuleSet) -> Self:
        return cls(rules, board.EMPTY_BOARD, board.NO_HEIGHTS, board.WHITE, Stage.PLACE)

    @classmethod
    def filled(cls, rules: RuleSet, tops: str, number: int = 1) -> Self:
        """Return a full board of single pieces at White's very first turn."""
        stage = Stage.FIRST if rules.first_turn_single else Stage.ONE
        return cls(rules, tops, (1,) * len(board.POINTS), board.WHITE, stage, number)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return board.SEATS

    @property
    def in_setup(self) -> bool:
        return self.stage is Stage.PLACE

    @property
    def turn_open(self) -> bool:
        return self.stage is Stage.TWO

    def shown(self, side: int) -> tuple[int, int, int]:
        return shown(self.tops, side)

    def captures(self, side: int) -> list[Capture]:
        """Return the captures of a side on this board, as if it were to move."""
        return captures_of(self.tops, self.heights, side)

    def hand(self, side: int) -> tuple[int, int, int]:
        """Return the number of Totts, Tzarras, Tzaars that a side has yet to place, if any."""
        if not self.in_setup:
            return 0, 0, 0
        totts, tzarras, tzaars = self.shown(side)
        return board.ARMY["T"] - totts, board.ARMY["Y"] - tzarras, board.ARMY["Z"] - tzaars

    def legal_actions(self, history: History = NO_HISTORY) -> tuple[Action, ...]:
        """Return the legal actions, each once.

        Guarantee: empty exactly if the play has an `outcome`.
        """
        if self.in_setup:
            return self._placements()
        if any(missing_kind(self.tops, side) for side in board.SIDES):
            return ()
        captures = self.captures(self.mover)
        if not self.turn_open:
            return tuple(captures)
        return (*captures, *stackings_of(self.tops, self.mover), PASS)

    def _placements(self) -> tuple[Placement, ...]:
        in_hand = [
            kind for kind, count in zip(board.KINDS, self.hand(self.mover), strict=True) if count
        ]
        empty = [point for point in board.POINTS if self.tops[point] == board.EMPTY]
        return tuple(Placement(kind, point) for kind in in_hand for point in empty)

    def play_unchecked(self, action: Action) -> Self:
        if isinstance(action, Placement):
            return self._after_placement(action)
        tops, heights = self.tops, self.heights
        if not isinstance(action, Pass):
            tops, heights = after_moving(tops, heights, action)
        if self.stage is Stage.ONE:
            return type(self)(self.rules, tops, heights, self.mover, Stage.TWO, self.number)
        return type(self)(
            self.rules, tops, heights, 1 - self.mover, Stage.ONE, self._number_of_next_turn
        )

    def passed(self) -> Self:
        """Return the position after a null turn: the board stays as it is."""
        number = self._number_of_next_turn
        return replace(self, mover=1 - self.mover, stage=Stage.ONE, number=number)

    def _after_placement(self, action: Placement) -> Self:
        point, piece = action.point, board.PIECES[self.mover][board.KINDS.index(action.kind)]
        tops = self.tops[:point] + piece + self.tops[point + 1 :]
        number = self._number_of_next_turn
        if board.EMPTY not in tops:
            return self.filled(self.rules, tops, number)
        heights = (*self.heights[:point], 1, *self.heights[point + 1 :])
        return type(self)(self.rules, tops, heights, 1 - self.mover, Stage.PLACE, number)

    @property
    def _number_of_next_turn(self) -> int:
        return self.number + (self.mover == board.BLACK)

    def outcome(self, history: History = NO_HISTORY) -> Outcome | None:
        """Return the result, judged after every action of a turn; None during the placement.

        Extinction is judged first. An action covers or takes one stack, so it can end the play for
        one player only. Source: official; Russian, "Если игрок не может первым полуходом срубить
        фишку противника, то он объявляется проигравшим".
        """
        if self.in_setup:
            return None
        for side in board.SIDES:
            if missing_kind(self.tops, side):
                return Outcome(1 - side, Reason.EXTINCTION)
        if not self.turn_open and not can_capture(self.tops, self.heights, self.mover):
            return Outcome(1 - self.mover, Reason.NO_CAPTURE)
        return None
