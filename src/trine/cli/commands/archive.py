"""`trine archive` stores many games in a folder; `trine explore` shows turns played in them."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

from trine.cli.commands import speech
from trine.cli.commands.options import Choice, game_option, json_option, rules_option, turn_option
from trine.cli.commands.places import named_position, records_of_files
from trine.cli.commands.progress import bars
from trine.cli.commands.speech import option, options, say, tell
from trine.cli.commands.stats import by_option, show_figures
from trine.core.compiled.gc_pause import gc_paused
from trine.core.contract.position import Outcome, Reason
from trine.core.contract.record import Record
from trine.core.errors import FileError, TrineError
from trine.core.play import describe, names
from trine.core.text.sentence import ntext, number, quoted, text
from trine.core.work.stop import Stop
from trine.games import ROOMS, known_rules, open_room, parse_game
from trine.play.record.formats import OURS, detect_format
from trine.play.record.log import check_not_played
from trine.play.record.statistics import By
from trine.play.record.text_files import STANDARD, open_to_write, read_lines

if TYPE_CHECKING:
    from trine.engine.archive.explored import Explored, ExploredTurn
    from trine.engine.archive.queries import Archive, GameFilter

FOLDER: Final = click.Path(file_okay=False, path_type=Path)


@speech.group(
    "archive", text("Keep many games in a folder: add records, count, find and export them.")
)
def command() -> None: ...


@speech.command(
    "add",
    text(
        "Add the games of files to the archive in DIR, which is created if needed. A "
        "game that is there already is not added again; an illegal one is reported "
        "and left out."
    ),
    of=command,
)
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def add(folder: Path, files: tuple[str, ...]) -> None:
    with gc_paused():
        from trine.engine.archive.archive_writer import ArchiveWriter  # imports Numba

    counts = _Counts()
    with (
        _progress(files) as on_progress,
        _stopped_by_ctrl_c() as stop,
        ArchiveWriter.open(folder) as to,
    ):
        read = partial(_read, on_progress=on_progress)
        for record in records_of_files(files, read, counts.refuse):
            counts.take(to.add, record)
            if stop.is_set:
                break
    summary = text(
        "added: {added}, there already: {known}, not legal: {wrong}",
        added=number(counts.added),
        known=number(counts.known),
        wrong=number(counts.wrong),
    )
    tell(summary, err=True)
    if stop.is_set:
        tell(text("stopped; run the same command again to continue"), err=True)
        sys.exit(130)
    sys.exit(1 if counts.wrong else 0)


class _Counts:
    """The numbers of records added, already known, and refused."""

    def __init__(self) -> None:
        self.added = self.known = self.wrong = 0

    def take(self, add: Callable[[Record], bool], record: Record) -> None:
        try:
            added = add(record)
        except FileError:
            raise
        except TrineError as error:
            self.refuse(error)
            return
        self.added += added
        self.known += not added

    def refuse(self, error: TrineError) -> None:
        self.wrong += 1
        tell(error, err=True)


def _read(file: str, on_progress: Callable[[int], object]) -> Iterator[Record]:
    def lines() -> Iterator[str]:
        for line in read_lines(file):
            on_progress(len(line))
            yield line

    return detect_format(lines(), file)[1]


@contextmanager
def _progress(files: tuple[str, ...]) -> Iterator[Callable[[int], object]]:
    """Show a bar at a terminal; yield a function that advances it by a number of bytes read."""
    sizes = [Path(file).stat().st_size for file in files if Path(file).is_file()]
    with bars(BarColumn(), TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn()) as bar:
        task = bar.add_task("", total=sum(sizes) or None)
        yield lambda size: bar.advance(task, size)


@contextmanager
def _stopped_by_ctrl_c() -> Iterator[Stop]:
    """Yield a `Stop`: the first Ctrl-C sets it, the second ends the program at once."""
    stop = Stop()

    def handle(signal_number: int, frame: object) -> None:
        if stop.is_set:
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@speech.command(
    "stats",
    text(
        "Show how the games of an archive end, how often the first player wins, how long they are."
    ),
    of=command,
)
@click.argument("folder", metavar="DIR", type=FOLDER)
@by_option
def stats(folder: Path, by: str) -> None:
    show_figures(_open(folder).figures(By(by)), By(by))


class Years(click.ParamType[tuple[int, int]]):
    """A parameter type for a year, or a first and a last year."""

    name = "years"

    def convert(
        self, value: str | tuple[int, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        if not re.fullmatch("[0-9]{4}(-[0-9]{4})?", value):
            self.fail(
                say(text("{given} is no year, such as 2026 or 2002-2008", given=quoted(value)))
            )
        first, _, last = value.partition("-")
        return int(first), int(last or first)


filter_options = options(
    option(
        "--position",
        metavar="POSITION",
        meaning=text("Games in which this position stood, turned or mirrored too."),
    ),
    option(
        "--year",
        "years",
        metavar="YEAR|FROM-TO",
        type=Years(),
        meaning=text("Games of a year, or of the years from one to another."),
    ),
    option(
        "--result",
        metavar="WORD",
        meaning=text("Games with this result or reason: gold, goal, resignation."),
    ),
    option("--player", metavar="NAME", meaning=text("Games of this player.")),
    rules_option,
    option(
        "--game",
        type=Choice(ROOMS),
        meaning=text("Games of this kind: {games}.", games=", ".join(ROOMS)),
    ),
)


def _open(folder: Path) -> Archive:
    with gc_paused():
        from trine.engine.archive.queries import Archive
    return Archive(folder)


def _filters(**options: Any) -> GameFilter:
    from trine.engine.archive.queries import GameFilter

    if position := options.pop("position"):
        play = named_position(position, options["rules"] or "")
        options["position"] = play.room.name, play.position
        options["rules"] = options["rules"] or play.position.rules.name
    if (rules := options["rules"]) and "/" in rules:
        options["game"] = options["game"] or parse_game(rules)[0].name
        options["rules"] = known_rules(open_room(options["game"]), rules)
    return GameFilter(**{name: value for name, value in options.items() if value is not None})


@speech.command("find", text("List the games of an archive that match the options."), of=command)
@click.argument("folder", metavar="DIR", type=FOLDER)
@filter_options
def find(folder: Path, **options: Any) -> None:
    archive, count = _open(folder), 0
    for game in archive.find(_filters(**options)):
        count += 1
        players = " – ".join(
            f"{name or '?'}{f' ({rating})' if rating else ''}"
            for name, rating in zip(game.players, game.ratings, strict=True)
        )
        ended = "*"
        if game.reason:
            seats = open_room(game.part.game).seats
            winner = next((i for i, seat in enumerate(seats) if seat.tag == game.result), None)
            ended = say(describe(names(seats), Outcome(winner, Reason(game.reason))))
        rules = f"{game.part.game}/{game.tags['Rules']}"
        date = game.tags.get("Date", "-")
        click.echo(f"{date:10}  {rules}  {players}  {ended}  {game.turns}")
    tell(ntext("{count} game", "{count} games", count), err=True)
    sys.exit(0 if count else 1)


@speech.command(
    "export",
    text("Write the games that match the options to TARGET, in our own format."),
    of=command,
)
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.argument("target", metavar="[TARGET]", default=STANDARD)
@filter_options
def export(folder: Path, target: str, **options: Any) -> None:
    archive = _open(folder)
    filters = _filters(**options)
    if target != STANDARD:
        check_not_played(Path(target))
    with open_to_write(target) as stream:
        for piece in OURS.write(archive.records(filters)):
            stream.write(piece)


@speech.command(
    "explore",
    text(
        "Show the turns played from a position in the games of the archive in DIR: "
        "how often, with which results, and in whose games. The position is a text, "
        "the start of GAME, or the last one in FILE."
    ),
)
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.argument("position", metavar="POSITION|GAME|FILE")
@game_option
@turn_option
@rules_option
@option(
    "--turns",
    "max_turns",
    type=click.IntRange(1, 1000),
    default=12,
    show_default=True,
    meaning=text("How many turns are shown."),
)
@json_option
def explore_command(
    folder: Path,
    position: str,
    game_number: int,
    turn: str | None,
    rules: str | None,
    max_turns: int,
    as_json: bool,
) -> None:
    with gc_paused():
        from trine.engine.archive.explorer import explore
        from trine.engine.archive.queries import Archive
    archive = Archive(folder)
    play = named_position(position, rules or "", game_number, turn)
    explored = explore(archive, play.room, play.position, max_turns)
    if as_json:
        click.echo(json.dumps(_as_data(explored), ensure_ascii=False))
        return
    count = ntext(
        "{turn}: {count} turn was played from here",
        "{turn}: {count} turns were played from here",
        explored.games,
        turn=play.turn_tag,
    )
    tell(count)
    if explored.turns:
        click.echo(_columns(say(text("Games")), say(text("Score")), say(text("Rating"))))
    for played in explored.turns:
        click.echo(_line(played, archive.names))
    if hidden := explored.different - len(explored.turns):
        tell(ntext("and {count} other turn", "and {count} other turns", hidden))


def _line(played: ExploredTurn, names: Mapping[str, str]) -> str:
    """Return a turn as a line of the table: games, score, rating, the turn, and a best game."""
    score = "–" if played.score is None else f"{say(number(100 * played.score, 1))} %"
    rating = "–" if played.rating is None else f"{played.rating:.0f}"
    best = played.top_games[0]
    by = ""
    if any(best.players):
        by = (
            f"  {' – '.join(names.get(name, name) or '?' for name in best.players)} {best.date[:4]}"
        )
    return f"{_columns(say(number(played.games)), score, rating)}  {played.words}{by}".rstrip()


def _columns(games: str, score: str, rating: str) -> str:
    return f"{games:>9}  {score:>8}  {rating:>10}"


def _as_data(explored: Explored) -> dict[str, Any]:
    turns = []
    for played in explored.turns:
        data = asdict(played)
        del data["actions"]
        turns.append({**data, "score": played.score})
    return {"games": explored.games, "different": explored.different, "turns": turns}
