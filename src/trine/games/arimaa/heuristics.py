"""The heuristics of the room as the floors above see them; importing them compiles the kernel."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.contract import Heuristics, NetInputs, Table
from trine.core.contract.terms import weighted, weights_of
from trine.games.arimaa.kernel.evaluation import evaluate
from trine.games.arimaa.kernel.inputs import (
    BUCKETS,
    MIRRORED,
    MOST_SET,
    SHARED,
    SYMMETRIES,
    bucket,
    inputs,
    stage,
)
from trine.games.arimaa.kernel.ordering import score_moves
from trine.games.arimaa.kernel.tactics import must_act, null_move, tactical
from trine.games.arimaa.kernel.terms import TERMS
from trine.games.arimaa.kernel.wins import detect_win
from trine.games.arimaa.knowledge.openings import opening
from trine.games.arimaa.knowledge.places import PLACE_NAMES, count_places, spread_places

FUTILITY_MARGIN: Final = 36
"""Units: points; more than a quiet step is likely to gain."""

SEARCH_CONSTANTS: Final = {
    "promise": 95,
    "tries": 0,
    "razor": 300,
    "reduction": 1400,
    "reduction_base": 512,
    "reduction_in_turn": 350,
    "reduction_open": 0,
    "quiescence": 12,
    "evasions": 1,
    "leaves": 1,
}
"""Found by games in which all were moved at once; docs/experiments has what each is worth. Leaves:
the orders of steps meet in them."""

HANDICAPS: Final = {1: 705, 2: 622, 3: 562, 4: 560, 5: 540, 6: 480, 7: 395, 8: 265, 9: 204}
"""Units: 1/1024. Steps between levels are steeper here: an action of another turn overlooked is one
of four. docs/measuring.md has the steps."""

_NAMES: Final = (*(term.name for term in TERMS), *PLACE_NAMES)
_WEIGHTS: Final = weights_of(__package__, _NAMES)
_WORTH: Final = {name: _WEIGHTS[name] for name in PLACE_NAMES}
_LOOKED_UP: Final = (
    *(_WEIGHTS[term.name] for term in TERMS),
    *spread_places(list(_WORTH.values())),
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
    table=Table("places", _WORTH, spread_places, count_places),
    handicaps=HANDICAPS,
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
        sees_terms=True,
        shared=SHARED,
    ),
)
