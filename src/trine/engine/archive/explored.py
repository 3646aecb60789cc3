"""The answers of the explorer as plain values, which can be sent to another process."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract.position import Action


@dataclass(frozen=True)
class GameRef:
    """A game in which a turn was played."""

    players: tuple[str, ...]
    ratings: tuple[int | None, ...]
    date: str
    result: str
    reason: str
    source: str
    """The file from which the record came, or the page of the game in its house."""


@dataclass(frozen=True)
class ExploredTurn:
    """A turn that was played from a position, seen as the position was asked."""

    actions: tuple[Action, ...]
    """None where the player has left the game."""
    words: str
    """The actions as a record has them."""
    games: int
    wins: int
    """Of its player, as are draws and losses; the other games are not over."""
    draws: int
    losses: int
    rating: float | None
    """The mean rating of its players, of those who have one."""
    top_games: tuple[GameRef, ...]

    @property
    def score(self) -> float | None:
        """The mean result of its player, from 0 to 1; None where no game is over."""
        over = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / over if over else None


@dataclass(frozen=True)
class Explored:
    """The turns that were played from a position, the most frequent first."""

    games: int
    """The number of turns played from it; a game that came to it twice counts twice."""
    different: int
    """The number of different ones, of which ``turns`` has the first."""
    turns: tuple[ExploredTurn, ...]


@dataclass(frozen=True)
class Opening:
    """A first turn of a player, and how the games went that are over."""

    game: str
    rules: str
    seats: int
    """The number of players."""
    seat: int
    words: str
    games: int
    wins: int
    draws: int
