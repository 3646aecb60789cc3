"""Puzzles are found in games, and found again where they were found."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from mining.miner import MinedFile, Miner, append_puzzle
from puzzles import command
from trine.core.contract.record import format_record
from trine.core.play import Play
from trine.engine.puzzles.puzzle import read_puzzles, shipped

pytestmark = pytest.mark.nightly


def test_a_file_of_puzzles_reads_back_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "own.trine"
    puzzles = shipped("corridor")[:2]
    for puzzle in puzzles:
        append_puzzle(file, puzzle)
    read = list(read_puzzles(file))
    assert [format_record(one.record) for one in read] == [
        format_record(one.record) for one in puzzles
    ]


def test_mining_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    mined = MinedFile(tmp_path / "mined.trine")
    first, second = shipped("corridor")[:2]
    mined.add(first)
    mined.note("corridor/quoridor:0")
    again = MinedFile(mined.path)
    assert again.has_seen("corridor/quoridor:0")
    assert not again.has_seen("corridor/quoridor:1")
    again.add(first)
    again.add(second)
    assert len(list(read_puzzles(mined.path))) == len(again) == 2


def test_a_puzzle_is_judged_as_its_file_says() -> None:
    """The search is the same on every machine, so what was found is found again."""
    puzzle = next(one for one in shipped("tzaar") if len(one.solutions) < 4)
    again = Miner(puzzle.room).judged(puzzle.start, puzzle.record.tags["Source"])
    assert again is not None
    assert again.name == puzzle.name
    assert {one.after for one in again.solutions} == {one.after for one in puzzle.solutions}


def test_nothing_stands_out_where_a_game_begins() -> None:
    puzzle = shipped("corridor")[0]
    start = Play(puzzle.room, puzzle.room.rules.start("quoridor", {})).position
    assert Miner(puzzle.room).judged(start, "") is None


def test_puzzles_are_mined_from_games_and_verified(tmp_path: Path) -> None:
    out, kept = str(tmp_path / "mined.trine"), str(tmp_path / "kept.trine")
    mine = ["mine", "--rules", "tzaar/open", "--games", "1", "--out", out]
    assert CliRunner().invoke(command, mine).exit_code == 0
    seen = (tmp_path / "mined.trine.seen").read_text(encoding="utf-8").split()
    assert seen == ["tzaar/open:0"]
    mined = list(read_puzzles(tmp_path / "mined.trine"))
    assert mined
    assert {puzzle.rules for puzzle in mined} == {"open"}
    done = CliRunner().invoke(command, ["verify", out, "--lot", "1", "--out", kept])
    assert "1 puzzles, " in done.output
