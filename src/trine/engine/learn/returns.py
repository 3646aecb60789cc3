"""TD(λ) returns: training targets from later search scores and the result.

The score of a search looks a few turns ahead; the result of a game says little about a position far
from its end. A *return* lies between: it sums the scores of later turns and finally the result,
each weighted `td_lambda` times as much as the one before.

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
"""At this λ a fit changes Arimaa's game-tuned weights least; a smaller λ learns what the search
sees anyway, a larger one learns noise. Measured."""


def returns_of(
    moves: NDArray[Any], result: int, td_lambda: float, curve: Curve
) -> NDArray[np.float64]:
    """Return the return of each action of a game, for the first player.

    ``moves`` are records of `trine.engine.selfplay.kernel.game_state.MOVE`, ``result`` is the
    winner or a constant of `trine.core.contract.score`, and ``curve`` maps points to chances.

    Shapes: action. Units: chances. In the last turn they are the result.
    """
    movers = moves["mover"]
    turns = np.cumsum(np.append(0, movers[1:] != movers[:-1]))
    searched = np.flatnonzero(moves["marks"] & SEARCHED)
    searched = searched[
        np.unique(turns[searched], return_index=True)[1]
    ]  # the first search of its turn
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
