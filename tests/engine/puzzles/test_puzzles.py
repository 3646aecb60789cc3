from pathlib import Path
from random import Random

import pytest

from trine.core.contract.attempt import Attempt, AttemptState
from trine.core.errors import MalformedError
from trine.engine.puzzles.exercise import Answer, exercise, is_solved_by, known_reply
from trine.engine.puzzles.puzzle import (
    IMMEDIATE_WIN,
    STAKES,
    Puzzle,
    name_of,
    read_puzzles,
    shipped,
)
from trine.games import ROOMS

FEW = 8
"""Puzzles of each game that the quick tests look at; the nightly ones look at all."""


def check(puzzle: Puzzle) -> None:
    """Check that a puzzle is what it says: legal, solved by its solutions and by no try."""
    room = puzzle.room
    position = room.rules.format_position(puzzle.start)
    assert puzzle.name == name_of(puzzle.game, puzzle.rules, position)
    assert puzzle.start.rules.name == puzzle.rules
    stakes = [name for name in puzzle.themes if name in STAKES]
    assert len(stakes) == 1
    assert set(puzzle.themes) <= {*stakes, *room.handbook.themes}
    if puzzle.idea:
        assert puzzle.themes == (*stakes, puzzle.idea)
        assert room.handbook.themes[puzzle.idea].used(puzzle.start, puzzle.line[0].actions)
    lesson = exercise(puzzle)
    assert len(lesson.hints) >= 2
    assert str(lesson.success)
    for solution in puzzle.solutions:
        assert tried(puzzle, puzzle.written(solution)).state is AttemptState.SOLVED
    for first, *answer in puzzle.tries:
        attempt = tried(puzzle, puzzle.written(first))
        assert attempt.state is AttemptState.MISSED
        if answer:
            assert puzzle.written(answer[0]) in str(known_reply(puzzle, attempt.play))
    if IMMEDIATE_WIN in puzzle.themes:
        outcome = puzzle.line[0].after.outcome()
        assert outcome is not None
        assert outcome.winner == puzzle.start.mover


def tried(puzzle: Puzzle, line: str) -> Attempt:
    attempt = Attempt(puzzle.room, puzzle.rules, exercise(puzzle))
    attempt.enter(line)
    if attempt.state is AttemptState.OPEN and puzzle.room.rules.end is not None:
        attempt.act(puzzle.room.rules.end)
    return attempt


@pytest.mark.parametrize("game", ROOMS)
def test_some_shipped_puzzles_are_what_they_say(game: str) -> None:
    for puzzle in Random(0).sample(shipped(game), min(FEW, len(shipped(game)))):
        check(puzzle)


@pytest.mark.nightly
@pytest.mark.parametrize("game", ROOMS)
def test_all_shipped_puzzles_are_what_they_say(game: str) -> None:
    for puzzle in shipped(game):
        check(puzzle)


def test_each_game_ships_puzzles_and_no_position_twice() -> None:
    for game in ROOMS:
        names = [puzzle.name for puzzle in shipped(game)]
        assert names
        assert len(set(names)) == len(names)


def test_a_record_without_the_tags_of_a_puzzle_is_named(tmp_path: Path) -> None:
    file = tmp_path / "game.trine"
    file.write_text('[Game "tzaar"]\n[Rules "open"]\n\n', encoding="utf-8")
    with pytest.raises(MalformedError, match=r"game\.trine:1: this record is no puzzle"):
        list(read_puzzles(file))


def test_a_turn_that_is_as_good_solves_a_puzzle_but_not_one_to_be_won_at_once() -> None:
    for puzzle in shipped("tzaar"):
        best = puzzle.chances[0]
        assert is_solved_by(puzzle, Answer(best, "")) is (IMMEDIATE_WIN not in puzzle.themes)
        assert not is_solved_by(puzzle, Answer(best - 0.2, ""))
