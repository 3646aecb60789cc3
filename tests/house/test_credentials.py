"""What is made from credentials ends with each change of them, also one that happens meanwhile.

The tables in `docs/why/security.md` list all of it; each row is tried with each kind of change
between its steps.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import update

from house.authenticator import Device
from house.houses import Time, until
from house.test_passkeys import HERE
from house.test_second_factor import code_of
from house.web.test_streams import Line
from playing import HOUSE
from trine.core.errors import TrineError
from trine.house.api.streams import Stream
from trine.house.app import House
from trine.house.notify import tables as letters
from trine.house.notify.emails import CONFIRM, reset_by_hand
from trine.house.people.accounts import CodeNeededError
from trine.house.people.credentials import CredentialsChangedError, EndedSessions, create_token
from trine.house.people.factors import factor_of, is_proven
from trine.house.people.passkeys import PasskeyPurpose
from trine.house.people.sanctions import BAN, SanctionRow
from trine.house.people.second_factor import STEP, new_secret
from trine.house.people.tables import ACCOUNT, Person, read_person
from trine.house.site import sources_of
from trine.house.store.secrets import new_id, token_hash
from trine.house.store.store_errors import NameTakenError

PAGE = (HOUSE / "docs" / "why" / "security.md").read_text(encoding="utf-8")
NAMES = "bdfghkp"
PASSWORD, NEW_PASSWORD = "four quiet rabbits", "eight loud camels"


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
        """Log in with the password; return the token of the session."""
        ask = self.house.second_factor.ask
        return (await self.house.accounts.log_in(self.person.name, PASSWORD, "", ask))[1]

    async def admit(self, ticket: str) -> str:
        """Log in with a ticket and a code; return the token of the session."""
        self.time.now += STEP
        code = code_of(self.secret, self.time())
        return (await self.house.second_factor.admit(ticket, code, ""))[1]

    async def finish(self, begun: tuple[str, str], of: Device | None = None) -> object:
        """Finish with the passkey, or with the new one of a device."""
        secret, options = begun
        answer = of.register(options) if of else self.passkey.sign(options)
        return await self.house.passkeys.finish(secret, self.stolen, HERE, answer)

    async def epoch(self) -> int:
        """Compare the password; return the epoch of the credentials."""
        account = await self.house.accounts.check_password(self.person, PASSWORD, self.stolen)
        return account.credentials_epoch


async def an_owner(house: House, time: Time, name: str, *, factor: bool) -> Owner:
    person, session = await house.accounts.register(None, name, PASSWORD)
    stolen = await house.store.commit(create_token, person.id, time(), 9e9)
    owner = Owner(house, time, person, session, stolen, Device(HERE.origin, name.encode()), "")
    begun, options = await house.passkeys.begin(
        PasskeyPurpose.ADD, HERE, person, session, password=PASSWORD
    )
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


async def reset_password(owner: Owner) -> EndedSessions:
    house = owner.house
    path = await house.store.commit(reset_by_hand, owner.person.id, owner.time())
    return (await house.emails.reset(path.rpartition("/")[2], NEW_PASSWORD))[1]


async def ban(owner: Owner) -> EndedSessions:
    row = SanctionRow(new_id(), owner.person.id, BAN, owner.time(), until=9e9, why="")
    return await owner.house.sanctions.impose(row)


async def remove_passkey(owner: Owner) -> EndedSessions:
    (passkey,) = await owner.house.passkeys.of(owner.person)
    return await owner.house.passkeys.remove(owner.person, passkey.id, owner.session)


async def remove_factor(owner: Owner) -> EndedSessions:
    return await owner.house.second_factor.remove(owner.person, PASSWORD, owner.session)


async def log_out_elsewhere(owner: Owner) -> EndedSessions:
    return await owner.house.accounts.end_others(owner.person, owner.session)


async def delete_account(owner: Owner) -> EndedSessions:
    return await owner.house.accounts.delete(owner.person, PASSWORD, owner.session)


async def change_nothing(owner: Owner) -> EndedSessions:
    return EndedSessions(owner.person.id)


CHANGES: Mapping[str, Callable[[Owner], Awaitable[EndedSessions]]] = {
    "changed password": change_password,
    "reset password": reset_password,
    "ban": ban,
    "removed passkey": remove_passkey,
    "removed second factor": remove_factor,
    "logging out everywhere else": log_out_elsewhere,
    "deleted account": delete_account,
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

    store.commit = commit  # type: ignore[method-assign]
    try:
        return await work
    finally:
        store.commit = held  # type: ignore[method-assign]
        assert not due, f"nothing was written by {written}"


async def session(owner: Owner, change: Change) -> bool:
    await change()
    return await owner.house.accounts.person_of(owner.stolen) is not None


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

    passwords.is_right = is_right  # type: ignore[method-assign]
    try:
        token = await owner.log_in()
    except CodeNeededError as needed:
        token = await owner.admit(needed.ticket)
    finally:
        passwords.is_right = compare  # type: ignore[method-assign]
    return await owner.house.accounts.person_of(token) is not None


async def ticket_of(owner: Owner) -> str:
    with pytest.raises(CodeNeededError) as needed:
        await owner.log_in()
    return needed.value.ticket


async def ticket(owner: Owner, change: Change) -> bool:
    given = await ticket_of(owner)
    await change()
    return bool(await owner.admit(given))


async def ticket_again(owner: Owner, change: Change) -> bool:
    """The ticket that follows a wrong code."""
    with pytest.raises(CodeNeededError) as needed:
        await owner.house.second_factor.admit(await ticket_of(owner), "wrong", "")
    await change()
    return bool(await owner.admit(needed.value.ticket))


async def code(owner: Owner, change: Change) -> bool:
    """Log in by a code, with a change after it was found right."""
    work = owner.admit(await ticket_of(owner))
    return bool(await before(owner, "Accounts.admit", change, work))


async def new_factor(owner: Owner, change: Change) -> bool:
    """Set up a second factor, with a change after the password was compared."""
    house, secret = owner.house, new_secret()
    work = house.second_factor.keep(
        await owner.thief(), secret, code_of(secret, owner.time()), PASSWORD, owner.stolen
    )
    await before(owner, "SecondFactor.keep", change, work)
    return await house.store.fetch(factor_of, owner.person.id) is not None


async def begin(owner: Owner, purpose: PasskeyPurpose) -> tuple[str, str]:
    person = None if purpose is PasskeyPurpose.LOG_IN else await owner.thief()
    return await owner.house.passkeys.begin(purpose, HERE, person, owner.stolen, password=PASSWORD)


def of_thief(owner: Owner) -> Device:
    return Device(HERE.origin, f"of a thief of {owner.person.id}".encode())


async def new_passkey(owner: Owner, change: Change) -> bool:
    begun, theirs = await begin(owner, PasskeyPurpose.ADD), of_thief(owner)
    await change()
    return bool(await owner.finish(begun, theirs))


async def signed_passkey(owner: Owner, change: Change) -> bool:
    """Add a passkey, with a change after its signature was found right."""
    work = owner.finish(await begin(owner, PasskeyPurpose.ADD), of_thief(owner))
    return bool(await before(owner, "_add", change, work))


async def passkey_login(owner: Owner, change: Change) -> bool:
    """Log in by a passkey, with a change after the signature was found right."""
    work = owner.finish(await begin(owner, PasskeyPurpose.LOG_IN))
    return bool(await before(owner, "Accounts.admit", change, work))


async def begun_proof(owner: Owner, change: Change) -> bool:
    begun = await begin(owner, PasskeyPurpose.SURE)
    await change()
    return bool(await owner.finish(begun))


async def proof(owner: Owner, change: Change) -> bool:
    await owner.finish(await begin(owner, PasskeyPurpose.SURE))
    await change()
    return await is_proven(owner.house.store, owner.person.id, owner.stolen, owner.time())


async def asked_for(owner: Owner, epoch: int) -> str:
    """Return the token of a link to confirm an address."""
    about = {"email": f"{owner.person.id}@example.org", "language": "en"}
    return await owner.house.emails._key(owner.person.id, CONFIRM, about, epoch)


async def confirm_link(owner: Owner, change: Change) -> bool:
    token = await asked_for(owner, await owner.epoch())
    await change()
    return await owner.house.emails.confirm(token)


async def asked_link(owner: Owner, change: Change) -> bool:
    """A link to confirm an address, with a change after the password was compared."""
    work = asked_for(owner, await owner.epoch())
    return await owner.house.emails.confirm(await before(owner, "Emails._key", change, work))


async def reset_link(owner: Owner, change: Change) -> bool:
    house = owner.house
    path = await house.store.commit(reset_by_hand, owner.person.id, owner.time())
    await change()
    return bool(await house.emails.reset(path.rpartition("/")[2], "nine silent otters"))


async def new_password(owner: Owner, change: Change) -> bool:
    """Change the password, with another change after the present one was compared."""
    house, thief = owner.house, await owner.thief()
    work = house.accounts.change_password(thief, PASSWORD, "nine silent otters", owner.stolen)
    return bool(await before(owner, "Accounts.change_password", change, work))


async def removed_factor(owner: Owner, change: Change) -> bool:
    work = owner.house.second_factor.remove(await owner.thief(), PASSWORD, owner.stolen)
    return bool(await before(owner, "SecondFactor.remove", change, work))


async def deletion(owner: Owner, change: Change) -> bool:
    work = owner.house.accounts.delete(await owner.thief(), PASSWORD, owner.stolen)
    return bool(await before(owner, "delete_account", change, work))


async def token(owner: Owner, change: Change) -> bool:
    made = await owner.house.tokens.create(await owner.thief(), "it", ["read"])
    await change()
    return await owner.house.tokens.grant(made) is not None


async def new_token(owner: Owner, change: Change) -> bool:
    """Make a token, with a change after the session was recognised."""
    thief = await owner.thief()
    await change()
    return bool(await owner.house.tokens.create(thief, "it", ["read"]))


async def stream(owner: Owner, change: Change) -> bool:
    house, far = owner.house, Line()
    made = await house.tokens.create(await owner.thief(), "it", ["read"])
    grant = await house.tokens.grant(made)
    assert grant
    task = asyncio.create_task(Stream(sources_of(house), grant, "en")({}, far.receive, far.send))
    await until(lambda: "ping" in far.kinds())
    await change()
    if owner.ended:
        await until(lambda: far.kinds()[-1] == "end")
    far.gone.set()
    await task
    return far.kinds()[-1] != "end"


async def opening_stream(owner: Owner, change: Change) -> bool:
    """A stream whose token has ended after it was read, before the stream was there."""
    house, far = owner.house, Line()
    grant = await house.tokens.grant(await house.tokens.create(await owner.thief(), "it", ["read"]))
    assert grant
    await change()
    task = asyncio.create_task(Stream(sources_of(house), grant, "en")({}, far.receive, far.send))
    await until(far.kinds)
    far.gone.set()
    await task
    return far.kinds()[0] != "end"


Attempt = Callable[[Owner, Change], Awaitable[bool]]
MADE: Mapping[str, tuple[Attempt, ...]] = {
    "session": (session, login, code, passkey_login),
    "socket": (socket,),
    "device": (device,),
    "ticket of the second factor": (ticket, ticket_again),
    "second factor being set up or removed": (new_factor, removed_factor),
    "passkey being added": (new_passkey, signed_passkey),
    "proof by a passkey": (begun_proof, proof),
    "link to confirm an address": (confirm_link, asked_link),
    "link for a new password": (reset_link,),
    "password being changed": (new_password,),
    "account being deleted": (deletion,),
    "token of a program": (token, new_token),
    "stream of a program": (stream, opening_stream),
}
"""By the first column of the table, the ways to try it. Each returns whether something was had."""
OF_FACTOR = (ticket, ticket_again, code, removed_factor)


def rows_of(heading: str) -> list[str]:
    """The first column of the first table under a heading of the page."""
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
    for number, attempt in enumerate(one for ways in MADE.values() for one in ways):
        factor = attempt in OF_FACTOR or kind == "removed second factor"
        owner = await an_owner(
            house, time, f"Anna {NAMES[number % 7]}e{NAMES[number // 7]}", factor=factor
        )

        async def change(owner: Owner = owner) -> None:
            ended = await CHANGES.get(kind, change_nothing)(owner)
            owner.ended = [*ended.hashes]
            house.process_bus.publish_ended(ended.hashes, ended.person_id)

        try:
            had = await attempt(owner, change)
        except TrineError as error:
            had = False
            if kind == "nothing":
                raise AssertionError(attempt.__name__) from error
        if had != (kind == "nothing"):
            wrong.append(attempt.__name__)
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
    secret, options = await begin(owner, PasskeyPurpose.ADD)
    ended = await house.accounts.end(owner.person, token_hash(owner.stolen)[:16])
    assert ended.hashes == [token_hash(owner.stolen)]
    with pytest.raises(CredentialsChangedError):
        theirs = Device(HERE.origin, b"of a thief")
        await house.passkeys.finish(secret, owner.stolen, HERE, theirs.register(options))
    assert await house.accounts.person_of(owner.session)


# --- registering ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("place")
async def test_of_many_who_register_one_name_at_once_one_has_it_and_nobody_is_left(
    house: House,
) -> None:
    made = await asyncio.gather(
        *(house.accounts.register(None, "Anna", PASSWORD) for _ in range(8)), return_exceptions=True
    )
    (there,) = [one for one in made if isinstance(one, tuple)]
    assert sum(isinstance(one, NameTakenError) for one in made) == 7
    people = await house.store.fetch(
        lambda connection: connection.exec_driver_sql("SELECT id FROM person").all()
    )
    assert [row[0] for row in people] == [there[0].id]


@pytest.mark.usefixtures("place")
async def test_a_passkey_account_that_cannot_be_made_leaves_nothing(house: House) -> None:
    guest, session = await house.accounts.welcome("Anna")
    device = Device(HERE.origin, b"of a guest")
    secret, options = await house.passkeys.begin(
        PasskeyPurpose.CREATE, HERE, guest, session, name="Anna Adler"
    )
    await house.accounts.log_out(session)
    with pytest.raises(CredentialsChangedError):
        await house.passkeys.finish(secret, session, HERE, device.register(options))
    kept = await house.store.fetch(read_person, guest.id)
    assert kept == guest and not await house.passkeys.of(guest)
