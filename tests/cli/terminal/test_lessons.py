from pathlib import Path

import pytest

from cli.terminal.conversations import said
from playing import Script, plain_screen, shown
from trine.cli.terminal.lessons import LessonDialogue, LessonsDone, first_to_do, lesson_index
from trine.core.contract.attempt import AttemptState
from trine.core.errors import FileError, IllegalError, MalformedError
from trine.games import open_room


def lesson(folder: Path, game: str, name: str) -> LessonDialogue:
    name_of_game, _, rules = game.partition("/")
    room = open_room(name_of_game)
    index = lesson_index(room.lessons(rules), name)
    return LessonDialogue(room, rules, plain_screen(), LessonsDone(folder / "lessons.txt"), index)


def state_of(dialogue: LessonDialogue) -> AttemptState:
    return dialogue.attempt.state


def test_why_is_answered_by_the_referee(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "arimaa/official", "unfreeze")
    assert "frozen by the horse on d6" in said(dialogue, "why d5s")
    assert "e4n is legal" in said(dialogue, "why e4n")
    assert "why takes an action" in said(dialogue, "why")
    assert not dialogue.attempt.play.open_actions


def test_hints_say_a_little_more_each_time(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "corridor/quoridor", "lane")
    first, second = map(str, dialogue.lesson.hints)
    (solution,) = dialogue.lesson.solution
    told = [said(dialogue, "hint").strip() for _ in range(4)]
    assert told == [first, second, solution, solution]


def test_an_empty_line_ends_a_turn_that_can_be_ended(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "arimaa/official", "push")
    assert "type an action such as" in said(dialogue, "")
    begun = said(dialogue, "d5n")
    assert "the elephant on d4 must go to d5" in begun
    assert "Enter ends the turn" not in begun
    assert "Enter ends the turn" in said(dialogue, "d4n")
    assert "Done! First the enemy moves" in said(dialogue, "")
    assert state_of(dialogue) is AttemptState.SOLVED


def test_a_turn_that_missed_is_explained_and_can_be_made_anew(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "tzaar/official", "no-capture")
    told = said(dialogue, "a1xc3 -")
    assert "does not do what was asked for" in told
    assert state_of(dialogue) is AttemptState.MISSED
    assert "White to" not in told
    said(dialogue, "undo")
    assert state_of(dialogue) is AttemptState.OPEN
    said(dialogue, "a1xc3 -")
    # Who has understood need not begin the lesson anew first.
    assert "Done!" in said(dialogue, "a1xc3 b4+b1")


def test_a_play_that_is_lost_says_so(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "tzaar/official", "top")
    told = said(dialogue, "h4xf6 c1+c3")
    assert "Black wins (extinction)" in told
    assert "the play is over" in said(dialogue, "why c1c3")


def test_the_answers_of_the_other_side_are_told(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "arimaa/official", "guard")
    told = said(dialogue, "h1nnw end")
    assert "Silver plays Df4s ef5s" in told
    assert "1 turn left" in told
    assert "Done!" in said(dialogue, "f3ss end")


def test_lessons_are_gone_through_in_both_directions(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "corridor/corridor", "start")
    assert "lesson 1 of 12" in said(dialogue, "back")
    assert "lesson 2 of 12" in said(dialogue, "next")
    assert "lesson 1 of 12" in said(dialogue, "back")
    dialogue.run(Script(*["next"] * 12))
    assert "0 of 12 lessons done" in shown(dialogue.screen)
    assert not dialogue.refused


def test_a_lesson_that_is_done_can_be_begun_anew(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "corridor/quoridor", "jump")
    assert "this is done" in said(dialogue, "e6", "e7")
    assert "lesson 4 of 12: The jump" in said(dialogue, "again")
    assert state_of(dialogue) is AttemptState.OPEN
    assert "lesson 5 of 12" in said(dialogue, "e6", "")


def test_the_solution_and_the_moves_are_shown_on_request(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "corridor/quoridor", "race")
    assert said(dialogue, "solution").split() == ["c8", "c9"]
    assert "c8" in said(dialogue, "moves")
    assert "hint" in said(dialogue, "help")
    assert "Counting the race" in said(dialogue, "list")
    assert dialogue.attempt.play.turns == []


def test_words_are_completed(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "arimaa/official", "push")
    assert dialogue.candidates("sol") == ["solution"]
    assert "hd5n" in dialogue.candidates("hd")
    assert "resign" not in dialogue.candidates("r")


def test_progress_is_kept_for_each_game(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lessons.txt"
    room = open_room("corridor")
    lessons = room.lessons("quoridor")
    progress = LessonsDone(path)
    assert first_to_do(room, lessons, progress) == 0
    for one in lessons[:2]:
        progress.add("corridor", one)
        progress.add("corridor", one)
    assert path.read_text().splitlines() == ["corridor step", "corridor goal"]
    again = LessonsDone(path)
    assert again.count("corridor", lessons) == 2
    assert again.count("arimaa", open_room("arimaa").lessons("official")) == 0
    assert first_to_do(room, lessons, again) == 2
    for one in lessons:
        again.add("corridor", one)
    assert first_to_do(room, lessons, again) == 0


def test_progress_that_cannot_be_written_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    lessons = open_room("tzaar").lessons("open")
    progress = LessonsDone(tmp_path / "file" / "lessons.txt")
    with pytest.raises(FileError, match=r"lessons\.txt"):
        progress.add("tzaar", lessons[0])
    assert progress.has("tzaar", lessons[0])


@pytest.mark.parametrize("given", ["0", "17", "-1", "²", "", "nonsense"])
def test_a_lesson_that_is_not_there_is_refused(given: str) -> None:
    lessons = open_room("tzaar").lessons("official")
    with pytest.raises((MalformedError, IllegalError), match="there are 1 to 16"):
        lesson_index(lessons, given)


def test_only_what_changes_is_told_beside_the_board(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "arimaa/official", "push")
    assert "lacks" not in said(dialogue, "board")
    told = said(dialogue, "d5e d4n")
    assert "2 steps left" in told
    assert "lacks" not in told
    dialogue = lesson(tmp_path, "corridor/quoridor", "race")
    assert "North: 2 steps to the goal" in said(dialogue, "c8")
