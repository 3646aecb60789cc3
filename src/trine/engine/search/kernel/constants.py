"""The constants of a search that a game or a player can set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from trine.core.contract.heuristics import Heuristics


@dataclass(frozen=True)
class Constant:
    """The default and the bounds of a constant."""

    default: int | None  # the value for games that do not set the constant; None if each game must
    min: int
    max: int


class SearchConstants(NamedTuple):
    """Constants of a search; None: the game's value. The default values are guesses."""

    futility_margin: Annotated[int | None, Constant(None, 4, 1000)] = None
    """Futility margin, in points: what a quiet action gains at most."""
    futility_depth: Annotated[int | None, Constant(6, 0, 16)] = None
    """Maximum depth of futility pruning."""
    aspiration_window: Annotated[int | None, Constant(40, 4, 1000)] = None
    """Half-width of the aspiration window, in points."""
    futility_max_order: Annotated[int | None, Constant(0, 0, 1000)] = None
    """Actions with an ordering score below this can be pruned."""
    lmp_count: Annotated[int | None, Constant(4, 0, 64)] = None
    """Late-move pruning keeps the first n + 2·depth² actions."""
    razoring_margin: Annotated[int | None, Constant(0, 0, 1000)] = None
    """Razoring margin, in points for each ply; 0: off."""
    lmr_scale: Annotated[int | None, Constant(1024, 0, 3072)] = None
    """Scale of late-move reductions, in 1/1024 of the base table."""
    lmr_base: Annotated[int | None, Constant(307, 0, 2048)] = None
    """The constant part of each late-move reduction, in 1/1024 of a ply."""
    lmr_in_turn: Annotated[int | None, Constant(0, 0, 2048)] = None
    """The extra late-move reduction within a turn that has begun, in 1/1024 of a ply."""
    lmr_pv: Annotated[int | None, Constant(1024, 0, 2048)] = None
    """The decrease of late-move reductions in PV nodes, in 1/1024 of a ply."""
    quiescence_plies: Annotated[int | None, Constant(8, 1, 16)] = None
    """Maximum depth of quiescence search, in plies."""
    evasion_plies: Annotated[int | None, Constant(0, 0, 8)] = None
    """The number of first plies of quiescence search that search evasions of a threat."""
    quiescence_tt: Annotated[int | None, Constant(0, 0, 1)] = None
    """Whether quiescence search uses the transposition table."""
    correction_scale: Annotated[int | None, Constant(0, 0, 4096)] = None
    """Scale of the correction history, in 1/1024 of the sum of its parts; 0: off."""

    def write(self, state: Any, heuristics: Heuristics) -> None:
        for name, value in self.filled(heuristics)._asdict().items():
            state[name] = value

    def filled(self, heuristics: Heuristics) -> SearchConstants:
        """Return these constants, with the game's in place of None."""
        defaults = {name: constant.default for name, constant in CONSTANTS.items()}
        defaults |= {"futility_margin": heuristics.futility_margin, **heuristics.search_constants}
        chosen = {name: value for name, value in self._asdict().items() if value is not None}
        return SearchConstants(**defaults | chosen)


CONSTANTS: Final[Mapping[str, Constant]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(SearchConstants, include_extras=True).items()
}
"""The bounds of each constant, by name, as in the description of a bot."""
FORMER_NAMES: Final[Mapping[str, str]] = {
    "margin": "futility_margin",
    "depth": "futility_depth",
    "window": "aspiration_window",
    "futility_order": "futility_max_order",
    "futility_count": "lmp_count",
    "razor": "razoring_margin",
    "reduction": "lmr_scale",
    "reduction_base": "lmr_base",
    "reduction_in_turn": "lmr_in_turn",
    "reduction_open": "lmr_pv",
    "quiescence": "quiescence_plies",
    "evasions": "evasion_plies",
    "quiescence_table": "quiescence_tt",
}
"""Earlier names of constants, which descriptions of bots may still use."""
DEFAULT_CONSTANTS: Final = SearchConstants()  # all constants have the game's values


def with_constants(heuristics: Heuristics, constants: SearchConstants) -> Heuristics:
    filled = constants.filled(heuristics)._asdict()
    return replace(
        heuristics, futility_margin=filled.pop("futility_margin"), search_constants=filled
    )
