"""`trine challenge`: the Challenges of 2004 to 2008, as the French document tells them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Final

import click

from trine.cli.commands import speech
from trine.cli.commands.options import json_option
from trine.cli.commands.speech import LANGUAGE, say, tell
from trine.core.text.sentence import ctext, number, text
from trine.play.tournament.challenge import pieces_told
from trine.play.tournament.past_challenges import HISTORY, PLEDGES, Defence, prize, story

HEADS: Final = (
    ctext("column", "Year"),
    ctext("column", "Prize"),
    ctext("column", "Defender"),
    ctext("column", "Rank"),
    ctext("column", "Won"),
    ctext("column", "Lost"),
    ctext("column", "Left out, game by game"),
)


@speech.command(
    "challenge",
    text("Show the Arimaa Challenges of 2004 to 2008, as the French document has them."),
)
@json_option
def command(as_json: bool) -> None:
    if as_json:
        prizes = {year: [asdict(one) for one in many] for year, many in PLEDGES.items()}
        defences = [asdict(one) for one in HISTORY]
        click.echo(json.dumps({"prizes": prizes, "defences": defences}))
        return
    rows = [list(map(say, HEADS)), *map(_row, HISTORY)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
    for year, pledges in PLEDGES.items():
        click.echo(f"{year}  {_dollars(year)}: {'; '.join(say(one.text) for one in pledges)}")
    for told in story():
        tell(told)


def _dollars(year: int) -> str:
    return f"{LANGUAGE.say(number(prize(year)))} $"


def _row(one: Defence) -> list[str]:
    left_out = "; ".join(say(pieces_told(pieces)) for pieces in one.handicaps)
    figures = (f"#{one.rank}", str(one.won), str(one.lost))
    return [str(one.year), _dollars(one.year), one.defender, *figures, left_out]
