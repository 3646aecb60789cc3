"""Farmed ratings: what can be won by them, what administrators see, and what they undo."""

import asyncio
import sqlite3
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from house.houses import Time, asked, members
from house.test_ratings import a_rated_game, play_some
from house.test_tournaments import joined, owner_of, running
from trine.core.clock import DAY
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import abort, resign
from trine.house.moderation.farming import Climber
from trine.house.people.names import fold
from trine.house.people.tables import Person, account_named
from trine.house.ratings.ratings import EARLY_TURNS, MAX_CHEAP_POINTS, MAX_RATED_A_DAY, MIN_TURNS
from trine.house.ratings.recount import recompute_ratings
from trine.house.ratings.tables import (
    ANNULMENT,
    FIRST_PAUSE,
    FREE_LEAVES,
    all_ratings,
    annulled,
    ratings_of,
)
from trine.house.refusals import HouseError
from trine.play.tournament.tournament import Plan, TournamentFormat

STRAWMEN = ("Bela", "Cili", "Dora", "Emil", "Fred", "Gizi")


async def win(house: House, winner: Person, loser: Person, turns: int = EARLY_TURNS) -> str:
    host = await a_rated_game(house, [winner, loser])
    await play_some(host, [winner, loser], turns)
    await host.do(resign, asked(loser))
    return host.id


async def check_recomputed(house: House) -> None:
    """What stands is what the journals of the games that count lead to."""
    stored = house.store.read(all_ratings)
    assert await asyncio.to_thread(recompute_ratings, house.store) == stored


def seen(climbers: object, person: Person) -> Climber:
    assert isinstance(climbers, list)
    (one,) = (one for one in climbers if one.person == person.id)
    assert isinstance(one, Climber)
    return one


@pytest.mark.parametrize("turns", [0, MIN_TURNS])
async def test_six_accounts_that_resign_24_times_lift_another_little_and_are_seen(
    house: House, time: Time, turns: int
) -> None:
    time.now = time.now // DAY * DAY
    anna, *others = await members(house, "Anna", *STRAWMEN)
    for number in range(24):
        time.now += 60
        await win(house, anna, others[number % 6], turns)
    rows = house.store.read(ratings_of, anna.id)
    gain = rows[-1].rating - 1500 if rows else 0.0
    assert gain < 50 and (gain > 0) == (turns >= MIN_TURNS)
    assert gain <= MAX_CHEAP_POINTS + 1e-6
    climbers = await house.farming.climbers(1)
    if not rows:
        assert climbers == []
        return
    assert [one.name for one in climbers] == ["Anna"]
    one = seen(climbers, anna)
    assert {other.name for other in one.against} == set(STRAWMEN)
    assert sum(len(other.games) for other in one.against) == 24
    assert "24 wins in less than 20 turns" in [str(reason) for reason in one.reasons]
    await check_recomputed(house)
    admin = others[0]
    for other in one.against:
        games = await house.farming.between(anna.id, other.person, 1)
        assert len(await house.farming.annul(admin, games)) == 4
    assert house.store.read(all_ratings) == []
    assert len(await house.farming.uncounted()) == 24
    assert [row.what for row, _, _ in await house.moderation.log()] == ["games annulled"] * 6
    time.now += 2 * DAY
    assert await house.farming.climbers(1) == []


async def test_eight_accounts_that_lose_two_long_games_each_lift_another_little_and_are_seen(
    house: House,
) -> None:
    anna, *others = await members(house, "Anna", *STRAWMEN, "Hans", "Ivan")
    for number in range(16):
        await win(house, anna, others[number % 8])
    assert house.store.read(ratings_of, anna.id)[-1].rating - 1500 <= MAX_CHEAP_POINTS + 1e-6
    one = seen(await house.farming.climbers(1), anna)
    assert [str(reason) for reason in one.reasons] == [
        "8 opponents have won nothing, and lost only to this person",
        "16 wins faster than people play",
        "16 wins within ten minutes",
    ]
    games = await house.farming.between(anna.id, None, 1)
    assert len(await house.farming.annul(others[0], games)) == 16
    assert house.store.read(all_ratings) == []


@pytest.mark.usefixtures("place")
async def test_games_that_are_annulled_count_no_more_and_all_since_is_counted_anew(
    house: House, time: Time
) -> None:
    anna, bela, cili = await members(house, "Anna", "Bela", "Cili")
    first = await win(house, anna, bela)
    time.now += 100
    before = house.store.read(all_ratings)
    farmed = []
    for _ in range(3):
        farmed.append(await win(house, anna, cili))
        time.now += 100
    await win(house, bela, anna)
    time.now += 100
    last = await win(house, cili, bela)
    whole = house.store.read(all_ratings)
    climber = seen(await house.farming.climbers(1), anna)
    assert [str(one) for one in climber.reasons] == [
        "all games won (3) against 1 opponent",
        "4 wins faster than people play",
        "4 wins within ten minutes",
    ]
    assert set(await house.farming.annul(bela, farmed)) == {*farmed}
    now = house.store.read(all_ratings)
    assert now[:2] == before and {row.game for row in now}.isdisjoint(farmed)
    assert len(now) == len(whole) - 6
    assert house.store.read(ratings_of, cili.id)[0].game == last
    await check_recomputed(house)
    assert await house.farming.annul(bela, [*farmed, "nonsense"]) == []
    told = [(row.what, actor, row.detail) for row, actor, _ in await house.moderation.log()]
    assert told == [("games annulled", "Bela", " ".join(farmed))]
    assert await house.farming.reinstate(bela, [*farmed, first]) == sorted(farmed)
    assert house.store.read(all_ratings) == whole
    await check_recomputed(house)


async def test_where_a_game_counts_no_more_another_of_that_day_does(
    house: House, time: Time
) -> None:
    time.now = time.now // DAY * DAY
    anna, bela = await members(house, "Anna", "Bela")
    games = []
    for _ in range(MAX_RATED_A_DAY + 1):
        games.append(await win(house, anna, bela, MIN_TURNS))
        time.now += 10
    assert {row.game for row in house.store.read(all_ratings)} == {*games[:-1]}
    await house.farming.annul(anna, games[3:4])
    assert {row.game for row in house.store.read(all_ratings)} == {*games} - {games[3]}
    await check_recomputed(house)


async def test_a_game_that_ends_while_others_are_annulled_is_not_lost(house: House) -> None:
    anna, bela, cili = await members(house, "Anna", "Bela", "Cili")
    farmed = await win(house, anna, bela)
    done = await asyncio.gather(
        house.farming.annul(cili, [farmed]), win(house, bela, cili), win(house, cili, anna)
    )
    assert done[0] == [farmed]
    assert {row.game for row in house.store.read(all_ratings)} == {*done[1:]}


async def test_honest_players_are_not_shown_and_neighbours_are(house: House) -> None:
    anna, bela, cili, dora = await members(house, "Anna", "Bela", "Cili", "Dora")
    for winner, loser in ((anna, bela), (bela, anna), (anna, bela), (anna, cili), (cili, dora)):
        await win(house, winner, loser)
    assert await house.farming.climbers(7) == []
    for one in (cili, dora):
        await house.linked_accounts.keep(one.id, "8.8.8.8")
    climber = seen(await house.farming.climbers(7), cili)
    assert [str(one) for one in climber.reasons] == ["1 opponent with the same address or browser"]


async def test_neighbours_challenge_each_other_without_ratings_alone(house: House) -> None:
    rated, casual = (Agreement.make("corridor", clock="5+3", rated=one) for one in (True, False))
    anna, bela = await members(house, "Anna", "Bela")
    account = house.store.read(account_named, fold("Bela"))
    assert account
    before = await house.challenges.open(anna, account, rated)
    for one in (anna, bela):
        await house.linked_accounts.keep(one.id, "8.8.8.8")
    for attempt in (
        house.challenges.accept(before.id, bela),
        house.challenges.open(anna, account, rated, 0),
    ):
        with pytest.raises(HouseError, match="one address"):
            await attempt
    sent = await house.challenges.open(anna, account, casual)
    assert await house.challenges.accept(sent.id, bela)


async def test_a_tournament_pairs_neighbours_and_rates_nobody_for_it(house: House) -> None:
    some = await members(house, "Anna", "Bela", "Cili")
    for one in some[:2]:
        await house.linked_accounts.keep(one.id, "8.8.8.8")
    agreed = Agreement.make("corridor", clock="5+3", rated=True)
    name = await joined(house, Plan(TournamentFormat.ROUND_ROBIN), some, agreement=agreed)
    await house.tournaments.begin(name, some[0])
    met = {}
    while hosts := await running(house, name):
        for host in hosts:
            met[frozenset(seat.name for seat in host.game.seats)] = host.agreement.rated
            await host.do(resign, asked(owner_of(host, 0)))
        await house.tournaments.director.advance(name)
    assert met.pop(frozenset({"Anna", "Bela"})) is False
    assert list(met.values()) == [True, True]
    assert house.store.read(all_ratings) == [], "they were given up at once, as elsewhere"


def test_annulled_games_are_found_among_more_than_a_statement_takes() -> None:
    games = [f"game-{number}" for number in range(70_000)]
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        driver: Any = connection.connection.dbapi_connection
        driver.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)  # that of SQLite itself
        ANNULMENT.create(connection)
        add = text("insert into annulment (game, at) values (:game, 0)")
        connection.execute(add, [{"game": one} for one in (games[0], games[-1], "another")])
        assert annulled(connection, games) == {games[0], games[-1]}
    engine.dispose()


async def test_whoever_leaves_rated_games_at_once_again_and_again_waits(
    house: House, time: Time
) -> None:
    anna, bela, *others = await members(house, "Anna", "Bela", "Cili", "Dora", "Eva")
    seek = Agreement.make("corridor", clock="5+3", rated=True)
    for number, other in enumerate([*others, bela]):
        host = await a_rated_game(house, [anna, other])
        await host.do((resign, abort)[number % 2], asked(anna))
        if number < FREE_LEAVES:
            await house.ratings.check_may_meet([anna.id, other.id])
    for people_there in ([anna.id, bela.id], [bela.id, anna.id]):
        with pytest.raises(HouseError, match="15 minutes"):
            await house.ratings.check_may_meet(people_there)
    with pytest.raises(HouseError, match="at their beginning"):
        await house.lobby.open("a", anna, seek)
    assert await house.lobby.open("b", bela, seek), "who was left need not wait"
    assert await house.lobby.open("c", anna, Agreement.make("corridor", clock="5+3"))
    time.now += FIRST_PAUSE + 60
    await house.ratings.check_may_meet([anna.id, bela.id])
    host = await a_rated_game(house, [anna, bela])
    await host.do(abort, asked(anna))
    with pytest.raises(HouseError, match="30 minutes"):
        await house.ratings.check_may_meet([anna.id, bela.id])
