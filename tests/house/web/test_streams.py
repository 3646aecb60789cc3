"""The stream of events: whoever does not read it, or goes, is let go."""

import asyncio
import json
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.requests import Request

from house.houses import PASSWORD, asked, seated, until
from trine.core.text.language import open_language
from trine.core.text.sentence import text
from trine.house.api import streams
from trine.house.api.api_routes import Api, RefusedRequestError
from trine.house.api.streams import Stream
from trine.house.api.tokens import Grant, Tokens
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import abort, turn
from trine.house.games.storage.tables import games_of
from trine.house.games.view.messages import Turn
from trine.house.refusals import ShuttingDownError
from trine.house.site import sources_of
from trine.house.store.secrets import token_hash
from trine.house.store.store_errors import UnusableError


class Line:
    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.reads = asyncio.Event()
        self.gone = asyncio.Event()
        self.reads.set()

    async def send(self, message: Any) -> None:
        await self.reads.wait()
        body = message.get("body", b"")
        self.told += [json.loads(line) for line in body.splitlines()]

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    def kinds(self) -> list[str]:
        return [one["t"] for one in self.told]


async def a_stream(house: House) -> tuple[Stream, Grant, str]:
    """The stream of an account that plays a game on a clock against a guest."""
    person, _ = await house.accounts.register(None, "Camel", PASSWORD)
    token = await house.tokens.create(person, "it", ["read"])
    guest, _ = await house.accounts.welcome("Guest S")
    game = (await seated(house, Agreement.make("corridor", clock="5+5"), person, guest)).id
    grant = await house.tokens.still(token_hash(token))
    assert grant
    return Stream(sources_of(house), grant, "en"), grant, game


async def test_a_stream_is_there_and_goes(house: House) -> None:
    (stream, grant, game), far = await a_stream(house), Line()
    host = await house.games.actor(game)
    before = host.snapshot.presence[0]
    task = asyncio.create_task(stream({}, far.receive, far.send))
    await until(lambda: "game" in far.kinds())
    assert before == "reconnecting" and host.snapshot.presence[0] == "here"
    await host.do(turn, asked(grant.person), ["e2"])
    await until(lambda: far.told[-1].get("mover") == 1)
    far.gone.set()
    await task
    await until(lambda: host.snapshot.presence[0] == "reconnecting")
    assert not host.audience


async def test_who_does_not_read_is_let_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "IDLE_TIMEOUT", 0.1)
    monkeypatch.setattr(streams, "CLOSE_TIMEOUT", 0.1)
    (stream, grant, game), far = await a_stream(house), Line()
    host = await house.games.actor(game)
    task = asyncio.create_task(stream({}, far.receive, far.send))
    await until(lambda: "game" in far.kinds())
    far.reads.clear()
    await host.do(turn, asked(grant.person), ["e2"])
    await until(lambda: not host.audience)
    await task


async def test_a_stream_sees_that_its_token_is_gone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PING_INTERVAL", 0.05)
    (stream, grant, _), far = await a_stream(house), Line()
    task = asyncio.create_task(stream({}, far.receive, far.send))
    await until(lambda: "ping" in far.kinds())
    await house.tokens.revoke(grant.person, grant.hash)  # as another process would
    await task
    assert far.told[-1]["t"] == "end" and not far.told[-1]["again"]


@pytest.mark.faults("the database failed")
async def test_a_stream_that_cannot_read_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PING_INTERVAL", 0.05)

    async def broken(tokens: Tokens, hashed: str) -> Grant | None:
        raise UnusableError(text("the disk is gone"))

    (stream, _, __), far = await a_stream(house), Line()
    task = asyncio.create_task(stream({}, far.receive, far.send))
    await until(lambda: "ping" in far.kinds())
    monkeypatch.setattr(Tokens, "still", broken)
    await task
    assert far.told[-1]["t"] == "end" and far.told[-1]["again"]
    assert "disk" not in far.told[-1]["why"]


async def test_running_games_are_told_however_many_newer_ones_are_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "games_of", partial(games_of, limit=1))
    (stream, grant, game), far = await a_stream(house), Line()
    before = await house.games.actor(game)
    newer = await house.games.create_with(before.snapshot.agreement, before.game.seats)
    await (await house.games.actor(newer)).do(abort, asked(grant.person))
    task = asyncio.create_task(stream({}, far.receive, far.send))
    await until(lambda: "game" in far.kinds())
    assert [one["id"] for one in far.told if one["t"] == "game"] == [game]
    far.gone.set()
    await task


async def test_a_program_is_refused_for_good_only_by_the_referee(house: House) -> None:
    """What the house cannot do now, it is asked for again: no turn is resigned for it."""
    _, grant, game = await a_stream(house)
    frame: Any = SimpleNamespace(language=lambda _: open_language("en"), now=house.now)
    api = Api(frame, sources_of(house))
    request = Request({"type": "http", "path_params": {"id": game}})
    host = await house.games.actor(game)
    played = Turn(id="a", at=host.snapshot.seq, a=["e2"])
    host.queue.closing = True
    with pytest.raises(ShuttingDownError):
        await api.command(request, grant, played)
    host.queue.closing = False
    with pytest.raises(RefusedRequestError, match="meanwhile"):
        await api.command(request, grant, replace(played, at=played.at - 1))
    assert await api.command(request, grant, played)
