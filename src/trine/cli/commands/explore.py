"""`trine explore`: the turns played from a position in the games of an archive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trine.cli.commands import speech
from trine.cli.commands.archive import FOLDER
from trine.cli.commands.options import game_option, json_option, rules_option, turn_option
from trine.cli.commands.places import named_position
from trine.cli.commands.speech import option, say, tell
from trine.core.compiled.gc_pause import gc_paused
from trine.core.text.sentence import ntext, number, text

if TYPE_CHECKING:
    from trine.engine.archive.explored import Explored, ExploredTurn


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
def command(
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
