"""`trine house`: administrators, games that are checked, ratings reckoned anew."""

import asyncio
import math
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from house.houses import a_house, asked, first_turn, members, seated, two_at_a_board, until
from house.test_farming import win
from house.test_ratings import a_rated_game
from trine.cli.commands.house import command
from trine.core.errors import FileError, TrineError
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import abort, resign, turn
from trine.house.games.storage.events import Append, Event, append_events
from trine.house.games.storage.tables import SeatRow, Stage, create_game
from trine.house.people.accounts import CLOSED, RENAMED
from trine.house.people.names import fold
from trine.house.people.tables import account_named, find_account, read_person
from trine.house.ratings.ratings import MIN_TURNS
from trine.house.ratings.tables import all_ratings, replace_ratings
from trine.house.store import database
from trine.house.store.scheduled_tasks import tasks_due
from trine.house.store.sqlite import lock_folder
from trine.house.store.store import Store
from trine.house.store.store_errors import UnusableError
from trine.house.tables import SCHEMA

pytestmark = pytest.mark.in_file


def run(*words: str) -> Result:
    return CliRunner().invoke(command, list(words))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    return furnish(tmp_path_factory.mktemp("house"))


def furnish(folder: Path) -> tuple[Path, str]:
    async def story() -> str:
        async with a_house(folder) as house:
            cili, dora = await members(house, "Cili", "Dora")
            agreed = Agreement.make("corridor", clock="5+3", rated=True)
            rated = await seated(house, agreed, cili, dora)
            for number in range(MIN_TURNS):
                play = rated.game.running().play
                await rated.do(turn, asked((cili, dora)[number % 2]), first_turn(play))
            await rated.do(resign, asked(dora))
            _, one, _ = await two_at_a_board(house, "arimaa")
            host, _, two = await two_at_a_board(house, "tzaar")
            await host.do(abort, asked(two))
            await house.games.create(Agreement.make("tzaar"), ["me", "link"], one)
            return rated.id

    return folder, asyncio.run(story())


def test_an_account_is_made_an_administrator_and_is_none_again(made: tuple[Path, str]) -> None:
    folder, _ = made
    assert "Cili is an administrator" in run("admin", "cili", "--data", str(folder)).output
    with Store.open(folder / "house.db", SCHEMA) as store:
        account = store.read(account_named, fold("Cili"))
        assert account and account.role == "admin"
    done = run("admin", "Cili", "--revoke", "--data", str(folder))
    assert done.exit_code == 0 and "no administrator" in done.output
    assert isinstance(run("admin", "Nobody", "--data", str(folder)).exception, TrineError)


def test_a_house_that_is_in_order_is_said_to_be(made: tuple[Path, str]) -> None:
    folder, _ = made
    done = run("check", "--data", str(folder))
    assert done.exit_code == 0 and "all 4 games are in order" in done.output


def test_a_link_for_a_new_password_is_made_by_the_host(made: tuple[Path, str]) -> None:
    folder, _ = made
    done = run("password", "cili", "--origin", "https://example.org/", "--data", str(folder))
    link, told = done.output.splitlines()
    assert link.startswith("https://example.org/letters/reset/") and "within a day" in told
    assert isinstance(run("password", "Nobody", "--data", str(folder)).exception, TrineError)

    async def story() -> None:
        async with a_house(folder) as house:
            await house.emails.reset(link.rpartition("/")[2], "five new rabbits")
            await house.accounts.log_in("Cili", "five new rabbits")
            with pytest.raises(TrineError):
                await house.emails.reset(link.rpartition("/")[2], "six new rabbits")

    asyncio.run(story())


@pytest.mark.parametrize(
    "settings",
    [
        '[house]\naddress = "https://trine.example.org/"\n',
        '[mail]\nserver = "m"\nsender = "a@b.org"\naddress = "https://trine.example.org"\n',
    ],
)
def test_links_begin_with_the_address_that_the_settings_have(tmp_path: Path, settings: str) -> None:
    there = ("--data", str(tmp_path))
    Store.open(tmp_path / "house.db", SCHEMA).close()
    told = run("account", "Anna", *there).output
    assert told.startswith("http://localhost:8040/letters/reset/") and "no address" in told
    (tmp_path / "house.toml").write_text(settings)
    for words in (("account", "Bela"), ("password", "Anna")):
        told = run(*words, *there).output
        assert told.startswith("https://trine.example.org/letters/reset/"), words
        assert "no address" not in told
    assert run("password", "Anna", "--origin", "https://a.org/", *there).output.startswith(
        "https://a.org/letters/reset/"
    )


def test_where_there_is_no_house_none_is_made(tmp_path: Path) -> None:
    done = run("check", "--data", str(tmp_path))
    assert isinstance(done.exception, FileError)
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_was_meddled_with_is_found(made: tuple[Path, str]) -> None:
    folder, _ = made
    with Store.open(folder / "house.db", SCHEMA) as store:
        row = store.write(
            create_game, Agreement.make("tzaar"), [SeatRow(), SeatRow()], "here", store.now()
        ).result()
        nonsense = Event("act", 0, 1.0, {"words": "zz9", "closes": True})
        store.write(append_events, Append(row.id, 1, 1, [nonsense], stage=Stage.PLAYING)).result()
    done = run("check", "--data", str(folder))
    assert isinstance(done.exception, TrineError)
    assert row.id in done.output and "1 of 5" in str(done.exception)


def test_games_are_annulled_and_counted_again(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with a_house(tmp_path) as house:
            anna, bela = await members(house, "Anna", "Bela")
            return [await win(house, anna, bela) for _ in range(3)]

    games = asyncio.run(story())
    there = ("--data", str(tmp_path))
    assert "1 game is annulled now" in run("annul", games[0], *there).output
    told = run("annul", "--between", "anna", "bela", *there).output
    assert "2 games are annulled now" in told
    with Store.open(tmp_path / "house.db", SCHEMA) as store:
        assert store.read(all_ratings) == []
    told = run("annul", "--undo", *games, "nonsense", *there).output
    assert "3 games count again" in told and "game nonsense is none of these" in told
    assert run("ratings", *there).exit_code == 0
    assert "3 games are annulled" in run("annul", "--of", "anna", *there).output
    for wrong in (
        [],
        [games[0], "--between", "Anna", "Bela"],
        ["--between", "Anna", "Nobody"],
        ["--of", "Anna", "--undo"],
    ):
        assert isinstance(run("annul", *wrong, *there).exception, TrineError)


def test_ratings_that_differ_are_told_and_put_right(made: tuple[Path, str]) -> None:
    folder, game = made
    told = run("ratings", "--data", str(folder))
    assert told.exit_code == 0 and "2 ratings; 0 differ" in told.output
    with Store.open(folder / "house.db", SCHEMA) as store:
        before = store.read(all_ratings)
        store.write(replace_ratings, before[:1]).result()
    told = run("ratings", "--data", str(folder))
    assert isinstance(told.exception, TrineError) and "1 differ" in told.output
    assert run("ratings", "--recompute", "--data", str(folder)).exit_code == 0
    with Store.open(folder / "house.db", SCHEMA) as store:
        assert store.read(all_ratings) == before
        assert {row.game for row in before} == {game}


async def _seen_to(house: House, kind: str) -> None:
    while house.store.read(
        tasks_due, kind, math.inf
    ):  # the clock of a command can be a little ahead
        await house.task_scheduler.tick(kind)


def test_no_command_brings_the_tables_of_an_open_house_up_to_date(
    made: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made[0]
    with lock_folder(folder):
        assert run("list", "--data", str(folder)).exit_code == 0
        monkeypatch.setattr(database, "last_revision", lambda schema: "newer")
        assert isinstance(run("list", "--data", str(folder)).exception, UnusableError)
    assert run("list", "--data", str(folder)).exit_code == 0


async def test_the_host_renames_and_closes_accounts_while_the_house_is_open(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        anna, bela = await members(house, "Anna", "Bela")
        host = await a_rated_game(house, [anna, bela])
        await host.do(turn, asked(anna), first_turn(host.game.running().play))
        await house.chats.say(anna, host.snapshot, "players", "hello there", "")
        there = ("--data", str(tmp_path))
        assert "Dora" in run("rename", "anna", "Dora", *there).output
        assert run("rename", "Dora", "Bela", *there).exception
        await _seen_to(house, RENAMED)
        await until(lambda: host.snapshot.seats[0].name == "Dora")
        with house.store._database.reader() as reading:
            said = reading.exec_driver_sql("SELECT name, words FROM chat").all()
        assert said == [("Dora", "hello there")]
        assert run("close", "Bela", "--yes", *there).exit_code == 0
        await _seen_to(house, CLOSED)
        assert host.snapshot.over and not house.store.read(find_account, fold("Bela"))
        gone = house.store.read(read_person, bela.id)
        assert gone and not gone.is_here
        listed = run("accounts", *there).output
        assert "Dora" in listed and "Bela" not in listed
