"""The games in memory: when they count as loaded, and what becomes of those that are refused."""

import asyncio
from collections.abc import Collection
from typing import Any

import pytest

from house.houses import FirstActions, Heard, OpenHouse, Time, asked, two_at_a_board, until
from trine.core.clock import HOUR
from trine.core.errors import IllegalError
from trine.house.app import House
from trine.house.games.live import actor_requests, bot_turns
from trine.house.games.live.agreement import ME, Agreement
from trine.house.games.live.commands import abort, resign, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.storage.events import append_events
from trine.house.games.storage.tables import Stage, games_of
from trine.house.store.store_errors import BusyError


def refuse_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the store refuse the next events, since too much waits there."""
    commit = house.store.commit

    async def refuse(statement: Any, *given: Any, **named: Any) -> Any:
        if statement is not append_events:
            return await commit(statement, *given, **named)
        monkeypatch.undo()
        raise BusyError(1)

    monkeypatch.setattr(house.store, "commit", refuse)


async def test_a_game_that_could_not_wake_gives_the_downtime_back_when_it_can(
    house: House, open_house: OpenHouse, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, one, two = await two_at_a_board(house, clock="2d/7d/0")
    await host.do(turn, asked(one), ["e2"])
    await host.do(turn, asked(two), ["e8"])
    house = await open_house(after=5 * HOUR)
    refuse_once(house, monkeypatch)
    with pytest.raises(BusyError):
        await house.games.actor(host.id)
    assert not house.games.actors
    host = await house.games.actor(host.id)
    state = host.snapshot.state
    assert state and state.elapsed(time.now) == pytest.approx(0, abs=1)


async def test_a_game_that_could_not_begin_does_so_when_it_is_asked_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = await house.accounts.welcome("Anna")
    refuse_once(house, monkeypatch)
    game, _ = await house.games.create(Agreement.make("corridor"), [ME, ME], one)
    (row,) = house.store.read(games_of, one.id, 10)
    assert row.id == game and row.stage is Stage.WAITING and not house.games.actors
    host = await house.games.actor(game)
    assert host.snapshot.stage is Stage.PLAYING


async def test_a_game_that_is_asked_for_while_it_begins_is_in_memory_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[asyncio.Task[GameActor]] = []
    begin = actor_requests.begin

    async def begin_later(host: GameActor, here: Collection[str] = ()) -> None:
        asked_for.append(asyncio.create_task(house.games.actor(host.id)))
        await house.store.fetch(games_of, "")  # as long as it takes to look for the game
        await begin(host, here)

    monkeypatch.setattr(actor_requests, "begin", begin_later)
    one, _ = await house.accounts.welcome("Anna")
    game, _ = await house.games.create(Agreement.make("corridor"), [ME, "bot:2"], one)
    (found,) = asked_for
    assert await found is house.games.loaded(game)


async def test_who_has_resigned_cannot_break_the_game_off(house: House) -> None:
    host, one, _ = await two_at_a_board(house)
    await host.do(resign, asked(one))
    with pytest.raises(IllegalError):
        await host.do(abort, asked(one))
    assert not host.snapshot.aborted


class Unhurried(FirstActions):
    def __init__(self) -> None:
        super().__init__()
        self.told = asyncio.Event()

    async def choose(self, *given: Any, **named: Any) -> tuple[str, ...] | None:
        await self.told.wait()
        return await super().choose(*given, **named)


async def test_a_bot_whose_turn_could_not_be_written_is_asked_again(
    open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_turns, "RETRY_TIMEOUT", 0.0)
    heard, bots = Heard(), Unhurried()

    house = await open_house(bots=bots, report=heard)
    one, _ = await house.accounts.welcome("Anna")
    game, _ = await house.games.create(Agreement.make("corridor"), [ME, "bot:2"], one)
    host = await house.games.actor(game)
    await host.do(turn, asked(one), ["e2"])
    with monkeypatch.context() as patched:
        refuse_once(house, patched)
        bots.told.set()
        await until(lambda: len(host.game.play.turns) == 2)
    assert [type(one) for one in heard.errors] == [BusyError]
