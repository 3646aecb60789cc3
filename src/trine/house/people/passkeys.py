"""Passkeys: logging in with a signature of a device in place of a password.

A passkey belongs to the name under which the house was reached, and signs only for pages there.
What it signs is chosen by the house for one browser and one session, for one use in two minutes.

Source: Web Authentication, level 3 (W3C).
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from trine.core.errors import MalformedError
from trine.core.work.cpu_account import in_thread
from trine.house.people import passkey_rows as passkeys
from trine.house.people.accounts import Accounts
from trine.house.people.credentials import GUEST_EPOCH, EndedSessions, check_session, epoch_of
from trine.house.people.names import account_name, fold
from trine.house.people.passkey_rows import (
    LIFETIME,
    Passkey,
    PasskeyError,
    Ticket,
    bound,
    keep_proof,
)
from trine.house.people.tables import Person, read_person
from trine.house.refusals import HouseError
from trine.house.store.secrets import new_id, new_token
from trine.house.store.store import Store

LONGEST: Final = 40
"""Units: characters; the longest name of a passkey."""
Result = TypeVar("Result")


class PasskeyPurpose(StrEnum):
    """The purposes for which a passkey is asked."""

    CREATE = "create"
    """To create an account with it."""
    ADD = "add"
    """To add it to an account."""
    LOG_IN = "log_in"
    SURE = "sure"
    """To prove that the owner is logged in, before a change."""


@dataclass(frozen=True)
class RelyingParty:
    """The name under which a house is reached, to which passkeys belong."""

    name: str
    origin: str


@dataclass(frozen=True)
class Admitted:
    """The result of a signature."""

    purpose: PasskeyPurpose
    person: str
    token: str = ""
    """The token of a new session, if one has begun."""


class Passkeys:
    """The passkeys of a house."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store, self._accounts = store, accounts
        self.available: Final = find_spec("webauthn") is not None
        """Whether the library for them is there."""

    async def of(self, person: Person) -> Sequence[Passkey]:
        return await self._store.fetch(passkeys.passkeys_of, person=person.id)

    async def remove(self, person: Person, passkey: str, session: str = "") -> EndedSessions:
        """Remove a passkey, unless nothing else lets the person in.

        Args: ``session`` is the token of the person's session, which goes on.
        """
        return await self._store.commit(passkeys.drop_passkey, passkey, person.id, session)

    # --- asking for a signature -------------------------------------------------------------------

    async def begin(
        self,
        purpose: PasskeyPurpose,
        place: RelyingParty,
        person: Person | None,
        session: str,
        *,
        name: str = "",
        password: str = "",
    ) -> tuple[str, str]:
        """Ask for a signature.

        Args: ``session`` is the token of the person's session. ``name`` is that of a new account,
        or of a new passkey.

        Returns: a secret for the browser's return, and the options for it, as JSON.

        Raises:
            TrineError: it cannot be done for this person.
        """
        if not self.available:
            raise HouseError("this house has no passkeys")
        about: dict[str, Any] = {}
        epoch = GUEST_EPOCH
        if purpose is PasskeyPurpose.CREATE:
            about = await self._about_new(person, name)
        elif purpose is not PasskeyPurpose.LOG_IN:
            account = await self._accounts.of(person)
            if not account or not person:
                raise HouseError("log in first")
            about, epoch = {"person": person.id, "name": account.name}, account.credentials_epoch
            if purpose is PasskeyPurpose.ADD:
                about["label"] = label(name)
                account = await self._accounts.check_password(person, password, session)
                epoch = account.credentials_epoch
        known = await self.of(person) if person else []
        challenge, secret, now = new_token(), new_token(), self._store.now()
        kept = Ticket(
            purpose=purpose,
            challenge=challenge,
            about=about,
            expires_at=now + LIFETIME,
            credentials_epoch=epoch,
        )
        options = await in_thread(partial(_options, purpose, place, challenge, about, known))
        hashed = bound(secret, session)
        await self._store.commit(passkeys.issue_ticket, hashed=hashed, ticket=kept, now=now)
        return secret, options

    async def _about_new(self, guest: Person | None, name: str) -> dict[str, Any]:
        shown = account_name(name)
        if guest and guest.has_account:
            raise HouseError("you have an account already; log out first")
        if guest:
            self._accounts.sanctions.check_may_speak(guest.id)
        await self._accounts.check_free(shown)
        return {"person": guest.id if guest else new_id(), "name": shown, "label": ""}

    # --- taking it in -----------------------------------------------------------------------------

    async def finish(self, secret: str, session: str, place: RelyingParty, answer: str) -> Admitted:
        """Check a signature, and do what it was asked for.

        Raises:
            TrineError: the signature is not the requested one, or comes too late.
        """
        now, hashed = self._store.now(), bound(secret, session)
        asked = await self._store.commit(passkeys.redeem_ticket, hashed=hashed, now=now)
        if not asked or not self.available:
            raise PasskeyError
        purpose = PasskeyPurpose(asked.purpose)
        if purpose in (PasskeyPurpose.CREATE, PasskeyPurpose.ADD):
            passkey = await self._made(asked, place, answer)
            if purpose is PasskeyPurpose.CREATE:
                return await self._create(asked, passkey, session)
            await self._store.commit(_add, asked, passkey, session, now)
            return Admitted(purpose, passkey.person)
        passkey, epoch, count = await self._recognise(asked, place, answer)
        use = partial(passkeys.use_passkey, passkey=passkey, counter=count, now=now)
        if purpose is PasskeyPurpose.LOG_IN:
            _, token = await self._accounts.admit(passkey.person, epoch, session, use)
            return Admitted(purpose, passkey.person, token)
        await self._store.commit(use)
        await keep_proof(self._store, passkey.person, asked.credentials_epoch, session, now)
        return Admitted(purpose, passkey.person)

    async def _made(self, asked: Ticket, place: RelyingParty, answer: str) -> Passkey:
        seen = await in_thread(partial(_verified, asked, place, answer, None))
        return Passkey(
            id=_text(seen.credential_id),
            person=str(asked.about["person"]),
            public_key=_text(seen.credential_public_key),
            counter=seen.sign_count,
            name=asked.about["label"],
            made_at=self._store.now(),
        )

    async def _create(self, asked: Ticket, passkey: Passkey, session: str) -> Admitted:
        now, name = self._store.now(), asked.about["name"]

        def write(connection: Connection) -> tuple[Person, str]:
            if read_person(connection, passkey.person):
                check_session(connection, passkey.person, session, now)
            passkeys.create_with_passkey(connection, passkey, name, fold(name), now)
            return self._accounts.begin_registered(connection, passkey.person, session)

        person, token = await self._store.commit(write)
        await self._accounts.belongings.rename(person)
        return Admitted(PasskeyPurpose.CREATE, person.id, token)

    async def _recognise(
        self, asked: Ticket, place: RelyingParty, answer: str
    ) -> tuple[Passkey, int, int]:
        """Return the passkey that has signed, the epoch of its owner, and its new count."""
        try:
            given = json.loads(answer)
            name, handle = str(given["id"]), given["response"].get("userHandle")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise PasskeyError from None
        passkey = await self._store.fetch(passkeys.read_passkey, passkey=name)
        if not passkey or passkey.person != asked.about.get("person", passkey.person):
            raise PasskeyError
        if handle and handle != _text(passkey.person.encode()):
            raise PasskeyError
        epoch = await self._store.fetch(epoch_of, passkey.person)
        seen = await in_thread(partial(_verified, asked, place, answer, passkey))
        return passkey, epoch, seen.new_sign_count


def _add(connection: Connection, asked: Ticket, passkey: Passkey, session: str, now: float) -> None:
    """Add a passkey to an account, if its owner is still logged in where it was begun."""
    passkeys.check_ticket(connection, asked)
    check_session(connection, passkey.person, session, now)
    passkeys.add_passkey(connection, passkey)


def label(name: str) -> str:
    """Return the name for a passkey; never empty."""
    told = " ".join(unicodedata.normalize("NFKC", name).split())
    if len(told) > LONGEST or any(unicodedata.category(sign)[0] == "C" for sign in told):
        raise MalformedError(
            "the name of a passkey has up to {count} letters and signs", count=LONGEST
        )
    return told


def _text(given: bytes) -> str:
    from webauthn.helpers import bytes_to_base64url

    return bytes_to_base64url(given)


# --- the library ---------------------------------------------------------------------------------


def _options(
    purpose: PasskeyPurpose,
    place: RelyingParty,
    challenge: str,
    about: dict[str, Any],
    known: Sequence[Passkey],
) -> str:
    """Return the request for the device, as JSON."""
    import webauthn
    from webauthn.helpers import structs

    seen = [
        structs.PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(one.id))
        for one in known
    ]
    wanted, timeout = structs.UserVerificationRequirement.REQUIRED, int(LIFETIME * 1000)
    if purpose in (PasskeyPurpose.CREATE, PasskeyPurpose.ADD):
        return webauthn.options_to_json(
            webauthn.generate_registration_options(
                rp_id=place.name,
                rp_name="trine",
                user_name=about["name"],
                user_id=about["person"].encode(),
                challenge=challenge.encode(),
                timeout=timeout,
                exclude_credentials=seen,
                authenticator_selection=structs.AuthenticatorSelectionCriteria(
                    resident_key=structs.ResidentKeyRequirement.REQUIRED, user_verification=wanted
                ),
            )
        )
    return webauthn.options_to_json(
        webauthn.generate_authentication_options(
            rp_id=place.name,
            challenge=challenge.encode(),
            timeout=timeout,
            allow_credentials=seen if purpose is PasskeyPurpose.SURE else None,
            user_verification=wanted,
        )
    )


def _verified(asked: Ticket, place: RelyingParty, answer: str, passkey: Passkey | None) -> Any:
    """Return the library's findings on an answer, which is that of a passkey or makes one."""
    import webauthn

    common: dict[str, Any] = {
        "credential": answer,
        "expected_challenge": asked.challenge.encode(),
        "expected_rp_id": place.name,
        "expected_origin": place.origin,
        "require_user_verification": True,
    }
    try:
        if not passkey:
            return webauthn.verify_registration_response(**common)
        return webauthn.verify_authentication_response(
            **common,
            credential_public_key=webauthn.base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.counter,
        )
    except Exception as error:  # whatever the library says of bytes that a stranger has sent
        raise PasskeyError from error
