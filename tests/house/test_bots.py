"""The queue of what waits for the workers of a house."""

import asyncio
from typing import Any

import pytest

from house.houses import Eye, FirstActions, OpenHouse, asked, settled, until
from trine.core.compiled.ahead import CompileProgress
from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.games.live import bots
from trine.house.games.live.agreement import ME, Agreement
from trine.house.games.live.bots import Bots
from trine.house.games.live.commands import turn
from trine.house.refusals import OverloadedError


async def test_no_more_hints_wait_than_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MAX_WAITING_ASIDE", 3)
    monkeypatch.setattr(bots, "MAX_WAITING", 5)
    thinkers = Bots(workers=1)
    thinkers._busy = 1  # nobody has time for any of them
    hints = [asyncio.ensure_future(thinkers.hint("tzaar", (), ())) for _ in range(3)]
    await asyncio.sleep(0)
    assert thinkers.waiting == 3
    with pytest.raises(OverloadedError):
        await thinkers.hint("tzaar", (), ())
    turns = [
        asyncio.ensure_future(thinkers.choose("tzaar", "bot:1", (), 0.0, lambda: True))
        for _ in range(2)
    ]
    await asyncio.sleep(0)
    assert thinkers.waiting == 5, "a game that is played has to wait for no hint"
    with pytest.raises(OverloadedError):
        await thinkers.choose("tzaar", "bot:1", (), 0.0, lambda: True)
    hints[0].cancel()
    await asyncio.sleep(0)
    another = asyncio.ensure_future(thinkers.hint("tzaar", (), ()))
    await asyncio.sleep(0)
    assert not another.done(), "what nobody waits for any more takes no place"
    thinkers.close()
    await asyncio.gather(*hints, *turns, another, return_exceptions=True)


async def test_hints_for_one_network_address_leave_room_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bots, "MAX_OF_ADDRESS", 2)
    thinkers = Bots(workers=1)
    thinkers._busy = 1  # nobody has time for any of them
    hints = [thinkers.hint("tzaar", (), (), "192.0.2.7") for _ in range(2)]
    hints.append(thinkers.hint("tzaar", (), (), "192.0.2.8"))
    tasks = [asyncio.ensure_future(one) for one in hints]
    await asyncio.sleep(0)
    assert thinkers.waiting == 3
    with pytest.raises(OverloadedError):
        await thinkers.hint("tzaar", (), (), "192.0.2.7")
    tasks[0].cancel()
    await asyncio.sleep(0)
    another = asyncio.ensure_future(thinkers.hint("tzaar", (), (), "192.0.2.7"))
    await asyncio.sleep(0)
    assert not another.done(), "what nobody waits for any more takes no place"
    thinkers.close()
    await asyncio.gather(*tasks, another, return_exceptions=True)


class BusyCompiling(AnalysisBots):
    """Workers that are not ready for any game, and are not going to be."""

    def progress(self, game: str) -> CompileProgress:
        return CompileProgress(1, 2, 3, 4.0)


async def test_a_bot_of_a_low_level_answers_while_the_workers_compile(
    open_house: OpenHouse,
) -> None:
    house = await open_house(bots=BusyCompiling(workers=1))
    one, _ = await house.accounts.welcome("Anna")
    game, _ = await house.games.create(Agreement.make("corridor"), [ME, "bot:2"], one)
    host = await house.games.actor(game)
    await host.do(turn, asked(one), ["e2"])
    await until(lambda: host.game.running().play.turn_tag == "2s")
    words = [str(entry.data.get("words", "")) for entry in host.game.entries]
    assert any("bot:2 was not ready" in said for said in words)
    hint = await house.bots.hint_at_once(game, host.game.entries, ())
    assert hint.ids and "sound turn" in str(hint.reasons[0])
    assert hint.line[0] == hint.ids and len(hint.line) == 3


class Counted(FirstActions):
    """Bots that count how often they are asked."""

    asked = 0

    async def choose(self, *given: Any) -> tuple[str, ...] | None:
        self.asked += 1
        return await super().choose(*given)


async def test_bots_play_each_other_without_a_clock_only_while_somebody_looks(
    open_house: OpenHouse,
) -> None:
    thinkers = Counted()
    house = await open_house(bots=thinkers)
    one, _ = await house.accounts.welcome()
    game, _ = await house.games.create(Agreement.make("corridor"), ["bot:1", "bot:1"], one)
    host = await house.games.actor(game)
    await settled(host)
    assert thinkers.asked == 0
    await host.enter(Eye(), None)
    await until(lambda: thinkers.asked)
