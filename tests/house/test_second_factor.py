"""The second factor: codes as published, each good once, and what is left where a device is lost."""

import asyncio
from base64 import b32decode, b32encode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from house.houses import PASSWORD, Time, a_house, members
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.notify.emails import reset_by_hand
from trine.house.people.accounts import CodeNeededError
from trine.house.people.encryption import Encryption
from trine.house.people.factors import factor_of
from trine.house.people.second_factor import (
    CODES,
    DIGITS,
    LIFETIME,
    MAX_ATTEMPTS,
    STEP,
    WrongCodeError,
    new_secret,
    step_of,
)
from trine.house.people.tables import Person

PUBLISHED = b32encode(b"12345678901234567890").decode()
"""The secret of the examples of RFC 6238, appendix B."""


def code_of(secret: str, moment: float) -> str:
    return TOTP(b32decode(secret), DIGITS, SHA1(), STEP).generate(moment).decode()


@pytest.mark.parametrize(
    ("moment", "code"),
    [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_codes_are_those_of_the_standard(moment: int, code: str) -> None:
    assert step_of(PUBLISHED, code, moment) == moment // STEP
    assert step_of(PUBLISHED, f" {code[:3]} {code[3:]}", moment + STEP) == moment // STEP
    assert step_of(PUBLISHED, code, moment + 2 * STEP) is None
    for wrong in ("", code[:-1], f"{code}0", "é" * 6):
        assert step_of(PUBLISHED, wrong, moment) is None


async def set_up(house: House, time: Time, person: Person) -> tuple[str, list[str]]:
    secret = new_secret()
    codes = await house.second_factor.keep(
        person, secret, code_of(secret, time()), PASSWORD, "session"
    )
    return secret, codes


async def ticket(house: House, password: str = PASSWORD) -> str:
    with pytest.raises(CodeNeededError) as needed:
        await house.accounts.log_in("Anna", password, "", house.second_factor.ask)
    return needed.value.ticket


async def test_a_password_alone_does_not_log_in_and_a_code_is_good_once(
    house: House, time: Time
) -> None:
    (anna,) = await members(house, "Anna")
    secret, codes = await set_up(house, time, anna)
    assert len(set(codes)) == CODES
    with pytest.raises(CodeNeededError):
        await house.accounts.log_in("Anna", PASSWORD)
    first = code_of(secret, time())
    with pytest.raises(CodeNeededError) as again:
        await house.second_factor.admit(await ticket(house), first, "")
    assert isinstance(again.value.why, WrongCodeError), "it was used when it was set up"
    time.now += STEP
    code = code_of(secret, time())
    person, token = await house.second_factor.admit(again.value.ticket, code, "")
    assert person.id == anna.id and await house.accounts.person_of(token)
    with pytest.raises(CodeNeededError):
        await house.second_factor.admit(await ticket(house), code, "")
    with pytest.raises(TrineError, match="too long"):
        await house.second_factor.admit(again.value.ticket, code, "")
    late = await ticket(house)
    time.now += LIFETIME + 1
    with pytest.raises(TrineError, match="too long"):
        await house.second_factor.admit(late, code_of(secret, time()), "")
    other = await ticket(house)
    with pytest.raises(TrineError, match="too long"):
        await house.second_factor.admit(other, code_of(secret, time()), "another session")


async def test_recovery_codes_are_good_once_each(house: House, time: Time) -> None:
    (anna,) = await members(house, "Anna")
    _, codes = await set_up(house, time, anna)
    given = codes[3].upper().replace("-", " ")
    assert await house.second_factor.admit(await ticket(house), given, "")
    with pytest.raises(CodeNeededError):
        await house.second_factor.admit(await ticket(house), codes[3], "")
    standing = await house.second_factor.of(anna)
    assert standing and standing.codes == CODES - 1
    with pytest.raises(TrineError):
        await house.second_factor.remove(anna, "wrong words", "")
    await house.second_factor.remove(anna, PASSWORD, "")
    assert await house.accounts.log_in("Anna", PASSWORD)


async def test_codes_cannot_be_tried_for_ever(house: House, time: Time) -> None:
    (anna,) = await members(house, "Anna")
    secret, _ = await set_up(house, time, anna)
    time.now += STEP
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(CodeNeededError):
            await house.second_factor.admit(await ticket(house), "000000x", "")
    with pytest.raises(TrineError, match="too many codes"):
        await house.second_factor.admit(await ticket(house), code_of(secret, time()), "")


async def test_it_goes_with_the_account_and_by_the_host_alone_where_all_is_lost(
    house: House, time: Time
) -> None:
    (anna,) = await members(house, "Anna")
    secret, _ = await set_up(house, time, anna)
    for lost in (False, True):
        path = await house.store.commit(reset_by_hand, anna.id, time(), lost=lost)
        await house.emails.reset(path.rpartition("/")[2], "five new rabbits")
        if not lost:
            assert await ticket(house, "five new rabbits")
    await house.accounts.log_in("Anna", "five new rabbits")
    with pytest.raises(TrineError, match="password"):
        await set_up(house, time, anna)
    secret = new_secret()
    code = code_of(secret, time())
    await house.second_factor.keep(anna, secret, code, "five new rabbits", "")
    await house.accounts.delete(anna, "five new rabbits")
    assert await asyncio.to_thread(house.store.read, factor_of, anna.id) is None


async def test_a_secret_is_stored_encrypted(tmp_path: Path) -> None:
    time, key = Time(), Encryption(b"k" * 32)
    async with a_house(tmp_path, time, encryption=Encryption(None)) as house:
        (anna,) = await members(house, "Anna")
        assert not house.second_factor.available, "what is encrypted could not be decrypted later"
    async with a_house(tmp_path, time, encryption=key) as house:
        secret, _ = await set_up(house, time, anna)
        factor = house.store.read(factor_of, anna.id)
        assert factor and secret not in factor.secret
        time.now += STEP
        assert await house.second_factor._is_right(anna.id, code_of(secret, time()))
    async with a_house(tmp_path, time, encryption=Encryption(b"x" * 32)) as house:
        time.now += STEP
        assert not await house.second_factor._is_right(anna.id, code_of(secret, time()))
