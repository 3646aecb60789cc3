"""Neighbours: every process of a house knows of them, and nothing else can be read from the rows."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from house.houses import Time, a_house, members, until
from trine.core.errors import MalformedError
from trine.house.people.browsers import ACCOUNT_ADDRESS, ADDRESS_LIFETIME, RENOTE_INTERVAL
from trine.house.people.encryption import FILE, VARIABLE, Encryption, read_encryption

KEY = Encryption(b"k" * 32)


async def test_processes_and_later_houses_know_who_was_used_from_one_address(place: str) -> None:
    time = Time()
    async with (
        a_house(place, time, encryption=KEY) as house,
        a_house(place, time, encryption=KEY, home="other") as other,
    ):
        anna, bela, cili = await members(house, "Anna", "Bela", "Cili")
        house.linked_accounts.note(anna.id, "8.8.8.8")
        other.linked_accounts.note(bela.id, "8.8.8.8")
        other.linked_accounts.note(cili.id, "192.168.1.5")
        house.linked_accounts.note(anna.id, "192.168.1.5")
        await until(lambda: len(house.store.read(marks)) == 2)
        assert "8.8" not in str(house.store.read(marks))
        for one in (house, other):
            assert await one.linked_accounts.why_unrated([anna.id, bela.id])
            assert not await one.linked_accounts.why_unrated([anna.id, cili.id])
    async with a_house(place, time, encryption=KEY) as house:
        assert set(await house.linked_accounts.people_from("8.8.8.8")) == {anna.id, bela.id}
        time.now += ADDRESS_LIFETIME - RENOTE_INTERVAL
        await house.linked_accounts.keep(bela.id, "8.8.8.8")
        time.now += 2 * RENOTE_INTERVAL
        assert await house.linked_accounts.people_from("8.8.8.8") == [bela.id]
        assert not await house.linked_accounts.why_unrated([anna.id, bela.id])


def marks(connection: Connection) -> list[str]:
    return list(connection.execute(select(ACCOUNT_ADDRESS.c.keyed_hash)).scalars())


def test_a_house_has_a_key_of_its_own_that_nobody_else_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert not read_encryption(tmp_path, shared=True).persistent, "the others could not know it"
    for shared in (False, True):
        with pytest.raises(MalformedError, match=r"house\.key is missing"):
            read_encryption(tmp_path, shared=shared, used=True)
    made = read_encryption(tmp_path)
    path = tmp_path / FILE
    assert path.stat().st_mode & 0o077 == 0
    assert read_encryption(tmp_path, shared=True).keyed_hash("a") == made.keyed_hash("a")
    path.chmod(0o640)
    with pytest.raises(MalformedError, match="0600"):
        read_encryption(tmp_path)
    monkeypatch.setenv(VARIABLE, "ab" * 32)
    assert read_encryption(tmp_path).keyed_hash("a") == Encryption(
        bytes.fromhex("ab" * 32)
    ).keyed_hash("a")
    monkeypatch.setenv(VARIABLE, "ab")
    with pytest.raises(MalformedError, match="64 hexadecimal"):
        read_encryption(tmp_path)
