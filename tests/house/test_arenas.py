"""Arenas: who is paired, with whom, and until when."""

from typing import cast

import pytest

from house.houses import OpenHouse, Time, until
from house.test_tournaments import advanced, joined, people, played, running
from trine.house.api.streams import Stream
from trine.house.api.tokens import become_bot
from trine.house.app import House
from trine.house.people.tables import Person
from trine.house.tournaments.director import ARENA_PAUSE
from trine.house.tournaments.tables import TournamentStage
from trine.play.tournament.ranking import ranking
from trine.play.tournament.tournament import Plan, TournamentFormat


class Page:
    def __init__(self) -> None:
        self.told = 0

    def changed(self) -> None:
        self.told += 1


async def an_arena(house: House, count: int, minutes: int = 1) -> tuple[str, list[Person]]:
    some = await people(house, count)
    name = await joined(house, Plan(TournamentFormat.ARENA, minutes=minutes), some)
    await house.tournaments.begin(name, some[0])
    return name, some


async def paired(house: House, time: Time, name: str) -> None:
    time.now += ARENA_PAUSE
    await advanced(house, name)


async def test_an_arena_pairs_who_is_there_until_its_time_is_up(house: House, time: Time) -> None:
    name, some = await an_arena(house, 5)
    pages = [Page() for _ in some]

    async def playing() -> list[bool]:
        state = await house.tournaments.read(name)
        return [state.game_of(person.id) is not None for person in some]

    for page, person in zip(pages[:3], some, strict=False):
        await house.tournaments.enter(page.changed, name, person.id)
    await paired(house, time, name)
    first = await playing()
    assert sum(first[:3]) == 2 and not any(first[3:]), "one is left over"
    (host,) = await running(house, name)
    await house.tournaments.enter(pages[3].changed, name, some[3].id)
    await paired(house, time, name)
    assert await playing() == [True, True, True, True, False]
    await until(lambda: pages[2].told)
    await played(host, 0)
    await paired(house, time, name)
    assert len(await running(house, name)) == 2, "those two alone are free, and meet again"
    time.now += 50
    assert await advanced(house, name) is TournamentStage.RUNNING, "a game is still played"
    for host in await running(house, name):
        await played(host, 0)
    await house.tournaments.director.tick()
    state = await house.tournaments.read(name)
    assert state.row.stage is TournamentStage.OVER
    assert sorted(rank.points for rank in ranking(state.tournament)) == [0, 0, 2, 2, 2]


class Ear:
    def begun(self, game: str) -> None: ...

    def challenged(self) -> None: ...


async def test_an_arena_pairs_programs_that_listen_and_no_people_who_only_do(
    house: House, time: Time
) -> None:
    some = await people(house, 5)
    for program in some[:3]:
        await house.store.commit(become_bot, person_id=program.id)
    name = await joined(house, Plan(TournamentFormat.ARENA, minutes=1), some)
    await house.tournaments.begin(name, some[0])
    for person in (some[0], some[1], some[3], some[4]):
        house.subscribers.add(person.id, cast("Stream", Ear()))
    await paired(house, time, name)
    (host,) = await running(house, name)
    assert {seat.person for seat in host.game.seats} == {some[0].id, some[1].id}


async def test_an_arena_keeps_those_apart_of_whom_one_has_blocked_the_other(
    house: House, time: Time
) -> None:
    name, some = await an_arena(house, 3)
    await house.blocks.block(some[1], some[0].id)
    for person in some[:2]:
        await house.tournaments.enter(Page().changed, name, person.id)
    await paired(house, time, name)
    assert not await running(house, name), "nobody else is there, and yet they do not meet"
    await house.tournaments.enter(Page().changed, name, some[2].id)
    await paired(house, time, name)
    (host,) = await running(house, name)
    met = {seat.person for seat in host.game.seats}
    assert some[2].id in met and met != {some[0].id, some[1].id}


async def test_an_arena_goes_on_for_as_long_as_the_house_was_closed(
    house: House, open_house: OpenHouse, time: Time
) -> None:
    name, _some = await an_arena(house, 2, minutes=10)
    time.now += 240
    assert await advanced(house, name) is TournamentStage.RUNNING
    house = await open_house(after=3600)
    state = await house.tournaments.read(name)
    assert state.row.stage is TournamentStage.RUNNING
    assert state.arena_ends_at == pytest.approx(time.now + 360)
    time.now += 350
    await house.tournaments.director.tick()
    assert await advanced(house, name) is TournamentStage.RUNNING
    time.now += 20
    assert await advanced(house, name) is TournamentStage.OVER


async def test_one_alone_in_an_arena_meets_a_bot(house: House, time: Time) -> None:
    some = await people(house, 2)
    name = await joined(house, Plan(TournamentFormat.ARENA), some)
    await house.tournaments.add_bot(name, some[0], "bot:3")
    await house.tournaments.begin(name, some[0])
    page = Page()
    await house.tournaments.enter(page.changed, name, some[1].id)
    await paired(house, time, name)
    (host,) = await running(house, name)
    assert {seat.name for seat in host.game.seats} == {some[1].name, "bot:3"}
    assert (await house.tournaments.read(name)).game_of(some[1].id) == host.id
