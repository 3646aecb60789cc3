"""The moments of the games of a house: found by their reviews, which are made when asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from trine.core.text.sentence import text
from trine.engine.players.review import ReviewProgress
from trine.engine.puzzles.puzzle import Puzzle
from trine.house.analysis.reviews import Reviews
from trine.house.games.game_page import record_of
from trine.house.games.games import Games
from trine.house.people.person_rows import Person
from trine.house.puzzles.moments import moments_of
from trine.house.refusals import HouseError

COST: Final = 50
"""Units: credits of an address; the cost of a review."""


@dataclass(frozen=True)
class Found:
    """The moments of a game, as far as they are known."""

    puzzles: Sequence[Puzzle]
    ready: bool
    """Whether the game is reviewed."""
    progress: ReviewProgress | None = None


class Moments:
    """The moments of the games of a house."""

    def __init__(self, games: Games, reviews: Reviews) -> None:
        self._games, self._reviews = games, reviews

    async def of(self, game: str, person: Person | None, charge: Callable[[float], None]) -> Found:
        """Return the moments of a person's seat in a game; those of all for somebody else.

        Args: ``charge`` is called with the cost of a review, if one has to be begun.

        Raises:
            HouseError: the game is not over.
        """
        host = await self._games.host(game)
        snapshot = host.snapshot
        if not (snapshot.state and snapshot.over):
            raise HouseError(text("a game can be reviewed when it is over"))
        if "record" not in snapshot.made:
            snapshot.made["record"] = record_of(snapshot, host.game.entries)
        record = snapshot.made["record"]
        if known := self._reviews.known(record):
            own = snapshot.seats_of(person.id if person else None)
            seat = min(own) if len(own) == 1 else None
            key = f"moments {seat}"
            if key not in snapshot.made:
                snapshot.made[key] = moments_of(known, seat)
            return Found(snapshot.made[key], ready=True)
        if not self._reviews.runs(record):
            charge(COST)
        return Found((), ready=False, progress=self._reviews.ask(record, game))
