"""The socket of a game, in one process with its house: what waits holds up nothing else."""

import asyncio
import gc
import gzip
import math
import weakref
from functools import partial
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from house.houses import FirstActions, OpenHouse, two_at_a_board, until
from house.web.test_page_socket import Wire
from trine.core.text.language import open_language
from trine.house.analysis.reviews import record_of_game
from trine.house.app import House
from trine.house.games.live.agreement import ME, Agreement
from trine.house.games.live.bot_worker import ComputedHint
from trine.house.games.live.commands import CommandMeta, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.view import game_socket
from trine.house.games.view.game_socket import GameSocket
from trine.house.lobby.new_game import read_offer
from trine.house.people.tables import Person
from trine.house.talk.chat import PageChat
from trine.house.web.assets import Boards
from trine.house.web.metrics import Metrics
from trine.house.web.rate_limits import ADDRESS_MESSAGES, PLAYER_MESSAGES, RateLimiter


class Busy(FirstActions):
    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.asked = 0

    async def hint(self, *given: Any) -> ComputedHint:
        self.asked += 1
        await self.free.wait()
        return ComputedHint("e2", ("e2",), ())


class Browser(Wire):
    cookies: dict[str, str] = {}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.got: list[dict[str, Any]] = []

    async def send_text(self, told: str) -> None:
        self.got.append(msgspec.json.decode(told))

    async def send_bytes(self, told: bytes) -> None:
        self.got.append(msgspec.json.decode(gzip.decompress(told)))

    def answer(self, name: str) -> dict[str, Any] | None:
        return next((one for one in self.got if one.get("id") == name), None)


def a_page(
    house: House, host: GameActor, person: Person, browser: Any, *, merges: bool = False
) -> GameSocket:
    frame: Any = SimpleNamespace(
        now=house.now,
        metrics=Metrics(),
        boards=Boards(),
        players=RateLimiter(PLAYER_MESSAGES),
        addresses=RateLimiter(ADDRESS_MESSAGES),
        address_of=lambda connection: "192.0.2.1",
        language=lambda connection: open_language("en"),
        sockets=1,
    )
    chat = partial(PageChat, house.chats, house.blocks, house.moderation.report_line)
    return GameSocket(frame, browser, host, person, house.bots, house.helpers, chat, merges=merges)


async def test_a_hint_that_waits_for_a_worker_holds_up_no_turn(open_house: OpenHouse) -> None:
    bots = Busy()
    house = await open_house(bots=bots)
    host, one, _ = await two_at_a_board(house, clock="5+5")
    browser = Browser()
    page = a_page(house, host, one, browser)
    running = asyncio.create_task(page.run())
    await until(lambda: page._pings)
    browser.say(t="hint", id="a")
    await until(lambda: bots.asked)
    browser.say(t="hint", id="b")
    browser.say(t="pong", n=1)
    browser.say(t="turn", id="c", at=host.snapshot.seq, a=["e2"])
    browser.say(t="say", id="d", room="players", preset="hello")
    await until(lambda: browser.answer("c") and browser.answer("d"))
    assert (browser.answer("c") or {})["t"] == "ok" and not page._pings
    assert bots.asked == 1 and not browser.answer("a")  # one at a time
    bots.free.set()
    await until(lambda: browser.answer("a") and browser.answer("b"))
    # What it would have played is no longer of use, and another is to move now.
    assert (browser.answer("a") or {})["t"] == "no" == (browser.answer("b") or {})["t"]
    browser.leave()
    await running


class Sure(FirstActions):
    async def hint(self, *given: Any) -> ComputedHint:
        return ComputedHint("e2", ("e2",), (), (("e2",), ("e6h",), ("e3",)))


@pytest.fixture
def options() -> dict[str, Any]:
    return {"bots": Sure()}


async def test_a_hint_against_a_friend_is_told_to_both_and_stands_in_the_record(
    house: House,
) -> None:
    host, one, two = await two_at_a_board(house, clock="5+5")
    browsers = Browser(), Browser()
    pages = [a_page(house, host, *of) for of in zip((one, two), browsers, strict=True)]
    running = [asyncio.create_task(page.run()) for page in pages]
    for call in "ab":
        browsers[0].say(t="hint", id=call)
        await until(lambda call=call: browsers[0].answer(call))  # type: ignore[misc]

    def told(browser: Browser) -> dict[str, Any]:
        return [one for one in browser.got if one["t"] == "game"][-1]

    async def play(number: int, action: str) -> dict[str, Any]:
        """Play a turn; the game as the other is told of it."""
        here, there = browsers[number], browsers[1 - number]
        here.say(t="turn", id=action, at=host.snapshot.seq, a=[action])
        await until(lambda: here.answer(action) and told(there).get("mover") == 1 - number)
        return told(there)

    await until(lambda: told(browsers[1]).get("hinted") == [0])
    assert told(browsers[0])["hinted"] == [0]
    assert (await play(0, "e2"))["hinted"] == [0], "it is gone before the friend has seen it"
    assert "hinted" not in await play(1, "e8")
    assert record_of_game(host).count("{asks for a hint}") == 1
    for browser in browsers:
        browser.leave()
    await asyncio.gather(*running)


async def test_a_hint_alone_is_nobodys_news(house: House) -> None:
    one, _ = await house.accounts.welcome("Anna")
    for wishes in ([ME, "bot:1"], [ME, ME]):
        name, _ = await house.games.create(Agreement.make("corridor"), wishes, one)
        host, browser = await house.games.actor(name), Browser()
        running = asyncio.create_task(a_page(house, host, one, browser).run())
        seq = host.game.seq
        browser.say(t="hint", id="a")
        await until(lambda browser=browser: browser.answer("a"))  # type: ignore[misc]
        assert host.game.seq == seq and (browser.answer("a") or {})["t"] == "hint"
        browser.leave()
        await running


async def test_a_game_without_hints_gives_none(house: House) -> None:
    form = {"game": "corridor", "with": "friend", "clock": "5+5"}
    assert read_offer(form)[0].casual and not read_offer({**form, "no-hints": "on"})[0].casual
    host, one, _ = await two_at_a_board(house, clock="5+5", casual=False)
    browser = Browser()
    running = asyncio.create_task(a_page(house, host, one, browser).run())
    browser.say(t="hint", id="a")
    await until(lambda: browser.answer("a"))
    assert "no hints" in (browser.answer("a") or {})["why"]
    browser.leave()
    await running


async def test_a_hint_shows_each_turn_that_may_follow_on_the_board_before_it(house: House) -> None:
    host, one, _ = await two_at_a_board(house)
    browser = Browser()
    running = asyncio.create_task(a_page(house, host, one, browser).run())
    browser.say(t="hint", id="a")
    await until(lambda: browser.answer("a"))
    answer = browser.answer("a") or {}
    assert answer["paths"] == [["e2"]]
    assert [turn["told"] for turn in answer["line"]] == ["South", "North", "South"]
    assert [turn["paths"] for turn in answer["line"]] == [[["e2"]], [["e6h"]], [["e3"]]]
    boards = [turn["view"] for turn in answer["line"]]
    pawns = [{one["cell"] for one in view["pieces"] if "cell" in one} for view in boards]
    assert pawns == [{"e1", "e9"}, {"e2", "e9"}, {"e2", "e9"}]
    assert "e6h" in [wall.get("id") for wall in boards[2]["walls"]]
    browser.leave()
    await running


async def test_a_page_and_a_game_are_free_as_soon_as_they_are_left(house: House) -> None:
    host, one, _ = await two_at_a_board(house, clock="5+5")
    browser = Browser()
    page = a_page(house, host, one, browser)
    gone: list[weakref.ref[Any]] = [weakref.ref(host), weakref.ref(page)]
    running = asyncio.create_task(page.run())
    browser.say(t="turn", id="a", at=host.snapshot.seq, a=["e2"])
    await until(lambda: browser.answer("a"))
    browser.leave()
    await running
    house.games.evict(host.id)
    gc.disable()  # nothing of it is part of a cycle, which would be looked for late
    try:
        del host, page, running
        await until(lambda: not any(left() for left in gone))
    finally:
        gc.enable()


async def test_a_busy_house_puts_off_watchers_and_hints_and_never_a_turn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_socket, "WATCHER_PAUSE", 0.2)
    waits = list[bool]()

    class Player(Browser):
        """Notes, at each state that it gets, whether that of the watcher still waits."""

        def note(self) -> None:
            if self.got[-1]["t"] in ("game", "changes"):
                waits.append(pages[2]._snapshot is host.snapshot)

        async def send_text(self, told: str) -> None:
            await super().send_text(told)
            self.note()

        async def send_bytes(self, told: bytes) -> None:
            await super().send_bytes(told)
            self.note()

    host, one, two = await two_at_a_board(house, clock="5+5")
    watcher, _ = await house.accounts.welcome()
    browsers: dict[str, Browser] = {person.id: Player() for person in (one, two)}
    browsers[watcher.id] = Browser()
    pages = [a_page(house, host, person, browsers[person.id]) for person in (one, two, watcher)]
    running = [asyncio.create_task(page.run()) for page in pages]
    await until(lambda: len(host.audience) == 3)
    await until(lambda: all(page._snapshot is None for page in pages))
    for page in pages:
        page.frame.metrics._busy_until = math.inf
    seq = host.snapshot.seq
    waits.clear()
    began = asyncio.get_running_loop().time()
    await host.do(turn, CommandMeta(one.id), ["e2"])
    assert host.snapshot.seq == seq + 1
    await until(lambda: len(waits) == 2)
    assert all(waits), "who only watches sees it later"
    assert not any(page._watches_from for page in pages[:2]), "who plays is not put off"
    await until(lambda: pages[2]._snapshot is None)
    assert asyncio.get_running_loop().time() - began >= 0.2
    asking = browsers[two.id]
    asking.say(t="hint", id="h")
    await until(lambda: asking.answer("h"))
    assert "busy" in next(told for told in asking.got if told.get("id") == "h")["why"]
    for person in (one, two, watcher):
        browsers[person.id].leave()
    await asyncio.gather(*running)
