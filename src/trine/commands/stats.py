"""`trine stats`: how the games of files end, who wins, and how long they take."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import median

import click

from trine.commands.compiling import open_kernel_with_progress
from trine.commands.options import Choice
from trine.commands.speech import LANGUAGE, lang_option, say
from trine.core.contract import Kernel, Room
from trine.core.contract.outcome import Reason
from trine.core.contract.position import Position
from trine.core.contract.record import Record
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text, ntext, text
from trine.games import open_room
from trine.record.files import STANDARD, check_other_file, open_to_write
from trine.record.formats import read_file
from trine.record.statistics import TOLD, By, Games, count, mean


@click.command(
    "stats",
    help=say(
        text(
            "Tell how the games of files and folders end, how often the first player wins, how "
            "long they are. - is standard input: trine house export | trine stats -"
        )
    ),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--by",
    type=Choice([by.value for by in By]),
    default=By.RULES.value,
    show_default=True,
    help=say(text("Figures for each rule set, player or year.")),
)
@click.option(
    "--legal-turns",
    is_flag=True,
    help=say(text("Also count the legal turns of each position; that takes longer.")),
)
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help=say(text("Write the figures as a page, too.")),
)
@lang_option
def command(files: tuple[str, ...], by: str, legal_turns: bool, html: Path | None) -> None:
    """Tell figures about games."""
    wrong = 0
    for file in files:
        if html:
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
        for (game, group), games in found.items():
            title = f"{open_room(game).title} · {group}" if group else open_room(game).title
            click.echo("\n".join(LANGUAGE.say(line) for line in _told(title, games)))
            if by == By.RULES and (told := TOLD.get((game, group))):
                click.echo(say(_french(told)))
    if html:
        from trine.house.statistics.alone import statistics_page
        from trine.house.statistics.figures import figures_of

        figures = figures_of(found, LANGUAGE, by_rules=by == By.RULES)
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
    from trine.search.perft import count_turns  # it brings Numba along

    return count_turns(room, _kernel(room.name), position)


@cache
def _kernel(name: str) -> Kernel:
    return open_kernel_with_progress(name)


def _told(title: str, games: Games) -> Iterator[Text | str]:
    """Yield the figures of a group, a line each."""
    yield title
    yield text("  games: {over} over, {open} not", over=games.over, open=games.unfinished)
    if not games.over:
        return
    yield text("  ended by: {reasons}", reasons=_shares(games))
    score, error = mean(games.first)
    yield text(
        "  the first player scores {score} % ± {error}",
        score=f"{100 * score:.1f}",
        error=f"{100 * error:.1f}",
    )
    yield text(
        "  turns: {median} (median), {least} to {most}",
        median=f"{median(games.turns):g}",
        least=min(games.turns),
        most=max(games.turns),
    )
    if games.seconds:
        yield text("  seconds a turn: {seconds} (median)", seconds=f"{median(games.seconds):.1f}")
    if games.choices:
        yield text(
            "  legal turns to choose from: {median} (median), {least} to {most}",
            median=f"{median(games.choices):g}",
            least=min(games.choices),
            most=max(games.choices),
        )


def _shares(games: Games) -> str:
    return ", ".join(
        f"{say(reason.text)} {number} ({100 * number / games.over:.1f} %)"
        for reason, number in games.reasons.most_common()
    )


def _french(told: Mapping[Reason, int]) -> Text:
    reasons = ", ".join(f"{LANGUAGE.say(reason.text)} {number}" for reason, number in told.items())
    return text("  the French article counts, until December 2006: {reasons}", reasons=reasons)
