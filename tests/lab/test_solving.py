"""The solver of small boards, held against what is shipped, and against published values."""

from pathlib import Path
from zipfile import ZipFile

import pytest

import solve as program
from solving.boards import board_of, start_value, value_in
from solving.tablebase import Tablebase, plan, solve
from trine.core.contract.position import Position
from trine.core.errors import IllegalError
from trine.games import open_room
from trine.games.corridor.knowledge.solved import solved as shipped
from trine.house.lessons.routes import BOARDS, STARTS

pytestmark = pytest.mark.nightly
ROOM = open_room("corridor")


def start(rules: str, size: int, walls: int | None = None) -> Position:
    options = {"Size": str(size)} | ({} if walls is None else {"Walls": str(walls)})
    first: Position = ROOM.rules.start(rules, options)
    return first


def solved(first: Position, folder: Path | None = None) -> Tablebase:
    return solve(plan(board_of(first)), folder)


def test_the_shipped_tables_are_those_that_the_solver_makes(tmp_path: Path) -> None:
    program.ship(tmp_path / "made.zip")
    with ZipFile(tmp_path / "made.zip") as made, ZipFile(program.TABLES) as given:
        assert made.namelist() == given.namelist()
        for name in made.namelist():
            assert made.read(name) == given.read(name), name


@pytest.mark.parametrize(
    "words", ["quoridor 4 2 b1,c4 a1h,c2v 2,2 1", "great-wall 3 2 b1,b3 a2h,b1v *,* 2"]
)
def test_the_table_that_is_shipped_says_what_the_solver_says(words: str) -> None:
    position = ROOM.rules.parse_position(words, "")
    assert shipped(position) == value_in(solved(position), position)


@pytest.mark.parametrize(("walls", "wins"), [(0, False), (1, False)])
def test_quoridor_on_five_squares_is_as_published(walls: int, wins: bool) -> None:
    # Published: the second player wins with up to four walls each.
    first = start("quoridor", 5, walls)
    assert start_value(solved(first), first).wins is wins


@pytest.mark.parametrize("walls", range(len(STARTS)))
def test_the_house_shows_the_starts_as_they_are_solved(walls: int) -> None:
    # The boards that take no more than a moment.
    for (rules, size), shown in zip(BOARDS, STARTS[walls], strict=True):
        if size == 3 or ((rules, size) == ("quoridor", 4) and walls < 2):
            first = start(rules, size, walls)
            found = start_value(solved(first), first)
            assert {True: "S", False: "N", None: "="}[found.wins] == shown, (rules, size)


def test_a_layer_is_on_disk_whole_or_not_at_all_and_solving_goes_on(tmp_path: Path) -> None:
    first = start("corridor-8", 3)

    def killed(walls: int, done: int, total: int) -> None:
        if walls == 2:
            raise KeyboardInterrupt

    planned = plan(board_of(first))
    with pytest.raises(KeyboardInterrupt):
        solve(planned, tmp_path, killed)
    kept = sorted(tmp_path.glob("*.layer"))
    assert [file.stat().st_size for file in kept] == planned.bytes[3:]
    began = [file.stat().st_mtime_ns for file in kept]
    again = solve(planned, tmp_path)
    assert [file.stat().st_mtime_ns for file in kept] == began
    at_once = solve(planned)
    for one, other in zip(again.layers, at_once.layers, strict=True):
        assert (one.values == other.values).all()
    assert again.longest == at_once.longest


@pytest.mark.parametrize(("rules", "size"), [("quoridor", 5), ("great-wall", 6), ("corridor", 9)])
def test_a_board_that_does_not_fit_is_refused_before_anything_is_made(
    rules: str, size: int
) -> None:
    with pytest.raises(IllegalError):
        solved(start(rules, size))


def test_the_program_tells_who_wins_from_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.main(["quoridor", "3", "--out", str(tmp_path)])
    assert "North wins from the start, in 12 actions" in capsys.readouterr().out
