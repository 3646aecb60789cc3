"""`trine stats`, and `trine archive stats`: statistics of games: results, scores and lengths."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.options import Choice
from trine.cli.commands.places import read_asking, records_of_files
from trine.cli.commands.progress import open_kernel_with_progress
from trine.cli.commands.speech import LANGUAGE, option, say, tell
from trine.core.contract.position import Position, Reason
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.text.language import name_in
from trine.core.text.sentence import Text, ntext, number, text
from trine.games import open_room
from trine.play.record.statistics import (
    PUBLISHED_ENDINGS,
    By,
    GroupFigures,
    count,
    group_text,
)

by_option = option(
    "--by",
    type=Choice([by.value for by in By]),
    default=By.RULES.value,
    show_default=True,
    meaning=text("Figures for each rule set, player, year, month, time control, or mean rating."),
)


def show_figures(counted: Mapping[tuple[str, str], GroupFigures], by: By) -> None:
    for (game, group), games in counted.items():
        is_rules = by is By.RULES
        group_name = name_in(LANGUAGE, group) if is_rules else LANGUAGE.say(group_text(by, group))
        title = name_in(LANGUAGE, open_room(game).title)
        title = f"{title} · {group_name}" if group_name else title
        click.echo("\n".join(LANGUAGE.say(line) for line in _figure_lines(title, games)))
        if is_rules and (published := PUBLISHED_ENDINGS.get((game, group))):
            tell(_published_text(published))


def _figure_lines(title: str, games: GroupFigures) -> Iterator[Text | str]:
    yield title
    yield text("  games: {over} over, {open} not", over=games.over, open=games.unfinished)
    if not games.over:
        return
    summary = games.summary()
    reasons = ", ".join(_share(reason, many, summary.over) for reason, many, _ in summary.ends)
    yield text("  ended by: {reasons}", reasons=reasons)
    score, error = summary.first
    yield text(
        "  the first player scores {score} % ± {error}",
        score=number(score, 1),
        error=number(error, 1),
    )
    yield text("  turns: {median} (median), {least} to {most}", **_spread(summary.turns))
    if summary.seconds is not None:
        yield text("  seconds a turn: {seconds} (median)", seconds=number(summary.seconds, 1))
    if summary.choices:
        yield text(
            "  legal turns to choose from: {median} (median), {least} to {most}",
            **_spread(summary.choices),
        )


def _spread(figures: tuple[float, int, int]) -> dict[str, str | int]:
    middle, least, most = figures
    return {"median": f"{middle:g}", "least": least, "most": most}


def _share(reason: Reason, many: int, of: int) -> str:
    return f"{say(reason.text)} {many} ({say(number(100 * many / of, 1))} %)"


def _published_text(published: Mapping[Reason, int]) -> Text:
    reasons = ", ".join(
        _share(reason, many, sum(published.values())) for reason, many in published.items()
    )
    return text("  the French article counts, until December 2006: {reasons}", reasons=reasons)


@speech.command(
    "stats",
    text(
        "Show how the games of files and folders end, how often the first player "
        "wins, how long they are. - is standard input: trine house export | trine "
        "stats -"
    ),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@by_option
@option(
    "--legal-turns",
    is_flag=True,
    meaning=text("Also count the legal turns of each position; that takes longer."),
)
def command(files: tuple[str, ...], by: str, legal_turns: bool) -> None:
    wrong = 0

    def on_error(error: TrineError) -> None:
        nonlocal wrong
        wrong += 1
        tell(error, err=True)

    records = records_of_files(_expand_folders(files), lambda file: read_asking(file)[1], on_error)
    figures = count(records, By(by), on_error, _count_choices if legal_turns else None)
    show_figures(figures, By(by))
    if wrong:
        tell(ntext("{count} record is wrong", "{count} records are wrong", wrong))
        sys.exit(1)


def _expand_folders(files: Sequence[str]) -> Iterator[str]:
    """Yield the files; for a folder, all files in it, sorted."""
    for file in files:
        folder = Path(file)
        if folder.is_dir():
            yield from (str(path) for path in sorted(folder.rglob("*")) if path.is_file())
        else:
            yield file


def _count_choices(room: Room, position: Position) -> int:
    from trine.engine.search.perft import count_turns  # imports Numba

    return count_turns(room, open_kernel_with_progress(room.name), position)
