"""The heuristics of the room as the floors above see them; importing them compiles the kernel.

Besides the terms there is the worth of squares: points of each kind of piece on each square, as its
side sees the board. The files e to h are the mirror of a to d. The numbers are in ``weights.txt``,
behind the weights of the terms: ``E_a1`` is the worth of an elephant on a1 to Gold, and on a8 to
Silver.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract import Heuristics, NetInputs, PieceSquareTable
from trine.core.contract.terms import weighted, weights_of
from trine.games.arimaa.kernel.evaluation import evaluate
from trine.games.arimaa.kernel.inputs import (
    BUCKETS,
    FACTORIZER,
    MIRRORED,
    MOST_SET,
    SYMMETRIES,
    bucket,
    inputs,
    stage,
)
from trine.games.arimaa.kernel.ordering import score_moves
from trine.games.arimaa.kernel.tactics import must_act, null_move, tactical
from trine.games.arimaa.kernel.terms import TERMS
from trine.games.arimaa.kernel.wins import detect_win
from trine.games.arimaa.knowledge.strategy import opening

KINDS: Final = "EMHDCR"
FILES: Final = 4
PST_NAMES: Final = tuple(
    f"{kind}_{file}{rank}" for kind in KINDS for rank in range(8, 0, -1) for file in "abcd"
)
"""Kind by kind, rank 8 first."""


def spread_piece_squares(numbers: Sequence[float]) -> NDArray[np.float32]:
    """Return the worth of each kind of piece on each square, in whole points.

    Whole points are summed exactly, whatever the order of the pieces.
    """
    halves = np.rint(numbers).reshape(len(KINDS), 8, FILES)[:, ::-1]
    whole = np.concatenate([halves, halves[:, :, ::-1]], axis=2)
    return whole.astype(np.float32).ravel()


FUTILITY_MARGIN: Final = 36
"""Units: points; more than a quiet step is likely to gain."""

SEARCH_CONSTANTS: Final = {
    "futility_max_order": 95,
    "lmp_count": 0,
    "razoring_margin": 300,
    "lmr_scale": 1400,
    "lmr_base": 512,
    "lmr_in_turn": 350,
    "lmr_pv": 0,
    "quiescence_plies": 12,
    "evasion_plies": 1,
    "quiescence_tt": 1,
}
"""Found by games in which all were moved at once; docs/experiments has what each is worth. The
orders of steps meet in quiescence, so the table keeps its results."""

OVERLOOK_RATES: Final = {1: 705, 2: 622, 3: 562, 4: 560, 5: 540, 6: 480, 7: 395, 8: 265, 9: 204}
"""Units: 1/1024. Steps between levels are steeper here: an action of another turn overlooked is one
of four. docs/why/measuring.md has the steps."""

_NAMES: Final = (*(term.name for term in TERMS), *PST_NAMES)
_WEIGHTS: Final = weights_of(__package__, _NAMES)
_WORTH: Final = {name: _WEIGHTS[name] for name in PST_NAMES}
_LOOKED_UP: Final = (
    *(_WEIGHTS[term.name] for term in TERMS),
    *spread_piece_squares(list(_WORTH.values())),
)

HEURISTICS = Heuristics(
    terms=weighted(TERMS, _WEIGHTS),
    weights=np.array(_LOOKED_UP, np.float32),
    evaluate=evaluate,
    tactical=tactical,
    score_moves=score_moves,
    detect_win=detect_win,
    null_move=null_move,
    futility_margin=FUTILITY_MARGIN,
    opening=opening,
    must_act=must_act,
    table=PieceSquareTable("places", _WORTH, spread_piece_squares),
    overlook_rates=OVERLOOK_RATES,
    search_constants=SEARCH_CONSTANTS,
    net=NetInputs(
        "arimaa",
        "standings 2",
        MOST_SET,
        MIRRORED,
        inputs,
        BUCKETS,
        bucket,
        symmetries=SYMMETRIES,
        stage=stage,
        antisymmetric=True,
        takes_terms=True,
        factorizer=FACTORIZER,
    ),
)
