"""The constants of a search that a game, or a player, can have of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from trine.core.doors import Heuristics
from trine.core.text import Text, text


@dataclass(frozen=True)
class Constant:
    """A constant that can be tuned."""

    usual: int | None
    """Its value where a room has none of its own; None where each room has one."""
    least: int
    most: int
    step: int
    """A change that can be felt in play. Guess."""
    told: Text


CONSTANTS: Final[Mapping[str, Constant]] = {
    "margin": Constant(
        None, 4, 1000, 12, text("futility margin, in points: what a quiet action hardly gains")
    ),
    "depth": Constant(6, 0, 16, 1, text("depth up to which actions are pruned by the margin")),
    "window": Constant(
        40, 4, 1000, 10, text("half of the window around the score of the last depth, in points")
    ),
    "reduction": Constant(1024, 0, 3072, 128, text("reductions of late moves, in 1/1024")),
    "evasions": Constant(
        0, 0, 8, 1, text("first plies of quiescence in which the threat of a loss must be met")
    ),
    "leaves": Constant(0, 0, 1, 1, text("whether the table keeps results of quiescence, 1 or 0")),
}
"""By name, as in the words of a bot. The usual values are guesses."""


class SearchConstants(NamedTuple):
    """Constants of a search; None is the value of the room."""

    margin: int | None = None
    depth: int | None = None
    window: int | None = None
    reduction: int | None = None
    evasions: int | None = None
    leaves: int | None = None

    def write(self, state: Any, heuristics: Heuristics) -> None:
        """Write all constants into the state of a worker."""
        values = self.filled(heuristics)
        state.futility_margin, state.futility_depth = values.margin, values.depth
        state.window, state.reduction = values.window, values.reduction
        state.evasions, state.keeps_leaves = values.evasions, values.leaves

    def filled(self, heuristics: Heuristics) -> SearchConstants:
        """Return these constants, with the room's where they are None."""
        usual = {name: constant.usual for name, constant in CONSTANTS.items()}
        usual |= {"margin": heuristics.futility_margin, **heuristics.search_constants}
        given = {name: value for name, value in self._asdict().items() if value is not None}
        return SearchConstants(**usual | given)


OF_ROOM: Final = SearchConstants()
"""The constants of the room."""


def with_constants(heuristics: Heuristics, constants: SearchConstants) -> Heuristics:
    """Return the knowledge of a room with other constants."""
    filled = constants.filled(heuristics)._asdict()
    return replace(heuristics, futility_margin=filled.pop("margin"), search_constants=filled)
