"""The socket of somebody at a game.

What is sent is how the game stands, the newest only: who reads slowly misses what lay between and
is right again with the next message, and nothing piles up here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from trine.core.errors import TrineError
from trine.core.language import open_language
from trine.core.text import Text, text
from trine.house.asked import Asked
from trine.house.drafts import why_not
from trine.house.host import Host
from trine.house.refusals import HouseError, NotYoursError
from trine.house.snapshot import Snapshot
from trine.store.people import Person
from trine.web import messages
from trine.web.views import Audience, encoded

if TYPE_CHECKING:
    from trine.web.site import Site

PING: Final = 6.0
"""Units: seconds between our pings."""
SILENCE: Final = 15.0
"""Units: seconds; a browser that says nothing for this long is gone."""
FAREWELL: Final = 1.0
"""Units: seconds; no close waits longer for its turn."""
MOST_ANSWERS: Final = 64
POLICY, RESTART, GONE = 1008, 1012, 1001
LEFT: Final = (1000, 1001, 1005)
"""Codes with which a page is closed, rather than the connection lost."""


class Connection:
    """One open page of a game."""

    def __init__(
        self, site: Site, socket: WebSocket, host: Host, person: Person | None, language: str
    ) -> None:
        self._site, self._socket, self._host = site, socket, host
        self._person = person
        self._id = person.id if person else None
        self._language = open_language(language)
        self._look = messages.Look()
        self._snapshot: Snapshot | None = None
        self._whole = True
        self._answers: deque[dict[str, Any]] = deque()
        self._wake = asyncio.Event()
        self._pings: dict[int, float] = {}
        self._number = 0
        self._heard = time.monotonic()
        self._code: int | None = None
        self._writing: asyncio.Task[None]
        self._timer: asyncio.TimerHandle
        self._ping_due = False
        self._sending: float | None = None
        """Since when something has been on its way out."""

    def changed(self, snapshot: Snapshot) -> None:
        """The game has changed."""
        self._snapshot = snapshot
        self._wake.set()

    async def run(self) -> None:
        """Speak until one of both sides goes."""
        self.changed(await self._host.enter(self, self._id))
        reading = asyncio.create_task(self._read())
        writing = self._writing = asyncio.create_task(self._write())
        self._beat()
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._timer.cancel()
            for task in (reading, writing):
                task.cancel()
            results = await asyncio.gather(reading, writing, return_exceptions=True)
            self._host.leave(self, closed=self._code in LEFT)
            with suppress(Exception):
                async with asyncio.timeout(FAREWELL):  # somebody who does not read hears nothing
                    await self._socket.close(GONE)
        for result in results:
            expected = isinstance(result, WebSocketDisconnect | RuntimeError | OSError)
            if isinstance(result, Exception) and not expected:
                raise result

    # --- out -------------------------------------------------------------------------------------

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._ping_due:
                self._ping_due = False
                await self._ping()
            if (snapshot := self._snapshot) is not None:
                self._snapshot = None
                whole, self._whole = self._whole, False
                await self._send(encoded(snapshot, self._audience(snapshot), whole=whole))
                self._site.metrics.sent.inc()
            while self._answers:
                await self._send(msgspec.json.encode(self._answers.popleft()).decode())

    def _beat(self) -> None:
        """Have a ping sent now and then; a page that is gone, or does not read, is let go."""
        now = time.monotonic()
        if now - self._heard > SILENCE or (self._sending and now - self._sending > SILENCE):
            self._code = None
            self._writing.cancel()
            return
        self._ping_due = True
        self._wake.set()
        self._timer = asyncio.get_running_loop().call_later(PING, self._beat)

    async def _send(self, message: str | bytes) -> None:
        self._sending = time.monotonic()
        if isinstance(message, str):
            await self._socket.send_text(message)
        else:
            await self._socket.send_bytes(message)
        self._sending = None

    async def _ping(self) -> None:
        self._number += 1
        self._pings = {self._number: time.monotonic()}
        ping = {"t": "ping", "n": self._number, "now": round(self._site.house.now(), 3)}
        await self._send(msgspec.json.encode(ping).decode())

    def _audience(self, snapshot: Snapshot) -> Audience:
        own = snapshot.seats_of(self._id)
        seat = self._look.seat
        if seat is None or seat >= len(snapshot.seats):
            seat = min(own, default=0)
        insight = self._look.insight and (snapshot.agreement.casual or snapshot.over)
        return Audience(own, seat, self._language.code, insight)

    # --- in --------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            try:
                got = await self._socket.receive()
            except RuntimeError:
                return
            if got["type"] == "websocket.disconnect":
                self._code = got.get("code", 1005)
                return
            self._heard = time.monotonic()
            message: messages.Incoming | None = None
            with suppress(msgspec.DecodeError, UnicodeDecodeError):
                message = messages.read_message(got.get("text") or got.get("bytes") or b"")
            if isinstance(message, messages.Pong) and message.n in self._pings:
                self._measure(message)  # what was asked for costs nothing
                continue
            if not self._may_speak():
                await self._socket.close(POLICY)
                return
            if message is None or isinstance(message, messages.Pong):
                self._site.metrics.refused.inc()
                self._answer({"t": "no", "why": self._say(text("this is no message"))})
                continue
            if len(self._answers) > MOST_ANSWERS:
                await self._socket.close(POLICY)
                return
            await self._handle(message)

    def _may_speak(self) -> bool:
        plays = bool(self._id and self._host.snapshot.seats_of(self._id))
        address = self._site.address_of(self._socket)
        account = self._site.players if plays else self._site.watchers
        return account.take(self._id or f"{address} {id(self)}") and self._site.addresses.take(
            address
        )

    def _measure(self, pong: messages.Pong) -> None:
        sent = self._pings.pop(pong.n)
        for seat in self._host.snapshot.seats_of(self._id):
            self._host.lags[seat].measure(time.monotonic() - sent)

    async def _handle(self, message: messages.Incoming) -> None:
        if isinstance(message, messages.Look):
            self._look, self._whole = message, True
            self.changed(self._host.snapshot)
            return
        assert not isinstance(message, messages.Pong)
        began = time.monotonic()
        try:
            answer = await self._do(message)
        except TrineError as error:
            self._site.metrics.refused.inc()
            why = self._say(error if isinstance(error, HouseError) else error.text)
            seq = self._host.snapshot.seq
            self._answer({"t": "no", "id": message.id, "why": why, "seq": seq})
            if isinstance(message, messages.Turn | messages.Draft):
                self._whole = True
                self.changed(self._host.snapshot)  # the board goes back to what is true
            return
        self._site.metrics.answered.observe(time.monotonic() - began)
        self._answer({"id": message.id, **answer})

    async def _do(self, message: messages.Incoming) -> dict[str, Any]:
        host, at = self._host, self._site.house.now()
        assert not isinstance(message, messages.Pong | messages.Look)
        asked = Asked(self._id, message.id, getattr(message, "at", None), at)
        match message:
            case messages.Turn():
                return _ok(await host.turn(asked, message.a))
            case messages.Draft():
                await host.draft(asked, message.a, message.line)
                return _ok(host.snapshot.seq)
            case messages.Offer():
                return _ok(await host.offer(asked, message.what))
            case messages.Answer():
                return _ok(await host.answer(asked, message.what, agrees=message.yes))
            case messages.Do():
                return _ok(await self._do_plainly(asked, message.what))
            case messages.Why():
                return {"t": "why", "why": self._say(self._why(message))}
            case messages.Hint():
                return await self._hint()

    async def _do_plainly(self, asked: Asked, what: str) -> int:
        host = self._host
        match what:
            case "resign":
                return await host.resign(asked)
            case "abort":
                return await host.abort(asked)
            case "claim":
                return await host.claim(asked)
            case "claim-draw":
                return await host.claim(asked, draw=True)
            case "resume":
                return await host.resume(asked)
        await host.rematch(asked)
        return host.snapshot.seq

    def _why(self, message: messages.Why) -> Text:
        state = self._host.snapshot.state
        if not state:
            return text("the game has not begun; not all seats are taken")
        draft = message.a if state.play.mover in self._host.snapshot.seats_of(self._id) else []
        if state.outcome:
            state.play.check_goes_on()
        told = why_not(state.play, draft, "".join(message.picks))
        return told or text("nothing forbids it; it is only not complete")

    async def _hint(self) -> dict[str, Any]:
        snapshot, state = self._host.snapshot, self._host.snapshot.state
        own = snapshot.seats_of(self._id)
        if not own:
            raise NotYoursError
        if not (snapshot.agreement.casual and state) or snapshot.over:
            raise HouseError(text("there are no hints in this game"))
        if state.play.mover not in own:
            raise HouseError(text("another player is to move"))
        line = snapshot.drafts.get(state.play.mover)
        if line and line.steps and line.steps[-1].closes:
            raise HouseError(text("the turn is complete"))
        draft = [str(action) for action in line] if line else []
        hint = await self._site.house.bots.hint(self._host.id, self._host.entries(), draft)
        position, paths = line.end if line else state.play.position, []
        for given in hint.ids:
            for action in position.legal_actions(state.play.history):
                if str(action) == given:
                    paths.append(list(state.play.room.picks(position, action)))
                    position = position.play_unchecked(action)
                    break
        return {"t": "hint", "paths": paths, "told": [self._say(told) for told in hint.told]}

    def _say(self, sentence: Text | TrineError | str) -> str:
        return self._language.say(sentence)

    def _answer(self, answer: dict[str, Any]) -> None:
        self._answers.append(answer)
        self._wake.set()


def _ok(seq: int) -> dict[str, Any]:
    return {"t": "ok", "seq": seq}
