"""The lobby: open seats, taken once, gone with whoever opened them."""

import asyncio
from dataclasses import replace

import pytest

from house.houses import PASSWORD, OpenHouse, Time, asked, first_turn, guests, members
from trine.core.clock import DAY
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import turn
from trine.house.games.live.live_game import RatedPlayer
from trine.house.lobby import lobby as lobbies
from trine.house.lobby import tables
from trine.house.lobby.lobby import SEAT_TIMEOUT, SEAT_TIMEOUT_BY_DAYS, Lobby
from trine.house.lobby.new_game import read_offer
from trine.house.lobby.tables import Lately, Seek, all_seeks, played_lately
from trine.house.people.quotas import MAX_AT_ONCE, MAX_PER_DAY, Quota, QuotaError, QuotaKind, Quotas
from trine.house.people.tables import Person
from trine.house.refusals import HouseError, OverloadedError
from trine.house.store.store_errors import BusyError

GAME = Agreement.make("corridor", clock="5+5", listed=True)
RATED = Agreement.make("corridor", clock="5+5", rated=True)
SLOW = Agreement.make("corridor", clock="2d/0/0", listed=True)


class Page:
    def __init__(self) -> None:
        self.games: list[str] = []
        self.told = 0

    def changed(self) -> None:
        self.told += 1

    def lead(self, game: str) -> None:
        self.games.append(game)

    def reconnect(self) -> None:
        self.games.append("dropped")


def seeks(lobby: Lobby) -> list[str]:
    return [seek.id for seek in lobby.update().seeks]


async def test_a_taken_seat_leads_both_to_one_game(house: House) -> None:
    one, two = await guests(house, "Anna", "Bela")
    page = Page()
    house.lobby.enter(page, one.id)
    await house.lobby.open("a", one, GAME, side=1)
    await house.lobby.open("b", one, GAME)
    game = await house.lobby.take("a", two)
    host = await house.games.actor(game)
    assert [seat.person for seat in host.game.seats] == [two.id, one.id]
    assert host.game, "the game has not begun"
    assert page.games == [game]
    assert seeks(house.lobby) == [], "another seat of a player is still open"
    assert await house.lobby.open("a", one, GAME) == game, "a form that was sent again"
    assert await house.lobby.take("a", two) == game
    assert house.lobby.led_to(one) == game and house.lobby.led_to(one) == ""


async def test_whoever_leaves_while_the_game_begins_is_too_late(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = [(await house.accounts.welcome())[0] for _ in range(2)]
    admit = house.games.admit

    async def leave(last: Person) -> None:
        house.lobby.withdraw("a", one)
        await admit(last)

    monkeypatch.setattr(house.games, "admit", leave)
    await house.lobby.open("a", one, GAME)
    host = await house.games.actor(await house.lobby.take("a", two))
    assert {seat.person for seat in host.game.seats} == {one.id, two.id}


async def test_the_same_seek_again_is_one_and_nobody_elses(house: House) -> None:
    one, two = await guests(house, "Anna", "Bela")
    await asyncio.gather(*(house.lobby.open("a", one, GAME) for _ in range(3)))
    assert seeks(house.lobby) == ["a"]
    with pytest.raises(TrineError):
        await house.lobby.open("a", two, GAME)
    house.lobby.withdraw("a", two)
    assert seeks(house.lobby) == ["a"], "somebody else closed it"
    for name in "bc":
        await house.lobby.open(name, one, GAME)
    assert len(seeks(house.lobby)) == MAX_AT_ONCE[QuotaKind.SEAT].guest
    with pytest.raises(HouseError):
        await house.lobby.open("d", one, GAME)
    assert await house.lobby.take("a", one) == "", "one cannot play oneself"
    house.lobby.withdraw("a", one)
    assert seeks(house.lobby) == ["b", "c"]


async def test_seats_by_days_leave_room_for_live_ones_and_the_oldest_of_a_guest_gives_way(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobbies, "MAX_SEEKS", 2)
    known, _ = await house.accounts.register(None, "Anna", PASSWORD)
    await house.lobby.open("of an account", known, SLOW)
    for name in ("slow", "slower"):
        await house.lobby.open(name, (await house.accounts.welcome())[0], SLOW)
    assert seeks(house.lobby) == ["of an account", "slower"], "the oldest has not given way"
    for name in ("live", "too"):
        await house.lobby.open(name, known, GAME)
    with pytest.raises(OverloadedError):  # those of accounts stay
        await house.lobby.open("more", (await house.accounts.welcome())[0], GAME)
    assert seeks(house.lobby) == ["of an account", "slower", "live", "too"]


@pytest.mark.usefixtures("place")
async def test_the_house_tells_who_has_played_lately_and_when_people_play(
    house: House, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MIN_SEATS_TAKEN", 10)
    anna, _ = await house.accounts.register(None, "Anna", PASSWORD)
    guest, _ = await house.accounts.welcome("Bela")

    async def play(count: int, agreement: Agreement) -> None:
        for number in range(count):
            name = f"{agreement.listed}{time.now:.0f}{number}"
            await house.lobby.open(name, anna, agreement)
            await house.lobby.take(name, guest)

    await play(1, replace(GAME, listed=False))
    assert await house.store.fetch(played_lately, time.now) == Lately([], None)
    await play(1, GAME)
    assert (await house.store.fetch(played_lately, time.now)).names == ["Anna"]
    time.now += 5 * 3600
    await play(8, GAME)
    busiest = (await house.store.fetch(played_lately, time.now)).busiest
    assert busiest == time.now - time.now % 3600
    time.now += 2 * DAY
    assert (await house.store.fetch(played_lately, time.now)).names == []


async def test_one_network_address_opens_only_so_many_seats(open_house: OpenHouse) -> None:
    house = await open_house(quotas=Quotas({QuotaKind.SEAT: Quota(guest=3, account=3, address=2)}))
    near = [(await house.accounts.welcome("", "192.0.2.7"))[0] for _ in range(3)]
    for name, guest in zip("ab", near, strict=False):
        await house.lobby.open(name, guest, SLOW)
    with pytest.raises(QuotaError):
        await house.lobby.open("c", near[2], SLOW)
    await house.lobby.open("d", near[2], GAME)
    await house.lobby.open("e", (await house.accounts.welcome("", "192.0.2.8"))[0], SLOW)


async def test_a_seat_whose_game_is_refused_is_open_again(
    open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    quotas = Quotas(a_day={QuotaKind.GAME: Quota(guest=2, account=2)})
    house = await open_house(quotas=quotas)
    people = [(await house.accounts.welcome())[0] for _ in range(4)]
    await house.lobby.attend()
    await house.lobby.open("a", people[0], GAME)
    await house.lobby.keep()

    def refuse(*given: object) -> None:
        raise BusyError(1)

    with monkeypatch.context() as broken:
        broken.setattr("trine.house.store.schema.add_row", refuse)
        with pytest.raises(BusyError):
            await house.lobby.take("a", people[1])
    assert seeks(house.lobby) == ["a"]
    assert [row.players for row in house.store.read(all_seeks)] == [[people[0].id]]
    quotas.spend(QuotaKind.GAME, people[1])
    with pytest.raises(QuotaError):
        await house.lobby.take("a", people[1])
    assert seeks(house.lobby) == ["a"]
    game = await house.lobby.take("a", people[2])
    assert house.store.read(all_seeks) == [], "the seat has not gone with the game"
    assert (await house.games.actor(game)).game.state
    assert MAX_PER_DAY[QuotaKind.GAME].guest > 2


@pytest.mark.usefixtures("place")
async def test_of_many_who_want_a_seat_one_gets_it(house: House) -> None:
    one, _ = await house.accounts.welcome("Anna")
    others = [(await house.accounts.welcome())[0] for _ in range(8)]
    await house.lobby.open("a", one, GAME)
    takes = (house.lobby.take("a", other) for other in others)
    answers = await asyncio.gather(*takes, return_exceptions=True)
    games = [answer for answer in answers if isinstance(answer, str)]
    assert len(games) == 1 and games[0]
    assert all(isinstance(a, TrineError) for a in answers if not isinstance(a, str))
    assert len(house.games.actors) == 1


async def test_a_game_of_three_begins_when_the_third_has_come(house: House) -> None:
    three = Agreement.make(
        "corridor", "great-wall", options={"Players": "3"}, clock="5+5", listed=True
    )
    one, two, third = [(await house.accounts.welcome())[0] for _ in range(3)]
    await house.lobby.open("a", one, three, side=2)
    assert await house.lobby.take("a", two) == ""
    assert await house.lobby.take("a", two) == ""
    house.lobby.withdraw("a", two)
    assert house.lobby.update().seeks[0].free == 2
    assert await house.lobby.take("a", two) == ""
    host = await house.games.actor(await house.lobby.take("a", third))
    assert host.game.seats[2].person == one.id
    assert {seat.person for seat in host.game.seats} == {one.id, two.id, third.id}


async def test_a_seat_closes_when_its_page_has_been_gone_for_a_while(
    house: House, time: Time
) -> None:
    one, _ = await house.accounts.welcome("Anna")
    first, second = Page(), Page()
    await house.lobby.open("a", one, GAME)
    time.now += SEAT_TIMEOUT - 1
    house.lobby.tick()
    house.lobby.enter(first, one.id)
    house.lobby.enter(second, one.id)
    time.now += 10 * SEAT_TIMEOUT
    house.lobby.tick()
    assert seeks(house.lobby) == ["a"]
    house.lobby.leave(first)
    time.now += 10 * SEAT_TIMEOUT
    house.lobby.tick()
    assert seeks(house.lobby) == ["a"], "another page of the same person is still open"
    house.lobby.leave(second)
    time.now += SEAT_TIMEOUT - 1
    house.lobby.tick()
    house.lobby.enter(first, one.id)  # back after a lost connection
    time.now += SEAT_TIMEOUT
    house.lobby.tick()
    assert seeks(house.lobby) == ["a"]
    house.lobby.leave(first)
    time.now += SEAT_TIMEOUT
    house.lobby.tick()
    assert seeks(house.lobby) == []


async def test_rated_seats_are_for_accounts(house: House) -> None:
    guest, _ = await house.accounts.welcome("Somebody")
    anna, bela = await members(house, "Anna", "Bela")
    with pytest.raises(HouseError):
        await house.lobby.open("a", guest, RATED)
    seek = await house.lobby.open("a", anna, RATED)
    assert isinstance(seek, Seek) and str(seek.standings[anna.id]) == "1500?"
    with pytest.raises(HouseError):
        await house.lobby.take("a", guest)
    assert (await house.games.actor(await house.lobby.take("a", bela))).agreement.rated


async def test_the_lobby_shows_games_to_watch_and_ones_own(house: House) -> None:
    one, two = await guests(house, "Anna", "Bela")
    page = Page()
    house.lobby.enter(page, one.id)
    hidden, _ = await house.games.create(Agreement.make("corridor"), ["me", "bot:1"], one)
    await house.lobby.open("a", one, GAME, side=0)
    shown = await house.lobby.take("a", two)
    view = house.lobby.update()
    assert [snapshot.game for snapshot in view.live] == [shown], "a private game is shown"
    assert {game.game for game in view.own[one.id]} == {hidden, shown}
    assert two.id not in view.own, "nobody of that name is here"
    host = await house.games.actor(shown)
    assert host.game
    await host.do(turn, asked(one), first_turn(host.game.play))
    moves = {game.game: game.to_move for game in await house.own_games.of(one)}
    assert moves == {hidden: True, shown: False}
    assert [game.to_move for game in await house.own_games.of(one)] == [True, False]


async def test_open_seats_outlive_the_house(
    house: House, open_house: OpenHouse, time: Time
) -> None:
    (one, _), (two, _), (gone, _) = [await house.accounts.welcome(name) for name in "ABC"]
    await house.lobby.attend()
    await house.lobby.open("a", one, GAME, side=1)
    await house.lobby.open("b", one, GAME)
    await house.lobby.open("c", two, GAME)
    await house.lobby.keep()
    house.lobby.withdraw("b", one)
    game = await house.lobby.take("c", gone)
    await house.lobby.open("d", two, GAME)  # kept when the house is closed
    house = await open_house()
    assert seeks(house.lobby) == []
    await asyncio.gather(*(house.lobby.attend() for _ in range(3)))
    assert seeks(house.lobby) == ["a", "d"], "what has led to a game is open again"
    assert game
    page = Page()
    house.lobby.enter(page, two.id)
    time.now += SEAT_TIMEOUT - 1
    house.lobby.tick()
    assert seeks(house.lobby) == ["a", "d"]
    time.now += 2
    house.lobby.tick()
    assert seeks(house.lobby) == ["d"], "nobody has come back for it"
    three, _ = await house.accounts.welcome("D")
    host = await house.games.actor(await house.lobby.take("d", three))
    assert {seat.person for seat in host.game.seats} == {two.id, three.id}
    house = await open_house()
    await house.lobby.attend()
    assert seeks(house.lobby) == []


async def test_a_seat_for_a_game_by_correspondence_waits_for_days(house: House, time: Time) -> None:
    by_days = Agreement.make("corridor", clock="3d/7d/0", listed=True)
    one, two = await guests(house, "Anna", "Bela")
    for name in "ab":
        await house.lobby.open(name, one, by_days)
    await house.lobby.open("c", one, GAME)
    time.now += DAY
    house.lobby.tick()
    assert seeks(house.lobby) == ["a", "b"]
    game = await house.lobby.take("a", two)
    assert seeks(house.lobby) == ["b"], "a game by correspondence keeps nobody from another"
    assert house.lobby.led_to(one) == "", "whoever is away is not led there days later"
    assert [own.game for own in await house.own_games.of(one)] == [game]
    time.now += SEAT_TIMEOUT_BY_DAYS
    house.lobby.tick()
    assert seeks(house.lobby) == []


async def test_a_quick_pairing_takes_a_seat_of_its_kind_or_opens_one(house: House) -> None:
    people = [(await house.accounts.welcome(name))[0] for name in ("Anna", "Bela", "Cili")]
    wish = [Agreement.make("tzaar", clock=clock, listed=True) for clock in ("5+5", "5+5", "3+2")]
    assert isinstance(await house.lobby.pair("a", people[0], wish[0]), Seek)
    assert isinstance(await house.lobby.pair("a", people[0], wish[0]), Seek), "sent again"
    assert isinstance(await house.lobby.pair("b", people[1], wish[2]), Seek), "another clock"
    assert isinstance(await house.lobby.pair("c", people[0], wish[1]), Seek), "one's own seat"
    assert seeks(house.lobby) == ["a", "b"]
    game = await house.lobby.pair("d", people[2], wish[1])
    assert isinstance(game, str)
    assert await house.lobby.pair("d", people[2], wish[1]) == game, "sent again"
    host = await house.games.actor(game)
    assert {seat.person for seat in host.game.seats} == {people[0].id, people[2].id}
    assert seeks(house.lobby) == ["b"]


async def test_a_seat_with_a_range_is_for_ratings_near_that_of_its_owner(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await members(house, "Anna", "Bela", "Cili", "Dora")
    rated = dict(zip([one.id for one in people], (1500, 1701, 1299, 1700), strict=True))

    async def standing(discipline: str, person: str) -> RatedPlayer | None:
        known = rated.get(person)
        return RatedPlayer("", known, provisional=False) if known else None

    monkeypatch.setattr(house.ratings, "standing", standing)
    await house.lobby.attend()
    await house.lobby.open("a", people[0], RATED, within=200)
    await house.lobby.keep()
    (seek,) = house.lobby.update().seeks
    assert seek.range == (1300, 1700)
    for other in people[1:3]:
        with pytest.raises(HouseError, match="for ratings from 1300 to 1700"):
            await house.lobby.take("a", other)
    found = await house.lobby.pair("b", people[1], RATED)
    assert isinstance(found, Seek) and found.id == "b", "a quick pairing passes by"
    guest, _ = await house.accounts.welcome("Eve")
    await house.lobby.open("c", guest, GAME, within=100)
    assert house.lobby.update().seeks[-1].range is None, "a guest has no rating to go by"
    monkeypatch.setattr(house.ratings, "standing", standing)
    await house.lobby.attend()
    assert house.lobby.update().seeks[0].range == (1300, 1700), "it outlives the house"
    assert await house.lobby.take("a", people[3])


@pytest.mark.parametrize("blocker", [0, 1])
async def test_nobody_is_paired_with_somebody_they_have_blocked(house: House, blocker: int) -> None:
    people = await members(house, "Anna", "Bela", "Cili")
    await house.blocks.block(people[blocker], people[1 - blocker].id)
    await house.lobby.pair("a", people[0], RATED)
    assert isinstance(await house.lobby.pair("b", people[1], RATED), Seek)
    assert seeks(house.lobby) == ["a", "b"], "each waits for somebody else"
    with pytest.raises(HouseError, match="has blocked the other"):
        await house.lobby.take("a", people[1])
    assert isinstance(await house.lobby.pair("c", people[2], RATED), str)
    assert seeks(house.lobby) == ["b"]
    await house.blocks.block(people[blocker], people[1 - blocker].id, on=False)
    assert isinstance(await house.lobby.pair("d", people[0], RATED), str), "they may again"


@pytest.mark.usefixtures("place")
async def test_two_who_press_at_once_meet(house: House) -> None:
    people = await members(house, "Anna", "Bela")
    found = await asyncio.gather(
        house.lobby.pair("a", people[0], RATED), house.lobby.pair("b", people[1], RATED)
    )
    assert [type(one) for one in found] == [Seek, str] and seeks(house.lobby) == []


async def test_a_challenge_whose_game_is_refused_stands(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bela = await members(house, "Anna", "Bela")
    account = await house.accounts.of(bela)
    assert account
    challenge = await house.challenges.open(anna, account, GAME)

    def refuse(*given: object) -> None:
        raise BusyError(1)

    with monkeypatch.context() as broken:
        broken.setattr("trine.house.store.schema.add_row", refuse)
        with pytest.raises(BusyError):
            await house.challenges.accept(challenge.id, bela)
    assert house.challenges.of(bela.id) == [challenge]
    assert (await house.games.actor(await house.challenges.accept(challenge.id, bela))).game
    assert house.challenges.of(bela.id) == []
    with pytest.raises(HouseError):
        await house.challenges.accept(challenge.id, bela)


def test_a_position_is_played_by_the_draw_rule_of_the_form() -> None:
    form = {"game": "corridor", "rules": "corridor", "position": "corridor 9 2 e4,e7 - 4,4 1"}
    agreement, _ = read_offer({**form, "with": "friend", "Drawn": "caught", "Players": "3"})
    assert agreement.start == {"Start": f"{form['position']} caught"}
