"""Reports to administrators, the administrators' actions, and the removal of names."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from trine.core.clock import DAY
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.house.games.live.change_hooks import Write, combine
from trine.house.games.live.games import Games
from trine.house.games.storage.own_games import rename_at_boards
from trine.house.games.storage.records import RecordFolder
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.lobby import Lobby
from trine.house.moderation import tables
from trine.house.moderation.tables import AuditRow, ReportRow
from trine.house.notify.emails import reset_by_hand
from trine.house.people.accounts import RENAMED, Accounts
from trine.house.people.credentials import EndedSessions
from trine.house.people.sanctions import BAN, MUTE, SanctionRow, Sanctions
from trine.house.people.tables import Account, Person, accounts_of, read_account, read_person
from trine.house.refusals import HouseError
from trine.house.store.scheduled_tasks import schedule
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.house.talk.chat import WHYS, Chats, seemly_line
from trine.house.talk.tables import ChatLine, lines_near, rename_lines
from trine.house.tournaments.tables import games_of_tournament, take_event_off
from trine.house.tournaments.tournament_steps import NAMELESS
from trine.house.tournaments.tournaments import Tournaments

FOR_EVER: Final = 36_500 * DAY
DURATIONS: Final = {"day": DAY, "week": 7 * DAY, "ever": FOR_EVER}
"""The durations of sanctions by their values in forms."""
MAX_REPORTS: Final = 10  # per person and day
CONTEXT_LINES: Final = 5
"""Administrators see this number of chat lines before a reported one, and after it."""
MAX_SHOWN: Final = 100
STRUCK: Final = "struck"
"""The kind of task that removes the name of a cancelled tournament from its games."""


@dataclass(frozen=True)
class Removal:
    """Removes all copies of a name, after an administrator has removed the name.

    The transaction that removes the original also schedules a task to remove the copies, so they
    are removed even if the house crashes in between. A test searches all tables for forgotten ones.
    """

    store: Store
    games: Games
    records: RecordFolder
    lobby: Lobby
    challenges: Challenges
    chats: Chats
    publish: Callable[[str], None]
    """Called with the id of a person, so that the other processes show the name, too."""

    @property
    def kinds(self) -> dict[str, Callable[[str], Awaitable[None]]]:
        """The scheduled tasks of this package, by kind."""
        return {kind: partial(self.finish, kind) for kind in (RENAMED, STRUCK)}

    def due(self, kind: str, ref: str) -> Write:
        """Return the write that schedules the removal of copies, for the original's transaction."""
        return partial(schedule, kind=kind, ref=ref, at=self.store.now())

    async def finish(self, kind: str, ref: str) -> None:
        """Remove the copies; a repeat does nothing."""
        await (self._rename(ref) if kind == RENAMED else self._strike(ref))
        await self.store.commit(schedule, kind, ref, None)

    async def _rename(self, person_id: str) -> None:
        """Replace a person's former name, which may be rude, by the present one."""
        person = await self.store.fetch(read_person, person_id)
        if not person or not person.is_here:
            return
        await rename_at_boards(self.store, self.games, person, running=False, records=self.records)
        await self.store.commit(rename_lines, person.id, person.name)
        self.show_name(person)
        self.publish(person.id)

    def show_name(self, person: Person) -> None:
        """Replace a person's former name in the memory of this process."""
        self.lobby.rename(person)
        self.challenges.rename(person)
        self.chats.rename(person)

    async def _strike(self, tournament: str) -> None:
        for game in await self.store.fetch(games_of_tournament, tournament):
            renewal = self.records.renewal(game)
            await self.store.commit(take_event_off, game, NAMELESS, renewal)
            self.games.change_view(game, lambda before: before.with_event(NAMELESS))


@dataclass(frozen=True)
class Case:
    """A report with its context, for administrators."""

    report: ReportRow
    reporter: str
    person: str  # name of the reported person; ``reporter`` is a name, too
    account: bool  # whether the reported person has an account, and so a public page
    lines: Sequence[ChatLine]  # the chat lines around the reported one, including deleted ones


@dataclass(frozen=True)
class Moderation:
    """Stores reports, and carries out the actions of administrators."""

    store: Store
    sanctions: Sanctions
    chats: Chats
    accounts: Accounts
    tournaments: Tournaments
    removal: Removal

    async def report(
        self,
        reporter: Person,
        person_id: str,
        why: str,
        words: str = "",
        line: ChatLine | None = None,
    ) -> None:
        """Report a person, or one of their lines, to the administrators; raises `TrineError`."""
        if person_id == reporter.id:
            raise HouseError("you cannot report yourself")
        if why not in WHYS:
            raise MalformedError("choose a reason")
        now = self.store.now()
        row = ReportRow(
            id=new_id(),
            reporter=reporter.id,
            person=person_id,
            game=line.game if line else None,
            number=line.number if line else None,
            why=why,
            words=seemly_line(words) if words.strip() else "",
            at=now,
        )
        added = await self.store.commit(
            tables.add_report, row=row, since=now - DAY, most=MAX_REPORTS
        )
        if not added:
            raise HouseError("you have reported this already, or too much today")

    async def report_line(self, reporter: Person, line: ChatLine, why: str) -> None:
        await self.report(reporter, line.person, why, line=line)

    async def cases(self) -> Sequence[Case]:
        return await self.store.fetch(_cases)

    async def done(self, admin: Person, report: ReportRow) -> None:
        close = partial(tables.close_report, report=report.id, now=self.store.now())
        entry = self._entry(admin, "report done", report.person, report.why)
        await self.store.commit(tables.with_audit(close, entry))

    async def delete_line(self, admin: Person, report: ReportRow) -> None:
        if report.game is None or report.number is None:
            raise HouseError("this report is about no line")
        note = self.note_deletion(admin, report)
        await self.chats.delete(report.game, report.number, note)

    def note_deletion(self, admin: Person, line: ChatLine | ReportRow) -> Write:
        return self._note(admin, "line deleted", line.person, f"{line.game} {line.number}")

    async def sanction(
        self, admin: Person, person_id: str, kind: str, term: str, why: str
    ) -> EndedSessions:
        """Mute or ban a person; return the sessions that a ban has ended. Raises `TrineError`."""
        if kind not in (MUTE, BAN) or term not in DURATIONS:
            raise MalformedError("there is no such sanction")
        await self._check_no_administrator(admin, person_id)
        now = self.store.now()
        until = now + DURATIONS[term]
        row = SanctionRow(
            id=new_id(), person=person_id, kind=kind, at=now, until=until, why=why[:200]
        )
        return await self.sanctions.impose(row, self._note(admin, kind, person_id, term))

    async def _check_no_administrator(self, admin: Person, person_id: str) -> None:
        account = await self.store.fetch(read_account, person_id)
        if person_id == admin.id or (account and account.admin):
            raise HouseError("administrators cannot be sanctioned here")

    async def account(self, name: str) -> Account:
        """Return the account with a present or former name; raises `HouseError`."""
        if account := await self.accounts.named(name):
            return account
        raise HouseError("no account has the name {given}", given=quoted(name))

    async def rename(self, admin: Person, person_id: str, name: str) -> None:
        """Give a person who is no administrator another name; raises `TrineError`."""
        await self._check_no_administrator(admin, person_id)
        renamed = await self.store.fetch(read_person, person_id)
        if not renamed:
            raise HouseError("there is no such account")
        note = self._note(admin, RENAMED, person_id, renamed.name)
        await self.accounts.give_name(
            renamed, name, combine(note, self.removal.due(RENAMED, person_id))
        )
        await self.removal.finish(RENAMED, person_id)

    async def cancel_tournament(self, admin: Person, link: str) -> None:
        """Cancel a tournament, given by its id or the URL of its page; raises `TrineError`."""
        tournament = link.strip().rstrip("/").rpartition("/")[2]

        def also(owner: str | None, name: str) -> Write | None:
            note = self._note(admin, "tournament cancelled", owner, name)
            return combine(note, self.removal.due(STRUCK, tournament))

        await self.tournaments.cancel_by_admin(tournament, also)
        await self.removal.finish(STRUCK, tournament)

    async def reset_password(self, admin: Person, name: str, *, lost: bool = False) -> str:
        """Return the path of a link for a new password; raises `HouseError` for an administrator's.

        With ``lost``, the link also switches off the second factor.
        """
        account = await self.account(name)
        if account.admin:
            raise HouseError("only the host can do this for administrators")
        reset = partial(reset_by_hand, person_id=account.person, now=self.store.now(), lost=lost)
        detail = "second factor" if lost else ""
        entry = self._entry(admin, "password link", account.person, detail)
        return await self.store.commit(tables.with_audit(reset, entry))

    async def lift(self, admin: Person, sanction: str) -> None:
        await self.sanctions.lift(
            sanction, lambda held: self._note(admin, "lifted", held.person, held.kind)
        )

    async def held(self) -> Sequence[tuple[SanctionRow, str]]:
        await self.sanctions.refresh()
        rows = self.sanctions.all
        people = {row.person for row in rows}
        names = await self.store.fetch(tables.names_of, people=people)
        return [(row, names.get(row.person, "?")) for row in rows]

    async def log(self) -> Sequence[tuple[AuditRow, str, str]]:
        """Return the latest actions, each with the names of its administrator and its person."""
        return await self.store.fetch(_log)

    async def case(self, report: str) -> ReportRow:
        row = await self.store.fetch(tables.read_report, report=report)
        if not row:
            raise HouseError("there is no such report")
        return row

    def _entry(self, admin: Person, what: str, person_id: str | None, detail: str) -> AuditRow:
        return AuditRow(
            at=self.store.now(), actor=admin.id, what=what, person=person_id, detail=detail
        )

    def _note(self, admin: Person, what: str, person_id: str | None, detail: str) -> Write:
        """Return the write of an entry of the audit log, for the transaction of its action."""
        return partial(tables.add_audit, row=self._entry(admin, what, person_id, detail))


def _cases(connection: Connection) -> list[Case]:
    rows = tables.open_reports(connection, MAX_SHOWN)
    people = {person for row in rows for person in (row.reporter, row.person)}
    names, accounts = tables.names_of(connection, people), accounts_of(connection, list(people))
    return [
        Case(
            row,
            names.get(row.reporter, "?"),
            names.get(row.person, "?"),
            row.person in accounts,
            _near(connection, row),
        )
        for row in rows
    ]


def _near(connection: Connection, row: ReportRow) -> list[ChatLine]:
    """Return the lines around a reported one, from the same chat room."""
    if row.game is None or row.number is None:
        return []
    lines = lines_near(connection, row.game, row.number, CONTEXT_LINES)
    room = next((line.room for line in lines if line.number == row.number), "")
    return [line for line in lines if line.room == room]


def _log(connection: Connection) -> list[tuple[AuditRow, str, str]]:
    rows = tables.last_audit(connection, MAX_SHOWN)
    people = {person for row in rows for person in (row.actor, row.person) if person}
    names = tables.names_of(connection, people)
    return [(row, names.get(row.actor or "", ""), names.get(row.person or "", "")) for row in rows]
