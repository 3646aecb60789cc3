"""A place at the board: what whoever sits there is called."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.text import Text


@dataclass(frozen=True)
class Seat:
    """A place at the board. How many there are, and which, depends on the play."""

    name: Text
    """What sentences call it, as in "Gold to move"."""
    tag: str
    """The tag under which records name who sits here, and their word for the winner."""
    letters: str
    """The letters that records may have behind the number of a turn, ours first."""

    @property
    def letter(self) -> str:
        """The letter that we write behind the number of a turn, as in ``2g``."""
        return self.letters[0]
