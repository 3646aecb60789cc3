"""`trine stats`: how the games of files end, who wins, and how long they take."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from statistics import median
from typing import Final

import click

from trine.commands.options import Choice
from trine.commands.speech import LANGUAGE, lang_option, say
from trine.core.contract.outcome import Reason
from trine.core.contract.record import Record
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text, ntext, text
from trine.games import open_room
from trine.record.formats import read_file
from trine.record.statistics import By, Games, count, mean

FRENCH: Final = {Reason.GOAL: 1653, Reason.IMMOBILIZATION: 38, Reason.REPETITION: 4}
"""How rated games of people had ended until December 2006, none drawn. Source: French document."""


@click.command(
    "stats",
    help=say(
        text("Tell how the games of files end, how often the first player wins, how long they are.")
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
@lang_option
def command(files: tuple[str, ...], by: str) -> None:
    """Tell figures about games."""
    wrong = 0

    def refused(error: TrineError) -> None:
        nonlocal wrong
        wrong += 1
        click.echo(say(error), err=True)

    def records() -> Iterator[Record]:
        for file in files:
            try:
                yield from read_file(file)[1]
            except FileError:
                raise
            except TrineError as error:
                refused(error)

    for (game, group), games in count(records(), By(by), refused).items():
        title = f"{open_room(game).title} · {group}" if group else open_room(game).title
        click.echo("\n".join(LANGUAGE.say(line) for line in _told(title, games)))
        if by == By.RULES and (game, group) == ("arimaa", "classic"):
            click.echo(say(_french()))
    if wrong:
        click.echo(say(ntext("{count} record is wrong", "{count} records are wrong", wrong)))
        sys.exit(1)


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


def _shares(games: Games) -> str:
    return ", ".join(
        f"{say(reason.text)} {number} ({100 * number / games.over:.1f} %)"
        for reason, number in games.reasons.most_common()
    )


def _french() -> Text:
    told = ", ".join(f"{LANGUAGE.say(reason.text)} {number}" for reason, number in FRENCH.items())
    return text("  the French article counts, until December 2006: {reasons}", reasons=told)
