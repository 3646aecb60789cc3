"""The ladder of a game: the strength of each level of the house's bot, and of each strategist.

Ratings are those of the maximum likelihood of all games together, by the model of Bradley and
Terry, which is Elo's. A library computes them; only the errors are computed here.

Sources: R. Bradley, M. Terry, "Rank Analysis of Incomplete Block Designs", 1952; L. Maystre, M.
Grossglauser, "Fast and Accurate Inference of Plackett-Luce Models", 2015, for the algorithm of
choix.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import TrineError
from trine.core.work.extras import how_to_install
from trine.core.work.limits import Limits
from trine.engine.arena.elo import TWO_SIDED_95
from trine.engine.arena.match import Entrant, Match
from trine.engine.arena.opening_book import Openings
from trine.engine.arena.report import columns
from trine.engine.arena.schedule import Lineup, everyone_against_everyone, neighbours
from trine.engine.arena.standings import Standings
from trine.games import open_room

NODES: Final = 1_000_000
"""The limit of each turn for levels without one of their own, so that a ladder is reproducible.
Guess."""


ELO: Final = 400 / math.log(10)
"""Units: Elo for odds of e to one."""
PRIOR: Final = 1.0
"""Units: games; the draws that are added to the results of any two players who are to meet, so that
players who have won or lost every game are rated too. Guess."""


@dataclass(frozen=True)
class LadderRating:
    """The rating of a player among others."""

    elo: float
    """Units: Elo; the mean of all players is 0."""
    error: float
    """Units: Elo; half of the 95 % interval."""


def rate(points: NDArray[np.float64], meeting: NDArray[np.bool_]) -> list[LadderRating]:
    """Rate players.

    Shapes: ``points[players, players]``, the score of each against each; ``meeting`` likewise,
        whether two are to meet.

    Raises:
        TrineError: the library for ratings is not installed.

    >>> met = np.array([[False, True], [True, False]])
    >>> [round(rating.elo) for rating in rate(np.array([[0, 75.5], [24.5, 0]]), met)]
    [97, -97]
    """
    wins = points + PRIOR / 2 * meeting
    strengths: NDArray[np.float64] = library().ilsr_pairwise_dense(wins)
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    # The Fisher information, in all directions but that in which all ratings move alike.
    information = -(wins + wins.T) * chances * (1 - chances)
    np.fill_diagonal(information, 0)
    np.fill_diagonal(information, -information.sum(axis=1))
    deviations = np.sqrt(np.diag(np.linalg.pinv(information)))
    mean = strengths.mean()
    return [
        LadderRating(float(ELO * (strength - mean)), float(TWO_SIDED_95 * ELO * deviation))
        for strength, deviation in zip(strengths, deviations, strict=True)
    ]


def library() -> Any:
    """Return the library for ratings; raises `TrineError` where it is not installed."""
    try:
        import choix
    except ModuleNotFoundError:
        raise TrineError(
            "ratings need one more library; install it with: {command}",
            command=how_to_install("arena"),
        ) from None
    return choix


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
    """Return the match of all bots of a game; strategists play all levels."""
    bots = [f"bot:{level}" for level in levels]
    strategists = [f"bot:{name}" for name in open_room(openings.game).book.strategists]
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


def ratings(match: Match, standings: Standings) -> list[LadderRating]:
    count = len(match.entrants)
    points, meeting = np.zeros((count, count)), np.zeros((count, count), np.bool_)
    for one, other in match.lineups:
        meeting[one, other] = meeting[other, one] = True
        tally = standings.tally(one, other)
        points[one, other] = tally.points
        points[other, one] = tally.mirrored.points
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
