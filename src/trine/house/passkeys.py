"""Passkeys: accounts that are let in by a signature of a device, in the place of a password.

A passkey belongs to the name under which the house was reached, and signs only for pages there.
What it signs is chosen by the house for one browser and one session, for one use in two minutes.

Source: Web Authentication, level 3 (W3C).
"""

from __future__ import annotations

import asyncio
import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeVar

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.house.names import account_name, fold
from trine.house.refusals import HouseError
from trine.store import passkeys
from trine.store.passkeys import Ceremony, Passkey
from trine.store.people import Person
from trine.store.refusals import NameTakenError
from trine.store.tokens import new_id, new_token, token_hash

if TYPE_CHECKING:
    from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
    from webauthn.registration.verify_registration_response import VerifiedRegistration

    from trine.house.house import House

LIFETIME: Final = 120.0
"""Units: seconds; so long something may be signed, and a signature says that its owner is there."""
LONGEST: Final = 40
"""Units: characters, of the name of a passkey."""
PROVEN: Final = "proven"
Result = TypeVar("Result")


class Purpose(StrEnum):
    """The things for which a passkey is asked."""

    CREATE = "create"
    """To create an account with it."""
    ADD = "add"
    """To add it to an account."""
    LOG_IN = "log_in"
    SURE = "sure"
    """To show that it is the owner who is logged in, before a change."""


class PasskeyError(HouseError):
    """A passkey was not accepted; it is not said why."""

    def __init__(self) -> None:
        super().__init__(text("this passkey was not accepted; try again"))


@dataclass(frozen=True)
class Place:
    """The name under which a house is reached, as passkeys know it."""

    name: str
    origin: str


@dataclass(frozen=True)
class Admitted:
    """The result of a signature."""

    purpose: Purpose
    person: str
    token: str = ""
    """Of a new session, where one has begun."""


class Passkeys:
    """The passkeys of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.available: Final = find_spec("webauthn") is not None
        """Whether the library for them is there."""

    async def of(self, person: Person) -> Sequence[Passkey]:
        """The passkeys of somebody, the oldest first."""
        return await asyncio.to_thread(
            self._house.store.read, passkeys.passkeys_of, person=person.id
        )

    async def remove(self, person: Person, passkey: str) -> None:
        """Remove a passkey.

        Raises:
            HouseError: there is none, or nothing else lets the person in.
        """
        dropped = await asyncio.wrap_future(
            self._house.store.write(passkeys.drop_passkey, passkey=passkey, person=person.id)
        )
        if not dropped:
            raise HouseError(text("the last passkey of an account without a password stays"))

    # --- asking for a signature -------------------------------------------------------------------

    async def begin(
        self,
        purpose: Purpose,
        place: Place,
        person: Person | None,
        session: str,
        *,
        name: str = "",
        password: str = "",
    ) -> tuple[str, str]:
        """Ask for a signature.

        Args: ``session`` is the token of whoever asks. ``name`` is that of a new account, or of a
        new passkey.

        Returns: a secret for the browser, with which it comes back; and options for it, as JSON.

        Raises:
            TrineError: it cannot be done for this person.
        """
        if not self.available:
            raise HouseError(text("this house has no passkeys"))
        about: dict[str, Any] = {}
        if purpose is Purpose.CREATE:
            about = await self._about_new(person, name)
        elif purpose is not Purpose.LOG_IN:
            account = await self._house.accounts.of(person)
            if not account or not person:
                raise HouseError(text("log in first"))
            about = {"person": person.id, "name": account.name}
            if purpose is Purpose.ADD:
                about["label"] = label(name)
                await self._house.accounts.check_password(person, password, session)
        known = await self.of(person) if person else []
        challenge, secret, now = new_token(), new_token(), self._house.now()
        kept = Ceremony(purpose, challenge, about, now + LIFETIME)
        options = await asyncio.to_thread(_options, purpose, place, challenge, about, known)
        hashed = _bound(secret, session)
        await asyncio.wrap_future(
            self._house.store.write(passkeys.make_ceremony, hashed=hashed, ceremony=kept, now=now)
        )
        return secret, options

    async def _about_new(self, guest: Person | None, name: str) -> dict[str, Any]:
        shown = account_name(name)
        if guest and guest.has_account:
            raise HouseError(text("you have an account already; log out first"))
        if await self._house.accounts.named(shown):
            raise NameTakenError
        return {"person": guest.id if guest else new_id(), "name": shown, "label": ""}

    # --- taking it in -----------------------------------------------------------------------------

    async def finish(self, secret: str, session: str, place: Place, answer: str) -> Admitted:
        """Take a signature in, and do what it was asked for.

        Raises:
            TrineError: it is not the one that was asked for, or comes too late.
        """
        now, bound = self._house.now(), _bound(secret, session)
        asked = await asyncio.wrap_future(
            self._house.store.write(passkeys.take_ceremony, hashed=bound, now=now)
        )
        if not asked or not self.available:
            raise PasskeyError
        purpose = Purpose(asked.purpose)
        if purpose in (Purpose.CREATE, Purpose.ADD):
            person = await self._keep(asked, place, answer)
        else:
            person = await self._recognise(asked, place, answer)
        if purpose in (Purpose.CREATE, Purpose.LOG_IN):
            _, token = await self._house.accounts.admit(person, session)
            return Admitted(purpose, person, token)
        if purpose is Purpose.SURE:
            await asyncio.wrap_future(
                self._house.store.write(
                    passkeys.make_ceremony,
                    hashed=_bound(PROVEN, session),
                    ceremony=Ceremony(PROVEN, "", {"person": person}, now + LIFETIME),
                    now=now,
                )
            )
        return Admitted(purpose, person)

    async def _keep(self, asked: Ceremony, place: Place, answer: str) -> str:
        """Keep a new passkey: the id of its owner."""
        seen = await asyncio.to_thread(_registered, asked.challenge, place, answer)
        now, person = self._house.now(), str(asked.about["person"])
        passkey = Passkey(
            *(_text(seen.credential_id), person, _text(seen.credential_public_key)),
            *(seen.sign_count, asked.about["label"], now),
        )
        if asked.purpose == Purpose.CREATE:
            name = asked.about["name"]
            kept = self._house.store.write(
                passkeys.create_with_passkey, passkey=passkey, name=name, folded=fold(name), now=now
            )
        else:
            kept = self._house.store.write(passkeys.add_passkey, passkey=passkey)
        await asyncio.wrap_future(kept)
        return person

    async def _recognise(self, asked: Ceremony, place: Place, answer: str) -> str:
        """Recognise the owner of a passkey: the id of the person."""
        try:
            given = json.loads(answer)
            name, handle = str(given["id"]), given["response"].get("userHandle")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise PasskeyError from None
        passkey = await asyncio.to_thread(
            self._house.store.read, passkeys.read_passkey, passkey=name
        )
        if not passkey or passkey.person != asked.about.get("person", passkey.person):
            raise PasskeyError
        if handle and handle != _text(passkey.person.encode()):
            raise PasskeyError
        seen = await asyncio.to_thread(_signed, asked.challenge, place, answer, passkey)
        used = await asyncio.wrap_future(
            self._house.store.write(
                passkeys.use_passkey,
                passkey=passkey,
                counter=seen.new_sign_count,
                now=self._house.now(),
            )
        )
        if not used:
            raise PasskeyError
        return passkey.person

    async def is_proven(self, person: Person, session: str) -> bool:
        """Whether the owner has just shown to be there, by a passkey; it counts once."""
        if not session:
            return False
        hashed, now = _bound(PROVEN, session), self._house.now()
        found = await asyncio.wrap_future(
            self._house.store.write(passkeys.take_ceremony, hashed=hashed, now=now)
        )
        return found is not None and found.about["person"] == person.id


def label(name: str) -> str:
    """The name of a passkey; none is empty.

    Raises:
        MalformedError: it cannot be one.
    """
    told = " ".join(unicodedata.normalize("NFKC", name).split())
    if len(told) > LONGEST or any(unicodedata.category(sign)[0] == "C" for sign in told):
        raise MalformedError(
            text("the name of a passkey has up to {count} letters and signs", count=LONGEST)
        )
    return told


def _bound(secret: str, session: str) -> str:
    return token_hash(f"{secret} {session}")


def _text(given: bytes) -> str:
    from webauthn.helpers import bytes_to_base64url

    return bytes_to_base64url(given)


# --- the library ---------------------------------------------------------------------------------


def _options(
    purpose: Purpose, place: Place, challenge: str, about: dict[str, Any], known: Sequence[Passkey]
) -> str:
    """The question for the device, as JSON."""
    import webauthn
    from webauthn.helpers import structs

    seen = [
        structs.PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(one.id))
        for one in known
    ]
    wanted, timeout = structs.UserVerificationRequirement.REQUIRED, int(LIFETIME * 1000)
    if purpose in (Purpose.CREATE, Purpose.ADD):
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
                    resident_key=structs.ResidentKeyRequirement.REQUIRED,
                    user_verification=wanted,
                ),
            )
        )
    return webauthn.options_to_json(
        webauthn.generate_authentication_options(
            rp_id=place.name,
            challenge=challenge.encode(),
            timeout=timeout,
            allow_credentials=seen if purpose is Purpose.SURE else None,
            user_verification=wanted,
        )
    )


def _registered(challenge: str, place: Place, answer: str) -> VerifiedRegistration:
    import webauthn

    try:
        return webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=challenge.encode(),
            expected_rp_id=place.name,
            expected_origin=place.origin,
            require_user_verification=True,
        )
    except Exception as error:  # whatever the library says of bytes that a stranger has sent
        raise PasskeyError from error


def _signed(challenge: str, place: Place, answer: str, passkey: Passkey) -> VerifiedAuthentication:
    import webauthn

    try:
        return webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=challenge.encode(),
            expected_rp_id=place.name,
            expected_origin=place.origin,
            credential_public_key=webauthn.base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.counter,
            require_user_verification=True,
        )
    except Exception as error:  # whatever the library says of bytes that a stranger has sent
        raise PasskeyError from error
