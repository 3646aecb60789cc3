"""The compiled rules of a game: positions, repetition, observations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trine.core.contract.position import ItsAction, ItsPosition
from trine.core.contract.score import UNRESTRICTED
from trine.core.errors import MalformedError

if TYPE_CHECKING:  # a board is shown without NumPy
    from trine.core.compiled.arrays import Buffer, Cells, Key, Row, Rows


@dataclass(frozen=True)
class Repetition:
    """A game's rule for the third occurrence of a position.

    Searches, environments and self-play need nothing else (`trine.core.compiled.repetition`).

    Limits: `LOSES` and `FORBIDDEN` are for two players.
    """

    rule: Callable[[ItsPosition], int]
    """``rule(position)``: the consequence of a third occurrence by the rule set, a constant of
    `trine.core.contract.score`."""
    can_recur: Callable[[Row], bool] | None = None
    """``can_recur(row)``: whether a position counts: at the beginning of a turn, after the setup.
    None: every position counts."""
    longest_turn: int = 1
    """The maximum number of actions in a turn, its end included."""


@dataclass(frozen=True)
class Kernel:
    """A game's compiled rules; opened by `trine.games.open_kernel`.

    A position is a row of 64-bit words, an action a number. The functions ignore history: callers
    that have it judge repetition.

    Shapes: a row is ``uint64[words(position)]``, rows ``uint64[plies, words]``, a buffer for
        actions ``int32[max_actions]``, buffers ``int32[plies, max_actions]``; the caller allocates
        them.
    """

    words: Callable[[ItsPosition], int]
    """The number of words of a row for a position and all its successors."""
    max_actions: int
    """The maximum number of legal actions in a position."""
    actions: Callable[[ItsPosition], int]
    """The number of distinct action numbers in plays from a position."""
    number_of: Callable[[ItsPosition, ItsAction], int]
    """The number of an action in a position."""
    action_of: Callable[[ItsPosition, int], ItsAction]
    """The action with a number in a position; raises `MalformedError`."""
    to_row: Callable[[ItsPosition, Row], None]
    """``to_row(position, row)`` writes a position into a row."""
    to_position: Callable[[Row], ItsPosition]
    generate: Callable[[Row, Buffer], int]
    """``generate(row, buffer)``: writes the legal actions; returns their number, 0 after the
    end."""
    play: Callable[[Rows, int, int], None]
    """``play(rows, ply, action)`` writes the row after ``ply``."""
    result: Callable[[Row], int]
    """The winner's number, -1 while the play goes on, -2 for a draw."""
    mover: Callable[[Row], int]
    key: Callable[[Row], Key]
    """A 64-bit hash of the position; collisions are possible but rare."""

    # only if the game can count faster than by listing the actions
    count: Callable[[Row], int] | None = None
    """``count(row)``: the number of legal actions."""
    turns: Callable[[Row], int] | None = None
    """``turns(row)``: the number of distinct positions after a whole turn from its beginning, as
    `Rules.turn_results` finds them; -1 within a turn or a setup. None if the referee is fast
    enough."""

    # repetition and observations
    repetition: Repetition = Repetition(lambda position: UNRESTRICTED)
    """By default repetition has no consequence."""
    play_in_place: Callable[[Rows, int], bool] | None = None
    """``play_in_place(rows, action)`` plays an action in the first of two rows (the second is
    scratch) and returns whether it is irreversible, so that no earlier position can recur. None:
    `play` is used, and the whole history is kept."""
    observation_shape: Callable[[Row], tuple[int, int, int]] | None = None
    """``observation_shape(row)``: the planes, rows and columns of an observation."""
    observe: Callable[[Row, int, Cells], None] | None = None
    """``observe(row, viewer, cells)`` writes a player's observation into zeroed cells. None, as
    `observation_shape`: the bits of the row, and the viewer's index (`trine.engine.rl`)."""

    def row_of(self, position: ItsPosition) -> Row:
        import numpy as np  # boards are shown without NumPy

        row = np.zeros(self.words(position), np.uint64)
        self.to_row(position, row)
        return row

    def key_of(self, position: ItsPosition) -> int:
        return int(self.key(self.row_of(position)))


def check_number(number: int, actions: int) -> None:
    """Raise `MalformedError` if a number is no action, from 0 to ``actions`` - 1.

    >>> check_number(9, 9)
    Traceback (most recent call last):
    trine.core.errors.MalformedError: 9 is no number of an action; expected 0 to 8
    """
    if not 0 <= number < actions:
        raise MalformedError(
            "{given} is no number of an action; expected 0 to {last}",
            given=number,
            last=actions - 1,
        )
