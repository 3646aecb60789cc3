"""Every route and every kind of message, tried by every kind of visitor: nothing breaks or leaks.

By day only that each door has its row in `house.web.doors`; the visits are for the night.
"""

import asyncio
import gzip
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from house.houses import PASSWORD
from house.web.doors import (
    READ,
    READERS,
    SOCKETS,
    WRITE,
    World,
    doors_of,
    fill,
    furnish,
    json_or_form,
    kinds_of,
    reading_sockets,
)
from house.web.fixed_loop import loop
from house.web.test_stillness import MOST, TRIES, Browser, Longest, Socket, a_site
from waiting import PATIENCE

OVERSIZED = b"x" * 70_000
OFFERED = "/lobby/{id}/take"
"""What Anna offers to all."""
STREAM = "/api/events"
"""What is answered without an end."""


@pytest.fixture
def apps(monkeypatch: pytest.MonkeyPatch) -> list[Starlette]:
    """The apps that are made, of which a site shows only the outside."""
    made: list[Starlette] = []

    def make(**given: Any) -> Starlette:
        made.append(Starlette(**given))
        return made[-1]

    monkeypatch.setattr("trine.house.site.Starlette", make)
    return made


async def test_every_door_has_its_row(tmp_path: Path, apps: list[Starlette]) -> None:
    async with a_site(tmp_path):
        found = set(doors_of(apps[0]))
    rows = {("GET", path) for path in READ} | {("POST", path) for path in WRITE}
    rows |= {("socket", path) for path in SOCKETS}
    assert found - rows == set(), "no row: give these doors one in `house.web.doors`"
    assert rows - found == set(), "no door"
    for path, messages in SOCKETS.items():
        assert kinds_of(path) == {*messages}, path
    assert len(reading_sockets()) == len(READERS), "these read messages without a row"
    assert len(found) > 160


class Visitor(Browser):
    def __init__(self, app: Any, name: str, token: str = "", api: str = "", own: str = "") -> None:
        async def with_token(scope: Any, receive: Any, send: Any) -> None:
            if api:
                header = (b"authorization", f"Bearer {api}".encode())
                scope = {**scope, "headers": [*scope["headers"], header]}
            await app(scope, receive, send)

        super().__init__(with_token, token)
        self.name, self.own = name, own
        """``own`` is the id of the person, whose things may change."""


async def visitors(world: World) -> list[Visitor]:
    """Everybody but Anna, to whom all belongs."""
    house, app = world.house, world.app
    guest, token = await house.accounts.welcome("Gus")
    eve = world.people["Eve"]
    robot, _ = await house.accounts.register(None, "Robot", PASSWORD)
    await house.tokens.become_bot(robot)
    scopes = {
        "program": await house.tokens.create(robot, "all", ["read", "challenge", "play"]),
        "program without scope": await house.tokens.create(robot, "few", ["tournament"]),
    }
    return [
        Visitor(app, "stranger"),
        Visitor(app, "guest", token, own=guest.id),
        *(
            Visitor(app, name.lower(), world.tokens[name], own=world.people[name].id)
            for name in ("Muted", "Banned")
        ),
        *(Visitor(app, name, api=api, own=robot.id) for name, api in scopes.items()),
        Visitor(app, "other", world.tokens["Eve"], own=eve.id),
    ]


def ids_in(rows: Iterable[str]) -> Iterator[str]:
    return (row.split("'")[1] for row in rows)


class Watch:
    def __init__(self, world: World, longest: Longest) -> None:
        self.world, self.longest = world, longest
        self.wrong: list[str] = []
        began = time.thread_time()
        for _ in range(50):
            loop()
        self._loop = (time.thread_time() - began) / 50
        self._before: dict[str, Any] = {}
        self._of_visitors = set[str]()

    async def begin(self) -> None:
        self._before = await self._kept()

    async def _kept(self) -> dict[str, Any]:
        await self.world.house.studies.save()
        return await self.world.house.store.fetch(self.world.kept)

    async def still(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Do something that must not hold up the event loop, again where it did."""
        steps = []
        for _ in range(TRIES):
            self.longest.step = 0.0
            await work()
            steps.append(self.longest.step / self._loop)
            if steps[-1] <= MOST:
                return
        self.wrong.append(f"{name}: the loop stands still for {min(steps) / 5:.1f} ms")

    def answered(self, name: str, status: int, body: bytes) -> None:
        if not 200 <= status < 500:
            self.wrong.append(f"{name}: {status}")
        told = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
        self.wrong += [f"{name}: tells {one!r}" for one in self.world.hidden if one in told]

    async def unchanged(self, name: str, own: str, *, offered: bool = False) -> None:
        """Look whether only what is a visitor's own has changed, or is new; or what is offered."""
        after = await self._kept()
        mine = self._of_visitors  # games of those before end by themselves
        mine |= {own, *ids_in(after["person"] - self._before["person"])} - {""}
        played = [row for row in after["seat"] if any(one in row for one in mine)]
        mine |= {*ids_in(played)} - {self.world.blanks["game"], self.world.blanks["over"]}
        for table, rows in after.items():
            for row in [*(self._before[table] - rows), *(rows - self._before[table])]:
                if not offered and not any(one in row for one in mine):
                    self.wrong.append(f"{name}: changes {table}: {row[:300]}")
        self._before = after


@asynccontextmanager
async def a_visited_house(folder: Path) -> AsyncIterator[tuple[World, Watch]]:
    longest = Longest()
    async with a_site(folder) as (app, house):
        world = await furnish(house, app)
        anna = Browser(app, world.tokens["Anna"])
        answers = [await anna.ask(world.filled(path)) for path in READ]  # what is kept is made
        assert [body for _, body in answers if b"canary" in body], "what would be told is not there"
        async with anna.at("/lobby/socket"):  # else her open seat is withdrawn
            with longest.watching():
                yield world, Watch(world, longest)


async def visit(watch: Watch, one: Visitor, door: str, place: str, form: bytes | None) -> None:
    """Ask for something once, once more, and twice at a time."""
    name = f"{one.name}: {'GET' if form is None else 'POST'} {door}"

    async def ask() -> None:
        watch.answered(name, *await one.ask(place, form))

    async def both() -> None:
        await asyncio.gather(ask(), ask())

    await watch.still(name, ask)
    await watch.still(f"{name}, twice at once", both)


@pytest.mark.nightly
async def test_no_visitor_breaks_or_changes_what_is_anothers_by_a_request(tmp_path: Path) -> None:
    async with a_visited_house(tmp_path) as (world, watch):
        for one in await visitors(world):
            await world.open_seat()
            await watch.begin()
            for door in READ:
                if door != STREAM or one.name not in ("program",):
                    await visit(watch, one, door, world.filled(door), None)
            await watch.unchanged(f"{one.name}: GET", one.own)
            for door, fields in WRITE.items():
                place = world.filled(door, fields)
                form = {
                    name: fill(value, world.blanks) if isinstance(value, str) else value
                    for name, value in fields.items()
                }
                wrong = {name: [{"x": 1}] for name in fields}
                for body in (
                    json_or_form(place, form),
                    json_or_form(place, wrong),
                    json.dumps([wrong]).encode(),
                    b"\xff\xfe=\0",
                    OVERSIZED,
                ):
                    await visit(watch, one, door, place, body)
                name = f"{one.name}: POST {door}"
                await watch.unchanged(name, one.own, offered=door == OFFERED)
        anna = Visitor(world.app, "owner", world.tokens["Anna"])
        for door, fields in WRITE.items():
            form = {name: fill(str(value), world.blanks) for name, value in fields.items()}
            place = world.filled(door, fields)
            await visit(watch, anna, door, place, json_or_form(place, form))
        assert not watch.wrong, "\n".join(watch.wrong)


async def said(socket: Socket, words: str) -> int:
    """Send a message, and one that is answered after it; the code by which the house hangs up."""
    socket.sent.put_nowait({"type": "websocket.receive", "text": words})
    probe = {"t": "why", "id": "probe", "a": [], "picks": ["e9"]}
    socket.sent.put_nowait({"type": "websocket.receive", "text": json.dumps(probe)})
    async with asyncio.timeout(PATIENCE):
        while True:
            message = await socket.got.get()
            if message["type"] == "websocket.close":
                return int(message["code"])
            words_got = message.get("text") or message.get("bytes") or "{}"
            plain = gzip.decompress(words_got) if isinstance(words_got, bytes) else words_got
            told = json.loads(plain)
            if told.get("id") == "probe" or told.get("t") == "no":
                return 0


def wrong_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A message with each field of another type, and with one that is too long."""
    others = [{**message, name: [{"x": [value]}]} for name, value in message.items()]
    return [*others, {**message, "id": "x" * 3000}]


@pytest.mark.nightly
async def test_no_visitor_breaks_or_changes_what_is_anothers_by_a_message(tmp_path: Path) -> None:
    async with a_visited_house(tmp_path) as (world, watch):
        owner = Visitor(world.app, "owner", world.tokens["Anna"], own=world.people["Anna"].id)
        for one in [*await visitors(world), owner]:
            await watch.begin()
            for door, messages in SOCKETS.items():
                for kind, fields in messages.items():
                    await knock(watch, one, door, {"t": kind, **fields})
                    if one is not owner:
                        await watch.unchanged(f"{one.name}: {kind} at {door}", one.own)
        assert not watch.wrong, "\n".join(watch.wrong)


async def knock(watch: Watch, one: Visitor, door: str, message: Mapping[str, Any]) -> None:
    """Send a message right, wrong in each of its fields, too long, again, and on two sockets."""
    name = f"{one.name}: {message['t']} at {door}"
    place = watch.world.filled(door, {})
    right = dict(message) if message["t"] in ("go", "look", "pong") else {**message, "id": "1"}
    for each in (right, right, *wrong_of(right), {"t": message["t"]}):

        async def send(each: Mapping[str, Any] = each) -> None:
            async with at(one, place) as sockets:
                codes = await asyncio.gather(
                    *(said(socket, json.dumps(each)) for socket in sockets)
                )
            if not {*codes} <= {0, 1008, 1009, 4404}:
                watch.wrong.append(f"{name}: hung up with {codes}")

        await watch.still(name, send)


@asynccontextmanager
async def at(one: Visitor, place: str) -> AsyncIterator[list[Socket]]:
    async with one.at(place) as first, one.at(place) as second:
        yield [first, second]
