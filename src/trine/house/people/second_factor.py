"""The second factor of a password: time-based codes of a device (TOTP, RFC 6238).

A passkey is two factors in itself (a device, and a fingerprint or PIN), so it needs no code.
"""

import secrets
from base64 import b32decode, b32encode
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection

from trine.core.text.sentence import Text, ntext, text
from trine.house.people import factors
from trine.house.people.accounts import Accounts, CodeNeededError
from trine.house.people.credentials import EndedSessions, check_epoch, end_credentials
from trine.house.people.encryption import Encryption
from trine.house.people.factors import Factor, Ticket
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import new_token, token_hash
from trine.house.store.store import Store
from trine.house.web.rate_limits import HOUR, RateLimiter

STEP: Final = 30  # seconds; the time step of a code
DIGITS: Final = 6
CLOCK_SKEW: Final = 1
"""The number of time steps accepted before and after the present one, since clocks differ."""
SECRET: Final = 20  # bytes, as RFC 4226 recommends
CODES: Final = 10  # recovery codes
LIFETIME: Final = 300.0  # seconds for the code, after the password
MAX_ATTEMPTS: Final = 10  # codes per account and hour, from all addresses together
_ASKED: Final = "code"
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


class WrongCodeError(HouseError):
    """The code is wrong, was used before, or has expired."""

    default_text = text("this code is wrong, or was used already; wait for the next one")


@dataclass(frozen=True)
class FactorStatus:
    """The status of an account's second factor, for its owner."""

    made_at: float
    codes: int  # number of recovery codes left

    @property
    def left(self) -> Text:
        return ntext("{count} recovery code left", "{count} recovery codes left", self.codes)


class SecondFactor:
    """Sets up, removes and checks the second factors of accounts."""

    def __init__(self, store: Store, accounts: Accounts, encryption: Encryption) -> None:
        self._store, self._accounts, self._encryption = store, accounts, encryption
        self._tries = RateLimiter(MAX_ATTEMPTS, HOUR)
        self._has_library: Final = find_spec("cryptography") is not None
        """Whether the library for codes is installed; it comes with the extra ``passkeys``."""
        self.available: Final = self._has_library and encryption.persistent
        """Whether second factors can be set up: this needs the library and a persistent key."""

    async def of(self, person: Person) -> FactorStatus | None:
        factor = await self._store.fetch(factors.factor_of, person.id)
        if not factor:
            return None
        left = await self._store.fetch(factors.recovery_codes_left, person.id)
        return FactorStatus(factor.made_at, left)

    async def keep(
        self, person: Person, secret: str, code: str, password: str, session: str
    ) -> list[str]:
        """Set up a second factor and return its recovery codes, to be shown once.

        A code proves that the device has the secret.
        """
        if not self.available or not is_secret(secret):
            raise HouseError("begin anew")
        account = await self._accounts.check_password(person, password, session)
        step = step_of(secret, code, self._store.now())
        if step is None:
            raise WrongCodeError
        codes = [recovery_code() for _ in range(CODES)]
        factor = Factor(
            person=person.id,
            secret=self._encryption.encrypt(secret, person.id),
            step=step,
            made_at=self._store.now(),
        )

        def write(connection: Connection) -> None:
            check_epoch(connection, person.id, account.credentials_epoch)
            factors.keep_factor(connection, factor, [*map(_hash_code, codes)])

        await self._store.commit(write)
        return codes

    async def remove(self, person: Person, password: str, session: str) -> EndedSessions:
        """Remove a second factor, and end all sessions except the caller's."""
        account = await self._accounts.check_password(person, password, session)

        def write(connection: Connection) -> EndedSessions:
            ended = end_credentials(connection, person.id, account.credentials_epoch, keep=session)
            factors.drop_factor(connection, person.id)
            return ended

        return await self._store.commit(write)

    async def ask(self, person_id: str, epoch: int, session: str) -> str:
        """Issue a ticket for giving a code, after the password of the epoch was right."""
        ticket, now = new_token(), self._store.now()
        asked = Ticket(
            purpose=_ASKED,
            challenge="",
            about={"person": person_id},
            expires_at=now + LIFETIME,
            credentials_epoch=epoch,
        )
        await self._store.commit(factors.issue_ticket, ticket, session, asked, now)
        return ticket

    async def admit(self, ticket: str, code: str, session: str) -> tuple[Person, str]:
        """Log in with a code, after the password.

        Returns: the person, and a new token; the former token becomes invalid.

        Raises:
            CodeNeededError: the code is wrong; the error has a new ticket.
            HouseError: the ticket has expired, or too many codes were tried.
        """
        now = self._store.now()
        asked = await self._store.commit(factors.redeem_ticket, ticket, session, now)
        if not asked or asked.purpose != _ASKED:
            raise HouseError("this took too long; log in again")
        person, epoch = str(asked.about["person"]), asked.credentials_epoch
        if not self._tries.take(person):
            raise HouseError("too many codes were tried; wait an hour, or use a passkey")
        if not await self._is_right(person, code):
            raise CodeNeededError(await self.ask(person, epoch, session), WrongCodeError())
        return await self._accounts.admit(person, epoch, session)

    async def _is_right(self, person_id: str, code: str) -> bool:
        factor = await self._store.fetch(factors.factor_of, person_id)
        if factor is None:
            return False  # removed meanwhile, so the epoch was raised
        secret = self._encryption.decrypt(factor.secret, person_id) if self._has_library else None
        step = step_of(secret, code, self._store.now()) if secret else None
        if step is not None:
            return await self._store.commit(factors.use_step, person_id, step)
        return await self._store.commit(factors.use_recovery_code, person_id, _hash_code(code))


def new_secret() -> str:
    return b32encode(secrets.token_bytes(SECRET)).decode()


def is_secret(value: str) -> bool:
    """Return whether a text has the form of a secret.

    >>> is_secret(new_secret()), is_secret("x" * 32)
    (True, False)
    """
    try:
        return len(b32decode(value)) == SECRET
    except ValueError:
        return False


def step_of(secret: str, code: str, at: float) -> int | None:
    """Return the time step near a moment that has this code; None if there is none."""
    from cryptography.hazmat.primitives.hashes import SHA1
    from cryptography.hazmat.primitives.twofactor.hotp import HOTP

    digits = "".join(code.split())
    hotp = HOTP(b32decode(secret), DIGITS, SHA1())
    now = int(at // STEP)
    for step in range(now - CLOCK_SKEW, now + CLOCK_SKEW + 1):
        if secrets.compare_digest(hotp.generate(step), digits.encode("utf-8", "replace")):
            return step
    return None


def link_of(secret: str, name: str, house: str) -> str:
    """Return the link that a device scans as a QR code.

    >>> link_of("ABCD", "Anna B", "example.org")
    'otpauth://totp/trine%20example.org:Anna%20B?secret=ABCD&issuer=trine%20example.org'
    """
    issuer = quote(f"trine {house}")
    return f"otpauth://totp/{issuer}:{quote(name)}?secret={secret}&issuer={issuer}"


def recovery_code() -> str:
    """Return a new recovery code: 59 random bits, in characters that are hard to confuse."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(12))
    return "-".join(letters[at : at + 4] for at in range(0, 12, 4))


def _hash_code(code: str) -> str:
    return token_hash("".join(code.casefold().split()).replace("-", ""))
