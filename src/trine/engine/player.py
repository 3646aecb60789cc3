"""What all players have in common, whether they think here or in a program of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trine.core.doors import Action
from trine.core.errors import TrineError
from trine.core.limits import Limits
from trine.core.play import Play
from trine.core.stop import Stop
from trine.core.text import Text
from trine.search.info import Info as Info
from trine.search.info import Told as Told


@dataclass(frozen=True)
class Decision:
    """What a player has decided."""

    actions: tuple[Action, ...]
    """The rest of the turn, to its end; empty for who resigns."""
    info: Info | None = None
    """What was known in the end; None where nothing was searched."""
    resigns: bool = False


class ForfeitError(TrineError):
    """A player cannot go on: it crashed, is silent, or answers what is not legal."""

    def __init__(self, message: Text, transcript: str = "") -> None:
        super().__init__(message)
        self.transcript = transcript
        """What was said to a program and by it."""


class Player(Protocol):
    """Somebody who chooses turns; one thread asks."""

    @property
    def name(self) -> str:
        """What reports and records call the player."""

    def begin(self, play: Play) -> None:
        """Begin a game, or go on with one: what was learnt of others is forgotten.

        Raises:
            ForfeitError: it cannot.
        """

    def choose(
        self, play: Play, limits: Limits, told: Told | None = None, stop: Stop | None = None
    ) -> Decision:
        """Choose the turn of the player to move, or the rest of it; ``play`` stays as it is.

        The stop, which any thread can set, lets it return at once with the best that is known.

        Raises:
            ForfeitError: it cannot.
        """

    def close(self) -> None:
        """Give back what the player holds; nothing is asked of it any more."""
