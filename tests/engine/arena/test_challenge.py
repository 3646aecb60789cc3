"""The Challenge as a match: who meets whom from which seat, what is left out, and the verdict."""

from collections import Counter

import pytest

from engine.arena.matches import small_match
from trine.core.clock import Limits
from trine.core.errors import TrineError
from trine.engine.arena import report
from trine.engine.arena.match import Entrant, Match
from trine.engine.arena.opening_book import parse_openings
from trine.engine.arena.schedule import parse_plan
from trine.engine.arena.standings import Standings, challenge_of
from trine.play.tournament.challenge import PrizeVerdict, pair, verdict

NAMES = ("A", "B", "C", "D")


def a_match(games: int, wins: int, handicaps: str = "") -> Match:
    entrants = tuple(Entrant(name, "bot:1", Limits(nodes=100)) for name in NAMES)
    plan = parse_plan("arimaa", "official", games, wins, handicaps)
    return Match(entrants, parse_openings("start", "arimaa", "official"), plan=plan)


def test_the_first_meets_each_from_both_seats_in_turn() -> None:
    fixtures = a_match(4, 2).fixtures(4)
    assert Counter(tuple(sorted(one.lineup)) for one in fixtures) == {
        (0, defender): 4 for defender in (1, 2, 3)
    }
    begins = [[one.lineup[0] == 0 for one in fixtures if n in one.lineup] for n in (1, 2, 3)]
    assert begins == [[True, False] * 2, [False, True] * 2, [True, False] * 2]
    assert [one.opening for one in fixtures if 1 in one.lineup] == [0, 0, 1, 1]
    assert [one.number for one in fixtures] == list(range(1, 13))


def test_seats_are_those_of_a_tournament() -> None:
    match = a_match(3, 2)
    assert match.plan
    fixtures = match.fixtures(3)
    standings = Standings(fixtures, match.seats)
    told = []
    for _ in range(3):
        pairings = pair(challenge_of(match.plan, NAMES, standings))
        for one in pairings:
            told.append(tuple(seat - 1 for seat in one.seats))
            standings.points[len(told)] = (1.0, 0.0)
    assert told == [one.lineup for one in fixtures]


@pytest.mark.parametrize(
    ("handicaps", "told"),
    [
        ("- - - camel", "handicaps for 4 games; a defender plays 3"),
        ("cat / dog / - / camel", "4 lists of handicaps; there are 3 defenders"),
    ],
)
def test_handicaps_that_nobody_would_give_are_refused(handicaps: str, told: str) -> None:
    with pytest.raises(TrineError, match=told):
        a_match(3, 2, handicaps).fixtures(3)


def test_those_who_are_challenged_leave_pieces_out() -> None:
    match = a_match(3, 2, "- camel horse,dog")
    for fixture in match.fixtures(3):
        play = match.openings.with_options(fixture.options).begin(0, fixture.opening)
        game = (fixture.number - 1) // 3
        hands = play.start.hands  # type: ignore[attr-defined]  # those of Arimaa
        assert len(hands[fixture.lineup.index(0)]) == 16
        assert len(hands[1 - fixture.lineup.index(0)]) == 16 - game
    assert match.terms()["challenge"] == [["", "camel", "horse,dog"]]
    assert "challenge" not in small_match("first", "first").terms()


def test_each_defender_can_leave_out_something_else() -> None:
    match = a_match(3, 2, "dog horse camel / - - cat")
    given = {1: ["dog", "horse", "camel"], 2: ["", "", "cat"], 3: ["", "", ""]}
    for fixture in match.fixtures(3):
        defender = next(player for player in fixture.lineup if player)
        expected = given[defender][(fixture.number - 1) // 3]
        assert dict(fixture.options).get("Handicap", ":").partition(":")[2] == expected
    told = list(map(str, report.handicap_texts(match)))
    assert told == [
        "B leaves out, game by game: dog; horse; camel",
        "C leaves out, game by game: –; –; cat",
    ]


@pytest.mark.parametrize(
    ("lost", "expected"),
    [((), PrizeVerdict.MET), ((1,), PrizeVerdict.MET), ((1, 4), PrizeVerdict.FAILED)],
)
def test_the_condition_holds_against_each(lost: tuple[int, ...], expected: PrizeVerdict) -> None:
    match = a_match(3, 2)
    assert match.plan
    standings = Standings(match.fixtures(3), match.seats)
    assert "nothing is decided" in str(report.challenge_conclusion(match, standings))
    for fixture in standings.fixtures:
        first = float((fixture.lineup[0] == 0) != (fixture.number in lost))
        standings.points[fixture.number] = (first, 1 - first)
        standings.reasons[fixture.number] = "goal"
    assert verdict(challenge_of(match.plan, NAMES, standings)) is expected
    rows = report.challenge_results(match, standings).splitlines()
    assert rows[3].split() == ["1", "B", "3", str(3 - len(lost)), "0", str(len(lost)), "0"]


@pytest.mark.parametrize(
    ("game", "rules", "wins", "handicaps", "why"),
    [
        ("tzaar", "official", 2, "camel", "TZAAR has no handicaps"),
        ("arimaa", "official", 2, "unicorn", "is not a handicap"),
        ("arimaa", "official", 4, "", "4 wins of 3 games"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    game: str, rules: str, wins: int, handicaps: str, why: str
) -> None:
    with pytest.raises(TrineError, match=why):
        parse_plan(game, rules, 3, wins, handicaps)
