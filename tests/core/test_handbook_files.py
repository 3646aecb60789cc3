"""Errors in rule books, lessons and first games name the file, the key and what was expected."""

import sys
from pathlib import Path

import pytest

from trine.core.contract.handbook import Clause, Handbook
from trine.core.contract.lesson import GOALS, FirstGame, Lesson
from trine.core.errors import MalformedError
from trine.games import ROOMS, open_room

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "lessons.md"
RULEBOOK = """
[chapters]
game = "The game"
[sources]
everybody = "as everybody plays it"
[game.turns]
words = "They move by turns."
sources = ["everybody"]
example.position = ".../.x./..."
example.tries = [{ line = "a1" }, { line = "b2", refused = "b2 is marked already" }]
"""
LESSONS = """
[row]
title = "Three in a row"
words = '''
Rows lead along the ranks,
  the files and the two diagonals.'''
task = "Win."
position = "x.o/.x./o.."
goal = ["wins goal", "not-lost"]
solution = ["c1"]
hints = ["Two of your marks stand on a diagonal already."]
success = "A diagonal."
"""
FIRST_GAMES = """
[five]
rules = "plain"
position = ".../.../..."
invitation = "A game"
task = "Make a row."
glows = []
bubbles = [{ when = "marks", text = "A mark stays." }]
"""


def read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> tuple[Clause | Lesson | FirstGame, ...]:
    package = folder / "written"
    (package / "handbook").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "handbook" / f"{name}.toml").write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "written", raising=False)
    handbook = Handbook(package="written", happenings={"marks": lambda turn, player: True})
    kinds = {"rulebook": "clauses", "lessons": "course", "first_games": "first_games"}
    entries: tuple[Clause | Lesson | FirstGame, ...] = getattr(handbook, kinds[name])
    return entries


def test_a_line_break_in_a_sentence_is_a_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lesson,) = read(tmp_path, monkeypatch, "lessons", LESSONS)
    assert isinstance(lesson, Lesson)
    assert str(lesson.words) == "Rows lead along the ranks, the files and the two diagonals."


@pytest.mark.parametrize(
    ("name", "content", "right", "wrong", "message"),
    [
        ("lessons", LESSONS, "[row]", "[row", "at line 2"),
        ("lessons", LESSONS, 'task = "Win."', "", "row: Object missing required field `task`"),
        (
            "lessons",
            LESSONS,
            "task =",
            'at = ""\ntask =',
            "row: Object contains unknown field `at`",
        ),
        (
            "lessons",
            LESSONS,
            '["c1"]',
            "[1]",
            "row: Expected `str`, got `int` - at `$.solution[0]`",
        ),
        ("lessons", LESSONS, '"Win."', "3", "row: Expected a sentence, got 3 - at `$.task`"),
        ("lessons", LESSONS, "[row]", "row = 3\n[other]", "row: Expected a table, got 3"),
        (
            "lessons",
            LESSONS,
            "not-lost",
            "not-won",
            "row: Expected a goal (draws, not-lost, wins), got 'not-won' - at `$.goal`",
        ),
        (
            "lessons",
            LESSONS,
            "not-lost",
            "not-lost a1",
            "row: Expected not-lost, got 'not-lost a1' - at `$.goal`",
        ),
        (
            "lessons",
            LESSONS,
            "wins goal",
            "wins gaol",
            "row: Expected wins REASON, got 'wins gaol' - at `$.goal`",
        ),
        (
            "rulebook",
            RULEBOOK,
            '["everybody"]',
            '["somebody"]',
            "game.turns: Expected one of everybody, got 'somebody'",
        ),
        (
            "rulebook",
            RULEBOOK,
            "[game.turns]",
            "[games.turns]",
            "chapters: Expected one of game, got 'games'",
        ),
        ("rulebook", RULEBOOK, "sources = [", "# [", "game.turns: Expected a list of sources"),
        ("rulebook", RULEBOOK, "[game.turns]", "[[game]]", "game: Expected a table"),
        (
            "rulebook",
            RULEBOOK,
            'refused = "b2',
            'reason = "b2',
            "game.turns: Invalid enum value 'b2 is marked already'"
            " - at `$.example.tries[1].reason`",
        ),
        (
            "first_games",
            FIRST_GAMES,
            '"marks"',
            '"moves"',
            "five: Expected one of marks, got 'moves' - at `$.bubbles[0].when`",
        ),
    ],
)
def test_an_error_names_the_file_the_key_and_what_was_expected(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    content: str,
    right: str,
    wrong: str,
    message: str,
) -> None:
    assert right in content
    with pytest.raises(MalformedError) as caught:
        read(tmp_path, monkeypatch, name, content.replace(right, wrong))
    assert f"{name}.toml: " in str(caught.value)
    assert message in str(caught.value)


def test_the_guide_explains_every_goal() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    words = set(GOALS).union(*(open_room(name).handbook.goals for name in ROOMS))
    assert not [word for word in words if f"`{word}" not in guide]


def test_clauses_have_names_of_their_own() -> None:
    for name in ROOMS:
        names = [clause.name for clause in open_room(name).handbook.clauses]
        assert len(set(names)) == len(names)
