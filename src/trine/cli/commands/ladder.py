"""`trine ladder`: the strength of the levels of a game's bot, and of its strategists."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.match import conduct, match_start_options, running_options
from trine.cli.commands.options import chosen_game, rules_option
from trine.cli.commands.speech import option, usage_errors
from trine.core.errors import MalformedError
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.core.work.workplace import Workplace
from trine.engine.arena import ladder
from trine.engine.arena.budget import parse_budget
from trine.engine.arena.opening_book import parse_openings
from trine.engine.arena.standings import Standings
from trine.engine.players.levels import LEVELS
from trine.games import ROOMS


@speech.command(
    "ladder",
    text(
        "Rate the levels of a game's bot, and its strategists, by a round robin. GAME is "
        "{games}, or GAME/RULES.",
        games=", ".join(ROOMS),
    ),
)
@click.argument("game", metavar="GAME")
@rules_option
@match_start_options
@option(
    "--games",
    type=click.IntRange(1),
    default=20,
    words=text("How many games are played in each meeting; each opening is played from all seats."),
)
@option("--levels", metavar="RANGE", default="1-10", words=text("Levels, such as 1-10 or 3,5,7."))
@option("--neighbours", is_flag=True, words=text("Each level plays only the next one."))
@option("--nodes", type=click.IntRange(1), words=text("The most nodes for each turn of a bot."))
@option(
    "--seconds",
    type=click.FloatRange(0.001),
    words=text("The most seconds for each turn of a bot."),
)
@running_options
def command(
    game: str,
    rules: str | None,
    games: int,
    levels: str,
    neighbours: bool,
    nodes: int | None,
    seconds: float | None,
    out: Path | None,
    seed: int,
    workplace: Workplace,
    hash_mb: int,
    threads: int,
    openings: str,
    opening_turns: int,
    **options: str | None,
) -> None:
    with usage_errors():
        room, rule_set, given = chosen_game(game, rules, options)
        if nodes is None and seconds is None:
            nodes = ladder.NODES
        match = ladder.ladder(
            parse_openings(openings, room.name, rule_set, given, opening_turns),
            parse_levels(levels),
            limits=parse_budget(f"{seconds:g}s" if seconds else "", nodes)[0],
            only_neighbours=neighbours,
            seed=seed,
            hash_mb=hash_mb,
            threads=threads,
            today=date.today().isoformat(),
        )
        standings = Standings(match.schedule(games), match.seats)
    ladder.library()  # raises an error before all the games if it is absent
    interval = len(match.lineups) * 2
    conduct(
        match,
        standings,
        out,
        workplace,
        interval,
        lambda: "\n".join(ladder.table(match, standings)),
    )


def parse_levels(words: str) -> list[int]:
    """Read levels: ``1-10``, ``3,5,7``.

    Raises:
        MalformedError: the text names no levels, or one that does not exist.

    >>> parse_levels("1-3,7")
    [1, 2, 3, 7]
    """
    found: set[int] = set()
    for part in words.split(","):
        if not (ends := re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", part.strip())):
            raise MalformedError("{given} names no levels", given=quoted(words))
        found |= set(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    if not found or not found <= set(LEVELS):
        raise MalformedError(
            "{given}: the levels are {least} to {most}",
            given=quoted(words),
            least=min(LEVELS),
            most=max(LEVELS),
        )
    return sorted(found)
