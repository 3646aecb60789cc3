"""Events of games: what is acknowledged is there, in order; what does not fit is refused alone."""

import tempfile
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete
from sqlalchemy.exc import StatementError

from databases import drop, place_in
from house.store.stores import PATIENCE, create, held_up, turn, with_due, written
from trine.house.games.storage.events import (
    EVENT,
    Append,
    Event,
    append_events,
    events_of_games,
    read_events,
)
from trine.house.games.storage.tables import Stage, count_games, read_game
from trine.house.processes.tables import take_game
from trine.house.store import store_errors
from trine.house.store.scheduled_tasks import tasks_due
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=6,
)
EVENTS = st.builds(
    Event,
    st.sampled_from(["act", "offer", "pause"]),
    st.none() | st.integers(0, 3),
    st.floats(0, 4e9),
    st.dictionaries(st.sampled_from(["words", "left", "what"]), JSON, max_size=3),
)


def test_events_come_back_as_they_went_in(store: Store) -> None:
    game = create(store)
    first, second, third = (
        turn("Ee2n Ee3n"),
        Event("pause", None, 0.1),
        turn("猫 e\u0301 \U0001f408"),
    )
    assert written(store, append_events, Append(game.id, 1, 1, [first, second])) == 2
    assert written(store, append_events, Append(game.id, 1, 3, [third])) == 3
    assert store.read(read_events, game.id) == [first, second, third]
    other = create(store)
    written(store, append_events, Append(other.id, 1, 1, [third]))
    journals = {game.id: [first, second, third], other.id: [third]}
    assert store.read(events_of_games, [*journals, "none"]) == journals


@settings(max_examples=25)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("create")),
            st.tuples(st.just("take"), st.integers(0, 3)),
            st.tuples(st.just("reopen")),
            st.tuples(
                st.just("append"),
                st.integers(0, 3),
                st.sampled_from([0, 0, 0, 0, -1, 1]),
                st.sampled_from([0, 0, 0, 0, -1, 1]),
                st.lists(EVENTS, max_size=3),
            ),
        ),
        max_size=25,
    )
)
def test_what_is_acknowledged_is_there_and_nothing_else(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = place_in(Path(folder))
        store = Store.open(place, SCHEMA)
        tokens: dict[str, int] = {}
        journals: dict[str, list[Event]] = {}
        asked: list[tuple[Future[int], int | type[store_errors.StoreError]]] = []
        for what, *given_ in steps:
            games = list(tokens)
            if what == "create":
                game = create(store)
                tokens[game.id], journals[game.id] = 1, []
            elif what == "reopen":
                store.close()
                store = Store.open(place, SCHEMA)
            elif games and what == "take":
                game_id = games[given_[0] % len(games)]
                tokens[game_id] += 1
                written(store, take_game, game_id, "there")
                assert token_of(store, game_id) == tokens[game_id]
            elif games:
                number, token_off, seq_off, events = given_
                game_id = games[number % len(games)]
                journal = journals[game_id]
                future = store.write(
                    append_events,
                    Append(
                        game_id, tokens[game_id] + token_off, len(journal) + 1 + seq_off, events
                    ),
                )
                if token_off:
                    asked.append((future, store_errors.FencedError))
                elif seq_off:
                    asked.append((future, store_errors.StaleError))
                else:
                    journal += events
                    asked.append((future, len(journal)))
        for future, expected in asked:
            if isinstance(expected, int):
                assert future.result(PATIENCE) == expected
            else:
                assert isinstance(future.exception(PATIENCE), expected)
        store.close()
        with Store.open(place, SCHEMA) as again:
            assert {game_id: again.read(read_events, game_id) for game_id in journals} == journals
        drop(Path(folder))


def token_of(store: Store, game: str) -> int:
    row = store.read(read_game, game)
    assert row
    return row.fencing_token


def test_an_old_home_is_fenced(store: Store) -> None:
    game = create(store, "first")
    written(store, append_events, Append(game.id, 1, 1, [turn()]))
    written(store, take_game, game.id, "second")
    assert token_of(store, game.id) == 2
    with pytest.raises(
        store_errors.FencedError,
        match=rf"game {game.id} is at home in second; its fencing token is 2",
    ):
        written(store, append_events, Append(game.id, 1, 2, [turn()]))
    assert written(store, append_events, Append(game.id, 2, 2, [turn()])) == 2
    assert len(store.read(read_events, game.id)) == 2


def test_a_home_taken_in_the_same_commit_fences_what_comes_after(store: Store) -> None:
    game = create(store)
    with held_up(store):
        before = store.write(append_events, Append(game.id, 1, 1, [turn()]))
        store.write(take_game, game.id, "second")
        after = store.write(append_events, Append(game.id, 1, 2, [turn()]))
    assert (before.result(PATIENCE), token_of(store, game.id)) == (1, 2)
    assert isinstance(after.exception(PATIENCE), store_errors.FencedError)


def test_two_stores_of_one_database_cannot_fork_a_game(store: Store, place: str) -> None:
    game = create(store)
    with Store.open(place, SCHEMA) as other:
        written(other, take_game, game.id, "other")
        token = token_of(other, game.id)
        written(other, append_events, Append(game.id, token, 1, [turn("mine")]))
        assert isinstance(
            store.write(append_events, Append(game.id, 1, 1, [turn()])).exception(PATIENCE),
            store_errors.FencedError,
        )
        assert isinstance(
            store.write(append_events, Append(game.id, token, 1, [turn()])).exception(PATIENCE),
            store_errors.StaleError,
        )
    assert [event.data["words"] for event in store.read(read_events, game.id)] == ["mine"]


def test_events_that_do_not_follow_are_refused_with_the_last_number(store: Store) -> None:
    game = create(store)
    written(store, append_events, Append(game.id, 1, 1, [turn()] * 3))
    for seq in (0, 1, 3, 5):
        refused = store.write(append_events, Append(game.id, 1, seq, [turn()])).exception(PATIENCE)
        assert isinstance(refused, store_errors.StaleError)
        assert refused.last == 3
    assert isinstance(
        store.write(append_events, Append("none", 1, 1, [turn()])).exception(PATIENCE),
        store_errors.MissingRowError,
    )


def test_one_refusal_leaves_the_rest_of_a_commit_alone(store: Store) -> None:
    games = [create(store) for _ in range(4)]
    commits = store.writer.commits
    with held_up(store):
        good = [store.write(append_events, Append(game.id, 1, 1, [turn()])) for game in games]
        twice = store.write(append_events, Append(games[0].id, 1, 1, [turn("again")]))
        fenced = store.write(append_events, Append(games[1].id, 7, 2, [turn()]))
        # Words that no database can hold: the whole bulk fails on them, then they alone.
        unwritable = store.write(append_events, Append(games[2].id, 1, 2, [turn("\ud800")]))
        no_json = store.write(
            append_events, Append(games[2].id, 1, 2, [Event("act", 0, 0.0, {"words": object()})])
        )
        follows = store.write(append_events, Append(games[3].id, 1, 2, [turn()]))
    assert [future.result(PATIENCE) for future in (*good, follows)] == [1, 1, 1, 1, 2]
    assert isinstance(twice.exception(PATIENCE), store_errors.StaleError)
    assert isinstance(fenced.exception(PATIENCE), store_errors.FencedError)
    for future in (unwritable, no_json):
        with pytest.raises(
            (UnicodeEncodeError, TypeError, StatementError), match=r"encode|not JSON"
        ):
            future.result(PATIENCE)
    assert store.writer.commits == commits + 2
    assert [len(store.read(read_events, game.id)) for game in games] == [1, 1, 1, 2]


def test_an_append_that_is_refused_takes_nothing_of_it(store: Store) -> None:
    game = create(store)
    wrong = store.write(
        append_events,
        Append(
            game.id,
            1,
            1,
            [turn(), turn("\ud800")],
            stage=Stage.PLAYING,
            also=with_due(game.id, turn=5.0),
        ),
    )
    assert wrong.exception(PATIENCE)
    assert store.read(read_events, game.id) == []
    assert store.read(tasks_due, "turn", 9.0) == []
    found = store.read(read_game, game.id)
    assert found
    assert found.stage is Stage.WAITING


def test_stage_and_deadlines_change_with_the_events(store: Store) -> None:
    game, other = create(store), create(store)
    with held_up(store):
        store.write(
            append_events,
            Append(
                game.id,
                1,
                1,
                [turn()],
                stage=Stage.PLAYING,
                also=with_due(game.id, turn=9.0, gone=4.0),
            ),
        )
        store.write(
            append_events,
            Append(
                other.id, 1, 1, [turn()], stage=Stage.PLAYING, also=with_due(other.id, turn=5.0)
            ),
        )
        last = store.write(
            append_events,
            Append(game.id, 1, 2, [turn()], also=with_due(game.id, turn=7.0, gone=None)),
        )
    last.result(PATIENCE)
    assert [(due.at, due.ref) for due in store.read(tasks_due, "turn", 9.0)] == [
        (5.0, other.id),
        (7.0, game.id),
    ]
    assert store.read(tasks_due, "gone", 9.0) == []
    written(
        store,
        append_events,
        Append(game.id, 1, 3, [turn()], stage=Stage.OVER, also=with_due(game.id, turn=None)),
    )
    assert [due.ref for due in store.read(tasks_due, "turn", 9.0)] == [other.id]
    assert store.read(count_games) == {Stage.WAITING: 0, Stage.PLAYING: 1, Stage.OVER: 1}


def test_a_journal_with_a_gap_is_not_played_on(store: Store) -> None:
    game = create(store)
    written(store, append_events, Append(game.id, 1, 1, [turn()] * 3))
    gap = delete(EVENT).where(EVENT.c.game == game.id, EVENT.c.seq == 2)
    store.writer.submit(lambda connection: connection.execute(gap) and None).result(PATIENCE)
    with pytest.raises(store_errors.UnusableError, match=r"event 2 of game .* is missing"):
        store.read(read_events, game.id)
