"""`trine solve`: the value of every position of a small board, by layers of walls."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click
from platformdirs import user_data_path
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from trine.commands.options import rules_option, start_options
from trine.commands.speech import LANGUAGE, lang_option, say, usage_error
from trine.core.compiled.loading import loading
from trine.core.contract import Room
from trine.core.contract.position import Position
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, ntext, number, text
from trine.core.text.wording import written_actions
from trine.games import one_rule_set, parse_game, start_position

TURNS_SHOWN: Final = 12
"""Units: actions; of the best play from the start."""


@click.command(
    "solve",
    help=say(
        text(
            "Solve a small board of Corridor: find for every position who wins, and how soon. "
            "GAME is corridor/RULES. Layers that are solved are kept; the same command goes on."
        )
    ),
)
@click.argument("game", metavar="GAME")
@rules_option
@start_options
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help=say(text("Folder for the layers; without it, one in the user's data.")),
)
@lang_option
def command(game: str, rules: str | None, out: Path | None, **options: str | None) -> None:
    """Solve a board."""
    try:
        room, known = parse_game(game)
        given = {tag: value for tag, value in options.items() if value is not None}
        first = start_position(room, one_rule_set(known, rules or ""), given)
    except TrineError as error:
        raise usage_error(error) from None
    folder = out or user_data_path("trine", appauthor=False) / "solved"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _solve(room, first, folder)
    except KeyboardInterrupt:
        _say(text("stopped; what is solved is kept, and the same command goes on"))
        sys.exit(130)


def _solve(room: Room, first: Position, folder: Path) -> None:
    with loading():
        from trine.solve.boards import board_of, start_value  # they bring Numba along
        from trine.solve.table import plan, solve

    planned = plan(board_of(room.name, first))
    sizes = planned.bytes
    _say(
        text(
            "{count} positions, a byte each, in {layers} layers; {most} in the largest",
            count=number(sum(sizes)),
            layers=len(sizes),
            most=number(max(sizes)),
        )
    )
    console, hidden = Console(stderr=True), not sys.stderr.isatty()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=hidden) as bar:
        task = bar.add_task("", total=sum(sizes))

        def told(walls: int, done: int, total: int) -> None:
            words = ntext("{count} wall", "{count} walls", walls)
            bar.update(task, completed=done, description=say(words))

        table = solve(planned, folder, told)
    for walls, (size, longest) in enumerate(zip(sizes, table.longest, strict=True)):
        _say(
            text(
                "  walls on the board {walls}: {count} positions, longest win {longest}",
                walls=walls,
                count=number(size),
                longest=longest,
            )
        )
    found = start_value(room.name, table, first)
    _say(_start_words(first, found.wins, found.actions))
    click.echo(f"  {written_actions(room, first, found.line[:TURNS_SHOWN])}")


def _start_words(first: Position, wins: bool | None, actions: int) -> Text:
    """Return the value of a start in words."""
    if wins is None:
        return text("the start is a draw at best play of both")
    winner = first.seats[first.mover if wins else 1 - first.mover].name
    return text(
        "{player} wins from the start, in {count} actions of both at best play",
        player=winner,
        count=actions,
    )


def _say(sentence: Text) -> None:
    click.echo(LANGUAGE.say(sentence))
