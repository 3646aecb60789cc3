"""A process that writes is killed, or its disk is full: what it acknowledged is there."""

import json
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from house.store.stores import PATIENCE, turn, written
from house.store.victims import WRITERS, write_until_full, write_until_killed
from trine.house.games.storage.events import Append, Event, append_events, read_events
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from waiting import wait_until

Acknowledged = list[tuple[str, int, str]]


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes that have imported what they need, and start within milliseconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["trine.house.store.store", "house.store.victims"])
    return context


def acknowledged(notes: Path) -> Iterator[tuple[str, int, str]]:
    """The notes; the last line may be torn by the kill."""
    for line in notes.read_text().splitlines(keepends=True):
        if line.endswith("\n"):
            yield from (tuple(event) for event in json.loads(line))


def has_notes(notes: Path) -> bool:
    """Whether two events for each writer are noted; a busy disk may take a while for each."""
    return notes.exists() and notes.read_bytes().count(b"\n") >= 2 * WRITERS


def check(place: str, noted: Acknowledged) -> None:
    """No acknowledged event is lost, none is there twice, and no number is missing."""
    journals: dict[str, list[Event]] = {}
    with Store.open(place, SCHEMA) as store:
        for game, seq, words in noted:
            journal = journals.get(game)
            if journal is None:
                journal = journals[game] = store.read(
                    read_events, game
                )  # numbers without gaps, or an error
            assert journal[seq - 1].data["words"] == words
    counts = Counter(event.data["words"] for journal in journals.values() for event in journal)
    assert set(counts.values()) <= {1}


@pytest.mark.parametrize("kills", [5, pytest.param(30, marks=pytest.mark.nightly)])
def test_no_acknowledged_event_is_lost_by_a_kill(
    tmp_path: Path, place: str, processes: ForkServerContext, kills: int
) -> None:
    rng = random.Random(21)
    noted: Acknowledged = []
    began = 0
    for run in range(kills):
        notes = tmp_path / f"acknowledged-{run}"
        process = processes.Process(target=write_until_killed, args=(place, notes, run))
        process.start()
        # Some are killed while they open the database, most while they write to it.
        if run % 5:
            wait_until(partial(has_notes, notes), interval=0.002)
        time.sleep(rng.uniform(0, 0.12))  # at any moment is what is tested
        process.kill()
        process.join(PATIENCE)
        assert process.exitcode == -9
        if notes.exists():
            found = list(acknowledged(notes))
            began += bool(found)
            noted += found
        check(place, noted)
    assert began >= kills * 3 // 4
    assert len(noted) >= kills * WRITERS


def test_a_disk_that_takes_no_more_is_one_clear_error(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    path, notes = tmp_path / "house.db", tmp_path / "notes"
    process = processes.Process(target=write_until_full, args=(path, notes))
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == 0
    *noted, problem = notes.read_text().splitlines()
    assert problem.startswith(f"the database {path} cannot be used: ")
    game, last = noted[-1].split()
    assert int(last) > 20
    with Store.open(path, SCHEMA) as store:
        assert len(store.read(read_events, game)) == int(last)
        written(store, append_events, Append(game, 1, int(last) + 1, [turn()]))
