from pathlib import Path

from playing import plain_screen, shown
from trine.cli.commands.lessons import PuzzleDialogue
from trine.cli.terminal.lessons import LessonsDone
from trine.core.contract.attempt import AttemptState
from trine.core.play import Play
from trine.engine.puzzles.exercise import Answer
from trine.engine.puzzles.puzzle import IMMEDIATE_WIN, Puzzle, shipped

PUZZLE = next(one for one in shipped("tzaar") if one.tries and IMMEDIATE_WIN not in one.themes)


def dialogue(folder: Path, chance: float = 0.0) -> PuzzleDialogue:
    """A conversation about one puzzle, whose search finds a chance after any turn."""

    def search(puzzle: Puzzle, play: Play) -> Answer:
        return Answer(chance, "2b a1xa2")

    return PuzzleDialogue(
        *(PUZZLE.room, PUZZLE.rules, plain_screen(), LessonsDone(folder / "lessons.txt")),
        puzzles=[PUZZLE],
        search=search,
    )


def said(talk: PuzzleDialogue, line: str) -> str:
    before = len(shown(talk.screen))
    talk.do(line)
    return shown(talk.screen)[before:]


def other_turn() -> str:
    """A legal turn of which the file knows nothing."""
    known = {turn.after for turn in PUZZLE.solutions} | {one[0].after for one in PUZZLE.tries}
    for after, actions in PUZZLE.room.rules.turn_results(
        PUZZLE.start, Play(PUZZLE.room, PUZZLE.start).history
    ).items():
        if after not in known and after.outcome() is None:
            return " ".join(map(str, actions))
    raise AssertionError


def test_the_solution_is_right_and_kept(tmp_path: Path) -> None:
    talk = dialogue(tmp_path)
    assert "Right!" in said(talk, PUZZLE.written(PUZZLE.line[0]))
    assert LessonsDone(tmp_path / "lessons.txt").has("tzaar", PUZZLE)
    assert "That was the last puzzle." in shown(talk.screen)


def test_a_known_try_is_answered_by_its_refutation(tmp_path: Path) -> None:
    talk, (first, answer, *_) = dialogue(tmp_path), PUZZLE.tries[0]
    told = said(talk, PUZZLE.written(first))
    assert "Not enough" in told
    assert PUZZLE.written(answer) in told
    assert talk.attempt.state is AttemptState.MISSED


def test_an_unknown_turn_is_searched_and_counts_if_it_is_as_good(tmp_path: Path) -> None:
    assert "2b a1xa2" in said(dialogue(tmp_path), other_turn())
    assert "Right!" in said(dialogue(tmp_path, PUZZLE.chances[0]), other_turn())


def test_hints_lead_to_the_first_action(tmp_path: Path) -> None:
    talk = dialogue(tmp_path)
    told = [said(talk, "hint") for _ in range(5)]
    assert str(PUZZLE.line[0].actions[0]) in told[-1]
    assert str(PUZZLE.line[0].actions[0]) not in told[0]
    assert PUZZLE.written(PUZZLE.line[0]) in said(talk, "solution")
