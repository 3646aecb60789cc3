"""The services of all packages of the house, wired together."""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from trine.core.clock import DAY
from trine.house import retention
from trine.house.analysis import study as studies
from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.analysis.reviews import Reviews, keep_review
from trine.house.analysis.study import StudyRegistry
from trine.house.api.streams import Subscribers
from trine.house.api.tokens import Tokens
from trine.house.background import Background, Now, Report, report
from trine.house.explorer import explorer
from trine.house.explorer.explorer import Explorer
from trine.house.games.live import change_hooks, task_scheduler
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.game_actor import Dependencies
from trine.house.games.live.games import Games
from trine.house.games.live.task_scheduler import Recovery, TaskHandler, TaskScheduler
from trine.house.games.storage import own_games
from trine.house.games.storage.records import RECORD, RecordFolder
from trine.house.house_settings import BackupSettings, HouseSettings
from trine.house.job_pool import JobPool
from trine.house.lessons.progress import Progress
from trine.house.lobby import challenges, lobby
from trine.house.lobby.challenges import Challenges, news_of_challenge
from trine.house.lobby.lobby import Lobby
from trine.house.moderation.farming import Farming
from trine.house.moderation.moderation import Moderation, Removal
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
from trine.house.people.tables import Person, deleted_of, read_person
from trine.house.processes import lease, process_bus
from trine.house.processes.lease import Lease
from trine.house.processes.process_bus import DROP, GONE, NAME_REMOVED, NEW_NAME, ProcessBus
from trine.house.puzzles.moments import Moments, SentMoments
from trine.house.puzzles.puzzles import Puzzles
from trine.house.ratings.ratings import Ratings, note_leave, rate_end
from trine.house.retention import FORGET, HAND_OVER, TELL, Pruning, Retention
from trine.house.search.search import Search, note_appearances
from trine.house.statistics.statistics import Statistics
from trine.house.status_report import Faults, StatusReport, note_version
from trine.house.store.scheduled_tasks import schedule, tasks_due
from trine.house.store.store import WATCH_INTERVAL, DatabaseWatch, HouseClock, Store
from trine.house.talk.chat import Chats, Notes
from trine.house.tournaments import director, tournaments
from trine.house.tournaments.director import TournamentServices
from trine.house.tournaments.tournaments import Tournaments

MAX_RECOVERED: Final = 100_000
CHANGE_HOOKS: Final = change_hooks.ChangeHooks(
    each=(change_hooks.set_deadlines, change_hooks.note_mover, change_hooks.keep_conditions),
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
        node_address: str = "",
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

        With ``share_address``, people with the same network address or browser may meet in rated
        games. ``archive`` is the folder of an archive; a separate process, which opens the store
        with ``open_store``, adds games to it. ``encryption`` encrypts stored secrets; without it,
        they can be read only as long as the house is open.
        """
        self.store: Final = store
        self.now: Final = (
            now if isinstance(now, HouseClock) else HouseClock(now, now) if now else HouseClock()
        )
        store.now = self.now
        self.bots: Final = bots or AnalysisBots()
        self.faults: Final = Faults(report, self.now)
        self.report: Final[Report] = self.faults
        self.background: Final = Background(self.report)
        self.helpers: Final = JobPool()
        self.settings: Final = settings or HouseSettings()
        self.keep: Final = keep or Retention()
        self.quotas: Final = quotas or Quotas()
        self.disk: dict[str, Any] = {}
        self._running = asyncio.Lock()
        """A lock that lets changes requested on the command line run one at a time."""
        encryption = encryption or Encryption(secrets.token_bytes(32))
        self._wire_people(encryption, separate_linked=not share_address)
        self._wire_analysis(archive, open_store)
        self._wire_games(home, node_address, records)
        self._wire_accounts(passwords or Passwords(), encryption)
        self._wire_lobby()
        self._wire_moderation()
        self._wire_tasks(mail, push)
        self.status_report: Final = StatusReport(
            *(self.keep, backup, records.parent if records else None),
            *(archive, self.settings.access_log),
        )

    def _wire_people(self, encryption: Encryption, *, separate_linked: bool) -> None:
        """Wire what is known of people; their accounts follow, since closing one ends games."""
        store = self.store
        self.linked_accounts = LinkedAccounts(
            store, self.background, encryption, separate_linked=separate_linked
        )
        self.ratings = Ratings(store, self.linked_accounts)
        self.blocks, self.following = Blocks(store), Following(store)
        self.sanctions = Sanctions(store)
        self.ban_enforcement = BanEnforcement(store, self.sanctions, self.linked_accounts)
        self.idempotency_keys, self.tokens = IdempotencyKeys(store), Tokens(store)
        self.subscribers, self.online = Subscribers(), Online(self.now)
        self.online.connected.append(self.subscribers.people)

    def _wire_analysis(self, archive: Path | None, open_store: Callable[[], Store] | None) -> None:
        store = self.store
        self.reviews = Reviews(self.bots, self.background, partial(keep_review, store))
        self.studies = StudyRegistry(store, self.quotas)
        self.explorer = Explorer(store, self.report, archive, open_store)
        self.search, self.statistics = Search(store), Statistics(store, self.now)
        self.progress, self.puzzles = Progress(store), Puzzles(store, self.bots, self.report)
        self.farming = Farming(store)

    def _wire_games(self, home: str, node_address: str, records: Path | None) -> None:
        """Wire games, and the processes that share them."""
        store, report = self.store, self.report
        self.lease = Lease(
            *(store, self.now, report, home, node_address),
            has_running_clock=lambda: self.games.clocks_run,
            on_lapse=self._on_lapse,
        )
        self.records = RecordFolder(records, store)
        of_stages = (*CHANGE_HOOKS.of_stages, self.records.note_end)
        self.games = Games(
            Dependencies(
                *(store, self.background, self.bots, self.ratings, self.quotas),
                change_hooks=replace(CHANGE_HOOKS, of_stages=of_stages),
                reminder=remind,
            ),
            self.lease,
            on_begun=self.subscribers.game_begun,
            on_moved=lambda game: self.process_bus.publish(DROP, game),
        )
        self.bots.on_progress = self.games.show_progress
        self.recovery = Recovery(self.games, self.background)
        self.database_watch = DatabaseWatch(store, report)
        self.process_bus = ProcessBus(
            store, self.games, self.ratings, self.online, home, self.recovery.doubt
        )
        self.process_bus.renamed = lambda people, *, removed: self.background.run(
            partial(self._show_names, people, removed=removed), "names changed elsewhere"
        )
        self.process_bus.purge, self.process_bus.recheck = self._purge, self.subscribers.recheck
        self.own_games = own_games.OwnGames(self.games, store, self.process_bus.stored_snapshot)
        self.moments = Moments(self.games, self.studies, self.reviews)
        self.sent_moments = SentMoments(store, self.quotas, self.moments)
        self.pruning = Pruning(store, self.keep, self.games, self.studies)

    def _wire_accounts(self, passwords: Passwords, encryption: Encryption) -> None:
        """Wire accounts; the hooks reach all services that know people."""
        store = self.store
        leaving = own_games.LeavingPlayers(store, self.games, self.records, self.report)
        guests = own_games.GuestGames(
            *(store, self.games, self.lease.is_elsewhere, HAND_OVER),
            after=[
                self.studies.transfer,
                lambda guest, account: self.lobby.transfer(guest, account),
            ],
        )
        hooks = PersonHooks(
            *(TELL, FORGET),
            leave=[self._purging, lambda person: self.tournaments.forget(person), leaving.leave],
            bring=guests.bring,
            rename=self._rename,
        )
        self.accounts = Accounts(
            *(store, passwords, self.sanctions, hooks, self.quotas),
            session_lifetime=self.keep.guests * DAY,
            guests=self.settings.guests,
        )
        self.second_factor = SecondFactor(store, self.accounts, encryption)
        self.passkeys = Passkeys(store, self.accounts)

    def _wire_lobby(self) -> None:
        shared = (self.games, self.ratings, self.blocks)
        self.lobby = Lobby(
            *(self.store, self.report, *shared, self.quotas),
            take_lead=partial(self.lease.take_lead, lobby.LOBBY),
            may_keep=lambda: not self.lease.lapsed,
            elsewhere=lambda: self.process_bus.live,
        )
        self.challenges = Challenges(
            *(self.store, *shared),
            changed=self.subscribers.challenges_changed,
            lead=self.lobby.lead,
        )
        self.tournaments = Tournaments(
            TournamentServices(
                *(self.store, self.report, *shared, self.sanctions),
                begun=self._tournament_game_begun,
                listens=self.subscribers.listens,
            )
        )

    def _wire_moderation(self) -> None:
        store = self.store
        self.chats = Chats(store, self.sanctions, self.quotas)
        self.removal = Removal(
            store,
            self.games,
            self.records,
            self.lobby,
            self.challenges,
            self.chats,
            partial(self.process_bus.publish, NAME_REMOVED),
        )
        self.moderation = Moderation(
            store, self.sanctions, self.chats, self.accounts, self.tournaments, self.removal
        )
        self.notes = Notes(
            *(store, self.chats, self.accounts, self.blocks, self.sanctions),
            self.moderation.note_deletion,
        )

    def _wire_tasks(self, mail: Mail | None, push: PushClient | None) -> None:
        store, report = self.store, self.report
        self.emails = Emails(store, self.background, report, self.accounts, mail, NEWS)
        self.push_notifications = PushNotifications(store, push, NEWS)
        tasks: dict[str, TaskHandler] = {
            EMAIL: self.emails.write,
            PUSH: self.push_notifications.write,
            CLOSED: partial(self._run_once, CLOSED, self._close),
            **({RECORD: self.records.write} if self.records.path else {}),
            **self.removal.kinds,
        }
        self.task_scheduler = TaskScheduler(store, report, self.games, tasks)

    @classmethod
    async def open(cls, store: Store, **options: Any) -> Self:
        """Open a house, and resume the games whose clocks were running."""
        house = cls(store, **options)
        await house.process_bus.begin()
        await house.lease.begin()
        await store.commit(note_version, house.now())
        await house.sanctions.refresh()
        if not store.shared:
            live = await store.fetch(tasks_due, change_hooks.LIVE, house.now(), MAX_RECOVERED)
            resume = partial(house.recovery.resume, [one.ref for one in live])
            house.background.run(resume, "games whose clocks ran")
        house._begin()
        return house

    def _begin(self) -> None:
        every, as_leader = self.background.every, self.lease.as_leader
        every(lease.RENEW_INTERVAL, self.lease.renew, "lease")
        every(WATCH_INTERVAL, self.database_watch.check, "the file of the database")
        if self.store.shared:
            sweep = partial(self.lease.sweep, self.recovery)
            every(lease.SWEEP_INTERVAL, sweep, "games of processes that are gone")
            every(process_bus.SYNC_INTERVAL, self.process_bus.sync, "games elsewhere")
        for kind in self.task_scheduler.kinds:  # one task per kind, since a mail server may hang
            due = as_leader(task_scheduler.LEADER, partial(self.task_scheduler.tick, kind))
            every(task_scheduler.POLL_INTERVAL, due, f"what is due: {kind}")
        if self.explorer.is_there:
            added = as_leader(explorer.LEADER, self.explorer.add_new)
            every(explorer.UPDATE_INTERVAL, added, "archive")
        every(lobby.TICK_INTERVAL, self.lobby.run, "lobby")
        every(challenges.REFRESH_INTERVAL, self.challenges.refresh, "challenges")
        every(sanctions.REFRESH_INTERVAL, self.sanctions.refresh, "sanctions")
        gone = as_leader(retention.LEADER, self.pruning.prune)
        every(retention.POLL_INTERVAL, gone, "what is not kept for ever")
        every(retention.POLL_INTERVAL, self.measure_disk, "room on the disk")
        every(studies.SAVE_INTERVAL, self.studies.save, "analyses that could not be saved")
        every(director.POLL_INTERVAL, self.tournaments.director.run, "tournaments")
        every(tournaments.NOTIFY_INTERVAL, self.tournaments.watch, "pages of tournaments")

    async def close(self) -> None:
        """Close the house: stop all clocks, and store everything that was acknowledged."""
        self.games.closing = True
        await self.background.close()
        await self.games.close()
        await self.background.close()  # closing the games has started further work
        await self.lobby.close()
        await self.lease.end()
        await self.process_bus.end()
        await self.background.close()  # and so have messages of other processes
        await self.studies.save()
        await asyncio.to_thread(self.bots.close)
        await asyncio.to_thread(self.helpers.close)
        await asyncio.to_thread(self.explorer.close)
        self.accounts.passwords.close()
        self.push_notifications.close()
        if self.emails.mail:
            self.emails.mail.close()

    async def measure_disk(self) -> None:
        self.disk = await self.store.fetch(self.status_report.measure)

    async def _on_lapse(self, last_heartbeat: float | None) -> None:
        """Recover after the process was stopped for so long that others may have taken its games.

        Games that no other process has taken resume as after a restart. ``last_heartbeat`` is
        that of this process.
        """
        self.report("the house was stopped, or had no database, for a while")
        if self.store.shared:
            self.lobby.drop()
        await self.recovery.wake(last_heartbeat)

    @asynccontextmanager
    async def _purging(self, person: Person) -> AsyncIterator[None]:
        """Purge what every process has cached about a person being deleted."""
        self._purge([person.id])
        yield
        self._purge([person.id])
        self.process_bus.publish(GONE, person.id)

    def _purge(self, people: Collection[str]) -> None:
        for person in people:
            self.lobby.forget(person)
            self.challenges.forget(person)
            self.chats.forget(person)
            self.studies.forget(person)

    async def purge_deleted(self) -> None:
        """Purge the deleted people whose `GONE` message this process may have missed."""
        self._purge(await self.store.fetch(deleted_of, self.chats.authors))

    async def _run_once(
        self, kind: str, work: Callable[[Person], Awaitable[None]], ref: str
    ) -> None:
        """Carry out a change requested on the command line, once."""
        async with self._running:
            if (person := await self.store.fetch(read_person, ref)) and person.has_account:
                await work(person)
            await self.store.commit(schedule, kind, ref, None)

    async def _close(self, person: Person) -> None:
        ended = await self.accounts.close(person)
        self.process_bus.close_sessions(ended.hashes)
        self.process_bus.publish_ended(ended.hashes, ended.person_id)

    async def _show_names(self, people: Sequence[str], *, removed: bool) -> None:
        """Show the names of people who were renamed by another process."""
        for person_id in people:
            if person := await self.store.fetch(read_person, person_id):
                (self.removal.show_name if removed else self.lobby.rename)(person)

    async def _rename(self, person: Person) -> None:
        self.lobby.rename(person)
        self.process_bus.publish(NEW_NAME, person.id)
        await own_games.rename_at_boards(self.store, self.games, person)

    def _tournament_game_begun(
        self, people: Collection[str], game_id: str, agreement: Agreement
    ) -> None:
        self.subscribers.game_begun(people, game_id)
        if not agreement.by_days:
            self.lobby.announce(people, game_id)


def home_name() -> str:
    """Return a name for this process as the home of games, short enough for a connection name."""
    return f"{socket.gethostname()[:32]}-{os.getpid()}-{secrets.token_hex(4)}"
