"""The constants of a search that a game, or a player, can have of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from trine.core.contract import Heuristics


@dataclass(frozen=True)
class Constant:
    """The bounds of a constant."""

    usual: int | None
    """Its value where a room has none of its own; None where each room has one."""
    least: int
    most: int


class SearchConstants(NamedTuple):
    """Constants of a search; None is the value of the room. The usual values are guesses."""

    margin: Annotated[int | None, Constant(None, 4, 1000)] = None
    """Futility margin, in points: what a quiet action gains."""
    depth: Annotated[int | None, Constant(6, 0, 16)] = None
    """Up to which actions are pruned by the margin."""
    window: Annotated[int | None, Constant(40, 4, 1000)] = None
    """Half of that around the score of the last depth, in points."""
    futility_order: Annotated[int | None, Constant(0, 0, 1000)] = None
    """Score of ordering below which actions can be pruned."""
    futility_count: Annotated[int | None, Constant(4, 0, 64)] = None
    """Actions, and twice the depth squared, before others are pruned."""
    razor: Annotated[int | None, Constant(0, 0, 1000)] = None
    """Points a ply behind that tactics alone can win back; 0: off."""
    reduction: Annotated[int | None, Constant(1024, 0, 3072)] = None
    """Of late moves, in 1/1024 of the usual ones."""
    reduction_base: Annotated[int | None, Constant(307, 0, 2048)] = None
    """Added to them, in 1/1024 of a ply."""
    reduction_in_turn: Annotated[int | None, Constant(0, 0, 2048)] = None
    """Added where the turn has begun."""
    reduction_open: Annotated[int | None, Constant(1024, 0, 2048)] = None
    """Taken off where the window is open."""
    quiescence: Annotated[int | None, Constant(8, 1, 16)] = None
    """Plies of quiescence search."""
    evasions: Annotated[int | None, Constant(0, 0, 8)] = None
    """First plies of quiescence in which a threat must be met."""
    quiescence_table: Annotated[int | None, Constant(0, 0, 1)] = None
    """Whether the table keeps results of quiescence."""

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


CONSTANTS: Final[Mapping[str, Constant]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(SearchConstants, include_extras=True).items()
}
"""By name, as in the words of a bot."""
OF_ROOM: Final = SearchConstants()
"""The constants of the room."""


def with_constants(heuristics: Heuristics, constants: SearchConstants) -> Heuristics:
    """Return the knowledge of a room with other constants."""
    filled = constants.filled(heuristics)._asdict()
    return replace(heuristics, futility_margin=filled.pop("margin"), search_constants=filled)
