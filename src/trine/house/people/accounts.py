"""Accounts: registering, logging in, changing and deleting.

Higher packages inject functions (`PersonHooks`) for what they do when an account is deleted, or a
guest logs in to one, since this package must not import them.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field, replace
from random import SystemRandom
from typing import Final

from sqlalchemy import Connection

from trine.core.text.sentence import text
from trine.core.work.cpu_account import CPU_ACCOUNT
from trine.house.people import credentials
from trine.house.people import tables as people
from trine.house.people.browsers import bind_guest, resolve_alert
from trine.house.people.credentials import EndedSessions
from trine.house.people.factors import factor_of, is_proven, passkeys_of
from trine.house.people.names import account_name, fold, guest_name
from trine.house.people.passwords import Passwords
from trine.house.people.quotas import QuotaKind, Quotas
from trine.house.people.sanctions import Sanctions, check_not_banned, muted_until
from trine.house.people.tables import Account, Person
from trine.house.people.takeout import Takeout, Tell, fields_of
from trine.house.refusals import HouseError
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store

IssueTicket = Callable[[str, int, str], Awaitable[str]]
"""A function that issues the ticket of a login that still needs a second factor, from the person's
id, the epoch of the credentials and the session's token."""
EXPORTED: Final = ("role", "since")
"""The fields of an account in an export, besides those of the person; others may be secret."""

CLOSED, RENAMED = "account closed", "renamed"
"""Kinds of scheduled tasks: the running house completes a close or rename that began on the command
line. The audit log uses these words, too."""

Forget = Callable[[Connection, str], None]
"""Erases what is stored about a person, in the transaction that deletes the account."""
Leave = Callable[[Person], AbstractAsyncContextManager[Forget | None]]
"""A context around the transaction that deletes an account; it may contribute a step."""
Write = Callable[[Connection], object]
Bring = Callable[[Person, Person], Awaitable[None]]
"""A function that transfers a guest's data to an account."""


@dataclass(frozen=True)
class PersonHooks:
    """Hooks of higher packages: export, erasure, transfer and renaming of a person's data there."""

    tell: Sequence[Tell]
    forget: Sequence[Forget]
    leave: Sequence[Leave]
    bring: Bring
    rename: Callable[[Person], Awaitable[None]]
    """A function that applies a person's new name to whatever is still running."""


class CredentialsError(HouseError):
    """The name or the password is wrong; the message does not say which."""

    default_text = text("the name or the password is wrong")


class CodeNeededError(HouseError):
    """The password was right, and a code is needed, too."""

    def __init__(self, ticket: str, why: HouseError | None = None) -> None:
        super().__init__(text("the code of your device is needed"))
        self.ticket, self.why = ticket, why


def any_guest() -> str:
    return f"Guest {SystemRandom().randrange(1000, 9999)}"


@dataclass(frozen=True)
class Accounts:
    """Registers, logs in, changes and deletes accounts."""

    store: Store
    passwords: Passwords
    sanctions: Sanctions
    belongings: PersonHooks
    quotas: Quotas
    session_lifetime: float  # seconds since the last visit
    guests: bool = True
    packing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def welcome(
        self, name: str = "", address: str = "", browser: str = ""
    ) -> tuple[Person, str]:
        """Create a guest; return the person, and the token of the browser's session.

        Sanctions of accounts that were used in the browser apply to the guest, too. ``address`` is
        the network address of the browser, and ``browser`` the hash of its cookie.

        Raises:
            TrineError: the name is not available, the address has created too many guests, or an
                account that was used in the browser is banned.
        """
        if not self.guests:
            raise HouseError("to play here you need an account; log in first")
        called = await self.free_name(name) if name else any_guest()
        self.quotas.spend_of(QuotaKind.GUEST, address)

        def write(connection: Connection) -> tuple[tuple[Person, str], float]:
            now = self.store.now()
            guest = people.create_guest(connection, called, now)
            muted = bind_guest(connection, guest.id, browser, now) if browser else 0.0
            if muted and name:
                raise muted_until(muted)
            return self._begin(connection, guest.id, credentials.GUEST_EPOCH), muted

        (person, token), muted = await self.store.commit(write)
        if muted:
            await self.sanctions.refresh()
        return replace(person, address=address), token

    async def person_of(self, token: str, address: str = "") -> Person | None:
        if not token:
            return None
        now = self.store.now()
        person = await self.store.fetch(credentials.person_of, token, now)
        if not person:
            return None
        renewed = person.until < now + self.session_lifetime - people.RENEW_INTERVAL
        if renewed:
            await self.store.commit(people.renew_token, token, now + self.session_lifetime)
        return replace(person, address=address, renewed=renewed)

    async def register(
        self, guest: Person | None, name: str, password: str, token: str = ""
    ) -> tuple[Person, str]:
        """Create an account for a guest who has played already, or for a new person.

        Returns: the person, and a new token; the former token becomes invalid.

        Raises:
            TrineError: the name or password is not accepted, or the person has an account already.
        """
        shown = account_name(name)
        if guest and guest.has_account:
            raise HouseError("you have an account already; log out first")
        if guest:
            self.sanctions.check_may_speak(guest.id)
        hashed = await self.passwords.hash(password)
        if fold(password) == fold(shown):
            raise HouseError("the password must not be the name")
        await self.check_free(shown)
        now = self.store.now()

        def write(connection: Connection) -> tuple[Person, str]:
            person_id = guest.id if guest else people.create_guest(connection, shown, now).id
            people.create_account(connection, person_id, shown, fold(shown), hashed, now)
            return self.begin_registered(connection, person_id, token)

        person, new = await self.store.commit(write)
        await self.belongings.rename(person)
        return person, new

    def begin_registered(
        self, connection: Connection, person_id: str, token: str
    ) -> tuple[Person, str]:
        """Begin the first session of a new account, and end the guest's sessions."""
        credentials.end_sessions(connection, person_id)
        people.drop_token(connection, token)
        return self._begin(connection, person_id, people.FIRST_EPOCH)

    async def log_in(
        self, name: str, password: str, token: str = "", issue: IssueTicket | None = None
    ) -> tuple[Person, str]:
        """Log in with a name and a password; ``issue`` makes the ticket for a second factor.

        Returns: the person, and a new token; the former token becomes invalid.

        Raises:
            CredentialsError: the name or the password is wrong; this takes as long as a success.
            CodeNeededError: both are right, and a second factor is needed.
        """
        account = await self.store.fetch(people.account_named, fold(name))
        if not await self.passwords.is_right(account.password if account else None, password):
            raise CredentialsError
        assert account
        if self.passwords.is_old(account.password):
            hashed = await self.passwords.hash(password)
            await self.store.commit(
                people.rehash_password, account.person, hashed, account.password
            )
        epoch = account.credentials_epoch
        if await self.store.fetch(factor_of, account.person):
            raise CodeNeededError(await issue(account.person, epoch, token) if issue else "")
        return await self.admit(account.person, epoch, token)

    async def admit(
        self, person_id: str, epoch: int, token: str, first: Write | None = None
    ) -> tuple[Person, str]:
        """Begin a session: return the person and a new token, which replaces the former one.

        If the former token was a guest's, the guest's data is transferred. ``epoch`` is the epoch
        of the credentials that were checked. ``first`` runs earlier in the same transaction.

        Raises:
            HouseError: the person is banned.
            CredentialsChangedError: the credentials have changed since.
        """

        def write(connection: Connection) -> tuple[Person, str]:
            if first:
                first(connection)
            return self._begin(connection, person_id, epoch)

        admitted, new = await self.store.commit(write)
        if token:
            guest = await self.person_of(token)
            if guest and guest.kind is people.PersonKind.GUEST and admitted.has_account:
                await self.belongings.bring(guest, admitted)
            await self.log_out(token)
        if admitted.has_account:
            await self.belongings.rename(admitted)
        return admitted, new

    def _begin(self, connection: Connection, person_id: str, epoch: int) -> tuple[Person, str]:
        now = self.store.now()
        new = credentials.create_token(connection, person_id, now, self.session_lifetime, epoch)
        check_not_banned(connection, person_id, now)
        person = credentials.person_of(connection, new, now)
        assert person
        return person, new

    async def log_out(self, token: str) -> None:
        await self.store.commit(people.drop_token, token)

    async def of(self, person: Person | None) -> Account | None:
        if not person or not person.has_account:
            return None
        return await self.store.fetch(people.read_account, person.id)

    async def named(self, name: str) -> Account | None:
        return await self.store.fetch(people.find_account, fold(name))

    async def check_free(self, name: str) -> None:
        await self.store.fetch(people.check_free, "", fold(name))

    async def check_password(self, person: Person, password: str, session: str = "") -> Account:
        """Return a person's account; raise a `HouseError` if the password is wrong.

        An account without a password needs a passkey that was just used in the session of the token
        ``session``.
        """
        account = await self.of(person)
        if account and not account.password:
            if not await is_proven(self.store, person.id, session, self.store.now()):
                raise HouseError("confirm with a passkey that it is you")
            return account
        if not await self.passwords.is_right(account.password if account else None, password):
            raise HouseError("the password is wrong")
        assert account
        return account

    async def change_password(
        self, person: Person, old: str, new: str, session: str = ""
    ) -> tuple[str, EndedSessions]:
        """Change a password; return the token of a new session, and the sessions that ended."""
        hashed = await self.passwords.hash(new)
        account = await self.check_password(person, old, session)
        if fold(new) == account.folded:
            raise HouseError("the password must not be the name")
        epoch = account.credentials_epoch

        def write(connection: Connection) -> tuple[str, EndedSessions]:
            ended = credentials.set_password(connection, person.id, hashed, epoch)
            present = credentials.epoch_of(connection, person.id)
            return self._begin(connection, person.id, present)[1], ended

        return await self.store.commit(write)

    async def rename(self, person: Person, name: str) -> None:
        """Rename a person; raises `TrineError` if the name is taken or the person is muted."""
        self.sanctions.check_may_speak(person.id)
        await self.give_name(person, name)

    async def give_name(
        self, person: Person, name: str, also: Callable[[Connection], None] | None = None
    ) -> None:
        """Rename a person, muted or not; ``also`` runs in the same transaction."""
        shown = account_name(name) if person.has_account else await self.free_name(name)

        def write(connection: Connection) -> None:
            if person.has_account:
                people.rename_account(connection, person.id, shown, fold(shown), self.store.now())
            else:
                people.rename(connection, person.id, shown)
            if also:
                also(connection)

        await self.store.commit(write)
        await self.belongings.rename(replace(person, name=shown))

    async def free_name(self, name: str) -> str:
        """Return a guest's name in its display form, if no account has or had it."""
        shown = guest_name(name)
        await self.check_free(shown)
        return shown

    async def sessions(self, person_id: str) -> Sequence[people.Session]:
        return await self.store.fetch(people.sessions_of, person_id, self.store.now())

    async def valid_sessions(self, hashes: Collection[str]) -> set[str]:
        return await self.store.fetch(credentials.valid_sessions, hashes, self.store.now())

    async def know_browsers(self, token: str) -> None:
        """Resolve a session's login alert: the owner has recognised the new browsers."""
        await self.store.commit(resolve_alert, token_hash(token), mine=True)

    async def end(self, person: Person, hashed: str) -> EndedSessions:
        """End a session, identified by a prefix of its token's hash."""
        which = people.SESSION.c.hash.startswith(hashed, autoescape=True)
        return await self.store.commit(credentials.end_sessions, person.id, which)

    async def end_others(self, person: Person, token: str) -> EndedSessions:
        """End all other sessions, and everything else that was made from the credentials.

        Browsers from a login alert that the owner did not recognise become unknown again.
        """

        def write(connection: Connection) -> EndedSessions:
            resolve_alert(connection, token_hash(token), mine=False)
            return credentials.end_credentials(connection, person.id, keep=token)

        return await self.store.commit(write)

    async def export(self, person: Person) -> AsyncIterator[bytes]:
        """Yield all data of a person in pieces of a ZIP file; concurrent exports take turns."""
        takeout = await self.store.fetch(self._takeout, person)
        while not takeout.packed:
            await CPU_ACCOUNT.get().wait()
            async with self.packing:
                piece = await self.store.fetch(takeout.pack_more)
            yield piece

    def _takeout(self, connection: Connection, person: Person) -> Takeout:
        account = people.read_account(connection, person.id)
        sessions = people.sessions_of(connection, person.id, self.store.now())
        takeout = Takeout(
            {
                "person": {
                    "id": person.id,
                    "kind": person.kind,
                    "name": person.name,
                    "created_at": person.created_at,
                },
                "account": account and fields_of(account, EXPORTED),
                "passkeys": [
                    {"name": passkey.name, "made": passkey.made_at, "used": passkey.used_at}
                    for passkey in passkeys_of(connection, person.id)
                ],
                "second factor": factor_of(connection, person.id) is not None,
                "sessions": [
                    {"at": session.created_at, "browser": session.agent} for session in sessions
                ],
            }
        )
        for tell in self.belongings.tell:
            tell(connection, person.id, takeout)
        return takeout

    async def delete(self, person: Person, password: str, session: str = "") -> EndedSessions:
        """Delete an account: running games are resigned, finished ones lose the name."""
        account = await self.check_password(person, password, session)
        return await self.close(person, account.credentials_epoch)

    async def close(self, person: Person, epoch: int | None = None) -> EndedSessions:
        """Delete an account; ``epoch`` is from the checked credentials, None for the host."""
        async with AsyncExitStack() as leaving:
            parts = [
                await leaving.enter_async_context(leave(person)) for leave in self.belongings.leave
            ]
            forget = (*self.belongings.forget, *(part for part in parts if part))
            now = self.store.now()
            return await self.store.commit(
                credentials.delete_account, person.id, forget, now, epoch
            )
