"""The base of all sockets: reading goes on whatever is being answered, and every end is orderly."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocketState

from house.houses import until
from trine.core.text.language import open_language
from trine.core.text.sentence import text
from trine.house.games.view.game_socket import CHAT, GameSocket
from trine.house.refusals import ShuttingDownError
from trine.house.web import socket
from trine.house.web.socket import IDLE_TIMEOUT, PageSocket
from waiting import PATIENCE


class Wire:
    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed: list[int] = []
        self.told: list[dict[str, Any]] = []
        self.client_state = self.application_state = WebSocketState.CONNECTED

    def say(self, **message: Any) -> None:
        self.sent.put_nowait(
            {"type": "websocket.receive", "text": msgspec.json.encode(message).decode()}
        )

    def leave(self) -> None:
        self.sent.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def receive(self) -> dict[str, Any]:
        return await self.sent.get()

    async def send_text(self, told: str) -> None:
        self.told.append(msgspec.json.decode(told))

    async def close(self, code: int) -> None:
        self.closed.append(code)


class Page(PageSocket):
    """A page whose questions are answered when `answered` is set."""

    def __init__(self, wire: Any) -> None:
        frame: Any = SimpleNamespace(
            now=time.time,
            sockets=1,
            address_of=lambda socket: "192.0.2.1",
            language=lambda socket: open_language("en"),
        )
        super().__init__(frame, wire)
        self.answered = asyncio.Event()
        self.did: list[Any] = []
        self.came: list[float] = []
        self.measured: list[float] = []
        self.left = False

    def read(self, words: str | bytes) -> Any:
        given = msgspec.json.decode(words)
        if "fault" in given:
            raise RecursionError
        if given.get("t") == "pong":
            from trine.house.web.messages import Pong

            return Pong(given["n"])
        return given

    def within_rate_limit(self) -> bool:
        return True

    def lane(self, message: Any) -> str:
        return str(message.get("lane", ""))

    async def handle(self, message: Any, at: float) -> None:
        if message.get("fails"):
            raise TypeError("a mistake")
        if self.lane(message):
            await self.answered.wait()
        else:
            await asyncio.sleep(0)
        self.did.append(message["n"])
        self.came.append(at)

    async def send_state(self) -> None: ...

    def on_close(self) -> None:
        self.left = True

    async def on_round_trip(self, seconds: float) -> None:
        self.measured.append(seconds)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def page(wire: Wire) -> Page:
    return Page(wire)


async def test_a_slow_question_holds_up_neither_pings_nor_commands(wire: Wire, page: Page) -> None:
    running = asyncio.create_task(page.run())
    await until(lambda: page._pings)
    wire.say(n=1, lane="hint")
    wire.say(n=2)
    wire.say(t="pong", n=1)
    wire.say(n=3)
    await until(lambda: page.did == [2, 3] and len(page.measured) == 1)
    wire.say(n=4, lane="hint")
    wire.say(n=5)
    await until(lambda: page.did == [2, 3, 5])
    page.answered.set()
    await until(lambda: page.did == [2, 3, 5, 1, 4])  # questions keep their order, too
    wire.leave()
    await running
    assert page.left


async def test_what_was_commanded_is_done_though_the_page_goes_at_once(
    wire: Wire, page: Page
) -> None:
    wire.say(n=1, lane="hint")
    for number in (2, 3, 4):
        wire.say(n=number)
    wire.leave()
    await page.run()
    assert page.did == [2, 3, 4] and page.left and page.code == 1001


async def test_what_was_said_at_a_game_is_written_though_the_page_goes_at_once(wire: Wire) -> None:
    class Talkative(Page):
        lasting = GameSocket.durable

    page = Talkative(wire)
    wire.say(n=1, lane=CHAT)
    page.answered.set()
    wire.leave()
    await page.run()
    assert page.did == [1] and page.left


async def test_a_page_that_does_not_read_from_the_start_is_let_go_in_an_orderly_way(
    wire: Wire, page: Page
) -> None:
    """The first look hangs up already: there is no timer for a second one."""
    page.connection.blocked_at = time.monotonic() - IDLE_TIMEOUT - 1
    async with asyncio.timeout(PATIENCE):
        await page.run()
    assert page.left and wire.closed


async def test_a_page_that_took_long_to_open_is_not_taken_for_silent(
    wire: Wire, page: Page
) -> None:
    page.connection.heard_at = time.monotonic() - IDLE_TIMEOUT - 5
    wire.say(n=1)
    running = asyncio.create_task(page.run())
    await until(lambda: page.did == [1])
    assert not wire.closed
    wire.leave()
    await running


async def test_a_house_that_was_late_itself_hangs_up_on_nobody(
    monkeypatch: pytest.MonkeyPatch, wire: Wire, page: Page
) -> None:
    """The answer to a ping came long ago, and nobody has read it yet."""
    monkeypatch.setattr(socket, "PING_INTERVAL", 0.02)
    monkeypatch.setattr(socket, "IDLE_TIMEOUT", 0.1)
    monkeypatch.setattr(socket, "MAX_LATENESS", 0.05)
    read = asyncio.Event()
    receive = wire.receive

    async def later() -> dict[str, Any]:
        await read.wait()
        return await receive()

    wire.receive = later  # type: ignore[method-assign]
    running = asyncio.create_task(page.run())
    await until(lambda: page._asked_at)
    # The loop stood still for longer than a browser may be silent, and has read nothing yet.
    assert page._asked_at
    page._asked_at -= 0.2
    page._check_at -= 0.2
    page.connection.heard_at = page._asked_at - 0.1
    pings = page._number
    await until(lambda: page._number > pings or wire.closed)

    def pinged() -> bool:
        page.connection.heard_at = time.monotonic()  # as bytes arrive
        return page._number >= pings + 10

    await until(lambda: pinged() or wire.closed)
    assert not wire.closed and not running.done()
    read.set()
    wire.leave()
    await running


async def test_time_in_the_queues_of_the_house_is_not_the_sender_s(wire: Wire, page: Page) -> None:
    running = asyncio.create_task(page.run())
    await until(lambda: page._pings)
    page._pings = {1: time.monotonic() - 5}
    came = time.monotonic() - 4
    wire.sent.put_nowait({"type": "websocket.receive", "text": '{"t":"pong","n":1}', "at": came})
    wire.sent.put_nowait({"type": "websocket.receive", "text": '{"n":2}', "at": came})
    await until(lambda: page.did)
    assert 1 <= page.measured[0] < 1.5, "the round trip of the network"
    since = time.monotonic() - came
    assert time.time() - page.came[0] == pytest.approx(since, abs=1), "a turn counts from then"
    wire.leave()
    await running


async def test_a_page_whose_command_waits_is_told_that_the_house_is_busy(
    monkeypatch: pytest.MonkeyPatch, wire: Wire
) -> None:
    """Also while nothing is read: what waits is known where the bytes arrive."""
    monkeypatch.setattr(socket, "BUSY_DELAY", 0.05)

    class Busy(Page):
        busy = text("one moment")

    page = Busy(wire)
    read = asyncio.Event()
    receive = wire.receive

    async def later() -> dict[str, Any]:
        await read.wait()
        page.connection.arrivals.clear()
        return await receive()

    wire.receive = later  # type: ignore[method-assign]
    running = asyncio.create_task(page.run())
    await until(lambda: wire.told)
    page.connection.heard_at = time.monotonic()
    page.connection.add_message()
    assert [one["t"] for one in wire.told] == ["ping"]
    await until(lambda: len(wire.told) == 2)
    assert wire.told[1] == {"t": "busy", "why": "one moment"}
    read.set()
    wire.say(n=1)
    await until(lambda: page.did == [1])
    wire.leave()
    await running
    assert len(wire.told) == 2 and not page.connection.on_message


async def test_pages_of_a_full_house_are_told_to_come_back_one_after_the_other(
    wire: Wire, page: Page
) -> None:
    page.frame.sockets = 2000
    running = asyncio.create_task(page.run())
    await until(lambda: wire.told)
    assert wire.told[0]["spread"] == 10, "what it takes to let all of them in"
    wire.leave()
    await running
    few = Wire()
    page = Page(few)
    running = asyncio.create_task(page.run())
    await until(lambda: few.told)
    assert "spread" not in few.told[0]
    few.leave()
    await running


async def test_a_mistake_in_an_answer_ends_the_socket_and_is_heard_of(
    wire: Wire, page: Page
) -> None:
    wire.say(n=1, fails=True)
    try:
        async with asyncio.timeout(PATIENCE):
            await page.run()
    except TypeError:
        assert page.left and wire.closed == [1011]
    else:
        raise AssertionError("nobody heard of it")


async def test_a_ping_that_has_to_wait_is_heard_of_and_ends_the_socket(
    wire: Wire, page: Page
) -> None:
    async def later(told: str) -> None:
        await asyncio.Event().wait()

    wire.send_text = later  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="waited"):
        async with asyncio.timeout(PATIENCE):
            await page.run()
    assert page.left and wire.closed == [1011]


async def test_a_mistake_in_reading_ends_the_socket_and_is_heard_of(wire: Wire, page: Page) -> None:
    wire.say(fault=True)
    with pytest.raises(RecursionError):
        async with asyncio.timeout(PATIENCE):
            await page.run()
    assert page.left and wire.closed == [1011]


@pytest.mark.parametrize(
    ("heard", "asked", "blocked", "late", "cut"),
    [
        (20, 12, None, 0, True),
        (0, 12, 20, 0, True),
        (20, 12, 20, 2, False),  # the house itself was late
        (20, None, None, 0, False),  # nothing was asked
        (5, 12, None, 0, False),
        (8, 6, None, 0, False),  # the first ping without an answer
        (1, 6, 1, 0, False),
    ],
)
async def test_who_is_silent_or_does_not_read_is_let_go(
    heard: float, asked: float | None, blocked: float | None, late: float, cut: bool
) -> None:
    assert socket.PING_INTERVAL < socket.IDLE_TIMEOUT < 20
    nobody: Any = SimpleNamespace(
        id="",
        cookies={},
        headers={},
        language=lambda connection: open_language("en"),
        address_of=lambda connection: "192.0.2.1",
        sockets=1,
    )
    left: list[bool] = []
    actor: Any = SimpleNamespace(leave=lambda page, closed: left.append(closed))
    one = GameSocket(nobody, nobody, actor, None, nobody, nobody, lambda *given: nobody)
    one._writing = asyncio.create_task(asyncio.sleep(60))
    now = time.monotonic()
    one.connection.heard_at = now - heard
    one.connection.blocked_at = None if blocked is None else now - blocked
    one._asked_at = None if asked is None else now - asked
    one._check_at = now - late
    one._send_at_once = lambda telling: telling.close()  # type: ignore[method-assign]
    one._check_connection()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert one._writing.cancelled() is cut
    # The others are told after the first ping without an answer, before the page counts as gone.
    assert left == ([False] if asked and heard > asked and not (cut or late > 1) else [])
    if not cut:
        assert one._timer
        one._timer.cancel()
        one._writing.cancel()


@pytest.mark.parametrize("moved", [False, True])
async def test_a_silent_page_is_here_again_as_soon_as_it_answers(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, moved: bool
) -> None:
    """To the others it is reconnecting meanwhile, and a game that has moved is opened anew."""

    async def enter(page: Any, person: str | None) -> str:
        if moved:
            raise ShuttingDownError
        audience.add(page)
        return "shown"

    audience = set[Any]()
    nobody: Any = Page(wire).frame
    way: Any = SimpleNamespace(cookies={})
    game = SimpleNamespace(seats_of=lambda person: [])
    actor: Any = SimpleNamespace(audience=audience, enter=enter, snapshot=game)
    actor.leave = lambda page, closed: audience.discard(page)
    one = GameSocket(nobody, way, actor, None, nobody, nobody, lambda *_: nobody)
    shown = list[Any]()
    monkeypatch.setattr(one, "changed", shown.append)
    audience.add(one)
    await one.on_round_trip(0.1)
    assert not shown
    one.on_silence()
    assert one not in audience
    await one.on_round_trip(7.0)
    assert shown == ([] if moved else ["shown"]) and (one._close_code == socket.RESTART) is moved
