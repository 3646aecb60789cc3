"""The vectors of Corridor that the engine knows."""

from conformance.vectors import Vector
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.position import unsearched


def is_searched(vector: Vector) -> bool:
    """Whether the board of a vector is one of the kernel; larger ones are the referee's alone."""
    return not unsearched(parse_position(vector["position"]))
