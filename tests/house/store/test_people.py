"""Accounts, browsers that are logged in, and ratings."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import Connection

from house.store.stores import PATIENCE, create, turn
from trine.house.analysis.tables import create_study, read_study
from trine.house.games.events import Append, append_events, read_events, take_name_off
from trine.house.games.tables import SeatKind, SeatRow, create_game, no_game, read_seats
from trine.house.keeping import FORGET
from trine.house.people.tables import (
    GIVEN_UP_FOR,
    Person,
    PersonKind,
    account_led_to,
    account_named,
    accounts_of,
    create_account,
    create_guest,
    create_token,
    delete_account,
    end_session,
    end_sessions,
    person_of,
    read_account,
    read_person,
    rename_account,
    sessions_of,
    set_password,
)
from trine.house.ratings.tables import Before, RatingRow, latest_rating, rate, ratings_of
from trine.house.store.refusals import (
    FormerNameError,
    NameTakenError,
    RetiredNameError,
    StaleError,
    TooManyError,
    UnknownError,
)
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store


def an_account(store: Store, name: str) -> Person:
    guest = store.write(create_guest, "Guest 1234", store.now()).result(PATIENCE)
    store.write(create_account, guest.id, name, name.casefold(), "hash", store.now()).result(
        PATIENCE
    )
    person = store.read(read_person, guest.id)
    assert person
    return person


def test_a_guest_becomes_an_account_and_stays_the_same_person(store: Store) -> None:
    guest = store.write(create_guest, "Guest 1234", store.now()).result(PATIENCE)
    token = store.write(create_token, guest.id, store.now()).result(PATIENCE)
    store.write(create_account, guest.id, "Ada", "ada", "hash", store.now()).result(PATIENCE)
    person = store.read(person_of, token, store.now())
    assert person and (person.id, person.kind, person.name) == (guest.id, "account", "Ada")
    account = store.read(account_named, "ada")
    assert account == store.read(read_account, guest.id)
    assert account and (account.name, account.password, account.role) == ("Ada", "hash", None)
    again = store.write(create_account, guest.id, "Ada", "ada", "other", store.now())
    assert isinstance(again.exception(PATIENCE), UnknownError)
    assert store.read(read_account, guest.id) == account


def test_a_name_is_that_of_one_account(store: Store) -> None:
    ada, eve = an_account(store, "Ada"), an_account(store, "Eve")
    guest = store.write(create_guest, "Ada", store.now()).result(PATIENCE)
    taken = store.write(create_account, guest.id, "ADA", "ada", "hash", store.now())
    renamed = store.write(rename_account, eve.id, "ADA", "ada", 1.0)
    assert isinstance(taken.exception(PATIENCE), NameTakenError)
    assert isinstance(renamed.exception(PATIENCE), NameTakenError)
    store.write(rename_account, ada.id, "aDa", "ada", 1.0).result(PATIENCE)
    found = store.read(accounts_of, [ada.id, guest.id, eve.id])
    assert {who: account.name for who, account in found.items()} == {ada.id: "aDa", eve.id: "Eve"}


def test_a_password_is_replaced_only_where_it_is_the_one_that_was_seen(store: Store) -> None:
    ada = an_account(store, "Ada")
    assert store.write(set_password, ada.id, "new", "hash").result(PATIENCE)
    assert not store.write(set_password, ada.id, "other", "hash").result(PATIENCE)
    account = store.read(read_account, ada.id)
    assert account and account.password == "new"


def test_browsers_are_ended_one_by_one_and_all_together(store: Store) -> None:
    ada, eve = an_account(store, "Ada"), an_account(store, "Eve")
    tokens = [store.write(create_token, ada.id, store.now()).result(PATIENCE) for _ in range(3)]
    hers = store.write(create_token, eve.id, store.now()).result(PATIENCE)
    assert {one.hash for one in store.read(sessions_of, ada.id, store.now())} == {
        token_hash(t) for t in tokens
    }
    store.write(end_session, eve.id, token_hash(tokens[0])).result(PATIENCE)
    assert store.read(person_of, tokens[0], store.now()), "somebody else ended it"
    store.write(end_session, ada.id, token_hash(tokens[0])).result(PATIENCE)
    assert not store.read(person_of, tokens[0], store.now())
    assert store.read(person_of, tokens[1], store.now())
    store.write(end_sessions, ada.id).result(PATIENCE)
    assert not any(store.read(person_of, token, store.now()) for token in tokens)
    assert store.read(person_of, hers, store.now())


def test_of_a_deleted_account_games_stay_without_the_name(store: Store) -> None:
    ada = an_account(store, "Ada")
    token = store.write(create_token, ada.id, store.now()).result(PATIENCE)
    study = store.write(create_study, ada.id, "…", store.now()).result(PATIENCE)
    # A guest of the same name sits on the other side.
    seats = [SeatRow(SeatKind.PERSON, "Ada", ada.id), SeatRow(SeatKind.PERSON, "Ada")]
    game = store.write(create_game, "tzaar", "official", {}, seats, "here", store.now()).result(
        PATIENCE
    )
    begin = turn()
    begin.data["tags"] = {"White": "Ada", "Black": "Ada", "Game": "tzaar"}  # type: ignore[index]
    store.write(append_events, Append(game.id, 1, 1, [begin])).result(PATIENCE)
    nameless = partial(take_name_off, name="deleted", tags={game.id: {0: "White"}})
    store.write(delete_account, ada.id, (*FORGET, nameless), 1.0).result(PATIENCE)
    assert not store.read(person_of, token, store.now()) and not store.read(account_named, "ada")
    assert not store.read(read_study, study.id)
    person = store.read(read_person, ada.id)
    assert person and (person.kind, person.name) == (PersonKind.DELETED, "deleted")
    assert [seat.name for seat in store.read(read_seats, game.id)] == ["deleted", "Ada"]
    assert store.read(read_events, game.id)[0].data["tags"] == {
        "White": "deleted",
        "Black": "Ada",
        "Game": "tzaar",
    }
    with pytest.raises(RetiredNameError):
        an_account(store, "Ada")


def test_a_former_name_leads_on_and_is_nobody_elses(store: Store) -> None:
    ada, eve = an_account(store, "Ada"), an_account(store, "Eve")

    def rename(person: Person, name: str, now: float = 1.0) -> None:
        given = person.id, name, name.casefold(), now
        store.write(rename_account, *given).result(PATIENCE)

    def led_to(name: str) -> str:
        account = store.read(account_led_to, name)
        return account.name if account else ""

    rename(ada, "ADA")
    assert led_to("ada") == "ADA" and led_to("nobody") == ""
    rename(ada, "Ida")
    assert (led_to("ada"), led_to("ida")) == ("Ida", "Ida")
    assert store.read(account_named, "ada") is None
    for take in (partial(an_account, store), partial(rename, eve)):
        with pytest.raises(FormerNameError):
            take("Ada")
    rename(ada, "Ada")
    assert (led_to("ada"), led_to("ida")) == ("Ada", "Ada")
    rename(ada, "Ida")
    rename(ada, "Oda")
    with pytest.raises(TooManyError):
        for name in ("Uda", "Yda"):
            rename(ada, name, 2.0)
    rename(ada, "Yda", 2.0 + GIVEN_UP_FOR)
    before = led_to("ada")
    assert before == "Yda"
    store.write(delete_account, ada.id, FORGET, 3.0).result(PATIENCE)
    for name in ("Ada", "Ida", "Oda", "Yda"):
        assert led_to(name.casefold()) == ""
        for take in (partial(an_account, store), partial(rename, eve)):
            with pytest.raises(RetiredNameError):
                take(name)
    assert led_to("eve") == "Eve"


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
    assert store.read(latest_rating, ada.id, "x blitz") is None, "an end that was refused has rated"
    for seq in (1, 2):  # the same game twice
        store.write(append_events, Append(one, 1, seq, [turn()], also=write(one))).result(PATIENCE)  # type: ignore[arg-type]
    store.write(append_events, Append(two, 1, 1, [turn()], also=write(two))).result(PATIENCE)  # type: ignore[arg-type]
    assert len(seen) == 2 and seen[0] == {ada.id: None, eve.id: None}
    assert [row.rating for row in store.read(ratings_of, ada.id)] == [1601, 1602]
    assert seen[1][ada.id] == store.read(ratings_of, ada.id)[0]
    latest = store.read(latest_rating, eve.id, "x blitz")
    assert latest and latest.rating == 1602 and latest.game == two


def test_a_write_that_fails_beside_events_takes_them_with_it_and_no_others(store: Store) -> None:
    one, two = create(store), create(store)

    def fail(connection: Connection) -> None:
        raise no_game(one.id)

    first = store.write(append_events, Append(one.id, 1, 1, [turn()], also=fail))
    second = store.write(append_events, Append(two.id, 1, 1, [turn()]))
    with pytest.raises(UnknownError):
        first.result(PATIENCE)
    assert second.result(PATIENCE) == 1
    assert store.read(read_events, one.id) == []
