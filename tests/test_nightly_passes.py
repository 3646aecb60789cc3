"""The days on which nightly tests last passed, and the shares of them."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from nightly_passes import MAX_AGE, NightlyPasses, select_share

ROOT = Path(__file__).parents[1]


def reported(name: str, *, passed: bool) -> Any:
    return SimpleNamespace(
        nodeid=f"tests/test_docs.py::{name}",
        keywords={"nightly": 1},
        when="call",
        passed=passed,
        failed=not passed,
    )


def test_what_has_not_passed_for_long_is_told(tmp_path: Path) -> None:
    passes = NightlyPasses(ROOT, tmp_path / "nightly.json")
    passes.pytest_runtest_logreport(reported("test_good", passed=True))
    passes.pytest_runtest_logreport(reported("test_broken", passed=False))
    passes.pytest_sessionfinish()
    assert passes.list_old(date.today() + timedelta(MAX_AGE)) == []
    broken, good = passes.list_old(date.today() + timedelta(MAX_AGE + 1))
    assert "::test_broken has not passed since" in broken and "commit" not in broken
    assert "::test_good has not passed since" in good and ", commit " in good


def test_shares_are_disjoint_and_cover_all_nightly_tests() -> None:
    class Item:
        def __init__(self, number: int) -> None:
            self.number = number

        def get_closest_marker(self, name: str) -> bool:
            return self.number > 2

    items: list[Any] = [Item(number) for number in range(25)]
    chosen = [select_share(items, f"{share}/10") for share in range(1, 11)]
    assert all(one[:3] == items[:3] for one in chosen)
    rest = [items.index(item) for one in chosen for item in one[3:]]
    assert sorted(rest) == [*range(3, 25)]
