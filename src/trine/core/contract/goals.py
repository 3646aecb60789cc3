"""The goals of lessons, by the words that a lesson file has for them.

A goal is a word with its arguments, such as ``stands E e5``. Here are the words that every game
understands; a game adds its own in the field ``goals`` of its `Handbook`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any, Final

from trine.core.contract.lesson import Goal, Reached
from trine.core.contract.outcome import Outcome, Reason

GoalWord = Callable[..., bool]
"""``word(reached, *arguments)``: whether the goal is reached. The arguments are annotated: strings,
numbers, or a `Reason`, which is written with hyphens (``wins no-capture``)."""
Pieces = Mapping[str, tuple[int, str]]
"""The owner and the letter of the piece on each cell that is not empty."""

_READ: Final[Mapping[object, Callable[[str], object]]] = MappingProxyType(
    {str: str, int: int, Reason: lambda word: Reason(word.replace("-", " "))}
)


def wins(reached: Reached, reason: Reason) -> bool:
    return reached.outcome == Outcome(reached.learner, reason)


def draws(reached: Reached, reason: Reason) -> bool:
    return reached.outcome == Outcome(None, reason)


def has_not_lost(reached: Reached) -> bool:
    return reached.outcome is None or reached.outcome.winner == reached.learner


GOALS: Final[Mapping[str, GoalWord]] = MappingProxyType(
    {"wins": wins, "draws": draws, "not-lost": has_not_lost}
)


def goals_of_pieces(pieces: Callable[[Any], Pieces]) -> dict[str, GoalWord]:
    """Return the goals that ask for pieces on cells, for a game that lists those of a position."""

    def count(position: Any, letter: str) -> int:
        return sum(piece == letter for _, piece in pieces(position).values())

    def lost(reached: Reached, player: int) -> int:
        before, after = (
            sum(owner == player for owner, _ in pieces(position).values())
            for position in (reached.start, reached.position)
        )
        return before - after

    def stands(reached: Reached, piece: str, *cells: str) -> bool:
        board = pieces(reached.position)
        return any(board.get(cell, (0, ""))[1] == piece for cell in cells)

    def holds(reached: Reached, *cells: str) -> bool:
        board = pieces(reached.position)
        return any(board.get(cell, (-1, ""))[0] == reached.learner for cell in cells)

    def kept(reached: Reached, piece: str) -> bool:
        return count(reached.position, piece) == count(reached.start, piece)

    def fewer(reached: Reached, piece: str) -> bool:
        return count(reached.position, piece) < count(reached.start, piece)

    def taken(reached: Reached, piece: str) -> bool:
        return fewer(reached, piece) and not lost(reached, reached.learner)

    def captured(reached: Reached, number: int) -> bool:
        return lost(reached, 1 - reached.learner) == number

    return {
        "stands": stands,
        "holds": holds,
        "kept": kept,
        "fewer": fewer,
        "taken": taken,
        "captured": captured,
    }


def read_goal(given: object, words: Mapping[str, GoalWord]) -> Goal:
    """Return the goal that a file names: one, or a list that must all be reached.

    >>> read_goal("not-lost D", GOALS)
    Traceback (most recent call last):
    ...
    ValueError: Expected not-lost, got 'not-lost D'
    """
    lines = given if isinstance(given, list) else [given]
    goals = [_one_goal(line, words) for line in lines]
    return lambda reached: all(goal(reached) for goal in goals)


def _one_goal(line: object, words: Mapping[str, GoalWord]) -> Goal:
    name, *given = line.split() if isinstance(line, str) and line else [""]
    if (word := words.get(name)) is None:
        raise ValueError(f"Expected a goal ({', '.join(sorted(words))}), got {line!r}")
    wanted = signature(word, eval_str=True)
    _, *parameters = wanted.parameters.values()
    try:
        wanted.bind(None, *given)
        kinds = [one.annotation for one in parameters]
        arguments = [_READ[kinds[min(at, len(kinds) - 1)]](one) for at, one in enumerate(given)]
    except (TypeError, ValueError):
        usage = " ".join([name, *(one.name.upper() for one in parameters)])
        raise ValueError(f"Expected {usage}, got {line!r}") from None
    return lambda reached: word(reached, *arguments)
