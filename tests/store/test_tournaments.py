"""The steps of a tournament in a store: each is done once, whoever tries it again."""

from __future__ import annotations

from typing import Any

import pytest

from store.stores import PATIENCE, turn
from trine.store.game_rows import Stage
from trine.store.refusals import UnknownError
from trine.store.seat_rows import SeatKind, SeatRow
from trine.store.store import Store
from trine.store.tournament_rows import NoRoomError, TournamentRow, TournamentStage
from trine.tournament.pairing import Pairing, rest

START = 1_800_000_000.0
PAIRS = [Pairing(1, (1, 2)), rest(1, 3)]


def done(future: Any) -> Any:
    return future.result(PATIENCE)


@pytest.fixture
def people(store: Store) -> list[str]:
    return [done(store.people.create_guest(name)).id for name in ("Ada", "Bob", "Cyd", "Dan")]


@pytest.fixture
def open_one(store: Store, people: list[str]) -> str:
    """A tournament of three at the most, that two have joined."""
    row = TournamentRow(
        *("t", "Open", people[0], {"format": "swiss"}, {}, True, 3, TournamentStage.OPEN),
        *(1.0, START),
    )
    done(store.tournaments.create(row, [(people[0], "")]))
    done(store.tournaments.join("t", people[1]))
    return "t"


def begun(store: Store, name: str) -> str:
    done(store.tournaments.join(name, None, "bot:3"))
    numbers = [(2, 1600.0), (1, 1500.0), (3, 1400.0)]
    assert done(store.tournaments.begin(name, numbers, START))
    return name


def play(store: Store, name: str, people: list[str]) -> str:
    seats = [SeatRow(SeatKind.PERSON, "x", person) for person in people[:2]]
    game: str = done(store.tournaments.play(name, 1, "corridor", "quoridor", {}, seats))
    return game


def test_people_join_once_and_leave_until_it_begins(
    store: Store, open_one: str, people: list[str]
) -> None:
    here = store.tournaments
    done(here.join(open_one, people[1]))
    done(here.join(open_one, people[2]))
    with pytest.raises(NoRoomError):
        done(here.join(open_one, people[3]))
    assert done(here.leave(open_one, 1))
    done(here.join(open_one, people[3]))
    found = here.get(open_one)
    assert found
    assert [(one.entry, one.name, one.number) for one in found[1]] == [
        *((2, "Bob", None), (3, "Cyd", None), (4, "Dan", None)),
    ]
    assert not done(here.withdraw(open_one, 2)), "nobody withdraws before it begins"
    with pytest.raises(UnknownError):
        done(here.join("x", people[0]))


def test_it_begins_once_with_those_who_are_known(store: Store, open_one: str) -> None:
    here = store.tournaments
    assert here.to_see_to(START - 1) == set() and here.to_see_to(START) == {open_one}
    assert not done(here.begin(open_one, [(1, 1500.0)], START)), "another has come meanwhile"
    begun(store, open_one)
    assert not done(here.begin(open_one, [(1, 0.0), (2, 0.0), (3, 0.0)], START))
    assert not done(here.leave(open_one, 1))
    assert here.to_see_to(START) == set()
    found = here.get(open_one)
    assert found and found[0].stage is TournamentStage.RUNNING and found[0].began_at == START
    assert {one.name: (one.number, one.rating) for one in found[1]} == {
        "Ada": (2, 1500.0),
        "Bob": (1, 1600.0),
        "bot:3": (3, 1400.0),
    }
    assert done(here.withdraw(open_one, 1)) and not done(here.withdraw(open_one, 1))


def test_a_pairing_its_game_and_its_result_are_written_once(
    store: Store, open_one: str, people: list[str]
) -> None:
    here = store.tournaments
    assert not done(here.pair(open_one, 0, PAIRS)), "it has not begun"
    begun(store, open_one)
    assert done(here.pair(open_one, 0, PAIRS))
    assert not done(here.pair(open_one, 0, PAIRS))
    game = play(store, open_one, people)
    assert play(store, open_one, people) == game
    assert store.count_games()[Stage.WAITING] == 1
    assert here.of_game(game) == (open_one, 1)
    assert here.to_see_to(START) == set()
    done(store.append(game, 1, 1, [turn()], stage=Stage.OVER))
    assert here.to_see_to(START) == {open_one}
    assert done(here.result(open_one, 1, (0.0, 1.0), played=False))
    assert not done(here.result(open_one, 1, (1.0, 0.0), played=True))
    assert here.to_see_to(START) == set()
    found = here.get(open_one)
    assert found
    assert [one.pairing for one in found[2]] == [
        *(Pairing(1, (1, 2), (0.0, 1.0), played=False), rest(1, 3)),
    ]
    assert [(one.game, one.stage) for one in found[2]] == [(game, Stage.OVER), (None, None)]


def test_it_ends_once_and_is_found_by_stage_and_person(
    store: Store, open_one: str, people: list[str]
) -> None:
    here = store.tournaments
    assert here.counts([open_one, "x"]) == {open_one: 2}
    assert [row.id for row in here.in_stages([TournamentStage.OPEN], listed=True)] == [open_one]
    assert [row.id for row in here.of_person(people[1])] == [open_one]
    assert here.of_person(people[2]) == []
    assert done(here.end(open_one, TournamentStage.CANCELLED, START))
    assert not done(here.end(open_one, TournamentStage.OVER, START))
    assert here.to_see_to(START) == set(), "nothing is due any more"
    assert here.in_stages([TournamentStage.OPEN]) == []
    assert here.get("x") is None
