"""The interface of a game: all that the layers above may use.

A game is a `Room`, made by its package (``games/NAME/__init__.py``): its name, its rule sets, and
three values, `Rules`, `RoomView` and `Handbook`. The layers above know nothing else of a game.
"""

from trine.core.contract.heuristics import Aspect, Heuristics, NetInputs, PieceSquareTable, Term
from trine.core.contract.insight import Effect, Insight, Threat
from trine.core.contract.kernels import Kernel, Repetition
from trine.core.contract.room import (
    Document,
    Format,
    Handbook,
    Options,
    Room,
    RoomView,
    Rules,
    StartOption,
    Strategist,
)

__all__ = [
    "Aspect",
    "Document",
    "Effect",
    "Format",
    "Handbook",
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
