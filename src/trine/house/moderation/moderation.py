"""Reports to administrators, and the administrators' actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import Connection

from trine.core.clock import DAY
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.house.games.live.change_hooks import Write, combine
from trine.house.moderation import tables
from trine.house.moderation.removal import STRUCK, Removal
from trine.house.moderation.tables import AuditRow, ReportRow
from trine.house.notify.emails import reset_by_hand
from trine.house.people.accounts import RENAMED, Accounts
from trine.house.people.credentials import EndedSessions
from trine.house.people.sanctions import BAN, MUTE, SanctionRow, Sanctions
from trine.house.people.tables import Account, Person, accounts_of, read_account, read_person
from trine.house.refusals import HouseError
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.house.talk.chat import WHYS, Chats, seemly_line
from trine.house.talk.tables import ChatLine, lines_near
from trine.house.tournaments.tournaments import Tournaments

Done = TypeVar("Done")
FOR_EVER: Final = 36_500 * DAY
TERMS: Final = {"day": DAY, "week": 7 * DAY, "ever": FOR_EVER}
"""The durations of sanctions by their values in forms."""
MAX_REPORTS: Final = 10
"""The maximum number of reports that one person can send in a day."""
AROUND: Final = 5
"""The number of chat lines before and after a reported one that administrators see."""
MAX_SHOWN: Final = 100


@dataclass(frozen=True)
class Case:
    """A report with its context, for administrators."""

    report: ReportRow
    reporter: str
    person: str
    """The name of the reported person; ``reporter`` is a name, too."""
    account: bool
    """Whether the reported person has an account, and so a public page."""
    lines: Sequence[ChatLine]
    """The chat lines around the reported one, including deleted ones."""


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
        """Report a person, or one of their lines, to the administrators.

        Raises:
            TrineError: the person is the reporter, the reason is unknown, or the reporter has
                reported this before or too much today.
        """
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

    async def done(self, admin: Person, report: str) -> None:
        row = await self.case(report)
        close = partial(tables.close_report, report=report, now=self.store.now())
        await self._commit(close, admin, "report done", row.person, row.why)

    async def delete_line(self, admin: Person, report: str) -> None:
        row = await self.case(report)
        if row.game is None or row.number is None:
            raise HouseError("this report is about no line")
        note = self._note_deletion(admin, row.person, row.game, row.number)
        await self.chats.delete(row.game, row.number, note)

    def note_deletion(self, admin: Person, line: ChatLine) -> Write:
        """Return the write that logs that an administrator deletes an unreported line."""
        return self._note_deletion(admin, line.person, line.game, line.number)

    def _note_deletion(self, admin: Person, person_id: str, game_id: str, number: int) -> Write:
        return self._note(admin, "line deleted", person_id, f"{game_id} {number}")

    async def sanction(
        self, admin: Person, person_id: str, kind: str, term: str, why: str
    ) -> EndedSessions:
        """Mute or ban a person for some time; return the sessions that a ban has ended.

        Raises:
            TrineError: the person is an administrator, or there is no such sanction.
        """
        if kind not in (MUTE, BAN) or term not in TERMS:
            raise MalformedError("there is no such sanction")
        await self._check_no_administrator(admin, person_id)
        now = self.store.now()
        row = SanctionRow(
            id=new_id(), person=person_id, kind=kind, at=now, until=now + TERMS[term], why=why[:200]
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
        """Give a person another name.

        Raises:
            TrineError: the person is an administrator, or the name is not available.
        """
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
        """Cancel a tournament, given by its id or the URL of its page.

        Raises:
            TrineError: there is no such tournament, or it was cancelled like this before.
        """
        tournament = link.strip().rstrip("/").rpartition("/")[2]

        def also(owner: str | None, name: str) -> Write | None:
            note = self._note(admin, "tournament cancelled", owner, name)
            return combine(note, self.removal.due(STRUCK, tournament))

        await self.tournaments.cancel_by_admin(tournament, also)
        await self.removal.finish(STRUCK, tournament)

    async def reset_password(self, admin: Person, name: str, *, lost: bool = False) -> str:
        """Return the path of a link for the owner of an account to set a new password.

        With ``lost``, the link also switches off the second factor.

        Raises:
            HouseError: there is no such account, or it is an administrator's.
        """
        account = await self.account(name)
        if account.admin:
            raise HouseError("only the host can do this for administrators")
        reset = partial(reset_by_hand, person_id=account.person, now=self.store.now(), lost=lost)
        note = "second factor" if lost else ""
        return await self._commit(reset, admin, "password link", account.person, note)

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

    def _note(self, admin: Person, what: str, person_id: str | None, detail: str) -> Write:
        """Return the write of an entry of the audit log, for the transaction of its action."""
        return partial(
            tables.add_audit,
            row=AuditRow(
                at=self.store.now(), actor=admin.id, what=what, person=person_id, detail=detail
            ),
        )

    async def _commit(
        self,
        write: Callable[[Connection], Done],
        admin: Person,
        what: str,
        person_id: str | None,
        detail: str,
    ) -> Done:
        row = AuditRow(
            at=self.store.now(), actor=admin.id, what=what, person=person_id, detail=detail
        )
        return await self.store.commit(tables.audited(write, row))


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
    lines = lines_near(connection, row.game, row.number, AROUND)
    room = next((line.room for line in lines if line.number == row.number), "")
    return [line for line in lines if line.room == room]


def _log(connection: Connection) -> list[tuple[AuditRow, str, str]]:
    rows = tables.last_audit(connection, MAX_SHOWN)
    people = {person for row in rows for person in (row.actor, row.person) if person}
    names = tables.names_of(connection, people)
    return [(row, names.get(row.actor or "", ""), names.get(row.person or "", "")) for row in rows]
