"""A game in memory: its state, its queue of writes, and its watchers.

A change is prepared from the current state, appended to the store with its consequences, and takes
effect once it is stored. Work that writes nothing, such as a draft or a new watcher, runs in
between, so it never waits for the disk.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, ParamSpec, Protocol

from trine.core.contract.checked import CheckedLine
from trine.core.errors import IllegalError
from trine.house.background import Background, Report
from trine.house.games.live import change_hooks, commands, live_game
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.bot_turns import BotTurns
from trine.house.games.live.bots import Bots
from trine.house.games.live.change_hooks import ChangeHooks, Context, Write, combine
from trine.house.games.live.live_game import Change, LiveGame
from trine.house.games.live.timekeeper import Lag, Timekeeper
from trine.house.games.live.write_queue import WriteQueue
from trine.house.games.storage.events import Append, append_events
from trine.house.games.storage.tables import GameRow, SeatRow, Stage
from trine.house.games.view.snapshot import Attendance, Audience, Snapshot, Watcher, snapshot_of
from trine.house.people.quotas import Quotas
from trine.house.store.store import Store
from trine.house.store.store_errors import FencedError, StaleError
from trine.play.session.commands import Pause

DISMISS_DELAY: Final = 0.5
"""Units: seconds; how long a game that must be reloaded keeps its watchers, so that they still get
the reason of a failed request. Guess."""
_WITHOUT_RESUMING: Final = (commands.condition, commands.abort)
"""Commands that restart no clock that waits for players to learn that the house is open again."""
Given = ParamSpec("Given")


class Players(Protocol):
    """The accounts and ratings of players: `trine.house.ratings.ratings.Ratings`."""

    async def standings(
        self, *games: tuple[Agreement, Sequence[SeatRow]]
    ) -> list[Mapping[int, live_game.RatedPlayer]]: ...

    async def check_may_play(self, agreement: Agreement, seats: Sequence[SeatRow]) -> None: ...

    async def check_may_meet(self, people: Sequence[str]) -> None: ...


@dataclass(frozen=True)
class Dependencies:
    """The services that games need."""

    store: Store
    background: Background
    bots: Bots
    players: Players
    quotas: Quotas
    change_hooks: ChangeHooks
    reminder: Callable[[str, str, float], Write]
    """Returns the write of a reminder: of a person, by id, about a game, at a time."""


class GameRegistry(Protocol):
    """The registry of games in memory: `trine.house.games.live.games.Games`."""

    async def prepare_again(self, agreement: Agreement, seats: Sequence[SeatRow]) -> GameRow: ...

    async def begin_new(self, row: GameRow, seats: Sequence[SeatRow]) -> None: ...

    def schedule(self, game_id: str, at: float | None) -> None: ...

    def evict(self, game_id: str, after: float = 0.0) -> None: ...

    def unload(self, game_id: str) -> None: ...


class GameActor:
    """A game in memory."""

    def __init__(
        self,
        game: LiveGame,
        fencing_token: int,
        answers: live_game.CommandResults,
        dependencies: Dependencies,
        keeper: GameRegistry,
    ) -> None:
        self.now: Final = dependencies.store.now
        self.report: Report = partial(dependencies.background.report, game=game.game)
        now = self.now()
        self.id: Final = game.game
        self.agreement: Final = game.agreement
        self.fencing_token: Final = fencing_token
        """The process's fencing token: it cannot write once another process has taken the game."""
        self.game = game
        self.lags: Final = [Lag() for _ in game.seats]
        self.dependencies, self.keeper = dependencies, keeper
        self._answers = answers
        self._behind = max(0.0, game.state.at - now) if game.state else 0.0
        """Units: seconds; by how much the wall clock was set back since the last event."""
        self._drafts: dict[int, CheckedLine] = {}
        self.attendance: Final = Attendance(game.agreement.terms().clock)
        self.audience: Final = Audience(now)
        # These callbacks hold no reference to the actor: an unloaded game is freed at once.
        self.queue: Final = WriteQueue(
            game.game,
            partial(self.report, "a command failed"),
            partial(_give_up, self.report, partial(keeper.evict, game.game)),
        )
        self.time: Final = Timekeeper(game, now, self.attendance, self.audience, self.lags)
        self._bots = BotTurns(dependencies.bots, self.now, self.report)
        self._prepared_at = -1
        """The number of the game's last event when a prepared turn was queued; -1 before."""
        self._version = 0
        self.snapshot = self._refresh()

    async def close(self, *, pause: bool = False) -> None:
        """Finish the queued writes, and pause the clock until the game is loaded again."""
        self._bots.stop()
        if not await self.queue.drain():
            return
        if pause and self._ticks and not self.queue.broken:
            try:
                await self.commit(self.game.prepare(Pause(), self.moment().at))
            except Exception as error:  # the next load of the game resumes from what is stored
                self.report("a game could not be paused", error)

    def moment(self, arrived: float | None = None) -> commands.CommandContext:
        """Return the circumstances of a command that arrived at a time, by default now."""
        now = self.now()
        at = round((now if arrived is None else arrived) + self._behind, 3)
        absent: frozenset[int] = frozenset()
        if state := self.game.state:
            at = max(at, state.at)
            absent = frozenset(
                seat for seat in self.game.people if self.attendance.absent_since(seat, state.began)
            )
        lags = [lag.compensation for lag in self.lags]
        return commands.CommandContext(at, self.time.claimable(self.game, now), lags, absent)

    async def do(
        self,
        command: commands.Command[Given],
        asked: commands.CommandMeta,
        *given: Given.args,
        **named: Given.kwargs,
    ) -> int:
        """Run a player's command, resuming the clock first; return the last event number."""

        async def work() -> int:
            if asked.command_id and (known := self._answers.get((asked.person, asked.command_id))):
                return known
            if not self.game.seats_of(asked.person):
                raise commands.NotYoursError
            if command not in _WITHOUT_RESUMING:
                await self._go_on(at_once=True)
            before, moment = self.game.state, self.moment(asked.received_at)
            change = command(self.game, asked, moment, *given, **named)
            after = change.after.state
            if before and after and len(after.play.turns) > len(before.play.turns):
                self.lags[before.play.mover].refund()
            return await self.commit(change, asked)

        return await self.queue.write(work)

    async def do_held(self, command: commands.HouseCommand) -> None:
        """Run a command of the house within a queued write, and commit its change, if any."""
        if change := command(self.game, self.moment()):
            await self.commit(change)

    async def _play_of_bot(self, command: commands.HouseCommand) -> None:
        await self.queue.write(partial(self.do_held, command))

    async def commit(
        self,
        change: Change,
        asked: commands.CommandMeta | None = None,
        present_ids: Collection[str | None] = (),
        with_it: Write | None = None,
    ) -> int:
        """Write a change with its consequences, then apply it; return the number of the last event.

        People in ``present_ids`` need no notice; ``with_it`` is written in the same transaction.
        """
        before, after, events = self.game, change.after, list(change.events)
        if asked and asked.command_id and events:
            last = events[-1]
            events[-1] = replace(
                last, data={**last.data, live_game.CALL: [asked.person, asked.command_id]}
            )
        context = Context(asked.person if asked else None, present_ids)
        also = combine(with_it, self.dependencies.change_hooks.write(before, after, context))
        if events or also:
            stage = after.stage if after.stage is not before.stage else None
            result = after.result if stage is Stage.OVER else {}
            append = Append(
                self.id, self.fencing_token, before.seq + 1, events, stage, result, also=also
            )
            await self.dependencies.store.commit(append_events, append)
        self.game = after
        if asked and asked.command_id and events:
            self._answers[asked.person, asked.command_id] = after.seq
            if len(self._answers) > live_game.MAX_RESULTS:
                del self._answers[next(iter(self._answers))]
        if after.turn_seq != before.turn_seq:
            self._drafts.clear()
        if after.over and not before.over and after.agreement.rated:
            self.game = await self._identified(self.game)
        if change.owner is None:
            self.show()
        else:
            self._show_to(change.owner)
        return after.seq

    async def _identified(self, game: LiveGame) -> LiveGame:
        (game,) = await identified(self.dependencies, game)
        return game

    async def seated(self, seats: Mapping[int, SeatRow]) -> LiveGame:
        rows = (seats.get(number, row) for number, row in enumerate(self.game.seats))
        return await self._identified(replace(self.game, seats=tuple(rows)))

    def change_view(self, change: Callable[[LiveGame], LiveGame]) -> None:
        """Replace names in a game in memory; they are already stored."""

        async def work() -> None:
            self.game = await self._identified(change(self.game))
            self.show()

        self.queue.write_later(work)

    async def draft(
        self, asked: commands.CommandMeta, ids: Sequence[str], line: str = ""
    ) -> CheckedLine:
        """Check a draft, action ids then typed actions, and keep it for its owner."""

        def work() -> CheckedLine:
            seat, checked = commands.draft(self.game, asked, ids, line)
            self._drafts[seat] = checked
            self._show_to(seat)
            return checked

        return self.queue.ask(work)

    async def enter(self, watcher: Watcher, person_id: str | None) -> Snapshot:
        def work() -> Snapshot:
            self.audience.add(watcher, person_id)
            own = self.game.seats_of(person_id)
            came = [self.attendance.come(seat) for seat in own]
            if any(came):
                self.show()
            else:
                self._plan()  # no new snapshot: a watcher changes nothing, and many may arrive
                self._ask_bots()  # bots that play for show wait for a watcher
            if own:
                self.queue.write_later(self._go_on)
            return self.snapshot

        return self.queue.ask(work)

    def leave(self, watcher: Watcher, *, closed: bool) -> None:
        """Remove a watcher: the page was closed, or the connection lost."""
        at = self.now()

        def work() -> None:
            if watcher not in self.audience:
                return
            person = self.audience.remove(watcher, at)
            own = self.game.seats_of(person)
            gone = [self.attendance.go(seat, at, closed=closed) for seat in own]
            if any(gone):
                self.show()
            else:
                self._plan()

        self.queue.do(work)

    async def _go_on(self, *, at_once: bool = False) -> None:
        """Start the clock, if it waits only for missing players."""
        if self.time.stops_waiting(self.game, self.now(), at_once=at_once):
            await self.do_held(commands.resume_clock)
            self.show()

    def tick(self) -> None:
        self.queue.do(self._tick)

    def _tick(self) -> None:
        now = self.now()
        if self.time.is_idle(self.game, now) and not self.queue.busy:
            if not self._ticks:
                self.keeper.evict(self.id)
                return
            self.queue.write_later(self._unload_idle)

        async def work() -> None:
            await self._go_on()
            await self.do_held(self.time.no_show)
            await self.do_held(self.time.lose_on_time)

        if self.game.runs and not self.queue.busy:
            self.queue.write_later(work)
        presence = {seat: self.attendance.seen(seat, now) for seat in self.game.people}
        before = self.snapshot
        if (presence, self.time.claimable(self.game, now)) != (before.presence, before.claimable):
            self.show()  # the view has changed because time has passed
        else:
            self._plan()

    @property
    def _ticks(self) -> bool:
        """Whether an unstored deadline is running."""
        state = self.game.state
        timed = state and state.clock and state.paused is None
        return bool(timed) and self.game.runs and not self.agreement.by_days

    async def _unload_idle(self) -> None:
        """Unload the game although its clock is running, after storing its deadline."""
        await self.dependencies.store.commit(
            append_events, change_hooks.unload(self.game, self.fencing_token)
        )
        if self.time.is_idle(self.game, self.now()):
            self.keeper.unload(self.id)

    def unload(self) -> None:
        self.time.unload(self.game, self.now())
        self._plan()

    def _plan(self) -> None:
        if not self.queue.closing:
            self.keeper.schedule(self.id, self.time.next(self.game, self.now()))

    def _refresh(self) -> Snapshot:
        now = self.now()
        self._version += 1
        return snapshot_of(
            self.game,
            version=self._version,
            waking=self.time.waits,
            warming=self._bots.warming(self.game),
            presence={seat: self.attendance.seen(seat, now) for seat in self.game.people},
            claimable=self.time.claimable(self.game, now),
            drafts=dict(self._drafts),
            at=now,
        )

    def show_progress(self) -> None:
        """Show all watchers the compilation progress, if the computer is to move and not ready."""
        if self.snapshot.warming:
            self.show()

    def show(self) -> None:
        """Show all watchers the new state; bots and prepared turns continue from it."""
        self.snapshot = self._refresh()
        self.audience.tell(self.snapshot)
        self._plan()
        self._ask_bots()
        self._play_prepared()

    def _show_to(self, seat: int) -> None:
        self.snapshot = self._refresh()
        self.audience.tell_owner(self.snapshot, seat)

    def _ask_bots(self) -> None:
        if not self.queue.closing:
            self._bots.update(self.game, self._play_of_bot, watched=bool(self.audience))

    def _play_prepared(self) -> None:
        """Queue the turn that the player to move has prepared, once after each event."""
        turn_seq = self.game.turn_seq
        if not self.game.conditions or self.queue.closing or self._prepared_at == turn_seq:
            return
        if not commands.has_prepared(self.game):
            return

        def play(game: LiveGame, context: commands.CommandContext) -> Change | None:
            self._prepared_at = -1  # if the clock is paused now, retry after it resumes
            with suppress(IllegalError):  # time is up
                return commands.prepared_turn(game, context)
            return None

        self._prepared_at = turn_seq
        self.queue.write_later(partial(self.do_held, play))


async def identified(dependencies: Dependencies, *games: LiveGame) -> list[LiveGame]:
    """Return games with the current accounts and ratings of their players."""
    players = [(game.agreement, game.seats) for game in games]
    try:
        found = await dependencies.players.standings(*players)
    except Exception as error:  # the games go on without ratings
        dependencies.background.report("the players could not be looked up", error)
        return list(games)
    return [replace(game, standings=one) for game, one in zip(games, found, strict=True)]


def _give_up(report: Report, forget: Callable[[float], None], error: BaseException) -> None:
    """Unload a game after a fault: it is reloaded from the store."""
    report("a game is loaded anew", error)
    taken = isinstance(error, FencedError | StaleError)
    forget(0.0 if taken else DISMISS_DELAY)
