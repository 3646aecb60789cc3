"""The socket of a person at a game."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from starlette.websockets import WebSocket

from trine.core.choices import named_actions
from trine.core.errors import TrineError
from trine.core.language import open_language
from trine.core.text import Text, text
from trine.house.host import Host
from trine.house.refusals import ClosingError, HouseError, NotYoursError, OutdatedError
from trine.house.snapshot import Snapshot
from trine.store.people import Person
from trine.web import messages
from trine.web.acting import act
from trine.web.ahead import ahead_data
from trine.web.refusing import why_of
from trine.web.speaking import Speaking
from trine.web.talk import Talk
from trine.web.views import Audience, encoded

if TYPE_CHECKING:
    from trine.web.site import Site

LEFT: Final = (1000, 1001, 1005)
"""Codes with which a page is closed, rather than the connection lost."""


class Connection(Speaking):
    """One open page of a game."""

    def __init__(
        self,
        site: Site,
        socket: WebSocket,
        host: Host,
        person: Person | None,
        language: str,
        pieces: str = "",
    ) -> None:
        super().__init__(site, socket)
        self._host = host
        self._pieces = pieces
        self._id = person.id if person else None
        self._language = open_language(language)
        self._talk = Talk(site, person, self.say, self.wake)
        self._look = messages.Look()
        self._snapshot: Snapshot | None = None
        self._whole = True

    def changed(self, snapshot: Snapshot) -> None:
        """The game has changed."""
        self._snapshot = snapshot
        self._talk.look(snapshot)
        self.wake()

    async def run(self) -> None:
        """Speak until one of both sides goes."""
        await self._talk.enter(self._host.snapshot)
        try:
            self.changed(await self._host.enter(self, self._id))
        except TrineError:
            self._talk.leave()
            raise
        await super().run()

    def gone(self) -> None:
        """The page has gone, or is let go."""
        self._talk.leave()
        self._host.leave(self, closed=self.code in LEFT)

    # --- out -------------------------------------------------------------------------------------

    async def show(self) -> None:
        """Send how the game stands."""
        if (snapshot := self._snapshot) is not None:
            self._snapshot = None
            whole, self._whole = self._whole, False
            await self.send(encoded(snapshot, self._audience(snapshot), whole=whole))
            self.site.metrics.sent.inc()
        if news := self._talk.news():
            await self.send(messages.write_message(news))

    def _audience(self, snapshot: Snapshot) -> Audience:
        own = snapshot.seats_of(self._id)
        seat = self._look.seat
        if seat is None or seat >= len(snapshot.seats):
            seat = min(own, default=0)
        insight = self._look.insight and (snapshot.agreement.casual or snapshot.over)
        return Audience(own, seat, self._language.code, insight, self._pieces)

    # --- in --------------------------------------------------------------------------------------

    def read(self, words: str | bytes) -> messages.Incoming:
        """Read a message."""
        return messages.read_message(words)

    def may_speak(self) -> bool:
        """Whether there is credit for one more message."""
        plays = bool(self._id and self._host.snapshot.seats_of(self._id))
        address = self.site.address_of(self.socket)
        account = self.site.players if plays else self.site.watchers
        return account.take(self._id or f"{address} {id(self)}") and self.site.addresses.take(
            address
        )

    def measure(self, seconds: float) -> None:
        """The lag of the players here, by a ping."""
        for seat in self._host.snapshot.seats_of(self._id):
            self._host.lags[seat].measure(seconds)

    async def handle(self, message: messages.Incoming) -> None:
        """Do what a message asks for."""
        if isinstance(message, messages.Look):
            self._look, self._whole = message, True
            self.changed(self._host.snapshot)
            return
        assert not isinstance(message, messages.Pong)
        began = time.monotonic()
        try:
            answer = await self._do(message)
        except ClosingError:
            self.dropped()  # it is asked for again where the game goes on
            return
        except TrineError as error:
            self.site.metrics.refused.inc()
            why = self.say(why_of(error))
            seq = self._host.snapshot.seq
            self.answer({"t": "no", "id": message.id, "why": why, "seq": seq})
            if isinstance(message, messages.Turn | messages.Draft):
                self._whole = True
                self.changed(self._host.snapshot)  # the board goes back to what is true
            return
        self.site.metrics.answered.observe(time.monotonic() - began)
        self.answer({"id": message.id, **answer})

    async def _do(self, message: messages.Incoming) -> dict[str, Any]:
        assert not isinstance(message, messages.Pong | messages.Look)
        if isinstance(message, messages.Hint):
            return await self._hint()
        if isinstance(message, messages.Ahead):
            return {"t": "ahead", **self._ahead(message)}
        if isinstance(message, messages.Say):
            await self._talk.say(self._host.snapshot, message, self.site.address_of(self.socket))
            return {"t": "ok"}
        if isinstance(message, messages.Mind):
            return {"t": "ok", "told": self.say(await self._talk.mind(message))}
        return await act(self._host, self._id, message, self.site.house.now(), self.say)

    def _ahead(self, message: messages.Ahead) -> dict[str, Any]:
        if message.at < self._host.turn_seq:
            raise OutdatedError
        snapshot = self._host.snapshot
        return ahead_data(snapshot, self._audience(snapshot), message.path, message.a)

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
        hint = await self.site.house.bots.hint(self._host.id, self._host.entries(), draft)
        play, begin = state.play, line.end if line else state.play.position
        paths = [
            list(play.room.picks(before, action))
            for before, action in named_actions(begin, hint.ids, play.history)
        ]
        return {"t": "hint", "paths": paths, "told": [self.say(told) for told in hint.told]}

    def say(self, sentence: Text | TrineError | str) -> str:
        """A sentence in the language of the page."""
        return self._language.say(sentence)
