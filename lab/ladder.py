"""Rates the levels of a game's bot, and its strategists, by a round robin.

    .venv/bin/python lab/ladder.py tzaar --games 20 --workers 4 --out ladder-tzaar.txt
    .venv/bin/python lab/ladder.py corridor --levels 3-7 --neighbours

All levels and strategists meet; with `--neighbours` each level meets only the next. Ratings
maximize the likelihood of all games by the Bradley–Terry model, which is Elo's. A library computes
them; only the errors are computed here.

Sources: R. Bradley, M. Terry, "Rank Analysis of Incomplete Block Designs", 1952; L. Maystre, M.
Grossglauser, "Fast and Accurate Inference of Plackett-Luce Models", 2015, for the algorithm of
choix.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import choix
import click
import numpy as np
from numpy.typing import NDArray

from trine.cli.commands.match import conduct, match_start_options, running_options
from trine.cli.commands.options import chosen_game, rules_option
from trine.cli.commands.speech import usage_errors
from trine.core.clock import Limits
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.core.work.workers import Backend
from trine.engine.arena.elo import TWO_SIDED_95
from trine.engine.arena.match import Entrant, Match, parse_budget
from trine.engine.arena.opening_book import Openings, parse_openings
from trine.engine.arena.report import columns
from trine.engine.arena.schedule import Lineup, everyone_against_everyone
from trine.engine.arena.standings import Standings
from trine.engine.players.player import LEVELS
from trine.games import open_room

DEFAULT_NODES: Final = 1_000_000
"""The node limit for levels without one, so that a ladder is reproducible. Guess."""


ELO: Final = 400 / math.log(10)
"""Units: Elo for odds of e to one."""
PRIOR_DRAWS: Final = 1.0
"""Units: games; draws added to the results of each pair that meets, so that players who won or lost
every game get finite ratings. Guess."""


@dataclass(frozen=True)
class LadderRating:
    """The rating of a player among others."""

    elo: float
    """Units: Elo; the mean of all players is 0."""
    error: float
    """Units: Elo; half of the 95 % confidence interval."""


def rate(points: NDArray[np.float64], meeting: NDArray[np.bool_]) -> list[LadderRating]:
    """Return the ratings of players.

    Shapes: ``points[players, players]``, the score of each against each; ``meeting`` likewise,
        whether a pair meets.

    >>> met = np.array([[False, True], [True, False]])
    >>> [round(rating.elo) for rating in rate(np.array([[0, 75.5], [24.5, 0]]), met)]
    [97, -97]
    """
    wins = points + PRIOR_DRAWS / 2 * meeting
    strengths: NDArray[np.float64] = choix.ilsr_pairwise_dense(wins)
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    # The Fisher information, except in the direction that shifts all ratings equally.
    information = -(wins + wins.T) * chances * (1 - chances)
    np.fill_diagonal(information, 0)
    np.fill_diagonal(information, -information.sum(axis=1))
    deviations = np.sqrt(np.diag(np.linalg.pinv(information)))
    mean = strengths.mean()
    return [
        LadderRating(float(ELO * (strength - mean)), float(TWO_SIDED_95 * ELO * deviation))
        for strength, deviation in zip(strengths, deviations, strict=True)
    ]


def ladder(
    openings: Openings,
    levels: Sequence[int],
    *,
    limits: Limits,
    only_neighbours: bool = False,
    seed: int = 0,
    hash_mb: int = 64,
    today: str = "",
) -> Match:
    """Return the match of all bots of a game; strategists play all levels."""
    bots = [f"bot:{level}" for level in levels]
    strategists = [f"bot:{name}" for name in open_room(openings.game).handbook.strategists]
    entrants = tuple(Entrant(words, words, limits) for words in (*bots, *strategists))
    lineups: list[Lineup] = everyone_against_everyone(len(entrants), 2)
    if only_neighbours:
        steps = [(level, level + 1) for level in range(len(bots) - 1)]
        lineups = [pair for pair in lineups if pair in steps or pair[1] >= len(bots)]
    return Match(
        entrants,
        openings,
        lineups=tuple(lineups),
        seed=seed,
        hash_mb=hash_mb,
        event="ladder",
        today=today,
    )


def ratings(match: Match, standings: Standings) -> list[LadderRating]:
    count = len(match.entrants)
    points, meeting = np.zeros((count, count)), np.zeros((count, count), np.bool_)
    for one, other in match.lineups:
        meeting[one, other] = meeting[other, one] = True
        tally = standings.tally(one, other)
        points[one, other] = tally.points
        points[other, one] = tally.games - tally.points
    return rate(points, meeting)


def table(match: Match, standings: Standings) -> list[str]:
    rows = []
    for number, rating in enumerate(ratings(match, standings)):
        scored, games = standings.score(number)
        share = f"{100 * scored / games:.1f}%" if games else "-"
        rows.append((rating, match.entrants[number].name, games, share))
    rows.sort(key=lambda row: -row[0].elo)
    return columns(
        [
            ["Rank", "Name", "Rating", "+/-", "Games", "Score"],
            *(
                [str(rank), name, f"{rating.elo:+.0f}", f"{rating.error:.0f}", str(games), share]
                for rank, (rating, name, games, share) in enumerate(rows, start=1)
            ),
        ]
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


@click.command()
@click.argument("game", metavar="GAME")
@rules_option
@match_start_options
@click.option(
    "--games",
    type=click.IntRange(1),
    default=20,
    help="How many games are played in each meeting; each opening is played from all seats.",
)
@click.option("--levels", metavar="RANGE", default="1-10", help="Levels, such as 1-10 or 3,5,7.")
@click.option("--neighbours", is_flag=True, help="Each level plays only the next one.")
@click.option("--nodes", type=click.IntRange(1), help="The most nodes for each turn of a bot.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.001),
    help="The most seconds for each turn of a bot.",
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
    backend: Backend,
    hash_mb: int,
    openings: str,
    opening_turns: int,
    **options: str | None,
) -> None:
    """Rate the levels of a game's bot, and its strategists, by a round robin."""
    with usage_errors():
        room, rule_set, given = chosen_game(game, rules, options)
        if nodes is None and seconds is None:
            nodes = DEFAULT_NODES
        match = ladder(
            parse_openings(openings, room.name, rule_set, given, opening_turns),
            parse_levels(levels),
            limits=parse_budget(f"{seconds:g}s" if seconds else "", nodes)[0],
            only_neighbours=neighbours,
            seed=seed,
            hash_mb=hash_mb,
            today=date.today().isoformat(),
        )
        standings = Standings(match.fixtures(games), match.seats)
    interval = len(match.lineups) * 2
    conduct(
        match,
        standings,
        out,
        backend,
        interval,
        lambda: "\n".join(table(match, standings)),
    )


if __name__ == "__main__":
    command()
