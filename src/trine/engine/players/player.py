"""The protocol of all players, in this process or in programs of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trine.core.clock import Limits
from trine.core.contract.position import Action
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text
from trine.core.work.stop import Stop
from trine.engine.search.info import Info as Info
from trine.engine.search.info import OnInfo as OnInfo


@dataclass(frozen=True)
class Decision:
    """A player's choice of a turn."""

    actions: tuple[Action, ...]
    """The rest of the turn, to its end; empty if the player resigns."""
    info: Info | None = None
    """The last result of the search; None without a search."""
    resigns: bool = False


class ForfeitError(TrineError):
    """A player crashed, does not answer, or answered with an illegal turn."""

    def __init__(self, message: Text, transcript: str = "") -> None:
        super().__init__(message)
        self.transcript = transcript
        """The lines exchanged with a program."""


class Player(Protocol):
    """A player that chooses turns; only one thread calls its methods."""

    @property
    def name(self) -> str:
        """The player's name in reports and records."""

    def begin(self, play: Play) -> None:
        """Begin or resume a game, and drop the state of other games; raises `ForfeitError`."""

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        """Choose the turn of the player to move, or the rest of the turn; raises `ForfeitError`.

        Any thread can set ``stop``; the player then returns at once, with its best turn so far.
        """

    def close(self) -> None:
        """Release the resources of the player; it cannot be used afterwards."""
