"""What an administrator removes is removed from all of its copies: in all tables, files, memory."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection, String, cast, select

from house.houses import OpenHouse, members
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import CommandMeta, resign, turn
from trine.house.games.storage.tables import games_of
from trine.house.moderation.moderation import STRUCK
from trine.house.people.accounts import RENAMED
from trine.house.people.tables import PERSON, Person, set_role
from trine.house.store.scheduled_tasks import tasks_due
from trine.house.store.store_errors import BusyError
from trine.house.tables import SCHEMA
from trine.house.talk.chat import PLAYERS
from trine.house.tournaments.tables import games_of_tournament
from trine.house.tournaments.tournament_steps import NAMELESS
from trine.house.tournaments.tournaments import Announcement
from trine.play.tournament.tournament import Plan, TournamentFormat

RUDE: Final = "Rudeness"
KEPT: Final[Mapping[str, str]] = {
    "audit.detail": "only administrators read what they have removed",
    "study.record": "an analysis belongs to its owner, who may have typed the name",
}
"""The columns that may keep what was removed, and why."""
CLOCK: Final = Agreement.make("corridor", clock="5+5")


def copies(connection: Connection) -> set[str]:
    """Return the columns of all tables that have the rude word, except for those that may."""
    found = set()
    for table in SCHEMA.metadata.sorted_tables:
        for column in table.columns:
            here = cast(column, String).contains(RUDE)
            name = f"{table.name}.{column.name}"
            if name not in KEPT and connection.execute(select(column).where(here)).first():
                found.add(name)
    return found


async def check_removed(house: House, folder: Path) -> None:
    for _ in range(2):  # the records of games are due after the names in the games
        await house.task_scheduler.tick()
    assert house.store.read(copies) == set()
    for path in folder.rglob("*.trine"):
        assert RUDE not in path.read_text("utf-8"), path
    for host in house.games.actors:
        for game in (host.game, host.snapshot):
            assert RUDE not in repr((game.seats, game.entries, game.agreement, game.standings))
        assert RUDE not in repr(house.chats.lines(host.id))
    assert RUDE not in repr(house.lobby.update().seeks)
    for person in house.store.read(everybody):
        assert RUDE not in repr(house.challenges.of(person))


def everybody(connection: Connection) -> list[str]:
    return list(connection.execute(select(PERSON.c.id)).scalars())


async def an_admin(house: House) -> Person:
    (mary,) = await members(house, "Mary")
    await house.store.commit(set_role, mary.id, "admin")
    return mary


async def end(house: House, game: str) -> None:
    host = await house.games.actor(game)
    await host.do(turn, CommandMeta(host.game.seats[0].person), ["e2"])
    await host.do(resign, CommandMeta(host.game.seats[1].person))


@pytest.mark.parametrize("breaks_down", [False, True])
async def test_the_name_of_a_struck_tournament(
    tmp_path: Path, open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch, breaks_down: bool
) -> None:
    records = tmp_path / "games"
    house = await open_house(records=records)
    mary, (anna, bela) = await an_admin(house), await members(house, "Anna", "Bela")
    plan = Plan(TournamentFormat.ROUND_ROBIN, games=2)
    wanted = Announcement(f"{RUDE} Open", plan, CLOCK)
    tournament = await house.tournaments.create(anna, wanted)
    for one in (anna, bela):
        await house.tournaments.join(tournament, one)
    await house.tournaments.begin(tournament, anna)
    over = house.store.read(games_of, anna.id)[0].id
    await end(house, over)
    await house.task_scheduler.tick()
    assert (records / f"{over}.trine").exists()
    await house.tournaments.director.advance(tournament)
    assert len(house.store.read(games_of, anna.id)) == 2
    assert {"tournament.name", "game.terms", "event.data"} == house.store.read(copies)
    fetch = house.store.fetch

    async def break_down(statement: Any, *given: Any, **named: Any) -> Any:
        if statement is games_of_tournament:
            raise BusyError(1)
        return await fetch(statement, *given, **named)

    if breaks_down:
        monkeypatch.setattr(house.store, "fetch", break_down)
        with pytest.raises(BusyError):
            await house.moderation.cancel_tournament(mary, tournament)
        monkeypatch.setattr(house.store, "fetch", fetch)
    else:
        await house.moderation.cancel_tournament(mary, f"https://example.org/{tournament}/")
    await check_removed(house, records)
    assert f'[Event "{NAMELESS}"]' in (records / f"{over}.trine").read_text("utf-8")
    assert house.store.read(tasks_due, STRUCK, 9e12) == []
    ((row, *_),) = await house.moderation.log()
    assert row.what == "tournament cancelled" and RUDE in row.detail
    with pytest.raises(TrineError, match="lost its name"):
        await house.moderation.cancel_tournament(mary, tournament)


async def test_the_name_of_a_person_whom_an_administrator_renames(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    records = tmp_path / "games"
    house = await open_house(records=records)
    mary, (anna, rude) = await an_admin(house), await members(house, "Anna", RUDE)
    account = await house.accounts.of(rude)
    assert account
    games = []
    for _ in range(2):
        challenge = await house.challenges.open(anna, account, CLOCK, side=0)
        games.append(await house.challenges.accept(challenge.id, rude))
    await end(house, games[0])
    await house.challenges.open(anna, account, CLOCK, side=0)
    await house.lobby.attend()
    await house.lobby.open("seek", rude, CLOCK)
    snapshot = (await house.games.actor(games[1])).snapshot
    await house.chats.say(rude, snapshot, PLAYERS, "", "hello")
    await house.task_scheduler.tick()
    columns = {"person.name", "account.folded", "seat.name", "event.data", "chat.name"}
    assert house.store.read(copies) == columns
    await house.moderation.rename(mary, rude.id, "Dove")
    await check_removed(house, records)
    assert house.store.read(tasks_due, RENAMED, 9e12) == []
