"""A pytest plug-in for nightly tests: shares of them, and when each last passed."""

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from platformdirs import user_cache_path

from capturing import captured

MAX_AGE: Final = 14
"""Units: days; older passes are reported at the end of a run."""
MAX_SECONDS: Final = 180
"""Units: seconds; longer tests are in no share, and a share takes no longer on two cores."""
SHARES: Final = 10
"""The number of shares of `--share commit`."""
SECONDS: Final = Path(__file__).with_name("nightly_seconds.json")
"""The known durations of nightly tests, by test; `--store-seconds` updates them."""
UNKNOWN: Final = 1.0
"""Units: seconds; the duration of a test that `SECONDS` does not list: shorter ones are left out."""


def ask_git(root: Path, *words: str) -> str:
    asked = ["git", "-C", str(root), *words]
    return captured(*asked).stdout.strip()


def number_of_share(root: Path, share: str) -> tuple[int, int]:
    """Return K and N of "K/N"; for "commit", consecutive commits go through all `SHARES`.

    The commits of a shallow clone cannot be counted, so there the hash decides.
    """
    if share != "commit":
        number, count = map(int, share.split("/"))
        return number % count, count
    if ask_git(root, "rev-parse", "--is-shallow-repository") == "false":
        return int(ask_git(root, "rev-list", "--count", "HEAD")) % SHARES, SHARES
    return int(ask_git(root, "rev-parse", "HEAD"), 16) % SHARES, SHARES


def split(tests: dict[str, float], count: int) -> list[list[str]]:
    """Split tests into shares of nearly equal duration, the longest tests first."""
    shares: list[list[str]] = [[] for _ in range(count)]
    sums = [0.0] * count
    for name, seconds in sorted(tests.items(), key=lambda test: (-test[1], test[0])):
        least = sums.index(min(sums))
        shares[least].append(name)
        sums[least] += seconds
    return shares


def select_share(items: list[pytest.Item], number: int, count: int) -> list[pytest.Item]:
    """Return the items without the nightly ones of other shares.

    Skips what no share runs: long tests, and those that need a quiet machine.
    """
    known = json.loads(SECONDS.read_text(encoding="utf-8"))
    nightly = [item for item in items if item.get_closest_marker("nightly")]
    seconds = {item.nodeid: known.get(item.nodeid, UNKNOWN) for item in nightly}
    left = {name: 0.0 for name, needed in seconds.items() if needed > MAX_SECONDS}
    for item in nightly:
        if mark := item.get_closest_marker("quiet"):
            left[item.nodeid] = 0.0
            item.add_marker(pytest.mark.skip(f"only scripts/nightly runs it: {mark.args[0]}"))
        elif item.nodeid in left:
            reason = f"only scripts/nightly runs it: it takes {seconds[item.nodeid]:.0f} s"
            item.add_marker(pytest.mark.skip(reason))
    kept = {*split(seconds | left, count)[number]}
    return [item for item in items if item not in nightly or item.nodeid in kept]


class NightlyPasses:
    """The passes of nightly tests, by test: the day and the commit ("" if it has only failed)."""

    def __init__(self, root: Path, file: Path | None = None, seconds: Path | None = None) -> None:
        self._root = root
        self._file = file or user_cache_path("trine") / "nightly.json"
        self._seconds_file = seconds
        self._results: dict[str, bool] = {}
        self._seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        if "nightly" not in report.keywords:
            return
        spent = self._seconds.get(report.nodeid, 0) + report.duration
        self._seconds[report.nodeid] = spent
        if report.failed or report.when == "call":
            passed = self._results.get(report.nodeid, True) and report.passed
            self._results[report.nodeid] = passed

    def pytest_sessionfinish(self) -> None:
        if not self._results:
            return
        stored, today = self._read(), date.today().isoformat()
        commit = ask_git(self._root, "rev-parse", "--short", "HEAD")
        for test, passed in self._results.items():
            if passed:
                stored[test] = [today, commit]
            else:
                stored.setdefault(test, [today, ""])
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(stored, indent=1, sort_keys=True), encoding="utf-8")
        if self._seconds_file:
            self._store_seconds(self._seconds_file)

    def _store_seconds(self, file: Path) -> None:
        stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        passed = {test: self._seconds[test] for test, passed in self._results.items() if passed}
        stored = {test: seconds for test, seconds in stored.items() if self._exists(test)}
        stored |= {test: round(seconds) for test, seconds in passed.items()}
        long = {test: seconds for test, seconds in stored.items() if seconds > UNKNOWN}
        file.write_text(json.dumps(long, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in self.list_old(date.today()):
            terminalreporter.write_line(line, yellow=True)

    def list_old(self, today: date) -> list[str]:
        """Return a line for each existing test without a pass in the last `MAX_AGE` days."""
        return [
            f"nightly: {test} has not passed since {day}" + (f", commit {commit}" * bool(commit))
            for test, (day, commit) in sorted(self._read().items())
            if (today - date.fromisoformat(day)).days > MAX_AGE and self._exists(test)
        ]

    def _exists(self, test: str) -> bool:
        return (self._root / test.partition("::")[0]).exists()

    def _read(self) -> dict[str, list[str]]:
        try:
            return dict(json.loads(self._file.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}
