"""The host of one game: it has the game as it stands, its queue, and all who look at it.

A change is prepared from the game as it stands, appended to the store with what follows from it,
and counts when it is safe there. What changes nothing, such as a draft or somebody's coming, is
done in between, so that nobody waits for a disk who does not have to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Concatenate, Final, ParamSpec

from trine.core.contract.checked import CheckedLine
from trine.core.errors import IllegalError, TrineError
from trine.core.text.sentence import text
from trine.house.background import Now, Report
from trine.house.games import seat_rows
from trine.house.games.actor import Actor
from trine.house.games.agreement import Agreement
from trine.house.games.asked import CALL, Answers, Asked, Moment
from trine.house.games.audience import Audience, Watcher
from trine.house.games.bot_turns import BotTurns, Thinkers
from trine.house.games.commands import beginning, leaving, playing, waking
from trine.house.games.commands.seat import HouseCommand, seat_for
from trine.house.games.downtimes import downtimes_after
from trine.house.games.events import Append, append_events
from trine.house.games.falls_due import REMINDER, falls_due, next_reminder
from trine.house.games.follows import Context, Follow, Listener, Write, consequences
from trine.house.games.lag import Lag
from trine.house.games.live_game import Change, LiveGame
from trine.house.games.presence import Attendance
from trine.house.games.rated_player import RatedPlayer
from trine.house.games.refusals import NotYoursError
from trine.house.games.seat_rows import SeatRow
from trine.house.games.snapshot import Snapshot, snapshot_of
from trine.house.games.timekeeper import Timekeeper
from trine.session.commands import Pause
from trine.store.deadlines import change as change_deadlines
from trine.store.refusals import FencedError, StaleError, StoreError
from trine.store.store import Store

FAREWELL: Final = 0.5
"""Units: seconds; the time for sending the reason to those whose request could not be written.
Guess."""
_IN_PASSING: Final = (playing.condition, leaving.abort)
"""Commands after which one still waits for players who may not know that the house is open."""
Given = ParamSpec("Given")


@dataclass(frozen=True)
class Around:
    """The services that a game in memory needs."""

    store: Store
    now: Now
    report: Report
    thinkers: Thinkers
    follows: Sequence[Follow]
    """The consequences of a change, which are written with it."""
    listeners: Sequence[Listener]
    """The listeners, which hear of a change once it is safe."""
    reminder: Callable[[str, str, float], Write]
    """A function that returns the write of a reminder of a game, for the person of an id, at a
    moment."""
    standings: Callable[[Agreement, Sequence[SeatRow]], Awaitable[Mapping[int, RatedPlayer]]]
    """Looks up the players who have accounts, by their seats."""
    again: Callable[[Agreement, Sequence[SeatRow]], Awaitable[str]]
    """Makes another game of the same people, and returns its id."""
    look_at: Callable[[str, float | None], None]
    """Has a game looked at at a moment, by `Host.tick`."""
    forget: Callable[[str, float], None]
    """Lets a game leave memory; its pages look for it anew, some seconds later."""


class Host:
    """A game in memory."""

    def __init__(self, game: LiveGame, epoch: int, answers: Answers, around: Around) -> None:
        now = around.now()
        self.id: Final = game.game
        self.agreement: Final = game.agreement
        self.epoch: Final = epoch
        """The epoch of the game's home here."""
        self.game = game
        """The game as it stands."""
        self.lags: Final = [Lag() for _ in game.seats]
        self._around = around
        self._answers = answers
        self._behind = max(0.0, game.state.at - now) if game.state else 0.0
        """Units: seconds; by how much the clock on the wall was set back since the last event."""
        self._drafts: dict[int, CheckedLine] = {}
        self._attendance = Attendance(game.agreement.terms().clock)
        self._audience = Audience(now)
        self._queue = Actor(game.game, self._fault, self._give_up)
        self._time = Timekeeper(game, now, self._attendance, self._audience, self.lags)
        self._bots = BotTurns(around.thinkers, around.now, around.report, self.do_own)
        self._prepared_at = -1
        """The event after which a turn that was prepared was last queued."""
        self._version = 0
        self.snapshot = self._look()
        """The game as it stands, with what can be seen besides."""

    async def close(self, *, pause: bool = False) -> None:
        """Finish what was begun, and pause the clock until the game is loaded again."""
        self._bots.stop()
        if not await self._queue.drain():
            return
        state = self.game.state
        ticks = state and self.game.runs and state.clock and state.paused is None
        if pause and ticks and not (self._queue.broken or self.agreement.by_days):
            try:
                await self.commit(self.game.prepare(Pause(), self.moment().at))
            except TrineError as error:
                self._around.report("a game could not be paused", error, game=self.id)
        self._around.look_at(self.id, None)

    def _fault(self, error: BaseException) -> None:
        self._around.report("a command failed", error, game=self.id)

    def _give_up(self, error: StoreError) -> None:
        """Drop a game whose events another process may have written, or whose disk is full."""
        self._around.report("a game could not be written", error, game=self.id)
        taken = isinstance(error, FencedError | StaleError)
        self._around.forget(self.id, 0.0 if taken else FAREWELL)

    def dismiss(self) -> None:
        """Have all watchers reconnect."""
        self._audience.dismiss()

    @property
    def broken(self) -> bool:
        """Whether something could not be written, so that it must be loaded anew."""
        return self._queue.broken

    @property
    def busy(self) -> bool:
        """Whether a write is running or waiting."""
        return self._queue.busy

    @property
    def watching(self) -> int:
        """The number of open pages of the game."""
        return len(self._audience)

    # --- commands ---------------------------------------------------------------------------------

    def moment(self) -> Moment:
        """Now, for a command."""
        now = self._around.now()
        at = round(now + self._behind, 3)
        if self.game.state:
            at = max(at, self.game.state.at)
        lags = [lag.compensation for lag in self.lags]
        return Moment(at, self._time.claimable(self.game, now), lags)

    async def do(
        self,
        command: Callable[Concatenate[LiveGame, Asked, Moment, Given], Change],
        asked: Asked,
        *given: Given.args,
        **named: Given.kwargs,
    ) -> int:
        """Do what a player asks for, for whom time goes on if it stood still: the last event.

        Raises:
            TrineError: it is refused.
        """

        async def work() -> int:
            return await self._done(command, asked, *given, **named)

        return await self._queue.write(work)

    async def _done(
        self,
        command: Callable[Concatenate[LiveGame, Asked, Moment, Given], Change],
        asked: Asked,
        *given: Given.args,
        **named: Given.kwargs,
    ) -> int:
        if known := self._answers.known(asked):
            return known
        if not self.game.seats_of(asked.person):
            raise NotYoursError
        if command not in _IN_PASSING:
            await self._go_on(at_once=True)
        before, moment = self.game.state, self.moment()
        change = command(self.game, asked, moment, *given, **named)
        after = change.after.state
        if before and after and len(after.play.turns) > len(before.play.turns):
            self.lags[before.play.mover].refund()
        return await self.commit(change, asked)

    async def do_own(self, command: HouseCommand) -> None:
        """Do something of the house's own after all that came before, if there is reason for it.

        Raises:
            TrineError: it is refused.
        """
        await self._queue.write(partial(self._do_own, command))

    def do_later(self, command: HouseCommand) -> None:
        """Do the same; that it is refused is of no interest."""
        self._queue.write_later(partial(self._do_own, command))

    async def _do_own(self, command: HouseCommand) -> None:
        if change := command(self.game, self.moment()):
            await self.commit(change)

    async def hold(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something while nothing else is written in the game."""
        await self._queue.write(work)

    async def commit(
        self, change: Change, asked: Asked | None = None, here: Collection[str | None] = ()
    ) -> int:
        """Write a change with what follows from it, and let it count when it is safe.

        Args: ``here`` are people who need no notice.

        Returns: the number of the last event.
        """
        before, after, events = self.game, change.after, list(change.events)
        if asked and asked.call and events:
            last = events[-1]
            events[-1] = replace(last, data={**last.data, CALL: [asked.person, asked.call]})
        context = Context(asked.person if asked else None, here)
        also = consequences(self._around.follows, before, after, context)
        if events or also:
            stage = after.stage if after.stage is not before.stage else None
            append = Append(self.id, self.epoch, before.seq + 1, events, stage, also=also)
            await self._around.store.commit(append_events, append)
        self.game = after
        if asked and asked.call and events:
            self._answers.remember(asked.person, asked.call, after.seq)
        if after.turn_seq != before.turn_seq:
            self._drafts.clear()
        if after.over and not before.over and after.agreement.rated:
            await self.identify()
        for listener in self._around.listeners:
            try:
                listener(before, after)
            except Exception as error:  # the change is safe, and the players see it
                self._around.report("what follows from a change failed", error, game=self.id)
        if change.owner is None:
            self.show()
        else:
            self._show_to(change.owner)
        return after.seq

    async def identify(self) -> None:
        """Read the accounts and ratings of the players."""
        try:
            found = await self._around.standings(self.agreement, self.game.seats)
            self.game = replace(self.game, standings=found)
        except StoreError as error:  # the game goes on without
            self._around.report("the players could not be looked up", error, game=self.id)
        self.snapshot = self._look()

    # --- seats ------------------------------------------------------------------------------------

    async def sit_down(self, seat: int, taken: SeatRow) -> None:
        """Seat a person; the game begins when all seats are taken."""

        async def work() -> None:
            if self.game.state or self.game.aborted:
                if self.game.seats[seat].person == taken.person:
                    return
                raise IllegalError(text("somebody else has taken this seat"))
            await self._around.store.commit(seat_rows.take_seat, self.id, seat, taken)
            await self._seat({seat: taken})
            for _ in range(self._audience.pages_of(taken.person)):
                self._attendance.come(seat)
            await self._begin((taken.person,))
            self.show()

        await self._queue.write(work)

    async def hand_over(self, person: str, other: str) -> None:
        """Have another person sit where one has sat, while the game is held."""
        seats = {seat: self.game.seats[seat] for seat in self.game.seats_of(person)}
        self._audience.hand_over(person, other)
        await self._seat({seat: replace(row, person=other) for seat, row in seats.items()})
        self.show()

    async def _seat(self, seats: Mapping[int, SeatRow]) -> None:
        rows = (seats.get(number, row) for number, row in enumerate(self.game.seats))
        self.game = replace(self.game, seats=tuple(rows))
        await self.identify()

    def take_name_off(self, own: Mapping[int, str], name: str) -> None:
        """Replace a name at seats, and in the tags of the record."""

        async def work() -> None:
            self.game = self.game.renamed(own, name)
            self.show()

        self._queue.write_later(work)

    async def begin(self, here: Collection[str] = ()) -> None:
        """Begin the game, if all seats are taken; people who are ``here`` are not notified."""
        await self._queue.write(partial(self._begin, here))

    async def _begin(self, here: Collection[str | None] = ()) -> None:
        if change := beginning.begin(self.game, self.moment()):
            await self.commit(change, here=here)
            for seat in self.game.people:
                self._attendance.miss(seat, self._around.now())
            self.show()

    async def rematch(self, asked: Asked) -> str:
        """Ask for a rematch with swapped seats; return its id once all want it, else ""."""

        async def work() -> str:
            own = self.game.seats_of(asked.person)
            seat_for(self.game, asked)
            if not self.game.over:
                raise IllegalError(text("the game is not over"))
            if self.agreement.tournament:
                raise IllegalError(text("the tournament says who plays next"))
            self.game = replace(self.game, wants_rematch=self.game.wants_rematch | own)
            if not self.game.next_game and self.game.wants_rematch >= set(self.game.people):
                seats = [*self.game.seats[1:], self.game.seats[0]]
                other = await self._around.again(self.agreement.again(), seats)
                await self.commit(beginning.go_to_rematch(self.game, self.moment(), other))
            self.show()
            return self.game.next_game

        return await self._queue.write(work)

    # --- drafts -----------------------------------------------------------------------------------

    async def draft(self, asked: Asked, ids: Sequence[str], line: str = "") -> CheckedLine:
        """Check a draft, and keep it for its owner: ids of actions, then typed ones."""

        def work() -> CheckedLine:
            seat, checked = playing.draft(self.game, asked, ids, line)
            self._drafts[seat] = checked
            self._show_to(seat)
            return checked

        return self._queue.ask(work)

    # --- coming and going -------------------------------------------------------------------------

    async def enter(self, watcher: Watcher, person: str | None) -> Snapshot:
        """Add a watcher, who watches or plays."""

        def work() -> Snapshot:
            self._audience.add(watcher, person)
            own = self.game.seats_of(person)
            came = [self._attendance.come(seat) for seat in own]
            if any(came):
                self.show()
            else:
                self._plan()  # nobody else sees anything of it: a crowd may come at once
                self._ask_bots()  # those at show have waited for somebody to look
            if own:
                self._queue.write_later(self._go_on)
            return self.snapshot

        return self._queue.ask(work)

    def leave(self, watcher: Watcher, *, closed: bool) -> None:
        """Remove a watcher: the page was closed, or the connection lost."""
        at = self._around.now()

        def work() -> None:
            if watcher not in self._audience:
                return
            person = self._audience.remove(watcher, at)
            own = self.game.seats_of(person)
            gone = [self._attendance.go(seat, at, closed=closed) for seat in own]
            if any(gone):
                self.show()
            else:
                self._plan()

        if not self._queue.closing:
            self._queue.do(work)

    # --- time -------------------------------------------------------------------------------------

    async def wake(self, alive: float | None) -> None:
        """Begin to wait for players, after the house was closed, stopped or broke down.

        No player's time has passed since the last sign of life of the house.

        Args: ``alive`` is that moment.
        """

        async def work() -> None:
            state = self.game.state
            if not state or not self.game.runs or not state.clock or state.by_consent:
                return
            if self.agreement.by_days:
                downtimes = await self._around.store.fetch(downtimes_after, state.at)
                await self._do_own(partial(waking.refund, downtimes=downtimes))
                return
            await self._do_own(partial(waking.stand_still, alive=alive))
            self._time.wait(self.game, self._around.now())
            self.show()

        await self._queue.write(work)

    async def _go_on(self, *, at_once: bool = False) -> None:
        """Start the clock, if it stands still only for missing players."""
        if self._time.stops_waiting(self.game, self._around.now(), at_once=at_once):
            await self._do_own(waking.go_on)
            self.show()

    def tick(self) -> None:
        """The moment has come at which the game is to be looked at."""
        if not self._queue.closing:
            self._queue.do(self._tick)

    def _tick(self) -> None:
        now = self._around.now()
        if self._time.is_idle(self.game, now) and not self.busy:
            self._around.forget(self.id, 0.0)
            return

        async def work() -> None:
            await self._go_on()
            await self._do_own(self._time.no_show)
            await self._do_own(self._time.run_out)

        if self.game.runs and not self.busy:
            self._queue.write_later(work)
        presence = {seat: self._attendance.seen(seat, now) for seat in self.game.people}
        before = self.snapshot
        if (presence, self._time.claimable(self.game, now)) != (before.presence, before.claimable):
            self.show()  # time alone has changed what can be seen
        else:
            self._plan()

    async def judge(self) -> None:
        """Handle a deadline that seems to have passed, if it really has."""

        async def work() -> None:
            await self._do_own(self._time.run_out)
            if self.game.runs:
                await self._set_due(falls_due(self.game))
            self.rest()

        await self._queue.write(work)

    async def remind(self) -> None:
        """Remind the player to move that time runs short."""

        async def work() -> None:
            if (state := self.game.state) and self.game.runs:
                now, mover = self._around.now(), self.game.seats[state.play.mover].person
                if mover:
                    await self._around.store.commit(self._around.reminder(mover, self.id, now))
                await self._set_due({REMINDER: next_reminder(state, now)})
            self.rest()

        await self._queue.write(work)

    async def _set_due(self, due: Mapping[str, float | None]) -> None:
        times = {(kind, self.id): at for kind, at in due.items()}
        await self._around.store.commit(change_deadlines, times)

    def rest(self) -> None:
        """Leave memory soon, if nobody watches."""
        self._time.rest(self.game, self._around.now())
        self._plan()

    def _plan(self) -> None:
        """Set the next deadline of the game."""
        self._around.look_at(self.id, self._time.next(self.game, self._around.now()))

    # --- showing ----------------------------------------------------------------------------------

    def _look(self) -> Snapshot:
        now = self._around.now()
        self._version += 1
        return snapshot_of(
            self.game,
            version=self._version,
            waking=self._time.waits,
            warming=self._bots.warming(self.game),
            presence={seat: self._attendance.seen(seat, now) for seat in self.game.people},
            claimable=self._time.claimable(self.game, now),
            drafts=dict(self._drafts),
            at=now,
        )

    def show_progress(self) -> None:
        """Show everybody how far the computer is that makes itself ready to move, if it does."""
        if self.snapshot.warming:
            self.show()

    def show(self) -> None:
        """Show everybody what has changed; bots and turns that were prepared go on from there."""
        self.snapshot = self._look()
        self._audience.tell(self.snapshot)
        self._plan()
        self._ask_bots()
        self._play_prepared()

    def _show_to(self, seat: int) -> None:
        """Show the owner of a seat alone what has changed."""
        self.snapshot = self._look()
        self._audience.tell_owner(self.snapshot, seat)

    def _ask_bots(self) -> None:
        if not self._queue.closing:
            self._bots.look(self.game, watched=bool(self._audience))

    def _play_prepared(self) -> None:
        """Have the turn played that the player to move has prepared, once after each event."""
        turn_seq = self.game.turn_seq
        if not self.game.conditions or self._queue.closing or self._prepared_at == turn_seq:
            return
        if not playing.has_prepared(self.game):
            return

        def play(game: LiveGame, moment: Moment) -> Change | None:
            self._prepared_at = -1  # if time stands still by now, it is tried again after that
            return playing.prepared_turn(game, moment)

        self._prepared_at = turn_seq
        self.do_later(play)
