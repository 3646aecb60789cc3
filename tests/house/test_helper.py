"""Bots whose turns are thought about elsewhere when there is no time for them here."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from house.houses import a_house, asked, first_turn, quick_passwords, story, until
from house.victims import choose_first
from postgres import Server
from trine import __version__
from trine.house import shared_bots
from trine.house.agreement import ME, Agreement
from trine.house.bots import Bots
from trine.house.helper import Helper
from trine.house.host import Host
from trine.house.house import House
from trine.house.shared_bots import SharedBots
from trine.session.changes import rebuilt
from trine.session.entries import Entry
from trine.store import jobs
from trine.store.people import Person
from trine.store.store import Store


class Busy(SharedBots):
    """Bots that have no time until they are told that they have."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, 1)
        self._busy = 1

    def warm(self) -> None:
        """Nothing to make ready."""

    def free(self) -> None:
        self._busy = 0
        self._begin_next()


@contextmanager
def a_helper(url: str, choose: Any) -> Iterator[list[str]]:
    faults: list[str] = []
    with Store.open(url) as store:
        helper = Helper(store, 1, lambda words, error: faults.append(words), choose)
        thread = threading.Thread(target=helper.run)
        thread.start()
        try:
            yield faults
        finally:
            helper.close()
            thread.join(20)


async def against_a_bot(house: House) -> tuple[Host, Person]:
    person, _ = await house.welcome("Anna")
    game, _ = await house.create(Agreement.make("corridor"), [ME, "bot:3"], person)
    return await house.host(game), person


def turns(host: Host) -> int:
    assert host.game
    return len(host.game.play.turns)


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@pytest.fixture(autouse=True)
def _own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    async def choose(self: Bots, *given: Any) -> tuple[str, ...] | None:
        wanted, entries = given[-1], given[2]
        while self.is_full:
            await until(lambda: not self.is_full)
        return first_turn(rebuilt(entries).play) if wanted() else None

    monkeypatch.setattr(Bots, "choose", choose)
    monkeypatch.setattr(shared_bots, "COUNTED", 0.05)
    # However slowly a busy machine lets a worker begin, it is neither forgotten nor given up.
    monkeypatch.setattr(jobs, "KNOWN", 600.0)
    monkeypatch.setattr(shared_bots, "PATIENCE", 600.0)


@pytest.mark.nightly
@story
async def test_a_turn_is_thought_about_elsewhere_while_all_are_busy_here(url: str) -> None:
    with Store.open(url) as store, a_helper(url, choose_first) as faults:
        bots = Busy(store)
        async with a_house(url, bots=bots, passwords=quick_passwords()) as house:
            await until(lambda: store.jobs.count_workers() == 1)
            host, person = await against_a_bot(house)
            await host.turn(asked(person), ["e2"])
            await until(lambda: turns(host) == 2)
            assert bots.given_away == 1 and not faults
            bots.free()
            await host.turn(asked(person), ["e3"])
            await until(lambda: turns(host) == 4)
            assert bots.given_away == 1, "there was time for it here"
            assert not store.jobs.wait_any(__version__)


@story
async def test_who_fails_or_dies_elsewhere_forfeits_nothing(url: str) -> None:
    def fails(game: str, bot: str, entries: Sequence[Entry], elapsed: float) -> tuple[str, ...]:
        raise AssertionError("cannot even be sent to a process")

    with Store.open(url) as store, a_helper(url, fails) as faults:
        bots = Busy(store)
        async with a_house(url, bots=bots, passwords=quick_passwords()) as house:
            await until(lambda: store.jobs.count_workers() == 1)
            host, person = await against_a_bot(house)
            await host.turn(asked(person), ["e2"])
            await until(lambda: faults)
            bots.free()
            await until(lambda: turns(host) == 2)
            assert bots.given_away == 0


@story
async def test_nobody_waits_for_workers_that_are_gone(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_bots, "PATIENCE", 0.5)
    with Store.open(url) as store:
        bots = Busy(store)
        async with a_house(url, bots=bots, passwords=quick_passwords()) as house:
            store.jobs.note_worker("gone", 4).result()
            host, person = await against_a_bot(house)
            await host.turn(asked(person), ["e2"])
            await until(lambda: store.jobs.wait_any(__version__))
            store.jobs.take("gone", __version__).result()
            bots.free()
            await until(lambda: turns(host) == 2)
            assert bots.given_away == 0
