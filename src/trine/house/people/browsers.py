"""The browsers and network addresses of accounts, for login alerts, linked accounts and bans.

A browser is identified by a secret cookie, also while logged out; the house stores the cookie's
hash. A browser without cookies counts as a new one each time, and alerts the account's owner.

Addresses are stored for a day as keyed hashes, so all processes share them and they survive a
restart. Browsers and addresses link the accounts of one person, which may not play each other in
rated games (`LinkedAccounts`), and keep a banned person out under another account
(`BanEnforcement`).
"""

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from trine.core.text.sentence import Text, text
from trine.house.background import Background
from trine.house.people.encryption import Encryption
from trine.house.people.sanctions import BAN, SANCTION, SanctionRow, Sanctions, copy_sanction
from trine.house.people.tables import SESSION, Person, account_named, drop_token
from trine.house.people.takeout import Takeout
from trine.house.refusals import HouseError
from trine.house.store.schema import METADATA, all_of
from trine.house.store.secrets import is_token, new_token, token_hash
from trine.house.store.store import Store
from trine.house.web.visitors import YEAR, keep_secret, secret_of

COOKIE: Final = "browser"
BROWSER_LIFETIME: Final = 400 * 86_400.0  # seconds; browsers keep cookies no longer
MAX_BROWSERS: Final = 40  # per person
_PROGRAMS: Final = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""Browser names by user-agent token; those that also carry others' tokens come first."""
_SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}

BROWSER: Final = sa.Table(
    "browser",
    METADATA,
    sa.Column("person", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("hash", sa.String, primary_key=True),
    sa.Column("first_at", sa.Double, nullable=False),
    sa.Column("last_at", sa.Double, nullable=False),
    sa.Column("known", sa.Boolean, nullable=False),
    sa.Index(None, "hash"),
    sa.Index(None, "last_at"),
)
"""A browser that a person has logged in with, by the hash of its cookie. One that is not ``known``
came after the person's first browser and is not yet confirmed by the person."""


def describe_agent(agent: str) -> str:
    """Return the name and system of a browser from its user-agent header; empty if unknown.

    Parser libraries carry tables of a thousand browsers; these few are enough for an owner.

    >>> describe_agent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> describe_agent("curl/8.5.0")
    ''
    """
    program = next((name for mark, name in _PROGRAMS.items() if re.search(rf"\b{mark}", agent)), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return ", ".join(part for part in (program, system) if part)


def browser_of(request: Request) -> str:
    """Return the hash of a browser's cookie; empty without a cookie."""
    secret = secret_of(request, COOKIE)
    return token_hash(secret) if is_token(secret) else ""


def note_browser(
    connection: Connection, session: str, browser: str, agent: str, now: float
) -> None:
    """Store the browser of a new session.

    A person's further browser raises a login alert in all other sessions; if there are none, in the
    next session that begins in a known browser.
    """
    mine = SESSION.c.hash == session
    person = connection.scalar(sa.select(SESSION.c.person).where(mine))
    if person is None:
        return
    theirs, here = BROWSER.c.person == person, BROWSER.c.hash == browser
    rows = connection.execute(
        sa.select(BROWSER.c.hash, BROWSER.c.first_at, BROWSER.c.known)
        .where(theirs)
        .order_by(BROWSER.c.last_at.desc())
    ).all()
    seen = next((row for row in rows if row.hash == browser), None)
    login_alert_at = None
    if seen:
        connection.execute(sa.update(BROWSER).where(theirs, here).values(last_at=now))
        if seen.known:
            login_alert_at = max((row.first_at for row in rows if not row.known), default=None)
    else:
        connection.execute(
            sa.insert(BROWSER).values(
                person=person, hash=browser, first_at=now, last_at=now, known=not rows
            )
        )
        if rows:
            others = (SESSION.c.person == person) & (SESSION.c.hash != session)
            connection.execute(sa.update(SESSION).where(others).values(login_alert_at=now))
        if beyond := [row.hash for row in rows[MAX_BROWSERS - 1 :]]:
            connection.execute(sa.delete(BROWSER).where(theirs, BROWSER.c.hash.in_(beyond)))
    connection.execute(sa.delete(BROWSER).where(theirs, BROWSER.c.last_at < now - BROWSER_LIFETIME))
    connection.execute(
        sa.update(SESSION).where(mine).values(agent=agent, login_alert_at=login_alert_at)
    )


def forget_unused(connection: Connection, now: float) -> int:
    """Delete browsers and addresses that have been unused for long; return their number."""
    gone = (
        BROWSER.c.last_at < now - BROWSER_LIFETIME,
        ACCOUNT_ADDRESS.c.at < now - ADDRESS_LIFETIME,
    )
    return sum(
        connection.execute(sa.delete(table).where(old)).rowcount
        for table, old in zip((BROWSER, ACCOUNT_ADDRESS), gone, strict=True)
    )


def resolve_alert(connection: Connection, session: str, *, mine: bool) -> None:
    """Resolve a session's login alert: new browsers become known if ``mine``, else are deleted."""
    found = sa.select(SESSION.c.person).where(
        SESSION.c.hash == session, SESSION.c.login_alert_at.is_not(None)
    )
    person = connection.scalar(found)
    if person is not None:
        new = (BROWSER.c.person == person) & BROWSER.c.known.is_(False)
        connection.execute(
            sa.update(BROWSER).where(new).values(known=True)
            if mine
            else sa.delete(BROWSER).where(new)
        )
        connection.execute(
            sa.update(SESSION).where(SESSION.c.person == person).values(login_alert_at=None)
        )


def people_in(connection: Connection, browser: str) -> list[str]:
    found = sa.select(BROWSER.c.person).where(BROWSER.c.hash == browser)
    return list(connection.scalars(found))


def bind_guest(connection: Connection, guest: str, browser: str, now: float) -> float:
    """Copy the sanctions of a browser's accounts to a new guest; raise `HouseError` for a ban.

    Returns: the end of the guest's mute; 0 if there is none.
    """
    here = SANCTION.c.person.in_(sa.select(BROWSER.c.person).where(BROWSER.c.hash == browser))
    held = all_of(
        connection, SanctionRow, sa.select(SANCTION).where(here, SANCTION.c.until > now).distinct()
    )
    if any(row.kind == BAN for row in held):
        raise HouseError("an account that was used in this browser is kept out")
    for row in held:
        copy_sanction(connection, row, guest)
    return max((row.until for row in held), default=0.0)


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    """Export when each browser of a person was used; only hashes of browsers are stored."""
    mine = sa.select(BROWSER).where(BROWSER.c.person == person_id).order_by(BROWSER.c.first_at)
    takeout.about["browsers"] = [
        {"first": row.first_at, "last": row.last_at, "known": row.known}
        for row in connection.execute(mine)
    ]


ADDRESS_LIFETIME: Final = 86_400.0  # seconds since the last use
RENOTE_INTERVAL: Final = 3600.0  # seconds
MAX_KNOWN: Final = 20_000


MAX_ADDRESSES: Final = 8  # per account

ACCOUNT_ADDRESS: Final = sa.Table(
    "account_address",
    METADATA,
    sa.Column("person", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("keyed_hash", sa.String, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index(None, "keyed_hash"),
    sa.Index(None, "at"),
)
"""A network address that an account has used within a day, as a hash keyed with the house's key."""


def note_used(
    connection: Connection, person_id: str, mark: str, now: float, forgotten: float
) -> None:
    """Store that an account is used from an address; delete all uses before ``forgotten``."""
    c = ACCOUNT_ADDRESS.c
    here = (c.person == person_id) & (c.keyed_hash == mark)
    connection.execute(sa.delete(ACCOUNT_ADDRESS).where(c.at < forgotten))
    if not connection.execute(sa.update(ACCOUNT_ADDRESS).where(here).values(at=now)).rowcount:
        connection.execute(
            sa.insert(ACCOUNT_ADDRESS).values(person=person_id, keyed_hash=mark, at=now)
        )
        mine = (
            sa.select(c.keyed_hash)
            .where(c.person == person_id)
            .order_by(c.at.desc())
            .offset(MAX_ADDRESSES)
        )
        if old := connection.scalars(mine).all():
            beyond = (c.person == person_id) & c.keyed_hash.in_(old)
            connection.execute(sa.delete(ACCOUNT_ADDRESS).where(beyond))


def people_from(connection: Connection, mark: str, since: float) -> list[str]:
    c = ACCOUNT_ADDRESS.c
    return list(connection.scalars(sa.select(c.person).where(c.keyed_hash == mark, c.at >= since)))


def share_address(connection: Connection, people: Collection[str], since: float) -> bool:
    c = ACCOUNT_ADDRESS.c
    marks = (
        sa.select(c.keyed_hash).where(c.person.in_(people), c.at >= since).group_by(c.keyed_hash)
    )
    return connection.execute(marks.having(sa.func.count() > 1).limit(1)).first() is not None


def share_browser(connection: Connection, people: Collection[str]) -> bool:
    c = BROWSER.c
    browsers = sa.select(c.hash).where(c.person.in_(people)).group_by(c.hash)
    return connection.execute(browsers.having(sa.func.count() > 1).limit(1)).first() is not None


@dataclass(frozen=True)
class LinkedAccounts:
    """Links between accounts that have lately shared an address or a browser."""

    store: Store
    background: Background
    encryption: Encryption
    separate_linked: bool  # whether linked accounts are kept from playing each other in rated games
    _noted: OrderedDict[tuple[str, str], float] = field(default_factory=OrderedDict)
    """The time when this process last stored each pair of person and address."""

    def note(self, person_id: str, address: str) -> None:
        """Store, in the background, that an account is used from an address."""
        now, seen = self.store.now(), (person_id, address)
        if (
            not is_public(address)
            or self._noted.get(seen, -RENOTE_INTERVAL) > now - RENOTE_INTERVAL
        ):
            return
        self._noted[seen] = now
        self._noted.move_to_end(seen)
        if len(self._noted) > MAX_KNOWN:
            self._noted.popitem(last=False)
        self.background.run(partial(self.keep, person_id, address), "an address")

    async def keep(self, person_id: str, address: str) -> None:
        now = self.store.now()
        mark = self.encryption.keyed_hash(address)
        await self.store.commit(note_used, person_id, mark, now, now - ADDRESS_LIFETIME)

    async def people_from(self, address: str) -> Sequence[str]:
        if not is_public(address):
            return ()
        since = self.store.now() - ADDRESS_LIFETIME
        return await self.store.fetch(people_from, self.encryption.keyed_hash(address), since)

    async def why_unrated(self, people: Sequence[str]) -> Text | None:
        """Return why people may not play each other in a rated game; None if they may."""
        if not self.separate_linked or len(people) < 2:
            return None
        if await self.store.fetch(share_address, people, self.store.now() - ADDRESS_LIFETIME):
            return text(
                "these accounts were used from one address; play each other without ratings"
            )
        if await self.store.fetch(share_browser, people):
            return text("these accounts were used in one browser; play each other without ratings")
        return None


def are_linked(connection: Connection, one: str, two: str, now: float) -> bool:
    """Return whether two accounts have lately shared an address or a browser."""
    people = (one, two)
    return share_address(connection, people, now - ADDRESS_LIFETIME) or share_browser(
        connection, people
    )


def is_public(address: str) -> bool:
    """Return whether an address is public; a private one may be shared by a club.

    >>> is_public("8.8.8.8"), is_public("192.168.1.5"), is_public("")
    (True, False, False)
    """
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


@dataclass(frozen=True)
class BanEnforcement:
    """Ban enforcement: a banned person cannot return under another account.

    A ban applies to the browsers where the banned person has logged in, for as long as it lasts;
    and to the network addresses of the person's last day, for a day.
    """

    store: Store
    sanctions: Sanctions
    neighbours: LinkedAccounts

    async def check_browser(self, browser: str) -> None:
        people = await self.store.fetch(people_in, browser) if browser else []
        if any(self.sanctions.holds(person, BAN) for person in people):
            raise HouseError("an account that was used in this browser is banned")

    async def check_newcomer(self, browser: str, address: str) -> None:
        """Check that a new account is not for a banned person."""
        await self.check_browser(browser)
        near = await self.neighbours.people_from(address) if self.neighbours.separate_linked else ()
        if not self.sanctions.banned.isdisjoint(near):
            raise HouseError(
                "no account can be created from this network for now; try again tomorrow"
            )

    async def known(self, name: str, browser: str, address: str) -> str:
        """Return the browser, or else the address, if the owner of a name has used it; else ""."""
        account = await self.store.fetch(account_named, name)
        if not account:
            return ""
        if browser and account.person in await self.store.fetch(people_in, browser):
            return browser
        return address if account.person in await self.neighbours.people_from(address) else ""

    async def admit(self, request: Request, response: Response, token: str) -> None:
        """Store a new session's browser, and set its cookie; raise `HouseError` if it is banned."""
        try:
            await self.check_browser(browser_of(request))
        except HouseError:
            await self.store.commit(drop_token, token)
            raise
        await self._keep_browser(request, response, token)

    async def bind(self, request: Request, response: Response, person: Person, token: str) -> None:
        """Store a muted guest's browser at logout, so that the browser's next guest is muted."""
        if not person.has_account and self.sanctions.is_muted(person.id):
            await self._keep_browser(request, response, token)

    async def _keep_browser(self, request: Request, response: Response, token: str) -> None:
        secret = secret_of(request, COOKIE)
        secret = secret if is_token(secret) else new_token()
        keep_secret(request, response, secret, YEAR, COOKIE)
        agent = describe_agent(request.headers.get("user-agent", "")[:500])
        now = self.store.now()
        await self.store.commit(note_browser, token_hash(token), token_hash(secret), agent, now)
