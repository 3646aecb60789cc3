"""Figures about games in words, as `trine stats` and `trine archive stats` tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import click

from trine.commands.speech import LANGUAGE, say
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import Text, text
from trine.games import open_room
from trine.record.statistics import TOLD, By, Games, mean


def show_figures(counted: Mapping[tuple[str, str], Games], by: By) -> None:
    """Show the figures of games, by game and group."""
    for (game, group), games in counted.items():
        title = f"{open_room(game).title} · {group}" if group else open_room(game).title
        click.echo("\n".join(LANGUAGE.say(line) for line in _told(title, games)))
        if by == By.RULES and (told := TOLD.get((game, group))):
            click.echo(say(_french(told)))


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
