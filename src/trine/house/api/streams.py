"""The event stream of an account: its challenges and games, as lines of JSON.

A stream always sends the newest state: a program that reads slowly misses states in between, and
nothing queues up here. While a stream is open, its person counts as present in all games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.types import Receive, Scope, Send

from trine.core.errors import TrineError
from trine.core.text.language import open_language
from trine.core.text.sentence import Text, text
from trine.engine.protocol import api
from trine.house.api.answers import challenge_as_json, game_as_json
from trine.house.api.tokens import READ, Grant, Tokens
from trine.house.background import Report
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.games import Games
from trine.house.games.storage.tables import games_of
from trine.house.games.view.snapshot import Snapshot
from trine.house.lobby.challenges import Challenge, Challenges
from trine.house.people.accounts import Accounts
from trine.house.people.sanctions import BAN, Sanctions
from trine.house.refusals import ShuttingDownError
from trine.house.search.search import Search
from trine.house.store.store import Store
from trine.house.tournaments.tournaments import Tournaments
from trine.house.web.refusing import MISTAKE, why_of

PING_INTERVAL: Final = 6.0  # seconds without other lines
IDLE_TIMEOUT: Final = 15.0  # seconds without reading, until a program is disconnected
CLOSE_TIMEOUT: Final = 1.0  # seconds for sending the end of a stream
ANOTHER: Final = text("another program listens for this account now")
REVOKED: Final = text("the token is no longer good")


class Subscribers:
    """The open streams: for each account only the newest one."""

    def __init__(self) -> None:
        self._of: dict[str, Stream] = {}

    def add(self, person_id: str, stream: Stream) -> None:
        """Add a stream, and end the account's previous one."""
        if before := self._of.get(person_id):
            before.end(ANOTHER, again=False)
        self._of[person_id] = stream

    def remove(self, person_id: str, stream: Stream) -> None:
        if self._of.get(person_id) is stream:
            del self._of[person_id]

    def listens(self, person_id: str) -> bool:
        return person_id in self._of

    def people(self) -> Collection[str]:
        return self._of.keys()

    def game_begun(self, people: Iterable[str | None], game_id: str) -> None:
        for person in {one for one in people if one in self._of}:
            self._of[person or ""].begun(game_id)

    def challenges_changed(self, people: Iterable[str]) -> None:
        for person in self._of.keys() & set(people):
            self._of[person].challenged()

    def recheck(self, people: Iterable[str]) -> None:
        """Schedule a check of the tokens of people's streams."""
        for person in people:
            if stream := self._of.get(person):
                stream.recheck()

    def end_all(self) -> None:
        for stream in list(self._of.values()):
            stream.end(ShuttingDownError.default_text, again=True)


@dataclass(frozen=True)
class Sources:
    """The services of a house that the API uses."""

    store: Store
    accounts: Accounts
    games: Games
    subscribers: Subscribers
    challenges: Challenges
    search: Search
    tournaments: Tournaments
    tokens: Tokens
    sanctions: Sanctions
    report: Report


class Stream:
    """The open event stream of an account."""

    def __init__(self, sources: Sources, grant: Grant, language: str) -> None:
        self._sources, self._grant = sources, grant
        self._person = grant.person.id
        self._language = open_language(language)
        self._wake = asyncio.Event()
        self._actors: dict[str, GameActor] = {}
        self._begun: set[str] = set()  # the ids of games to enter
        self._changed: dict[str, Snapshot] = {}
        self._known: dict[str, Challenge] = {}
        """The challenges sent so far, without those that are gone."""
        self._end: api.End | None = None
        self._unchecked = True
        """Whether the token must be checked: it may have been revoked since it was read."""

    # --- callbacks; they must return at once ------------------------------------------------------

    def begun(self, game_id: str) -> None:
        self._begun.add(game_id)
        self._wake.set()

    def challenged(self) -> None:
        self._wake.set()

    def changed(self, snapshot: Snapshot) -> None:
        self._changed[snapshot.game] = snapshot
        self._wake.set()

    def waited(self) -> float:
        return 0.0  # the API's program plays by requests of its own

    def reconnect(self) -> None:
        """End the stream: a game has moved to another process, and needs a new stream there."""
        self.end(ShuttingDownError.default_text, again=True)

    def end(self, why: Text, *, again: bool) -> None:
        self._end = api.End(self._language.say(why), again)
        self._wake.set()

    def recheck(self) -> None:
        """Schedule a check of the token, which may have been revoked."""
        self._unchecked = True
        self._wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until either side ends it."""
        headers = [
            (b"content-type", b"application/x-ndjson"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        self._sources.subscribers.add(self._person, self)
        speaking = asyncio.create_task(self._send_all(send))
        listening = asyncio.create_task(_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await asyncio.wait({speaking, listening}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (speaking, listening):
                task.cancel()
            ended = await asyncio.gather(speaking, listening, return_exceptions=True)
            self._sources.subscribers.remove(self._person, self)
            for actor in self._actors.values():
                actor.leave(self, closed=False)
        for fault in ended:
            if isinstance(fault, Exception) and not isinstance(fault, OSError):
                raise fault
        with suppress(OSError):
            async with asyncio.timeout(CLOSE_TIMEOUT):  # the program may not be reading
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, send: Send) -> None:
        with suppress(TimeoutError):
            while not self._end:
                try:
                    await self._send_changes(send)
                except TimeoutError:
                    raise
                except TrineError as error:
                    self.end(why_of(error), again=True)
                except Exception as error:
                    self._sources.report("a stream failed", error)
                    self.end(MISTAKE, again=True)
            await _say(send, [self._end])

    async def _send_changes(self, send: Send) -> None:
        """Send the present state, then all changes, until the stream ends."""
        await self._check()
        await self._find_games()
        while not self._end:
            await self._enter_new()
            lines = self._lines()
            await _say(send, lines or [api.Ping(round(self._sources.store.now(), 3))])
            silent = not await self._wait()
            self._wake.clear()
            if silent and self._sources.store.shared:  # other processes begin games, too
                await self._find_games()
            if silent or self._unchecked:
                await self._check()

    async def _wait(self) -> bool:
        try:
            async with asyncio.timeout(PING_INTERVAL):
                await self._wake.wait()
        except TimeoutError:
            return False
        return True

    async def _check(self) -> None:
        """End the stream if its token was revoked, here or by another process."""
        self._unchecked = False
        grant = await self._sources.tokens.still(self._grant.hash)
        banned = self._sources.sanctions.holds(self._person, BAN)
        if banned or not grant or READ not in grant.scopes:
            self.end(REVOKED, again=False)

    async def _find_games(self) -> None:
        rows = await self._sources.store.fetch(games_of, self._person, running=True)
        self._begun |= {row.id for row in rows}

    async def _enter_new(self) -> None:
        """Enter new games; each moves to this process, which has the stream."""
        while self._begun:
            game = self._begun.pop()
            if game in self._actors:
                continue
            try:
                actor = await self._sources.games.actor(game, move=True)
                snapshot = await actor.enter(self, self._person)
            except TrineError:
                continue  # the game has been deleted, or the house is shutting down
            self._actors[game] = actor
            self._changed[game] = snapshot

    def _lines(self) -> list[Any]:
        lines: list[Any] = []
        challenges = self._sources.challenges.of(self._person)
        now = {challenge.id: challenge for challenge in challenges}
        lines += [api.Gone(name) for name in self._known if name not in now]
        lines += [
            challenge_as_json(challenge, self._person)
            for name, challenge in now.items()
            if name not in self._known
        ]
        self._known = now
        changed, self._changed = self._changed, {}
        moment = self._sources.store.now()
        for game, snapshot in changed.items():
            lines.append(game_as_json(snapshot, self._person, self._language, moment))
            if snapshot.over and (actor := self._actors.pop(game, None)):
                actor.leave(self, closed=True)
        return lines


async def _say(send: Send, lines: list[Any]) -> None:
    """Send lines; raise a `TimeoutError` if the program does not read them."""
    body = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    async with asyncio.timeout(IDLE_TIMEOUT):
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
