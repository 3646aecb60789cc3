"""Following people, and who is online."""

import pytest

from house.houses import PASSWORD, Time
from trine.house.app import House
from trine.house.people.online import ONLINE_TIMEOUT, Online
from trine.house.people.relations import MAX_RELATIONS
from trine.house.people.tables import Account, Person
from trine.house.refusals import HouseError


async def account(house: House, name: str) -> tuple[Person, Account]:
    person, _ = await house.accounts.register(None, name, PASSWORD)
    found = await house.accounts.named(name)
    assert found
    return person, found


async def names(house: House, person: Person) -> list[str]:
    return [one.name for one in await house.following.of(person)]


async def test_whom_one_follows_is_kept_once_and_is_ones_own(house: House) -> None:
    (anna, _), (bela, his) = await account(house, "Anna"), await account(house, "Béla")
    _, hers = await account(house, "Aca")
    for other in (his, hers, his):
        await house.following.follow(anna, other)
    assert await names(house, anna) == ["Aca", "Béla"], "in the order of names"
    assert await names(house, bela) == [], "to be followed is no wish of one's own"
    assert await house.following.follows(anna, his)
    assert not await house.following.follows(None, his)
    await house.following.follow(anna, his, on=False)
    await house.following.follow(anna, his, on=False)
    assert await names(house, anna) == ["Aca"]
    with pytest.raises(HouseError, match="yourself"):
        await house.following.follow(bela, his)


async def test_nobody_follows_more_than_a_page_shows(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_RELATIONS <= 200, "the page lists all of them"
    monkeypatch.setattr("trine.house.people.relations.MAX_RELATIONS", 1)
    anna, _ = await account(house, "Anna")
    (_, one), (_, two) = await account(house, "One"), await account(house, "Two")
    await house.following.follow(anna, one)
    await house.following.follow(anna, one)
    with pytest.raises(HouseError, match="1 people already"):
        await house.following.follow(anna, two)
    assert await names(house, anna) == ["One"]


async def test_who_deletes_the_account_follows_nobody_and_is_followed_by_nobody(
    house: House,
) -> None:
    (anna, hers), (bela, his) = await account(house, "Anna"), await account(house, "Béla")
    await house.following.follow(anna, his)
    await house.following.follow(bela, hers)
    await house.accounts.delete(bela, PASSWORD)
    assert await names(house, anna) == [] and not await house.following.follows(bela, hers)


def test_who_has_not_asked_for_a_while_is_online_only_while_connected() -> None:
    time, connected = Time(), set[str]()
    online = Online(time)
    online.connected.append(lambda: connected)
    online.note("a")
    time.now += ONLINE_TIMEOUT / 2
    online.note("b")
    online.hear(["c"])
    assert [online.has(one) for one in "abc"] == [True, True, True]
    time.now += ONLINE_TIMEOUT / 2
    assert [online.has(one) for one in "abc"] == [False, True, True]
    connected.add("a")
    assert online.has("a") and online.here() == {"a", "b"}
    time.now += ONLINE_TIMEOUT
    assert online.here() == {"a"} and not online.has("c")
