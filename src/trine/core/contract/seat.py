"""A place at the board, with its names in sentences and in records."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.text.sentence import Text


@dataclass(frozen=True)
class Seat:
    """A place at the board. Their number and their names depend on the play."""

    name: Text
    """Its name in sentences, as in "Gold to move"."""
    tag: str
    """The tag under which records name the player in this seat, and their word for the winner."""
    letters: str
    """The letters that records may have behind the number of a turn, the one we write first."""

    @property
    def letter(self) -> str:
        """The letter that is written behind the number of a turn, as in ``2g``."""
        return self.letters[0]
