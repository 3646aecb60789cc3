"""Challenges, reports and sanctions in a house: limits, time, and restarts."""

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest
from sqlalchemy import Connection, insert

from house.houses import PASSWORD, OpenHouse, Time
from trine.core.clock import DAY
from trine.core.errors import TrineError
from trine.house.api.streams import Stream
from trine.house.app import House
from trine.house.games.live.actor_requests import rematch
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import CommandMeta, resign
from trine.house.lobby.challenges import LIVE_LIFETIME, MAX_OF_ONE
from trine.house.moderation.moderation import MAX_REPORTS
from trine.house.people.credentials import CredentialsChangedError
from trine.house.people.sanctions import BAN, MUTE, SANCTION, SanctionRow, add_sanction
from trine.house.people.tables import BOT_ROLE, Account, Person, sessions_of, set_role
from trine.house.store.schema import values_of

GAME = Agreement.make("corridor", clock="5+5")


async def registered(house: House, name: str) -> tuple[Person, Account]:
    person, _ = await house.accounts.register(None, name, PASSWORD)
    account = await house.accounts.of(person)
    assert account
    return person, account


class Ear:
    def __init__(self) -> None:
        self.games: list[str] = []
        self.told = 0

    def begun(self, game: str) -> None:
        self.games.append(game)

    def challenged(self) -> None:
        self.told += 1


async def test_a_challenge_is_accepted_once_and_outlives_the_house(
    house: House, open_house: OpenHouse
) -> None:
    (anna, _), (bela, other) = [await registered(house, name) for name in ("Anna", "Bela")]
    challenge = await house.challenges.open(anna, other, GAME, side=1)
    house = await open_house()
    await house.challenges.refresh()
    assert [one.id for one in house.challenges.of(bela.id)] == [challenge.id]
    ear = Ear()
    house.subscribers.add(anna.id, cast("Stream", ear))
    with pytest.raises(TrineError):
        await house.challenges.accept(challenge.id, anna)
    done = await asyncio.gather(
        *(house.challenges.accept(challenge.id, bela) for _ in range(4)), return_exceptions=True
    )
    games = [one for one in done if isinstance(one, str)]
    assert len(games) == 1 and ear.games == games and ear.told == 1
    host = await house.games.actor(games[0])
    assert [seat.person for seat in host.game.seats] == [bela.id, anna.id] and host.game
    assert house.lobby.led_to(anna) == games[0]
    assert not house.challenges.of(anna.id)


async def test_two_who_challenge_each_other_have_one_game(house: House) -> None:
    (anna, own), (bela, other) = [await registered(house, name) for name in ("Anna", "Bela")]
    challenge = await house.challenges.open(anna, other, GAME, side=1)
    assert await house.challenges.open(anna, other, GAME, side=1) == challenge
    for side in (0, None):
        with pytest.raises(TrineError, match="has challenged you"):
            await house.challenges.open(bela, own, GAME, side=side)
    assert await house.challenges.open(bela, own, GAME, side=1), "both want to begin second"
    await house.challenges.refuse(challenge.id, bela)
    assert await house.challenges.open(bela, own, GAME)


async def test_challenges_expire_and_are_not_without_end(house: House, time: Time) -> None:
    (anna, own), (bela, other) = [await registered(house, name) for name in ("Anna", "Bela")]
    guest, _ = await house.accounts.welcome("Guest C")
    four = Agreement.make("corridor", options={"Players": "4"}, clock="5+5")
    for person, account, agreement in ((anna, own, GAME), (guest, own, GAME), (anna, other, four)):
        with pytest.raises(TrineError):
            await house.challenges.open(person, account, agreement)
    for minutes in range(1, MAX_OF_ONE + 1):
        agreed = Agreement.make("corridor", clock=f"{minutes}+5")
        await house.challenges.open(anna, other, agreed)
    with pytest.raises(TrineError, match="already"):
        await house.challenges.open(anna, other, GAME, side=0)
    slow = await house.challenges.open(bela, own, Agreement.make("corridor"))
    time.now += LIVE_LIFETIME + 1
    assert [one.id for one in house.challenges.of(anna.id)] == [slow.id]
    await house.challenges.refresh()
    assert [one.id for one in house.challenges.of(anna.id)] == [slow.id]
    await house.challenges.refuse(slow.id, bela)
    assert not house.challenges.of(anna.id)


async def test_what_is_imposed_or_lifted_during_a_look_holds_at_once(house: House) -> None:
    anna, _ = await registered(house, "Anna")
    fetch, read, go_on = house.store.fetch, asyncio.Event(), asyncio.Event()

    async def slow_fetch(*given: Any, **named: Any) -> Any:
        found = await fetch(*given, **named)
        read.set()
        await go_on.wait()
        return found

    row = SanctionRow("one", anna.id, BAN, 0.0, 9e9, "")
    for holds in (True, False):
        read.clear()
        go_on.clear()
        house.store.fetch = slow_fetch  # type: ignore[method-assign]
        looking = asyncio.create_task(house.sanctions.refresh())
        await read.wait()
        house.store.fetch = fetch  # type: ignore[method-assign]
        work = house.sanctions.impose(row) if holds else house.sanctions.lift("one")
        acting = asyncio.create_task(work)
        await asyncio.sleep(0)
        await house.store.commit(set_role, anna.id, None)  # behind it, if it went on
        go_on.set()
        await asyncio.gather(looking, acting)
        assert bool(house.sanctions.holds(anna.id, BAN)) is holds


async def test_nobody_logs_in_while_being_kept_out(house: House) -> None:
    anna, _ = await registered(house, "Anna")
    row = SanctionRow("one", anna.id, BAN, 0.0, 9e9, "")
    await house.store.commit(add_sanction, row=row)  # by another process, a moment ago
    with pytest.raises(TrineError, match="closed until"):
        await house.accounts.log_in("Anna", PASSWORD)
    await house.sanctions.lift("one")
    held, admitted = house.store.commit, 0

    async def commit(statement: Any, *given: Any, **named: Any) -> Any:
        nonlocal admitted
        if statement.__qualname__.startswith("Accounts.admit") and not admitted:
            admitted = 1
            await held(add_sanction, row=replace(row, id="two"))  # by another process
        return await held(statement, *given, **named)

    house.store.commit = commit  # type: ignore[method-assign]
    with pytest.raises(CredentialsChangedError):
        await house.accounts.log_in("Anna", PASSWORD)
    assert house.store.read(sessions_of, anna.id, 0.0) == []


async def test_reports_have_a_limit_and_a_mute_an_end(
    house: House, open_house: OpenHouse, time: Time
) -> None:
    anna, _ = await registered(house, "Anna")
    mary, _ = await registered(house, "Mary")
    await house.store.commit(set_role, mary.id, "admin")
    others = [
        (await house.accounts.welcome(f"Pest {number}"))[0] for number in range(MAX_REPORTS + 1)
    ]
    for one in others[:-1]:
        await house.moderation.report(anna, one.id, "spam")
    with pytest.raises(TrineError, match="too much"):
        await house.moderation.report(anna, others[-1].id, "spam")
    cases = await house.moderation.cases()
    assert [case.person for case in cases] == [one.name for one in others[:-1]]
    with pytest.raises(TrineError):
        await house.moderation.sanction(mary, mary.id, MUTE, "day", "")
    await house.moderation.sanction(mary, others[0].id, MUTE, "day", "spam")
    assert house.sanctions.is_muted(others[0].id)
    house = await open_house()
    assert house.sanctions.is_muted(others[0].id), "a mute ends with the house"
    time.now += DAY + 1
    assert not house.sanctions.is_muted(others[0].id)
    await house.moderation.report(anna, others[-1].id, "spam")
    told = await house.moderation.log()
    assert [(row.what, actor, person) for row, actor, person in told] == [(MUTE, "Mary", "Pest 0")]


async def test_programs_do_not_play_again_for_ever(house: House) -> None:
    (anna, _), (bela, other) = [await registered(house, name) for name in ("Anna", "Bela")]
    for person in (anna, bela):
        await house.store.commit(set_role, person.id, BOT_ROLE)
    challenge = await house.challenges.open(anna, other, GAME, side=0)
    host = await house.games.actor(await house.challenges.accept(challenge.id, bela))
    await host.do(resign, CommandMeta(anna.id, "one", None, 0.0))
    with pytest.raises(TrineError, match="by a challenge"):
        await rematch(host, CommandMeta(anna.id, "two", None, 0.0))


async def test_a_ban_for_ever_holds_among_any_number_of_others(house: House) -> None:
    def sentence(connection: Connection, person: str) -> None:
        rows = [
            SanctionRow(f"short {number}", person, MUTE, 0.0, 8e9, "") for number in range(10_000)
        ]
        connection.execute(insert(SANCTION), [values_of(row) for row in rows])
        add_sanction(connection, SanctionRow("ever", person, BAN, 0.0, 9e9, ""))

    anna, _ = await registered(house, "Anna")
    await house.store.commit(sentence, anna.id)
    await house.sanctions.refresh()
    assert house.sanctions.holds(anna.id, BAN)
    await house.sanctions.lift("ever")
    assert not house.sanctions.holds(anna.id, BAN)
