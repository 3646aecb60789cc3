"""A player as the board shows one who has an account."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RatedPlayer:
    """The account of a player, and the rating for the game that is played."""

    name: str
    rating: float
    provisional: bool
    bot: bool = False
    """Whether a program plays under the name."""

    def __str__(self) -> str:
        return shown(self.rating, provisional=self.provisional)


def shown(rating: float, *, provisional: bool) -> str:
    """A rating as it is shown.

    >>> shown(1512.4, provisional=True)
    '1512?'
    """
    return f"{round(rating)}{'?' if provisional else ''}"
