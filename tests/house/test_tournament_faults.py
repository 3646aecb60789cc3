"""Tournaments in houses that break down, with faults, and of several processes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from databases import place_in
from house.houses import FirstActions, OpenHouse, Time
from house.test_homes import houses
from house.test_tournaments import ROUND_ROBIN, go_on, joined, people, played
from postgres import Server
from trine.house.app import House
from trine.house.games.storage.tables import Stage, count_games, games_in
from trine.house.store.store import Store
from trine.house.store.store_errors import HeldError
from trine.house.tables import SCHEMA
from trine.house.tournaments import tournament_steps as steps
from trine.house.tournaments.director import Director
from trine.house.tournaments.tables import TournamentStage
from trine.play.tournament.ranking import ranking
from trine.play.tournament.tournament import Plan, TournamentFormat


class Fuse:
    """A store, until the power goes: before a step of a tournament is written, or just after."""

    STEPS = (*(steps.begin, steps.pair), *(steps.play, steps.result, steps.end))

    def __init__(self, store: Any, writes: int, *, after: bool) -> None:
        self._store, self._left, self._after = store, writes, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, statement: Any, *given: Any, **named: Any) -> Any:
        self._left -= statement in self.STEPS
        if self._left or statement not in self.STEPS:
            return await self._store.commit(statement, *given, **named)
        if self._after:
            await self._store.commit(statement, *given, **named)
        raise InterruptedError("the power has gone")


@pytest.mark.parametrize("after", [False, True])
async def test_a_house_that_breaks_down_between_any_two_steps_goes_on(
    tmp_path: Path, after: bool
) -> None:
    async def attempt(path: Path, writes: int) -> tuple[object, bool]:
        path.mkdir()
        with Store.open(place_in(path), SCHEMA) as store:
            time = Time()
            house, cut = House(store, bots=FirstActions(), now=time), False
            some = await people(house, 2)
            twice = Plan(TournamentFormat.ROUND_ROBIN, games=2)
            name = await joined(house, twice, some, starts_at=time.now + 1)
            time.now += 2
            house.tournaments.director._store = Fuse(store, writes, after=after)  # type: ignore[assignment]
            try:
                await go_on(house, name)
            except InterruptedError:
                cut = True
                for host in house.games.actors:
                    await host.close()
                # Another one, which has forgotten everything.
                house = House(store, bots=FirstActions(), now=time)
                await house.tournaments.director.tick()
                await go_on(house, name)
            state = await house.tournaments.read(name)
            names = {one.game for one in state.pairings}
            assert len(store.read(games_in, Stage.OVER)) == len(names) == len(state.pairings) == 2
            await house.close()
            return [(one.number, one.points) for one in ranking(state.tournament)], cut

    whole, cut = await attempt(tmp_path / "whole", 10_000)
    for writes in range(1, 100):
        told, cut = await attempt(tmp_path / str(writes), writes)
        assert told == whole
        if not cut:
            assert writes == 1 + 2 * 3 + 1 + 1, "beginning, two rounds, the end, one more"
            return


async def test_several_processes_direct_one_tournament(postgres_server: Server) -> None:
    with postgres_server.database() as url:
        async with houses(url, 2) as (here, there):
            some = await people(here, 4)
            name = await joined(here, ROUND_ROBIN, some)
            await here.tournaments.begin(name, some[0])
            for _ in range(10):
                both = [house.tournaments.director for house in (here, there)]
                await asyncio.gather(*(one.advance(name) for one in (*both, *both)))
                state = await here.tournaments.read(name)
                if state.row.stage is TournamentStage.OVER:
                    break
                for one in state.pairings:
                    if one.game and one.pairing.open:
                        try:
                            await played(await here.games.actor(one.game), 1)
                        except HeldError:
                            await played(await there.games.actor(one.game), 1)
            assert state.row.stage is TournamentStage.OVER
            assert len(state.pairings) == len({one.game for one in state.pairings}) == 6
            assert here.store.read(count_games)[Stage.OVER] == 6


async def test_a_fault_in_one_tournament_holds_up_no_other(
    open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors, seen = list[type](), list[str]()
    house = await open_house(report=lambda _, error=None, **about: errors.append(type(error)))

    async def advance(name: str) -> None:
        seen.append(name)
        if name == "broken":
            raise TypeError(name)

    director = Director(house.tournaments.director._services, lambda name: set())
    monkeypatch.setattr(director, "advance", advance)
    for name in ("broken", "whole"):
        director.wake(name)
    await director.tick()
    assert seen == ["broken", "whole"] and errors == [TypeError]
    await director.tick()
    assert seen[2:] == ["broken"], "it is tried again"
