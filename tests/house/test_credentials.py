"""What is made from credentials ends with each change of them, also one that happens meanwhile.

The tables in `docs/why/security.md` list all of it; each row is tried with each kind of change
between its steps.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest import mock

import pytest
from sqlalchemy import update

from house.authenticator import Device
from house.houses import PASSWORD, Time, until
from house.test_passkeys import HERE
from house.test_second_factor import code_of
from house.web.test_streams import Line
from playing import HOUSE
from trine.core.errors import TrineError
from trine.house.api.streams import Stream
from trine.house.api.tokens import Grant
from trine.house.app import House
from trine.house.notify import tables as letters
from trine.house.notify.emails import CONFIRM, reset_by_hand
from trine.house.people.accounts import CodeNeededError
from trine.house.people.credentials import CredentialsChangedError, EndedSessions, create_token
from trine.house.people.factors import factor_of, is_proven
from trine.house.people.passkeys import PasskeyPurpose
from trine.house.people.sanctions import BAN, SanctionRow
from trine.house.people.second_factor import STEP, new_secret
from trine.house.people.tables import ACCOUNT, Person
from trine.house.site import sources_of
from trine.house.store.secrets import new_id, token_hash

PAGE = (HOUSE / "docs" / "why" / "security.md").read_text(encoding="utf-8")
NAMES = "bdfghkp"
ADD, LOG_IN, SURE = PasskeyPurpose.ADD, PasskeyPurpose.LOG_IN, PasskeyPurpose.SURE
NEW_PASSWORD = "eight loud camels"
OTHER_PASSWORD = "nine silent otters"


@dataclass
class Owner:
    """The owner of an account, with a passkey and a second factor, and a browser of a thief."""

    house: House
    time: Time
    person: Person
    session: str
    """The token of the owner's session, from which credentials are changed."""
    stolen: str
    """The token of another session."""
    passkey: Device
    secret: str
    """The secret of the second factor; empty for none."""
    ended: list[str] = field(default_factory=list)
    """The hashes of the sessions that the change has ended."""

    async def thief(self) -> Person:
        """The person as the stolen session shows them."""
        person = await self.house.accounts.person_of(self.stolen)
        assert person
        return person

    async def log_in(self) -> str:
        ask = self.house.second_factor.ask
        return (await self.house.accounts.log_in(self.person.name, PASSWORD, "", ask))[1]

    async def admit(self, ticket: str) -> str:
        self.time.now += STEP
        code = code_of(self.secret, self.time())
        return (await self.house.second_factor.admit(ticket, code, ""))[1]

    async def ticket(self) -> str:
        """Log in with the password alone; return the ticket that a code is asked for with."""
        with pytest.raises(CodeNeededError) as needed:
            await self.log_in()
        return needed.value.ticket

    async def second_ticket(self) -> str:
        with pytest.raises(CodeNeededError) as needed:
            await self.house.second_factor.admit(await self.ticket(), "wrong", "")
        return needed.value.ticket

    async def finish(self, begun: tuple[str, str]) -> object:
        secret, options = begun
        answer = self.passkey.sign(options)
        return await self.house.passkeys.finish(secret, self.stolen, HERE, answer)

    async def finish_as_thief(self, begun: tuple[str, str]) -> object:
        secret, options = begun
        theirs = Device(HERE.origin, f"of a thief of {self.person.id}".encode())
        return await self.house.passkeys.finish(secret, self.stolen, HERE, theirs.register(options))

    async def recognise(self, _: Person) -> Person | None:
        return await self.house.accounts.person_of(self.stolen)

    async def set_password(self, thief: Person) -> object:
        change = self.house.accounts.change_password
        return await change(thief, PASSWORD, OTHER_PASSWORD, self.stolen)

    async def reset(self, link: str) -> object:
        return await self.house.emails.reset(link, OTHER_PASSWORD)

    async def remove_factor(self, thief: Person) -> object:
        return await self.house.second_factor.remove(thief, PASSWORD, self.stolen)

    async def delete(self, thief: Person) -> object:
        return await self.house.accounts.delete(thief, PASSWORD, self.stolen)

    async def create_token(self, person: Person) -> str:
        return await self.house.tokens.create(person, "it", ["read"])

    async def token(self) -> str:
        return await self.create_token(await self.thief())

    async def grant(self, token: str) -> Grant | None:
        return await self.house.tokens.grant(token)

    async def epoch(self) -> int:
        """Compare the password; return the epoch of the credentials."""
        account = await self.house.accounts.check_password(self.person, PASSWORD, self.stolen)
        return account.credentials_epoch


async def an_owner(house: House, time: Time, name: str, *, factor: bool) -> Owner:
    person, session = await house.accounts.register(None, name, PASSWORD)
    stolen = await house.store.commit(create_token, person.id, time(), 9e9)
    owner = Owner(house, time, person, session, stolen, Device(HERE.origin, name.encode()), "")
    begun, options = await house.passkeys.begin(ADD, HERE, person, session, password=PASSWORD)
    await house.passkeys.finish(begun, session, HERE, owner.passkey.register(options))
    if factor:
        secret = new_secret()
        await house.second_factor.keep(person, secret, code_of(secret, time()), PASSWORD, session)
        owner.secret = secret
    return owner


# --- the changes ---------------------------------------------------------------------------------


async def change_password(owner: Owner) -> EndedSessions:
    change = owner.house.accounts.change_password
    return (await change(owner.person, PASSWORD, NEW_PASSWORD, owner.session))[1]


async def link_to_reset(owner: Owner) -> str:
    path = await owner.house.store.commit(reset_by_hand, owner.person.id, owner.time())
    return path.rpartition("/")[2]


async def reset_password(owner: Owner) -> EndedSessions:
    return (await owner.house.emails.reset(await link_to_reset(owner), NEW_PASSWORD))[1]


async def ban(owner: Owner) -> EndedSessions:
    row = SanctionRow(new_id(), owner.person.id, BAN, owner.time(), until=9e9, why="")
    return await owner.house.sanctions.impose(row)


async def remove_passkey(owner: Owner) -> EndedSessions:
    (passkey,) = await owner.house.passkeys.of(owner.person)
    return await owner.house.passkeys.remove(owner.person, passkey.id, owner.session)


async def change_nothing(owner: Owner) -> EndedSessions:
    return EndedSessions(owner.person.id)


CHANGES: Mapping[str, Callable[[Owner], Awaitable[EndedSessions]]] = {
    "changed password": change_password,
    "reset password": reset_password,
    "ban": ban,
    "removed passkey": remove_passkey,
    "removed second factor": lambda owner: owner.house.second_factor.remove(
        owner.person, PASSWORD, owner.session
    ),
    "logging out everywhere else": lambda owner: owner.house.accounts.end_others(
        owner.person, owner.session
    ),
    "deleted account": lambda owner: owner.house.accounts.delete(
        owner.person, PASSWORD, owner.session
    ),
}
Change = Callable[[], Awaitable[None]]


# --- what is made --------------------------------------------------------------------------------


async def before(owner: Owner, written: str, change: Change, work: Awaitable[Any]) -> Any:
    """Do work, with a change just before one of its transactions, given by its function."""
    store, due = owner.house.store, True
    held = store.commit

    async def commit(statement: Any, *given: Any, **named: Any) -> Any:
        nonlocal due
        name = getattr(statement, "__qualname__", "") or statement.func.__qualname__
        if due and name.startswith(written):
            due = False
            await change()
        return await held(statement, *given, **named)

    with mock.patch.object(store, "commit", commit):
        try:
            return await work
        finally:
            assert not due, f"nothing was written by {written}"


async def socket(owner: Owner, change: Change) -> bool:
    """A socket whose session is as young as can be: it is among those that are closed."""
    await change()
    return token_hash(owner.stolen) not in owner.ended


async def device(owner: Owner, change: Change) -> bool:
    session = token_hash(owner.stolen)
    row = letters.Device(new_id(), owner.person.id, session, "", "", "", "en", made_at=1.0)
    await owner.house.store.commit(letters.keep_device, row)
    await change()
    return bool(await owner.house.store.fetch(letters.devices_of, owner.person.id))


async def login(owner: Owner, change: Change) -> bool:
    """Log in, with a change after the password was compared."""
    passwords = owner.house.accounts.passwords
    compare, due = passwords.is_right, True

    async def is_right(hashed: str | None, password: str) -> bool:
        nonlocal due
        right = await compare(hashed, password)
        if due:
            due = False
            await change()
        return right

    with mock.patch.object(passwords, "is_right", is_right):
        try:
            token = await owner.log_in()
        except CodeNeededError as needed:
            token = await owner.admit(needed.ticket)
    return await owner.house.accounts.person_of(token) is not None


async def new_factor(owner: Owner, change: Change) -> bool:
    """Set up a second factor, with a change after the password was compared."""
    house, secret = owner.house, new_secret()
    work = house.second_factor.keep(
        await owner.thief(), secret, code_of(secret, owner.time()), PASSWORD, owner.stolen
    )
    await before(owner, "SecondFactor.keep", change, work)
    return await house.store.fetch(factor_of, owner.person.id) is not None


async def begin(purpose: PasskeyPurpose, owner: Owner) -> tuple[str, str]:
    person = None if purpose is LOG_IN else await owner.thief()
    return await owner.house.passkeys.begin(purpose, HERE, person, owner.stolen, password=PASSWORD)


async def proof(owner: Owner, change: Change) -> bool:
    await owner.finish(await begin(SURE, owner))
    await change()
    return await is_proven(owner.house.store, owner.person.id, owner.stolen, owner.time())


async def asked_for(owner: Owner, epoch: int) -> str:
    """Return the token of a link to confirm an address."""
    about = {"email": f"{owner.person.id}@example.org", "language": "en"}
    return await owner.house.emails._key(owner.person.id, CONFIRM, about, epoch)


async def link_to_confirm(owner: Owner) -> str:
    return await asked_for(owner, await owner.epoch())


async def asked_link(owner: Owner, change: Change) -> bool:
    """A link to confirm an address, with a change after the password was compared."""
    work = asked_for(owner, await owner.epoch())
    return await owner.house.emails.confirm(await before(owner, "Emails._key", change, work))


async def stream(owner: Owner, change: Change, *, opened: bool = True) -> bool:
    """A stream of events, with a change when it is there, or after its token was read."""
    far, grant = Line(), await owner.grant(await owner.token())
    assert grant
    if not opened:
        await change()
    stream = Stream(sources_of(owner.house), grant, "en")
    task = asyncio.create_task(stream({}, far.receive, far.send))
    await until(lambda: "ping" in far.kinds() if opened else far.kinds())
    if opened:
        await change()
        if owner.ended:
            await until(lambda: far.kinds()[-1] == "end")
    far.gone.set()
    await task
    return far.kinds()[-1 if opened else 0] != "end"


Attempt = Callable[[Owner, Change], Awaitable[bool]]


def attempt(
    make: Callable[[Owner], Awaitable[Any]],
    use: Callable[[Owner, Any], Awaitable[Any]],
    written: str = "",
) -> Attempt:
    """Use what was made, with a change in between, or just before a function writes."""

    async def attempt(owner: Owner, change: Change) -> bool:
        made = await make(owner)
        if written:
            return bool(await before(owner, written, change, use(owner, made)))
        await change()
        return bool(await use(owner, made))

    return attempt


MADE: Mapping[str, Mapping[str, Attempt]] = {
    "session": {
        "session": attempt(Owner.thief, Owner.recognise),
        "login": login,
        "code": attempt(Owner.ticket, Owner.admit, "Accounts.admit"),
        "login by a passkey": attempt(partial(begin, LOG_IN), Owner.finish, "Accounts.admit"),
    },
    "socket": {"socket": socket},
    "device": {"device": device},
    "ticket of the second factor": {
        "ticket": attempt(Owner.ticket, Owner.admit),
        "ticket after a wrong code": attempt(Owner.second_ticket, Owner.admit),
    },
    "second factor being set up or removed": {
        "new factor": new_factor,
        "removed factor": attempt(Owner.thief, Owner.remove_factor, "SecondFactor.remove"),
    },
    "passkey being added": {
        "new passkey": attempt(partial(begin, ADD), Owner.finish_as_thief),
        "signed passkey": attempt(partial(begin, ADD), Owner.finish_as_thief, "_add"),
    },
    "proof by a passkey": {"begun": attempt(partial(begin, SURE), Owner.finish), "proof": proof},
    "link to confirm an address": {
        "link": attempt(link_to_confirm, lambda owner, link: owner.house.emails.confirm(link)),
        "asked link": asked_link,
    },
    "link for a new password": {"link": attempt(link_to_reset, Owner.reset)},
    "password being changed": {
        "password": attempt(Owner.thief, Owner.set_password, "Accounts.change_password")
    },
    "account being deleted": {"account": attempt(Owner.thief, Owner.delete, "delete_account")},
    "token of a program": {
        "token": attempt(Owner.token, Owner.grant),
        "new token": attempt(Owner.thief, Owner.create_token),
    },
    "stream of a program": {"stream": stream, "opening": partial(stream, opened=False)},
}
"""By the first column of the table, ways to try it. Each returns whether something was had."""
OF_FACTOR = ("ticket", "ticket after a wrong code", "code", "removed factor")


def rows_of(heading: str) -> list[str]:
    table = PAGE.split(f"\n### {heading}\n")[1].split("\n\n|")[1].split("\n\n")[0]
    return re.findall(r"^\|? ?([^|]+?) \|", table, re.MULTILINE)[1:]


def test_the_page_lists_what_is_made_and_what_ends_it() -> None:
    assert rows_of("What is made from credentials") == [*MADE]
    assert rows_of("What ends it") == [*CHANGES]


@pytest.mark.parametrize("kind", ["nothing", *CHANGES])
@pytest.mark.usefixtures("place")
async def test_nothing_that_was_made_before_a_change_is_of_use_after_it(
    house: House, time: Time, kind: str
) -> None:
    wrong = []
    ways = [way for ways in MADE.values() for way in ways.items()]
    for number, (name, attempt) in enumerate(ways):
        factor = name in OF_FACTOR or kind == "removed second factor"
        called = f"Anna {NAMES[number % 7]}e{NAMES[number // 7]}"
        owner = await an_owner(house, time, called, factor=factor)

        async def change(owner: Owner = owner) -> None:
            ended = await CHANGES.get(kind, change_nothing)(owner)
            owner.ended = [*ended.hashes]
            house.process_bus.publish_ended(ended.hashes, ended.person_id)

        try:
            had = await attempt(owner, change)
        except TrineError as error:
            had = False
            if kind == "nothing":
                raise AssertionError(name) from error
        if had != (kind == "nothing"):
            wrong.append(name)
    assert not wrong, f"{kind}: {wrong}"


async def test_a_token_ends_with_one_epoch_and_others_are_made_under_the_next(
    house: House, time: Time
) -> None:
    owner = await an_owner(house, time, "Anna", factor=False)
    await house.tokens.create(owner.person, "it", ["read"])
    await house.accounts.end_others(owner.person, owner.session)
    assert not await house.tokens.of(owner.person)
    with pytest.raises(CredentialsChangedError):
        await house.tokens.create(owner.person, "it", ["read"])
    person = await house.accounts.person_of(owner.session)
    assert person, "the session that has logged out the others goes on"
    new = await house.tokens.create(person, "it", ["read"])
    assert await house.tokens.grant(new)


async def test_a_session_of_an_older_epoch_is_not_valid_though_it_is_stored(
    house: House, time: Time
) -> None:
    owner = await an_owner(house, time, "Anna", factor=False)
    hashed = token_hash(owner.stolen)
    assert await house.accounts.valid_sessions([hashed]) == {hashed}
    raised = update(ACCOUNT).values(credentials_epoch=ACCOUNT.c.credentials_epoch + 1)
    await house.store.commit(lambda connection: connection.execute(raised))
    assert await house.accounts.valid_sessions([hashed]) == set()
    assert await house.accounts.person_of(owner.stolen) is None


async def test_a_session_that_ends_alone_ends_the_passkey_being_added_there(
    house: House, time: Time
) -> None:
    owner = await an_owner(house, time, "Anna", factor=False)
    begun = await begin(ADD, owner)
    ended = await house.accounts.end(owner.person, token_hash(owner.stolen)[:16])
    assert ended.hashes == [token_hash(owner.stolen)]
    with pytest.raises(CredentialsChangedError):
        await owner.finish_as_thief(begun)
    assert await house.accounts.person_of(owner.session)
