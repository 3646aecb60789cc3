"""A pytest plug-in that stores when each nightly test last passed, and warns about old passes."""

from __future__ import annotations

import json
import subprocess
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from platformdirs import user_cache_path

MAX_AGE: Final = 14
"""Units: days; older passes are reported at the end of a run."""


def select_share(items: list[pytest.Item], share: str) -> list[pytest.Item]:
    """Return the items without the nightly ones of other shares; "3/10" keeps every tenth."""
    number, count = map(int, share.split("/"))
    nightly = [item for item in items if item.get_closest_marker("nightly")]
    kept = set(nightly[number % count :: count])
    return [item for item in items if item in kept or item not in nightly]


class NightlyPasses:
    """The passes of nightly tests, by test: the day and the commit ("" if it has only failed)."""

    def __init__(self, root: Path, file: Path | None = None) -> None:
        self._root = root
        self._file = file or user_cache_path("trine") / "nightly.json"
        self._results: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        if "nightly" in report.keywords and (report.failed or report.when == "call"):
            passed = self._results.get(report.nodeid, True) and report.passed
            self._results[report.nodeid] = passed

    def pytest_sessionfinish(self) -> None:
        if not self._results:
            return
        stored, today = self._read(), date.today().isoformat()
        asked = ["git", "-C", str(self._root), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
        for test, passed in self._results.items():
            if passed:
                stored[test] = [today, commit]
            else:
                stored.setdefault(test, [today, ""])
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(stored, indent=1, sort_keys=True), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in self.list_old(date.today()):
            terminalreporter.write_line(line, yellow=True)

    def list_old(self, today: date) -> list[str]:
        """Return a line for each existing test without a pass in the last `MAX_AGE` days."""
        return [
            f"nightly: {test} has not passed since {day}" + (f", commit {commit}" * bool(commit))
            for test, (day, commit) in sorted(self._read().items())
            if (today - date.fromisoformat(day)).days > MAX_AGE
            and (self._root / test.partition("::")[0]).exists()
        ]

    def _read(self) -> dict[str, list[str]]:
        try:
            return dict(json.loads(self._file.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}
