"""The desk of the host: the page, the command, and what the host does to accounts by commands."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cli.commands.test_house import run
from databases import place_in
from house.houses import Time, a_house, story
from house.test_ratings import PASSWORD, people
from house.web.browsing import LANGUAGES_BY_WIDTH, PHONE, a_page
from house.web.clients import Client
from house.web.served import a_server
from house.web.test_people_by_hand import check, register
from trine.house.desk import Desk
from trine.house.house_settings import BackupSettings
from trine.house.keeping import Keep
from trine.house.people.names import fold
from trine.house.people.tables import ADMIN_ROLE, account_led_to, set_role
from trine.house.processes.tables import end_leases
from trine.house.site import keep_figures_of, measure_house
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from trine.house.web.metrics import Metrics
from waiting import wait_until


@story
async def test_the_desk_tells_who_is_here_what_failed_and_what_went(tmp_path: Path) -> None:
    time = Time()
    (tmp_path / "kept").mkdir()
    for name in ("house-2.db", "house-1.db", "other.db"):
        (tmp_path / "kept" / name).write_bytes(b"1" * 2**20)
    backup = BackupSettings(str(tmp_path / "kept"))
    async with a_house(tmp_path, time, report=lambda *words, **about: None, backup=backup) as house:
        metrics = Metrics()
        measure_house(metrics, house)
        (anna,) = await people(house, "Anna")
        house.online.note(anna.id)
        try:
            next(iter(()))
        except StopIteration as error:
            house.report("a page failed", error, path="/")
        house.report("a warning")
        house.pruning.went["guests"] = 3
        await keep_figures_of(house, metrics)
        parts = house.store.read(house.desk.read, time())
        told = {str(line.topic): line for part in parts for line in part.lines}
        assert str(told["Online"].told) == "Anna" and not told["Is open"].wrong
        assert str(told["Guests who stay away"].told) == ("after 180 days; 3 went since the start")
        assert str(told["How many"].told) == "1"
        (fault,) = (line for line in parts[-1].lines if line.more)
        assert "a page failed: StopIteration()" in str(fault.told)
        assert "test_desk.py" in fault.more and fault.wrong
        assert str(told["Last one"].told).startswith("house-2.db, 1.0 MiB, ")
        assert str(told["Last one"].told).endswith("; 2 are kept")
        time.now += 30
        await house.store.commit(end_leases, house.lease.home, time())
        closed, *_ = house.store.read(house.desk.read, time())
        told = {str(line.topic): line for line in closed.lines}
        assert told["Is open"].wrong and str(told["Online"].told) == "0"
        time.now += 3600
        parts = house.store.read(Desk(Keep(), None, None).read, time())
        told = {str(line.topic): line for part in parts for line in part.lines}
        assert told["Is open"].wrong and told["Last one"].wrong


@pytest.mark.in_file
def test_the_page_and_the_command_say_the_same_to_the_host_alone(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        mary, anna = Client(served.address), Client(served.address)
        for one, name in ((mary, "Mary"), (anna, "Anna")):
            made = one.post("/account/register", name=name, password=PASSWORD)
            assert made.status == 303
        assert run("admin", "Mary", "--data", str(tmp_path)).exit_code == 0
        assert (
            anna.get("/house").status == 403 and Client(served.address).get("/house").status == 403
        )
        wait_until(lambda: "Process" in run("status", "--data", str(tmp_path)).output)
        page = re.sub(r"\s*<[^>]*>\s*", " ", unescape(mary.get("/house").text))
        lines = run("status", "--data", str(tmp_path)).output.splitlines()
        assert len(lines) > 30
        for line in lines:
            topic, _, _ = line[2:].partition(": ")
            assert (topic if line[0] in " !" else line) in page, line
    closed = run("status", "--data", str(tmp_path))
    assert closed.exit_code == 0 and "1 went" not in closed.output


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_the_desk_fits_a_phone(tmp_path: Path, browser: Browser, language: str) -> None:
    with a_server(tmp_path) as served, a_page(browser, PHONE) as page:
        page.goto(f"{served.address}language/{language}?back=/account")
        register(page, served, "Mary")
        page.wait_for_url("**/lobby")
        with Store.open(place_in(tmp_path), SCHEMA) as store:
            account = store.read(account_led_to, fold("Mary"))
            assert account
            store.write(set_role, account.person, ADMIN_ROLE).result()
        page.goto(f"{served.address}house")
        check(page, 360)
