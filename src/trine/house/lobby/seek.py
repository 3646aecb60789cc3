"""A seek: a game in the lobby for which players are wanted."""

from __future__ import annotations

from dataclasses import dataclass, field

from trine.core.text.sentence import text
from trine.house.games.agreement import Agreement
from trine.house.games.rated_player import RatedPlayer
from trine.house.lobby.tables import SeekRow
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError


@dataclass
class Seek:
    """A game for which players are wanted."""

    id: str
    agreement: Agreement
    players: list[Person]
    """The players; the one who opened the seek comes first."""
    standings: dict[str, RatedPlayer]
    """The standings of players with accounts, by the ids of people."""
    side: int | None = None
    """The seat that the first player wants."""
    missed: dict[str, float] = field(default_factory=dict)
    """The time since which players are not in the lobby, by their ids."""
    opened_at: float = 0.0
    """Units: seconds since 1970."""
    begins: bool = False
    """Whether the last seat has been taken, and the game is being made."""
    within: int | None = None
    """Units: rating points; how far the ratings of others may be from that of the first player."""

    @property
    def free(self) -> int:
        """The number of players still wanted."""
        return 0 if self.begins else self.agreement.seats - len(self.players)

    @property
    def people(self) -> set[str]:
        """The ids of the players."""
        return {one.id for one in self.players}

    def as_row(self) -> SeekRow:
        """The seek as it is stored."""
        players = [one.id for one in self.players]
        terms = self.agreement.as_data()
        return SeekRow(self.id, terms, players, self.side, self.opened_at, self.within)

    @property
    def range(self) -> tuple[int, int] | None:
        """The lowest and the highest rating for which the seat is open; None for all."""
        first = self.standings.get(self.players[0].id)
        if self.within is None or first is None:
            return None
        return round(first.rating) - self.within, round(first.rating) + self.within

    def has(self, person: Person | None) -> bool:
        """Return whether a person is one of the players."""
        return person is not None and any(one.id == person.id for one in self.players)

    def check_range(self, standing: RatedPlayer | None) -> None:
        """Check that somebody's rating is within the range.

        Raises:
            HouseError: it is not.
        """
        if not (known := self.range):
            return
        low, high = known
        if standing is None or not low <= round(standing.rating) <= high:
            raise HouseError(
                text("this seat is for ratings from {low} to {high}", low=low, high=high)
            )
