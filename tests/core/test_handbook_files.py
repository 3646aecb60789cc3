"""Errors in rule books, lessons and first games name the file, the key and what was expected."""

import sys
from collections.abc import Callable
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


FILES = {"rulebook": RULEBOOK, "lessons": LESSONS, "first_games": FIRST_GAMES}
Read = Callable[..., tuple[Clause | Lesson | FirstGame, ...]]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Read a file, with one part of it replaced."""

    def read(
        name: str, right: str = "", wrong: str = ""
    ) -> tuple[Clause | Lesson | FirstGame, ...]:
        assert right in FILES[name]
        package = tmp_path / "written"
        (package / "handbook").mkdir(parents=True)
        (package / "__init__.py").touch()
        content = FILES[name].replace(right, wrong) if right else FILES[name]
        (package / "handbook" / f"{name}.toml").write_text(content, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "written", raising=False)
        handbook = Handbook(package="written", happenings={"marks": lambda turn, player: True})
        kinds = {"rulebook": "clauses", "lessons": "course", "first_games": "first_games"}
        entries: tuple[Clause | Lesson | FirstGame, ...] = getattr(handbook, kinds[name])
        return entries

    return read


def test_a_line_break_in_a_sentence_is_a_space(read: Read) -> None:
    (lesson,) = read("lessons")
    assert isinstance(lesson, Lesson)
    assert str(lesson.words) == "Rows lead along the ranks, the files and the two diagonals."


GOAL, WHEN = " - at `$.goal`", " - at `$.bubbles[0].when`"


@pytest.mark.parametrize(
    ("name", "right", "wrong", "message"),
    [
        ("lessons", "[row]", "[row", "at line 2"),
        ("lessons", 'task = "Win."', "", "row: Object missing required field `task`"),
        ("lessons", "task =", 'at = ""\ntask =', "row: Object contains unknown field `at`"),
        ("lessons", '["c1"]', "[1]", "row: Expected `str`, got `int` - at `$.solution[0]`"),
        ("lessons", '"Win."', "3", "row: Expected a sentence, got 3 - at `$.task`"),
        ("lessons", "[row]", "row = 3\n[other]", "row: Expected a table, got 3"),
        ("lessons", "not-lost", "not-won", "a goal (draws, not-lost, wins), got 'not-won'" + GOAL),
        ("lessons", "not-lost", "not-lost a1", "row: Expected not-lost, got 'not-lost a1'" + GOAL),
        ("lessons", "wins goal", "wins gaol", "row: Expected wins REASON, got 'wins gaol'" + GOAL),
        ("rulebook", '["every', '["some', "game.turns: Expected one of everybody, got 'somebody'"),
        ("rulebook", "[game.", "[games.", "chapters: Expected one of game, got 'games'"),
        ("rulebook", "sources = [", "# [", "game.turns: Expected a list of sources"),
        ("rulebook", "[game.turns]", "[[game]]", "game: Expected a table"),
        ("rulebook", "refused =", "reason =", " 'b2 is marked already' - at `$.example.tries[1]."),
        ("first_games", '"marks"', '"moves"', "five: Expected one of marks, got 'moves'" + WHEN),
    ],
)
def test_an_error_names_the_file_the_key_and_what_was_expected(
    read: Read, name: str, right: str, wrong: str, message: str
) -> None:
    with pytest.raises(MalformedError) as caught:
        read(name, right, wrong)
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
