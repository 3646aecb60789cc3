"""A position of Arimaa: the referee, plus reasons in words; and whole turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trine.core.contract.position import Checked
from trine.core.history import NO_HISTORY, History
from trine.core.text.sentence import Text
from trine.games.arimaa import reasons
from trine.games.arimaa.referee import Referee
from trine.games.arimaa.rules import END, Action, End, Step


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


def legal_turns(position: Position, history: History = NO_HISTORY) -> Iterator[Turn]:
    """Yield every legal turn as a sequence of steps: hundreds of thousands in a middle game.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> corner = parse_position("g [e......." + "." * 48 + ".......R]")
    >>> sum(1 for _ in legal_turns(corner)), len(turn_results(corner))
    (52, 14)
    """
    if position.may_end(history):
        yield ()
    for step in position.possible_steps():
        for rest in legal_turns(position.play_unchecked(step), history):
            yield (step, *rest)


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
