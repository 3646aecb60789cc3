"""Accounts, browsers that are logged in, and ratings."""

import pytest
from sqlalchemy import Connection

from house.store.stores import PATIENCE, create, turn, written
from trine.house.games.storage.events import Append, append_events, read_events
from trine.house.games.storage.tables import no_game
from trine.house.people import tables
from trine.house.people.credentials import CredentialsChangedError, set_password
from trine.house.ratings.tables import Before, RatingRow, latest_ratings, rate, ratings_of
from trine.house.store.store import Store
from trine.house.store.store_errors import MissingRowError, StaleError


def an_account(store: Store, name: str) -> tables.Person:
    guest = written(store, tables.create_guest, "Guest 1234", store.now())
    written(store, tables.create_account, guest.id, name, name.casefold(), "hash", store.now())
    person = store.read(tables.read_person, guest.id)
    assert person
    return person


def test_a_password_is_replaced_only_under_the_epoch_that_was_seen(store: Store) -> None:
    ada = an_account(store, "Ada")
    assert written(store, set_password, ada.id, "new", tables.FIRST_EPOCH)
    refused = store.write(set_password, ada.id, "other", tables.FIRST_EPOCH).exception(PATIENCE)
    assert isinstance(refused, CredentialsChangedError)
    account = store.read(tables.read_account, ada.id)
    assert account and account.password == "new"


def test_ratings_come_with_the_end_of_a_game_and_once(store: Store) -> None:
    ada, eve = an_account(store, "Ada"), an_account(store, "Eve")
    seen: list[Before] = []

    def write(game: str) -> object:
        def reckon(before: Before) -> list[RatingRow]:
            seen.append(before)
            return [
                RatingRow(game, one, "x blitz", 5.0, 1.0, 1600.0 + len(seen), 300.0, 0.06)
                for one in (ada.id, eve.id)
            ]

        def also(connection: Connection) -> None:
            rate(connection, game, "x blitz", [ada.id, eve.id], reckon)

        return also

    one, two = create(store).id, create(store).id
    stale = store.write(append_events, Append(one, 1, 5, [turn()], also=write(one)))  # type: ignore[arg-type]
    assert isinstance(stale.exception(PATIENCE), StaleError)
    assert store.read(latest_ratings, [ada.id], "x blitz") == {}, (
        "an end that was refused has rated"
    )
    for seq in (1, 2):  # the same game twice
        written(store, append_events, Append(one, 1, seq, [turn()], also=write(one)))  # type: ignore[arg-type]
    written(store, append_events, Append(two, 1, 1, [turn()], also=write(two)))  # type: ignore[arg-type]
    assert len(seen) == 2 and seen[0] == {ada.id: None, eve.id: None}
    assert [row.rating for row in store.read(ratings_of, ada.id)] == [1601, 1602]
    assert seen[1][ada.id] == store.read(ratings_of, ada.id)[0]
    latest = store.read(latest_ratings, [eve.id], "x blitz")[eve.id]
    assert latest and latest.rating == 1602 and latest.game == two


def test_a_write_that_fails_beside_events_takes_them_with_it_and_no_others(store: Store) -> None:
    one, two = create(store), create(store)

    def fail(connection: Connection) -> None:
        raise no_game(one.id)

    first = store.write(append_events, Append(one.id, 1, 1, [turn()], also=fail))
    second = store.write(append_events, Append(two.id, 1, 1, [turn()]))
    with pytest.raises(MissingRowError):
        first.result(PATIENCE)
    assert second.result(PATIENCE) == 1
    assert store.read(read_events, one.id) == []
