"""The house is closed, or killed, and opened again: nothing that was acknowledged is lost."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from databases import place_in
from house.houses import FirstActions
from house.web.browsing import a_page, start_against
from house.web.clients import Client
from house.web.served import a_server
from house.web.test_analysis import GAME
from house.web.test_house_pages import play_a_turn
from house.web.test_socket import play_on, two_players
from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house import app
from trine.house.app import House
from trine.house.games.storage.events import read_events
from trine.house.people.quotas import DailyQuotaError, Quota, QuotaError, QuotaKind, Quotas
from trine.house.people.tables import Person, PersonKind
from trine.house.refusals import OverloadedError, PaceError, ShuttingDownError
from trine.house.server import ServeSettings, serve_store
from trine.house.site import status_of
from trine.house.store import store as stores
from trine.house.store.sqlite import lock_folder
from trine.house.store.store import Store
from trine.house.store.store_errors import BusyError, MissingRowError, UnusableError
from trine.house.tables import SCHEMA
from trine.house.web.refusing import AWAY, MISTAKE, InternalError, refusal_of, why_of
from trine.play.session.changes import rebuild
from trine.play.session.state import Entry, Kind
from waiting import PATIENCE

TURNS = "document.querySelectorAll('#turns li').length"


@pytest.mark.parametrize("kills", [2, pytest.param(12, marks=pytest.mark.nightly)])
def test_no_acknowledged_turn_is_lost_or_played_twice_by_kill_9(tmp_path: Path, kills: int) -> None:
    with a_server(tmp_path) as served:
        port = served.port
        _game, one, _ = two_players(served, game="corridor", **{"with": "friend"})
        served.kill()
    solo = Client(one.address, one.cookie)
    acknowledged: dict[str, int] = {}

    async def under_load() -> None:
        while True:
            try:
                async with solo.play(name) as table:
                    while not table.game["over"]:
                        await table.my_turn()
                        choice = table.game["choices"][-1]["id"]  # a wall, so that it lasts
                        call = f"k.{len(acknowledged)}"
                        answer = await table.ask("turn", call, at=table.game["seq"], a=[choice])
                        assert answer["t"] == "ok", answer
                        acknowledged[call] = answer["seq"]
                        if not len(acknowledged) % 2:  # a dozen times before the walls are used up
                            server.process.kill()
                            return
            except ConnectionClosed:
                return
            except InvalidStatus as refused:
                # On PostgreSQL a process that was killed has its games for a moment longer.
                assert refused.response.status_code == 421
                await asyncio.sleep(0.1)

    name = ""
    for _ in range(kills):
        with a_server(tmp_path, port) as server:
            if not name:
                name, _ = solo.new_game(game="corridor", **{"with": "screen"})
            asyncio.run(asyncio.wait_for(under_load(), PATIENCE))
            server.wait(PATIENCE)
    assert len(acknowledged) >= kills * 2
    with Store.open(place_in(tmp_path), SCHEMA) as store:
        events = store.read(read_events, name)
    calls = [event.data["call"][1] for event in events if "call" in event.data]
    assert len(set(calls)) == len(calls)
    assert set(acknowledged) <= set(calls)
    for number, event in enumerate(events, 1):
        if "call" in event.data and (told := acknowledged.get(event.data["call"][1])):
            assert told == number
    state = rebuild([Entry(Kind(e.kind), e.actor, e.at, e.data) for e in events])
    assert len(state.play.turns) == len(calls)


def test_ctrl_c_closes_the_house_and_costs_nobody_time(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        port = served.port
        game, one, two = two_players(served, game="corridor", clock="3+2")

        began = time.monotonic()

        async def first() -> None:
            async with one.play(game) as anna, two.play(game) as bela:
                await play_on([anna, bela], 2)
                code = await asyncio.to_thread(served.stop)
                assert code == 0
                try:
                    await anna.until(lambda: False)
                except ConnectionClosed as closed:
                    assert closed.rcvd and closed.rcvd.code == 1012

        asyncio.run(first())
    was_open = time.monotonic() - began
    time.sleep(1)  # this is about time itself, which no clock may lose
    with a_server(tmp_path, port) as served:
        began = time.monotonic()

        def least() -> float:
            """What is left at least, after one turn of 3+2, if only an open house took time."""
            return 182 - was_open - (time.monotonic() - began)

        async def second() -> None:
            async with two.play(game) as bela:
                assert bela.game["waking"] and bela.game["paused"] and len(bela.turns) == 2
                assert bela.game["clock"]["left"][0] > least()
                async with one.play(game) as anna:
                    await anna.until(lambda: not anna.game["waking"])
                    assert anna.game["clock"]["left"][0] > least()
                    await play_on([anna, bela], 4)

        asyncio.run(second())
        assert served.stop() == 0
    if (path := tmp_path / "house.db").exists():
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("pragma integrity_check").fetchone() == ("ok",)


@pytest.mark.in_file
def test_a_second_house_in_a_folder_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    with a_server(tmp_path) as first:
        with pytest.raises(UnusableError, match="close it first"), lock_folder(tmp_path):
            pass
        first.kill()
        with lock_folder(tmp_path):
            pass


@pytest.mark.nightly
def test_a_page_goes_on_with_a_house_that_was_killed(tmp_path: Path, page: Page) -> None:
    with a_server(tmp_path) as served:
        page.goto(f"{served.address}new?game=corridor")
        page.click("summary")
        page.select_option("select[name=clock]", "5+5")
        start_against(page, "screen")
        for turns in (1, 2, 3):
            play_a_turn(page)
            page.wait_for_function(f"() => {TURNS} === {turns}")
        served.kill()
    expect(page.locator("#told")).to_contain_text("connection")
    with a_server(tmp_path, served.port):
        expect(page.locator("#told")).to_contain_text("North")
        # No time has passed, once the house has said how the clocks stand.
        expect(page.locator("#above time")).to_contain_text("5:0")
        play_a_turn(page)
        page.wait_for_function(f"() => {TURNS} === 4")


@pytest.mark.parametrize("entered", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_what_is_typed_while_the_house_is_away_is_played_when_it_is_back(
    tmp_path: Path, browser: Browser, entered: int
) -> None:
    with a_page(browser) as page, a_page(browser) as board:
        with a_server(tmp_path) as served:
            page.goto(f"{served.address}new?game=corridor")
            start_against(page, "screen")
            play_a_turn(page)
            page.wait_for_function(f"() => {TURNS} === 1")
            board.goto(f"{served.address}analysis")
            board.click(".paste > summary")
            board.fill("#text", GAME)
            board.click(".handed button")
            expect(board.locator("#tree button")).to_have_count(6)
            served.kill()
        expect(board.locator("#told")).to_contain_text("connection")
        board.locator("#tree button").nth(2).click()
        expect(page.locator("#told")).to_contain_text("connection")
        page.keyboard.press("t")
        page.fill("#line", "e8")
        for _ in range(entered):
            page.press("#line", "Enter")
        with a_server(tmp_path, served.port):
            page.wait_for_function(f"() => {TURNS} === 2")
            expect(page.locator("#line")).to_have_value("")
            expect(page.locator("#told")).not_to_have_class("told wrong")
            expect(board.locator("#tree [aria-current]")).to_contain_text("2s e3")


def test_a_house_that_is_closed_while_it_opens_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        opening = asyncio.Event()

        async def open_house(*given: object, **named: object) -> None:
            opening.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(House, "open", open_house)
        serving = asyncio.create_task(
            serve_store(ServeSettings(tmp_path, port=0), store, print, FirstActions())
        )
        await opening.wait()
        serving.cancel()
        await serving

    with Store.open(tmp_path / "house.db", SCHEMA) as store:
        asyncio.run(story())
    assert not caplog.text


@pytest.mark.faults("another file is in the place of the database")
@pytest.mark.faults("background work failed", "could not note that it is closed")
def test_a_house_whose_database_was_replaced_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "WATCH_INTERVAL", 0.01)
    monkeypatch.setattr(stores, "WATCH_GRACE", 0.0)
    path = tmp_path / "house.db"

    def replace(_: object) -> None:
        path.rename(tmp_path / "before.db")
        path.touch()

    with Store.open(path, SCHEMA) as store, pytest.raises(UnusableError, match="taken the place"):
        asyncio.run(serve_store(ServeSettings(tmp_path, port=0), store, replace, FirstActions()))


@pytest.mark.faults("the database failed", "a game is loaded anew", "background work failed")
@pytest.mark.faults("could not note that it is closed")
def test_people_are_not_told_what_is_wrong_inside_the_house(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        if not (tmp_path / "house.db").exists():
            pytest.skip("it is the database in a file that is broken here")
        game, one, _two = two_players(served, game="corridor")

        async def story() -> None:
            async with one.play(game) as anna:
                with closing(sqlite3.connect(tmp_path / "house.db")) as database:
                    database.execute("ALTER TABLE event RENAME TO missing")
                await anna.my_turn()
                answer = await anna.turn(anna.game["choices"][0]["id"])
                assert answer["t"] == "no" and answer["why"].startswith(
                    "the database of the house does not answer"
                )

        asyncio.run(story())
        with closing(sqlite3.connect(tmp_path / "house.db")) as database:
            database.execute("ALTER TABLE seat RENAME TO nowhere")
        page = one.ask("POST", "/new", {"game": "corridor", "with": "screen"})
        assert page.status == 503 and "database of the house does not answer" in page.text
        assert "house.db" not in page.text and "no such" not in page.text
        with closing(sqlite3.connect(tmp_path / "house.db")) as database:
            database.execute("ALTER TABLE game_search RENAME TO hidden")
        page = one.get("/search/games")
        assert page.status == 503 and "database of the house does not answer" in page.text
        assert "no such" not in page.text
        # Now the house does not even know who asks.
        with closing(sqlite3.connect(tmp_path / "house.db")) as database:
            database.execute("ALTER TABLE session RENAME TO forgotten")
        page = one.get("/")
        assert page.status == 503 and page.headers["retry-after"] == "5"

        async def knock() -> None:
            with pytest.raises(InvalidStatus) as refused:
                async with one.play(game):
                    pass
            assert refused.value.response.status_code == 503
            assert refused.value.response.headers["retry-after"] == "5"

        asyncio.run(knock())
        with closing(sqlite3.connect(tmp_path / "house.db")) as database:
            database.execute("ALTER TABLE account RENAME TO unknown")
        told = one.get("/api/bots")
        assert told.status == 503 and told.headers["retry-after"] == "5"
        assert "no such" not in told.text
    log = (tmp_path / "log").read_text()
    assert "no such table" in log and "Exception in ASGI application" not in log
    assert "handshake" not in log, "a socket that is refused is no fault"


@pytest.mark.faults("the database failed", "the house failed")
def test_what_is_no_refusal_is_told_as_a_fault_of_the_house() -> None:
    away, mistaken = UnusableError(text("it is gone")), KeyError("nobody")
    assert (why_of(away), why_of(mistaken), why_of(InternalError())) == (AWAY, MISTAKE, MISTAKE)
    for error in (away, InternalError()):
        with pytest.raises(type(error)):
            refusal_of(error)
    known = MissingRowError(text("there is no such game"))
    assert why_of(known) == known.text and refusal_of(known) is known


@pytest.mark.parametrize("error", [BusyError(9), OverloadedError(), ShuttingDownError()], ids=str)
def test_what_the_house_cannot_do_now_is_to_be_asked_for_again(error: TrineError) -> None:
    assert status_of(error) == (503, {"retry-after": "5"})
    assert why_of(error) == error.text and refusal_of(error) is error, "it is no fault"


def test_more_than_a_share_is_refused_until_a_moment() -> None:
    assert status_of(PaceError(7)) == (429, {"retry-after": "7"})
    quotas = Quotas(a_day={QuotaKind.LINE: Quota(guest=1, account=2)})
    guest = Person("guest", PersonKind.GUEST, "Guest", 0.0)
    quotas.spend(QuotaKind.LINE, guest)
    with pytest.raises(DailyQuotaError) as day:
        quotas.spend(QuotaKind.LINE, guest)
    status, headers = status_of(day.value)
    assert status == 429 and 86_300 < int(headers["retry-after"]) <= 86_400
    with pytest.raises(QuotaError) as more:
        quotas.check(QuotaKind.GAME, guest, 100)
    assert status_of(more.value) == (400, {}), "waiting does not help: one must end first"
