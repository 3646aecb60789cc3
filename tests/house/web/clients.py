"""A browser's part, without a browser: forms, cookies, and the socket of a game."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import itertools
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
from msgspec import structs
from websockets.asyncio.client import ClientConnection, connect

from trine.house.games.view.messages import Game, Seat
from waiting import PATIENCE


@dataclass
class Page:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Client:
    address: str
    cookie: str = ""
    source: str = ""
    """The network address to come from, in 127.0.0.0/8, where limits of one would be in the way."""

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> Page:
        if form is not None:
            headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self._request(method, path, urlencode(form).encode() if form else None, headers)

    def send(self, path: str, body: bytes, **headers: str) -> Page:
        return self._request("POST", path, body, headers)

    def _request(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Page:
        source = (self.source, 0) if self.source else None
        connection = http.client.HTTPConnection(
            urlsplit(self.address).netloc, timeout=PATIENCE, source_address=source
        )
        given = {"Origin": self.address.rstrip("/"), "Cookie": self.cookie}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        page = Page(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        connection.close()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                self._keep(value.split(";")[0])
        return page

    def _keep(self, cookie: str) -> None:
        """Keep a cookie beside the others: that of the session, or of the browser itself."""
        name = cookie.partition("=")[0]
        kept = [one for one in self.cookie.split("; ") if one and one.partition("=")[0] != name]
        self.cookie = "; ".join([*kept, cookie])

    def get(self, path: str, **headers: str) -> Page:
        return self.ask("GET", path, None, **headers)

    def post(self, path: str, **form: str) -> Page:
        return self.ask("POST", path, {name.replace("_", "-"): v for name, v in form.items()})

    def new_game(self, **form: str) -> tuple[str, list[str]]:
        """A new game: its id, and the paths of links to its seats."""
        page = self.post("/new", **form)
        assert page.status == 303, page.text
        path, _, query = page.headers["location"].partition("?invite=")
        return path.removeprefix("/game/"), [f"/join/{one}" for one in query.split(".") if one]

    def join(self, link: str, name: str) -> None:
        page = self.ask("POST", link, {"name": name})
        assert page.status == 303, page.text

    def connect(self, path: str, **headers: str) -> connect:
        origin: Any = headers.pop("Origin", self.address.rstrip("/"))
        return connect(
            f"ws://{urlsplit(self.address).netloc}{path}",
            origin=origin,
            additional_headers={"Cookie": self.cookie, **headers},
            compression=None,
            proxy=None,
        )

    @asynccontextmanager
    async def play(self, game: str, **headers: str) -> AsyncIterator[Table]:
        async with self.connect(f"/game/{game}/socket?changes", **headers) as socket:
            table = Table(socket)
            await table.until(lambda: bool(table.game))
            yield table


def read(got: bytes | str) -> dict[str, Any]:
    return json.loads(gzip.decompress(got) if isinstance(got, bytes) else got)  # type: ignore[no-any-return]


async def heard(socket: ClientConnection, kind: str, holds: str = "") -> dict[str, Any]:
    """Wait for a message of a kind that holds some words."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message = read(await socket.recv())
            if message["t"] == kind and holds in message.get("html", ""):
                return message


def usual(cls: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields that a message leaves out where they are as usual."""
    left_out = {one.encode_name: one.default for one in structs.fields(cls) if not one.required}
    return json.loads(msgspec.json.encode(left_out, enc_hook=str))  # type: ignore[no-any-return]


GAME, SEAT = usual(Game), usual(Seat)


def merged(game: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """How a game stands, from how it stood and what is different."""
    view = game["view"] | changes["view"]
    for name, parts in changes["runs"].items():
        known, view[name] = view.get(name, []), []
        for part in parts:
            view[name] += known[slice(*part)] if isinstance(part, list) else [part]
    turns = {"from": changes.get("from", 0), "turns": changes.get("turns", [])}
    return {**game, **changes["game"], **turns, "view": view}


@dataclass
class OpenPage:
    """The socket of an open page, which answers pings."""

    socket: ClientConnection
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)
    """Units: bytes; of each message that came."""
    page: str = field(default_factory=lambda: secrets.token_hex(4))
    """Names of commands must differ from those of other pages of the same person."""
    _ids: itertools.count[int] = field(default_factory=itertools.count)

    def take(self, message: dict[str, Any]) -> None:
        self.answers[message["id"]] = message

    async def read(self) -> None:
        got = await self.socket.recv()
        self.sizes.append(len(got))
        message = read(got)
        if message["t"] == "ping":
            await self.send({"t": "pong", "n": message["n"]})
        else:
            self.take(message)

    async def until(self, true: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while not true():
                await self.read()

    async def send(self, message: dict[str, Any] | str) -> None:
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def ask(self, kind: str, call: str = "", **more: Any) -> dict[str, Any]:
        name = call or f"{self.page}.{next(self._ids)}"
        self.answers.pop(name, None)
        await self.send({"t": kind, "id": name, **more})
        await self.until(lambda: name in self.answers)
        return self.answers[name]


@dataclass
class Table(OpenPage):
    """An open page of a game."""

    game: dict[str, Any] = field(default_factory=dict)
    turns: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    chat: dict[str, Any] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)
    """What has been said."""

    def take(self, message: dict[str, Any]) -> None:
        if message["t"] == "game":
            self._show(GAME | message)
        elif message["t"] == "changes":
            self._show(merged(self.game, message))
        elif message["t"] == "chat":
            self.lines = ([] if message.get("whole") else self.lines) + message["lines"]
            self.chat = self.chat | message
        elif "id" in message:
            super().take(message)
        else:
            self.refused.append(message)

    def _show(self, game: dict[str, Any]) -> None:
        self.game = game
        game["seats"] = [SEAT | seat for seat in game["seats"]]
        assert game["from"] <= len(self.turns)
        self.turns[game["from"] :] = game["turns"]

    async def turn(self, *actions: str, call: str = "") -> dict[str, Any]:
        return await self.ask("turn", call, at=self.game["seq"], a=list(actions))

    async def my_turn(self) -> None:
        await self.until(lambda: self.game["mover"] in self.game["own"] and self.game["choices"])
