"""The table of one game: what is written of it, and how it looks.

There is one bounded queue and one task. What changes the game is done one after the other: it is
prepared from the state, appended to the store, and counts when it is safe there. What changes
nothing, such as a draft or somebody's coming, is done in between, so that nobody waits for a disk
who does not have to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from trine.core.checked import CheckedLine
from trine.core.errors import IllegalError, TrineError
from trine.core.text import text
from trine.house import no_show
from trine.house.actor import Actor
from trine.house.agreement import Agreement
from trine.house.asked import Answers, Asked
from trine.house.audience import Audience
from trine.house.bot_turns import BotTurns
from trine.house.by_days import ByDays
from trine.house.conditional import Conditional
from trine.house.correspondence import (
    DEADLINE,
    REMINDER,
    falls_due,
    notes_whose_turn,
)
from trine.house.export import ABORT, REMATCH
from trine.house.lag import Lag
from trine.house.notices import notes_of
from trine.house.presence import Attendance
from trine.house.ratings import Standing, Write, together, write_of
from trine.house.search import appearances_end, appearances_go
from trine.house.snapshot import Snapshot, Trail
from trine.house.timekeeper import Timekeeper
from trine.session import commands
from trine.session.changes import rebuilt
from trine.session.entries import Entry, Kind
from trine.session.game import Game
from trine.session.journal import MemoryJournal
from trine.session.prepare import Prepared
from trine.session.state import State
from trine.store.conditions import clear_conditions
from trine.store.events import Event
from trine.store.game_rows import GameRow, Stage
from trine.store.homes import LIVE
from trine.store.refusals import FencedError, StaleError, StoreError
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.waiting import set_to_move

if TYPE_CHECKING:
    from trine.house.house import House

FAREWELL: Final = 0.5
"""Units: seconds; so long whoever asked for what could not be written has to hear why. Guess."""
_BESIDE: Final = (Kind.OFFER, Kind.ACCEPT, Kind.DECLINE, Kind.PAUSE, Kind.RESUME, Kind.REMARK)
"""Kinds of entries that leave the play as it is, so that a turn sent before them still holds."""
CALL: Final = "call"
"""In the data of an event, the name of the command that it came of."""


class Table(Actor):
    """A game in memory."""

    def __init__(
        self, house: House, row: GameRow, seats: Sequence[SeatRow], events: Sequence[Event] = ()
    ) -> None:
        super().__init__(row.id)
        self.agreement: Final = Agreement.from_data(row.terms)
        self._by_days: Final = self.agreement.by_days
        self.lags: Final = [Lag() for _ in seats]
        self.house = house
        self._epoch = row.epoch
        self._stage = row.stage
        self.seats = list(seats)
        self._seq = len(events)
        self.turn_seq = 0
        """The number of the last event that has changed the play."""
        self.game: Game[MemoryJournal] | None = None
        self._aborted = False
        self._next_game = ""
        self._wants_rematch: set[int] = set()
        self._trail = Trail()
        self._drafts: dict[int, CheckedLine] = {}
        control = self.agreement.terms().clock
        self.attendance = Attendance(control)
        self.audience = Audience(house.now())
        self._answers = Answers()
        self._bots = BotTurns(self)
        self.conditional: Final = Conditional(self)
        self.by_days: Final = ByDays(self)
        self.time: Final = Timekeeper(self)
        self.standings: Mapping[int, Standing] = {}
        """The players who have accounts, by their seats."""
        self._version = 0
        self.snapshot = self._look()
        """The game as it stands."""
        self._read(events)

    async def close(self, *, pause: bool = False) -> None:
        """Finish what was begun; with a pause, so that no time passes until it is loaded."""
        if not await self.drain():
            return
        game = self.game
        runs = game and self.runs() and game.clock and game.state.paused is None
        if pause and runs and not (self.broken or self._by_days):
            assert game
            try:
                await self.commit(game.prepare(commands.Pause()))
            except TrineError as error:
                self.house.report("a game could not be paused", error, game=self.id)
        self.house.deadlines.set(self.id, None)
        await self.stop()

    def _fault(self, error: BaseException) -> None:
        self.house.report("a command failed", error, game=self.id)

    def _break(self, error: StoreError) -> None:
        """Forget a game whose events another process may have written, or whose disk is full."""
        self.broken = True
        self.house.report("a game could not be written", error, game=self.id)
        taken = isinstance(error, FencedError | StaleError)
        self.house.forget(self.id, after=0.0 if taken else FAREWELL)

    @property
    def epoch(self) -> int:
        """The epoch in which the game is at home here."""
        return self._epoch

    def dismiss(self) -> None:
        """Have all who watch look for the game anew."""
        self.audience.dismiss()

    # --- reading and writing ----------------------------------------------------------------------

    def _read(self, events: Sequence[Event]) -> None:
        """Make the game from its events."""
        entries = []
        for number, event in enumerate(events, 1):
            if call := event.data.get(CALL):
                self._answers.remember(call[0], call[1], number)
            if event.kind == ABORT:
                self._aborted = True
            elif event.kind == REMATCH:
                self._next_game = event.data["game"]
            else:
                entries.append(Entry(Kind(event.kind), event.actor, event.at, event.data))
                if entries[-1].kind not in _BESIDE:
                    self.turn_seq = number
        if entries:
            state = rebuilt(entries)
            self.game = Game(state, MemoryJournal(entries), self.house.now)
            self._trail.follow(entries, state.play)
        self.show()

    async def commit(self, prepared: Prepared, asked: Asked | None = None) -> int:
        """Write what was prepared, and let it count when it is safe."""
        assert self.game
        outcome, ratings = prepared.state.outcome, None
        if outcome:
            entries = [*self.game.journal.entries, *prepared.entries]
            ratings = write_of(self.id, self.agreement, self.seats, outcome, entries)
        conditions = self.conditional.after(prepared)
        who = (asked.person,) if asked else ()
        told = notes_of(
            *(self.id, self.agreement, self.seats, prepared.before, prepared.state, who)
        )
        await self._append(
            prepared.entries,
            prepared.state,
            asked,
            stage=Stage.OVER if outcome else None,
            also=together(
                ratings,
                self.conditional.writes(conditions),
                told,
                appearances_end(self.id, outcome),
            ),
        )
        self.conditional.of = conditions
        self._apply(prepared)
        if ratings:
            await self.identify()
            self.show()
        return self._seq

    async def identify(self) -> None:
        """Learn who of the players has an account, and how they are rated now."""
        try:
            self.standings = await self.house.ratings.standings(self.agreement, self.seats)
        except StoreError as error:  # the game goes on without
            self.house.report("the players could not be looked up", error, game=self.id)
        self.snapshot = self._look()

    async def _append(
        self,
        entries: Sequence[Entry],
        state: State,
        asked: Asked | None = None,
        stage: Stage | None = None,
        also: Write | None = None,
    ) -> None:
        """Write entries, and with them what follows from the state after them."""
        changes = self._by_days or stage  # of a game on a clock only its beginning and its end
        due = falls_due(self.agreement, self.seats, state) if changes else {}
        turn = notes_whose_turn(self.id, self.agreement, self.seats, state)
        events = []
        for number, entry in enumerate(entries):
            data = dict(entry.data)
            if asked and asked.call and number == len(entries) - 1:
                data[CALL] = [asked.person, asked.call]
            events.append(Event(entry.kind, entry.seat, entry.at, data))
        await self._append_events(events, asked, stage, due, together(also, turn))

    async def _append_events(
        self,
        events: Sequence[Event],
        asked: Asked | None = None,
        stage: Stage | None = None,
        due: dict[str, float | None] | None = None,
        also: Write | None = None,
    ) -> None:
        future = self.house.store.append(
            self.id, self._epoch, self._seq + 1, events, stage=stage, due=due or {}, also=also
        )
        self._seq = await asyncio.wrap_future(future)
        if stage:
            self._stage = stage
        if asked and asked.call:
            self._answers.remember(asked.person, asked.call, self._seq)

    def _apply(self, prepared: Prepared) -> None:
        game = self.game
        assert game
        before = game.play
        game.journal.append(prepared.entries)
        game.apply(prepared)
        if game.play is not before:
            self.turn_seq = self._seq
            self._drafts.clear()
        self._trail.follow(prepared.entries, game.play)
        if game.over:
            self.house.ended(self)
        self.show()

    # --- showing ----------------------------------------------------------------------------------

    def _look(self) -> Snapshot:
        now = self.house.now()
        away = self._claimable(now)
        return Snapshot(
            self.id,
            self.agreement,
            tuple(self.seats),
            self._stage,
            self._seq,
            self._version,
            self.game.state if self.game else None,
            self.time.waits,
            self._warming(),
            self._aborted,
            self._next_game,
            frozenset(self._wants_rematch),
            tuple(self._trail.times),
            {seat: self.attendance.seen(seat, now) for seat in self.people()},
            away,
            dict(self._drafts),
            tuple(self._trail.keys),
            tuple(self._trail.written),
            self.standings,
            now,
            conditions=self.conditional.of,
        )

    def show(self) -> None:
        """Tell everybody what has changed, and see to what follows from it."""
        self._version += 1
        self.snapshot = self._look()
        self.audience.tell(self.snapshot)
        self.time.plan()
        self._bots.ask()
        self.conditional.ask()

    def show_time(self) -> None:
        """Tell everybody if time alone has changed what can be seen."""
        now, before = self.house.now(), self.snapshot
        presence = {seat: self.attendance.seen(seat, now) for seat in self.people()}
        if presence != before.presence or self._claimable(now) != before.claimable:
            self.show()
        else:
            self.time.plan()

    def _warming(self) -> bool:
        if not self.game or not self.runs() or self.house.bots.is_warm(self.agreement.game):
            return False
        return self.seats[self.game.play.mover].kind is SeatKind.BOT

    @property
    def watching(self) -> int:
        """The number of open pages that show the game."""
        return len(self.audience)

    def people(self) -> list[int]:
        """The seats of people."""
        return [n for n, seat in enumerate(self.seats) if seat.kind is SeatKind.PERSON]

    def runs(self) -> bool:
        """Whether something can still be played."""
        return self.game is not None and not self.game.over and not self._aborted

    def running(self) -> Game[MemoryJournal]:
        """The game, if all seats have been taken and it was not broken off."""
        if self._aborted:
            raise IllegalError(text("the game was broken off before it had begun"))
        if not self.game:
            raise IllegalError(text("the game has not begun; not all seats are taken"))
        return self.game

    def _claimable(self, now: float) -> frozenset[int]:
        if not self.runs():
            return frozenset()
        froms = {seat: self.attendance.claimable_from(seat) for seat in self.people()}
        return frozenset(seat for seat, at in froms.items() if at is not None and at <= now)

    def take_name_off(self, own: Mapping[int, str], name: str) -> None:
        """Have another name stand at seats, and in the tags of records."""

        def work() -> None:
            for seat in own:
                self.seats[seat] = replace(self.seats[seat], name=name)
            self.standings = {n: one for n, one in self.standings.items() if n not in own}
            if self.game:
                begin = self.game.journal.entries[0]
                tags = {**begin.data["tags"]}
                tags |= {tag: name for tag in own.values() if tag in tags}
                entry = replace(begin, data={**begin.data, "tags": tags})
                self.game.journal.entries[0] = entry
            self.show()

        self.post(work)

    async def do(self, work: Callable[[], Awaitable[None]]) -> None:
        """Have something done that is written down, after all that came before."""
        await self._write(work)

    def queue_own(self, work: Callable[[], Awaitable[None]]) -> None:
        """Queue something of the house's own; what it refuses is of no interest."""
        self._queue(work, asyncio.get_running_loop().create_future())

    async def break_off(self, missing: Collection[int] = ()) -> None:
        """Break the game off before its first turn; those who are missing have lost it."""
        data = {no_show.MISSING: sorted(missing)} if self.agreement.tournament else {}
        event = Event(ABORT, None, round(self.house.now(), 3), data)
        turn = partial(set_to_move, game=self.id, person=None, since=0.0)
        conditions = partial(clear_conditions, game=self.id)
        gone = dict.fromkeys((LIVE, DEADLINE, REMINDER))
        also = together(turn, conditions, appearances_go(self.id))
        await self._append_events([event], stage=Stage.OVER, due=gone, also=also)
        self._aborted = True
        self.conditional.of = {}
        self.time.stop_waiting()
        self.show()
        self.house.tournaments.heard(self.agreement)

    # --- asking -----------------------------------------------------------------------------------

    def entries(self) -> tuple[Entry, ...]:
        """All that has happened in the running game."""
        return tuple(self.game.journal.entries) if self.game else ()
