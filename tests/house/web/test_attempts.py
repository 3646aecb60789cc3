"""What else people with bad intentions try: old tokens, others' drafts, links, times, and headers."""

from __future__ import annotations

import ast
import asyncio
import re
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.websockets import WebSocketState

from house.houses import PASSWORD
from house.web.clients import Client
from house.web.served import Served
from house.web.test_people import register
from house.web.test_socket import two_players
from playing import HOUSE
from trine.core.text.language import open_language
from trine.house.web.socket import PageSocket

UNKNOWN = "x" * 43


def test_an_old_token_plays_nowhere(served: Served) -> None:
    anna = register(served, "Replay")
    game, _ = anna.new_game(game="corridor", **{"with": "screen"})

    def own(cookie: str) -> list[int]:
        async def look() -> list[int]:
            async with Client(served.address, cookie).play(game) as table:
                refused = (await table.turn("e2"))["t"] == "no"
                assert refused is not bool(table.game["own"])
                return list(table.game["own"])

        return asyncio.run(look())

    before = anna.cookie
    anna.post("/account/password", now=PASSWORD, password="eight loud camels")
    last = anna.cookie
    assert own(before) == []
    anna.post("/account/logout")
    assert own(last) == []
    anna.post("/account/login", name="Replay", password="eight loud camels")
    assert own(anna.cookie) == [0, 1]


def seen(client: Client, game: str) -> list[bytes]:
    """All that the house shows of a game, but for what is new with each page."""
    paths = ("", "/record", "/record?download", "/turn/0", "/picture.svg")
    return [client.get(f"/game/{game}{path}").body for path in paths]


async def test_drafts_and_conditional_turns_are_on_no_page_of_others(served: Served) -> None:
    eve = Client(served.address)
    game, anna, bela = two_players(served, game="arimaa")
    other, first, second = two_players(served, game="corridor")

    async def told(*asked: tuple[Client, str]) -> list[list[bytes]]:
        return [await asyncio.to_thread(seen, client, game) for client, game in asked]

    async with anna.play(game) as hers, second.play(other) as his:
        asked = ((bela, game), (eve, game), (first, other), (eve, other))
        before = await told(*asked)
        assert (await hers.ask("draft", at=1, a=[], line="setup 99of9"))["t"] == "ok"
        assert (await his.ask("if", at=1, line=[["e2"], ["e8"]]))["t"] == "ok"
        await his.until(lambda: his.game.get("conditions"))
        assert await told(*asked) == before


@pytest.mark.parametrize(
    "path", ["/join/{}", "/letters/confirm/{}", "/letters/reset/{}", "/letters/stop/{}"]
)
def test_a_link_that_was_guessed_does_nothing_and_tells_nothing(eve: Client, path: str) -> None:
    form = {"name": "Eve", "password": "eight loud camels"}
    told = {eve.ask("POST", path.format(token), form).status for token in (UNKNOWN, "y" * 43)}
    assert told <= {400, 404} and len(told) == 1


def test_nobody_is_there_before_somebody_registers(served: Served) -> None:
    for name in ("admin", "root", "house", "trine", "guest"):
        for password in ("", "admin", "password", name):
            eve = Client(served.address)
            assert eve.post("/account/login", name=name, password=password).status in (400, 429)
        assert eve.post("/account/register", name=name, password=PASSWORD).status == 400


def test_fields_of_passwords_hide_them_and_allow_help(served: Served) -> None:
    anna = register(served, "Fidelia")
    fields = [
        field.split(">")[0]
        for page in (Client(served.address).get("/account").text, anna.get("/account").text)
        for field in page.split("<input ")
        if 'name="password"' in field.split(">")[0] or 'name="now"' in field.split(">")[0]
    ]
    assert len(fields) >= 5
    for field in fields:
        assert 'type="password"' in field and "onpaste" not in field, field
        assert "current-password" in field or "new-password" in field, field


def test_looking_changes_nothing(served: Served) -> None:
    anna = register(served, "Ludmila")
    for path in ("logout", "delete", "password", "name", "end", "email", "passkey/finish"):
        assert anna.get(f"/account/{path}").status == 405
    assert anna.get("/lobby/aaaaaaaaaaaa/take").status == 405
    assert "/account/logout" in anna.get("/account").text


def test_over_https_secrets_are_kept_for_this_host_alone(served: Served) -> None:
    origin = served.address.rstrip("/").replace("http:", "https:")
    there = {"Origin": origin, "X_Forwarded_Proto": "https"}
    anna, form = Client(served.address), {"game": "corridor", "with": "screen"}
    page = anna.ask("POST", "/new", form, **there)
    assert page.status == 303
    told = page.headers["set-cookie"].lower()
    assert told.startswith("__host-trine=") and "domain" not in told
    assert all(flag in told for flag in ("secure", "httponly", "path=/;", "samesite=lax"))
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    assert "strict-transport-security" not in anna.get("/").headers
    game = page.headers["location"]
    assert 'data-own="0,1"' in anna.get(game, **there).text
    tossed = Client(served.address, anna.cookie.removeprefix("__Host-"))
    assert 'data-own=""' in tossed.get(game, **there).text, "a cookie that any host could set"


def test_every_answer_says_what_it_is(one: Client) -> None:
    game, _ = one.new_game(game="tzaar", **{"with": "screen"})
    home = one.get("/").text
    sheet, icon, script = (
        next(part.split('"')[0] for part in home.split('="') if part.split('"')[0].endswith(end))
        for end in ("page/page.css", "icons/icon.svg", "page/page.js")
    )
    paths = ["/", "/account", "/lobby", f"/game/{game}", f"/game/{game}/record?download", sheet]
    paths += [icon, script, f"/game/{game}/picture.svg", "/new/start.svg?game=tzaar", "/nothing"]
    for path in paths:
        headers = one.get(path).headers
        assert headers["content-type"].endswith("; charset=utf-8"), path
        assert headers["x-content-type-options"] == "nosniff", path
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "access-control-allow-origin" not in headers, path
        if not path.endswith((".svg", ".svg?game=tzaar")):
            assert "frame-ancestors 'none'" in headers["content-security-policy"], path
            assert "unsafe" not in headers["content-security-policy"], path


async def test_only_a_ping_of_ours_that_comes_back_measures_the_lag() -> None:
    """Pongs that nobody asked for, or that come twice, measure nothing."""
    sent = ['{"t":"pong","n":7}', '{"t":"pong","n":1}', '{"t":"pong","n":1}', '{"t":"pong","n":2}']
    measured: list[float] = []

    class Page(PageSocket):
        def read(self, words: str | bytes) -> Any:
            from trine.house.games.view.messages import read_message

            return read_message(words)

        def within_rate_limit(self) -> bool:
            return True

        async def handle(self, message: Any, at: float) -> None:
            raise AssertionError

        async def send_state(self) -> None: ...

        def on_close(self) -> None: ...

        async def on_round_trip(self, seconds: float) -> None:
            measured.append(seconds)

    async def receive() -> dict[str, Any]:
        return (
            {"type": "websocket.receive", "text": sent.pop(0)}
            if sent
            else {"type": "websocket.disconnect"}
        )

    socket: Any = SimpleNamespace(receive=receive, client_state=WebSocketState.CONNECTED)
    site: Any = SimpleNamespace(
        metrics=SimpleNamespace(refused=SimpleNamespace(inc=lambda: None)),
        address_of=lambda socket: "127.0.0.1",
        language=lambda socket: open_language("en"),
    )
    page = Page(site, socket)
    page._pings = {1: 0.0}
    await page._read()
    assert len(measured) == 1 and not sent and not page._replies


def test_what_people_send_is_never_run() -> None:
    """No code is made of texts, and no shell is asked, in the rooms that people reach."""
    forbidden = {"eval", "exec", "compile", "system", "popen", "loads_unsafe", "__import__"}
    files = [
        path
        for path in (HOUSE / "src" / "trine" / "house").rglob("*.py")
        if "migrations" not in path.parts
    ]
    assert len(files) > 80
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                owner = getattr(getattr(node.func, "value", None), "id", "")
                assert name not in forbidden or owner == "re", (path, node.lineno)
            if isinstance(node, ast.Import | ast.ImportFrom):
                named = {getattr(node, "module", None) or "", *(one.name for one in node.names)}
                assert not named & {"pickle", "marshal", "shelve", "subprocess", "lxml", "xml"}, (
                    path
                )
    for script in (HOUSE / "src" / "trine" / "house" / "web" / "static").rglob("*.js"):
        told = script.read_text(encoding="utf-8")
        for word in ("insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert word not in told, (script, word)
        assert not re.search(r"(inner|outer)HTML\s*\+?=[^=]", told), script
