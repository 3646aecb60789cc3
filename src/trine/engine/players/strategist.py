"""Players that follow the strategy of a source document."""

from __future__ import annotations

from random import Random

from trine.core.contract import Room, Strategist
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.core.text.words import quoted
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, Told


class StrategistPlayer:
    """A strategist of a room as a player; limits mean nothing to it.

    >>> from trine.games import open_room
    >>> StrategistPlayer(open_room("corridor"), "pathfinder").name
    'bot:pathfinder'
    """

    def __init__(self, room: Room, name: str, seed: int = 0) -> None:
        self.name = f"bot:{name}"
        self._strategist = strategist(room, name)
        self._seed = seed
        self._rng = Random(seed)

    def begin(self, play: Play) -> None:
        self._rng = Random(self._seed)

    def choose(
        self, play: Play, limits: Limits, told: Told | None = None, stop: Stop | None = None
    ) -> Decision:
        return Decision(self._strategist(play.position, play.history, self._rng))

    def close(self) -> None:
        """Do nothing: a strategist holds no resources."""


def strategist(room: Room, name: str) -> Strategist:
    """Return the strategist of a name. Raises `MalformedError`: the game has none of that name."""
    if name not in room.book.strategists:
        raise MalformedError(
            text(
                "{game} has no strategist {given}; it has {known}",
                game=room.title,
                given=quoted(name),
                known=", ".join(room.book.strategists),
            )
        )
    return room.book.strategists[name]
