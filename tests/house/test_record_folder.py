"""The folder of records: whatever happens, the record of a game that is over gets there."""

from pathlib import Path

from house.houses import Heard, OpenHouse, Time, a_house, asked, two_at_a_board, until
from trine.house.games.live.commands import resign
from trine.house.games.live.task_scheduler import RETRY_DELAY
from trine.house.games.storage.records import RECORD


async def test_a_house_writes_the_records_of_games_that_ended_before_it_closed(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    records = tmp_path / "games"
    house = await open_house(records=records)
    await house.background.close()  # it writes what is due every few seconds
    host, one, _ = await two_at_a_board(house)
    await host.do(resign, asked(one))
    assert not records.exists(), "the house was to close before it was written"
    await open_house(records=records)
    await until((records / f"{host.id}.trine").exists)


async def test_a_record_that_could_not_be_written_is_written_later(tmp_path: Path) -> None:
    time, heard, records = Time(), Heard(), tmp_path / "games"
    records.write_text("in the way")

    async with a_house(tmp_path, time, records=records, report=heard) as house:
        host, one, _ = await two_at_a_board(house)
        await host.do(resign, asked(one))
        await house.task_scheduler.tick()
    assert heard.about == [{"kind": RECORD, "ref": host.id}]
    records.unlink()
    time.now += RETRY_DELAY + 1
    async with a_house(tmp_path, time, records=records) as house:
        await until((records / f"{host.id}.trine").exists)
