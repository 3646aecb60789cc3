"""Figures about games in words, as `trine stats` and `trine archive stats` tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from trine.cli.commands.speech import LANGUAGE, say
from trine.core.contract.outcome import Reason
from trine.core.text.sentence import Text, number, text
from trine.games import open_room
from trine.play.record.statistics import TOLD, By, Games, Summary, group_text


def show_figures(counted: Mapping[tuple[str, str], Games], by: By) -> None:
    """Show the figures of games, by game and group."""
    for (game, group), games in counted.items():
        named = LANGUAGE.say(group_text(by, group))
        title = f"{open_room(game).title} · {named}" if named else open_room(game).title
        click.echo("\n".join(LANGUAGE.say(line) for line in _told(title, games)))
        if by == By.RULES and (told := TOLD.get((game, group))):
            click.echo(say(_french(told)))


def _told(title: str, games: Games) -> Iterator[Text | str]:
    """Yield the figures of a group, a line each."""
    yield title
    yield text("  games: {over} over, {open} not", over=games.over, open=games.unfinished)
    if not games.over:
        return
    found = games.summary()
    yield text("  ended by: {reasons}", reasons=_shares(found))
    score, error = found.first
    yield text(
        "  the first player scores {score} % ± {error}",
        score=number(score, 1),
        error=number(error, 1),
    )
    yield text("  turns: {median} (median), {least} to {most}", **_spread(found.turns))
    if found.seconds is not None:
        yield text("  seconds a turn: {seconds} (median)", seconds=number(found.seconds, 1))
    if found.choices:
        yield text(
            "  legal turns to choose from: {median} (median), {least} to {most}",
            **_spread(found.choices),
        )


def _spread(found: tuple[float, int, int]) -> dict[str, str | int]:
    middle, least, most = found
    return {"median": f"{middle:g}", "least": least, "most": most}


def _shares(found: Summary) -> str:
    return ", ".join(_share(reason, many, found.over) for reason, many, _ in found.ends)


def _share(reason: Reason, many: int, of: int) -> str:
    return f"{say(reason.text)} {many} ({say(number(100 * many / of, 1))} %)"


def _french(told: Mapping[Reason, int]) -> Text:
    reasons = ", ".join(_share(reason, many, sum(told.values())) for reason, many in told.items())
    return text("  the French article counts, until December 2006: {reasons}", reasons=reasons)
