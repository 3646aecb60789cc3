"""Homes of games: leases that end, games that are taken, and writes that come too late."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Connection, event, select, update

from postgres import Server
from store.stores import PATIENCE, create, turn
from trine.store import homes
from trine.store.downtimes import Downtime
from trine.store.homes import LEASE, LIVE, Home, Taken
from trine.store.rating_rows import RatingRow, rate
from trine.store.refusals import FencedError, HeldError, NameTakenError, UnknownError
from trine.store.schema import GAME, PERSON
from trine.store.store import Store

SHORT = 0.4


@pytest.fixture
def shared(postgres_server: Server) -> Iterator[tuple[Store, Store]]:
    """Two processes on one database."""
    with (
        postgres_server.database() as url,
        Store.open(url, now=lambda: 5.0) as one,
        Store.open(url) as two,
    ):
        yield one, two


def live(store: Store, home: str) -> str:
    """A game whose clock runs."""
    game = create(store, home)
    store.append(game.id, 1, 1, [turn()], due={LIVE: 1.0}).result(PATIENCE)
    return game.id


def renew(store: Store, home: str, lease: float) -> bool:
    """Renew the leases of a process, which are shorter here."""
    write = lambda connection: homes.renew(connection, home, f"{home}:80", 7.0, lease)  # noqa: E731
    return store._writer.submit(write).result(PATIENCE)


def test_a_lease_keeps_others_away_until_it_ends(shared: tuple[Store, Store]) -> None:
    one, two = shared
    assert one.homes.shared
    game = live(one, "one")
    assert renew(one, "one", SHORT) and renew(one, "one", SHORT)
    assert one.homes.of_game(game) == Home("one", "one:80", 7.0, holds=True)
    with pytest.raises(HeldError, match="at one:80") as held:
        two.homes.take(game, "two").result(PATIENCE)
    assert held.value.address == "one:80"
    assert two.homes.adopt("two", 10).result(PATIENCE) == []
    time.sleep(SHORT + 0.1)
    assert two.homes.has_orphans()
    assert two.homes.take(game, "two").result(PATIENCE) == Taken(game, 2, 7.0)
    with pytest.raises(FencedError):
        one.append(game, 1, 2, [turn()]).result(PATIENCE)
    assert not renew(one, "one", SHORT), "it was late, and is not told"
    assert one.homes.epochs_of([game], "one") == {} and one.homes.epochs_of([game], "two") == {
        game: 2
    }
    assert two.append(game, 2, 2, [turn()]).result(PATIENCE) == 2


def test_who_closes_frees_its_games_at_once(shared: tuple[Store, Store]) -> None:
    one, two = shared
    game = live(one, "one")
    one.homes.renew("one", "", 1.0).result(PATIENCE)
    one.homes.leave("one", 9.0).result(PATIENCE)
    assert two.homes.take(game, "two").result(PATIENCE) == Taken(game, 2, 9.0)
    with pytest.raises(UnknownError):
        two.homes.take("none", "two").result(PATIENCE)


def test_games_whose_clocks_run_are_adopted_once_each(shared: tuple[Store, Store]) -> None:
    one, two = shared
    games = {live(one, "gone") for _ in range(30)} | {live(one, "never known")}
    resting, held = create(one, "gone"), live(one, "here")
    for home in ("one", "two", "here"):
        one.homes.renew(home, "", 3.0).result(PATIENCE)
    one.homes.leave("gone", 4.0).result(PATIENCE)
    one.homes.renew("gone", "", 4.0).result(PATIENCE)
    one.homes.leave("gone", 4.0).result(PATIENCE)
    found: dict[str, list[Taken]] = {"one": [], "two": []}

    def adopt(store: Store, home: str) -> None:
        while some := store.homes.adopt(home, 4).result(PATIENCE):
            found[home] += some

    threads = [threading.Thread(target=adopt, args=given) for given in ((one, "one"), (two, "two"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    taken = found["one"] + found["two"]
    assert sorted(each.game for each in taken) == sorted(games)
    assert {each.alive_at for each in taken} == {4.0, None}
    for game, home in ((resting.id, "gone"), (held, "here")):
        row = one.game(game)
        assert row and row.home == home
    one.homes.adopt("one", 4).result(PATIENCE)
    assert not one.homes.has_orphans()


def test_a_game_that_another_adopts_at_that_moment_is_left_to_it(
    shared: tuple[Store, Store],
) -> None:
    one, two = shared
    games = {live(one, "gone") for _ in range(3)}
    for home in ("one", "two", "gone"):
        one.homes.renew(home, "", 3.0).result(PATIENCE)
    one.homes.leave("gone", 4.0).result(PATIENCE)
    looking = threading.Event()

    def slow(_: object, __: object, statement: str, given: object, *___: object) -> tuple[str, Any]:
        """Have a statement look at the games a while before it locks the first of them."""
        if "SKIP LOCKED" in statement:
            looking.set()
            statement = statement.replace("WHERE ", "WHERE pg_sleep(0.3) IS NOT NULL AND ")
        return statement, given

    with two._database._writing.connect() as connection, connection.begin():
        event.listen(connection, "before_cursor_execute", slow, retval=True)
        late = ThreadPoolExecutor(1).submit(homes.adopt, connection, "two", 10)
        assert looking.wait(PATIENCE)
        time.sleep(0.15)
        assert {each.game for each in one.homes.adopt("one", 10).result(PATIENCE)} == games
        assert late.result(PATIENCE) == []


def test_nobody_waits_for_a_process_that_hangs_while_it_writes(
    shared: tuple[Store, Store],
) -> None:
    one, two = shared
    game, other = live(one, "one"), live(one, "two")
    with one._database._writing.connect() as hanging:
        hanging.begin()
        hanging.execute(select(GAME.c.id).where(GAME.c.id == game).with_for_update())
        began = time.monotonic()
        with pytest.raises(HeldError):
            two.homes.take(game, "two").result(PATIENCE)
        assert two.append(other, 1, 2, [turn()]).result(PATIENCE) == 2
        assert time.monotonic() - began < 3
        late = time.monotonic() + LEASE
        while True:  # the server ends the session of a process that hangs
            try:
                two.homes.take(game, "two").result(PATIENCE)
            except HeldError:
                assert time.monotonic() < late
                time.sleep(0.2)
            else:
                break
        hanging.invalidate()


def test_a_duty_is_that_of_one_process(shared: tuple[Store, Store]) -> None:
    one, two = shared
    assert one.homes.of_duty("lobby") is None
    for home in ("one", "two"):
        one.homes.renew(home, f"{home}:80", 1.0).result(PATIENCE)
    one.homes.take_duty("lobby", "one").result(PATIENCE)
    one.homes.take_duty("lobby", "one").result(PATIENCE)
    with pytest.raises(HeldError, match="one:80"):
        two.homes.take_duty("lobby", "two").result(PATIENCE)
    one.homes.leave("one", 1.0).result(PATIENCE)
    two.homes.take_duty("lobby", "two").result(PATIENCE)
    found = one.homes.of_duty("lobby")
    assert found and found.name == "two" and [home.name for home in one.homes.at_work()] == ["two"]


def test_ratings_of_two_processes_follow_each_other(shared: tuple[Store, Store]) -> None:
    people = [shared[0].people.create_guest("Ada").result(PATIENCE).id for _ in range(2)]
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

    ends = [store.append(game, 1, 1, [turn()], also=rated(game)) for store, game in games]
    for end in ends:
        end.result(PATIENCE)
    assert [row.rating for row in shared[1].ratings_of(people[0])] == list(range(1, 41))


def test_a_name_goes_to_one_of_two_processes(shared: tuple[Store, Store]) -> None:
    guests = [store.people.create_guest("Guest").result(PATIENCE).id for store in shared]
    asked = [
        store.accounts.create(guest, "Ada", "ada", "…")
        for store, guest in zip(shared, guests, strict=True)
    ]
    errors = [future.exception(PATIENCE) for future in asked]
    assert sorted(map(type, errors), key=str) == sorted([type(None), NameTakenError], key=str)


def test_two_that_wait_for_each_other_are_both_written(shared: tuple[Store, Store]) -> None:
    people = [shared[0].people.create_guest("Ada").result(PATIENCE).id for _ in range(2)]
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
        store._writer.submit(writes(order))
        for store, order in zip(shared, (people, people[::-1]), strict=True)
    ]
    for one in done:
        one.result(PATIENCE)
    assert len(tries) == 3
    assert [getattr(shared[0].people.get(one), "name", "") for one in people] == ["Ada!!"] * 2


def test_a_time_in_which_no_process_was_at_work_is_noted_once(
    shared: tuple[Store, Store],
) -> None:
    one, two = shared
    one.homes.renew("one", "", 100.0, late=True).result(PATIENCE)
    two.homes.renew("two", "", 200.0, late=True).result(
        PATIENCE
    )  # nobody was there from 100 to 200
    one.homes.renew("one", "", 202.0, late=True).result(PATIENCE)  # it was late, the other was not
    one.homes.renew("one", "", 300.0).result(PATIENCE)
    assert one.downtimes_after(0.0) == [Downtime(100.0, 200.0)]
