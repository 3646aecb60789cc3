"""The Arimaa Challenges of 2004 to 2008. Source: the French document, "Historique du Défi"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from trine.core.text.sentence import Text, number, text


@dataclass(frozen=True)
class Defence:
    """A defender's games against the program of a year.

    >>> HISTORY[0].defender, HISTORY[0].won, HISTORY[0].lost
    ('Omar Syed', 8, 0)
    """

    year: int
    defender: str
    rank: int  # the defender's rank among people at the time
    lost: int  # the games that the program won
    won: int
    handicaps: tuple[str, ...] = ()  # the pieces that the defender left out in each game

    @property
    def games(self) -> int:
        return self.won + self.lost


@dataclass(frozen=True)
class Pledge:
    """A sum that was promised for a prize. Units: US dollars."""

    sum: int
    sponsor: str
    until: int = 0  # the last year, if the sum was promised each year; else 0

    @property
    def text(self) -> Text:
        if self.until:
            return text(
                "{sum} $ each year until {year} by {name}",
                sum=number(self.sum),
                year=self.until,
                name=self.sponsor,
            )
        return text("{sum} $ by {name}", sum=number(self.sum), name=self.sponsor)


_SYED: Final = Pledge(10_000, "Omar Syed", 2020)
_MORE: Final = Pledge(5_000, "Omar Syed", 2010)
PLEDGES: Final[Mapping[int, tuple[Pledge, ...]]] = {
    2004: (_SYED,),
    2005: (_SYED,),
    2006: (_SYED, _MORE, Pledge(2_000, "Paul Mertens"), Pledge(500, "Karl Juhnke")),
    2007: (_SYED, _MORE, Pledge(1_500, "Paul Mertens"), Pledge(600, "Karl Juhnke")),
    2008: (_SYED, _MORE, Pledge(1_000, "Paul Mertens"), Pledge(1_000, "Karl Juhnke")),
}
"""The sums promised for the prize of each year. The document predates the games of 2008."""


def prize(year: int) -> int:
    """Return the prize of a year. Units: US dollars.

    >>> prize(2006)
    17500
    """
    return sum(pledge.sum for pledge in PLEDGES[year])


HISTORY: Final = (
    Defence(2004, "Omar Syed", 1, 0, 8, ("",) * 7 + ("rabbit",)),
    Defence(2005, "Frank Heinemann", 4, 1, 7),
    Defence(2006, "Karl Juhnke", 1, 0, 3),
    Defence(2006, "Greg Magne", 2, 0, 3),
    Defence(2006, "Paul Mertens", 6, 1, 2, ("", "", "camel")),
    Defence(2007, "Karl Juhnke", 1, 0, 3, ("dog", "horse", "camel")),
    Defence(2007, "Brendan M", 19, 0, 2),
    Defence(2007, "Omar Syed", 20, 0, 3, ("", "", "cat")),
    Defence(2007, "N Siddiqui", 27, 1, 0),
)


def story() -> list[Text]:
    """Return the sentences below the table, on facts that the table lacks."""
    return [
        text(
            "From 2004 to 2020 a prize waits each year for the first program on an ordinary "
            "computer that beats a strong player in a match of six games or more."
        ),
        text(
            "Before the third match Omar Syed changed the terms: two of three games against each "
            "of three players, which is easier on those who volunteer to defend. He also asked "
            "others to add to the prize."
        ),
        text(
            "David Fotland, known for his Go program Many Faces of Go, won the championship of "
            "Arimaa programs before each of the four matches with Bomb, which was then soundly "
            "beaten: it won {lost} of {games} games.",
            lost=sum(defence.lost for defence in HISTORY),
            games=sum(defence.games for defence in HISTORY),
        ),
        text(
            "In 2004 Syed left out a rabbit in his last game. In 2006 Mertens left out a camel in "
            "his last game, and lost it. In 2007 Juhnke left out a dog, a horse and a camel, game "
            "by game, and Syed a cat in his last game."
        ),
        text(
            "In 2007 the program lost eight of nine games. It won only when N Siddiqui took the "
            "place of Brendan M in the second game."
        ),
    ]
