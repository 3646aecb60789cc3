"""`trine house`: status, backups, migration, lists, and the export of all games."""

from __future__ import annotations

import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Final

import click

from trine.cli.commands import speech
from trine.cli.commands.house_place import HousePlace, place_options, store_option
from trine.cli.commands.progress import bars
from trine.cli.commands.speech import option, say, tell, usage_error
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text

if TYPE_CHECKING:
    from trine.house.store.store import Store

WIDTH: Final = 60  # characters; the longest list of players' names in a line


@speech.command(
    "migrate",
    text(
        "Copy the house SOURCE to TARGET, a new database; each is a folder or a URL, such as "
        "postgresql://user@host/name. All is copied and compared, or nothing."
    ),
)
@click.argument("source")
@click.argument("target")
def migrate(source: str, target: str) -> None:
    from trine.house.processes.tables import homes_at_work
    from trine.house.store.copying import copy, count_rows
    from trine.house.store.database import Database
    from trine.house.tables import SCHEMA

    source_place, target_place = HousePlace.of(source), HousePlace.of(target)
    source_place.check_exists()
    with (
        closing(Database.open(source_place.database, SCHEMA)) as from_database,
        target_place.new() as place,
        closing(Database.as_it_is(place)) as to_database,
        bars() as progress,
    ):
        whole = count_rows(from_database, SCHEMA)
        tasks = {name: progress.add_task(name, total=count) for name, count in whole.items()}
        count = copy(
            from_database,
            to_database,
            SCHEMA,
            lambda connection: bool(homes_at_work(connection)),
            lambda name, count_copied: progress.advance(tasks[name], count_copied),
        )
    tell(text("{count} rows were copied, and are the same there", count=count))


@speech.command(
    "status",
    text(
        "Show the status of a house: visitors, load, disk, backups, e-mails, faults; as on /house."
    ),
)
@place_options
def status(place: HousePlace) -> None:
    from trine.house.house_settings import BackupSettings, read_section
    from trine.house.retention import read_retention
    from trine.house.status_report import StatusReport
    from trine.house.store.database import Database

    place.check_exists()
    folder = place.settings
    desk = StatusReport(
        read_retention(folder), read_section(folder, "backup", BackupSettings), folder
    )
    with closing(Database.as_it_is(place.database)) as database, database.reader() as reading:
        parts = desk.read(reading, time.time())
    for part in parts:
        click.echo(say(part.title))
        for line in part.lines:
            click.echo(f"{'!' if line.wrong else ' '} {say(line.topic)}: {say(line.value)}")
            if line.more:
                click.echo(indent(line.more.rstrip(), "      "))


@speech.command(
    "backup",
    text(
        "Write the database of a house to FILE, checked, also while it is open; without one, to "
        "the folder of [backup] in house.toml, where the oldest backups go."
    ),
)
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@place_options
def backup(place: HousePlace, file: Path | None) -> None:
    from trine.house.games.storage.events import EVENT
    from trine.house.house_settings import BackupSettings, read_section
    from trine.house.store.backup import back_up

    path = place.file_of(
        text("a database of PostgreSQL is backed up by pg_dump; docs/guides/back-up.md says how")
    )
    settings = None
    if not file:
        if not (settings := read_section(path.parent, "backup", BackupSettings)):
            raise usage_error(text("give FILE, or a folder in the section [backup] of house.toml"))
        file = Path(settings.folder) / f"house-{datetime.now(UTC):%Y-%m-%d-%H%M%S}.db"
    with bars() as progress:
        bar = progress.add_task("", total=None)
        count = back_up(
            path,
            file,
            EVENT.name,
            lambda done, whole: progress.update(bar, completed=done, total=whole),
        )
    tell(text("{file} holds {count} events, and is in order", file=file, count=count))
    if settings:
        for old in settings.files()[: -settings.keep]:
            old.unlink()


@speech.command("restore", text("Put the backup FILE in place, where there is no house yet."))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@place_options
def restore(place: HousePlace, file: Path) -> None:
    from trine.house.games.storage.events import EVENT
    from trine.house.store.backup import restore as restore_to

    path = place.file_of(
        text("a database of PostgreSQL is restored by pg_restore; docs/guides/back-up.md says how")
    )
    count = restore_to(file, path, EVENT.name)
    tell(text("{file} holds {count} events, and is in order", file=path, count=count))


@speech.command(
    "list", text("List the newest games of a house, or its processes that are at work.")
)
@click.argument("what", type=click.Choice(["games", "processes"]), default="games")
@option(
    "--stage",
    type=click.Choice(["waiting", "playing", "over"]),
    meaning=text("Only games that are waiting for players, running, or over."),
)
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True)
@store_option
def listing(store: Store, what: str, stage: str | None, limit: int) -> None:
    from trine.house.games.storage.tables import Stage, count_games, games_in, read_seats
    from trine.house.processes.tables import homes_at_work

    if what == "processes":
        for home in store.read(homes_at_work):
            click.echo(f"{home.name}  {home.address or '-'}  {_moment(home.alive_at)}")
        return
    stages = [Stage(stage)] if stage else list(Stage)
    counts = store.read(count_games)
    games = [game for of in stages for game in store.read(games_in, of, limit)]
    games.sort(key=lambda game: -game.created_at)
    for game in games[:limit]:
        names = ", ".join(seat.name or "-" for seat in store.read(read_seats, game.id))[:WIDTH]
        rules = f"{game.room}/{game.rules}"
        click.echo(f"{game.id}  {_moment(game.created_at)}  {game.stage:<7}  {rules:<22}  {names}")
    summary = text(
        "{waiting} games wait for players, {playing} are played, {over} are over",
        waiting=counts[Stage.WAITING],
        playing=counts[Stage.PLAYING],
        over=counts[Stage.OVER],
    )
    tell(summary, err=True)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%MZ")


@speech.command("export", text("Write the records of all games to FILE, or to standard output."))
@click.argument("file", type=click.Path(allow_dash=True), default="-")
@option("--over", "only_over", is_flag=True, meaning=text("Only those of games that are over."))
@store_option
def export(store: Store, file: str, only_over: bool) -> None:
    from trine.house.games.storage.records import records
    from trine.house.games.storage.tables import count_games
    from trine.house.store.backup import check_new
    from trine.play.record.text_files import STANDARD, open_to_write

    if file != STANDARD and not Path(file).is_char_device() and not Path(file).is_fifo():
        check_new(Path(file))
    total = sum(store.read(count_games).values())
    count, problems = 0, []
    with open_to_write(file) as stream, bars() as progress:
        bar = progress.add_task("", total=total)
        for game_id, record in records(store, only_over=only_over):
            progress.advance(bar)
            if isinstance(record, Text):
                problems.append(text("game {game}: {problem}", game=game_id, problem=record))
            elif record:
                stream.write(f"{record}\n")
                count += 1
    for problem in problems:
        tell(problem, err=True)
    tell(text("{count} records were written", count=count), err=True)
    if problems:
        raise TrineError("{wrong} of {count} games are wrong", wrong=len(problems), count=total)


COMMANDS: Final = (status, migrate, backup, restore, listing, export)
