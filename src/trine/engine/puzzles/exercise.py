"""Puzzles as lessons of one turn, so that all code for lessons works with them.

Answers that the puzzle file lacks are judged by a search.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from trine.core.clock import Limits
from trine.core.contract.lesson import Goal, Lesson, Reached
from trine.core.contract.position import Position, Turn
from trine.core.play import Play, ended, names, written_actions
from trine.core.text.sentence import Text, join, text, verbatim
from trine.engine.players.assessment import percent, turns_of
from trine.engine.puzzles.puzzle import (
    BETTER,
    IMMEDIATE_WIN,
    JUDGE_NODES,
    SOLUTION_MARGIN,
    STAKES,
    TASKS,
    Puzzle,
    theme_title,
)

MAX_EFFECTS: Final = 2  # maximum number of the solution's effects that are shown


@lru_cache(maxsize=512)
def exercise(puzzle: Puzzle) -> Lesson:
    start, line = puzzle.start, puzzle.line
    stake = next((name for name in puzzle.themes if name in STAKES), BETTER)
    return Lesson(
        name=puzzle.name,
        title=text("Puzzle {name}", name=puzzle.name),
        words=join([side_text(puzzle), text("Difficulty {rating}", rating=puzzle.rating)], " "),
        task=TASKS[stake],
        position=puzzle.room.rules.format_position(start),
        goal=_solves(puzzle),
        solution=(puzzle.written(line[0]),),
        success=_success(puzzle),
        hints=tuple(_hints(puzzle)),
    )


def side_text(puzzle: Puzzle) -> Text:
    return text("You play {side}.", side=puzzle.start.seats[puzzle.start.mover].name)


def _solves(puzzle: Puzzle) -> Goal:
    """Return the goal of a puzzle: the position after a solution, or an immediate win."""
    solved = {turn.after for turn in puzzle.solutions}

    def goal(reached: Reached) -> bool:
        won = reached.outcome is not None and reached.outcome.winner == reached.learner
        return won or reached.position in solved

    return goal


def _hints(puzzle: Puzzle) -> Iterator[Text]:
    room, turn = puzzle.room, puzzle.line[0]
    hints = [
        room.handbook.themes[name].hint for name in puzzle.themes if name in room.handbook.themes
    ]
    yield join(hints, " ") if hints else text("Look at what the other side wants to do next.")
    for tried in puzzle.tries[:1]:
        yield text("Not enough: {line}", line=written_line(puzzle, tried))
    first, picked = room.rules.format_action(turn.before, turn.actions[0]), room.view.picks
    if (cell := picked(turn.before, turn.actions[0])[0]) != first:
        yield text("It begins on {cell}.", cell=cell)
    yield text("It begins with {action}.", action=first)


def _success(puzzle: Puzzle) -> Text:
    turn, follows = puzzle.line[0], puzzle.line[1:]
    after = turn.after.outcome()
    if after:
        return ended(puzzle.room, turn.after, names(turn.after.seats), after, {turn.player})
    effects = puzzle.room.view.effects(turn.before, turn.actions)[:MAX_EFFECTS]
    parts = [effect.text for effect in effects]
    if follows:
        parts.append(text("expected: {line}", line=written_line(puzzle, follows)))
    return join(parts or [theme_title(puzzle.room, puzzle.themes[-1])], "; ")


def written_line(puzzle: Puzzle, turns: Sequence[Turn]) -> Text:
    return verbatim(
        ", ".join(f"{puzzle.room.tag(one.before)} {puzzle.written(one)}" for one in turns)
    )


def refutation(puzzle: Puzzle, after: Position) -> list[Turn] | None:
    """Return the stored refutation of the turn that leads to ``after``.

    Returns: an empty list if the turn is stored without a refutation; None if it is not stored.
    """
    for tried in puzzle.tries:
        if tried[0].after == after:
            return tried[1:]
    return None


def themes_text(puzzle: Puzzle) -> Text:
    return join([theme_title(puzzle.room, name) for name in puzzle.themes], ", ")


ANOTHER: Final = text("another turn is better")  # the default reason why a turn is not enough
HASH_MB: Final = 8


@dataclass(frozen=True)
class Answer:
    """The judgement of a turn that a person tried."""

    chance: float  # the person's win chance after the turn
    reply: str  # the reply with its tag; empty if the play is over


def is_solved_by(puzzle: Puzzle, answer: Answer) -> bool:
    """Return whether a turn is as good as the solution, by a search.

    If an idea is asked for, a turn only has to be nearer to the solution than to the best other
    turn: idle steps can cost a little.
    """
    if IMMEDIATE_WIN in puzzle.themes:
        return False
    best, other = puzzle.chances
    least = (best + other) / 2 if puzzle.idea else best - SOLUTION_MARGIN
    return answer.chance >= least


def known_reply(puzzle: Puzzle, play: Play) -> Text | None:
    """Return why the played turn is not enough, if the puzzle file has the reason."""
    if play.outcome:
        return play.ended_for(play.start.mover)
    turns = refutation(puzzle, play.position)
    if turns is None:
        return None
    if not turns:
        return ANOTHER
    return reply_text(puzzle, str(written_line(puzzle, turns)), puzzle.chances[1])


def reply_text(puzzle: Puzzle, reply: str, chance: float) -> Text:
    """Return why a turn is not enough: the reply, and the chance after it."""
    if not chance:
        return text("{reply}, and you are lost", reply=verbatim(reply))
    return text(
        "{reply}, and you have a chance of {after} %, not {best} %",
        reply=verbatim(reply),
        after=percent(chance),
        best=percent(puzzle.chances[0]),
    )


def judge_by_search(puzzle: Puzzle, play: Play) -> Answer:
    """Return a search's judgement of the last turn of a play; imports Numba."""
    from trine.engine.players.bot import Bot
    from trine.engine.players.chances import shares

    found = Bot(puzzle.game, hash_mb=HASH_MB).analyze(play, Limits(nodes=JUDGE_NODES))[0]
    before, actions = turns_of(play.position, found.pv)[0]
    reply = f"{play.room.tag(before)} {written_actions(play.room, before, actions)}"
    return Answer(shares(play.room, before, found.score)[puzzle.start.mover], reply)
