"""The Arimaa Challenges of 2004 to 2007, as the French document tells them.

Source: French, "Historique du Défi".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trine.core.text.sentence import Text, text


@dataclass(frozen=True)
class Defence:
    """A defender's games against the program of a year.

    >>> HISTORY[0].defender, HISTORY[0].won, HISTORY[0].lost
    ('Omar Syed', 8, 0)
    """

    year: int
    prize: int
    """Units: US dollars."""
    defender: str
    rank: int
    """The defender's place among people then."""
    lost: int
    """The games that the program won."""
    won: int
    handicaps: tuple[str, ...] = ()
    """The pieces that the defender left out in each game."""
    substitute_for: str = ""
    """The defender whose place was taken."""

    @property
    def games(self) -> int:
        return self.won + self.lost


PROGRAM: Final = "Bomb"
"""The program of all four years, by David Fotland."""

HISTORY: Final = (
    Defence(2004, 10_000, "Omar Syed", 1, 0, 8, ("",) * 7 + ("rabbit",)),
    Defence(2005, 10_000, "Frank Heinemann", 4, 1, 7),
    Defence(2006, 17_500, "Karl Juhnke", 1, 0, 3),
    Defence(2006, 17_500, "Greg Magne", 2, 0, 3),
    Defence(2006, 17_500, "Paul Mertens", 6, 1, 2, ("", "", "camel")),
    Defence(2007, 17_100, "Karl Juhnke", 1, 0, 3, ("dog", "horse", "camel")),
    Defence(2007, 17_100, "Brendan M", 19, 0, 2),
    Defence(2007, 17_100, "Omar Syed", 20, 0, 3, ("", "", "cat")),
    Defence(2007, 17_100, "N Siddiqui", 27, 1, 0, substitute_for="Brendan M"),
)


def balance() -> list[Text]:
    """Return the sentences below the table: the substitutes, and what the program won of all games.

    >>> str(balance()[0])
    'N Siddiqui took the place of Brendan M.'
    """
    told = [
        text("{name} took the place of {other}.", name=one.defender, other=one.substitute_for)
        for one in HISTORY
        if one.substitute_for
    ]
    told.append(
        text(
            "{program} won {lost} of {games} games. From 2006 on a program had to win two of three "
            "against each defender.",
            program=PROGRAM,
            lost=sum(one.lost for one in HISTORY),
            games=sum(one.games for one in HISTORY),
        )
    )
    return told
