"""The statistics of a house: every end is noted once, those of before too, and no broken-off game."""

from __future__ import annotations

from sqlalchemy import delete

from house.houses import Time, a_house, asked, first_turn, story
from playing import HOUSE
from trine.core.contract.outcome import Reason
from trine.core.text.language import open_language
from trine.house.app import House
from trine.house.games.agreement import Agreement
from trine.house.games.commands.leaving import abort, resign
from trine.house.games.commands.playing import turn
from trine.house.games.seat_rows import SeatKind, SeatRow
from trine.house.statistics.counting import FRESH
from trine.house.statistics.routes import CHOICES
from trine.house.statistics.tables import RESULT, count_results, games_without_result


async def play_some(house: House) -> None:
    """One game of Arimaa that Silver resigns after two turns, one of TZAAR that is broken off."""
    anna = (await house.accounts.register(None, "Anna", "four quiet rabbits"))[0]
    bela = (await house.accounts.register(None, "Bela", "four quiet rabbits"))[0]
    seats = [SeatRow(SeatKind.PERSON, one.name, one.id) for one in (anna, bela)]
    for game in ("arimaa", "tzaar"):
        played = await house.games.create_with(Agreement.make(game, rules=RULES[game]), seats)
        host = await house.games.host(played)
        if game == "tzaar":
            await host.do(abort, asked(anna))
            continue
        for person in (anna, bela):
            assert host.game
            await host.do(turn, asked(person), first_turn(host.game.play))
        await host.do(resign, asked(bela))


RULES = {"arimaa": "classic", "tzaar": "official"}


@story
async def test_games_are_counted_with_their_ends(place: str) -> None:
    time = Time()
    async with a_house(place, now=time) as house:
        assert await house.statistics.games() == {}
        await play_some(house)
        assert await house.statistics.games() == {}, "counted a moment ago"
        time.now += FRESH
        found = await house.statistics.games()
        assert list(found) == [("arimaa", "classic")]
        games = found["arimaa", "classic"]
        assert games.reasons == {Reason.RESIGNATION: 1}
        assert (games.first, games.turns) == ([1.0], [2])
        (figures,) = made = await house.statistics.figures(open_language("en"))
        assert await house.statistics.figures(open_language("en")) is made, "not for each reader"
        told = {one.reason.template: (one.games, one.told) for one in figures.ends}
        assert told["resignation"] == (1, 0)
        assert told["goal"] == (0, 1653), "beside the article's figures"
        time.now += FRESH
        again = await house.statistics.figures(open_language("en"))
        assert again == made and again is not made, "counted again"


@story
async def test_games_that_ended_before_results_were_noted_are_noted_once(place: str) -> None:
    async with a_house(place) as house:
        await play_some(house)
        at_once = house.store.read(count_results)
        await house.store.commit(lambda connection: connection.execute(delete(RESULT)))
        assert house.store.read(count_results) == {}
        assert len(house.store.read(games_without_result, 10)) == 2
        await house.statistics.catch_up()
        assert house.store.read(count_results) == at_once
        assert not house.store.read(games_without_result, 10)
        await house.statistics.catch_up()
        assert house.store.read(count_results) == at_once


def test_the_page_says_what_the_documentation_says() -> None:
    page = (HOUSE / "docs" / "perft.md").read_text(encoding="utf-8")
    for one in CHOICES:
        players = "people" if one.people else "level 5"
        row = f"| {one.game.lower()}/{one.rules} | {players} | {one.median:,} | {one.most:,} |"
        assert row in page
