"""The WebSocket of a game's page."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Final, Protocol

from starlette.websockets import WebSocket

from trine.core.contract.choices import named_actions
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.house.games.live.actor_requests import act
from trine.house.games.live.bots import Bots
from trine.house.games.live.commands import CommandMeta, NotYoursError, OutdatedError, record_hint
from trine.house.games.live.drafts import gestures, read_draft
from trine.house.games.live.game_actor import GameActor
from trine.house.games.view import messages
from trine.house.games.view.scenes import PageInsight, ViewerGroup, ahead_view, arrows, turns_ahead
from trine.house.games.view.snapshot import Snapshot
from trine.house.games.view.views import add_insight, encode_game
from trine.house.job_pool import JobPool
from trine.house.people.tables import Person
from trine.house.refusals import BusyHouseError, HouseError, ShuttingDownError
from trine.house.web.frame import Frame
from trine.house.web.messages import No, Pong, Reply, Sent
from trine.house.web.refusing import why_of
from trine.house.web.socket import COMMANDS, PageSocket
from trine.house.web.visitors import preferences_of

CLOSED_PAGE_CODES: Final = (1000, 1001, 1005)
"""The close codes of a closed page; all others mean a lost connection."""
WATCHER_PAUSE: Final = 2.0
"""Units: seconds; the minimum time between updates of a spectator's page in a busy house."""
CHAT: Final = "chat"


class TableTalk(Protocol):
    """The chat of a game on one page: `trine.house.talk.chat.PageChat`."""

    async def enter(self, snapshot: Snapshot) -> None: ...

    def leave(self) -> None: ...

    def update(self, snapshot: Snapshot) -> None: ...

    def news(self) -> Sent | None: ...

    async def say(self, snapshot: Snapshot, message: messages.Say, address: str) -> None: ...

    async def moderate(self, message: messages.ModerateLine) -> Text: ...


OpenTalk = Callable[[Person | None, Callable[[], None]], TableTalk]
"""A function that opens the chat of a page, given its person and a function that wakes the page."""


class GameSocket(PageSocket):
    """An open page of a game."""

    durable: ClassVar[frozenset[str]] = frozenset({COMMANDS, CHAT})
    busy = text("The house is busy: your turn is kept and goes out next.")

    def __init__(
        self,
        frame: Frame[Person],
        socket: WebSocket,
        actor: GameActor,
        person: Person | None,
        bots: Bots,
        helpers: JobPool,
        open_talk: OpenTalk,
        *,
        merges: bool = False,
    ) -> None:
        super().__init__(frame, socket)
        self._merges = merges  # whether the page can apply differences between two states
        self._actor, self._bots = actor, bots
        self._pieces = preferences_of(socket).pieces
        self._person, self._id = person, person.id if person else None
        self._talk = open_talk(person, self.wake)
        self._look = messages.Look()
        self._insight = PageInsight(
            helpers, self.address, lambda: self.changed(self._actor.snapshot)
        )
        self._snapshot: Snapshot | None = None
        """The state to send next; None if there is nothing to send."""
        self._watches_from = 0.0  # the time of a spectator's next update, while the house is busy
        self._sent: tuple[Snapshot, ViewerGroup] | None = None
        """The state that the page has; None if it needs the whole state."""

    def changed(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._talk.update(snapshot)
        if self.frame.metrics.is_busy and not snapshot.seats_of(self._id):
            self._wake_later()
        else:
            self.wake()

    def _wake_later(self) -> None:
        loop = asyncio.get_running_loop()
        if self._watches_from <= loop.time():
            self._watches_from = loop.time() + WATCHER_PAUSE
            loop.call_at(self._watches_from, self.wake)

    async def run(self) -> None:
        try:
            await self._talk.enter(self._actor.snapshot)
            self.changed(await self._actor.enter(self, self._id))
        except BaseException:
            self._talk.leave()
            raise
        await super().run()

    def on_close(self) -> None:
        self._talk.leave()
        self._insight.close()
        self._actor.leave(self, closed=self.code in CLOSED_PAGE_CODES)

    async def send_state(self) -> None:
        if (snapshot := self._snapshot) is not None:
            self._snapshot = None
            group = self._group(snapshot)
            put_off = group.insight and self.frame.metrics.is_busy
            if put_off or (group.insight and not await add_insight(snapshot, group, self._insight)):
                group = replace(group, insight=False)
            known, seen_as = self._sent or (None, group)
            self._sent = (snapshot, group) if self._merges else None
            shown = encode_game(snapshot, group, known if seen_as == group else None)
            # The next state may have another board before the page has asked for this one.
            if board := snapshot.made.get(("board", group)):
                self.frame.boards.keep(board)
            await self.send(shown)
            self.frame.metrics.sent.inc()
        if news := self._talk.news():
            await self.tell(news)

    def _group(self, snapshot: Snapshot) -> ViewerGroup:
        own = snapshot.seats_of(self._id)
        seat = self._look.seat
        if seat is None or seat >= len(snapshot.seats):
            seat = min(own, default=0)
        insight = self._look.insight and (snapshot.agreement.casual or snapshot.over)
        return ViewerGroup(own, seat, self.language.code, insight, self._pieces)

    def read(self, words: str | bytes) -> messages.Incoming:
        return messages.read_message(words)

    def within_rate_limit(self) -> bool:
        plays = bool(self._id and self._actor.snapshot.seats_of(self._id))
        account = self.frame.players if plays else self.frame.watchers
        of_person = account.take(self._id or f"{self.address} {id(self)}")
        return of_person and self.frame.addresses.take(self.address)

    async def on_round_trip(self, seconds: float) -> None:
        """Record a ping's round-trip time for the players at this page."""
        for seat in self._actor.snapshot.seats_of(self._id):
            self._actor.lags[seat].add(seconds)
        if self not in self._actor.audience:  # `on_silence` has removed it
            try:
                self.changed(await self._actor.enter(self, self._id))
            except ShuttingDownError:
                self.reconnect()

    def on_silence(self) -> None:
        self._actor.leave(self, closed=False)

    def lane(self, message: messages.Incoming) -> str:
        """Return the lane; hints wait for a worker, chat for a write, and neither delays turns."""
        if isinstance(message, messages.Hint):
            return "hint"
        return CHAT if isinstance(message, messages.Say | messages.ModerateLine) else COMMANDS

    async def handle(self, message: messages.Incoming, at: float) -> None:
        if isinstance(message, messages.Look):
            self._look, self._sent = message, None
            self.changed(self._actor.snapshot)
            return
        assert not isinstance(message, Pong)
        began = time.monotonic()
        try:
            answer = await self._do(message, at)
        except ShuttingDownError:
            self.reconnect()  # the page reconnects where the game is loaded
            return
        except TrineError as error:
            self.frame.metrics.refused.inc()
            self.reply(No(id=message.id, why=why_of(error), seq=self._actor.snapshot.seq))
            if isinstance(message, messages.Turn | messages.Draft):
                self._sent = None
                self.changed(self._actor.snapshot)  # the board returns to the actual state
            return
        self.frame.metrics.answered.observe(time.monotonic() - began)
        answer.id = message.id
        self.reply(answer)

    async def _do(self, message: messages.Incoming, at: float) -> Reply:
        assert not isinstance(message, Pong | messages.Look)
        if isinstance(message, messages.Hint):
            return await self._hint(message)
        turn_seq = self._actor.game.turn_seq
        if isinstance(message, messages.Ahead | messages.Reach) and message.at < turn_seq:
            raise OutdatedError
        if isinstance(message, messages.Ahead):
            return self._ahead(message)
        if isinstance(message, messages.Reach):
            return self._reach(message)
        if isinstance(message, messages.Say):
            await self._talk.say(self._actor.snapshot, message, self.address)
            return messages.Ok()
        if isinstance(message, messages.ModerateLine):
            return messages.Ok(told=await self._talk.moderate(message))
        return await act(self._actor, self._person, message, at)

    def _reach(self, message: messages.Reach) -> messages.Reached:
        snapshot, state = self._actor.snapshot, self._actor.snapshot.state
        if not state or state.play.mover not in snapshot.seats_of(self._id):
            raise NotYoursError
        return messages.Reached(choices=gestures(state.play, message.a, message.spot))

    def _ahead(self, message: messages.Ahead) -> messages.AheadView:
        snapshot = self._actor.snapshot
        return ahead_view(snapshot, self._group(snapshot), message.path, message.a)

    async def _hint(self, message: messages.Hint) -> messages.HintTold:
        snapshot, state = self._actor.snapshot, self._actor.snapshot.state
        own = snapshot.seats_of(self._id)
        if not own:
            raise NotYoursError
        if not (snapshot.agreement.casual and state) or snapshot.over:
            raise HouseError("there are no hints in this game")
        if self.frame.metrics.is_busy:
            raise BusyHouseError
        if state.play.mover not in own:
            raise HouseError("another player is to move")
        line = snapshot.drafts.get(state.play.mover)
        if line and line.steps and line.steps[-1].closes:
            raise HouseError("the turn is complete")
        draft = [str(action) for action in line] if line else []
        await self._actor.do(record_hint, CommandMeta(self._id, message.id))
        turn = self._actor.game.turn_seq
        asked = self._actor.id, self._actor.game.entries, draft
        if self._bots.progress(snapshot.agreement.game):
            hint = await self._bots.hint_at_once(*asked)
        else:
            hint = await self._bots.hint(*asked, self.address)
        if self._actor.game.turn_seq != turn:
            raise OutdatedError
        given = line or read_draft(state.play, ())
        made = named_actions(given.end, hint.ids, state.play.history)
        return messages.HintTold(
            paths=arrows(state.play.room, made),
            told=hint.reasons,
            line=turns_ahead(snapshot, self._group(snapshot), given, hint.line),
        )
