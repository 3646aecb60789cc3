"""The page about security: the tests that it names exist, and no requirement is left out."""

import re

from playing import HOUSE

PAGE = (HOUSE / "docs" / "why" / "security.md").read_text(encoding="utf-8")
CHAPTERS = {
    "1.2": 5, "1.3": 2, "1.5": 1, "2.1": 1, "2.2": 2, "2.3": 1, "3.2": 2, "3.3": 1, "3.4": 2,
    "3.5": 3, "4.1": 1, "4.4": 1, "5.2": 2, "5.3": 2, "6.1": 1, "6.2": 8, "6.3": 2, "6.4": 2,
    "7.2": 4, "7.4": 2, "8.1": 1, "8.2": 2, "8.3": 1, "9.1": 3, "9.2": 1, "10.4": 5, "11.3": 2,
    "11.4": 1, "12.1": 1, "12.2": 2, "13.4": 1, "14.2": 1, "14.3": 1, "15.1": 1, "15.2": 1,
    "15.3": 1,
}  # fmt: skip
"""The requirements of ASVS 5.0.0 for level 1, counted by section; in each they begin with 1."""


def test_the_tests_that_are_named_exist() -> None:
    known = {
        name
        for path in (HOUSE / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    }
    named = re.findall(r"`(test_\w+)(…?)`", PAGE)
    assert len(named) > 100
    for name, cut in named:
        assert name in known or (cut and any(one.startswith(name) for one in known)), name
    for path in re.findall(r"`(tests/[\w/]+\.py)`", PAGE):
        assert (HOUSE / path).is_file(), path


def test_every_requirement_of_level_one_has_its_test_or_its_reason() -> None:
    wanted = [f"{part}.{one}" for part, count in CHAPTERS.items() for one in range(1, count + 1)]
    assert len(wanted) == 70
    rows = re.findall(r"^\| (\d+\.\d+\.\d+) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
    assert [number for number, _, _ in rows] == wanted
    assert all(len(here.strip()) >= 8 for _, _, here in rows)
