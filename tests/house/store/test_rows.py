"""Games, seats, people, links and deadlines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from house.store.stores import PATIENCE, create, turn
from trine.house.games.events import Append, append_events
from trine.house.games.tables import (
    SeatKind,
    SeatRow,
    Stage,
    count_games,
    create_game,
    games_in,
    games_of,
    invite,
    invited_to,
    read_game,
    read_seats,
    take_seat,
)
from trine.house.people.tables import (
    PersonKind,
    create_guest,
    create_token,
    drop_expired_tokens,
    drop_token,
    person_of,
    read_person,
    rename,
)
from trine.house.store.deadlines import Due, due_of, set_due
from trine.house.store.refusals import TakenError, UnknownError
from trine.house.store.store import Store
from trine.house.tables import SCHEMA


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
    with Store.open(place, SCHEMA, now=clock) as store:
        yield store


def test_a_game_comes_back_as_it_was_created(store: Store) -> None:
    person = store.write(create_guest, "Ada", store.now()).result(PATIENCE)
    seats = [
        SeatRow(SeatKind.PERSON, "Ada", person.id),
        SeatRow(SeatKind.BOT, "bot:5"),
        SeatRow(),
    ]
    terms = {"tags": {"Size": "9"}, "rated": False}
    game = store.write(
        create_game, "corridor", "great-wall", terms, seats, "here", store.now()
    ).result(PATIENCE)
    assert store.read(read_game, game.id) == game
    assert (game.room, game.rules, game.terms) == ("corridor", "great-wall", terms)
    assert (game.created_at, game.stage, game.home, game.epoch) == (1000, "waiting", "here", 1)
    assert store.read(read_seats, game.id) == seats
    assert store.read(read_game, "none") is None
    assert store.read(read_seats, "none") == []


def test_games_are_found_by_stage_and_by_person(store: Store, clock: Time) -> None:
    person = store.write(create_guest, "Ada", store.now()).result(PATIENCE)
    mine = SeatRow(SeatKind.PERSON, "Ada", person.id)
    ids = []
    for clock.now in (1.0, 2.0, 3.0):
        future = store.write(
            create_game, "tzaar", "official", {}, [mine, mine], "here", store.now()
        )
        ids.append(future.result(PATIENCE).id)
    create(store)
    store.write(append_events, Append(ids[1], 1, 1, [turn()], stage=Stage.OVER)).result(PATIENCE)
    assert [game.id for game in store.read(games_of, person.id)] == ids[::-1]
    assert [game.id for game in store.read(games_of, person.id, limit=1)] == ids[-1:]
    assert [game.id for game in store.read(games_in, Stage.OVER)] == [ids[1]]
    assert len(store.read(games_in, Stage.WAITING)) == 3


def test_a_seat_is_taken_by_one_person_only(store: Store) -> None:
    game = create(store)
    ada, eve = (
        store.write(create_guest, name, store.now()).result(PATIENCE) for name in ("Ada", "Eve")
    )
    sits = SeatRow(SeatKind.PERSON, "Ada", ada.id)
    first = store.write(take_seat, game.id, 1, sits)
    second = store.write(take_seat, game.id, 1, SeatRow(SeatKind.PERSON, "Eve", eve.id))
    bot = store.write(take_seat, game.id, 1, SeatRow(SeatKind.BOT, "bot:3"))
    again = store.write(take_seat, game.id, 1, sits)
    assert first.result(PATIENCE) is None
    assert isinstance(second.exception(PATIENCE), TakenError)
    assert isinstance(bot.exception(PATIENCE), TakenError)
    assert again.result(PATIENCE) is None
    assert store.read(read_seats, game.id) == [SeatRow(), sits]
    store.write(take_seat, game.id, 0, SeatRow(SeatKind.BOT, "bot:3")).result(PATIENCE)
    third = store.write(take_seat, game.id, 0, SeatRow(SeatKind.BOT, "bot:3"))
    assert isinstance(third.exception(PATIENCE), TakenError)
    nowhere = store.write(take_seat, game.id, 2, sits)
    assert isinstance(nowhere.exception(PATIENCE), UnknownError)


def test_nobody_sits_who_is_not_there(store: Store) -> None:
    seat = SeatRow(SeatKind.PERSON, "Nobody", "nobody")
    refused = store.write(
        create_game, "tzaar", "official", {}, [seat], "here", store.now()
    ).exception(PATIENCE)
    assert isinstance(refused, UnknownError)
    assert sum(store.read(count_games).values()) == 0


def test_a_link_leads_to_its_seat(store: Store) -> None:
    game = create(store)
    token = store.write(invite, game.id, 1, store.now()).result(PATIENCE)
    assert store.read(invited_to, token) == (game.id, 1)
    assert store.read(invited_to, token[:-1]) is None
    assert isinstance(
        store.write(invite, game.id, 2, store.now()).exception(PATIENCE), UnknownError
    )


def test_a_token_is_recognised_until_it_expires(store: Store, clock: Time) -> None:
    person = store.write(create_guest, "Ada", store.now()).result(PATIENCE)
    assert person.kind is PersonKind.GUEST
    token = store.write(create_token, person.id, store.now(), lifetime=60).result(PATIENCE)
    other = store.write(create_token, person.id, store.now(), lifetime=600).result(PATIENCE)
    assert (
        store.read(person_of, token, store.now())
        == store.read(person_of, other, store.now())
        == store.read(read_person, person.id)
        == person
    )
    assert store.read(person_of, "none", store.now()) is None
    assert store.read(person_of, "\ud800", store.now()) is None
    clock.now += 60
    assert store.read(person_of, token, store.now()) is None
    assert store.write(drop_expired_tokens, store.now()).result(PATIENCE) == 1
    assert store.read(person_of, other, store.now()) == person
    store.write(drop_token, other).result(PATIENCE)
    assert store.read(person_of, other, store.now()) is None
    assert isinstance(
        store.write(create_token, "none", store.now()).exception(PATIENCE), UnknownError
    )


def test_somebody_can_take_another_name(store: Store) -> None:
    person = store.write(create_guest, "Ada", store.now()).result(PATIENCE)
    store.write(rename, person.id, "Lovelace").result(PATIENCE)
    found = store.read(read_person, person.id)
    assert found
    assert found.name == "Lovelace"
    assert isinstance(store.write(rename, "none", "x").exception(PATIENCE), UnknownError)


def test_no_file_holds_a_token(file_store: Store, path: Path) -> None:
    store = file_store
    person = store.write(create_guest, "Ada", store.now()).result(PATIENCE)
    game = create(store)
    secrets = [
        store.write(create_token, person.id, store.now()).result(PATIENCE),
        store.write(invite, game.id, 0, store.now()).result(PATIENCE),
    ]
    files = [file.read_bytes() for file in path.parent.iterdir()]
    assert any(person.id.encode() in content for content in files)
    for secret in secrets:
        assert not any(secret.encode() in content for content in files)


def test_what_is_due_is_found_in_order_and_stays_until_it_is_changed(store: Store) -> None:
    for ref, at in (("c", 1001.0), ("a", 999.0), ("b", 1000.0), ("d", 2000.0)):
        store.write(set_due, "turn", ref, at).result(PATIENCE)
    expected = [Due(999.0, "turn", "a"), Due(1000.0, "turn", "b")]
    assert store.read(due_of, "turn", 1000.0) == store.read(due_of, "turn", 1000.0) == expected
    assert store.read(due_of, "turn", 1000.0, limit=1) == expected[:1]
    assert store.read(due_of, "sweep", 9000.0) == []
    store.write(set_due, "turn", "a", 3000.0).result(PATIENCE)
    store.write(set_due, "turn", "b", None).result(PATIENCE)
    assert store.read(due_of, "turn", 1000.0) == []
    assert [one.ref for one in store.read(due_of, "turn", 3000.0)] == ["c", "d", "a"]
