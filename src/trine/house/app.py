"""The services of all packages of the house, wired together."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from trine.core.clock import DAY
from trine.house import retention
from trine.house.analysis import study_registry as studies
from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.analysis.reviews import Reviews, keep_review
from trine.house.analysis.study_registry import StudyRegistry
from trine.house.api.programs import Tokens
from trine.house.api.streams import Subscribers
from trine.house.background import Background, Now, Report
from trine.house.explorer import explorer
from trine.house.explorer.explorer import Explorer
from trine.house.games.live import task_scheduler
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import (
    LIVE,
    ChangeHooks,
    keep_conditions,
    note_mover,
    set_deadlines,
)
from trine.house.games.live.game_actor import Dependencies
from trine.house.games.live.games import Games
from trine.house.games.live.task_scheduler import Recovery, SeeTo, TaskScheduler
from trine.house.games.storage.own_data import GuestGames, LeavingPlayers, rename_at_boards
from trine.house.games.storage.own_games import OwnGames
from trine.house.games.storage.records import RECORD, RecordFolder
from trine.house.house_settings import BackupSettings, HouseSettings
from trine.house.job_pool import JobPool
from trine.house.json_log import report
from trine.house.lessons.progress import Progress
from trine.house.lobby import challenges, lobby
from trine.house.lobby.challenges import Challenges, news_of_challenge
from trine.house.lobby.lobby import Lobby
from trine.house.moderation.farming import Farming
from trine.house.moderation.moderation import Moderation
from trine.house.moderation.removal import Removal
from trine.house.notify.emails import Emails
from trine.house.notify.mail import Mail
from trine.house.notify.notices import EMAIL, NewsOf, NoticeKind, remind, tell_players
from trine.house.notify.push import PushClient, PushNotifications
from trine.house.notify.tables import PUSH
from trine.house.people import sanctions
from trine.house.people.accounts import CLOSED, Accounts, PersonHooks
from trine.house.people.browsers import BanEnforcement, LinkedAccounts
from trine.house.people.encryption import Encryption
from trine.house.people.idempotency import IdempotencyKeys
from trine.house.people.online import Online
from trine.house.people.passkeys import Passkeys
from trine.house.people.passwords import Passwords
from trine.house.people.quotas import Quotas
from trine.house.people.relations import Blocks, Following
from trine.house.people.sanctions import Sanctions
from trine.house.people.second_factor import SecondFactor
from trine.house.people.tables import Person, read_person
from trine.house.processes import database_watch, lease, process_bus
from trine.house.processes.database_watch import DatabaseWatch
from trine.house.processes.lease import Lease
from trine.house.processes.process_bus import DROP, GONE, ProcessBus
from trine.house.puzzles.moments import Moments
from trine.house.puzzles.puzzles import Puzzles
from trine.house.ratings.ratings import Ratings, note_leave, rate_end
from trine.house.retention import FORGET, HAND_OVER, TELL, Pruning, Retention
from trine.house.search.search import Search, note_appearances
from trine.house.statistics.figures import Statistics
from trine.house.status_report import Faults, StatusReport, note_version
from trine.house.store.scheduled_tasks import schedule, tasks_due
from trine.house.store.store import HouseClock, Store
from trine.house.talk.chat import Chats, Notes
from trine.house.tournaments import director, tournaments
from trine.house.tournaments.director import TournamentServices
from trine.house.tournaments.tournaments import Tournaments

MAX_RECOVERED: Final = 100_000
CHANGE_HOOKS: Final = ChangeHooks(
    each=(set_deadlines, note_mover, keep_conditions),
    by_days=(tell_players,),
    of_stages=(rate_end, note_appearances, note_leave),
)
"""The hooks that run on each change of a game and write in its transaction."""
NEWS: Final[Mapping[str, NewsOf]] = {NoticeKind.CHALLENGED: news_of_challenge}
"""The functions that word the notices that are not about a game, by kind of notice."""


class House:
    """An open house: all its services, in one event loop."""

    def __init__(
        self,
        store: Store,
        *,
        now: Now | None = None,
        bots: AnalysisBots | None = None,
        records: Path | None = None,
        report: Report = report,
        home: str = "here",
        address: str = "",
        passwords: Passwords | None = None,
        mail: Mail | None = None,
        push: PushClient | None = None,
        share_address: bool = False,
        archive: Path | None = None,
        open_store: Callable[[], Store] | None = None,
        encryption: Encryption | None = None,
        quotas: Quotas | None = None,
        keep: Retention | None = None,
        settings: HouseSettings | None = None,
        backup: BackupSettings | None = None,
    ) -> None:
        """Wire the services.

        Args: ``share_address`` lets people with the same network address or browser meet in rated
            games. ``archive`` is the folder of an archive; a separate process, which opens the
            store with ``open_store``, adds games to it. ``encryption`` encrypts stored secrets;
            without it, they can be read only as long as the house is open.
        """
        self.store: Final = store
        self.now: Final = (
            now if isinstance(now, HouseClock) else HouseClock(now, now) if now else HouseClock()
        )
        store.now = self.now
        self.bots: Final = bots or AnalysisBots()
        self.faults: Final = Faults(report, self.now)
        report = self.faults
        self.report: Final = report
        self.background: Final = Background(report)
        self.helpers: Final = JobPool()
        self.reviews: Final = Reviews(self.bots, self.background, partial(keep_review, store))
        quotas, keep = quotas or Quotas(), keep or Retention()
        self.settings: Final = settings or HouseSettings()
        self.studies: Final = StudyRegistry(store, quotas)
        encryption = encryption or Encryption(secrets.token_bytes(32))
        self.neighbours: Final = LinkedAccounts(
            store, self.background, encryption, apart=not share_address
        )
        self.ratings: Final = Ratings(store, self.neighbours)
        self.blocks: Final = Blocks(store)
        self.following: Final = Following(store)
        self.online: Final = Online(self.now)
        self.sanctions: Final = Sanctions(store)
        self.admission: Final = BanEnforcement(store, self.sanctions, self.neighbours)
        self.subscribers: Final = Subscribers()
        self.online.connected.append(self.subscribers.people)
        self.lease: Final = Lease(
            store,
            self.now,
            report,
            home,
            address,
            has_running_clock=lambda: self.games.clocks_run,
            on_lapse=self._woken,
        )
        self.records: Final = RecordFolder(records, store)
        of_stages = (*CHANGE_HOOKS.of_stages, self.records.note_end)
        self.games: Final = Games(
            Dependencies(
                store,
                self.background,
                self.bots,
                self.ratings,
                quotas,
                change_hooks=replace(CHANGE_HOOKS, of_stages=of_stages),
                reminder=remind,
            ),
            self.lease,
            made=self.subscribers.game_begun,
            moved=lambda game: self.process_bus.publish(DROP, game),
        )
        self.bots.on_progress = self.games.show_progress
        self.recovery: Final = Recovery(self.games, self.background)
        self.database_watch: Final = DatabaseWatch(store, report)
        self.process_bus: Final = ProcessBus(
            store, self.games, self.ratings, self.online, home, self.recovery.doubt
        )
        self.own_games: Final = OwnGames(self.games, store, self.process_bus.stored_snapshot)
        belongings = PersonHooks(
            TELL,
            FORGET,
            leave=[
                self._let_go,
                lambda person: self.tournaments.forget(person),
                LeavingPlayers(store, self.games, self.records, report).leave,
            ],
            bring=GuestGames(
                store,
                self.games,
                self.lease.is_elsewhere,
                HAND_OVER,
                after=[
                    self.studies.transfer,
                    lambda guest, account: self.lobby.transfer(guest, account),
                ],
            ).bring,
            rename=self._renamed,
        )
        self.accounts: Final = Accounts(
            store,
            passwords or Passwords(),
            self.sanctions,
            belongings,
            quotas,
            lasts=keep.guests * DAY,
            guests=self.settings.guests,
        )
        self.pruning: Final = Pruning(store, keep, self.games, self.studies)
        self.desk: Final = StatusReport(
            *(keep, backup, records.parent if records else None), archive, self.settings.access_log
        )
        self.disk: dict[str, Any] = {}
        """Disk usage by kind, as last measured."""
        self.idempotency_keys: Final = IdempotencyKeys(store)
        self.second_factor: Final = SecondFactor(store, self.accounts, encryption)
        self.passkeys: Final = Passkeys(store, self.accounts)
        self.chats: Final = Chats(store, self.sanctions, quotas)
        self.emails: Final = Emails(store, self.background, report, self.accounts, mail, NEWS)
        self.pushes: Final = PushNotifications(store, push, NEWS)
        also: dict[str, SeeTo] = {
            EMAIL: self.emails.write,
            PUSH: self.pushes.write,
            CLOSED: partial(self._see_to, CLOSED, self._close),
        }
        if records:
            also[RECORD] = self.records.write
        self.lobby: Final = Lobby(
            store,
            report,
            self.games,
            self.ratings,
            self.blocks,
            quotas,
            take_lead=partial(self.lease.take_lead, lobby.LOBBY),
            may_keep=lambda: not self.lease.lapsed,
            elsewhere=lambda: self.process_bus.live,
        )
        self.challenges: Final = Challenges(
            store,
            self.games,
            self.ratings,
            self.blocks,
            changed=self.subscribers.challenges_changed,
            lead=self.lobby.lead,
        )
        self.search: Final = Search(store)
        self.progress: Final = Progress(store)
        self.puzzles: Final = Puzzles(store, self.bots, report)
        self.moments: Final = Moments(self.games, self.studies, self.reviews)
        self.statistics: Final = Statistics(store, self.now)
        self._asked = asyncio.Lock()
        """A lock that lets changes requested on the command line run one at a time."""
        self.explorer: Final = Explorer(store, report, archive, open_store)
        self.tournaments: Final = Tournaments(
            TournamentServices(
                store,
                report,
                self.games,
                self.ratings,
                self.blocks,
                self.sanctions,
                begun=self._tournament_game_begun,
                listens=self.subscribers.listens,
            )
        )
        self.removal: Final = Removal(
            store, self.games, self.records, self.lobby, self.challenges, self.chats
        )
        self.task_scheduler: Final = TaskScheduler(
            store, report, self.games, also | self.removal.kinds
        )
        self.moderation: Final = Moderation(
            store,
            self.sanctions,
            self.chats,
            self.accounts,
            self.tournaments,
            self.removal,
        )
        self.farming: Final = Farming(store)
        self.notes: Final = Notes(
            store,
            self.chats,
            self.accounts,
            self.blocks,
            self.sanctions,
            self.moderation.note_deletion,
        )
        self.tokens: Final = Tokens(store)
        self.process_bus.purge = self._forget
        self.process_bus.recheck = self.subscribers.recheck

    @classmethod
    async def open(cls, store: Store, **options: Any) -> Self:
        """Open a house, and resume the games whose clocks were running."""
        house = cls(store, **options)
        await house.process_bus.begin()
        await house.lease.begin()
        await store.commit(note_version, house.now())
        await house.sanctions.refresh()
        if not store.shared:
            live = await store.fetch(tasks_due, LIVE, house.now(), MAX_RECOVERED)
            go_on = partial(house.recovery.go_on, [one.ref for one in live])
            house.background.run(go_on, "games whose clocks ran")
        house._begin()
        return house

    def _begin(self) -> None:
        every, as_leader = self.background.every, self.lease.as_leader
        every(lease.RENEW_INTERVAL, self.lease.renew, "lease")
        every(database_watch.INTERVAL, self.database_watch.check, "the file of the database")
        if self.store.shared:
            sweep = partial(self.lease.sweep, self.recovery)
            every(lease.SWEEP_INTERVAL, sweep, "games of processes that are gone")
            every(process_bus.SYNC_INTERVAL, self.process_bus.sync, "games elsewhere")
        for kind in self.task_scheduler.kinds:  # one task per kind, since a mail server may hang
            due = as_leader(task_scheduler.LEADER, partial(self.task_scheduler.tick, kind))
            every(task_scheduler.POLL_INTERVAL, due, f"what is due: {kind}")
        if self.explorer.is_there:
            added = as_leader(explorer.LEADER, self.explorer.add_new)
            every(explorer.NIGHT, added, "archive")
        every(lobby.TICK_INTERVAL, self.lobby.run, "lobby")
        every(challenges.REFRESH_INTERVAL, self.challenges.refresh, "challenges")
        every(sanctions.LOOKED_THROUGH, self.sanctions.refresh, "sanctions")
        gone = as_leader(retention.LEADER, self.pruning.prune)
        every(retention.POLL_INTERVAL, gone, "what is not kept for ever")
        every(retention.POLL_INTERVAL, self.measure_disk, "room on the disk")
        every(studies.SAVE_INTERVAL, self.studies.save, "analyses that could not be saved")
        every(director.POLL_INTERVAL, self.tournaments.director.run, "tournaments")
        every(tournaments.GATHERED, self.tournaments.watch, "pages of tournaments")

    async def close(self) -> None:
        """Close the house: stop all clocks, and store everything that was acknowledged."""
        self.games.closing = True
        await self.background.close()
        await self.games.close()
        await self.background.close()  # closing the games has started further work
        await self.lobby.close()
        await self.lease.end()
        await self.process_bus.end()
        await self.studies.save()
        await asyncio.to_thread(self.bots.close)
        await asyncio.to_thread(self.helpers.close)
        await asyncio.to_thread(self.explorer.close)
        self.accounts.passwords.close()
        self.pushes.close()
        if self.emails.mail:
            self.emails.mail.close()

    async def measure_disk(self) -> None:
        self.disk = await self.store.fetch(self.desk.measure)

    async def _woken(self, alive: float | None) -> None:
        """Recover after the process was stopped for so long that others may have taken its games.

        Games that no other process has taken resume as after a restart. ``alive`` is the last
        heartbeat of this process.
        """
        self.report("the house was stopped, or had no database, for a while")
        if self.store.shared:
            self.lobby.drop()
        await self.recovery.wake(alive)

    @asynccontextmanager
    async def _let_go(self, person: Person) -> AsyncIterator[None]:
        """Purge what every process has cached about a person being deleted."""
        self._forget([person.id])
        yield
        self._forget([person.id])
        self.process_bus.publish(GONE, person.id)

    def _forget(self, people: Collection[str]) -> None:
        for person in people:
            self.lobby.forget(person)
            self.challenges.forget(person)
            self.chats.forget(person)
            self.studies.forget(person)

    async def _see_to(self, kind: str, work: Callable[[Person], Awaitable[None]], ref: str) -> None:
        """Carry out a change requested on the command line, once."""
        async with self._asked:
            if (person := await self.store.fetch(read_person, ref)) and person.has_account:
                await work(person)
            await self.store.commit(schedule, kind, ref, None)

    async def _close(self, person: Person) -> None:
        ended = await self.accounts.close(person)
        self.process_bus.close_sessions(ended.hashes)
        self.process_bus.publish_ended(ended.hashes, ended.person_id)

    async def _renamed(self, person: Person) -> None:
        self.lobby.rename(person)
        await rename_at_boards(self.store, self.games, person)

    def _tournament_game_begun(
        self, people: Collection[str], game_id: str, agreement: Agreement
    ) -> None:
        self.subscribers.game_begun(people, game_id)
        if not agreement.by_days:
            self.lobby.announce(people, game_id)


def home_name() -> str:
    """Return a name for this process as the home of games, short enough for a connection name."""
    return f"{socket.gethostname()[:32]}-{os.getpid()}-{secrets.token_hex(4)}"
