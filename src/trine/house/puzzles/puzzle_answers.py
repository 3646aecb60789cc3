"""The answers to attempts at a puzzle: whether a turn solves it, and if not, its refutation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from trine.core.contract.attempt import AttemptState
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
from trine.engine.puzzles.puzzle import Puzzle
from trine.house.games.live.drafts import read_draft
from trine.house.lessons.messages import Gestures, LessonState, Solution, Trial, Why
from trine.house.lessons.trial import lesson_state, scene_of

Search = Callable[[Play], Awaitable[tuple[Answer, Sequence[str]] | None]]
"""A function that returns the computer's answer to a turn, and the ids of its reply; None without a
search."""


async def puzzle_state(
    puzzle: Puzzle, trial: Trial, search: Search
) -> LessonState | Why | Gestures:
    state = lesson_state(puzzle.room, puzzle.rules, exercise(puzzle), trial)
    if isinstance(state, LessonState) and state.state == AttemptState.MISSED.value:
        await _answer(puzzle, trial, state, search)
    return state


async def _answer(puzzle: Puzzle, trial: Trial, state: LessonState, search: Search) -> None:
    """Mark a state as solved if the turn is as good as the solution; else store the reason."""
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
    play = Play(puzzle.room, puzzle.start)
    views = [scene_of(play).view]
    for turn in puzzle.line:
        play.act_unchecked(*turn.actions)
        views.append(scene_of(play).view)
    told = text("solution: {line}", line=written_line(puzzle, puzzle.line))
    return Solution(views, told)
