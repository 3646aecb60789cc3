"""The leaders of a discipline: accounts with sure ratings who still play."""

from typing import Any

import pytest

from house.houses import Time, members, seated
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.ratings.ratings import PROVISIONAL_DEVIATION
from trine.house.ratings.routes import CACHE_TTL, INACTIVE_AFTER, Leaders
from trine.house.ratings.tables import RatingRow, replace_ratings

DISCIPLINE = "tzaar/official blitz"


@pytest.mark.usefixtures("place")
async def test_those_with_a_sure_rating_who_still_play_lead(house: House, time: Time) -> None:
    people = await members(house, "Anna", "Bela", "Cili", "Dora", "Emil")
    game = (await seated(house, Agreement.make("tzaar"), *people[:2])).id
    other = (await seated(house, Agreement.make("tzaar"), *people[:2])).id
    now = time()

    def row(number: int, rating: float, **more: Any) -> RatingRow:
        about: dict[str, Any] = {
            "game": game,
            "discipline": DISCIPLINE,
            "at": now,
            "deviation": PROVISIONAL_DEVIATION,
            **more,
        }
        return RatingRow(
            person=people[number].id, score=1.0, rating=rating, volatility=0.06, **about
        )

    rows = [
        row(0, 1900.0),
        row(0, 1700.0, game=other),  # the last one counts
        row(1, 1800.0),
        row(2, 2000.0, deviation=PROVISIONAL_DEVIATION + 1),
        row(3, 2100.0, at=now - INACTIVE_AFTER - 1),
        row(4, 2200.0, discipline="tzaar/official rapid"),
    ]
    await house.store.commit(replace_ratings, rows)
    leaders = Leaders(house.store)
    shown = [(one.name, one.rating, one.games) for one in await leaders.of(DISCIPLINE)]
    assert shown == [("Bela", "1800", 1), ("Anna", "1700", 2)]
    await house.store.commit(replace_ratings, rows[:1])
    assert len(await leaders.of(DISCIPLINE)) == 2, "made a moment ago"
    time.now += CACHE_TTL
    assert [one.name for one in await leaders.of(DISCIPLINE)] == ["Anna"]
