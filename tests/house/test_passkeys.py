"""Passkeys: made, used, removed, and what is tried with them."""

import json
from dataclasses import replace
from typing import Any

import pytest

from house.authenticator import PRESENT, Device
from house.houses import PASSWORD, Time
from trine.core.errors import MalformedError, TrineError
from trine.house.app import House
from trine.house.people.accounts import CredentialsError
from trine.house.people.factors import LIFETIME, LastPasskeyError, PasskeyError
from trine.house.people.passkeys import Admitted, PasskeyPurpose, RelyingParty
from trine.house.people.sanctions import BAN
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.store_errors import NameTakenError, TakenError

HERE = RelyingParty("trine.test", "https://trine.test")


async def make(
    house: House, device: Device, person: Person | None = None, session: str = "", **given: str
) -> Admitted:
    """An account with a passkey alone, or a passkey for an account."""
    purpose = PasskeyPurpose.ADD if person and person.has_account else PasskeyPurpose.CREATE
    secret, options = await house.passkeys.begin(purpose, HERE, person, session, **given)
    return await house.passkeys.finish(secret, session, HERE, device.register(options))


async def use(
    house: House,
    device: Device,
    purpose: PasskeyPurpose = PasskeyPurpose.LOG_IN,
    person: Person | None = None,
    session: str = "",
) -> Admitted:
    secret, options = await house.passkeys.begin(purpose, HERE, person, session)
    return await house.passkeys.finish(secret, session, HERE, device.sign(options))


async def test_an_account_with_a_passkey_alone(house: House) -> None:
    guest, before = await house.accounts.welcome("Anna")
    device = Device(HERE.origin)
    made = await make(house, device, guest, before, name="Anna Adler")
    person = await house.accounts.person_of(made.token)
    assert person and (person.id, person.name) == (guest.id, "Anna Adler")
    assert person.has_account and await house.accounts.person_of(before) is None
    for guess in ("", "nobody", "Anna Adler"):
        with pytest.raises(CredentialsError):
            await house.accounts.log_in("Anna Adler", guess)
    there = await use(house, device)
    assert (there.person, there.purpose) == (person.id, PasskeyPurpose.LOG_IN)
    (kept,) = await house.passkeys.of(person)
    assert kept.counter == device.counter == 2 and kept.used_at
    with pytest.raises(LastPasskeyError, match="stays"):
        await house.passkeys.remove(person, kept.id)
    stranger = Device(HERE.origin, b"of somebody new")
    with pytest.raises(NameTakenError):
        await make(house, stranger, None, name="anna adler")
    with pytest.raises(TakenError):
        await make(house, Device(HERE.origin), None, name="Eve")
    new = await make(house, stranger, None, name="Béla")
    assert (await use(house, stranger)).person == new.person != person.id


async def test_nobody_who_is_kept_out_comes_in_by_a_passkey(house: House) -> None:
    device = Device(HERE.origin)
    made = await make(house, device, name="Anna")
    anna = await house.accounts.person_of(made.token)
    assert anna
    adam, _ = await house.accounts.register(None, "Adam", PASSWORD)
    await house.moderation.sanction(adam, anna.id, BAN, "day", "")
    with pytest.raises(HouseError, match="closed"):
        await use(house, device)


async def test_changes_want_the_password_or_a_passkey_just_used(house: House, time: Time) -> None:
    device, other = Device(HERE.origin), Device(HERE.origin, b"another")
    made = await make(house, device, name="Anna")
    person = await house.accounts.person_of(made.token)
    assert person
    with pytest.raises(HouseError, match="confirm"):
        await make(house, other, person, made.token)
    await use(house, device, PasskeyPurpose.SURE, person, made.token)
    elsewhere = (await use(house, device)).token
    with pytest.raises(HouseError, match="confirm"):
        await make(house, other, person, elsewhere)
    await make(house, other, person, made.token, name="the phone")
    with pytest.raises(HouseError, match="confirm"):  # it counts once
        await house.accounts.change_password(person, "", PASSWORD, made.token)
    await use(house, other, PasskeyPurpose.SURE, person, made.token)
    time.now += LIFETIME + 1
    with pytest.raises(HouseError, match="confirm"):
        await house.accounts.change_password(person, "", PASSWORD, made.token)
    await use(house, other, PasskeyPurpose.SURE, person, made.token)
    token, _ = await house.accounts.change_password(person, "", PASSWORD, made.token)
    with pytest.raises(HouseError, match="wrong"):
        await make(house, Device(HERE.origin, b"third"), person, token, password="a guess")
    for kept in await house.passkeys.of(person):
        await house.passkeys.remove(person, kept.id)
    assert not await house.passkeys.of(person)
    with pytest.raises(PasskeyError):
        await use(house, device)
    await house.accounts.delete(person, PASSWORD)


async def test_what_is_signed_counts_once_in_time_and_for_whoever_asked(
    house: House, time: Time
) -> None:
    device, eve = Device(HERE.origin), Device(HERE.origin, b"of Eve")
    made, hers = await make(house, device, name="Anna"), await make(house, eve, name="Eve")
    anna, evil = (
        await house.accounts.person_of(made.token),
        await house.accounts.person_of(hers.token),
    )
    assert anna and evil
    finish = house.passkeys.finish

    async def asked(session: str = "") -> tuple[str, str]:
        return await house.passkeys.begin(PasskeyPurpose.LOG_IN, HERE, None, session)

    secret, options = await asked()
    answer = device.sign(options)
    for wrong in ("x" * 43, ""):
        with pytest.raises(PasskeyError):
            await finish(wrong, "", HERE, answer)
    with pytest.raises(PasskeyError):
        await finish(secret, "another session", HERE, answer)
    assert (await finish(secret, "", HERE, answer)).person == anna.id
    with pytest.raises(PasskeyError):  # replayed
        await finish(secret, "", HERE, answer)
    secret, options = await asked()
    answer = device.sign(options)
    time.now += LIFETIME + 1
    with pytest.raises(PasskeyError):  # too late
        await finish(secret, "", HERE, answer)
    other, _ = await asked()
    with pytest.raises(PasskeyError):  # signed for another question
        await finish(other, "", HERE, answer)
    with pytest.raises(PasskeyError):  # the owner of another account is not sure of this one
        await use(house, eve, PasskeyPurpose.SURE, anna, made.token)


@pytest.mark.parametrize(
    "device",
    [
        Device("https://evil.test"),
        Device(HERE.origin, counter=-1),  # a copy, which has fallen behind
        Device(HERE.origin, flags=PRESENT),
        Device(HERE.origin, handle=b"somebody else"),
        Device(HERE.origin),
    ],
)
async def test_a_passkey_that_is_not_right_opens_nothing(house: House, device: Device) -> None:
    true = Device(HERE.origin)
    await make(house, true, name="Anna")
    if device != Device(HERE.origin, key=device.key):  # the last one has a key of its own
        device.key, device.handle = true.key, device.handle or true.handle
    with pytest.raises(PasskeyError):
        await use(house, device)
    assert await use(house, replace(true, counter=5))


@pytest.mark.parametrize(
    "answer", ["", "null", "[]", "{}", '{"id":"x"}', "[" * 9000, '{"id":1,"response":[]}', "\x00"]
)
async def test_an_answer_that_is_none_is_refused(house: House, answer: str) -> None:
    for purpose, given in ((PasskeyPurpose.LOG_IN, {}), (PasskeyPurpose.CREATE, {"name": "Anna"})):
        secret, _ = await house.passkeys.begin(purpose, HERE, None, "", **given)
        with pytest.raises(PasskeyError):
            await house.passkeys.finish(secret, "", HERE, answer)


async def test_a_house_without_the_library_says_so(house: House) -> None:
    house.passkeys.available = False  # type: ignore[misc]
    with pytest.raises(HouseError, match="no passkeys"):
        await house.passkeys.begin(PasskeyPurpose.LOG_IN, HERE, None, "")


async def test_the_options_ask_for_what_is_checked(house: House) -> None:
    _, told = await house.passkeys.begin(PasskeyPurpose.CREATE, HERE, None, "", name="Anna")
    asked: dict[str, Any] = json.loads(told)
    assert asked["rp"]["id"] == HERE.name and asked["attestation"] == "none"
    assert asked["authenticatorSelection"]["residentKey"] == "required"
    assert asked["authenticatorSelection"]["userVerification"] == "required"
    with pytest.raises(MalformedError):
        await house.passkeys.begin(PasskeyPurpose.CREATE, HERE, None, "", name="An\u202ena")
    with pytest.raises(TrineError):
        await house.passkeys.begin(PasskeyPurpose.ADD, HERE, None, "", name="x")
