"""The ladder of a game: the strength of each level of the house's bot, and of each strategist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from trine.core.work.limits import Limits
from trine.engine.arena.match import Entrant, Match
from trine.engine.arena.opening_book import Openings
from trine.engine.arena.ratings import Rating, rate
from trine.engine.arena.report import columns
from trine.engine.arena.schedule import Lineup, everyone_against_everyone, neighbours
from trine.engine.arena.standings import Standings
from trine.games import open_room

NODES: Final = 1_000_000
"""The limit of each turn for levels without one of their own, so that a ladder is reproducible.
Guess."""


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
    """Return the match that measures the strength of the bots of a game.

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
    """Return the ratings of the entrants by the games played so far."""
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
