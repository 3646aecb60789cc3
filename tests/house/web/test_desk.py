"""The desk of the host: the page, the command, and what the host does to accounts by commands."""

import asyncio
import re
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page

from cli.commands.test_house import run
from databases import place_in
from house.houses import PASSWORD, Heard, OpenHouse, Time, members
from house.web.browsing import LANGUAGES_BY_WIDTH, check
from house.web.clients import Client
from house.web.served import a_server
from house.web.test_people_by_hand import register
from trine.core.clock import DAY
from trine.house.app import House
from trine.house.house_settings import BackupSettings
from trine.house.moderation.tables import VERSION, AuditRow, add_audit
from trine.house.people.names import fold
from trine.house.people.tables import ADMIN_ROLE, find_account, set_role
from trine.house.processes.tables import end_leases
from trine.house.retention import Retention
from trine.house.site import keep_figures_of, measure_house
from trine.house.status_report import StatusReport, note_version
from trine.house.store.database import REVISION_TABLE
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from trine.house.web.metrics import LoopStall, LoopWatchdog, Metrics
from trine.house.web.pages import minute
from waiting import wait_until


async def test_the_desk_tells_who_is_here_what_failed_and_what_went(
    tmp_path: Path, open_house: OpenHouse, time: Time
) -> None:
    (tmp_path / "kept").mkdir()
    for name in ("house-2.db", "house-1.db", "other.db"):
        (tmp_path / "kept" / name).write_bytes(b"1" * 2**20)
    backup = BackupSettings(str(tmp_path / "kept"))
    house = await open_house(report=Heard(), backup=backup)
    metrics = Metrics()
    measure_house(metrics, house)
    (anna,) = await members(house, "Anna")
    house.online.note(anna.id)
    try:
        next(iter(()))
    except StopIteration as error:
        house.report("a page failed", error, path="/")
    house.report("a warning")
    house.pruning.went["guests"] = 3
    metrics.longest = LoopStall(1.5, time(), "GET /slow", "in slow")
    await house.measure_disk()
    await keep_figures_of(house, metrics)
    parts = house.store.read(house.status_report.read, time())
    told = {str(line.topic): line for part in parts for line in part.lines}
    assert str(told["Online"].value) == "Anna" and not told["Is open"].wrong
    assert str(told["Inactive guests"].value) == ("after 180 days; 3 went since the start")
    assert str(told["How many"].value) == "1"
    longest = f"1.50 s since the start; {minute(time())}, by GET /slow"
    assert str(told["Longest delay"].value).endswith(longest)
    assert told["Longest delay"].more == "in slow"
    assert str(told["Backups"].value) == "2.0 MiB in 2 files"
    assert str(told["Largest tables"].value).count(" MiB") == 5
    assert str(told["Last upgrade"].value).startswith("none since ")
    (fault,) = (line for line in parts[-1].lines if line.more)
    assert "a page failed: StopIteration()" in str(fault.value)
    assert "test_desk.py" in fault.more and fault.wrong
    assert str(told["Last one"].value).startswith("house-2.db, 1.0 MiB, ")
    assert str(told["Last one"].value).endswith("; 2 are kept")
    time.now += 30
    await house.store.commit(end_leases, house.lease.home, time())
    closed, *_ = house.store.read(house.status_report.read, time())
    told = {str(line.topic): line for line in closed.lines}
    assert told["Is open"].wrong and str(told["Online"].value) == "0"
    time.now += 3600
    parts = house.store.read(StatusReport(Retention(), None, None).read, time())
    told = {str(line.topic): line for part in parts for line in part.lines}
    assert told["Is open"].wrong and told["Last one"].wrong


async def test_an_upgrade_is_told_as_long_as_there_is_the_house(house: House, time: Time) -> None:
    await house.store.commit(
        add_audit, AuditRow(time() + 1, None, VERSION, None, "trine 0.1, r0000")
    )
    time.now += 500 * DAY
    await house.store.commit(note_version, time())
    await house.pruning.prune()
    house_part, *_ = house.store.read(house.status_report.read, time())
    (told,) = (one.value for one in house_part.lines if str(one.topic) == "Last upgrade")
    assert str(told) == f"{minute(time())}, from trine 0.1, r0000"


async def test_what_the_event_loop_stands_still_for_is_seen() -> None:
    async def stand_still() -> None:
        wait_until(lambda: watch._seen[0])

    watch = LoopWatchdog()
    await asyncio.create_task(stand_still(), name="GET /slow")
    task, calls = watch.heartbeat()
    watch.end()
    assert task == "GET /slow" and "wait_until(lambda: watch._seen[0])" in calls


@pytest.mark.in_file
def test_the_command_brings_no_house_up_to_date(tmp_path: Path) -> None:
    Store.open(tmp_path / "house.db", SCHEMA).close()
    with closing(sqlite3.connect(tmp_path / "house.db")) as database, database:
        database.execute(f"UPDATE {REVISION_TABLE} SET version_num = 'r0001'")
    for _ in range(2):
        done = run("status", "--data", str(tmp_path))
        assert done.exit_code == 0
        assert "! Schema: r0001; this program needs " in done.output, done.output


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
        lines = run("status", "--data", str(tmp_path)).output.splitlines()
        page = re.sub(r"\s*<[^>]*>\s*", " ", unescape(mary.get("/house").text))
        assert len(lines) > 30
        for line in lines:
            if line.startswith("      "):
                continue  # the calls of the longest delay, which may be another one by now
            topic, _, _ = line[2:].partition(": ")
            assert (topic if line[0] in " !" else line) in page, line
    closed = run("status", "--data", str(tmp_path))
    assert closed.exit_code == 0 and "1 went" not in closed.output


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_the_desk_fits_a_phone(tmp_path: Path, phone: Page, language: str) -> None:
    with a_server(tmp_path) as served:
        phone.goto(f"{served.address}language/{language}?back=/account")
        register(phone, served, "Mary")
        phone.wait_for_url("**/lobby")
        with Store.open(place_in(tmp_path), SCHEMA) as store:
            account = store.read(find_account, fold("Mary"))
            assert account
            store.write(set_role, account.person, ADMIN_ROLE).result()
        phone.goto(f"{served.address}house")
        check(phone)
