"""`trine stats`: how the games of files end, who wins, and how long they take."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.compiling import open_kernel_with_progress
from trine.cli.commands.figures import show_figures
from trine.cli.commands.options import Choice
from trine.cli.commands.speech import LANGUAGE, option, say
from trine.core.contract import Kernel, Room
from trine.core.contract.position import Position
from trine.core.contract.record import Record
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import ntext, text
from trine.play.record.files import STANDARD, check_other_file, open_to_write
from trine.play.record.formats import read_file
from trine.play.record.statistics import By, count


@speech.command(
    "stats",
    text(
        "Tell how the games of files and folders end, how often the first player wins, how "
        "long they are. - is standard input: trine house export | trine stats -"
    ),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option(
    "--by",
    type=Choice([by.value for by in By]),
    default=By.RULES.value,
    show_default=True,
    words=text("Figures for each rule set, player, year, month, time control, or mean rating."),
)
@option(
    "--legal-turns",
    is_flag=True,
    words=text("Also count the legal turns of each position; that takes longer."),
)
@option(
    "--html",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    words=text("Write the figures as a page, too."),
)
def command(files: tuple[str, ...], by: str, legal_turns: bool, html: Path | None) -> None:
    wrong = 0
    if html:
        # Before all is counted, since a house may not be installed.
        from trine.house.statistics.figures import figures_of, statistics_page

        for file in files:
            check_other_file(file, html)

    def refused(error: TrineError) -> None:
        nonlocal wrong
        wrong += 1
        click.echo(say(error), err=True)

    def records() -> Iterator[Record]:
        for file in _unfolded(files):
            try:
                yield from read_file(file)[1]
            except FileError:
                raise
            except TrineError as error:
                refused(error)

    found = count(records(), By(by), refused, _count_choices if legal_turns else None)
    if str(html) != STANDARD:
        show_figures(found, By(by))
    if html:
        figures = figures_of(found, LANGUAGE, By(by))
        with open_to_write(html) as stream:
            stream.write(statistics_page(figures, files, LANGUAGE))
    if wrong:
        click.echo(say(ntext("{count} record is wrong", "{count} records are wrong", wrong)))
        sys.exit(1)


def _unfolded(files: Sequence[str]) -> Iterator[str]:
    """Yield the files, and those below each folder, in order."""
    for file in files:
        folder = Path(file)
        if folder.is_dir():
            yield from (str(one) for one in sorted(folder.rglob("*")) if one.is_file())
        else:
            yield file


def _count_choices(room: Room, position: Position) -> int:
    from trine.engine.search.perft import count_turns  # it brings Numba along

    return count_turns(room, _kernel(room.name), position)


@cache
def _kernel(name: str) -> Kernel:
    return open_kernel_with_progress(name)
