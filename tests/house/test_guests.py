"""What comes along when a guest logs in to an account that there was before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from house.houses import Eye, a_house, asked, first_turn, story, two_at_a_board
from trine.house.agreement import LINK, ME, Agreement
from trine.house.house import House
from trine.house.presence import Presence
from trine.house.refusals import NotYoursError
from trine.house.study import Study
from trine.house.tournaments import Announcement
from trine.store.people import Person
from trine.tournament.plan import Format, Plan

PASSWORD = "four quiet rabbits"


async def two_of_one(house: House) -> tuple[Person, Person, str]:
    """An account, a guest, and the guest's token."""
    anna, _ = await house.accounts.register(None, "Anna Adler", PASSWORD)
    guest, token = await house.welcome("Guest of Anna")
    return anna, guest, token


async def at_a_board(house: House, one: Person, two: Person) -> str:
    name, links = await house.create(Agreement.make("corridor"), [ME, LINK], one)
    await house.join(links[1], two)
    return name


@story
async def test_games_and_analyses_of_a_guest_come_along(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        anna, guest, token = await two_of_one(house)
        other, _ = await house.welcome("Béla")
        running = await house.host(await at_a_board(house, guest, other))
        over = await house.host(await at_a_board(house, other, guest))
        await over.resign(asked(other))
        alone, _ = await house.create(Agreement.make("tzaar"), [ME, ME], guest)
        study = await house.studies.create(guest.id, '[Game "corridor"]\n')
        opened: Study = await house.studies.study(study)
        page = Eye()
        await running.enter(page, guest.id)
        assert running.snapshot.presence[0] is Presence.HERE
        person, _ = await house.accounts.log_in("Anna Adler", PASSWORD, token)
        assert person.id == anna.id and await house.person_of(token) is None
        games = {game.id for game in house.store.games_of(anna.id)}
        assert games == {running.id, over.id, alone}
        assert not house.store.games_of(guest.id)
        assert running.game and running.game.play.mover == 0
        with pytest.raises(NotYoursError):
            await running.turn(asked(guest), first_turn(running.game.play))
        await running.turn(asked(anna), first_turn(running.game.play))
        assert (await house.host(alone)).snapshot.seats_of(anna.id) == {0, 1}
        assert opened.owner == anna.id
        assert [one.id for one in house.store.studies.of(anna.id)] == [study]
        running.leave(page, closed=True)  # the page was a guest's when it was opened
        await running.turn(asked(other), first_turn(running.game.play))
        assert running.snapshot.presence[0] is not Presence.HERE
        assert set(house.store.waiting_for(anna.id)) == {running.id, alone}
        assert house.store.waiting_for(guest.id) == []
    async with a_house(tmp_path) as house:
        assert (await house.host(running.id)).snapshot.seats_of(anna.id) == {0}


@story
async def test_at_a_board_of_both_each_keeps_the_own_seat(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        anna, guest, token = await two_of_one(house)
        both = await at_a_board(house, anna, guest)
        other = await at_a_board(house, guest, (await house.welcome("Béla"))[0])
        await house.accounts.log_in("Anna Adler", PASSWORD, token)
        assert [row.person for row in house.store.seats(both)] == [anna.id, guest.id]
        assert (await house.host(both)).snapshot.seats_of(anna.id) == {0}
        assert house.store.seats(other)[0].person == anna.id
        assert await house.person_of(token) is None, "the guest can still play against the account"


@story
async def test_a_guest_in_a_tournament_is_the_account_there(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        anna, guest, token = await two_of_one(house)
        plan, agreed = Plan(Format.ROUND_ROBIN), Agreement.make("corridor", clock="5+5")
        names = [
            await house.tournaments.create(anna, Announcement(name, plan, agreed))
            for name in ("One", "Two")
        ]
        for name in names:
            await house.tournaments.join(name, guest)
        await house.tournaments.join(names[1], anna)
        await house.accounts.log_in("Anna Adler", PASSWORD, token)
        first, second = [await house.tournaments.read(name) for name in names]
        assert first.of_person(anna.id) and not first.of_person(guest.id)
        assert second.of_person(anna.id) and second.of_person(guest.id)


@story
async def test_only_a_guest_gives_anything_away(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        anna, _, _ = await two_of_one(house)
        eve, hers = await house.accounts.register(None, "Eve", PASSWORD)
        game = await at_a_board(house, eve, (await house.welcome("Béla"))[0])
        await house.accounts.log_in("Anna Adler", PASSWORD, hers)
        assert house.store.seats(game)[0].person == eve.id
        host, one, _ = await two_at_a_board(house)
        await house.accounts.log_in("Anna Adler", PASSWORD, "made up")
        assert host.snapshot.seats_of(one.id) == {0} and not host.snapshot.seats_of(anna.id)


@story
async def test_open_seats_of_a_guest_wait_for_the_account(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        anna, guest, token = await two_of_one(house)
        by_days = Agreement.make("corridor", clock="3d/7d/0", listed=True)
        await house.lobby.open("a", guest, by_days, side=0)
        await house.accounts.log_in("Anna Adler", PASSWORD, token)
        game = await house.lobby.take("a", (await house.welcome("Béla"))[0])
        assert (await house.host(game)).snapshot.seats_of(anna.id) == {0}


@story
async def test_games_that_are_played_meanwhile_lose_nothing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        _, guest, token = await two_of_one(house)
        other, _ = await house.welcome("Béla")
        games = [await at_a_board(house, guest, other) for _ in range(5)]
        hosts = [await house.host(game) for game in games]

        async def play(number: int) -> bool:
            host = hosts[number]
            assert host.game
            try:
                await host.turn(asked(guest), first_turn(host.game.play))
            except NotYoursError:
                return False
            return True

        house.forget(games[4])  # and is loaded while the seats change hands
        coming = asyncio.create_task(house.accounts.log_in("Anna Adler", PASSWORD, token))
        loading = asyncio.create_task(house.host(games[4]))
        played = await asyncio.gather(*(play(number) for number in range(4)))
        await loading
        anna, _ = await coming
        for number, game in enumerate(games):
            host = await house.host(game)
            assert host.game and host.snapshot.seats_of(anna.id) == {0}
            assert number == 4 or played[number] is bool(host.game.play.turns)
            if not host.game.play.turns:
                await host.turn(asked(anna), first_turn(host.game.play))
            assert replace(host.seats[0], name="") == replace(house.store.seats(game)[0], name="")
        assert house.store.waiting_for(guest.id) == []
