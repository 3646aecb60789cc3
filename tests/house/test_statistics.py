"""The statistics of a house: every end is noted once, those of before too, and no broken-off game."""

import pytest

from house.houses import Time, asked, first_turn, members, seated
from trine.core.contract.position import Reason
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import abort, resign, turn
from trine.house.statistics.statistics import (
    CACHE_TTL,
    ResultCounts,
    count_results,
    results_by_opponent,
    results_by_seat,
)


async def play_some(house: House) -> None:
    """One game of Arimaa that Silver resigns after two turns, one of TZAAR that is broken off."""
    anna, bela = await members(house, "Anna", "Bela")
    for game in ("arimaa", "tzaar"):
        host = await seated(house, Agreement.make(game, rules=RULES[game]), anna, bela)
        if game == "tzaar":
            await host.do(abort, asked(anna))
            continue
        for person in (anna, bela):
            assert host.game
            await host.do(turn, asked(person), first_turn(host.game.play))
        await host.do(resign, asked(bela))


RULES = {"arimaa": "classic", "tzaar": "official"}


async def test_games_are_counted_with_their_ends(house: House, time: Time) -> None:
    (figures,) = await house.statistics.figures()
    assert figures.summary is None and figures.published == 1695, "the article's figures alone"
    await play_some(house)
    (before,) = await house.statistics.figures()
    assert before is figures, "counted a moment ago"
    time.now += CACHE_TTL
    found = house.store.read(count_results)
    assert list(found) == [("arimaa", "classic")]
    games = found["arimaa", "classic"]
    assert games.reasons == {Reason.RESIGNATION: 1}
    assert (games.first, games.turns) == ([1.0], [2])
    (figures,) = made = await house.statistics.figures()
    assert await house.statistics.figures() is made, "not for each reader"
    told = {one.reason.template: (one.games, one.published) for one in figures.ends}
    assert told["resignation"] == (1, 0)
    assert told["goal"] == (0, 1653), "beside the article's figures"
    time.now += CACHE_TTL
    again = await house.statistics.figures()
    assert again == made and again is not made, "counted again"


@pytest.mark.usefixtures("place")
async def test_results_are_counted_by_seat_and_by_opponent(house: House) -> None:
    people = await members(house, "Anna", "Bela")
    for clock, rated in (("5+5", True), ("10+10", True), ("10+10", False)):
        agreed = Agreement.make("corridor", rules="quoridor", clock=clock, rated=rated)
        host = await seated(house, agreed, *people)
        for number in range(6):
            assert host.game
            person = people[number % 2]
            await host.do(turn, asked(person), first_turn(host.game.play))
        await host.do(resign, asked(people[0]))
    (_, figures) = await house.statistics.figures()
    assert figures.summary and figures.summary.over == 3
    await seated(house, Agreement.make("corridor", listed=True), *people)  # running
    anna, bela = people
    (south,) = house.store.read(results_by_seat, anna.id)
    assert (south.title, south.rules, str(south.seat)) == ("Corridor", "quoridor", "South")
    assert south.tally == ResultCounts(2, 0, 0), "of the public games alone"
    (met,) = house.store.read(results_by_opponent, bela.id)
    assert (str(met.name), met.page, met.tally) == ("Anna", "Anna", ResultCounts(2, 2, 0))
