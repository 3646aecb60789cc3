"""The ladder of a game: how strong each level of the house's bot is, and each strategist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from trine.arena.match import Entrant, Match
from trine.arena.opening_book import Openings
from trine.arena.ratings import Rating, rate
from trine.arena.report import columns
from trine.arena.schedule import Lineup, everyone_against_everyone, neighbours
from trine.arena.standings import Standings
from trine.core.limits import Limits
from trine.games import open_room

NODES: Final = 1_000_000
"""For each turn of who has no limit of its own, so that a ladder can be repeated. Guess."""


def ladder(
    openings: Openings,
    levels: Sequence[int],
    *,
    limits: Limits,
    only_neighbours: bool = False,
    seed: int = 0,
    hash_mb: int = 64,
    threads: int = 1,
    today: str = "",
) -> Match:
    """The match that finds how strong the bots of a game are.

    Args: with ``only_neighbours`` each level plays only the next one; strategists play all levels.
    """
    bots = [f"bot:{level}" for level in levels]
    strategists = [f"bot:{name}" for name in open_room(openings.game).strategists]
    entrants = tuple(Entrant(words, words, limits) for words in (*bots, *strategists))
    lineups: list[Lineup] = everyone_against_everyone(len(entrants), 2)
    if only_neighbours:
        steps = neighbours(len(bots))
        lineups = [pair for pair in lineups if pair in steps or pair[1] >= len(bots)]
    return Match(
        entrants,
        openings,
        lineups=tuple(lineups),
        seed=seed,
        hash_mb=hash_mb,
        threads=threads,
        event="ladder",
        today=today,
    )


def ratings(match: Match, standings: Standings) -> list[Rating]:
    """The ratings of those who take part, as far as it was played."""
    count = len(match.entrants)
    points, meeting = np.zeros((count, count)), np.zeros((count, count), np.bool_)
    for one, other in match.lineups:
        meeting[one, other] = meeting[other, one] = True
        tally = standings.tally(one, other)
        points[one, other] = tally.points
        points[other, one] = tally.mirrored.points
    return rate(points, meeting)


def table(match: Match, standings: Standings) -> list[str]:
    """The rungs, the highest first."""
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
