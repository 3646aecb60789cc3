"""Accounts, browsers that are logged in, and ratings."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from store.stores import PATIENCE, create, turn
from trine.store.game_rows import no_game
from trine.store.people import Person, PersonKind
from trine.store.rating_rows import Before, RatingRow, rate
from trine.store.refusals import NameTakenError, StaleError, UnknownError
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.store import Store
from trine.store.tokens import token_hash


def an_account(store: Store, name: str) -> Person:
    guest = store.people.create_guest("Guest 1234").result(PATIENCE)
    store.accounts.create(guest.id, name, name.casefold(), "hash").result(PATIENCE)
    person = store.people.get(guest.id)
    assert person
    return person


def test_a_guest_becomes_an_account_and_stays_the_same_person(store: Store) -> None:
    guest = store.people.create_guest("Guest 1234").result(PATIENCE)
    token = store.people.create_token(guest.id).result(PATIENCE)
    store.accounts.create(guest.id, "Ada", "ada", "hash").result(PATIENCE)
    person = store.people.of_token(token)
    assert person and (person.id, person.kind, person.name) == (guest.id, "account", "Ada")
    account = store.accounts.named("ada")
    assert account == store.accounts.of(guest.id)
    assert account and (account.name, account.password, account.role) == ("Ada", "hash", None)
    again = store.accounts.create(guest.id, "Ada", "ada", "other")
    assert isinstance(again.exception(PATIENCE), UnknownError)
    assert store.accounts.of(guest.id) == account


def test_a_name_is_that_of_one_account(store: Store) -> None:
    ada, eve = an_account(store, "Ada"), an_account(store, "Eve")
    guest = store.people.create_guest("Ada").result(PATIENCE)
    taken = store.accounts.create(guest.id, "ADA", "ada", "hash")
    renamed = store.accounts.rename(eve.id, "ADA", "ada")
    assert isinstance(taken.exception(PATIENCE), NameTakenError)
    assert isinstance(renamed.exception(PATIENCE), NameTakenError)
    store.accounts.rename(ada.id, "aDa", "ada").result(PATIENCE)
    found = store.accounts.of_all([ada.id, guest.id, eve.id])
    assert {who: account.name for who, account in found.items()} == {ada.id: "aDa", eve.id: "Eve"}


def test_a_password_is_replaced_only_where_it_is_the_one_that_was_seen(store: Store) -> None:
    ada = an_account(store, "Ada")
    assert store.accounts.set_password(ada.id, "new", "hash").result(PATIENCE)
    assert not store.accounts.set_password(ada.id, "other", "hash").result(PATIENCE)
    account = store.accounts.of(ada.id)
    assert account and account.password == "new"


def test_browsers_are_ended_one_by_one_and_all_but_one(store: Store) -> None:
    ada, eve = an_account(store, "Ada"), an_account(store, "Eve")
    tokens = [store.people.create_token(ada.id).result(PATIENCE) for _ in range(3)]
    hers = store.people.create_token(eve.id).result(PATIENCE)
    assert {one.hash for one in store.people.sessions_of(ada.id)} == {token_hash(t) for t in tokens}
    store.people.end_session(eve.id, token_hash(tokens[0])).result(PATIENCE)
    assert store.people.of_token(tokens[0]), "somebody else ended it"
    store.people.end_session(ada.id, token_hash(tokens[0])).result(PATIENCE)
    assert not store.people.of_token(tokens[0])
    store.people.end_sessions(ada.id, but=tokens[1]).result(PATIENCE)
    assert store.people.of_token(tokens[1]) and not store.people.of_token(tokens[2])
    assert store.people.of_token(hers)


def test_of_a_deleted_account_games_stay_without_the_name(store: Store) -> None:
    ada = an_account(store, "Ada")
    token = store.people.create_token(ada.id).result(PATIENCE)
    study = store.studies.create(ada.id, "…").result(PATIENCE)
    # A guest of the same name sits on the other side.
    seats = [SeatRow(SeatKind.PERSON, "Ada", ada.id), SeatRow(SeatKind.PERSON, "Ada")]
    game = store.create_game("tzaar", "official", {}, seats, "here").result(PATIENCE)
    begin = turn()
    begin.data["tags"] = {"White": "Ada", "Black": "Ada", "Game": "tzaar"}  # type: ignore[index]
    store.append(game.id, 1, 1, [begin]).result(PATIENCE)
    store.accounts.delete(ada.id, {game.id: {0: "White"}}).result(PATIENCE)
    assert not store.people.of_token(token) and not store.accounts.named("ada")
    assert not store.studies.get(study.id)
    person = store.people.get(ada.id)
    assert person and (person.kind, person.name) == (PersonKind.DELETED, "deleted")
    assert [seat.name for seat in store.seats(game.id)] == ["deleted", "Ada"]
    assert store.events(game.id)[0].data["tags"] == {
        "White": "deleted",
        "Black": "Ada",
        "Game": "tzaar",
    }
    an_account(store, "Ada")  # the name is free again


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
    stale = store.append(one, 1, 5, [turn()], also=write(one))  # type: ignore[arg-type]
    assert isinstance(stale.exception(PATIENCE), StaleError)
    assert store.rating(ada.id, "x blitz") is None, "an end that was refused has rated"
    for seq in (1, 2):  # the same game twice
        store.append(one, 1, seq, [turn()], also=write(one)).result(PATIENCE)  # type: ignore[arg-type]
    store.append(two, 1, 1, [turn()], also=write(two)).result(PATIENCE)  # type: ignore[arg-type]
    assert len(seen) == 2 and seen[0] == {ada.id: None, eve.id: None}
    assert [row.rating for row in store.ratings_of(ada.id)] == [1601, 1602]
    assert seen[1][ada.id] == store.ratings_of(ada.id)[0]
    latest = store.rating(eve.id, "x blitz")
    assert latest and latest.rating == 1602 and latest.game == two


def test_a_write_that_fails_beside_events_takes_them_with_it_and_no_others(store: Store) -> None:
    one, two = create(store), create(store)

    def fail(connection: Connection) -> None:
        raise no_game(one.id)

    first = store.append(one.id, 1, 1, [turn()], also=fail)
    second = store.append(two.id, 1, 1, [turn()])
    with pytest.raises(UnknownError):
        first.result(PATIENCE)
    assert second.result(PATIENCE) == 1
    assert store.events(one.id) == []
