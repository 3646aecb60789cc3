"""The referee of three in a row."""

from dataclasses import dataclass
from typing import Self

from trine.core.contract import position as contract
from trine.core.contract.position import NO_HISTORY, History, Outcome, Reason, RuleSet, Seat
from trine.core.text.sentence import Text, text
from trine_games.three.board import EMPTY, LETTERS, NAMES, SEATS, SIZE
from trine_games.three.rules import PLAIN, Mark, has_line


@dataclass(frozen=True)
class Position(contract.Position):
    """The state that decides which actions are legal: the board, which also decides the mover.

    >>> len(Position().legal_actions())
    9
    """

    board: str = EMPTY * SIZE
    rules: RuleSet = PLAIN

    @property
    def seats(self) -> tuple[Seat, ...]:
        return SEATS

    @property
    def marked(self) -> int:
        return SIZE - self.board.count(EMPTY)

    @property
    def mover(self) -> int:
        return self.marked % 2

    @property
    def number(self) -> int:
        return self.marked // 2 + 1

    def legal_actions(self, history: History = NO_HISTORY) -> tuple[Mark, ...]:
        """Return the empty squares; nothing after the end."""
        if self.outcome():
            return ()
        return tuple(Mark(square) for square in range(SIZE) if self.board[square] == EMPTY)

    def why_not(self, action: Mark, history: History = NO_HISTORY) -> Text | None:
        """Return the rule that forbids an action; None if it is legal."""
        if self.outcome():
            return text("the play is over")
        if self.board[action.square] != EMPTY:
            return text("{cell} is marked already", cell=NAMES[action.square])
        return None

    def play_unchecked(self, action: Mark) -> Self:
        square = action.square
        board = self.board[:square] + LETTERS[self.mover] + self.board[square + 1 :]
        return type(self)(board, self.rules)

    def outcome(self, history: History = NO_HISTORY) -> Outcome | None:
        """Return the result: three in a row win, a full board is a draw."""
        for player, letter in enumerate(LETTERS):
            if has_line(self.board, letter):
                return Outcome(player, Reason.GOAL)
        return None if EMPTY in self.board else Outcome(None, Reason.IMMOBILIZATION)
