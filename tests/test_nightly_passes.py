"""The days on which nightly tests last passed, and the shares of them."""

import json
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nightly_passes import (
    MAX_AGE,
    MAX_SECONDS,
    SECONDS,
    SHARES,
    NightlyPasses,
    number_of_share,
    select_share,
    split,
)

ROOT = Path(__file__).parents[1]


def reported(name: str, *, passed: bool) -> Any:
    run = {"nodeid": f"tests/test_docs.py::{name}", "keywords": {"nightly": 1}, "when": "call"}
    return SimpleNamespace(**run, duration=12.3, passed=passed, failed=not passed)


def test_what_has_not_passed_for_long_is_told(tmp_path: Path) -> None:
    passes = NightlyPasses(ROOT, tmp_path / "nightly.json")
    passes.pytest_runtest_logreport(reported("test_good", passed=True))
    passes.pytest_runtest_logreport(reported("test_broken", passed=False))
    passes.pytest_sessionfinish()
    assert passes.list_old(date.today() + timedelta(MAX_AGE)) == []
    broken, good = passes.list_old(date.today() + timedelta(MAX_AGE + 1))
    assert "::test_broken has not passed since" in broken and "commit" not in broken
    assert "::test_good has not passed since" in good and ", commit " in good


class Item:
    def __init__(self, nodeid: str, *marks: pytest.Mark) -> None:
        self.nodeid, self.marks = nodeid, {mark.name: mark for mark in marks}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks["skip"] = mark.mark


NIGHTLY = pytest.mark.nightly.mark


def test_shares_are_disjoint_and_cover_all_nightly_tests() -> None:
    items: list[Any] = [Item(str(number), *[NIGHTLY] * (number > 2)) for number in range(25)]
    chosen = [select_share(items, share, 10) for share in range(10)]
    assert all(one[:3] == items[:3] for one in chosen)
    rest = [items.index(item) for one in chosen for item in one[3:]]
    assert sorted(rest) == [*range(3, 25)]


def test_shares_are_split_by_duration() -> None:
    assert split({"a": 60, "b": 30, "c": 25, "d": 5, "e": 1}, 2) == [["a", "e"], ["b", "c", "d"]]


def test_no_share_runs_long_tests_and_those_that_need_a_quiet_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nightly_passes.SECONDS", tmp_path / "seconds.json")
    (tmp_path / "seconds.json").write_text('{"long": 200, "short": 20}')
    quiet = pytest.mark.quiet("it compares times").mark
    items: list[Any] = [Item("long", NIGHTLY), Item("short", NIGHTLY), Item("q", NIGHTLY, quiet)]
    assert select_share(items, 0, 1) == items
    skipped = [item.marks["skip"].args[0] for item in (items[0], items[2])]
    assert skipped == [
        "only scripts/nightly runs it: it takes 200 s",
        "only scripts/nightly runs it: it compares times",
    ]
    assert "skip" not in items[1].marks


def test_consecutive_commits_go_through_all_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"--is-shallow-repository": "false", "HEAD": "123"}
    monkeypatch.setattr("nightly_passes.ask_git", lambda root, *words: told[words[-1]])
    assert number_of_share(ROOT, "commit") == (3, 10)
    assert number_of_share(ROOT, "10/10") == (0, 10)
    told |= {"--is-shallow-repository": "true", "HEAD": "1f"}
    assert number_of_share(ROOT, "commit") == (1, 10), "where commits cannot be counted"


def test_the_shares_of_a_run_take_three_minutes_on_two_cores() -> None:
    known = json.loads(SECONDS.read_text(encoding="utf-8")).values()
    assert sum(one for one in known if one <= MAX_SECONDS) / SHARES < 2 * MAX_SECONDS


def test_the_duration_of_a_test_is_stored_if_it_passes(tmp_path: Path) -> None:
    passes = NightlyPasses(ROOT, tmp_path / "nightly.json", tmp_path / "seconds.json")
    (tmp_path / "seconds.json").write_text('{"tests/conftest.py::old": 7, "tests/gone.py::old": 9}')
    for report in (reported("good", passed=True), reported("broken", passed=False)):
        passes.pytest_runtest_logreport(report)
    passes.pytest_sessionfinish()
    stored = json.loads((tmp_path / "seconds.json").read_text())
    assert stored == {"tests/conftest.py::old": 7, "tests/test_docs.py::good": 12}
