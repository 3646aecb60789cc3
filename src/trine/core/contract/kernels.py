"""The compiled twin of a room's referee: a play, what repeats in it, what programs see of it."""

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
    """The rule of a game for positions that stand for the third time, said once.

    Searches, batches and self-play have all they need of it (`trine.core.compiled.repetition`).

    Limits: `LOSES` and `FORBIDDEN` are for two players.
    """

    rule: Callable[[ItsPosition], int]
    """``rule(position)``: what a third standing means by the rule set, as
    `trine.core.contract.score` has it."""
    can_recur: Callable[[Row], bool] | None = None
    """``can_recur(row)``: whether a position is one that counts: the beginning of a turn, the
    setup over. None where each is."""
    longest_turn: int = 1
    """No turn has more actions, its end included."""


@dataclass(frozen=True)
class Kernel:
    """The fast twin of a room's referee, compiled; opened by `trine.games.open_kernel`.

    A position is a row of 64-bit words, an action a number. Its functions know no history: who does
    judges repetition with it.

    Shapes: a row is ``uint64[words(position)]``, rows ``uint64[plies, words]``, a buffer for
        actions ``int32[max_actions]``, buffers ``int32[plies, max_actions]``; all are the
        caller's.
    """

    words: Callable[[ItsPosition], int]
    """The number of words in a row that can hold a position, and all that can follow it."""
    max_actions: int
    """No position has more legal actions."""
    actions: Callable[[ItsPosition], int]
    """The number of distinct action numbers in plays that begin in a position."""
    number_of: Callable[[ItsPosition, ItsAction], int]
    """``number_of(position, action)``"""
    action_of: Callable[[ItsPosition, int], ItsAction]
    """``action_of(position, number)``. Raises `MalformedError`."""
    to_row: Callable[[ItsPosition, Row], None]
    """``to_row(position, row)``"""
    to_position: Callable[[Row], ItsPosition]
    generate: Callable[[Row, Buffer], int]
    """``generate(row, buffer)``: the legal actions, and how many they are; none after the end."""
    play: Callable[[Rows, int, int], None]
    """``play(rows, ply, action)`` writes the row after ``ply``."""
    result: Callable[[Row], int]
    """The winner's number, -1 while the play goes on, -2 for a draw."""
    mover: Callable[[Row], int]
    key: Callable[[Row], Key]
    """A number that equal positions share, and others do not but by chance."""

    # where the room has a faster way than a list of all actions
    count: Callable[[Row], int] | None = None
    """``count(row)``: how many legal actions there are."""
    turns: Callable[[Row], int] | None = None
    """``turns(row)``: how many distinct positions a whole turn can make, from its beginning, as
    `Rules.turn_results` finds them; -1 within a turn or a setup. None where the referee is quick
    enough."""

    # where positions repeat, and where programs learn
    repetition: Repetition = Repetition(lambda position: UNRESTRICTED)
    """Nothing repeats unless a room says so."""
    play_in_place: Callable[[Rows, int], bool] | None = None
    """``play_in_place(rows, action)`` plays an action in the first of two rows (the second is
    scratch) and returns whether it is irreversible, so that no earlier position can recur. None:
    `play` is used, and the whole history is kept."""
    observation_shape: Callable[[Row], tuple[int, int, int]] | None = None
    """``observation_shape(row)``: the planes, rows and columns of an observation."""
    observe: Callable[[Row, int, Cells], None] | None = None
    """``observe(row, viewer, cells)`` writes a player's observation into zeroed cells. None, as
    `observation_shape`: the bits of the row (`trine.engine.batch.kernel.observe_bits`)."""

    def row_of(self, position: ItsPosition) -> Row:
        import numpy as np  # a board is shown without it

        row = np.zeros(self.words(position), np.uint64)
        self.to_row(position, row)
        return row

    def key_of(self, position: ItsPosition) -> int:
        return int(self.key(self.row_of(position)))


def check_number(number: int, actions: int) -> None:
    """Raise `MalformedError` if a number is not one of so many actions.

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
