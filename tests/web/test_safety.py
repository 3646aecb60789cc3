"""Attempts of people who mean the house harm, and their failures."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from trine.web import protocols, speaking
from trine.web.connection import Connection
from trine.web.protocols import MOST_UNREAD, PageProtocol, SocketProtocol
from web.clients import Client, Page
from web.served import TOKEN, Served, a_server

EMPTY = [(b"content-length", b"0")]


def raw(served: Served, request: bytes) -> bytes:
    """The answer to bytes that no browser would send."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as there:
        there.sendall(request)
        there.shutdown(socket.SHUT_WR)
        answer = b""
        while part := there.recv(65536):
            answer += part
    return answer


def test_whoever_hangs_up_in_the_middle_of_a_form_is_no_fault(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        origin = f"Host: 127.0.0.1\r\nOrigin: {served.address.rstrip('/')}\r\n"
        host = served.address.removeprefix("http://").rstrip("/")
        head = (
            f"POST /new HTTP/1.1\r\n{origin.replace('127.0.0.1', host)}Content-Length: 99\r\n\r\n"
        )
        assert raw(served, f"{head}game=corr".encode()) == b""
        assert Client(served.address).get("/healthz").status == 200
    assert "failed" not in (tmp_path / "log").read_text()


def test_a_game_that_is_not_listed_is_shown_to_nobody_and_its_links_to_its_players(
    served: Served,
) -> None:
    one, eve = Client(served.address), Client(served.address)
    game, links = one.new_game(game="tzaar", **{"with": "friend"})
    token = links[0].removeprefix("/join/")
    assert token in one.get(f"/game/{game}?invite={token}").text
    assert token not in eve.get(f"/game/{game}?invite={token}").text
    assert game not in eve.get("/").text
    assert one.get(f"/game/{game}?invite={'x' * 5000}").status == 200
    assert len(game) == 12 and len(token) == 43


@pytest.mark.parametrize(
    "path",
    [
        "/game/%00",
        "/game/..%2f..%2fhouse.db",
        "/static/../../house.db",
        "/join/" + "x" * 3000,
        "/rules/__class__/official",
        "/new?game=../../etc",
        "/game/{game}/turn/99999999999999999999999",
        "/game/{game}/picture.svg?seat=-1",
        "/game/{game}/picture.svg?turn=1e9",
        "/game/{game}/board/%2e%2e",
        "/language/..?back=//evil.example",
    ],
)
def test_an_address_that_leads_astray_is_refused_and_tells_nothing(
    served: Served, path: str
) -> None:
    one = Client(served.address)
    game, _ = one.new_game(game="corridor", **{"with": "screen"})
    page = one.get(path.replace("{game}", game))
    assert page.status in (400, 404)
    assert not any(word in page.text for word in ("Traceback", "site-packages", ".py"))


def test_no_line_of_a_form_becomes_a_header(served: Served) -> None:
    one = Client(served.address)
    split = "A\r\nSet-Cookie: trine=stolen"
    assert one.ask("POST", "/name", {"name": split}).status == 400
    page = one.get("/language/hu?back=/%0d%0aSet-Cookie:%20trine=stolen")
    assert "stolen" not in page.headers.get("set-cookie", "")
    assert "\n" not in page.headers["location"]


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ("Content-Length: 5000", b"x" * 5000, 413),
        ("Transfer-Encoding: chunked", b"5\r\na=b&c\r\n0\r\n\r\n", 413),
        ("Content-Length: x", b"a=b", 400),
        ("Content-Length: 4", b"\xff\xfe=a", 400),
        ("Content-Length: 300", b"&".join(b"a=%d" % n for n in range(99))[:300], 400),
        ("X: " + "y" * 300_000, b"", 400),
    ],
)
def test_a_form_that_is_no_form_is_refused(
    served: Served, headers: str, body: bytes, status: int
) -> None:
    host = served.address.removeprefix("http://").rstrip("/")
    head = f"POST /new HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{headers}\r\n\r\n"
    try:
        answer = raw(served, head.encode() + body)
    except OSError:  # hung up before all of it was read
        return
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()) and b"Traceback" not in answer


def test_a_cookie_that_was_made_up_is_nobody(served: Served) -> None:
    one = Client(served.address)
    game, _ = one.new_game(game="corridor", **{"with": "screen"})
    for cookie in ("trine=guess", "trine=" + "x" * 3000, "trine=\"'; drop table person"):

        async def look(cookie: str = cookie) -> None:
            async with Client(served.address, cookie).play(game) as table:
                assert table.game["own"] == []
                assert (await table.turn("e2"))["t"] == "no"

        asyncio.run(look())


def test_figures_are_told_to_who_has_the_token_alone(served: Served) -> None:
    one = Client(served.address)
    for given in ("", "Bearer", "Bearer wrong", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x"):
        assert one.get("/metrics", Authorization=given).status == 404
    told = one.get("/metrics", Authorization=f"Bearer {TOKEN}")
    assert told.status == 200 and "trine_games" in told.text


def test_one_address_cannot_flood_the_house(tmp_path_factory: pytest.TempPathFactory) -> None:
    with a_server(tmp_path_factory.mktemp("flood"), address_credits=100) as served:
        one = Client(served.address)
        game, _ = one.new_game(game="corridor", **{"with": "screen"})

        async def sockets() -> int:
            opened = 0
            try:
                while opened < 40:
                    async with one.play(game):
                        opened += 1
            except InvalidStatus:
                pass
            return opened

        def refused(ask: Callable[[], Page]) -> bool:
            # Credits come back with time, so that a slow machine may grant one or two.
            return any(ask().status == 429 for _ in range(10))

        assert asyncio.run(sockets()) < 25
        assert refused(lambda: one.post("/name", name="Anna"))
        assert refused(lambda: one.get(f"/join/{'x' * 43}")), "links can be guessed without an end"
        assert refused(lambda: one.get(f"/game/{game}/picture.svg"))
        assert one.get("/healthz").status == 200


async def read_for(reader: asyncio.StreamReader, seconds: float) -> bytes | None:
    """What comes in a while; empty when the other side has hung up, None if nothing has come."""
    try:
        async with asyncio.timeout(seconds):
            return await reader.read(100)
    except TimeoutError:
        return None
    except ConnectionError:
        return b""


def test_a_request_that_does_not_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "PATIENCE", 0.1)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await receive()
            return
        await send({"type": "http.response.start", "status": 200, "headers": EMPTY})
        await send({"type": "http.response.body", "body": b""})

    async def story() -> None:
        config = uvicorn.Config(
            app, http=PageProtocol, ws=SocketProtocol, lifespan="off", log_config=None
        )
        config.load()
        server = await asyncio.get_running_loop().create_server(
            lambda: PageProtocol(config, ServerState(), {}), "127.0.0.1"
        )
        port = server.sockets[0].getsockname()[1]
        whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        for begun in (
            b"",
            b"GET / HT",
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begun)
            async with asyncio.timeout(5):
                with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                    await reader.readexactly(100_000)
            writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        begun_at = time.monotonic()
        for byte in whole * 20:  # a byte now and then is no sign of life
            writer.write(bytes([byte]))
            if await read_for(reader, 0.02) is not None:
                break
        assert time.monotonic() - begun_at < 5 and await read_for(reader, 1) == b""
        writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):  # one that is complete may take longer, and another may follow
            writer.write(whole)
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            await asyncio.sleep(0.2)
        writer.close()
        async with connect(f"ws://127.0.0.1:{port}/", proxy=None) as table:
            await asyncio.sleep(0.3)  # neither is a socket that is open a request that does not end
            async with asyncio.timeout(5):
                await (await table.ping())
        server.close()

    asyncio.run(story())


@pytest.mark.parametrize(("unread", "aborted"), [(MOST_UNREAD + 1, True), (100, False)])
def test_somebody_who_asks_for_pongs_and_does_not_read_them_is_cut_off(
    unread: int, aborted: bool
) -> None:
    done: list[str] = []
    protocol = SocketProtocol.__new__(SocketProtocol)
    given: Any = SimpleNamespace(
        get_write_buffer_size=lambda: unread,
        abort=lambda: done.append("abort"),
        write=lambda data: done.append("write"),
    )
    protocol.transport = given
    protocol.conn = SimpleNamespace(data_to_send=list)  # type: ignore[assignment]
    protocol.handle_ping()
    assert done == (["abort"] if aborted else ["write"])


@pytest.mark.parametrize(
    ("heard", "sending", "cut"), [(20, None, True), (0, 20, True), (1, 1, False), (1, None, False)]
)
def test_who_is_silent_or_does_not_read_is_let_go(
    heard: float, sending: float | None, cut: bool
) -> None:
    async def story() -> None:
        nobody: Any = SimpleNamespace(id="")
        one = Connection(nobody, nobody, nobody, None, "en")
        one._writing = asyncio.create_task(asyncio.sleep(60))
        one._heard = time.monotonic() - heard
        one._sending = None if sending is None else time.monotonic() - sending
        one._beat()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert one._writing.cancelled() is cut
        if not cut:
            one._timer.cancel()
            one._writing.cancel()

    assert 2 * speaking.PING < speaking.SILENCE < 20
    asyncio.run(story())
