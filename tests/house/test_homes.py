"""Several processes of one house, here in one: a game is played in one of them at a time."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import text

from house.houses import PASSWORD, Eye, FirstActions, asked, quick_passwords, two_at_a_board, until
from house.web.test_streams import Line
from postgres import Server
from trine.core.errors import TrineError
from trine.house.api.streams import Stream
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import DEADLINE
from trine.house.games.live.commands import resign, turn
from trine.house.games.live.task_scheduler import LEADER
from trine.house.games.storage.events import read_events
from trine.house.games.storage.tables import Stage, read_game, read_seats
from trine.house.people.credentials import create_token
from trine.house.processes import lease as leases
from trine.house.processes import process_bus
from trine.house.processes import tables as homes
from trine.house.site import sources_of
from trine.house.store.postgres import listeners
from trine.house.store.scheduled_tasks import schedule, times_of
from trine.house.store.store import Store
from trine.house.store.store_errors import HeldError, UnusableError
from trine.house.tables import SCHEMA
from waiting import PATIENCE

pytestmark = pytest.mark.faults("FencedError")  # a home that was taken for gone finds out
GAME = Agreement.make("corridor", clock="5+5", listed=True)


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@pytest.fixture(autouse=True)
def _short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    lasting(monkeypatch, 4.0)  # a process that waits for a core must not lose its own
    monkeypatch.setattr(leases, "RENEW_INTERVAL", 0.2)
    monkeypatch.setattr(leases, "SWEEP_INTERVAL", 0.1)
    monkeypatch.setattr(process_bus, "SYNC_INTERVAL", 0.1)


def lasting(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(homes, "LEASE", seconds)


@asynccontextmanager
async def houses(url: str, count: int, **options: Any) -> AsyncIterator[list[House]]:
    async with AsyncExitStack() as stack, asyncio.timeout(120):
        opened = []
        for name in "abc"[:count]:
            store = stack.enter_context(Store.open(url, SCHEMA))
            house = await House.open(
                store,
                bots=FirstActions(),
                passwords=quick_passwords(),
                home=name,
                node_address=f"{name}:80",
                **options,
            )
            stack.push_async_callback(house.close)
            opened.append(house)
        yield opened


async def die(house: House) -> None:
    await house.background.close()


async def test_a_game_is_led_to_and_taken_when_its_home_is_gone(url: str) -> None:
    async with houses(url, 2) as (a, b):
        host, one, two = await two_at_a_board(a, clock="5+5")
        await host.do(turn, asked(one), ["e2"])
        with pytest.raises(HeldError) as held:
            await b.games.actor(host.id)
        assert held.value.node_address == "a:80"
        eye = Eye()
        await host.enter(eye, two.id)
        await die(a)
        await until(lambda: b.games.actors)  # nobody has asked: its clock runs
        there = await b.games.actor(host.id)
        assert there.snapshot.waking and there.snapshot.seq == 3
        state = there.snapshot.state
        assert state and state.at - host.game.state.at < 2  # type: ignore[union-attr]
        with pytest.raises(TrineError):
            await host.do(turn, asked(two), ["e8"])
        await until(lambda: eye.was_dropped)
        assert a.games.actors == []
        await there.do(turn, asked(two), ["e8"])
        assert len(a.store.read(read_events, host.id)) == 5


async def test_who_closes_hands_its_games_over_at_once(url: str) -> None:
    async with houses(url, 2) as (a, b):
        host, one, _ = await two_at_a_board(a, clock="5+5")
        await a.close()
        await until(lambda: b.games.actors)
        await b.games.actors[0].do(turn, asked(one), ["e2"])
        assert b.games.actors[0].id == host.id


async def test_who_was_stopped_finds_out_which_games_are_its_own(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lasting(monkeypatch, 20.0)  # a busy machine must not have it stopped in earnest
    async with houses(url, 2) as (a, b):
        kept, one, two = await two_at_a_board(a, clock="5+5")
        lost, _, three = await two_at_a_board(a)
        eye = Eye()
        await lost.enter(eye, three.id)
        await a.lobby.attend()
        with pytest.raises(HeldError):
            await b.lobby.attend()
        await kept.do(turn, asked(one), ["e2"])
        await b.games.actor(lost.id, move=True)

        def lapses() -> int:
            a.lease._renewed -= 60  # as if nothing had been done here since
            assert a.lease.lapsed
            return a.lease.lapses

        await until(lapses)  # a beat that is under way already would make it good again
        await until(lambda: eye.was_dropped and not a.lease.lapsed)
        assert a.games.actors == [kept]
        await until(lambda: kept.snapshot.waking)
        await kept.do(turn, asked(two), ["e8"])
        with pytest.raises(HeldError):
            await a.games.actor(lost.id)


async def hearing(one: House, other: House) -> None:
    """Wait until one hears what another says."""
    heard: list[str] = []
    one.process_bus.close_sessions = heard.extend

    def hears() -> bool:
        other.process_bus.publish(process_bus.CUT, "is anybody there?")
        return bool(heard)

    await until(hears)


async def test_another_process_is_told_of_what_it_has_no_more(url: str) -> None:
    async with houses(url, 2) as (a, b):
        await hearing(a, b)
        await hearing(b, a)
        host, one, _ = await two_at_a_board(a)
        eye = Eye()
        await host.enter(eye, one.id)
        cut: list[str] = []
        b.process_bus.close_sessions = cut.extend
        there = await b.games.actor(host.id, move=True)
        a.process_bus.publish(process_bus.CUT, "hash")
        await until(lambda: eye.was_dropped and "hash" in cut)
        await there.do(turn, asked(one), ["e2"])


async def test_games_elsewhere_are_seen_in_the_lobby_and_among_ones_own(url: str) -> None:
    async with houses(url, 2) as (a, b):
        host, one, two = await two_at_a_board(a, clock="5+5", listed=True)
        await until(lambda: b.lobby.update().live)
        (live,) = b.lobby.update().live
        assert live.game == host.id and [seat.name for seat in live.seats] == ["Anna", "Béla"]
        (own,) = await b.own_games.of(one)
        assert own.to_move and own.game == host.id and not b.games.actors
        assert not (await b.own_games.of(two))[0].to_move
        await host.do(turn, asked(one), ["e2"])
        await host.do(resign, asked(two))
        await until(lambda: not b.lobby.update().live)
        assert await b.own_games.of(one) == []


async def test_who_is_online_in_one_process_is_so_in_all(url: str) -> None:
    async with houses(url, 2) as (one, two):
        one.online.note("anna")
        await until(lambda: two.online.has("anna"))
        two.online.note("bela")
        await until(lambda: one.online.has("bela"))
        assert one.online.here() == {"anna"}, "what was heard is told on"


async def test_the_lobby_is_in_one_process_and_moves_when_that_is_gone(url: str) -> None:
    async with houses(url, 3) as (a, b, c):
        await asyncio.gather(*(house.lobby.attend() for house in (a,)))
        for house in (b, c):
            with pytest.raises(HeldError, match="a:80"):
                await house.lobby.attend()
        await die(a)
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await b.lobby.attend()
                except HeldError:
                    await asyncio.sleep(0.1)
                else:
                    break
        with pytest.raises(HeldError, match="b:80"):
            await c.lobby.attend()


async def test_an_account_with_games_elsewhere_can_be_deleted(url: str) -> None:
    async with houses(url, 2) as (a, b):
        host, one, _ = await two_at_a_board(a)
        await host.do(turn, asked(one), ["e2"])
        person, _ = await b.accounts.register(one, "Anna Grey", PASSWORD)
        await b.accounts.delete(person, PASSWORD)
        row = b.store.read(read_game, host.id)
        assert row and row.stage is Stage.OVER and row.home == "b"
        assert [seat.name for seat in b.store.read(read_seats, host.id)] == ["deleted", "Béla"]


async def test_a_guest_whose_game_is_played_elsewhere_brings_it_along(url: str) -> None:
    async with houses(url, 2) as (a, b):
        host, guest, _ = await two_at_a_board(a, clock="5+5")
        token = await a.store.commit(create_token, guest.id, a.store.now(), 60)
        anna, _ = await b.accounts.register(None, "Anna Adler", PASSWORD)
        await b.accounts.log_in("Anna Adler", PASSWORD, token)
        there = await b.games.actor(host.id)
        assert there.snapshot.seats_of(anna.id) == {0}
        await there.do(turn, asked(anna), ["e2"])
        with pytest.raises(TrineError):
            await host.do(turn, asked(guest), ["e2"])


async def test_what_falls_due_is_seen_to_by_one_process_also_for_games_of_others(url: str) -> None:
    async with houses(url, 2) as (a, b):
        await until(
            lambda: a.store.read(homes.leader_of, LEADER)
        )  # one of both has begun to see to it
        found = a.store.read(homes.leader_of, LEADER)
        assert found
        sees, other = (a, b) if found.name == "a" else (b, a)
        with pytest.raises(HeldError):
            await other.lease.take_lead(LEADER)
        host, one, two = await two_at_a_board(other, clock="2d/5d/0")
        await host.do(turn, asked(one), ["e2"])
        await host.do(turn, asked(two), ["e8"])
        eye = Eye()
        await host.enter(eye, two.id)
        past = other.now() - 1
        await other.store.commit(schedule, DEADLINE, host.id, past)
        await sees.task_scheduler.tick()
        row = sees.store.read(read_game, host.id)
        assert row and row.home == sees.lease.home
        await until(lambda: eye.was_dropped)
        # Its clock has not run out: the row was wrong, and is put right.
        assert sees.store.read(times_of, DEADLINE, [host.id])[host.id] > past + 86_400


@pytest.mark.faults("the database is away")
async def test_a_process_that_could_not_listen_checks_its_open_sockets(url: str) -> None:
    async with houses(url, 2) as (a, b):
        checked: list[str] = []

        async def recheck() -> None:
            checked.append("b")
            if len(checked) == 1:
                raise UnusableError("the database is away")

        await until(lambda: a.store.read(listeners) == {"a", "b"} and not b.process_bus._missed)
        b.process_bus.recheck_all = recheck
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
        a.store.read(lambda connection: connection.execute(text(f"{ended}'trine of b'")).all())
        await until(lambda: len(checked) == 2)
        assert not b.process_bus._missed, "a check that failed is made again"


async def test_the_streams_of_a_person_end_in_all_processes(url: str) -> None:
    async with houses(url, 2) as (a, b):
        anna, session = await a.accounts.register(None, "Anna", PASSWORD)
        made = await a.tokens.create(anna, "it", ["read"])
        grant = await b.tokens.grant(made)
        assert grant
        far = Line()
        stream = Stream(sources_of(b), grant, "en")
        task = asyncio.create_task(stream({}, far.receive, far.send))
        await until(lambda: "ping" in far.kinds())
        ended = await a.accounts.end_others(anna, session)
        a.process_bus.publish_ended(ended.hashes, ended.person_id)
        await until(lambda: far.kinds()[-1] == "end")
        far.gone.set()
        await task
