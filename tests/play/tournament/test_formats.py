"""Who meets whom, in each format, over whole tournaments with results by chance."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trine.core.errors import IllegalError, MalformedError
from trine.play.tournament import arena, challenge, knockout
from trine.play.tournament.formats import check_begins, next_games, over
from trine.play.tournament.ranking import Rank, ranking
from trine.play.tournament.tournament import (
    DRAW,
    LOSS,
    WIN,
    Pairing,
    Participant,
    Plan,
    Tournament,
    TournamentFormat,
)

RESULTS = ((WIN, LOSS), (LOSS, WIN), (DRAW, DRAW))


class Begun(Tournament):
    def with_pairings(self, pairings: Sequence[Pairing]) -> Self:
        return replace(self, pairings=(*self.pairings, *pairings))

    def with_result(self, index: int, points: tuple[float, ...]) -> Self:
        changed = list(self.pairings)
        changed[index] = replace(changed[index], points=points)
        return replace(self, pairings=tuple(changed))

    def without(self, number: int) -> Self:
        changed = list(self.participants)
        changed[number - 1] = replace(changed[number - 1], withdrawn=True)
        return replace(self, participants=tuple(changed))


def tournament(form: TournamentFormat, count: int, **plan: object) -> Begun:
    people = [Participant(number, f"p{number}", 2000 - number) for number in range(1, count + 1)]
    return Begun(Plan(form, **plan), tuple(people))  # type: ignore[arg-type]


def played(begun: Begun, rng: Random, results: tuple[tuple[float, float], ...] = RESULTS) -> Begun:
    """Play a tournament to its end, games ending in any order."""
    while not over(begun):
        begun = begun.with_pairings(next_games(begun))
        running = [index for index, game in enumerate(begun.pairings) if game.open]
        assert running or over(begun), "nothing is played, and it is not over"
        for index in rng.sample(running, rng.randint(1, len(running)) if running else 0):
            begun = begun.with_result(index, rng.choice(results))
    return begun


def by_strength(begun: Begun) -> Begun:
    for index, game in enumerate(begun.pairings):
        if game.open:
            one, other = game.seats
            begun = begun.with_result(index, (float(one < other), float(other < one)))
    return begun


def pairs(done: Begun) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(game.seats)) for game in done.pairings if not game.bye)


@pytest.mark.parametrize("count", [2, 3, 6, 9])
@pytest.mark.parametrize("at_once", [False, True])
def test_all_meet_all(count: int, at_once: bool) -> None:
    done = played(
        tournament(TournamentFormat.ROUND_ROBIN, count, games=2, at_once=at_once), Random(count)
    )
    assert pairs(done) == dict.fromkeys(combinations(range(1, count + 1), 2), 2)
    firsts = Counter(game.seats[0] for game in done.pairings if not game.bye)
    assert set(firsts.values()) == {count - 1}, "everybody begins equally often"
    rounds = {(game.round, seat) for game in done.pairings for seat in game.seats}
    assert len(rounds) == 2 * count * (count - 1 + count % 2), "one game of each in each round"


def test_games_of_one_who_has_gone_are_won_by_the_others() -> None:
    begun = tournament(TournamentFormat.ROUND_ROBIN, 4)
    begun = begun.with_pairings(next_games(begun)).without(4)
    done = played(begun, Random(1))
    forfeits = [game for game in done.pairings if not game.played and not game.bye]
    assert len(forfeits) == 2
    assert all(game.score(4) == LOSS and sum(game.points or ()) == WIN for game in forfeits)


@pytest.mark.parametrize("count", [7, 16, 33])
def test_in_a_swiss_nobody_meets_twice_or_rests_twice(count: int) -> None:
    done = played(tournament(TournamentFormat.SWISS, count, rounds=5), Random(count))
    assert set(pairs(done).values()) == {1}
    assert (
        max(Counter(game.seats[0] for game in done.pairings if game.bye).values(), default=1) == 1
    )
    for one in done.participants:
        sides = [game.seats[0] == one.number for game in done.of(one.number) if not game.bye]
        assert abs(2 * sum(sides) - len(sides)) <= 2, "turns to begin are shared out"
        assert not any(a == b == c for a, b, c in zip(sides, sides[1:], sides[2:], strict=False))
    for before, after in pairwise(ranking(done)):
        assert before.points >= after.points


def test_a_swiss_pairs_equals() -> None:
    done = tournament(TournamentFormat.SWISS, 16, rounds=4)
    while not over(done):
        done = by_strength(done.with_pairings(next_games(done)))
    assert [(one.rank, one.number, one.points) for one in ranking(done)][:1] == [(1, 1, 4)]
    assert ranking(done)[1].points < 4
    last = [game for game in done.pairings if game.round == 4]
    before = Begun(done.plan, done.participants, tuple(g for g in done.pairings if g.round < 4))
    assert all(abs(before.score(a) - before.score(b)) <= 1 for a, b in (g.seats for g in last))


def test_those_who_leave_a_swiss_are_not_paired_again() -> None:
    begun = tournament(TournamentFormat.SWISS, 9, rounds=4)
    begun = begun.with_pairings(next_games(begun)).without(2)
    done = played(begun, Random(4))
    assert {game.round for game in done.of(2)} == {1}


def test_a_swiss_that_cannot_go_on_says_so() -> None:
    with pytest.raises(IllegalError, match="round 4 cannot be paired: everybody has met"):
        played(tournament(TournamentFormat.SWISS, 4, rounds=5), Random(1))


@pytest.mark.parametrize("count", range(2, 18))
def test_a_knockout_has_one_winner_and_the_strongest_meet_last(count: int) -> None:
    done = played(tournament(TournamentFormat.KNOCKOUT, count, games=2), Random(count), RESULTS[:2])
    assert len(pairs(done)) == count - 1, "each match throws one out"
    table = ranking(done)
    assert table[0].number == knockout.winner(done) and [one.rank for one in table][:2] == [1, 2]
    begun = tournament(TournamentFormat.KNOCKOUT, count)
    while not over(begun):
        begun = by_strength(begun.with_pairings(next_games(begun)))
    assert [one.number for one in ranking(begun)[:2]] == [1, 2]


def test_a_match_that_stands_even_goes_on_and_ends() -> None:
    begun = tournament(TournamentFormat.KNOCKOUT, 2, games=2)
    done = played(begun, Random(1), RESULTS[2:])
    assert len(done.pairings) == 2 + knockout.MAX_EXTRA_GAMES and knockout.winner(done) == 1
    assert [game.seats[0] for game in done.pairings] == [1, 2] * 3


def test_a_match_ends_as_soon_as_it_is_decided() -> None:
    done = played(tournament(TournamentFormat.KNOCKOUT, 2, games=5), Random(1), RESULTS[2:])
    assert len(done.pairings) == 9
    wins = [Pairing(1, (1, 2), (WIN, LOSS)), Pairing(1, (2, 1), (LOSS, WIN))]
    lead = tournament(TournamentFormat.KNOCKOUT, 2, games=5).with_pairings([*wins, wins[0]])
    assert over(lead)


def test_who_leaves_a_knockout_lets_the_other_go_on() -> None:
    assert knockout.winner(tournament(TournamentFormat.KNOCKOUT, 2).without(1)) == 2


def test_an_arena_pairs_whoever_waits_and_lets_winning_rows_count_twice() -> None:
    begun, rng = tournament(TournamentFormat.ARENA, 9, minutes=60), Random(5)
    for _ in range(40):
        waiting = [one.number for one in begun.participants if rng.random() < 0.7]
        games = next_games(begun, waiting)
        for game in games:
            last = [list(begun.of(seat))[-1:] for seat in game.seats]
            again = any(one and set(one[0].seats) == set(game.seats) for one in last)
            assert not again or len(games) == 1, "nobody meets the same twice in a row"
        begun = begun.with_pairings(games)
        busy = Counter(seat for game in begun.running for seat in game.seats)
        assert set(busy.values()) <= {1}, "nobody plays two games at once"
        for index in [index for index, game in enumerate(begun.pairings) if game.open]:
            if rng.random() < 0.6:
                begun = begun.with_result(index, rng.choice(RESULTS))
    assert not over(begun, 30) and over(begun, 60) == (not begun.running)
    assert all(len(list(begun.of(one.number))) > 5 for one in begun.participants)
    won = tournament(TournamentFormat.ARENA, 2).with_pairings(
        [Pairing(n, (1, 2), (1, 0)) for n in range(4)]
    )
    lost = won.with_pairings([Pairing(5, (1, 2), (0, 1)), Pairing(6, (1, 2), (0.5, 0.5))])
    assert arena.points(lost, 1) == [2, 2, 4, 4, 0, 1]
    assert next_games(won, [1, 2])[0].seats == (2, 1), "two alone meet again, with seats swapped"


@given(st.integers(2, 12), st.randoms(use_true_random=False), st.floats(0.1, 1.0))
def test_nobody_in_an_arena_is_left_over_while_somebody_else_plays_twice(
    count: int, rng: Random, ending: float
) -> None:
    begun = tournament(TournamentFormat.ARENA, count, minutes=60)
    since: dict[int, Counter[int]] = {}  # the games of others since somebody was left over
    for _ in range(30):
        free = {one.number for one in begun.participants}
        free -= {seat for game in begun.running for seat in game.seats}
        games = next_games(begun, free)
        assert len(games) == len(free) // 2, "as many play as can"
        begun = begun.with_pairings(games)
        play = {seat for game in games for seat in game.seats}
        since = {one: since.get(one, Counter()) for one in free - play}
        for row in since.values():
            row.update(play)
            assert max(row.values(), default=0) <= 1
        for index in [index for index, game in enumerate(begun.pairings) if game.open]:
            if rng.random() < ending:
                begun = begun.with_result(index, rng.choice(RESULTS))


@pytest.mark.parametrize(("count", "least", "most"), [(6, 40, 40), (7, 32, 36)])
def test_all_programs_of_an_arena_play_as_often_and_meet_each_other(
    count: int, least: int, most: int
) -> None:
    begun, before = tournament(TournamentFormat.ARENA, count, minutes=60), set[frozenset[int]]()
    for _ in range(40):
        games = next_games(begun, range(1, count + 1))
        now = {frozenset(game.seats) for game in games}
        assert now.isdisjoint(before), "nobody meets the same twice in a row"
        begun, before = by_strength(begun.with_pairings(games)), now
    played_by = [len([*begun.of(one.number)]) for one in begun.participants]
    assert least <= min(played_by) and max(played_by) <= most, played_by
    assert len(pairs(begun)) == count * (count - 1) // 2


def test_as_many_of_an_arena_play_as_can_where_some_are_kept_apart() -> None:
    begun = tournament(TournamentFormat.ARENA, 4, minutes=60)
    apart = {frozenset(pair) for pair in ((1, 4), (3, 4))}
    games = next_games(begun, range(1, 5), apart)
    assert {frozenset(game.seats) for game in games} == {frozenset({2, 4}), frozenset({1, 3})}
    assert next_games(begun, [1, 4], apart) == []


def test_the_challenge_is_met_only_against_each_defender() -> None:
    begun = tournament(
        TournamentFormat.CHALLENGE, 4, games=3, wins=2, handicaps=(("", "", "rabbit"),)
    )
    assert challenge.verdict(begun) is challenge.PrizeVerdict.OPEN
    lost = played(begun, Random(2), RESULTS[2:])
    assert challenge.verdict(lost) is challenge.PrizeVerdict.FAILED
    assert [len(lost.between(1, one)) for one in (2, 3, 4)] == [3, 3, 3]
    assert [challenge.handicap(begun, game) for game in lost.between(1, 2)] == ["", "", "rabbit"]
    firsts = [lost.between(1, one)[0].seats[0] == 1 for one in (2, 3, 4)]
    assert sorted(firsts) == [False, True, True] or sorted(firsts) == [False, False, True]
    met = begun
    for defender in (2, 3, 4):
        met = met.with_pairings([Pairing(1, (1, defender), (1, 0))] * 2)
    assert challenge.verdict(met) is challenge.PrizeVerdict.MET
    gone = begun.with_pairings([Pairing(1, (1, 2), (1, 0))]).without(2)
    assert challenge.verdict(gone) is challenge.PrizeVerdict.FAILED, "no prize for who stays away"


def test_tie_breaks_count_what_they_say() -> None:
    begun = tournament(TournamentFormat.SWISS, 4, rounds=3).with_pairings(
        [
            *(Pairing(1, (1, 2), (1, 0)), Pairing(1, (3, 4), (0.5, 0.5))),
            *(Pairing(2, (1, 3), (0.5, 0.5)), Pairing(2, (2, 4), (1, 0))),
            *(Pairing(3, (4, 1), (1, 0)), Pairing(3, (2, 3), (0, 1), played=False)),
        ]
    )
    # What 3 got without playing counts in the tie-breaks as a game against somebody with as many
    # points as one has oneself: 2 points for 3, and 1 point for 2.
    assert ranking(begun) == [
        Rank(1, 3, 2.0, (3.5, 5.0, 0.5 * 1.5 + 0.5 * 1.5)),
        Rank(2, 4, 1.5, (3.5 - 1.0 + 1.0, 2.0 + 1.0 + 1.5, 0.5 * 2.0 + 1.0 * 1.5)),
        Rank(3, 1, 1.5, (3.5, 1.0 + 2.0 + 1.5, 1.0 * 1.0 + 0.5 * 2.0)),
        Rank(4, 2, 1.0, (1.5 + 1.5, 1.5 + 1.5 + 1.0, 1.5)),
    ]


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"rounds": 0}, "0 rounds; it must be from 1 to 30"),
        ({"games": 21}, "21 games; it must be from 1 to 20"),
        ({"minutes": 2000}, "2000 minutes; it must be from 1 to 1440"),
    ],
)
def test_plans_out_of_bounds_are_refused(plan: dict[str, Any], words: str) -> None:
    with pytest.raises(MalformedError, match=words):
        Plan(TournamentFormat.SWISS, **plan)


def test_one_alone_is_no_tournament() -> None:
    with pytest.raises(IllegalError, match="1 participants; a tournament has from 2 to 512"):
        check_begins(tournament(TournamentFormat.SWISS, 1))


def test_each_defender_can_have_handicaps_of_their_own() -> None:
    lists = (("dog", "horse", "camel"), (), ("", "", "cat"))
    begun = tournament(TournamentFormat.CHALLENGE, 5, games=3, wins=2, handicaps=lists)
    lost = played(begun, Random(2), RESULTS[2:])
    given = [[challenge.handicap(begun, game) for game in lost.between(1, n)] for n in (2, 3, 4, 5)]
    assert given == [["dog", "horse", "camel"], [""] * 3, ["", "", "cat"], [""] * 3]
