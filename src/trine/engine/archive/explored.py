"""The results of the explorer as plain values, which other processes can receive."""

from dataclasses import dataclass

from trine.core.contract.position import Action


@dataclass(frozen=True)
class GameRef:
    """A game with the explored turn."""

    players: tuple[str, ...]
    ratings: tuple[int | None, ...]
    date: str
    result: str
    reason: str
    source: str  # the file of the record, or the page of the game in its house


@dataclass(frozen=True)
class ExploredTurn:
    """A turn from the queried position, or from a symmetric image of it and then mapped back."""

    actions: tuple[Action, ...]
    words: str  # the actions in the notation of records
    games: int
    wins: int  # wins, draws, losses: results for the turn's player; other games are unfinished
    draws: int
    losses: int
    rating: float | None  # the mean rating of the turn's rated players
    top_games: tuple[GameRef, ...]

    @property
    def score(self) -> float | None:
        """The mean score of the turn's player, from 0 to 1; None without finished games."""
        over = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / over if over else None


@dataclass(frozen=True)
class Explored:
    """The turns that were played from a position, the most frequent first."""

    games: int  # number of games with a turn from the position; a game counts once
    different: int  # number of different turns; ``turns`` has the most frequent ones
    turns: tuple[ExploredTurn, ...]


@dataclass(frozen=True)
class Opening:
    """A first turn of a player, with the results of finished games."""

    game: str
    rules: str
    seats: int
    seat: int
    words: str
    games: int
    wins: int
    draws: int
