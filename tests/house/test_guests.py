"""What comes along when a guest logs in to an account that there was before."""

import asyncio
from dataclasses import replace

import pytest

from house.houses import PASSWORD, Eye, OpenHouse, asked, first_turn, two_at_a_board, until
from house.store.stores import waiting_for
from trine.house.analysis.study import Study
from trine.house.analysis.tables import studies_of
from trine.house.app import House
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import NotYoursError, resign, turn
from trine.house.games.storage.tables import games_of, read_seats
from trine.house.games.view.snapshot import Presence
from trine.house.people.tables import Person
from trine.house.tournaments.tournaments import Announcement
from trine.play.tournament.tournament import Plan, TournamentFormat


async def two_of_one(house: House) -> tuple[Person, Person, str]:
    anna, _ = await house.accounts.register(None, "Anna Adler", PASSWORD)
    guest, token = await house.accounts.welcome("Guest of Anna")
    return anna, guest, token


async def at_a_board(house: House, one: Person, two: Person) -> str:
    name, links = await house.games.create(Agreement.make("corridor"), [ME, LINK], one)
    await house.games.join(links[1], two)
    return name


async def test_games_and_analyses_of_a_guest_come_along(
    house: House, open_house: OpenHouse
) -> None:
    anna, guest, token = await two_of_one(house)
    other, _ = await house.accounts.welcome("Béla")
    running = await house.games.actor(await at_a_board(house, guest, other))
    over = await house.games.actor(await at_a_board(house, other, guest))
    await over.do(resign, asked(other))
    alone, _ = await house.games.create(Agreement.make("tzaar"), [ME, ME], guest)
    study = await house.studies.create(guest, '[Game "corridor"]\n')
    opened: Study = await house.studies.study(study)
    page = Eye()
    await running.enter(page, guest.id)
    assert running.snapshot.presence[0] is Presence.HERE
    person, _ = await house.accounts.log_in("Anna Adler", PASSWORD, token)
    assert person.id == anna.id and await house.accounts.person_of(token) is None
    games = {game.id for game in house.store.read(games_of, anna.id)}
    assert games == {running.id, over.id, alone}
    assert not house.store.read(games_of, guest.id)
    assert running.game and running.game.play.mover == 0
    with pytest.raises(NotYoursError):
        await running.do(turn, asked(guest), first_turn(running.game.play))
    await running.do(turn, asked(anna), first_turn(running.game.play))
    assert (await house.games.actor(alone)).snapshot.seats_of(anna.id) == {0, 1}
    assert opened.owner == anna.id
    assert [one.id for one in house.store.read(studies_of, anna.id)] == [study]
    running.leave(page, closed=True)  # the page was a guest's when it was opened
    await running.do(turn, asked(other), first_turn(running.game.play))
    assert running.snapshot.presence[0] is not Presence.HERE
    assert set(house.store.read(waiting_for, anna.id)) == {running.id, alone}
    assert house.store.read(waiting_for, guest.id) == []
    house = await open_house()
    assert (await house.games.actor(running.id)).snapshot.seats_of(anna.id) == {0}


async def test_at_a_board_of_both_each_keeps_the_own_seat(house: House) -> None:
    anna, guest, token = await two_of_one(house)
    both = await at_a_board(house, anna, guest)
    other = await at_a_board(house, guest, (await house.accounts.welcome("Béla"))[0])
    await house.accounts.log_in("Anna Adler", PASSWORD, token)
    assert [row.person for row in house.store.read(read_seats, both)] == [anna.id, guest.id]
    assert (await house.games.actor(both)).snapshot.seats_of(anna.id) == {0}
    assert house.store.read(read_seats, other)[0].person == anna.id
    assert await house.accounts.person_of(token) is None, (
        "the guest can still play against the account"
    )


async def test_a_guest_in_a_tournament_is_the_account_there(house: House) -> None:
    anna, guest, token = await two_of_one(house)
    plan, agreed = Plan(TournamentFormat.ROUND_ROBIN), Agreement.make("corridor", clock="5+5")
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


async def test_only_a_guest_gives_anything_away(house: House) -> None:
    anna, _, _ = await two_of_one(house)
    eve, hers = await house.accounts.register(None, "Eve", PASSWORD)
    game = await at_a_board(house, eve, (await house.accounts.welcome("Béla"))[0])
    await house.accounts.log_in("Anna Adler", PASSWORD, hers)
    assert house.store.read(read_seats, game)[0].person == eve.id
    host, one, _ = await two_at_a_board(house)
    await house.accounts.log_in("Anna Adler", PASSWORD, "made up")
    assert host.snapshot.seats_of(one.id) == {0} and not host.snapshot.seats_of(anna.id)


async def test_open_seats_of_a_guest_wait_for_the_account(house: House) -> None:
    anna, guest, token = await two_of_one(house)
    by_days = Agreement.make("corridor", clock="3d/7d/0", listed=True)
    await house.lobby.open("a", guest, by_days, side=0)
    await house.accounts.log_in("Anna Adler", PASSWORD, token)
    game = await house.lobby.take("a", (await house.accounts.welcome("Béla"))[0])
    assert (await house.games.actor(game)).snapshot.seats_of(anna.id) == {0}


async def test_games_that_are_played_meanwhile_lose_nothing(house: House) -> None:
    _, guest, token = await two_of_one(house)
    other, _ = await house.accounts.welcome("Béla")
    games = [await at_a_board(house, guest, other) for _ in range(5)]
    hosts = [await house.games.actor(game) for game in games]

    async def play(number: int) -> bool:
        host = hosts[number]
        assert host.game
        try:
            await host.do(turn, asked(guest), first_turn(host.game.play))
        except NotYoursError:
            return False
        return True

    house.games.evict(games[4])  # and is loaded while the seats change hands
    coming = asyncio.create_task(house.accounts.log_in("Anna Adler", PASSWORD, token))
    loading = asyncio.create_task(house.games.actor(games[4]))
    played = await asyncio.gather(*(play(number) for number in range(4)))
    await loading
    anna, _ = await coming
    for number, game in enumerate(games):
        host = await house.games.actor(game)
        assert host.game and host.snapshot.seats_of(anna.id) == {0}
        assert number == 4 or played[number] is bool(host.game.play.turns)
        if not host.game.play.turns:
            await host.do(turn, asked(anna), first_turn(host.game.play))
        assert replace(host.game.seats[0], name="") == replace(
            house.store.read(read_seats, game)[0], name=""
        )
    assert house.store.read(waiting_for, guest.id) == []


async def test_a_running_game_has_the_name_of_the_account_that_a_guest_creates(
    house: House,
) -> None:
    guest, token = await house.accounts.welcome("Gast")
    other, _ = await house.accounts.welcome("Béla")
    running = await house.games.actor(await at_a_board(house, guest, other))
    over = await house.games.actor(await at_a_board(house, guest, other))
    await over.do(resign, asked(other))
    alone, _ = await house.games.create(Agreement.make("tzaar"), [ME, ME], guest)
    page = Eye()
    await running.enter(page, other.id)
    await house.lobby.attend()
    await house.lobby.open("a", guest, Agreement.make("corridor", clock="5+5"))
    person, _ = await house.accounts.register(guest, "Anna Adler", PASSWORD, token)
    await until(lambda: page.seen and page.seen[-1].seats[0].name == "Anna Adler")
    assert page.seen[-1].standings[0].name == "Anna Adler"
    assert running.game.entries[0].data["tags"]["South"] == "Anna Adler"
    seats = [house.store.read(read_seats, name)[0].name for name in (running.id, over.id, alone)]
    assert seats == ["Anna Adler", "Gast", ""]
    (own,) = [one for one in await house.own_games.of(other) if one.game == running.id]
    assert own.seats[0].name == "Anna Adler"
    (seek,) = house.lobby.update().seeks
    assert seek.players[0].name == "Anna Adler" and seek.players[0].has_account
    await house.accounts.rename(person, "Anna Arany")
    await until(lambda: page.seen[-1].seats[0].name == "Anna Arany")
    assert house.lobby.update().seeks[0].players[0].name == "Anna Arany"


async def test_a_running_game_of_a_guest_who_logs_in_has_the_name_of_the_account(
    house: House,
) -> None:
    _, guest, token = await two_of_one(house)
    other, _ = await house.accounts.welcome("Béla")
    running = await house.games.actor(await at_a_board(house, guest, other))
    await house.accounts.rename(guest, "Gast")
    await until(lambda: running.snapshot.seats[0].name == "Gast")
    await house.accounts.log_in("Anna Adler", PASSWORD, token)
    await until(lambda: running.snapshot.seats[0].name == "Anna Adler")
