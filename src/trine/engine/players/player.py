"""The protocol of all players, whether they think here or in a program of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trine.core.contract.position import Action
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.search.info import Info as Info
from trine.engine.search.info import OnInfo as OnInfo


@dataclass(frozen=True)
class Decision:
    """The decision of a player about a turn."""

    actions: tuple[Action, ...]
    """The rest of the turn, to its end; empty if the player resigns."""
    info: Info | None = None
    """The last result of the search; None if nothing was searched."""
    resigns: bool = False


class ForfeitError(TrineError):
    """A player cannot go on: it crashed, is silent, or gives an illegal answer."""

    def __init__(self, message: Text, transcript: str = "") -> None:
        super().__init__(message)
        self.transcript = transcript
        """The lines said to a program and by it."""


class Player(Protocol):
    """A chooser of turns; only one thread calls its methods."""

    @property
    def name(self) -> str:
        """The name of the player in reports and records."""

    def begin(self, play: Play) -> None:
        """Begin a game, or go on with one, and forget all others; raises `ForfeitError`."""

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        """Choose the turn of the player to move, or the rest of it; raises `ForfeitError`.

        The stop, which any thread can set, makes it return at once with the best turn found so far.
        """

    def close(self) -> None:
        """Release the resources of the player, which is not used any more."""
