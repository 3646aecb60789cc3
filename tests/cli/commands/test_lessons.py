import re
from pathlib import Path

import pytest

from playing import run_trine
from trine.games import ROOMS, open_room

RULE_SETS = [f"{game}/{rules}" for game in ROOMS for rules in open_room(game).rule_sets]


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_all_lessons_of_a_rule_set_can_be_done_over_a_pipe(rule_set: str, tmp_path: Path) -> None:
    game, _, rules = rule_set.partition("/")
    lessons = open_room(game).lessons(rules)
    lines = [line for lesson in lessons for line in (*lesson.solution, "")]
    done = run_trine(tmp_path, "lessons", rule_set, lines="\n".join(lines) + "\n")
    assert done.stderr == ""
    titles = re.findall(r"lesson (\d+) of \d+: (.+)$", done.stdout, re.M)
    assert titles == [(str(at), str(one.title)) for at, one in enumerate(lessons, start=1)]
    for lesson in lessons:
        assert f"Done! {lesson.success}" in done.stdout
    assert "That was the last lesson." in done.stdout
    assert f"{len(lessons)} of {len(lessons)} lessons done" in done.stdout
    assert f"trine play {rule_set}" in done.stdout
    assert (
        f"{rule_set:<21}{len(lessons)} of {len(lessons)}" in run_trine(tmp_path, "lessons").stdout
    )


def test_lessons_go_on_where_they_were_left(tmp_path: Path) -> None:
    first, second, third = open_room("arimaa").lessons("official")[:3]
    run_trine(tmp_path, "lessons", "arimaa", lines=f"{first.solution[0]}\n")
    run_trine(tmp_path, "lessons", "arimaa", "3", lines=f"{third.solution[0]}\n")
    done = run_trine(tmp_path, "lessons", "arimaa", status=1)
    assert f"lesson 2 of 23: {second.title}" in done.stdout
    listed = run_trine(tmp_path, "lessons", "arimaa", "--list").stdout.splitlines()
    assert [line.endswith("(done)") for line in listed[:4]] == [True, False, True, False]
    # What was learned in one rule set is known in the others.
    assert run_trine(tmp_path, "lessons", "arimaa/diagonal", "--list").stdout.count("(done)") == 2


def test_the_exit_code_tells_a_script_how_it_went(tmp_path: Path) -> None:
    for lines, status in (
        ("d5n d4n end\n", 0),
        ("d5n\nd4n\n\n", 0),
        ("hint\nd5n d4n end\nquit\n", 0),
        ("d5n d4n end\n\n", 1),  # the next lesson was begun
        ("", 1),
        ("d4w end\n", 1),
        ("d4w end\n\nd5n d4n end\n", 0),
        ("d4n\nd5n d4n end\n", 1),  # a line was refused
        ("nonsense\n", 1),
    ):
        done = run_trine(tmp_path, "lessons", "arimaa", "push", lines=lines, status=status)
        assert done.stderr == ""


def test_progress_that_cannot_be_kept_stops_nobody(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "trine").write_text("a file where a folder should be")
    done = run_trine(
        tmp_path, "lessons", "arimaa", "push", lines="d5n d4n end\n", XDG_DATA_HOME=str(data)
    )
    assert "lessons.txt: " in done.stdout
    assert "1 of 23 lessons done" in done.stdout
