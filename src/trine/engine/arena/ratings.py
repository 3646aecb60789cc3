"""Ratings of many players by all their games together.

The model is that of Bradley and Terry, which is Elo's: the ratings are those of the maximum
likelihood. A library computes them; only the errors are computed here.

Sources: R. Bradley, M. Terry, "Rank Analysis of Incomplete Block Designs", 1952; L. Maystre, M.
Grossglauser, "Fast and Accurate Inference of Plackett-Luce Models", 2015, for the algorithm of
choix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.core.work.extras import how_to_install
from trine.engine.arena.elo import TWO_SIDED_95

ELO: Final = 400 / math.log(10)
"""Units: Elo for odds of e to one."""
PRIOR: Final = 1.0
"""Units: games; the draws that are added to the results of any two players who are to meet, so that
players who have won or lost every game are rated too. Guess."""


@dataclass(frozen=True)
class Rating:
    """The rating of a player among others."""

    elo: float
    """Units: Elo; the mean of all players is 0."""
    error: float
    """Units: Elo; half of the 95 % interval."""


def rate(points: NDArray[np.float64], meeting: NDArray[np.bool_]) -> list[Rating]:
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
        Rating(float(ELO * (strength - mean)), float(TWO_SIDED_95 * ELO * deviation))
        for strength, deviation in zip(strengths, deviations, strict=True)
    ]


def library() -> Any:
    """Return the library for ratings; called before a match, it reports its absence in time.

    Raises:
        TrineError: the library is not installed.
    """
    try:
        import choix
    except ModuleNotFoundError:
        raise TrineError(
            text(
                "ratings need one more library; install it with: {command}",
                command=how_to_install("arena"),
            )
        ) from None
    return choix
