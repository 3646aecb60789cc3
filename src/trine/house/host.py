"""The host of one game: an actor, to which all that touches the game is a message.

Whoever comes, goes, sits down or plays asks the host; what it then does is done at its table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from trine.core.checked import CheckedLine
from trine.core.errors import IllegalError
from trine.core.outcome import Outcome, Reason
from trine.core.text import text
from trine.house.asked import Asked
from trine.house.audience import Watcher
from trine.house.conditions import Line
from trine.house.drafts import read_draft
from trine.house.export import REMATCH
from trine.house.notices import notes_of
from trine.house.ratings import together
from trine.house.refusals import NotYoursError, OutdatedError
from trine.house.search import appearances_begin
from trine.house.snapshot import Snapshot
from trine.house.table import Table
from trine.protocol.turn_words import read_turn
from trine.session import commands
from trine.session.commands import Command
from trine.session.game import Game
from trine.session.journal import MemoryJournal
from trine.session.offers import DRAW, TAKEBACK
from trine.session.prepare import Prepared
from trine.session.seats import turns_to_take_back
from trine.store.events import Event
from trine.store.game_rows import Stage
from trine.store.seat_rows import SeatKind, SeatRow


class Host(Table):
    """A table at which players act."""

    # --- coming and going -------------------------------------------------------------------------

    async def enter(self, watcher: Watcher, person: str | None) -> Snapshot:
        """Let a watcher in, who looks or plays."""

        def work() -> Snapshot:
            self.audience.add(watcher, person)
            own = self.snapshot.seats_of(person)
            came = [self.attendance.come(seat) for seat in own]
            if any(came):
                self.show()
            else:
                self.time.plan()  # nobody else sees anything of it: a crowd may come at once
                self._bots.ask()  # those at show have waited for somebody to look
            if own:
                self.queue_own(self.time.go_on)
            return self.snapshot

        return await self._ask(work)

    def leave(self, watcher: Watcher, *, closed: bool) -> None:
        """Let a watcher go: the page was closed, or the connection lost."""
        at = self.house.now()

        def work() -> None:
            if watcher not in self.audience:
                return
            person = self.audience.remove(watcher, at)
            own = self.snapshot.seats_of(person)
            gone = [self.attendance.go(seat, at, closed=closed) for seat in own]
            if any(gone):
                self.show()
            else:
                self.time.plan()

        if not self.closing:
            self.post(work)

    # --- seats ------------------------------------------------------------------------------------

    async def sit_down(self, seat: int, taken: SeatRow) -> None:
        """Take a seat for a person; when all are taken the game begins."""

        async def work() -> None:
            if self.game or self._aborted:
                if self.seats[seat].person == taken.person:
                    return
                raise IllegalError(text("somebody else has taken this seat"))
            await asyncio.wrap_future(self.house.store.take_seat(self.id, seat, taken))
            self.seats[seat] = taken
            await self.identify()
            for _ in range(self.audience.pages_of(taken.person)):
                self.attendance.come(seat)
            await self._begin_if_full((taken.person,))
            self.show()

        await self._write(work)

    async def hand_over(self, person: str, other: str) -> None:
        """Have another person sit where one has sat; for the queue of the table."""
        for number, row in enumerate(self.seats):
            if row.person == person:
                self.seats[number] = replace(row, person=other)
        self.audience.hand_over(person, other)
        await self.identify()
        self.show()

    async def begin(self, here: Collection[str] = ()) -> None:
        """Begin the game, if all seats are taken; people who are ``here`` need not be told."""
        await self._write(partial(self._begin_if_full, here))

    async def _begin_if_full(self, here: Collection[str | None] = ()) -> None:
        if self.game or any(seat.kind is SeatKind.FREE for seat in self.seats):
            return
        terms = self.agreement.terms()
        names = {
            chair.tag: self._recorded_name(number, seat)
            for number, (chair, seat) in enumerate(zip(terms.start.seats, self.seats, strict=True))
            if seat.name
        }
        journal = MemoryJournal()
        game = Game.begin(self.agreement.terms(names), journal, self.house.now)
        told = notes_of(self.id, self.agreement, self.seats, None, game.state, here)
        found = appearances_begin(self.id, self.agreement, self.seats, game.state.at)
        also = together(told, found)
        await self._append(journal.entries, game.state, stage=Stage.PLAYING, also=also)
        self.game = game
        self.turn_seq = self._seq
        for seat in self.people():
            self.attendance.miss(seat, self.house.now())
        self.show()

    def _recorded_name(self, number: int, seat: SeatRow) -> str:
        """The name of a player in the record; that of a program says so, in every language."""
        standing = self.standings.get(number)
        return f"{seat.name} (bot)" if standing and standing.bot else seat.name

    # --- playing ----------------------------------------------------------------------------------

    def _seat(self, asked: Asked, seat: int | None = None) -> int:
        """The seat for which a person acts; where it is not said, that to move or the only one."""
        own = self.snapshot.seats_of(asked.person)
        if seat is None and self.game and self.game.play.mover in own:
            seat = self.game.play.mover
        if seat is None and own:
            seat = min(own)
        if seat is None or seat not in own:
            raise NotYoursError
        return seat

    async def _command(
        self, asked: Asked, prepare: Callable[[Game[MemoryJournal]], Prepared]
    ) -> int:
        """Have a command of a player prepared and written; the number of its last event."""

        async def work() -> int:
            if known := self._answers.known(asked):
                return known
            game = self.running()
            if not self.snapshot.seats_of(asked.person):
                raise NotYoursError
            await self.time.go_on(now=True)
            return await self.commit(prepare(game), asked)

        return await self._write(work)

    def _check_seen(self, asked: Asked) -> None:
        if asked.seen is not None and asked.seen < self.turn_seq:
            raise OutdatedError

    async def turn(self, asked: Asked, ids: Sequence[str], words: str = "") -> int:
        """Play a whole turn: actions by their ids, or in the words of records."""

        def prepare(game: Game[MemoryJournal]) -> Prepared:
            game.play.check_goes_on()
            self._check_seen(asked)
            seat = self._seat(asked)
            if seat != game.play.mover:
                raise IllegalError(text("another player is to move"))
            given = list(map(str, read_turn(game.play, words))) if words else ids
            line = read_draft(game.play, given)
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
            game = self.running()
            self._check_seen(asked)
            seat = self._seat(asked)
            if seat != game.play.mover:
                raise IllegalError(text("another player is to move"))
            checked = read_draft(game.play, ids, line)
            self._drafts[seat] = checked
            self._version += 1
            self.snapshot = self._look()
            self.audience.tell_owner(self.snapshot, seat)
            return checked

        return await self._ask(work)

    async def condition(self, asked: Asked, line: Line, *, drop: bool = False) -> None:
        """Keep a line of conditional turns, or forget its end; an empty one forgets them all."""

        async def work() -> None:
            game = self.running()
            game.play.check_goes_on()
            self._check_seen(asked)
            seat = self._seat(asked)
            if len(self.snapshot.seats_of(asked.person)) > 1:
                raise IllegalError(text("whoever plays several sides needs no conditions"))
            await (self.conditional.drop if drop else self.conditional.add)(seat, line)
            self._version += 1
            self.snapshot = self._look()
            self.audience.tell_owner(self.snapshot, seat)

        await self._write(work)

    async def offer(self, asked: Asked, what: str) -> int:
        """Ask the others for a draw, a takeback, a pause, or a line of the game."""

        def prepare(game: Game[MemoryJournal]) -> Prepared:
            self._check_seen(asked)
            seat = self._seat(asked)
            turns = 1
            if what == TAKEBACK:
                bots = [n for n, s in enumerate(self.seats) if s.kind is SeatKind.BOT]
                turns = turns_to_take_back(game.play, bots) or 1
            alone = {row.person for row in self.seats} == {asked.person}
            if alone and what == TAKEBACK:
                return game.prepare(commands.TakeBack(turns, agreed=True))
            if alone and what == DRAW:
                return game.prepare(commands.AgreeDraw())
            return game.prepare(commands.Ask(seat, what, turns))

        return await self._answered(asked, await self._command(asked, prepare))

    async def _answered(self, asked: Asked, seq: int) -> int:
        """Let other seats of the same person, and bots, answer what was asked for."""
        own = self.snapshot.seats_of(asked.person)
        for seat, row in enumerate(self.seats):
            if not (self.game and self.runs() and (row.kind is SeatKind.BOT or seat in own)):
                continue
            waiting = (one for one in self.game.state.offers if seat in one.waiting)
            # What others have asked for in the meantime is nothing that was agreed to by asking.
            offer = next((one for one in waiting if one.seat in own), None)
            if not offer:
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
            return await self.commit(self.running().prepare(command))

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
            gone = [seat for seat in self._claimable(self.house.now()) if seat != own]
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
            if self.game and self.game.play.turns:
                raise IllegalError(text("a turn has been played; you can only resign"))
            if self.agreement.tournament:
                raise IllegalError(text("a game of a tournament is played; you can only resign"))
            await self.break_off()
            return self._seq

        return await self._write(work)

    async def rematch(self, asked: Asked) -> str:
        """Ask for another game with the seats swapped: its id once all want it, else nothing."""

        async def work() -> str:
            own = self.snapshot.seats_of(asked.person)
            self._seat(asked)
            if not self.snapshot.over:
                raise IllegalError(text("the game is not over"))
            if self.agreement.tournament:
                raise IllegalError(text("the tournament says who plays next"))
            self._wants_rematch |= own
            if not self._next_game and self._wants_rematch >= set(self.people()):
                seats = [*self.seats[1:], self.seats[0]]
                if self.agreement.rated:
                    people = [seat.person for seat in seats if seat.person]
                    await self.house.ratings.check_may_meet(people)
                game = await self.house.create_with(self.agreement.again(), seats)
                event = Event(REMATCH, None, round(self.house.now(), 3), {"game": game})
                await self._append_events([event])
                self._next_game = game
            self.show()
            return self._next_game

        return await self._write(work)
