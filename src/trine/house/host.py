"""The host of one game: an actor, to which all that touches the game is a message.

There is one bounded queue and one task. What changes the game is done one after the other: it is
prepared from the state, appended to the store, and counts when it is safe there. What changes
nothing, such as a draft or somebody's coming, is done in between, so that nobody waits for a disk
who does not have to.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from trine.core.checked import CheckedLine
from trine.core.errors import IllegalError, TrineError
from trine.core.outcome import Outcome, Reason
from trine.core.text import Text, text
from trine.house.actor import Actor
from trine.house.agreement import Agreement
from trine.house.drafts import read_draft
from trine.house.lag import Lag
from trine.house.presence import Attendance
from trine.house.refusals import NotYoursError, OutdatedError
from trine.house.snapshot import Snapshot, Trail
from trine.session import commands
from trine.session.changes import rebuilt
from trine.session.commands import Command
from trine.session.entries import Entry, Kind
from trine.session.game import Game
from trine.session.journal import MemoryJournal
from trine.session.offers import DRAW, TAKEBACK
from trine.session.prepare import Prepared
from trine.session.seats import turns_to_take_back
from trine.store.events import Event
from trine.store.game_rows import GameRow, Stage
from trine.store.refusals import (
    StoreError,
)
from trine.store.seat_rows import SeatKind, SeatRow

if TYPE_CHECKING:
    from trine.house.house import House

MOST_ANSWERS: Final = 256
"""Commands whose answers are known when they come again."""
IDLE: Final = 60.0
"""Units: seconds; so long a game stays in memory when nobody is there."""
WAKING: Final = 20.0
"""Units: seconds; so long the player to move is waited for after the house was closed."""
BOT_PATIENCE: Final = 5.0
"""Units: seconds; after so long a bot that has failed is asked again."""
AMONG_BOTS: Final = 2.0
"""Units: seconds; so long the bots of a game without people wait before they play."""
SOON: Final = 0.02
"""Units: seconds; no game is looked at more often than that."""
FLAG_GRACE: Final = 0.05
"""Units: seconds; so much later the house itself looks at a clock. Guess."""
LIVE: Final = "live"
"""The kind of deadline that has a game looked at when the house opens."""
ABORT, REMATCH = "abort", "rematch"
"""Events that are no entries of the running game."""
CALL: Final = "call"
"""In the data of an event, the name of the command that it came of."""


class Watcher(Protocol):
    """Somebody who looks at a game."""

    def changed(self, snapshot: Snapshot) -> None:
        """The game has changed; this must take no time."""


@dataclass(frozen=True)
class Asked:
    """Who asks for something, and what was known then."""

    person: str | None
    """The id of a person."""
    call: str = ""
    """A name of the command, by which it is known when it comes again."""
    seen: int | None = None
    """The number of the last event that had been seen."""
    at: float | None = None
    """The moment when it came in."""


class Host(Actor):
    """A game in memory."""

    def __init__(
        self, house: House, row: GameRow, seats: Sequence[SeatRow], events: Sequence[Event] = ()
    ) -> None:
        super().__init__(row.id)
        self.agreement: Final = Agreement.from_data(row.terms)
        self.lags: Final = [Lag() for _ in seats]
        self._house = house
        self._epoch = row.epoch
        self._stage = row.stage
        self._seats = list(seats)
        self._seq = self._turn_seq = len(events)
        self._game: Game[MemoryJournal] | None = None
        self._aborted = False
        self._next_game = ""
        self._wants_rematch: set[int] = set()
        self._waking: float | None = None
        """Until when players are waited for before time goes on."""
        self._trail = Trail()
        self._drafts: dict[int, CheckedLine] = {}
        control = self.agreement.terms().clock
        self._attendance = Attendance(control)
        self._watchers: dict[Watcher, str | None] = {}
        self._idle_from = house.now()
        self._answers: OrderedDict[tuple[str | None, str], int] = OrderedDict()
        self._version = 0
        self._thinking_at = -1
        """The event at which a bot was last asked to think."""
        self.snapshot = self._look()
        """The game as it stands."""
        self._read(events)

    async def close(self, *, pause: bool = False) -> None:
        """Finish what was begun; with a pause, so that no time passes until it is loaded."""
        if not await self.drain():
            return
        game = self._game
        runs = game and self._runs() and game.clock and game.state.paused is None
        if pause and runs and not self.broken:
            assert game
            try:
                await self._commit(game.prepare(commands.Pause()))
            except TrineError as error:
                self._house.report("a game could not be paused", error, game=self.id)
        self._house.deadlines.set(self.id, None)
        await self.stop()

    def _fault(self, error: BaseException) -> None:
        self._house.report("a command failed", error, game=self.id)

    def _break(self, error: StoreError) -> None:
        """Forget a game whose events another process may have written, or whose disk is full."""
        self.broken = True
        self._house.report("a game could not be written", error, game=self.id)
        self._house.forget(self.id)

    # --- reading and writing ----------------------------------------------------------------------

    def _read(self, events: Sequence[Event]) -> None:
        """Make the game from its events."""
        entries = []
        for number, event in enumerate(events, 1):
            if call := event.data.get(CALL):
                self._remember((call[0], call[1]), number)
            if event.kind == ABORT:
                self._aborted = True
            elif event.kind == REMATCH:
                self._next_game = event.data["game"]
            else:
                entries.append(Entry(Kind(event.kind), event.actor, event.at, event.data))
        if entries:
            state = rebuilt(entries)
            self._game = Game(state, MemoryJournal(entries), self._house.now)
            self._trail.follow(entries, state.play)
        self._show()

    async def wake(self, alive: float | None) -> None:
        """Begin to wait for players, after the house was closed or broke down.

        No time has passed for anybody since the house was last known to be at work.

        Args: ``alive`` is that moment.
        """

        async def work() -> None:
            game = self._game
            if not game or game.over or self._aborted or not game.clock or game.state.by_consent:
                return
            if game.state.paused is None:
                await self._commit(game.prepare(commands.Pause(), alive or game.state.at))
            self._waking = self._house.now() + WAKING
            for seat in self._people():
                self._attendance.miss(seat, self._house.now())
            self._show()

        await self._write(work)

    async def _go_on(self, *, now: bool = False) -> None:
        """Let time go on, if it stands still only for who was waited for."""
        game = self._game
        if self._waking is None or not game:
            return
        if now or self._attendance.is_here(game.play.mover) or self._house.now() >= self._waking:
            self._waking = None
            if game.state.paused is not None and not game.state.by_consent and not game.over:
                await self._commit(game.prepare(commands.Resume()))

    async def _commit(self, prepared: Prepared, asked: Asked | None = None) -> int:
        """Write what was prepared, and let it count when it is safe."""
        assert self._game
        over = prepared.state.outcome is not None
        await self._append(
            prepared.entries,
            asked,
            stage=Stage.OVER if over else None,
            due={LIVE: None} if over else {},
        )
        self._apply(prepared)
        return self._seq

    async def _append(
        self,
        entries: Sequence[Entry],
        asked: Asked | None = None,
        stage: Stage | None = None,
        due: dict[str, float | None] | None = None,
    ) -> None:
        events = []
        for number, entry in enumerate(entries):
            data = dict(entry.data)
            if asked and asked.call and number == len(entries) - 1:
                data[CALL] = [asked.person, asked.call]
            events.append(Event(entry.kind, entry.seat, entry.at, data))
        await self._append_events(events, asked, stage, due)

    async def _append_events(
        self,
        events: Sequence[Event],
        asked: Asked | None = None,
        stage: Stage | None = None,
        due: dict[str, float | None] | None = None,
    ) -> None:
        future = self._house.store.append(
            self.id, self._epoch, self._seq + 1, events, stage=stage, due=due or {}
        )
        self._seq = await asyncio.wrap_future(future)
        if stage:
            self._stage = stage
        if asked and asked.call:
            self._remember((asked.person, asked.call), self._seq)

    def _remember(self, call: tuple[str | None, str], seq: int) -> None:
        self._answers[call] = seq
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)

    def _apply(self, prepared: Prepared) -> None:
        game = self._game
        assert game
        before = game.play
        game.journal.append(prepared.entries)
        game.apply(prepared)
        if game.play is not before:
            self._turn_seq = self._seq
            self._drafts.clear()
        self._trail.follow(prepared.entries, game.play)
        if game.over:
            self._house.ended(self)
        self._show()

    # --- showing ----------------------------------------------------------------------------------

    def _look(self) -> Snapshot:
        now = self._house.now()
        away = self._claimable(now)
        return Snapshot(
            self.id,
            self.agreement,
            tuple(self._seats),
            self._stage,
            self._seq,
            self._version,
            self._game.state if self._game else None,
            self._waking is not None,
            self._aborted,
            self._next_game,
            frozenset(self._wants_rematch),
            tuple(self._trail.times),
            {seat: self._attendance.seen(seat, now) for seat in self._people()},
            away,
            dict(self._drafts),
            tuple(self._trail.keys),
            now,
        )

    def _show(self) -> None:
        """Tell everybody what has changed, and see to what follows from it."""
        self._version += 1
        self.snapshot = self._look()
        for watcher in list(self._watchers):
            watcher.changed(self.snapshot)
        self._house.deadlines.set(self.id, self._next_deadline())
        self._ask_bots()

    def _people(self) -> list[int]:
        return [n for n, seat in enumerate(self._seats) if seat.kind is SeatKind.PERSON]

    def _runs(self) -> bool:
        """Whether something can still be played."""
        return self._game is not None and not self._game.over and not self._aborted

    def _claimable(self, now: float) -> frozenset[int]:
        if not self._runs():
            return frozenset()
        froms = {seat: self._attendance.claimable_from(seat) for seat in self._people()}
        return frozenset(seat for seat, at in froms.items() if at is not None and at <= now)

    # --- deadlines --------------------------------------------------------------------------------

    def _next_deadline(self) -> float | None:
        moments = []
        if not self._watchers and self._may_leave_memory():
            moments.append(self._idle_from + IDLE)
        game = self._game
        if game and self._runs():
            if self._waking is not None:
                moments.append(self._waking)
            elif (deadline := game.state.deadline) is not None:
                lag = self.lags[game.play.mover].compensation
                moments.append(deadline + lag + FLAG_GRACE)
            now = self._house.now()
            for seat in self._people():
                at = self._attendance.claimable_from(seat)
                if at is not None and at > now:
                    moments.append(at)
        # Never at once: whatever is due already is being seen to.
        return max(min(moments), self._house.now() + SOON) if moments else None

    def _may_leave_memory(self) -> bool:
        game = self._game
        if not game or not self._runs():
            return True
        bot_thinks = self._seats[game.play.mover].kind is SeatKind.BOT
        runs = game.clock is not None and (game.state.paused is None or self._waking is not None)
        return not (runs or bot_thinks)

    def tick(self) -> None:
        """A deadline of the game has come."""
        if not self._closing:
            self._post(self._tick)

    def _tick(self) -> None:
        now = self._house.now()
        idle = not self._watchers and now >= self._idle_from + IDLE
        if idle and self._may_leave_memory() and not self.busy:
            self._house.forget(self.id)
            return

        async def work() -> None:
            await self._go_on()
            await self._check_clock()

        if self._runs() and not self.busy:
            self._internal(work)
        self._show()

    def _internal(self, work: Callable[[], Awaitable[None]]) -> None:
        """Queue something of the house's own; what it refuses is of no interest."""
        self._queue(work, asyncio.get_running_loop().create_future())

    async def _check_clock(self) -> None:
        game = self._game
        if not game or not self._runs() or self._waking is not None:
            return
        grace = self.lags[game.play.mover].compensation
        moment = game.moment()
        if not game.state.time_is_up(moment, grace):
            return
        if not game.play.turns:
            await self._abort()
            return
        game.grace = grace
        await self._commit(game.prepare(commands.Flag(), moment))

    # --- coming and going -------------------------------------------------------------------------

    async def enter(self, watcher: Watcher, person: str | None) -> Snapshot:
        """Somebody comes to look, or to play."""

        def work() -> Snapshot:
            self._watchers[watcher] = person
            for seat in self.snapshot.seats_of(person):
                self._attendance.come(seat)
            self._show()
            self._internal(self._go_on)
            return self.snapshot

        return await self._ask(work)

    def leave(self, watcher: Watcher, *, closed: bool) -> None:
        """Somebody goes: the page was closed, or the connection lost."""
        at = self._house.now()

        def work() -> None:
            if watcher not in self._watchers:
                return
            person = self._watchers.pop(watcher)
            self._idle_from = at
            for seat in self.snapshot.seats_of(person):
                self._attendance.go(seat, at, closed=closed)
            self._show()

        if not self._closing:
            self._post(work)

    @property
    def watching(self) -> int:
        """How many look at the game."""
        return len(self._watchers)

    # --- seats ------------------------------------------------------------------------------------

    async def sit_down(self, seat: int, taken: SeatRow) -> None:
        """Somebody takes a seat; when all are taken the game begins."""

        async def work() -> None:
            if self._game or self._aborted:
                if self._seats[seat].person == taken.person:
                    return
                raise IllegalError(text("somebody else has taken this seat"))
            await asyncio.wrap_future(self._house.store.take_seat(self.id, seat, taken))
            self._seats[seat] = taken
            for person in self._watchers.values():
                if person == taken.person:
                    self._attendance.come(seat)
            await self._begin_if_full()
            self._show()

        await self._write(work)

    async def begin(self) -> None:
        """Begin the game, if all seats are taken."""
        await self._write(self._begin_if_full)

    async def _begin_if_full(self) -> None:
        if self._game or any(seat.kind is SeatKind.FREE for seat in self._seats):
            return
        terms = self.agreement.terms()
        tags = [seat.tag for seat in terms.start.seats]
        names = {tag: seat.name for tag, seat in zip(tags, self._seats, strict=True) if seat.name}
        journal = MemoryJournal()
        game = Game.begin(self.agreement.terms(names), journal, self._house.now)
        due = {LIVE: game.state.at} if game.clock else {}
        await self._append(journal.entries, stage=Stage.PLAYING, due=dict(due))
        self._game = game
        self._turn_seq = self._seq
        for seat in self._people():
            self._attendance.miss(seat, self._house.now())
        self._show()

    # --- playing ----------------------------------------------------------------------------------

    def _seat(self, asked: Asked, seat: int | None = None) -> int:
        """The seat for which somebody acts; where it is not said, that to move or the only one."""
        own = self.snapshot.seats_of(asked.person)
        if seat is None and self._game and self._game.play.mover in own:
            seat = self._game.play.mover
        if seat is None and own:
            seat = min(own)
        if seat is None or seat not in own:
            raise NotYoursError
        return seat

    def _running(self) -> Game[MemoryJournal]:
        if self._aborted:
            raise IllegalError(text("the game was broken off before it had begun"))
        if not self._game:
            raise IllegalError(text("the game has not begun; not all seats are taken"))
        return self._game

    async def _command(
        self, asked: Asked, prepare: Callable[[Game[MemoryJournal]], Prepared]
    ) -> int:
        """Have a command of a player prepared and written; the number of its last event."""

        async def work() -> int:
            if asked.call and (known := self._answers.get((asked.person, asked.call))):
                return known
            game = self._running()
            await self._go_on(now=True)
            return await self._commit(prepare(game), asked)

        return await self._write(work)

    def _check_seen(self, asked: Asked) -> None:
        if asked.seen is not None and asked.seen < self._turn_seq:
            raise OutdatedError

    async def turn(self, asked: Asked, ids: Sequence[str]) -> int:
        """Play a whole turn."""

        def prepare(game: Game[MemoryJournal]) -> Prepared:
            game.play.check_goes_on()
            self._check_seen(asked)
            seat = self._seat(asked)
            if seat != game.play.mover:
                raise IllegalError(text("another player is to move"))
            line = read_draft(game.play, ids)
            if not (line.steps and line.steps[-1].closes):
                raise IllegalError(text("the turn is not complete"))
            lag = self.lags[seat]
            at = (asked.at or game.moment()) - lag.compensation
            prepared = game.prepare(commands.Act(line, seat), at)
            lag.refund()
            return prepared

        return await self._command(asked, prepare)

    async def draft(self, asked: Asked, ids: Sequence[str], line: str = "") -> CheckedLine:
        """Judge a draft, and keep it for its owner: actions by their ids, then typed ones."""

        def work() -> CheckedLine:
            game = self._running()
            self._check_seen(asked)
            seat = self._seat(asked)
            if seat != game.play.mover:
                raise IllegalError(text("another player is to move"))
            checked = read_draft(game.play, ids, line)
            self._drafts[seat] = checked
            self._version += 1
            self.snapshot = self._look()
            for watcher, person in list(self._watchers.items()):
                if seat in self.snapshot.seats_of(person):
                    watcher.changed(self.snapshot)
            return checked

        return await self._ask(work)

    async def offer(self, asked: Asked, what: str) -> int:
        """Ask the others for a draw, a takeback, a pause, or a line of the game."""

        def prepare(game: Game[MemoryJournal]) -> Prepared:
            self._check_seen(asked)
            seat = self._seat(asked)
            turns = 1
            if what == TAKEBACK:
                bots = [n for n, s in enumerate(self._seats) if s.kind is SeatKind.BOT]
                turns = turns_to_take_back(game.play, bots) or 1
            alone = {row.person for row in self._seats} == {asked.person}
            if alone and what == TAKEBACK:
                return game.prepare(commands.TakeBack(turns, agreed=True))
            if alone and what == DRAW:
                return game.prepare(commands.AgreeDraw())
            return game.prepare(commands.Ask(seat, what, turns))

        return await self._answered(asked, await self._command(asked, prepare))

    async def _answered(self, asked: Asked, seq: int) -> int:
        """Let other seats of the same person, and bots, answer what was asked for."""
        own = self.snapshot.seats_of(asked.person)
        for seat, row in enumerate(self._seats):
            game = self._game
            offer = game.state.offer_to(seat) if game and self._runs() else None
            if not offer or not (row.kind is SeatKind.BOT or seat in own):
                continue
            declines = row.kind is SeatKind.BOT and offer.what == DRAW
            command: Command = (
                commands.Decline(seat, offer.what)
                if declines
                else commands.Accept(seat, offer.what)
            )
            seq = await self._house_command(command)
        return seq

    async def _house_command(self, command: Command) -> int:
        async def work() -> int:
            return await self._commit(self._running().prepare(command))

        return await self._write(work)

    async def answer(self, asked: Asked, what: str, *, agrees: bool) -> int:
        """Answer what another has asked for."""

        def prepare(game: Game[MemoryJournal]) -> Prepared:
            own = self.snapshot.seats_of(asked.person)
            seat = next((n for n in sorted(own) if game.state.offer_to(n, what)), None)
            seat = self._seat(asked, seat)
            command = commands.Accept(seat, what) if agrees else commands.Decline(seat, what)
            return game.prepare(command)

        return await self._command(asked, prepare)

    async def resume(self, asked: Asked) -> int:
        """End a pause that the players wanted."""

        def prepare(game: Game[MemoryJournal]) -> Prepared:
            self._seat(asked)
            return game.prepare(commands.Resume())

        return await self._command(asked, prepare)

    async def resign(self, asked: Asked) -> int:
        """Give up, whosever turn it is."""
        return await self._command(
            asked, lambda game: game.prepare(commands.Resign(self._seat(asked)))
        )

    async def claim(self, asked: Asked, *, draw: bool = False) -> int:
        """Claim the win or a draw, since another has left."""

        def prepare(game: Game[MemoryJournal]) -> Prepared:
            own = self._seat(asked)
            gone = [seat for seat in self._claimable(self._house.now()) if seat != own]
            gone = [seat for seat in gone if seat in game.state.staying]
            if not gone:
                raise IllegalError(text("nobody has been away for long enough"))
            if draw:
                game.terms.check_draws()
                if len(game.state.staying) > 2:
                    raise IllegalError(text("only of two players one can make it a draw"))
                return game.prepare(commands.End(Outcome(None, Reason.AGREEMENT)))
            return game.prepare(commands.Forfeit(gone[0], "has left"))

        return await self._command(asked, prepare)

    async def abort(self, asked: Asked) -> int:
        """Break the game off before its first turn; nobody has won it."""

        async def work() -> int:
            self._seat(asked)
            if self._aborted:
                return self._seq
            if self._game and self._game.play.turns:
                raise IllegalError(text("a turn has been played; you can only resign"))
            await self._abort()
            return self._seq

        return await self._write(work)

    async def _abort(self) -> None:
        event = Event(ABORT, None, round(self._house.now(), 3))
        await self._append_events([event], stage=Stage.OVER, due={LIVE: None})
        self._aborted = True
        self._show()

    async def rematch(self, asked: Asked) -> str:
        """Ask for another game with the seats swapped: its id once all want it, else nothing."""

        async def work() -> str:
            own = self.snapshot.seats_of(asked.person)
            self._seat(asked)
            if not self.snapshot.over:
                raise IllegalError(text("the game is not over"))
            self._wants_rematch |= own
            if not self._next_game and self._wants_rematch >= set(self._people()):
                seats = [*self._seats[1:], self._seats[0]]
                again = Agreement.make(
                    self.agreement.game,
                    self.agreement.rules,
                    {k: v for k, v in self.agreement.start.items() if k not in ("Seed", "Start")},
                    self.agreement.start.get("Start", ""),
                    clock=self.agreement.clock,
                    takebacks=self.agreement.takebacks,
                    draws=self.agreement.draws,
                    casual=self.agreement.casual,
                    listed=self.agreement.listed,
                )
                game = await self._house.create_with(again, seats)
                event = Event(REMATCH, None, round(self._house.now(), 3), {"game": game})
                await self._append_events([event])
                self._next_game = game
            self._show()
            return self._next_game

        return await self._write(work)

    # --- bots -------------------------------------------------------------------------------------

    def _ask_bots(self) -> None:
        game = self._game
        if not game or not self._runs() or self._closing:
            return
        seat = self._seats[game.play.mover]
        if seat.kind is not SeatKind.BOT or game.state.paused is not None:
            return
        if self._thinking_at == self._turn_seq:
            return
        self._thinking_at = self._turn_seq
        asyncio.create_task(self._think(seat.name, self._turn_seq))  # noqa: RUF006

    async def _think(self, bot: str, turn_seq: int) -> None:
        game = self._game
        assert game
        try:
            ids = await self._house.bots.choose(
                self.id,
                bot,
                tuple(game.journal.entries),
                game.elapsed,
                lambda: turn_seq == self._turn_seq,
            )
        except Exception as error:  # nobody forfeits by it: it is asked again
            self._house.report("a bot failed", error, game=self.id)
            await asyncio.sleep(BOT_PATIENCE)
            self._post(self._ask_bots_again)
            return
        if ids is None or turn_seq != self._turn_seq:
            return
        if not self._people():  # so that it can be watched
            await asyncio.sleep(AMONG_BOTS)

        async def work() -> None:
            if turn_seq != self._turn_seq or not self._runs():
                return
            game = self._running()
            if game.state.paused is not None:
                self._thinking_at = -1  # it is asked again when the pause is over
                return
            line = read_draft(game.play, ids)
            await self._commit(game.prepare(commands.Act(line, game.play.mover)))

        self._post(lambda: self._internal(work))

    def _ask_bots_again(self) -> None:
        self._thinking_at = -1
        self._ask_bots()

    # --- asking -----------------------------------------------------------------------------------

    def entries(self) -> tuple[Entry, ...]:
        """All that has happened in the running game."""
        return tuple(self._game.journal.entries) if self._game else ()

    def why_paused(self) -> Text | None:
        """Why nothing can be played, if the house has stopped the time."""
        return text("the house has been closed; time goes on soon") if self._waking else None
