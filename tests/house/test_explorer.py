"""The archive of a house: its public games come in once, and the explorer tells of them."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from databases import place_in
from house.houses import PASSWORD, Heard, OpenHouse, asked, members, seated, until
from trine.core.contract.record import format_record
from trine.engine.archive.explored import Opening
from trine.engine.archive.parts import ABOUT_FILE
from trine.engine.archive.queries import Archive, GameFilter
from trine.games import new_play
from trine.house.analysis.live_analysis import ArchiveLookup
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import resign, turn
from trine.house.job_pool import HelperProcess
from trine.house.people.names import DELETED
from trine.house.people.tables import Person
from trine.house.tables import open_store
from trine.play.record.replay import record_of

pytest.importorskip("duckdb", reason="DuckDB is not installed; scripts/extras installs it")

START = format_record(record_of(new_play("corridor")))


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are done in threads: to start a process takes seconds, and a page shows that it works."""

    async def run(process: HelperProcess, job: Callable[[], Any]) -> Any:
        return await asyncio.to_thread(job)

    monkeypatch.setattr(HelperProcess, "run", run)


async def played(house: House, players: list[Person], turns: str, **agreed: Any) -> str:
    """A game that the player to move resigns after some turns."""
    host = await seated(house, Agreement.make("corridor", **agreed), *players)
    for number, words in enumerate(turns.split()):
        await host.do(turn, asked(players[number % 2]), [words])
    await host.do(resign, asked(players[len(turns.split()) % 2]))
    return host.id


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


async def test_the_public_games_of_a_house_are_explored_and_no_others(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    folder, place = tmp_path / "archive", place_in(tmp_path)
    opened: dict[str, Any] = {"archive": folder, "open_store": partial(open_store, place)}
    house = await open_house(**opened)
    anna, bela = await members(house, "Anna", "Bela")
    assert (await house.explorer.explore(START)).turns == ()
    turns = "d1 d9 d2 d8 d3 d7"
    rated = await played(house, [anna, bela], turns, rated=True, clock="5+5")
    await played(house, [anna, bela], "d1 d9")
    running = await seated(house, Agreement.make("corridor", listed=True), anna, bela)
    await house.explorer.add_new()
    found = await house.explorer.explore(START)
    assert (found.games, len(found.turns)) == (1, 1)
    (only,) = found.turns
    assert (only.words, only.wins, only.losses) == ("d1", 0, 1)
    assert only.rating is not None and only.rating < 1500, "as it was behind the game"
    (game,) = only.top_games
    assert game.source == f"/game/{rated}"
    assert set(game.players) == {anna.id, bela.id}, "no names, which people may take away"
    (opening,) = await house.explorer.openings(anna.id, 9)
    assert opening == Opening("corridor", "quoridor", 2, 0, "d1", 1, 0, 0)
    archive = Archive(folder)
    (of_anna,) = archive.find(GameFilter(player="anna"))
    assert set(of_anna.players) == {"Anna", "Bela"}
    assert [one.tags["North"] for one in archive.records(GameFilter(player=bela.id))] == ["Bela"]
    # Again nothing, and then only what has ended since.
    before = files(folder)
    await house.explorer.add_new()
    assert files(folder) == before
    await running.do(turn, asked(anna), ["e2"])
    await running.do(resign, asked(bela))
    await house.explorer.add_new()
    found = await house.explorer.explore(START)
    assert {one.words: one.games for one in found.turns} == {"d1": 1, "e2": 1}
    # Who leaves is named nowhere any more.
    await house.accounts.delete(anna, PASSWORD)
    named = await house.explorer.players_of(found)
    assert [row.name for row in named[f"/game/{rated}"]] == [DELETED, "Bela"]
    await house.explorer.add_new()
    assert not list(Archive(folder).find(GameFilter(player="Anna")))


async def test_the_page_of_a_person_stands_though_the_archive_cannot_be_asked(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / ABOUT_FILE).write_text("of another version")
    heard = Heard()
    house = await open_house(archive=tmp_path / "archive", report=heard)
    assert await house.explorer.openings("anna", 9) == []
    assert heard.words == ["the archive could not be asked"]


async def test_a_page_is_told_at_once_that_the_archive_is_asked(
    tmp_path: Path, open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, asked_for = asyncio.Event(), list[str]()

    async def run(process: HelperProcess, job: Any) -> Any:
        asked_for.append(job.func.__name__)
        await go_on.wait()
        return await asyncio.to_thread(job)

    monkeypatch.setattr(HelperProcess, "run", run)
    house = await open_house(archive=tmp_path / "archive")
    house.explorer.prepare()
    house.explorer.prepare()
    await until(lambda: asked_for == ["open_archive"])
    person, _ = await house.accounts.welcome()
    study = await house.studies.study(await house.studies.create(person, START))
    lookup = ArchiveLookup(house.explorer, study, house.report, lambda: None)
    lookup.on = True
    lookup.begin(study.root)
    assert lookup.message and str(lookup.message.told) == "Asking the archive …"
    go_on.set()
    await until(lambda: lookup.message and "No game" in str(lookup.message.told))


async def test_a_house_without_an_archive_has_nothing_to_explore(house: House) -> None:
    assert not house.explorer.is_there
    await house.explorer.add_new()
    assert not (await house.explorer.explore(START)).games
