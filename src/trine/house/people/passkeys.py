"""Passkeys: logging in with a device's signature in place of a password.

A passkey is bound to the host name of the house, and signs only for pages there. It signs a
challenge that the house makes for one browser and one session, valid once, for two minutes.

Source: Web Authentication, level 3 (W3C).
"""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from typing import Any, Final

from sqlalchemy import Connection

from trine.core.errors import MalformedError
from trine.core.work.cpu_account import in_thread
from trine.house.people import factors
from trine.house.people.accounts import Accounts
from trine.house.people.credentials import GUEST_EPOCH, EndedSessions, check_session, epoch_of
from trine.house.people.factors import LIFETIME, Passkey, PasskeyError, Ticket
from trine.house.people.names import account_name, fold
from trine.house.people.tables import Person, read_person
from trine.house.refusals import HouseError
from trine.house.store.secrets import new_id, new_token
from trine.house.store.store import Store

MAX_LABEL_LENGTH: Final = 40  # characters


class PasskeyPurpose(StrEnum):
    """The purposes of a passkey's signature."""

    CREATE = "create"  # to create an account with the passkey
    ADD = "add"  # to add the passkey to an account
    LOG_IN = "log_in"
    SURE = "sure"  # to prove that the owner is logged in, before a change


@dataclass(frozen=True)
class RelyingParty:
    """The host name and the origin of the house, as in the request; passkeys are bound to them."""

    name: str
    origin: str


@dataclass(frozen=True)
class Admitted:
    """The result of a signature."""

    purpose: PasskeyPurpose
    person: str
    token: str = ""  # the token of a new session, if one has begun


class Passkeys:
    """Registration of, and login with, the passkeys of accounts."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store, self._accounts = store, accounts
        self.available: Final = find_spec("webauthn") is not None

    async def of(self, person: Person) -> Sequence[Passkey]:
        return await self._store.fetch(factors.passkeys_of, person_id=person.id)

    async def remove(self, person: Person, passkey: str, session: str = "") -> EndedSessions:
        """Remove a passkey, unless it is the only way to log in; ``session`` continues."""
        return await self._store.commit(factors.drop_passkey, passkey, person.id, session)

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
        """Issue the challenge for a signature.

        ``session`` is the token of the person's session. ``name`` names the new account or passkey.

        Returns: a secret to be sent back with the signature, and the browser's options, as JSON.
        Raises `TrineError` if the purpose is not possible for this person.
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
        present = await self.of(person) if person else []
        challenge, secret, now = new_token(), new_token(), self._store.now()
        ticket = Ticket(
            purpose=purpose,
            challenge=challenge,
            about=about,
            expires_at=now + LIFETIME,
            credentials_epoch=epoch,
        )
        options = await in_thread(partial(_options, purpose, place, challenge, about, present))
        await self._store.commit(factors.issue_ticket, secret, session, ticket, now)
        return secret, options

    async def _about_new(self, guest: Person | None, name: str) -> dict[str, Any]:
        shown = account_name(name)
        if guest and guest.has_account:
            raise HouseError("you have an account already; log out first")
        if guest:
            self._accounts.sanctions.check_may_speak(guest.id)
        await self._accounts.check_free(shown)
        return {"person": guest.id if guest else new_id(), "name": shown, "label": ""}

    async def finish(self, secret: str, session: str, place: RelyingParty, answer: str) -> Admitted:
        """Check a signature, and carry out its purpose; raises `TrineError` if wrong or late."""
        now = self._store.now()
        asked = await self._store.commit(factors.redeem_ticket, secret, session, now)
        if not asked or not self.available:
            raise PasskeyError
        purpose = PasskeyPurpose(asked.purpose)
        if purpose in (PasskeyPurpose.CREATE, PasskeyPurpose.ADD):
            passkey = await self._new_passkey(asked, place, answer)
            if purpose is PasskeyPurpose.CREATE:
                return await self._create(asked, passkey, session)
            await self._store.commit(_add, asked, passkey, session, now)
            return Admitted(purpose, passkey.person)
        passkey, epoch, count = await self._recognise(asked, place, answer)
        use = partial(factors.use_passkey, passkey=passkey, counter=count, now=now)
        if purpose is PasskeyPurpose.LOG_IN:
            _, token = await self._accounts.admit(passkey.person, epoch, session, use)
            return Admitted(purpose, passkey.person, token)
        await self._store.commit(use)
        await factors.keep_proof(self._store, passkey.person, asked.credentials_epoch, session, now)
        return Admitted(purpose, passkey.person)

    async def _new_passkey(self, asked: Ticket, place: RelyingParty, answer: str) -> Passkey:
        seen = await in_thread(partial(_verify, asked, place, answer, None))
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
            factors.create_with_passkey(connection, passkey, name, fold(name), now)
            return self._accounts.begin_registered(connection, passkey.person, session)

        person, token = await self._store.commit(write)
        await self._accounts.belongings.rename(person)
        return Admitted(PasskeyPurpose.CREATE, person.id, token)

    async def _recognise(
        self, asked: Ticket, place: RelyingParty, answer: str
    ) -> tuple[Passkey, int, int]:
        """Return the passkey that has signed, the epoch of its owner, and its new count."""
        try:
            credential = json.loads(answer)
            name, handle = str(credential["id"]), credential["response"].get("userHandle")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise PasskeyError from None
        passkey = await self._store.fetch(factors.read_passkey, passkey=name)
        if not passkey or passkey.person != asked.about.get("person", passkey.person):
            raise PasskeyError
        if handle and handle != _text(passkey.person.encode()):
            raise PasskeyError
        epoch = await self._store.fetch(epoch_of, passkey.person)
        seen = await in_thread(partial(_verify, asked, place, answer, passkey))
        return passkey, epoch, seen.new_sign_count


def _add(connection: Connection, asked: Ticket, passkey: Passkey, session: str, now: float) -> None:
    """Add a passkey to an account, if the session of the request is still valid."""
    factors.check_ticket(connection, asked)
    check_session(connection, passkey.person, session, now)
    factors.add_passkey(connection, passkey)


def label(name: str) -> str:
    """Normalize the name of a passkey for display."""
    label = " ".join(unicodedata.normalize("NFKC", name).split())
    if len(label) > MAX_LABEL_LENGTH or any(unicodedata.category(sign)[0] == "C" for sign in label):
        raise MalformedError(
            "the name of a passkey has up to {count} letters and signs", count=MAX_LABEL_LENGTH
        )
    return label


def _text(raw: bytes) -> str:
    from webauthn.helpers import bytes_to_base64url

    return bytes_to_base64url(raw)


def _options(
    purpose: PasskeyPurpose,
    place: RelyingParty,
    challenge: str,
    about: dict[str, Any],
    present: Sequence[Passkey],
) -> str:
    """Return the options that ask a device for a signature, as JSON."""
    import webauthn
    from webauthn.helpers import structs

    seen = [
        structs.PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(passkey.id))
        for passkey in present
    ]
    wanted = structs.UserVerificationRequirement.REQUIRED
    common: dict[str, Any] = {
        "rp_id": place.name,
        "challenge": challenge.encode(),
        "timeout": int(LIFETIME * 1000),
    }
    if purpose not in (PasskeyPurpose.CREATE, PasskeyPurpose.ADD):
        options = webauthn.generate_authentication_options(
            **common,
            allow_credentials=seen if purpose is PasskeyPurpose.SURE else None,
            user_verification=wanted,
        )
        return webauthn.options_to_json(options)
    made = webauthn.generate_registration_options(
        **common,
        rp_name="trine",
        user_name=about["name"],
        user_id=about["person"].encode(),
        exclude_credentials=seen,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED, user_verification=wanted
        ),
    )
    return webauthn.options_to_json(made)


def _verify(asked: Ticket, place: RelyingParty, answer: str, passkey: Passkey | None) -> Any:
    """Verify an answer by the library: a signature of ``passkey``, or without one a new passkey."""
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
    except Exception as error:  # the library may raise anything on malformed bytes
        raise PasskeyError from error
