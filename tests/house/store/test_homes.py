"""Homes of games: leases that end, games that are taken, and writes that come too late."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, event, select, update

from house.houses import until
from house.store.stores import PATIENCE, create, turn, with_due, written
from postgres import Server
from trine.house.games.storage.events import Append, append_events
from trine.house.games.storage.tables import GAME, Downtime, downtimes_after, read_game
from trine.house.people.tables import PERSON, create_account, create_guest, read_person
from trine.house.processes import tables
from trine.house.processes.lease import Lease
from trine.house.ratings.tables import RatingRow, rate, ratings_of
from trine.house.store.postgres import listeners
from trine.house.store.schema import database_now
from trine.house.store.store import HouseClock, Store
from trine.house.store.store_errors import FencedError, HeldError, MissingRowError, NameTakenError
from trine.house.tables import SCHEMA
from waiting import wait_until

GATE = 4711
"""A lock of the server that a test holds."""


@pytest.fixture
def shared(postgres_server: Server) -> Iterator[tuple[Store, Store]]:
    with (
        postgres_server.database() as url,
        Store.open(url, SCHEMA, now=lambda: 5.0) as one,
        Store.open(url, SCHEMA) as two,
    ):
        yield one, two


def live(store: Store, home: str) -> str:
    game = create(store, home)
    written(store, append_events, Append(game.id, 1, 1, [turn()], also=with_due(game.id, live=1.0)))
    return game.id


def renew(store: Store, home: str) -> bool:
    return written(store, tables.renew_leases, home, f"{home}:80", 7.0, 3600.0)


async def test_the_games_of_a_process_that_has_died_are_free_before_its_lease_ends(
    shared: tuple[Store, Store],
) -> None:
    one, two = shared
    game = live(one, "one")
    assert renew(one, "one") and renew(two, "two")
    pubsub = one.pubsub("one", lambda name, news: None, lambda: None)
    assert pubsub

    async def woken(before: float | None) -> None: ...

    lease = Lease(
        two, HouseClock(), print, "two", "two:80", has_running_clock=lambda: False, on_lapse=woken
    )
    await until(lambda: two.read(listeners) == {"one"})
    await lease.end_lost()
    pubsub.close()  # a server forgets the connections of a killed process as soon
    await until(lambda: not two.read(listeners))
    await lease.end_lost()
    assert not two.read(tables.has_orphans), "it may only have lost its connection"
    await lease.end_lost()
    taken = await two.commit(tables.adopt_games, "two", 5)
    assert [*taken] == [game]


def test_a_process_killed_before_another_one_starts_keeps_no_lease(
    shared: tuple[Store, Store],
) -> None:
    one, two = shared
    game = live(one, "one")
    assert renew(one, "one") and renew(two, "two")  # it was killed: it does not listen any more
    pubsub = two.pubsub("two", lambda name, news: None, lambda: None)
    assert pubsub

    async def story() -> None:
        async def woken(before: float | None) -> None: ...

        lease = Lease(
            two,
            HouseClock(),
            print,
            "two",
            "two:80",
            has_running_clock=lambda: False,
            on_lapse=woken,
        )
        assert await asyncio.to_thread(pubsub.listens.wait, PATIENCE)
        for _ in range(2):
            assert not two.read(tables.has_orphans), "it may be connecting anew"
            await lease.end_lost()
        assert [*await two.commit(tables.adopt_games, "two", 5)] == [game]

    asyncio.run(story())
    pubsub.close()


def let_end(connection: Connection, home: str) -> None:
    ended = database_now() - 1
    connection.execute(
        update(tables.HOME).where(tables.HOME.c.name == home).values(expires_at=ended)
    )


def test_a_lease_keeps_others_away_until_it_ends(shared: tuple[Store, Store]) -> None:
    one, two = shared
    assert one.shared
    game = live(one, "one")
    assert renew(one, "one") and renew(one, "one")
    assert one.read(tables.home_of, game) == tables.Home("one", "one:80", 7.0, holds=True)
    with pytest.raises(HeldError, match="at one:80") as held:
        written(two, tables.take_game, game, "two")
    assert held.value.node_address == "one:80"
    assert not written(two, tables.adopt_games, "two", 10)
    written(one, let_end, "one")
    assert two.read(tables.has_orphans)
    assert written(two, tables.take_game, game, "two") == 7.0
    with pytest.raises(FencedError):
        written(one, append_events, Append(game, 1, 2, [turn()]))
    assert not renew(one, "one"), "it was late, and is not told"
    assert one.read(tables.fencing_tokens_of, [game], "one") == {} and one.read(
        tables.fencing_tokens_of, [game], "two"
    ) == {game: 2}
    assert written(two, append_events, Append(game, 2, 2, [turn()])) == 2


def test_who_closes_frees_its_games_at_once(shared: tuple[Store, Store]) -> None:
    one, two = shared
    game = live(one, "one")
    written(one, tables.renew_leases, "one", "", 1.0)
    written(one, tables.end_leases, "one", 9.0)
    assert written(two, tables.take_game, game, "two") == 9.0
    with pytest.raises(MissingRowError):
        written(two, tables.take_game, "none", "two")


def test_games_whose_clocks_run_are_adopted_once_each(shared: tuple[Store, Store]) -> None:
    one, two = shared
    games = {live(one, "gone") for _ in range(30)} | {live(one, "never known")}
    resting, held = create(one, "gone"), live(one, "here")
    for home in ("one", "two", "here"):
        written(one, tables.renew_leases, home, "", 3.0)
    written(one, tables.end_leases, "gone", 4.0)
    written(one, tables.renew_leases, "gone", "", 4.0)
    written(one, tables.end_leases, "gone", 4.0)
    found: dict[str, dict[str, float | None]] = {"one": {}, "two": {}}

    def adopt(store: Store, home: str) -> None:
        while some := written(store, tables.adopt_games, home, 4):
            found[home] |= some

    threads = [threading.Thread(target=adopt, args=given) for given in ((one, "one"), (two, "two"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not found["one"].keys() & found["two"]
    taken = found["one"] | found["two"]
    assert sorted(taken) == sorted(games) and {*taken.values()} == {4.0, None}
    for game, home in ((resting.id, "gone"), (held, "here")):
        row = one.read(read_game, game)
        assert row and row.home == home
    written(one, tables.adopt_games, "one", 4)
    assert not one.read(tables.has_orphans)


def test_a_game_that_another_adopts_at_that_moment_is_left_to_it(
    shared: tuple[Store, Store],
) -> None:
    one, two = shared
    games = {live(one, "gone") for _ in range(3)}
    for home in ("one", "two", "gone"):
        written(one, tables.renew_leases, home, "", 3.0)
    written(one, tables.end_leases, "gone", 4.0)

    def held_back(
        _: object, __: object, statement: str, given: object, *___: object
    ) -> tuple[str, Any]:
        """Have a statement look at the games, and wait before it locks the first of them."""
        if "SKIP LOCKED" in statement:
            wait = f"pg_advisory_xact_lock_shared({GATE}) IS NOT NULL"
            statement = statement.replace("WHERE ", f"WHERE {wait} AND ")
        return statement, given

    with (
        one._database._writing.connect() as gate,
        two._database._writing.connect() as connection,
        connection.begin(),
    ):
        gate.exec_driver_sql(f"SELECT pg_advisory_lock({GATE})")
        event.listen(connection, "before_cursor_execute", held_back, retval=True)
        late = ThreadPoolExecutor(1).submit(tables.adopt_games, connection, "two", 10)
        waits = f"SELECT count(*) FROM pg_locks WHERE objid = {GATE} AND NOT granted"
        wait_until(lambda: gate.exec_driver_sql(waits).scalar())
        assert {*written(one, tables.adopt_games, "one", 10)} == games
        assert not late.done()
        gate.exec_driver_sql(f"SELECT pg_advisory_unlock({GATE})")
        assert not late.result(PATIENCE)


def test_nobody_waits_for_a_process_that_hangs_while_it_writes(shared: tuple[Store, Store]) -> None:
    one, two = shared
    game, other = live(one, "one"), live(one, "two")
    with one._database._writing.connect() as hanging:
        hanging.begin()
        hanging.execute(select(GAME.c.id).where(GAME.c.id == game).with_for_update())
        with pytest.raises(HeldError):
            written(two, tables.take_game, game, "two")
        assert written(two, append_events, Append(other, 1, 2, [turn()])) == 2
        hanging.execute(select(1))  # it hangs still: nobody has waited for its end

        def taken() -> bool:
            with suppress(HeldError):
                written(two, tables.take_game, game, "two")
                return True
            return False

        wait_until(taken)  # the server ends the session of a process that hangs
        hanging.invalidate()


def test_a_duty_is_that_of_one_process(shared: tuple[Store, Store]) -> None:
    one, two = shared
    assert one.read(tables.leader_of, "lobby") is None
    for home in ("one", "two"):
        written(one, tables.renew_leases, home, f"{home}:80", 1.0)
    written(one, tables.take_lead, "lobby", "one")
    written(one, tables.take_lead, "lobby", "one")
    with pytest.raises(HeldError, match="one:80"):
        written(two, tables.take_lead, "lobby", "two")
    written(one, tables.end_leases, "one", 1.0)
    written(two, tables.take_lead, "lobby", "two")
    found = one.read(tables.leader_of, "lobby")
    assert (
        found
        and found.name == "two"
        and [home.name for home in one.read(tables.homes_at_work)] == ["two"]
    )


def test_ratings_of_two_processes_follow_each_other(shared: tuple[Store, Store]) -> None:
    people = [written(shared[0], create_guest, "Ada", 1.0).id for _ in range(2)]
    games = [(store, create(store).id) for store in shared for _ in range(20)]

    def rated(game: str) -> Callable[[Connection], None]:
        def also(connection: Connection) -> None:
            rate(
                connection,
                game,
                "x blitz",
                people,
                lambda before: [
                    RatingRow(
                        game, one, "x blitz", 1.0, 1.0, (row.rating if row else 0.0) + 1, 1.0, 1.0
                    )
                    for one, row in before.items()
                ],
            )

        return also

    ends = [
        store.write(append_events, Append(game, 1, 1, [turn()], also=rated(game)))
        for store, game in games
    ]
    for end in ends:
        end.result(PATIENCE)
    assert [row.rating for row in shared[1].read(ratings_of, people[0])] == list(range(1, 41))


def test_a_name_goes_to_one_of_two_processes(shared: tuple[Store, Store]) -> None:
    guests = [written(store, create_guest, "Guest", store.now()).id for store in shared]
    asked = [
        store.write(create_account, guest, "Ada", "ada", "…", store.now())
        for store, guest in zip(shared, guests, strict=True)
    ]
    errors = [future.exception(PATIENCE) for future in asked]
    assert sorted(map(type, errors), key=str) == sorted([type(None), NameTakenError], key=str)


def test_two_that_wait_for_each_other_are_both_written(shared: tuple[Store, Store]) -> None:
    people = [written(shared[0], create_guest, "Ada", 1.0).id for _ in range(2)]
    met = threading.Barrier(2)
    tries: list[str] = []

    def writes(order: list[str]) -> Callable[[Connection], None]:
        def write(connection: Connection) -> None:
            tries.append(order[0])
            for number, person in enumerate(order):
                mine = PERSON.c.id == person
                connection.execute(update(PERSON).where(mine).values(name=PERSON.c.name + "!"))
                if not number and len(tries) <= 2:
                    met.wait(PATIENCE)

        return write

    done = [
        store.writer.submit(writes(order))
        for store, order in zip(shared, (people, people[::-1]), strict=True)
    ]
    for one in done:
        one.result(PATIENCE)
    assert len(tries) == 3
    assert [getattr(shared[0].read(read_person, one), "name", "") for one in people] == [
        "Ada!!"
    ] * 2


def test_a_time_in_which_no_process_was_at_work_is_noted_once(shared: tuple[Store, Store]) -> None:
    one, two = shared
    written(one, tables.renew_leases, "one", "", 100.0, late=True)
    written(
        two, tables.renew_leases, "two", "", 200.0, late=True
    )  # nobody was there from 100 to 200
    written(one, tables.renew_leases, "one", "", 202.0, late=True)  # it was late, the other was not
    written(one, tables.renew_leases, "one", "", 300.0)
    assert one.read(downtimes_after, 0.0) == [Downtime(100.0, 200.0)]
