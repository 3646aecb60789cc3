"""A turn of a play."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract.outcome import Reason
from trine.core.contract.position import Action, Position


@dataclass(frozen=True)
class Turn:
    """A whole turn that was played."""

    before: Position
    actions: tuple[Action, ...]
    after: Position
    left: Reason | None = None
    """Why the player left the play in this turn while others play on."""

    @property
    def number(self) -> int:
        return self.before.number

    @property
    def player(self) -> int:
        return self.before.mover
