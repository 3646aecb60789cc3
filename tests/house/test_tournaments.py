"""Tournaments in a house: from joining to the table, with players who vanish."""

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from house.houses import (
    PASSWORD,
    Eye,
    OpenHouse,
    Time,
    asked,
    first_turn,
    members,
    settled,
    until,
)
from trine.core.errors import IllegalError, TrineError
from trine.house.app import House
from trine.house.games.live.actor_requests import check_deadlines
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import abort, resign, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.view.snapshot import NO_SHOW_TIMEOUT
from trine.house.people.tables import Person, PersonKind, create_account
from trine.house.ratings.ratings import MIN_TURNS
from trine.house.ratings.tables import all_ratings
from trine.house.refusals import HouseError
from trine.house.tournaments.tables import TournamentStage
from trine.house.tournaments.tournament_steps import NoRoomError
from trine.house.tournaments.tournaments import MAX_PER_OWNER, Announcement, NotYourTournamentError
from trine.play.tournament.ranking import ranking
from trine.play.tournament.tournament import Plan, TournamentFormat

GAME = Agreement.make("corridor", clock="3+2", takebacks=False, casual=False, listed=True)
RATED = Agreement.make("corridor", clock="3+2", rated=True)
SWISS = Plan(TournamentFormat.SWISS, rounds=3)
ROUND_ROBIN = Plan(TournamentFormat.ROUND_ROBIN)
CHALLENGE = Plan(TournamentFormat.CHALLENGE, games=3)


async def people(house: House, count: int) -> list[Person]:
    found = []
    for number in range(count):
        name = f"Player {chr(97 + number % 26)}{'x' * (number // 26)}"
        person, _ = await house.accounts.welcome()
        await house.store.commit(
            create_account, person.id, name, name.lower(), "…", house.store.now()
        )
        found.append(Person(person.id, PersonKind.ACCOUNT, name, 0.0))
    return found


async def joined(house: House, plan: Plan, some: list[Person], **wanted: Any) -> str:
    """A tournament of the first of them that all have joined."""
    agreement = wanted.pop("agreement", GAME)
    announced = Announcement("Spring Open", plan, agreement, **wanted)
    name = await house.tournaments.create(some[0], announced)
    for person in some:
        await house.tournaments.join(name, person)
    return name


async def running(house: House, name: str) -> list[GameActor]:
    state = await house.tournaments.read(name)
    return [
        await house.games.actor(one.game) for one in state.pairings if one.game and one.pairing.open
    ]


def owner_of(host: GameActor, seat: int) -> Person:
    return Person(host.game.seats[seat].person or "", PersonKind.ACCOUNT, "", 0.0)


async def played(host: GameActor, loser: int) -> None:
    """Both come and play so many turns that the game counts, then one gives up."""
    owners = [owner_of(host, seat) for seat in range(2)]
    for owner in owners:
        await host.enter(Eye(), owner.id)
    for _ in range(MIN_TURNS):
        state = host.snapshot.state
        assert state
        await host.do(turn, asked(owners[state.play.mover]), first_turn(state.play))
    await host.do(resign, asked(owners[loser]))


async def over(hosts: list[GameActor]) -> None:
    await until(lambda: all(host.snapshot.over for host in hosts))


async def advanced(house: House, name: str) -> TournamentStage:
    await house.tournaments.director.advance(name)
    return (await house.tournaments.read(name)).row.stage


@pytest.mark.parametrize(
    ("count", "rounds"), [(12, 4), pytest.param(32, 5, marks=pytest.mark.nightly)]
)
async def test_a_tournament_runs_to_its_table_though_players_vanish(
    open_house: OpenHouse, time: Time, tmp_path: Path, count: int, rounds: int
) -> None:
    house, rng = await open_house(records=tmp_path / "games"), Random(32)
    some = await people(house, count)
    plan, begins = Plan(TournamentFormat.SWISS, rounds=rounds), time.now + 60
    name = await joined(house, plan, some, agreement=RATED, starts_at=begins)
    assert await advanced(house, name) is TournamentStage.OPEN
    time.now += 61
    await house.tournaments.director.tick()
    vanished: set[str] = set()
    for number in range(1, rounds + 1):
        state = await house.tournaments.read(name)
        assert state.tournament.round == number, "the round has not begun"
        vanished |= {one.id for one in rng.sample(some, count // 12)}
        gone = rng.choice(sorted(vanished))
        if number == 3:
            leaver = next(one for one in some if one.id == gone)
            await house.tournaments.go(name, leaver)
        hosts = await running(house, name)
        there = [h for h in hosts if not {seat.person for seat in h.game.seats} & vanished]
        await asyncio.gather(*(played(host, rng.randint(0, 1)) for host in there))
        for host in set(hosts) - set(there):
            for seat in host.game.seats:
                if seat.person not in vanished:
                    await host.enter(Eye(), seat.person)
        await advanced(house, name)
        left = await running(house, name)
        assert left, "those who have vanished have lost too soon"
        time.now += NO_SHOW_TIMEOUT
        for host in left:
            host.tick()
        await over(left)
        await advanced(house, name)
    state = await house.tournaments.read(name)
    assert state.row.stage is TournamentStage.OVER
    assert sum(len(one.pairing.seats) for one in state.pairings) >= count * rounds - 4
    table = ranking(state.tournament)
    assert [one.rank for one in table][:1] == [1] and len(table) == count
    await house.task_scheduler.tick()
    assert table[0].points >= rounds - 1 > 2 >= table[-1].points
    absent = {one.number for one in state.entrants if one.person in vanished}
    for one in state.pairings:
        forfeit = bool(absent & set(one.pairing.seats)) and len(one.pairing.seats) == 2
        assert not (one.pairing.played and forfeit and one.pairing.round == rounds)
        if one.game and one.pairing.played:
            record = (tmp_path / "games" / f"{one.game}.trine").read_text()
            assert '[Event "Spring Open"]' in record
            assert f'[Round "{one.pairing.round}"]' in record
    counted = {row.game for row in house.store.read(all_ratings)}
    assert counted == {one.game for one in state.pairings if one.pairing.played}


async def go_on(house: House, name: str) -> bool:
    """Play all that can be played; whether the tournament is over."""
    while await advanced(house, name) is not TournamentStage.OVER:
        for host in await running(house, name):
            await played(host, 1)
    return True


async def test_only_the_owner_directs_and_everybody_speaks_for_themselves(house: House) -> None:
    one, two, three = await people(house, 3)
    guest, _ = await house.accounts.welcome("Gita")
    here = house.tournaments
    with pytest.raises(HouseError, match="accounts"):
        await here.create(guest, Announcement("Mine", SWISS, GAME))
    name = await joined(house, SWISS, [one, two, three], most=4)
    for _ in range(2):
        await here.join(name, guest)
    with pytest.raises(NoRoomError):
        await here.join(name, (await house.accounts.welcome("Huba"))[0])
    state = await here.read(name)
    assert [entrant.name for entrant in state.entrants][-1] == "Gita"
    entry = state.entrants[0].entry
    for stranger in (two, guest):
        for act, *more in (here.begin,), (here.cancel,), (here.go, entry), (here.add_bot, "bot:3"):
            with pytest.raises(NotYourTournamentError):
                await act(name, stranger, *more)
    await here.go(name, guest)
    await here.go(name, one, state.entrants[2].entry)
    assert [entrant.person for entrant in (await here.read(name)).entrants] == [one.id, two.id]
    await here.add_bot(name, one, "bot:3")
    await here.begin(name, one)
    with pytest.raises(NoRoomError):
        await here.join(name, guest)
    with pytest.raises(HouseError, match="begun"):
        await here.cancel(name, one)
    with pytest.raises(NotYourTournamentError):
        await here.go(name, three, entry)
    await here.go(name, two)
    state = await here.read(name)
    assert [entrant.withdrawn for entrant in state.entrants] == [False, True, False]
    rated = await here.create(one, Announcement("Rated", SWISS, RATED))
    for refused in (here.join(rated, guest), here.add_bot(rated, one, "bot:3")):
        with pytest.raises(HouseError, match="accounts"):
            await refused


async def test_tournaments_that_go_on_count_however_many_newer_ones_do_not(house: House) -> None:
    one, two = await people(house, 2)
    here, wanted = house.tournaments, Announcement("Spring Open", SWISS, GAME)
    old = {await here.create(one, wanted) for _ in range(MAX_PER_OWNER)}
    for _ in range(20):
        await here.cancel(await joined(house, SWISS, [two, one]), two)
    with pytest.raises(HouseError, match="already"):
        await here.create(one, wanted)
    assert {row.id for row, _ in (await here.lists(one))["own"]} == old


async def test_what_was_decided_before_others_came_or_it_began_is_not_done(
    house: House, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three, four = await people(house, 4)
    here = house.tournaments
    name = await joined(house, SWISS, [one, two, three, four])
    before = await here.read(name)
    await here.begin(name, one)
    games = await running(house, name)
    assert len(games) == 2

    async def read_before(name: str) -> Any:
        return before

    with monkeypatch.context() as patched:
        patched.setattr(here, "read", read_before)
        with pytest.raises(HouseError, match="begun"):
            await here.cancel(name, one)
    assert (await here.read(name)).row.stage is TournamentStage.RUNNING
    timed = await joined(house, SWISS, [one], starts_at=time.now + 60)
    alone = await here.read(timed)
    await here.join(timed, two)
    time.now += 60
    assert await here.director._begin_in_time(alone)
    assert await advanced(house, timed) is TournamentStage.RUNNING, "there were enough"
    third = await joined(house, SWISS, [one, two, three])
    gone = (await here.read(third)).entrants[-1]
    await here.go(third, three)
    await here.join(third, four)
    with pytest.raises(HouseError, match="left already"):
        await here.go(third, one, gone.entry, gone.who)
    left = [entrant.person for entrant in (await here.read(third)).entrants]
    assert left == [one.id, two.id, four.id]


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"agreement": Agreement.make("corridor")}, "on a clock"),
        ({"agreement": Agreement.make("corridor", options={"Players": "4"}, clock="3+2")}, "two"),
        ({"name": "x"}, "2 to 60"),
        ({"name": "a\u202eb"}, "no other signs"),
        ({"most": 10_000}, "512"),
        ({"starts_at": 1.0}, "within a year"),
        ({"plan": replace(CHALLENGE, handicaps=(("rabbit",),))}, "no handicaps"),
        ({"plan": CHALLENGE, "challenger": "/bin/sh"}, "no computer"),
    ],
)
async def test_what_does_not_fit_together_is_refused(
    house: House, wanted: dict[str, Any], why: str
) -> None:
    (one,) = await people(house, 1)
    given = {"name": "Open", "plan": SWISS, "agreement": GAME, **wanted}
    with pytest.raises(TrineError, match=why):
        await house.tournaments.create(one, Announcement(**given))


async def test_whoever_does_not_come_loses_and_nobody_breaks_off(house: House, time: Time) -> None:
    some = await people(house, 4)
    name = await joined(house, ROUND_ROBIN, some)
    await house.tournaments.begin(name, some[0])
    came, empty = await running(house, name)
    watcher, player = Eye(), came.game.seats[0].person
    await came.enter(watcher, player)
    came.leave(watcher, closed=True)  # who has come has come
    with pytest.raises(IllegalError, match="only resign"):
        await came.do(abort, asked(owner_of(came, 0)))
    time.now += NO_SHOW_TIMEOUT - 1
    for host in (came, empty):
        host.tick()
    await settled(came, empty)
    assert not came.snapshot.over and not empty.snapshot.over
    time.now += 1
    for host in (came, empty):
        host.tick()
    await over([came, empty])
    await house.tournaments.director.tick()
    state = await house.tournaments.read(name)
    first, second = (one.pairing for one in state.pairings[:2])
    assert (first.points, first.played) == ((1.0, 0.0), False)
    assert (second.points, second.played) == ((0.0, 0.0), False)
    assert state.tournament.round == 2


async def test_a_knock_out_leads_to_one_winner(house: House) -> None:
    some = await people(house, 5)
    name = await joined(house, Plan(TournamentFormat.KNOCKOUT), some)
    await house.tournaments.begin(name, some[0])
    assert len(await running(house, name)) == 2, "three rest; two of them meet at once"
    assert await go_on(house, name)
    state = await house.tournaments.read(name)
    assert len(state.pairings) == 4
    assert state.entrant(ranking(state.tournament)[0].number).person == some[0].id


async def test_days_for_a_turn_need_nobody_to_come(house: House, time: Time) -> None:
    days = Agreement.make("corridor", clock="1d/0/0", takebacks=False, casual=False, listed=True)
    some = await people(house, 3)
    plan = Plan(TournamentFormat.ROUND_ROBIN, at_once=True)
    name = await joined(house, plan, some, agreement=days)
    await house.tournaments.begin(name, some[0])
    hosts = await running(house, name)
    assert len(hosts) == 3, "all games at once"
    time.now += 10 * NO_SHOW_TIMEOUT
    for host in hosts:
        host.tick()
    await settled(*hosts)
    assert not any(host.snapshot.over for host in hosts)
    time.now += 86_400
    hosts = [await house.games.actor(host.id) for host in hosts]  # they have left memory
    for host in hosts:
        await check_deadlines(host)
    await over(hosts)
    assert await advanced(house, name) is TournamentStage.OVER
    state = await house.tournaments.read(name)
    assert [one.pairing.points for one in state.pairings if one.game] == [(0.0, 1.0)] * 3


async def test_whoever_deletes_the_account_leaves_tournaments(house: House) -> None:
    anna, bela = await members(house, "Anna", "Béla")
    third, fourth = await people(house, 2)
    own = await joined(house, SWISS, [anna, bela])
    started = await joined(house, SWISS, [bela, anna, third])
    other = await joined(house, SWISS, [third, anna, fourth])
    await house.tournaments.begin(started, bela)
    await house.accounts.delete(anna, PASSWORD)
    assert (await house.tournaments.read(own)).row.stage is TournamentStage.CANCELLED
    gone = (await house.tournaments.read(started)).entrants
    assert [(one.name, one.withdrawn) for one in gone][1] == ("deleted", True)
    left = (await house.tournaments.read(other)).entrants
    assert anna.id not in {one.person for one in left}
