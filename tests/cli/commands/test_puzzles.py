from pathlib import Path

from playing import run_trine
from trine.engine.puzzles.puzzle import shipped
from trine.games import ROOMS, open_room


def test_puzzles_are_counted_by_rule_set(tmp_path: Path) -> None:
    told = run_trine(tmp_path, "puzzles").stdout.split()
    counts = dict(zip(told[::2], map(int, told[1::2]), strict=True))
    assert list(counts) == [
        f"{game}/{rules}" for game in ROOMS for rules in open_room(game).rule_sets
    ]
    assert sum(counts.values()) == sum(len(shipped(game)) for game in ROOMS)


def test_puzzles_are_solved_over_a_pipe_the_easiest_first(tmp_path: Path) -> None:
    rules = shipped("tzaar")[0].rules
    own = [puzzle for puzzle in shipped("tzaar") if puzzle.rules == rules]
    first, second = sorted(own, key=lambda one: (one.rating, one.name))[:2]
    lines = f"{first.written(first.line[0])}\n\n{second.written(second.line[0])}\n"
    done = run_trine(tmp_path, "puzzles", f"tzaar/{rules}", lines=lines)
    assert done.stderr == ""
    assert done.stdout.count("Right!") == 2
    assert "2 puzzles solved" in done.stdout
    again = run_trine(tmp_path, "puzzles", f"tzaar/{rules}", status=1)
    assert f"puzzle 3 of {len(own)}" in again.stdout
