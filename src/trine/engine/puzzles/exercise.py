"""A puzzle as something to do: a lesson of one turn, so that what shows lessons shows it too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from trine.core.contract.lesson import Goal, Lesson, Reached
from trine.core.contract.position import Position
from trine.core.contract.turn import Turn
from trine.core.text.sentence import Text, join, text, verbatim
from trine.core.text.wording import describe, names
from trine.engine.puzzles.puzzle import Puzzle
from trine.engine.puzzles.themes import BETTER, STAKES, TASKS, theme_title

EFFECTS: Final = 2
"""The number of effects of the solution that are told."""


@lru_cache(maxsize=512)
def exercise(puzzle: Puzzle) -> Lesson:
    start, line = puzzle.start, puzzle.line
    stake = next((name for name in puzzle.themes if name in STAKES), BETTER)
    player = start.seats[start.mover].name
    return Lesson(
        name=puzzle.name,
        title=text("Puzzle {name}", name=puzzle.name),
        words=text("Difficulty {rating}", rating=puzzle.rating),
        task=Text(TASKS[stake].template, {"player": player}),
        position=puzzle.room.rules.format_position(start),
        goal=_solves(puzzle),
        solution=(puzzle.written(line[0]),),
        success=_success(puzzle),
        hints=tuple(_hints(puzzle)),
    )


def _solves(puzzle: Puzzle) -> Goal:
    """A turn solves it if it leads where a solution leads, or wins at once."""
    solved = {turn.after for turn in puzzle.solutions}

    def goal(reached: Reached) -> bool:
        won = reached.outcome is not None and reached.outcome.winner == reached.learner
        return won or reached.position in solved

    return goal


def _hints(puzzle: Puzzle) -> Iterator[Text]:
    room, turn = puzzle.room, puzzle.line[0]
    told = [room.book.themes[name].hint for name in puzzle.themes if name in room.book.themes]
    yield join(told, " ") if told else text("Look at what the other side wants to do next.")
    for tried in puzzle.tries[:1]:
        yield text("Not enough: {line}", line=written_line(puzzle, tried))
    first, picked = room.rules.format_action(turn.before, turn.actions[0]), room.view.picks
    if (cell := picked(turn.before, turn.actions[0])[0]) != first:
        yield text("It begins on {cell}.", cell=cell)
    yield text("It begins with {action}.", action=first)


def _success(puzzle: Puzzle) -> Text:
    """Return what the solution does, and what is expected to follow."""
    turn, follows = puzzle.line[0], puzzle.line[1:]
    after = turn.after.outcome()
    if after:
        return describe(names(turn.before.seats), after)
    effects = puzzle.room.view.effects(turn.before, turn.actions)[:EFFECTS]
    told = [effect.told for effect in effects]
    if follows:
        told.append(text("expected: {line}", line=written_line(puzzle, follows)))
    return join(told or [theme_title(puzzle.room, puzzle.themes[-1])], "; ")


def written_line(puzzle: Puzzle, turns: Sequence[Turn]) -> Text:
    return verbatim(
        ", ".join(f"{puzzle.room.tag(one.before)} {puzzle.written(one)}" for one in turns)
    )


def refutation(puzzle: Puzzle, after: Position) -> list[Turn] | None:
    """Return the turns that are known to refute a turn after which a position stands.

    None if nothing is known of it; there are none where it is only known not to be enough.
    """
    for tried in puzzle.tries:
        if tried[0].after == after:
            return tried[1:]
    return None


def themes_told(puzzle: Puzzle) -> Text:
    return join([theme_title(puzzle.room, name) for name in puzzle.themes], ", ")
