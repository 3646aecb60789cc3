"""The contract of a room: what every game offers, and all that the floors above may ask of it.

A room is a `Room`, filled in by its game definition (``games/NAME/__init__.py``): its name, its
rule sets, and three values, `Rules`, `RoomView` and `Book`. A fourth game is one more of these;
nothing above the games knows more.
"""

from trine.core.contract.heuristics import Aspect, Heuristics, NetInputs, PieceSquareTable, Term
from trine.core.contract.insight import Effect, Insight, Threat
from trine.core.contract.kernels import Kernel, Repetition
from trine.core.contract.room import (
    Book,
    Document,
    Format,
    Options,
    Room,
    RoomView,
    Rules,
    StartOption,
    Strategist,
)

__all__ = [
    "Aspect",
    "Book",
    "Document",
    "Effect",
    "Format",
    "Heuristics",
    "Insight",
    "Kernel",
    "NetInputs",
    "Options",
    "PieceSquareTable",
    "Repetition",
    "Room",
    "RoomView",
    "Rules",
    "StartOption",
    "Strategist",
    "Term",
    "Threat",
]
