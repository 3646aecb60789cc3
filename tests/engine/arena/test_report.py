"""The reports of matches, word for word."""

import re
from dataclasses import replace

import pytest

from engine.arena.matches import play_through, small_match
from trine.core.clock import Limits
from trine.core.contract.record import Record
from trine.core.text.language import open_language
from trine.engine.arena import report
from trine.engine.arena.elo import Sprt, Tally
from trine.engine.arena.match import Match, Played
from trine.engine.arena.run import Started
from trine.engine.arena.standings import Standings

HEAD = ["Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"]


def stated(
    match_games: int, results: str, *kinds: str, test: Sprt | None = None
) -> tuple[Match, Standings]:
    """A match with given results: a letter for the winner of each game, - for a draw."""
    match = small_match(*(kinds or ("random", "random")), game="corridor", openings="start")
    standings = Standings(match.fixtures(match_games), match.seats, test)
    for fixture, letter in zip(standings.fixtures, results, strict=False):
        names = [match.entrants[number].name for number in fixture.lineup]
        seat = None if letter == "-" else names.index(letter)
        tags = {"Result": "draw", "Reason": "agreement"}
        if seat is not None:
            tags = {"Result": match.seats[seat].tag, "Reason": "goal"}
        standings.add(fixture.number, Record(tags))
    return match, standings


def test_a_match_of_two_is_reported_as_by_fastchess() -> None:
    match, standings = stated(8, "AA" + "AB" + "--" + "A-", test=Sprt(0, 50))
    assert (
        report.results(match, standings)
        == """\
--------------------------------------------------
Results of A vs B (100 nodes, 64MB, start):
Elo: 136.97 +/- 187.60, nElo: 222.22 +/- 240.76
LOS: 96.48 %, DrawRatio: 50.00 %, PairsRatio: -
Games: 8, Wins: 4, Losses: 1, Draws: 3, Points: 5.5 (68.75 %)
Ptnml(0-2): [0, 0, 2, 1, 1], WL/DD Ratio: 1.00
LLR: 0.43 (14.5%) (-2.94, 2.94) [0.00, 50.00]
--------------------------------------------------"""
    )


def test_half_a_pair_does_not_count_yet() -> None:
    _, standings = stated(4, "AAA")
    assert standings.tally(0).games == 2
    assert standings.score(0) == (2.0, 2)
    assert [fixture.number for fixture in standings.missing()] == [4]


def test_a_verdict_is_told() -> None:
    _, standings = stated(400, "A" * 400, test=Sprt(0, 100))
    assert standings.verdict == "H1"
    assert str(report.verdict(standings)) == "SPRT ([0.00, 100.00]) completed - H1 was accepted"
    _, standings = stated(400, "BA" * 200, test=Sprt(0, 100))
    assert standings.verdict == "H0"


def test_the_ratio_is_that_of_the_pairs_that_the_test_has_seen() -> None:
    match, standings = stated(6, "", test=Sprt(0, 50))
    for fixture in standings.fixtures[2:]:  # the first pair is open
        tag = match.seats[fixture.lineup.index(0)].tag
        standings.add(fixture.number, Record({"Result": tag, "Reason": "goal"}))
    lines = report.results(match, standings).splitlines()
    assert "Ptnml(0-2): [0, 0, 0, 0, 2], WL/DD Ratio: -" in lines
    assert lines[-2] == "LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 50.00]"
    for number in (1, 2):
        standings.add(number, Record({"Result": "draw", "Reason": "agreement"}))
    seen = str(report.llr_line(Sprt(0, 50), Tally(pairs=(0, 0, 1, 0, 2))))
    assert report.results(match, standings).splitlines()[-2] == seen


def test_a_reader_of_another_language_meets_its_marks_and_no_english() -> None:
    for match, standings in (
        stated(6, "AABBA-", test=Sprt(0, 50)),
        stated(6, "---", *["random"] * 3),
    ):
        told = report.results(match, standings, open_language("ru").say)
        assert "," in told and not re.search(r"\d\.\d| vs |nodes|no limit|MB", told), told


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ("", "it is not shown yet who is stronger"),
        ("AA" * 4, "it is not shown yet who is stronger"),  # by chance once in 16
        ("AA" * 5, "A is stronger than B: 96 % sure"),
        ("BB" * 30, "B is stronger than A: 99 % sure"),
        ("AB" * 30, "it is not shown yet who is stronger"),
        ("A-" * 12 + "BB" * 4, "it is not shown yet who is stronger"),
        ("A-" * 12 + "BB" * 2, "A is stronger than B: 97 % sure"),
    ],
)
def test_what_a_match_shows_is_said_in_a_sentence(results: str, said: str) -> None:
    match, standings = stated(60, results)
    assert str(report.conclusion(match, standings)) == said


@pytest.mark.parametrize(
    ("results", "test", "said"),
    [
        ("AA", Sprt(0, 10), "nothing is decided yet: the test needs more games"),
        ("A" * 400, Sprt(0, 100), "H1 is accepted: A is better than B by 100 nElo or more"),
        (
            "BA" * 200,
            Sprt(-0.5, 100, model="logistic"),
            "H0 is accepted: A is better than B by -0.5 Elo at most",
        ),
    ],
)
def test_what_a_test_has_decided_is_said_in_a_sentence(results: str, test: Sprt, said: str) -> None:
    match, standings = stated(400, results, test=test)
    assert str(report.conclusion(match, standings)) == said


def test_games_are_told_as_they_begin_and_end() -> None:
    match = small_match("first", "resign:1")
    _, events = play_through(match, 2)
    said = [
        str(report.started(match, event.fixture, 2))
        if isinstance(event, Started)
        else str(report.finished(match, event))
        for event in events
    ]
    assert said == [
        "Started game 1 of 2 (A vs B)",
        "Finished game 1 (A vs B): 1-0 {White wins (resignation)}",
        "Started game 2 of 2 (B vs A)",
        "Finished game 2 (B vs A): 0-1 {Black wins (resignation)}",
    ]


def test_forfeits_and_losses_on_time_are_counted() -> None:
    match = small_match("random", "crash:1")
    standings, _ = play_through(match, 4)
    assert "Forfeits: 4 (B)" in report.results(match, standings).splitlines()
    match = small_match("first", "slow:9", seconds=0.05)
    first, slow = match.entrants
    match = replace(match, entrants=(replace(first, limits=Limits(nodes=100)), slow))
    standings, _ = play_through(match, 2)
    assert "Lost on time: 2 (B)" in report.results(match, standings).splitlines()


def test_more_players_stand_in_a_table() -> None:
    match, standings = stated(2, "AA" + "AC" + "--", "random", "random", "random")
    lines = report.results(match, standings).splitlines()
    assert lines[1].split() == HEAD
    names = [line.split()[1] for line in lines[2:5]]
    assert names == ["A", "C", "B"]
    assert lines[2].endswith("4  75.0%   50.0%  [0, 0, 1, 0, 1]")


def test_a_game_of_three_has_a_table_of_its_own() -> None:
    match = small_match(
        "random",
        "random",
        "first",
        game="corridor/great-wall",
        openings="start",
        players="3",
        size="5",
    )
    standings, events = play_through(match, 3)
    lines = report.results(match, standings).splitlines()
    assert lines[1].split() == ["Rank", "Name", "Games", "Score", "+/-"]
    assert sum(standings.score(number)[0] for number in range(3)) == pytest.approx(3)
    ended = [str(report.finished(match, event)) for event in events if isinstance(event, Played)]
    assert {line.split("{")[0].count("-") for line in ended} == {2}


def test_nothing_played_is_reported_without_a_fault() -> None:
    match, standings = stated(4, "")
    assert "Games: 0, Wins: 0" in report.results(match, standings)
    match, standings = stated(2, "", "random", "random", "random")
    assert len(report.results(match, standings).splitlines()) == 6
