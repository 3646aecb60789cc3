"""All that the house keeps of a person: told to that person, and gone with the account.

Both are compared with the schema: a table that comes later fails here until it is told and
forgotten, or stands among the exceptions with a reason.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import JSON, Boolean, Column, Connection, Double, Integer, Table, insert, select

from house.houses import (
    PASSWORD,
    OpenHouse,
    asked,
    exported,
    members,
    seated,
    two_at_a_board,
    until,
)
from house.test_homes import houses
from postgres import Server
from trine.core.errors import TrineError
from trine.house.analysis.tables import studies_of
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import condition, resign, turn
from trine.house.games.live.game_actor import GameActor
from trine.house.games.storage.tables import games_of
from trine.house.lobby.tables import Seek
from trine.house.people.accounts import RENAMED
from trine.house.people.credentials import delete_account
from trine.house.people.tables import PERSON, Person, rename
from trine.house.refusals import NotFoundError
from trine.house.retention import FORGET
from trine.house.site import _recheck_all
from trine.house.store.store_errors import MissingRowError
from trine.house.tables import SCHEMA
from trine.house.talk.chat import PLAYERS, WATCHERS, PageChat
from trine.house.talk.tables import CHAT, ChatLine
from trine.house.tournaments.tournaments import Announcement
from trine.house.web.open_sockets import OpenSockets
from trine.play.tournament.tournament import Plan, TournamentFormat

NAME, FORMER = "Anna Adler", "Anna Before"
BY_DAYS = Agreement.make("corridor", clock="2d/0/0")

TOLD: Final = {
    "account.person": "account",
    "api_token.person": "tokens",
    "block.person": "blocked",
    "browser.person": "browsers",
    "challenge.challenged": "challenges",
    "challenge.challenger": "challenges",
    "chat.person": "chat",
    "device.person": "devices",
    "email_address.person": "address",
    "entrant.person": "tournaments",
    "follow.person": "following",
    "abandoned_game.person": "left games",
    "lesson_done.person": "lessons",
    "passkey.person": "passkeys",
    "puzzle_try.person": "puzzles",
    "rating.person": "ratings",
    "report.reporter": "reports",
    "sanction.person": "sanctions",
    "seat.person": "games",
    "second_factor.person": "second factor",
    "seek.players": "open seats",
    "sent_moment.owner": "moments",
    "session.person": "sessions",
    "study.owner": "",
    "tournament.owner": "tournaments",
}
"""Where the archive tells what a column that names people keeps; "" is a file of its own."""
NOT_TOLD: Final = {
    "annulment.actor": "what an administrator has done is the house's",
    "game_search.person": "the games once more, for searching them",
    "audit.actor": "what an administrator has done is the house's",
    "audit.person": "its sanctions are told; the rest is the administrators'",
    "block.blocked": "who blocks somebody is theirs to know",
    "follow.followed": "who follows somebody is theirs to know",
    "former_name.person": "only hashes are stored",
    "email_link.person": "only hashes are stored, for a day",
    "notice.person": "what stands in games and challenges, until it is sent",
    "recovery_code.person": "only hashes are stored",
    "report.person": "who reports somebody is theirs and the administrators' to know",
    "to_move.person": "the games once more, for finding whose turn it is",
    "account_address.person": "marks that nobody can read, for a day",
}
STAYS: Final = {
    "annulment.actor": "why a game counts for nobody is asked later, too",
    "game_search.person": "the others' games are found; the name stands at none",
    "audit.actor": "what administrators have done stays accountable",
    "audit.person": "what administrators have done stays accountable",
    "block.blocked": "it is the others' wish, and nothing is seen of it",
    "chat.person": "the others' talk keeps its order; name and words are gone",
    "entrant.person": "the tables of others; the name is gone",
    "person.id": "what others have played refers to it; the name is gone",
    "rating.person": "the others' ratings rest on it; the name is gone",
    "report.person": "moderators see who else was reported by whom",
    "report.reporter": "a report is not lost because its author goes",
    "sanction.person": "a ban is not ended by deleting the account",
    "seat.person": "the others' games; the name is gone",
    "tournament.owner": "the tournaments of others; the name is gone",
}
"""What still names somebody whose account was deleted, by an id that nothing leads to."""


def of_people() -> Iterator[Column[Any]]:
    for table in SCHEMA.metadata.sorted_tables:
        for column in table.columns:
            if any(key.column is PERSON.c.id for key in column.foreign_keys):
                yield column
    yield SCHEMA.metadata.tables["seek"].c.players  # a list, which cannot refer


def named(connection: Connection, *words: str) -> set[str]:
    """The columns of all tables in which one of some words stands."""
    found = set()
    for table in SCHEMA.metadata.sorted_tables:
        for row in connection.execute(select(table)):
            for column, value in zip(table.columns, row, strict=True):
                if any(word in json.dumps(value, ensure_ascii=False) for word in words):
                    found.add(str(column))
    return found


def rows_of(connection: Connection, column: Column[Any]) -> list[Any]:
    return list(connection.execute(select(column)))


def fill(connection: Connection, person: str, other: str, refers: dict[str, Any]) -> None:
    """Add a row for each column that could name a person, and does not yet."""
    for number, column in enumerate(of_people()):
        table, known = column.table, named(connection, person)
        if str(column) not in known:
            assert isinstance(table, Table)
            values = {one.name: _value(one, number, other, refers) for one in table.columns}
            connection.execute(insert(table).values({**values, column.name: person}))


def _value(column: Column[Any], number: int, other: str, refers: dict[str, Any]) -> Any:
    for key in column.foreign_keys:
        return other if key.column is PERSON.c.id else refers[str(key.column)]
    if isinstance(column.type, JSON):
        return {}
    if isinstance(column.type, Boolean):
        return False
    return number if isinstance(column.type, Integer | Double) else f"{column.name} <{number}>"


class Ear(PageChat):
    def __init__(self, told: list[str]) -> None:
        self.told = told

    def said(self, line: ChatLine) -> None:
        self.told.append(line.words)

    def deleted(self) -> None:
        self.told.append("unsaid")


async def a_life(house: House) -> tuple[Person, Person, GameActor]:
    """Somebody who has done everything that can be done here, somebody else, and their game."""
    over, guest, two = await two_at_a_board(house)
    person, _ = await house.accounts.register(guest, FORMER, PASSWORD)
    (other,) = await members(house, "Béla Bartos")
    await over.do(resign, asked(two))
    await house.accounts.rename(person, NAME)
    person = (
        await house.accounts.person_of((await house.accounts.log_in(NAME, PASSWORD))[1]) or person
    )
    days, links = await house.games.create(BY_DAYS, ["me", "link"], person)
    await house.games.join(links[1], other)
    host = await house.games.actor(days)
    await host.do(turn, asked(person), ["e2"])
    await host.do(condition, asked(person), [["e8"], ["e3"]])
    _, links = await house.games.create(BY_DAYS, ["me", "link"], person)
    await house.games.join(links[1], other)
    await house.studies.create(person, '[Game "corridor"]\n')
    await house.chats.say(person, over.snapshot, WATCHERS, f"I am {NAME}", "")
    await house.lobby.attend()
    await house.lobby.open("a" * 12, person, BY_DAYS)
    await house.lobby.keep()
    known = await house.accounts.of(other)
    assert known
    await house.challenges.open(person, known, BY_DAYS)
    agreement = Agreement.make("corridor", clock="3+2")
    announced = Announcement("Spring Open", Plan(TournamentFormat.SWISS, rounds=3), agreement)
    own = await house.tournaments.create(person, announced)
    joined = await house.tournaments.create(other, announced)
    for name in (own, joined):
        await house.tournaments.join(name, person)
        await house.tournaments.join(name, other)
    await house.tournaments.begin(joined, other)
    sessions = await house.accounts.sessions(other.id)
    refers = {"game.id": over.id, "tournament.id": own, "session.hash": sessions[0].hash}
    await house.store.commit(fill, person.id, other.id, refers)
    return person, other, host


async def test_all_that_is_kept_of_a_person_is_in_the_archive(house: House) -> None:
    person, other, _ = await a_life(house)
    columns = {str(column) for column in of_people()}
    assert columns == TOLD.keys() | NOT_TOLD.keys(), "told, or an exception with a reason"
    assert columns <= house.store.read(named, person.id)
    with zipfile.ZipFile(io.BytesIO(await exported(house, person))) as files:
        names, told = files.namelist(), files.read("about-you.json").decode()
    about = json.loads(told)
    assert {key for key, value in about.items() if value} == {*TOLD.values(), "person"} - {""}
    assert any(name.startswith("analyses/") for name in names)
    assert other.id not in told
    secrets = {"hash", "secret", "mark", "public_key", "key", "password", "leave"}
    for table in SCHEMA.metadata.sorted_tables:
        for column in table.columns:
            if column.name in secrets:
                for (value,) in house.store.read(rows_of, column):
                    assert not value or str(value) not in told, column


async def test_nothing_names_a_deleted_account(tmp_path: Path, open_house: OpenHouse) -> None:
    records = tmp_path / "games"
    house = await open_house(records=records)
    person, other, host = await a_life(house)
    assert {str(column) for column in of_people()} <= house.store.read(named, person.id)
    (study,) = await house.store.fetch(studies_of, person.id)
    await house.studies.study(study.id)
    (talk,) = house.store.read(rows_of, CHAT.c.game)[:1]
    told: list[str] = []
    await house.chats.enter(talk.game, Ear(told))
    await house.accounts.delete(person, PASSWORD)
    with pytest.raises(NotFoundError):
        await house.studies.study(study.id)
    assert told and NAME not in str(house.chats.lines(talk.game))
    await until(lambda: host.snapshot.seats[0].name == "deleted")
    assert house.store.read(named, NAME, FORMER) == set()
    assert house.store.read(named, person.id) == STAYS.keys()
    assert not house.lobby.update().seeks and not house.challenges.of(other.id)
    assert {game.stage for game in house.store.read(games_of, person.id)} == {"over"}
    await house.task_scheduler.tick()
    files = [file.read_text() for file in records.glob("*.trine")]
    assert files and not any(NAME in words for words in files)


async def test_a_deletion_that_was_not_heard_is_found_at_the_next_check(house: House) -> None:
    host, one, _ = await two_at_a_board(house)
    await house.chats.enter(host.id, Ear([]))
    await house.chats.say(one, host.snapshot, PLAYERS, "", "hello")
    await house.store.commit(delete_account, one.id, FORGET, house.now())
    assert [line.name for line in house.chats.lines(host.id)] == [one.name]
    frame: Any = None
    sockets = OpenSockets(frame, lambda *ended: None, house.accounts.valid_sessions)
    await _recheck_all(house, sockets)
    assert [line.name for line in house.chats.lines(host.id)] == ["deleted"]


async def test_nothing_begins_with_somebody_who_is_gone(house: House) -> None:
    person, other = await members(house, NAME, "Béla Bartos")
    known = await house.accounts.of(person)
    assert known
    await house.lobby.attend()
    seek = await house.lobby.open("a" * 12, person, BY_DAYS)
    assert isinstance(seek, Seek)
    challenge = await house.challenges.open(other, known, BY_DAYS)
    _, links = await house.games.create(BY_DAYS, ["me", "link"], other)
    await house.accounts.delete(person, PASSWORD)
    afar = Seek(seek.id, BY_DAYS, [person], {})  # in another process, which has not heard
    house.lobby._seeks[seek.id] = afar
    with pytest.raises(TrineError, match="no longer open"):
        await house.lobby.take(seek.id, other)
    assert not house.lobby.update().seeks
    with pytest.raises(TrineError):
        await house.challenges.accept(challenge.id, person)
    with pytest.raises(MissingRowError):
        await seated(house, BY_DAYS, other, person)
    with pytest.raises(MissingRowError):
        await house.games.join(links[1], person)
    assert house.store.read(named, NAME) == set()


async def test_a_game_that_begins_while_an_account_goes_is_given_up(house: House) -> None:
    person, other = await members(house, NAME, "Béla Bartos")
    commit, begun = house.store.commit, list[GameActor]()

    async def slow_commit(statement: Any, *given: Any, **more: Any) -> Any:
        if statement is delete_account:
            begun.append(await seated(house, BY_DAYS, other, person))
        return await commit(statement, *given, **more)

    house.store.commit = slow_commit  # type: ignore[method-assign]
    await house.accounts.delete(person, PASSWORD)
    (host,) = begun
    await until(lambda: host.snapshot.over and host.snapshot.seats[1].name == "deleted")
    assert house.store.read(named, NAME) == set()


async def test_other_processes_forget_a_deleted_account(postgres_server: Server) -> None:
    with postgres_server.database() as url:
        async with houses(url, 2) as (one, two):
            (person,) = await members(one, NAME)
            await one.lobby.attend()
            await one.lobby.open("a" * 12, person, BY_DAYS)
            study = await one.studies.create(person, '[Game "corridor"]\n')
            await one.studies.study(study)
            await two.accounts.delete(person, PASSWORD)
            await until(lambda: not one.lobby.update().seeks)
            with pytest.raises(NotFoundError):
                await one.studies.study(study)
            await one.lobby.keep()
            assert one.store.read(named, NAME) == set()


async def test_a_new_name_is_shown_by_all_processes(postgres_server: Server) -> None:
    with postgres_server.database() as url:
        async with houses(url, 2) as (a, b):
            host, guest, _ = await two_at_a_board(a)
            await a.chats.enter(host.id, Ear([]))
            await a.chats.say(guest, host.snapshot, PLAYERS, "", "hello")
            anna, _ = await a.accounts.register(None, "Rude Anna", PASSWORD)
            agreement = Agreement.make("tzaar", listed=True)
            await a.lobby.open("a" * 12, anna, agreement)

            def shown() -> set[str]:
                return {one.name for seek in a.lobby._seeks.values() for one in seek.players}

            await b.accounts.rename(anna, "Anna")
            await until(lambda: shown() == {"Anna"})
            await b.store.commit(rename, guest.id, "Grey")
            await b.removal.finish(RENAMED, guest.id)
            await until(lambda: [line.name for line in a.chats.lines(host.id)] == ["Grey"])
