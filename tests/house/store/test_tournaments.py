"""The steps of a tournament in a store: each is done once, whoever tries it again."""

from __future__ import annotations

from typing import Any

import pytest

from house.store.stores import PATIENCE, turn
from trine.house.games.events import Append, append_events
from trine.house.games.tables import SeatKind, SeatRow, Stage, count_games
from trine.house.people.tables import create_guest
from trine.house.store.refusals import UnknownError
from trine.house.store.store import Store
from trine.house.tournaments import tables, tournament_steps
from trine.house.tournaments.tables import TournamentRow, TournamentStage
from trine.house.tournaments.tournament_steps import NoRoomError
from trine.play.tournament.pairing import Pairing, rest

START = 1_800_000_000.0
PAIRS = [Pairing(1, (1, 2)), rest(1, 3)]


def done(future: Any) -> Any:
    return future.result(PATIENCE)


@pytest.fixture
def people(store: Store) -> list[str]:
    return [
        done(store.write(create_guest, name, store.now())).id
        for name in ("Ada", "Bob", "Cyd", "Dan")
    ]


@pytest.fixture
def open_one(store: Store, people: list[str]) -> str:
    """A tournament of three at the most, that two have joined."""
    row = TournamentRow(
        *("t", "Open", people[0], {"format": "swiss"}, {}, True, 3, TournamentStage.OPEN),
        *(1.0, START),
    )
    done(store.write(tournament_steps.create, row, [(people[0], "")]))
    done(store.write(tournament_steps.join, "t", people[1]))
    return "t"


def numbered(store: Store, name: str) -> list[tuple[int, str, float]]:
    """The entries as they begin: Bob is number 1, Ada number 2."""
    ratings = {2: 1600.0, 1: 1500.0, 3: 1400.0}
    who = {one.entry: one.who for one in store.read(tables.entrants, name)}
    return [(entry, who[entry], rating) for entry, rating in ratings.items() if entry in who]


def begun(store: Store, name: str) -> str:
    done(store.write(tournament_steps.join, name, None, "bot:3"))
    assert done(store.write(tournament_steps.begin, name, numbered(store, name), START))
    return name


def play(store: Store, name: str, people: list[str]) -> str:
    seats = [SeatRow(SeatKind.PERSON, "x", person) for person in people[1::-1]]
    game: str = done(
        store.write(tournament_steps.play, name, 1, "corridor", "quoridor", {}, seats, store.now())
    )
    return game


def test_people_join_once_and_leave_until_it_begins(
    store: Store, open_one: str, people: list[str]
) -> None:
    done(store.write(tournament_steps.join, open_one, people[1]))
    done(store.write(tournament_steps.join, open_one, people[2]))
    with pytest.raises(NoRoomError):
        done(store.write(tournament_steps.join, open_one, people[3]))
    assert not done(store.write(tournament_steps.leave, open_one, 1, people[1])), "not Bob's"
    assert done(store.write(tournament_steps.leave, open_one, 1, people[0]))
    done(store.write(tournament_steps.join, open_one, people[3]))
    found = store.read(tables.read_whole, open_one)
    assert found
    assert [(one.entry, one.name, one.number) for one in found[1]] == [
        *((2, "Bob", None), (3, "Cyd", None), (4, "Dan", None)),
    ]
    assert not done(store.write(tournament_steps.withdraw, open_one, 2, people[1])), (
        "nobody withdraws before it begins"
    )
    with pytest.raises(UnknownError):
        done(store.write(tournament_steps.join, "x", people[0]))


def test_it_begins_once_with_those_who_are_known(
    store: Store, open_one: str, people: list[str]
) -> None:
    assert store.read(tables.to_see_to, START - 1) == set() and store.read(
        tables.to_see_to, START
    ) == {open_one}
    before = numbered(store, open_one)
    assert not done(store.write(tournament_steps.begin, open_one, before[1:], START)), (
        "another has come meanwhile"
    )
    done(store.write(tournament_steps.leave, open_one, 2, people[1]))
    done(store.write(tournament_steps.join, open_one, people[2]))
    assert not done(store.write(tournament_steps.begin, open_one, before, START)), (
        "another has this entry now"
    )
    done(store.write(tournament_steps.leave, open_one, 2, people[2]))
    done(store.write(tournament_steps.join, open_one, people[1]))
    begun(store, open_one)
    again = numbered(store, open_one)
    assert not done(store.write(tournament_steps.begin, open_one, again, START))
    assert not done(store.write(tournament_steps.cancel, open_one, START))
    assert not done(store.write(tournament_steps.leave, open_one, 1, people[0]))
    assert store.read(tables.to_see_to, START) == set()
    found = store.read(tables.read_whole, open_one)
    assert found and found[0].stage is TournamentStage.RUNNING and found[0].began_at == START
    assert {one.name: (one.number, one.rating) for one in found[1]} == {
        "Ada": (2, 1500.0),
        "Bob": (1, 1600.0),
        "bot:3": (3, 1400.0),
    }
    assert done(store.write(tournament_steps.withdraw, open_one, 1, people[0])) and not done(
        store.write(tournament_steps.withdraw, open_one, 1, people[0])
    )


def test_a_pairing_its_game_and_its_result_are_written_once(
    store: Store, open_one: str, people: list[str]
) -> None:
    assert not done(store.write(tournament_steps.pair, open_one, 0, PAIRS)), "it has not begun"
    begun(store, open_one)
    assert done(store.write(tournament_steps.pair, open_one, 0, PAIRS))
    assert not done(store.write(tournament_steps.pair, open_one, 0, PAIRS))
    assert not done(
        store.write(tournament_steps.result, open_one, 1, "other", (0.0, 1.0), played=False)
    )
    game = play(store, open_one, people)
    forfeit = store.write(tournament_steps.result, open_one, 1, None, (0.0, 1.0), played=False)
    assert not done(forfeit), "a game has begun meanwhile"
    assert play(store, open_one, people) == game
    assert store.read(count_games)[Stage.WAITING] == 1
    assert store.read(tables.to_see_to, START) == set()
    done(store.write(append_events, Append(game, 1, 1, [turn()], stage=Stage.OVER)))
    assert store.read(tables.to_see_to, START) == {open_one}
    assert done(store.write(tournament_steps.result, open_one, 1, game, (0.0, 1.0), played=False))
    assert not done(
        store.write(tournament_steps.result, open_one, 1, game, (1.0, 0.0), played=True)
    )
    assert store.read(tables.to_see_to, START) == set()
    found = store.read(tables.read_whole, open_one)
    assert found
    assert [one.pairing for one in found[2]] == [
        *(Pairing(1, (1, 2), (0.0, 1.0), played=False), rest(1, 3)),
    ]
    assert [(one.game, one.stage) for one in found[2]] == [(game, Stage.OVER), (None, None)]


def test_nothing_is_done_by_what_stood_before(
    store: Store, open_one: str, people: list[str]
) -> None:
    begun(store, open_one)
    done(store.write(tournament_steps.pair, open_one, 0, PAIRS))
    assert not done(store.write(tournament_steps.end, open_one, 0, START)), "more are paired"
    done(store.write(tournament_steps.withdraw, open_one, 1, people[0]))
    assert play(store, open_one, people) is None, "Ada has withdrawn"
    forfeit = store.write(tournament_steps.result, open_one, 1, None, (1.0, 0.0), played=False)
    assert done(forfeit)
    assert play(store, open_one, people) is None, "it is decided"
    assert done(store.write(tournament_steps.end, open_one, len(PAIRS), START))
    assert store.read(count_games).get(Stage.WAITING, 0) == 0


def test_it_ends_once_and_is_found_by_stage_and_person(
    store: Store, open_one: str, people: list[str]
) -> None:
    assert store.read(tables.counts, [open_one, "x"]) == {open_one: 2}
    assert [
        row.id for row in store.read(tables.in_stages, [TournamentStage.OPEN], listed=True)
    ] == [open_one]
    assert [row.id for row in store.read(tables.of_person, people[1])] == [open_one]
    assert store.read(tables.of_person, people[2]) == []
    assert not done(store.write(tournament_steps.end, open_one, 0, START)), "it has not begun"
    assert not done(store.write(tournament_steps.cancel, open_one, START, [1])), "one has come"
    assert done(store.write(tournament_steps.cancel, open_one, START, [1, 2]))
    assert not done(store.write(tournament_steps.cancel, open_one, START))
    assert store.read(tables.to_see_to, START) == set(), "nothing is due any more"
    assert store.read(tables.in_stages, [TournamentStage.OPEN]) == []
    assert store.read(tables.read_whole, "x") is None
