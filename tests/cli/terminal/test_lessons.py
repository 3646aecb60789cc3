from pathlib import Path

import pytest

from cli.terminal.conversations import check_talk, said
from playing import Script, plain_screen, shown
from tables import cases
from trine.cli.terminal.lessons import LessonDialogue, LessonsDone, first_to_do, lesson_index
from trine.core.errors import FileError, IllegalError, MalformedError
from trine.games import open_room


def lesson(folder: Path, game: str, name: str) -> LessonDialogue:
    name_of_game, _, rules = game.partition("/")
    room = open_room(name_of_game)
    index = lesson_index(room.lessons(rules), name)
    return LessonDialogue(room, rules, plain_screen(), LessonsDone(folder / "lessons.txt"), index)


@cases(
    "game | name | talk | state",
    """
why is answered by the referee | arimaa/official | unfreeze | why d5s -> frozen by the horse on d6 ; why e4n -> e4n is legal ; why -> why takes an action | OPEN + 0
an empty line ends a turn that can be ended | arimaa/official | push | Enter -> type an action such as ; d5n -> the elephant on d4 must go to d5 + !Enter ends the turn ; d4n -> Enter ends the turn ; Enter -> Done! First the enemy moves | SOLVED + 0
a turn that missed is explained | tzaar/official | no-capture | a1xc3 - -> does not do what was asked for + !White to | MISSED + 0
a turn that missed is undone | tzaar/official | no-capture | a1xc3 - ; undo | OPEN + 0
a turn is made anew without undoing one that missed | tzaar/official | no-capture | a1xc3 - ; undo ; a1xc3 - ; a1xc3 b4+b1 -> Done! | SOLVED + 0
a play that is lost | tzaar/official | top | h4xf6 c1+c3 -> You have lost: ; why c1c3 -> the play is over | MISSED + 0
answers of the other side | arimaa/official | guard | h1nnw end -> Silver plays Df4s ef5s + 1 turn left ; f3ss end -> Done! | SOLVED + 0
a lesson that is done is begun anew | corridor/quoridor | jump | e6 ; e7 -> this is done ; again -> lesson 4 of 12: The jump | OPEN + 0
after a lesson that was begun anew comes the next | corridor/quoridor | jump | e6 ; e7 ; again ; e6 ; Enter -> lesson 5 of 12 | OPEN + 0
material that has not changed is not told | arimaa/official | push | board -> !lacks ; d5e d4n -> 2 steps left + !lacks | OPEN + 2
distances that have changed are told | corridor/quoridor | race | c8 -> North: 2 steps to the goal | OPEN + 0
""",
)
def test_a_line_is_answered(game: str, name: str, talk: str, state: str, tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, game, name)
    check_talk(dialogue, talk)
    attempt = dialogue.attempt
    assert f"{attempt.state.name} + {len(attempt.play.open_actions)}" == state


def test_hints_say_a_little_more_each_time(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "corridor/quoridor", "lane")
    first, second = map(str, dialogue.lesson.hints)
    (solution,) = dialogue.lesson.solution
    told = [said(dialogue, "hint").strip() for _ in range(4)]
    assert told == [first, second, solution, solution]


def test_lessons_are_gone_through_in_both_directions(tmp_path: Path) -> None:
    dialogue = lesson(tmp_path, "corridor/corridor", "start")
    assert "lesson 1 of 12" in said(dialogue, "back")
    assert "lesson 2 of 12" in said(dialogue, "next")
    assert "lesson 1 of 12" in said(dialogue, "back")
    dialogue.run(Script(*["next"] * 12))
    assert "0 of 12 lessons done" in shown(dialogue.screen)
    assert not dialogue.refused


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
