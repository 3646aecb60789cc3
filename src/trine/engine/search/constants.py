"""The constants of a search that a game, or a player, can have of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from trine.core.contract import Heuristics


@dataclass(frozen=True)
class Constant:
    """The bounds of a constant."""

    usual: int | None
    """Its value where a room has none of its own; None where each room has one."""
    least: int
    most: int


CONSTANTS: Final[Mapping[str, Constant]] = {
    "margin": Constant(None, 4, 1000),  # futility margin, in points: what a quiet action gains
    "depth": Constant(6, 0, 16),  # up to which actions are pruned by the margin
    "window": Constant(40, 4, 1000),  # half of that around the score of the last depth, in points
    "promise": Constant(0, 0, 1000),  # score of ordering below which actions can be pruned
    "tries": Constant(4, 0, 64),  # actions, and twice the depth squared, before others are pruned
    "razor": Constant(0, 0, 1000),  # points a ply behind that tactics alone can win back; 0: off
    "reduction": Constant(1024, 0, 3072),  # of late moves, in 1/1024 of the usual ones
    "reduction_base": Constant(307, 0, 2048),  # added to them, in 1/1024 of a ply
    "reduction_in_turn": Constant(0, 0, 2048),  # added where the turn has begun
    "reduction_open": Constant(1024, 0, 2048),  # taken off where the window is open
    "quiescence": Constant(8, 1, 16),  # plies of quiescence search
    "evasions": Constant(0, 0, 8),  # first plies of quiescence in which a threat must be met
    "leaves": Constant(0, 0, 1),  # whether the table keeps results of quiescence
}
"""By name, as in the words of a bot. The usual values are guesses."""


class SearchConstants(NamedTuple):
    """Constants of a search; None is the value of the room."""

    margin: int | None = None
    depth: int | None = None
    window: int | None = None
    promise: int | None = None
    tries: int | None = None
    razor: int | None = None
    reduction: int | None = None
    reduction_base: int | None = None
    reduction_in_turn: int | None = None
    reduction_open: int | None = None
    quiescence: int | None = None
    evasions: int | None = None
    leaves: int | None = None

    def write(self, state: Any, heuristics: Heuristics) -> None:
        """Write all constants into the state of a worker."""
        for name, value in self.filled(heuristics)._asdict().items():
            state[name] = value

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
