"""Blocks among people, reports to administrators, and what these do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from trine.core.errors import MalformedError, TrineError
from trine.core.text import Text, text
from trine.house.accounts import ADMIN
from trine.house.chat import seemly_line
from trine.house.refusals import HouseError
from trine.store import chat_rows, moderation_rows
from trine.store.chat_rows import ChatLine
from trine.store.moderation_rows import AuditRow, ReportRow, SanctionRow
from trine.store.people import Person
from trine.store.tokens import new_id

if TYPE_CHECKING:
    from trine.house.house import House

Done = TypeVar("Done")
MUTE, BAN = "mute", "ban"
DAY: Final = 86_400.0
FOR_EVER: Final = 36_500 * DAY
TERMS: Final = {"day": DAY, "week": 7 * DAY, "ever": FOR_EVER}
"""The time for which a sanction holds, by the names of forms."""
WHYS: Final = {
    "abuse": text("insults or threats"),
    "spam": text("advertising or nonsense"),
    "cheating": text("help by a program"),
    "leaving": text("leaves games, or stalls"),
    "name": text("an offensive name"),
    "other": text("something else"),
}
"""The reasons of reports."""
MOST_REPORTS: Final = 10
"""Reports of one person in a day."""
MOST_BLOCKS: Final = 200
AROUND: Final = 5
"""The lines before and behind one that was reported that moderators see."""
SHOWN: Final = 100
MOST: Final = 10_000
LOOKED_THROUGH: Final = 10.0
"""Units: seconds; after so long sanctions are read anew, for those of other processes."""


@dataclass(frozen=True)
class Case:
    """A report with what moderators need to judge it."""

    report: ReportRow
    reporter: str
    person: str
    """The names of the two."""
    account: bool
    """Whether the person has an account, and so a page."""
    lines: Sequence[ChatLine]
    """The lines around the one that was reported, deleted ones too."""


class Moderation:
    """The moderation of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._held: dict[str, SanctionRow] = {}

    async def run(self) -> None:
        """Look through the sanctions now and then, for ever."""
        while True:
            await asyncio.sleep(LOOKED_THROUGH)
            try:
                await self.look_through()
            except TrineError as error:
                self._house.report("the sanctions could not be read", error)

    async def look_through(self) -> None:
        """Learn which sanctions hold."""
        now = self._house.now()
        rows = await asyncio.to_thread(
            self._house.store.read, moderation_rows.sanctions, now=now, limit=MOST
        )
        self._held = {row.id: row for row in rows}

    # --- sanctions that hold ----------------------------------------------------------------------

    def holds(self, person: str, kind: str) -> SanctionRow | None:
        """The sanction of a kind that holds longest for somebody."""
        now = self._house.now()
        found = [
            one
            for one in self._held.values()
            if one.person == person and one.kind == kind and one.until > now
        ]
        return max(found, key=lambda one: one.until, default=None)

    def why_mute(self, person: str) -> Text | None:
        """Why somebody cannot say anything; None for most."""
        held = self.holds(person, MUTE) or self.holds(person, BAN)
        return text("you cannot chat until {date}", date=_date(held.until)) if held else None

    def check_not_banned(self, person: str) -> None:
        """Refuse somebody who is banned.

        Raises:
            HouseError: so it is.
        """
        if held := self.holds(person, BAN):
            raise HouseError(text("this account is closed until {date}", date=_date(held.until)))

    # --- blocks -----------------------------------------------------------------------------------

    async def block(self, person: Person, other: str, *, on: bool = True) -> None:
        """Hear nothing more of somebody, or hear of them again.

        Raises:
            HouseError: it is oneself, or too many are blocked.
        """
        if other == person.id:
            raise HouseError(text("you cannot block yourself"))
        if on and len(await self.blocked_by(person.id)) >= MOST_BLOCKS:
            raise HouseError(text("you have blocked {count} people already", count=MOST_BLOCKS))
        if not await asyncio.to_thread(self._house.store.people.get, other):
            raise HouseError(text("there is no such person"))
        await asyncio.wrap_future(
            self._house.store.write(
                moderation_rows.set_block,
                person=person.id,
                blocked=other,
                now=self._house.now(),
                on=on,
            )
        )

    async def blocked_by(self, person: str) -> dict[str, str]:
        """The people whom somebody has blocked: names by ids."""
        return await asyncio.to_thread(
            self._house.store.read, moderation_rows.blocked_by, person=person
        )

    # --- reports ----------------------------------------------------------------------------------

    async def report(
        self,
        reporter: Person,
        person: str,
        why: str,
        words: str = "",
        line: ChatLine | None = None,
    ) -> None:
        """Report somebody to the administrators, or a line of theirs.

        Raises:
            TrineError: it is oneself, there is no such reason, or too much was reported.
        """
        if person == reporter.id:
            raise HouseError(text("you cannot report yourself"))
        if why not in WHYS:
            raise MalformedError(text("choose a reason"))
        now = self._house.now()
        row = ReportRow(
            new_id(),
            reporter.id,
            person,
            line.game if line else None,
            line.number if line else None,
            why,
            seemly_line(words) if words.strip() else "",
            now,
        )
        added = await asyncio.wrap_future(
            self._house.store.write(
                moderation_rows.add_report, row=row, since=now - DAY, most=MOST_REPORTS
            )
        )
        if not added:
            raise HouseError(text("you have reported this already, or too much today"))

    async def cases(self) -> Sequence[Case]:
        """The reports that nobody has seen to, the oldest first."""
        return await asyncio.to_thread(self._cases)

    def _cases(self) -> list[Case]:
        store = self._house.store
        rows = store.read(moderation_rows.open_reports, limit=SHOWN)
        people = {who for row in rows for who in (row.reporter, row.person)}
        names = store.read(moderation_rows.names_of, people=people)
        known = store.accounts.of_all(list(people))
        return [
            Case(
                row,
                names.get(row.reporter, "?"),
                names.get(row.person, "?"),
                row.person in known,
                self._near(row),
            )
            for row in rows
        ]

    def _near(self, row: ReportRow) -> list[ChatLine]:
        if row.game is None or row.number is None:
            return []
        lines = self._house.store.read(
            chat_rows.lines_near, game=row.game, number=row.number, most=AROUND
        )
        room = next((line.room for line in lines if line.number == row.number), "")
        return [line for line in lines if line.room == room]

    # --- what administrators do -------------------------------------------------------------------

    async def done(self, admin: Person, report: str) -> None:
        """Note that a report was seen to."""
        row = await self.case(report)
        await asyncio.wrap_future(
            self._house.store.write(
                moderation_rows.close_report, report=report, now=self._house.now()
            )
        )
        await self._note(admin, "report done", row.person, row.why)

    async def delete_line(self, admin: Person, report: str) -> None:
        """Delete the line that was reported."""
        row = await self.case(report)
        if row.game is None or row.number is None:
            raise HouseError(text("this report is about no line"))
        await self._house.chats.delete(row.game, row.number)
        await self._note(admin, "line deleted", row.person, f"{row.game} {row.number}")

    async def note_deletion(self, admin: Person, line: ChatLine) -> None:
        """Write down that an administrator deletes a line that nobody had to report."""
        await self._note(admin, "line deleted", line.person, f"{line.game} {line.number}")

    async def sanction(self, admin: Person, person: str, kind: str, term: str, why: str) -> None:
        """Mute or ban somebody for some time.

        Raises:
            TrineError: it is an administrator, or there is no such sanction.
        """
        if kind not in (MUTE, BAN) or term not in TERMS:
            raise MalformedError(text("there is no such sanction"))
        account = await asyncio.to_thread(self._house.store.accounts.of, person)
        if person == admin.id or (account and account.role == ADMIN):
            raise HouseError(text("administrators are not sanctioned here"))
        now = self._house.now()
        row = SanctionRow(new_id(), person, kind, now, now + TERMS[term], why[:200])
        await asyncio.wrap_future(self._house.store.write(moderation_rows.add_sanction, row=row))
        self._held[row.id] = row
        if kind == BAN:
            await asyncio.wrap_future(self._house.store.people.end_sessions(person))
        await self._note(admin, kind, person, term)

    async def lift(self, admin: Person, sanction: str) -> None:
        """End a sanction."""
        held = self._held.pop(sanction, None)
        now = self._house.now()
        was = await asyncio.wrap_future(
            self._house.store.write(moderation_rows.end_sanction, sanction=sanction, now=now)
        )
        if was and held:
            await self._note(admin, "lifted", held.person, held.kind)

    async def sanctions(self) -> Sequence[tuple[SanctionRow, str]]:
        """The sanctions that hold, each with the name of the person."""
        await self.look_through()
        rows = list(self._held.values())
        people = {row.person for row in rows}
        names = await asyncio.to_thread(
            self._house.store.read, moderation_rows.names_of, people=people
        )
        return [(row, names.get(row.person, "?")) for row in rows]

    async def log(self) -> Sequence[tuple[AuditRow, str, str]]:
        """Return the latest deeds, each with the names of the actor and of the person."""
        return await asyncio.to_thread(self._log)

    def _log(self) -> list[tuple[AuditRow, str, str]]:
        store = self._house.store
        rows = store.read(moderation_rows.last_audit, limit=SHOWN)
        people = {who for row in rows for who in (row.actor, row.person) if who}
        names = store.read(moderation_rows.names_of, people=people)
        return [
            (row, names.get(row.actor or "", ""), names.get(row.person or "", "")) for row in rows
        ]

    async def case(self, report: str) -> ReportRow:
        """The report of an id.

        Raises:
            HouseError: there is none.
        """
        row = await asyncio.to_thread(
            self._house.store.read, moderation_rows.read_report, report=report
        )
        if not row:
            raise HouseError(text("there is no such report"))
        return row

    async def _note(self, admin: Person, what: str, person: str | None, told: str) -> None:
        row = AuditRow(self._house.now(), admin.id, what, person, told)
        await asyncio.wrap_future(self._house.store.write(moderation_rows.add_audit, row=row))


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
