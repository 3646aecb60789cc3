"""Games, seats, people, links and deadlines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.stores import PATIENCE, create, turn
from trine.store.deadlines import Due
from trine.store.game_rows import Stage
from trine.store.people import PersonKind
from trine.store.refusals import StoreError, TakenError, UnknownError
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.store import Store


class Time:
    """A clock that stands still."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def store(place: str, clock: Time) -> Iterator[Store]:
    with Store.open(place, now=clock) as store:
        yield store


def test_a_game_comes_back_as_it_was_created(store: Store) -> None:
    person = store.people.create_guest("Ada").result(PATIENCE)
    seats = [
        SeatRow(SeatKind.PERSON, "Ada", person.id),
        SeatRow(SeatKind.BOT, "bot:5"),
        SeatRow(),
    ]
    terms = {"tags": {"Size": "9"}, "rated": False}
    game = store.create_game("corridor", "great-wall", terms, seats, "here").result(PATIENCE)
    assert store.game(game.id) == game
    assert (game.room, game.rules, game.terms) == ("corridor", "great-wall", terms)
    assert (game.created_at, game.stage, game.home, game.epoch) == (1000, "waiting", "here", 1)
    assert store.seats(game.id) == seats
    assert store.game("none") is None
    assert store.seats("none") == []


def test_games_are_found_by_stage_and_by_person(store: Store, clock: Time) -> None:
    person = store.people.create_guest("Ada").result(PATIENCE)
    mine = SeatRow(SeatKind.PERSON, "Ada", person.id)
    ids = []
    for clock.now in (1.0, 2.0, 3.0):
        future = store.create_game("tzaar", "official", {}, [mine, mine], "here")
        ids.append(future.result(PATIENCE).id)
    create(store)
    store.append(ids[1], 1, 1, [turn()], stage=Stage.OVER).result(PATIENCE)
    assert [game.id for game in store.games_of(person.id)] == ids[::-1]
    assert [game.id for game in store.games_of(person.id, limit=1)] == ids[-1:]
    assert [game.id for game in store.games_in(Stage.OVER)] == [ids[1]]
    assert len(store.games_in(Stage.WAITING)) == 3


def test_a_seat_is_taken_by_one_person_only(store: Store) -> None:
    game = create(store)
    ada, eve = (store.people.create_guest(name).result(PATIENCE) for name in ("Ada", "Eve"))
    sits = SeatRow(SeatKind.PERSON, "Ada", ada.id)
    first = store.take_seat(game.id, 1, sits)
    second = store.take_seat(game.id, 1, SeatRow(SeatKind.PERSON, "Eve", eve.id))
    bot = store.take_seat(game.id, 1, SeatRow(SeatKind.BOT, "bot:3"))
    again = store.take_seat(game.id, 1, sits)
    assert first.result(PATIENCE) is None
    assert isinstance(second.exception(PATIENCE), TakenError)
    assert isinstance(bot.exception(PATIENCE), TakenError)
    assert again.result(PATIENCE) is None
    assert store.seats(game.id) == [SeatRow(), sits]
    store.take_seat(game.id, 0, SeatRow(SeatKind.BOT, "bot:3")).result(PATIENCE)
    third = store.take_seat(game.id, 0, SeatRow(SeatKind.BOT, "bot:3"))
    assert isinstance(third.exception(PATIENCE), TakenError)
    nowhere = store.take_seat(game.id, 2, sits)
    assert isinstance(nowhere.exception(PATIENCE), UnknownError)


def test_nobody_sits_who_is_not_there(store: Store) -> None:
    seat = SeatRow(SeatKind.PERSON, "Nobody", "nobody")
    refused = store.create_game("tzaar", "official", {}, [seat], "here").exception(PATIENCE)
    assert isinstance(refused, StoreError)
    assert sum(store.count_games().values()) == 0


def test_a_link_leads_to_its_seat(store: Store) -> None:
    game = create(store)
    token = store.invite(game.id, 1).result(PATIENCE)
    assert store.invited_to(token) == (game.id, 1)
    assert store.invited_to(token[:-1]) is None
    assert isinstance(store.invite(game.id, 2).exception(PATIENCE), UnknownError)


def test_a_token_is_recognised_until_it_expires(store: Store, clock: Time) -> None:
    person = store.people.create_guest("Ada").result(PATIENCE)
    assert person.kind is PersonKind.GUEST
    token = store.people.create_token(person.id, lifetime=60).result(PATIENCE)
    other = store.people.create_token(person.id, lifetime=600).result(PATIENCE)
    assert (
        store.people.of_token(token)
        == store.people.of_token(other)
        == store.people.get(person.id)
        == person
    )
    assert store.people.of_token("none") is None
    assert store.people.of_token("\ud800") is None
    clock.now += 60
    assert store.people.of_token(token) is None
    assert store.people.drop_expired_tokens().result(PATIENCE) == 1
    assert store.people.of_token(other) == person
    store.people.drop_token(other).result(PATIENCE)
    assert store.people.of_token(other) is None
    assert isinstance(store.people.create_token("none").exception(PATIENCE), UnknownError)


def test_somebody_can_take_another_name(store: Store) -> None:
    person = store.people.create_guest("Ada").result(PATIENCE)
    store.people.rename(person.id, "Lovelace").result(PATIENCE)
    found = store.people.get(person.id)
    assert found
    assert found.name == "Lovelace"
    assert isinstance(store.people.rename("none", "x").exception(PATIENCE), UnknownError)


def test_no_file_holds_a_token(file_store: Store, path: Path) -> None:
    store = file_store
    person = store.people.create_guest("Ada").result(PATIENCE)
    game = create(store)
    secrets = [
        store.people.create_token(person.id).result(PATIENCE),
        store.invite(game.id, 0).result(PATIENCE),
    ]
    files = [file.read_bytes() for file in path.parent.iterdir()]
    assert any(person.id.encode() in content for content in files)
    for secret in secrets:
        assert not any(secret.encode() in content for content in files)


def test_what_is_due_is_found_in_order_and_stays_until_it_is_changed(store: Store) -> None:
    for ref, at in (("c", 1001.0), ("a", 999.0), ("b", 1000.0), ("d", 2000.0)):
        store.set_due("turn", ref, at).result(PATIENCE)
    expected = [Due(999.0, "turn", "a"), Due(1000.0, "turn", "b")]
    assert store.due_of("turn", 1000.0) == store.due_of("turn", 1000.0) == expected
    assert store.due_of("turn", 1000.0, limit=1) == expected[:1]
    assert store.due_of("sweep", 9000.0) == []
    store.set_due("turn", "a", 3000.0).result(PATIENCE)
    store.set_due("turn", "b", None).result(PATIENCE)
    assert store.due_of("turn", 1000.0) == []
    assert [one.ref for one in store.due_of("turn", 3000.0)] == ["c", "d", "a"]
