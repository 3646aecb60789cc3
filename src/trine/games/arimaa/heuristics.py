"""The heuristics of Arimaa; importing them compiles or loads the kernel.

Besides the terms there are piece-square values: points of each kind of piece on each square, as its
side sees the board. The files e to h mirror a to d. The numbers are in ``weights.txt``, after the
weights of the terms: ``E_a1`` is the value of an elephant on a1 to Gold, and on a8 to Silver.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.heuristics import Heuristics, PieceSquareTable, weighted, weights_of
from trine.games.arimaa.kernel import evaluation, inputs, ordering, wins
from trine.games.arimaa.kernel.terms import TERMS
from trine.games.arimaa.knowledge import strategy

KINDS: Final = "EMHDCR"
FILES: Final = 4
PST_NAMES: Final = tuple(
    f"{kind}_{file}{rank}" for kind in KINDS for rank in range(8, 0, -1) for file in "abcd"
)
"""Ordered by kind, then from rank 8 down."""


def spread_piece_squares(numbers: Sequence[float]) -> NDArray[np.float32]:
    """Return the value of each kind of piece on each square, in whole points.

    Sums of whole points do not depend on the order of the pieces.
    """
    halves = np.rint(numbers).reshape(len(KINDS), 8, FILES)[:, ::-1]
    whole = np.concatenate([halves, halves[:, :, ::-1]], axis=2)
    return whole.astype(np.float32).ravel()


FUTILITY_MARGIN: Final = 36  # points; more than a quiet step is likely to gain

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
    "correction_scale": 256,
}
"""Tuned by games that changed all at once; docs/experiments has the effect of each. Steps transpose
in quiescence, so its results are kept in the table."""

OVERLOOK_RATES: Final = {1: 705, 2: 615, 3: 545, 4: 545, 5: 540, 6: 480, 7: 395, 8: 265, 9: 204}
"""Units: 1/1024, by level. They differ more from level to level than in other games, since an
overlooked action is only one of four in a turn. docs/why/measuring.md has the measurements."""

_NAMES: Final = (*(term.name for term in TERMS), *PST_NAMES)
_WEIGHTS: Final = weights_of(__package__, _NAMES)
_PIECE_SQUARES: Final = {name: _WEIGHTS[name] for name in PST_NAMES}
_LOOKED_UP: Final = (
    *(_WEIGHTS[term.name] for term in TERMS),
    *spread_piece_squares(list(_PIECE_SQUARES.values())),
)

HEURISTICS = Heuristics.of(
    evaluation,
    ordering,
    wins,
    inputs,
    strategy,
    terms=weighted(TERMS, _WEIGHTS),
    weights=np.array(_LOOKED_UP, np.float32),
    futility_margin=FUTILITY_MARGIN,
    table=PieceSquareTable("places", _PIECE_SQUARES, spread_piece_squares),
    overlook_rates=OVERLOOK_RATES,
    search_constants=SEARCH_CONSTANTS,
)
