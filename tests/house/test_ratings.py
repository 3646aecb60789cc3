"""Ratings: reckoned as published, with the end of a game, once, and again from the journals."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from databases import place_in
from house.houses import (
    FirstActions,
    Time,
    a_house,
    asked,
    first_turn,
    members,
    quick_passwords,
    seated,
)
from trine.core.clock import DAY
from trine.core.errors import MalformedError, TrineError
from trine.engine.players.player import FULL
from trine.games import open_room
from trine.house.app import House
from trine.house.games.live.actor_requests import rematch
from trine.house.games.live.agreement import LINK, ME, Agreement, speed_of
from trine.house.games.live.commands import abort, resign, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.storage.tables import read_seats
from trine.house.games.view.game_choices import ORIGIN, STEPS
from trine.house.games.view.views import rating_of
from trine.house.people.tables import Person
from trine.house.processes.tables import take_game
from trine.house.ratings import ratings
from trine.house.ratings.glicko import MAX_DEVIATION, MIN_DEVIATION, Rating, rated
from trine.house.ratings.recount import recompute_ratings
from trine.house.ratings.tables import RatingRow, all_ratings, ratings_of, replace_ratings
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.tables import SCHEMA


def test_the_example_of_the_paper() -> None:
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rated(Rating(1500, 200, 0.06), results)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_sure_rating_is_that_of_a_newcomer_after_a_year_and_never_less_sure() -> None:
    sure = Rating(1700, 50)
    assert 300 < sure.aged(330 * 86_400 / ratings.PERIOD).deviation < MAX_DEVIATION
    assert sure.aged(3000 * 86_400 / ratings.PERIOD).deviation == MAX_DEVIATION
    for _ in range(300):
        sure = rated(sure, [(Rating(1700, 50), 1.0), (Rating(1700, 50), 0.0)], 0)
    assert sure.deviation >= MIN_DEVIATION and sure.rating == pytest.approx(1700, abs=5)


def test_a_game_of_equals_moves_both_alike_and_surprises_move_more() -> None:
    one, two = Rating(1500, 80), Rating(1500, 80)
    won, lost = rated(one, [(two, 1.0)], 0), rated(two, [(one, 0.0)], 0)
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    upset = rated(one, [(Rating(2000, 80), 1.0)], 0)
    assert upset.rating > won.rating > 1500
    assert upset.volatility > one.volatility


def test_a_strange_result_has_an_end() -> None:
    """The search for the volatility ends where the result could hardly be."""
    after = rated(Rating(800, 45, 0.06), [(Rating(2800, 45), 1.0)] * 20, 0)
    assert 800 < after.rating < 4000 and 0 < after.volatility < 1


@pytest.mark.parametrize(
    ("clock", "speed"),
    [("0/2", "bullet"), ("3+2", "blitz"), ("10+5", "rapid"), ("30+20", "slow"), ("", "slow")],
)
def test_speeds_go_by_the_time_that_a_player_is_expected_to_need(clock: str, speed: str) -> None:
    assert speed_of(clock) == speed


def test_a_rated_game_allows_no_help_and_has_a_clock() -> None:
    agreed = Agreement.make("corridor", options={"Players": "4"}, clock="5+5", rated=True)
    assert (agreed.casual, agreed.takebacks, agreed.listed) == (False, False, True)
    assert agreed.discipline == "corridor/quoridor/4 rapid"
    assert agreed.again().rated
    assert Agreement.from_data(agreed.as_data()) == agreed
    assert Agreement.make("tzaar", clock="5+5", rated=True).again().rated
    for game, start in (
        ("arimaa", {"Handicap": "gold:camel"}),
        ("corridor", {"Size": "5"}),
        ("corridor", {"Players": "4", "Size": "5"}),
        ("tzaar", {"Seed": "1234567890"}),
        ("tzaar", {"Setup": "fixed"}),
    ):
        Agreement.make(game, options=start, clock="5+5")
        with pytest.raises(MalformedError, match="as the rules have it"):
            Agreement.make(game, options=start, clock="5+5", rated=True)
    for wrong in ({"clock": ""}, {"clock": "0/0"}, {"clock": "5+5", "position": "9 e1 e9"}):
        with pytest.raises(MalformedError):
            Agreement.make("corridor", rated=True, **wrong)  # type: ignore[arg-type]


async def a_rated_game(house: House, players: list[Person], clock: str = "5+3") -> GameActor:
    options = {"Players": str(len(players))} if len(players) > 2 else {}
    agreed = Agreement.make("corridor", options=options, clock=clock, rated=True)
    return await seated(house, agreed, *players)


async def play_some(
    host: GameActor, players: list[Person], count: int = ratings.EARLY_TURNS
) -> None:
    """Play as many turns as make a game count in full that is given up then."""
    for number in range(count):
        play = host.game.running().play
        (mover,) = (one for one in players if one.id == host.game.seats[play.mover].person)
        away = str(play.legal_actions()[-1])  # a wall: pawns that walk would be there too soon
        await host.do(turn, asked(mover, f"turn {number}"), (away,))


async def test_the_end_of_a_rated_game_rates_its_players_once(house: House) -> None:
    anna, bela = await members(house, "Anna", "Bela")
    host = await a_rated_game(house, [anna, bela])
    assert str(host.snapshot.standings[0]) == "1500?"
    await play_some(host, [anna, bela])
    await host.do(resign, asked(bela, "once"))
    await host.do(resign, asked(bela, "once"))
    (won,), (lost,) = (house.store.read(ratings_of, one.id) for one in (anna, bela))
    assert won.discipline == lost.discipline == "corridor/quoridor blitz"
    expected = rated(Rating(), [(Rating(), 1.0)], 0)
    assert won.rating == pytest.approx(1500 + ratings.MAX_CHEAP_POINTS), (
        "of a newcomer no more can be won"
    )
    assert won.deviation == expected.deviation, "and yet the rating is as sure as by any game"
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert (won.score, lost.score, won.game) == (1.0, 0.0, host.id)
    assert host.snapshot.standings[0].rating == pytest.approx(won.rating)


async def test_a_game_of_four_counts_by_the_order_of_the_end(house: House) -> None:
    """Who leaves first is last, and all are behind those who stay."""
    four = await members(house, "Anna", "Bela", "Cili", "Dora")
    host = await a_rated_game(house, four)
    for one in four[1:]:
        await host.do(resign, asked(one))
    scores = [house.store.read(ratings_of, one.id)[0] for one in four]
    assert [row.score for row in scores] == [1, 0, 0, 0]
    new = Rating()
    part = ratings.MAX_CHEAP_POINTS / (rated(new, [(new, 1.0)] * 3, 0).rating - 1500)
    for row, won in zip(scores, (3, 0, 1, 2), strict=True):
        results = [(new, 1.0)] * won + [(new, 0.0)] * (3 - won)
        whole = rated(new, results, 0).rating - 1500
        assert row.rating == pytest.approx(1500 + part * whole)
    assert scores[1].rating < scores[2].rating < 1500 < scores[3].rating < scores[0].rating
    assert await asyncio.to_thread(recompute_ratings, house.store) == house.store.read(all_ratings)


@pytest.mark.parametrize(
    ("winner", "left", "places"),
    [(0, [], [1, 2, 2]), (1, [2], [2, 1, 3]), (None, [0], [3, 1, 1]), (2, [1, 0], [2, 3, 1])],
)
def test_places_of_three(winner: int | None, left: list[int], places: list[int]) -> None:
    assert ratings.places_of(3, winner, left) == places


def test_those_who_stay_and_do_not_win_are_not_compared() -> None:
    two = ratings.Result("g", "d", ["a", "b", "c"], [1, 2, 2], drawn=False, at=0.0)
    sure = Rating(1500, 60)
    one, other, third = ratings.new_rows(two, {name: sure_row(name) for name in "abc"})
    lost = rated(sure, [(sure, 0.0)], 0)
    assert other.rating == third.rating == lost.rating
    assert one.rating == rated(sure, [(sure, 1.0)] * 2, 0).rating


def sure_row(name: str, rating: float = 1500.0, deviation: float = 60.0) -> RatingRow:
    return RatingRow("before", name, "d", 0.0, 1.0, rating, deviation, 0.06)


@given(
    st.lists(st.tuples(st.floats(50, 350), st.floats(1000, 2000), st.booleans()), max_size=30),
    st.floats(50, 350),
)
def test_unsure_opponents_raise_a_rating_by_40_points_a_day_whoever_they_are(
    opponents: list[tuple[float, float, bool]], deviation: float
) -> None:
    mine, won = sure_row("me", 1500, deviation), 0.0
    for number, (unsure, rating, is_young) in enumerate(opponents):
        result = ratings.Result(f"g{number}", "d", ["me", "x"], [1, 2], drawn=False, at=0.0)
        before = {"me": mine, "x": sure_row("x", rating, unsure)}
        young = {"x"} if is_young or unsure <= ratings.PROVISIONAL_DEVIATION else set()
        own, other = ratings.new_rows(result, before, won={"me": won}, young=young)
        assert own.early is not None and own.deviation <= mine.deviation + 1
        assert (own.rating >= mine.rating) and (other.rating <= rating)
        mine, won = own, won + own.early
    assert mine.rating <= 1500 + ratings.MAX_CHEAP_POINTS + 1e-6


def test_sure_opponents_and_levels_give_all_that_glicko_says() -> None:
    for opponent in ("x", Rating(1500, 60)):
        result = ratings.Result("g", "d", ["me", opponent], [1, 2], drawn=False, at=0.0)
        own, *_ = ratings.new_rows(
            result, {"me": None, "x": sure_row("x")}, won={"me": ratings.MAX_CHEAP_POINTS}
        )
        assert own.rating == rated(Rating(), [(Rating(1500, 60), 1.0)], 0).rating > 1600
        assert own.early is None


def test_each_measured_level_stands_higher_than_the_one_below() -> None:
    for game, rules in STEPS:
        assert rules in open_room(game).rule_sets
        anchors = ratings.anchors_of(game, rules)
        assert list(anchors) == list(range(1, len(anchors) + 1)) and max(anchors) <= FULL
        assert anchors[ORIGIN] == Rating(1500, anchors[ORIGIN].deviation)
        assert all(anchors[n].rating < anchors[n + 1].rating for n in range(1, len(anchors)))
        sure = [anchors[n].deviation for n in range(ORIGIN, len(anchors) + 1)]
        assert sure == sorted(sure)  # the further away, the less sure
    assert ratings.anchors_of("corridor", "another") == {}


async def test_a_game_against_a_level_rates_the_person_alone(house: House) -> None:
    (anna,) = await members(house, "Anna")
    agreed = Agreement.make("corridor", clock="5+3", rated=True)
    assert not (agreed.casual or agreed.takebacks)
    name, _ = await house.games.create(agreed, [ME, "bot:3"], anna)
    host = await house.games.actor(name)
    assert host.game
    await host.do(turn, asked(anna), first_turn(host.game.play))
    await host.do(resign, asked(anna))
    (row,) = house.store.read(all_ratings)
    level = ratings.anchors_of("corridor", "quoridor")[3]
    expected = rated(Rating(), [(level, 0.0)], 0)
    assert (row.person, row.rating, row.score) == (anna.id, expected.rating, 0.0)
    assert row.deviation < MAX_DEVIATION
    assert rating_of(host.snapshot, 1) == str(round(level.rating))
    assert await asyncio.to_thread(recompute_ratings, house.store) == [row]
    again = await rematch(host, asked(anna))
    assert house.store.read(read_seats, again)[0].name == "bot:3"


async def test_only_measured_levels_alone_with_one_account_are_anchors(house: House) -> None:
    (anna,) = await members(house, "Anna")
    guest, _ = await house.accounts.welcome("Guest")
    for wishes, who, why in (
        ([ME, "bot:3"], guest, "accounts"),
        ([ME, "bot:10"], anna, "not been measured"),
        ([ME, "bot:pathfinder"], anna, "not been measured"),
        (["bot:3", "bot:4"], anna, "accounts"),
        ([ME, ME], anna, "against one level"),
        ([ME, LINK], anna, "against one level"),
    ):
        agreed = Agreement.make("corridor", clock="5+3", rated=True)
        with pytest.raises(HouseError, match=why):
            await house.games.create(agreed, wishes, who)


async def test_of_games_against_levels_only_so_many_count_in_a_day(
    house: House, time: Time
) -> None:
    """A farm of one account and a level that it has learned to beat."""
    time.now = time.now // DAY * DAY
    anna, bela = await members(house, "Anna", "Bela")
    agreed = Agreement.make("corridor", clock="5+3", rated=True)

    async def lose(number: int) -> None:
        name, _ = await house.games.create(agreed, [ME, f"bot:{number % 3 + 1}"], anna)
        await (await house.games.actor(name)).do(resign, asked(anna))

    for number in range(ratings.MAX_RATED_A_DAY):
        await lose(number)
    with pytest.raises(HouseError, match="against the computer today"):
        await lose(0)
    host = await a_rated_game(house, [anna, bela])
    await play_some(host, [anna, bela])
    await host.do(resign, asked(bela))
    assert len(house.store.read(ratings_of, anna.id)) == ratings.MAX_RATED_A_DAY + 1
    time.now += DAY
    await lose(0)
    assert await asyncio.to_thread(recompute_ratings, house.store) == house.store.read(all_ratings)


async def test_what_is_not_rated_rates_nobody(house: House) -> None:
    anna, bela = await members(house, "Anna", "Bela")
    guest, _ = await house.accounts.welcome("Guest")
    for players in ([anna, guest], [anna, anna]):
        with pytest.raises(HouseError, match="accounts"):
            await a_rated_game(house, players)
    host = await seated(house, Agreement.make("corridor", clock="5+3"), anna, bela)
    await host.do(resign, asked(anna))
    broken_off = await a_rated_game(house, [anna, bela])
    await broken_off.do(abort, asked(anna))
    assert house.store.read(all_ratings) == []


@pytest.mark.usefixtures("place")
async def test_recomputing_from_the_journals_leads_to_the_same(house: House, time: Time) -> None:
    three = await members(house, "Anna", "Bela", "Cili")
    for number in range(7):
        one, two = three[number % 3], three[(number + 1) % 3]
        host = await a_rated_game(house, [one, two], "5+3" if number % 2 else "30+20")
        await play_some(host, [one, two])
        await host.do(resign, asked(one if number % 2 else two))
        time.now += 40_000
    await rematch(host, asked(one))
    await rematch(host, asked(two))
    before = house.store.read(all_ratings)
    assert len(before) == 14
    assert await asyncio.to_thread(recompute_ratings, house.store) == before
    # A house of before, or one whose ratings were lost, comes to the same.
    await house.store.commit(replace_ratings, [])
    again = await asyncio.to_thread(recompute_ratings, house.store)
    assert again == before
    await house.store.commit(replace_ratings, again)
    assert house.store.read(all_ratings) == before


async def test_of_the_games_of_two_only_so_many_count_in_a_day(house: House, time: Time) -> None:
    """A farm: two accounts that let one of them win, one game after the other."""
    time.now = time.now // DAY * DAY
    anna, bela, cili = await members(house, "Anna", "Bela", "Cili")

    async def win() -> GameActor:
        host = await a_rated_game(house, [anna, bela])
        await play_some(host, [anna, bela])
        await host.do(resign, asked(bela))
        return host

    for _ in range(ratings.MAX_RATED_A_DAY + 2):
        last = await win()
    assert len(house.store.read(ratings_of, anna.id)) == ratings.MAX_RATED_A_DAY
    await rematch(last, asked(anna))
    with pytest.raises(HouseError, match="today"):
        await rematch(last, asked(bela))
    seek = Agreement.make("corridor", clock="5+3", rated=True)
    await house.lobby.open("a", anna, seek)
    with pytest.raises(HouseError, match="today"):
        await house.lobby.take("a", bela)
    game = await house.lobby.take("a", cili)
    host = await house.games.actor(game)
    await play_some(host, [anna, cili])
    await host.do(resign, asked(cili))
    assert len(house.store.read(ratings_of, anna.id)) == ratings.MAX_RATED_A_DAY + 1
    time.now += DAY
    await win()
    assert len(house.store.read(ratings_of, anna.id)) == ratings.MAX_RATED_A_DAY + 2
    assert await asyncio.to_thread(recompute_ratings, house.store) == house.store.read(all_ratings)


@pytest.mark.faults("a game is loaded anew")
async def test_an_end_that_could_not_be_written_has_rated_nobody(tmp_path: Path) -> None:
    """Ratings are written with the end, or neither is; afterwards the game can end once."""
    with Store.open(place_in(tmp_path), SCHEMA) as store:
        house = await House.open(store, passwords=quick_passwords(), bots=FirstActions())
        anna, bela = await members(house, "Anna", "Bela")
        host = await a_rated_game(house, [anna, bela])
        await play_some(host, [anna, bela])
        await store.commit(take_game, host.id, "elsewhere", held=True)
        with pytest.raises(TrineError):
            await host.do(resign, asked(bela))  # another process has the game
        assert store.read(all_ratings) == []
        again = await house.games.actor(host.id)
        assert again is not host and again.game and not again.game.over
        await again.do(resign, asked(bela))
        assert [row.score for row in store.read(all_ratings)] == [1.0, 0.0]
        await house.close()


async def test_a_game_that_is_given_up_at_once_counts_for_nobody(house: House) -> None:
    anna, bela = await members(house, "Anna", "Bela")
    host = await a_rated_game(house, [anna, bela])
    await play_some(host, [anna, bela], ratings.MIN_TURNS - 1)
    await host.do(resign, asked(bela))
    assert house.store.read(all_ratings) == []
    assert await asyncio.to_thread(recompute_ratings, house.store) == []


async def test_games_of_the_same_two_count_less_and_less_within_a_day(
    house: House, time: Time
) -> None:
    time.now = time.now // DAY * DAY
    anna, bela = await members(house, "Anna", "Bela")
    gains, stands = [], 1500.0
    for _ in range(4):
        host = await a_rated_game(house, [anna, bela])
        await play_some(host, [anna, bela])
        await host.do(resign, asked(bela))
        last = house.store.read(ratings_of, anna.id)[-1]
        gains.append(last.rating - stands)
        stands = last.rating
    assert gains == sorted(gains, reverse=True) and gains[3] < gains[0] / 6
    assert await asyncio.to_thread(recompute_ratings, house.store) == house.store.read(all_ratings)


async def test_accounts_of_one_address_do_not_meet_in_rated_games(tmp_path: Path) -> None:
    """The farm: accounts behind one address that let one of them win."""
    seek = Agreement.make("corridor", clock="5+3", rated=True)
    for share in (False, True):
        async with a_house(tmp_path / str(share), share_address=share) as house:
            anna, bela, cili = await members(house, "Anna", "Bela", "Cili")
            for one, address in ((anna, "8.8.8.8"), (bela, "8.8.8.8"), (cili, "9.9.9.9")):
                await house.linked_accounts.keep(one.id, address)
            await house.lobby.open("a", anna, seek)
            if not share:
                with pytest.raises(HouseError, match="one address"):
                    await house.lobby.take("a", bela)
                assert await house.lobby.take("a", cili)
            else:
                assert await house.lobby.take("a", bela), "the host lets them, as in a club"
