"""The answers to a puzzle that a page can give without a connection.

A page knows no rules, so it is given the state after each beginning of the known solutions, and of
the tries whose refutation is known. Only puzzles are kept whose solutions are few and all known.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Final

import msgspec

from trine.core.contract.attempt import AttemptState
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.engine.puzzles.exercise import (
    ANOTHER,
    Answer,
    exercise,
    is_solved_by,
    known_reply,
    refutation,
    reply_text,
    written_line,
)
from trine.engine.puzzles.judgement import AT_ONCE
from trine.engine.puzzles.puzzle import Puzzle, shipped
from trine.games import ROOMS
from trine.house.games.drafts import read_draft
from trine.house.lessons.messages import LessonState, Trial, Why
from trine.house.lessons.trial import lesson_state, scene_of
from trine.house.puzzles.messages import Kept, KeptState, PuzzleState, Solution

SET: Final = 50
"""The number of puzzles of a set."""
FEW: Final = 3
"""A puzzle with more solutions is not kept."""
OTHERWISE: Final = text(
    "This is none of the solutions that are known here. With a connection the computer looks at it."
)
Search = Callable[[Play], Awaitable[tuple[Answer, Sequence[str]] | None]]
"""The finding of the computer after a turn, and the ids of its reply; None if it is not asked."""


async def puzzle_state(puzzle: Puzzle, trial: Trial, search: Search) -> PuzzleState | Why:
    """Return the state of a try.

    Raises:
        TrineError: an action is not legal, or comes when the try is over.
    """
    found = lesson_state(puzzle.room, puzzle.rules, exercise(puzzle), trial)
    if isinstance(found, Why):
        return found
    state = PuzzleState(**msgspec.structs.asdict(found))
    if found.state == AttemptState.MISSED.value:
        await _answer(puzzle, trial, state, search)
    return state


async def _answer(puzzle: Puzzle, trial: Trial, state: LessonState, search: Search) -> None:
    """Tell why a turn does not solve the puzzle, or that it is as good as the solution."""
    play = Play(puzzle.room, puzzle.start)
    for given in trial.a:
        play.follow(read_draft(play, [given]))
    reply: Sequence[str] = ()
    why = known_reply(puzzle, play)
    if why:
        turns = refutation(puzzle, play.position)
        reply = [str(action) for action in turns[0].actions] if turns else ()
    elif found := await search(play):
        answer, reply = found
        if is_solved_by(puzzle, answer):
            state.state = AttemptState.SOLVED.value
            state.told = text("Done! {success}", success=text("Your turn is as good as ours."))
            return
        why = reply_text(puzzle, answer.reply, answer.chance)
    state.told = text("Not enough: {line}", line=why or ANOTHER)
    if reply:
        state.first = scene_of(play).view
        for given in reply:
            play.follow(read_draft(play, [given]))
        state.view = scene_of(play).view


def solution_of(puzzle: Puzzle) -> Solution:
    """Return the solution and what is expected to follow, to be seen on the board."""
    play = Play(puzzle.room, puzzle.start)
    views = [scene_of(play).view]
    for turn in puzzle.line:
        play.act_unchecked(*turn.actions)
        views.append(scene_of(play).view)
    told = text("solution: {line}", line=written_line(puzzle, puzzle.line))
    return Solution(views, told)


@cache
def keepable() -> Sequence[Puzzle]:
    """Return the puzzles that can be kept, easy and hard ones of all games among each other.

    Those to be won at once have many solutions that only the referee knows, as have ideas.
    """
    return sorted(
        (
            one
            for game in ROOMS
            for one in shipped(game)
            if AT_ONCE not in one.themes and not one.idea and len(one.solutions) <= FEW
        ),
        key=lambda one: one.name,
    )


async def kept_puzzle(puzzle: Puzzle) -> Kept:
    """Return the answers to a puzzle that can be given without a connection."""
    states: list[KeptState] = []
    for actions in sorted(set(_known(puzzle)), key=len):
        for submit in (False, True):
            try:
                state = await puzzle_state(puzzle, Trial(a=list(actions), submit=submit), _nobody)
            except TrineError:
                continue  # these actions in another order
            if isinstance(state, PuzzleState):
                states.append(KeptState(submit, state))
    return Kept(states, OTHERWISE)


def _known(puzzle: Puzzle) -> Iterator[tuple[str, ...]]:
    """Yield the beginnings of the turns that are known, in any order of their actions."""
    for turn in [*puzzle.solutions, *(tried[0] for tried in puzzle.tries)]:
        for order in permutations(turn.actions):
            for length in range(len(order) + 1):
                yield tuple(map(str, order[:length]))


async def _nobody(play: Play) -> tuple[Answer, Sequence[str]] | None:
    """Return no answer: another order of a solution needs none."""
    return None
