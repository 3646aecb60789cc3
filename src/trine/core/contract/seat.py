"""A seat at the board, with its names in sentences and in records."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.text.sentence import Text


@dataclass(frozen=True)
class Seat:
    """A seat at the board. The number of seats and their names depend on the play."""

    name: Text
    """The seat's name in sentences, as in "Gold to move"."""
    tag: str
    """The tag for the player's name in records, and the value of ``Result`` if the player wins."""
    letters: str
    """The letters that records may have after the number of a turn; we write the first one."""

    @property
    def letter(self) -> str:
        """The letter that we write after the number of a turn, as in ``2g``."""
        return self.letters[0]
