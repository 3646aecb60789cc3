"""The Challenges of 2004 to 2008 as a table."""

import json
from pathlib import Path

from playing import run_trine
from trine.play.tournament.past_challenges import HISTORY, PLEDGES, prize


def test_the_table_of_the_document_is_shown(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "challenge", "--lang", "fr")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "Concédé" in lines[0]
    assert lines[1].startswith("2004") and "10\u202f000 $" in lines[1]
    assert lines[6].endswith("chien; cheval; chameau")
    assert lines[14].startswith("2008  17\u202f000 $") and "Paul Mertens" in lines[14]
    assert "Many Faces of Go" in lines[17] and "34" in lines[17]
    assert "N Siddiqui" in lines[19] and "Brendan M" in lines[19]


def test_it_is_data_too(tmp_path: Path) -> None:
    told = json.loads(run_trine(tmp_path, "challenge", "--json").stdout)
    assert len(told["defences"]) == len(HISTORY)
    assert told["defences"][7]["handicaps"] == ["", "", "cat"]
    assert told["prizes"]["2006"][3] == {"sum": 500, "sponsor": "Karl Juhnke", "until": 0}


def test_the_sums_are_those_that_the_document_tells() -> None:
    by_year: dict[int, list[int]] = {}
    for one in HISTORY:
        lost, games = by_year.setdefault(one.year, [0, 0])
        by_year[one.year] = [lost + one.lost, games + one.games]
    # "En 2007 le programme perdit huit des neuf parties."
    assert by_year == {2004: [0, 8], 2005: [1, 8], 2006: [1, 9], 2007: [1, 9]}
    assert [prize(year) for year in PLEDGES] == [10_000, 10_000, 17_500, 17_100, 17_000]
    assert all(len(one.handicaps) in (0, one.games) for one in HISTORY)
