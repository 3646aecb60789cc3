"""The folder of records: whatever happens, the record of a game that is over gets there."""

from pathlib import Path
from typing import Any

from house.houses import Time, a_house, asked, two_at_a_board, until
from trine.house.games.live.commands import resign
from trine.house.games.live.task_scheduler import RETRY_DELAY
from trine.house.games.storage.records import RECORD


async def test_a_house_writes_the_records_of_games_that_ended_before_it_closed(
    tmp_path: Path,
) -> None:
    records = tmp_path / "games"
    async with a_house(tmp_path, records=records) as house:
        host, one, _ = await two_at_a_board(house)
        await host.do(resign, asked(one))
        assert not records.exists(), "the house was to close before it was written"
    async with a_house(tmp_path, records=records):
        await until((records / f"{host.id}.trine").exists)


async def test_a_record_that_could_not_be_written_is_written_later(tmp_path: Path) -> None:
    time, faults, records = Time(), list[dict[str, Any]](), tmp_path / "games"
    records.write_text("in the way")

    def report(words: str, error: BaseException | None = None, **about: Any) -> None:
        faults.append(about)

    async with a_house(tmp_path, time, records=records, report=report) as house:
        host, one, _ = await two_at_a_board(house)
        await host.do(resign, asked(one))
        await house.task_scheduler.tick()
    assert faults == [{"kind": RECORD, "ref": host.id}]
    records.unlink()
    time.now += RETRY_DELAY + 1
    async with a_house(tmp_path, time, records=records) as house:
        await until((records / f"{host.id}.trine").exists)
