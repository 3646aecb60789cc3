"""A position of Arimaa: the referee, plus reasons in words; and whole turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from trine.core.contract.position import NO_HISTORY, Checked, History
from trine.core.text.sentence import Text
from trine.games.arimaa import reasons
from trine.games.arimaa.board import EMPTY, HOME_RANKS
from trine.games.arimaa.referee import Referee
from trine.games.arimaa.rules import END, Action, End, Placement, Step

MOST_CHANGED: Final = 3
"""The squares that a step changes at most: those of the step, and a trap."""


@dataclass(frozen=True, slots=True)
class Position(Referee, Checked):
    """The public position: the referee, plus reasons in words.

    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> print(start.why_not(END))
    16 pieces are still to be placed: EMHHDDCCRRRRRRRR
    """

    def why_not(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        return reasons.why_not(self, action, history)

    def warning(self, action: Action, history: History = NO_HISTORY) -> Text | None:
        """Return how a legal end of the turn would end the play without a win; else None.

        Other actions give None, since positions are judged only at the end of a turn.
        """
        if not isinstance(action, End) or self.hands:
            return None
        after, ahead = self.passed(), history.copy()
        ahead.add(after.key)
        outcome = after.outcome(ahead)
        if outcome is None or outcome.winner == self.mover:
            return None
        return reasons.ending_text(self, outcome)


# --- whole turns ----------------------------------------------------------------------------------

Turn = tuple[Step, ...]
"""The steps of a turn, without its end."""


def legal_turns(
    position: Position,
    history: History = NO_HISTORY,
    follows: Callable[[Position], bool] = lambda after: True,
) -> Iterator[Turn]:
    """Yield every legal turn as a sequence of steps: hundreds of thousands in a middle game.

    Args: ``follows`` says of the position after a step whether the turn is to go on from there.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> corner = parse_position("g [e......." + "." * 48 + ".......R]")
    >>> sum(1 for _ in legal_turns(corner)), len(turn_results(corner))
    (52, 14)
    """
    if position.may_end(history):
        yield ()
    for step in position.possible_steps():
        after = position.play_unchecked(step)
        if follows(after):
            for rest in legal_turns(after, history, follows):
                yield (step, *rest)


def turns_towards(position: Position, target: Position) -> Iterator[tuple[Action, ...]]:
    """Yield the legal turns that can lead to a target, among them all that do.

    Of the orders of a setup, there is one.
    """

    def is_near(after: Position) -> bool:
        changed = sum(old != new for old, new in zip(after.board, target.board, strict=True))
        return changed <= MOST_CHANGED * after.steps_left

    if position.hands:
        yield from _setups_towards(position, target)
    elif is_near(position):
        yield from legal_turns(position, follows=is_near)


def _setups_towards(position: Position, target: Position) -> Iterator[tuple[Action, ...]]:
    """Yield the one setup of the mover that can lead to a target, if it is legal."""
    placements: list[Action] = []
    for square in HOME_RANKS[position.mover]:
        if position.board[square] == EMPTY != target.board[square]:
            placement = Placement(target.board[square], square)
            if position.why_not(placement):
                return
            placements.append(placement)
            position = position.play_unchecked(placement)
    if position.may_end():
        yield tuple(placements)


def turn_results(position: Position, history: History = NO_HISTORY) -> dict[Position, Turn]:
    """Return the distinct positions that one whole turn can make, each with a shortest such turn.

    If the position is within a turn, that turn is continued.

    Limits: a middle game has some 20,000 of them, a crowded one up to 100,000.
    """
    results: dict[Position, Turn] = {}
    seen = {(position.board, position.pull, position.push)}
    front: list[tuple[Position, Turn]] = [(position, ())]
    while front:
        reached = []
        for before, turn in front:
            if before.may_end(history):
                results.setdefault(before.play_unchecked(END), turn)
            for step in before.possible_steps():
                after = before.play_unchecked(step)
                # A position reached with fewer steps leads to all positions that follow from here.
                state = (after.board, after.pull, after.push)
                if state not in seen:
                    seen.add(state)
                    reached.append((after, (*turn, step)))
        front = reached
    return results
