"""Returns: what a position was worth, told by the searches and the end that came after it.

The score of a search sees a few turns ahead; the result of a game says little about a position far
from its end. A *return* stands between both: the scores of the turns that follow, and at last the
result, each counted `td_lambda` times as much as the one before.

Source: R. S. Sutton, "Learning to Predict by the Methods of Temporal Differences" (1988); at the
ends of principal variations: J. Baxter, A. Tridgell, L. Weaver, "TDLeaf(λ)" (1999).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.score import DRAW
from trine.engine.players.chances import Curve
from trine.engine.selfplay.kernel.game_state import SEARCHED

LAMBDA: Final = 0.8
"""By this the fit of Arimaa's weights asks for the least change of weights that games had chosen;
less learns what the search sees by itself, more learns chance. Measured."""


def returns_of(
    moves: NDArray[Any], result: int, td_lambda: float, curve: Curve
) -> NDArray[np.float64]:
    """Return what the turns after that of each action of a game were worth to the first player.

    Args: ``moves`` are records of the fields of `trine.engine.selfplay.kernel.game_state.MOVE`,
    ``result`` is the winner, or what `trine.core.contract.score` has, and ``curve`` tells chances
    from points.

    Shapes: action. Units: chances. Those of the last turn are the result.
    """
    movers = moves["mover"]
    turns = np.cumsum(np.append(0, movers[1:] != movers[:-1]))
    searched = np.flatnonzero(moves["marks"] & SEARCHED)
    searched = searched[np.unique(turns[searched], return_index=True)[1]]  # the first of its turn
    scores = moves["score"][searched].astype(np.float64)
    for_first = np.where(movers[searched] == 0, scores, -scores)
    chances = [curve.chance(points) for points in for_first]
    found = np.zeros(int(turns[-1]) + 1)
    worth, after = 0.5 if result == DRAW else float(result == 0), len(found)
    for turn, chance in zip(turns[searched][::-1], chances[::-1], strict=True):
        found[turn:after] = worth
        worth, after = (1 - td_lambda) * chance + td_lambda * worth, turn
    found[:after] = worth
    of_actions: NDArray[np.float64] = found[turns]
    return of_actions
