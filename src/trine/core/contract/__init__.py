"""The interface of a game: all that the layers above may use.

A game is a `Room`, made by its package (``games/NAME/__init__.py``): its name, its rule sets, and
three values, `Rules`, `RoomView` and `Handbook`. The layers above know nothing else of a game.
"""

from trine.core.contract.handbook import Document, Handbook, Strategist
from trine.core.contract.heuristics import (
    Aspect,
    Heuristics,
    Kernel,
    NetInputs,
    PieceSquareTable,
    Repetition,
    Term,
)
from trine.core.contract.insight import Effect, Insight, Threat
from trine.core.contract.notation import Format
from trine.core.contract.position import Options
from trine.core.contract.room import Room, RoomView, Rules, StartOption

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
