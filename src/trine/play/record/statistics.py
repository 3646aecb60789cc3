"""Statistics of many games: reasons of results, scores, lengths, times, numbers of legal turns."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median
from typing import Final

from trine.core.contract.position import Outcome, Position, Reason, Seat
from trine.core.contract.record import Record, WrittenTurn
from trine.core.contract.room import Room
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, text, verbatim
from trine.play.record.replay import replay
from trine.play.record.time_notes import seconds_of

PUBLISHED_ENDINGS: Final[Mapping[tuple[str, str], Mapping[Reason, int]]] = {
    ("arimaa", "classic"): {
        Reason.GOAL: 1653,
        Reason.IMMOBILIZATION: 38,
        Reason.REPETITION: 4,
        Reason.ELIMINATION: 0,  # all sixteen rabbits taken, the only draw
    },
}
"""Results of people's rated games to December 2006, by rule set. Source: the French document."""

CountChoices = Callable[[Room, Position], int]
"""A function that counts the legal turns of a position of a room."""


class By(StrEnum):
    """The key for grouping games."""

    RULES = "rules"
    PLAYERS = "players"
    YEAR = "year"
    MONTH = "month"
    CLOCK = "clock"  # the time control
    RATING = "rating"  # the mean rating of the players, in bands of `RATING_BAND`


RATING_BAND: Final = 200  # rating points


@dataclass(frozen=True)
class Summary:
    """The summary of a group with at least one finished game."""

    over: int
    ends: Sequence[tuple[Reason, int, float]]
    """Each reason, the most frequent first, with the number of games that ended with it, and their
    share of the finished games in per cent."""
    first: tuple[float, float]  # the score of the first players and its 95 % error. Units: per cent
    turns: tuple[float, int, int]  # the turns of a game: median, minimum and maximum
    seconds: float | None  # the median time of a turn; None if no record has times
    choices: tuple[float, int, int] | None
    """The legal turns of a position: median, minimum and maximum; None if not counted."""


@dataclass
class GroupFigures:
    """The figures of a group of games."""

    unfinished: int = 0
    reasons: Counter[Reason] = field(default_factory=Counter)
    first: list[float] = field(default_factory=list)
    """The score of the first player in each finished game: 1 a win, 0.5 a draw, 0 a loss."""
    turns: list[int] = field(default_factory=list)
    """The number of turns of each finished game, of all players together."""
    seconds: list[float] = field(default_factory=list)
    """Units: seconds; the times of the turns, if the records have them."""
    choices: list[int] = field(default_factory=list)
    """The number of legal turns in each position where a turn was played, if counted."""

    @property
    def over(self) -> int:
        return len(self.turns)

    def add(self, outcome: Outcome | None, turns: int, games: int = 1) -> None:
        if outcome is None:
            self.unfinished += games
            return
        self.reasons[outcome.reason] += games
        self.first += [0.5 if outcome.winner is None else float(outcome.winner == 0)] * games
        self.turns += [turns] * games

    def summary(self) -> Summary:
        """Return the summary; at least one game must be over."""
        score, error = mean(self.first)
        return Summary(
            self.over,
            [
                (reason, games, 100 * games / self.over)
                for reason, games in self.reasons.most_common()
            ],
            (100 * score, 100 * error),
            (median(self.turns), min(self.turns), max(self.turns)),
            median(self.seconds) if self.seconds else None,
            (median(self.choices), min(self.choices), max(self.choices)) if self.choices else None,
        )


def mean(values: list[float]) -> tuple[float, float]:
    """Return the mean of some values, and twice its standard error.

    >>> mean([1.0, 0.0, 1.0, 0.0])
    (0.5, 0.5)
    """
    middle = sum(values) / len(values)
    variance = sum((value - middle) ** 2 for value in values) / len(values)
    return middle, 2 * math.sqrt(variance / len(values))


def count(
    records: Iterable[Record],
    by: By,
    on_error: Callable[[TrineError], None],
    choices: CountChoices | None = None,
) -> Mapping[tuple[str, str], GroupFigures]:
    """Return the figures of records by game and group, in alphabetical order.

    For each illegal record, which is not counted, ``on_error`` is called; ``choices`` counts the
    legal turns of a position, except in the setup of a whole side.
    """
    groups: defaultdict[tuple[str, str], GroupFigures] = defaultdict(GroupFigures)
    for record in records:
        seconds: list[float] = []
        before: list[Position] = []

        def note(
            turn: WrittenTurn,
            position: Position,
            after: Position,
            seconds: list[float] = seconds,
            before: list[Position] = before,
        ) -> None:
            if after is not position:  # else a player resigned
                before.append(position)
            if (time_used := seconds_of(turn.comments)) is not None:
                seconds.append(time_used)

        try:
            play = replay(record, on_turn=note)
        except TrineError as error:
            on_error(error)
            continue
        room = play.room
        many = [
            choices(room, position)
            for position in before
            if choices and not room.sets_up_whole(position)
        ]
        for group in _groups(record, play, by):
            games = groups[room.name, group]
            games.add(play.outcome, len(play.turns))
            games.seconds += seconds
            games.choices += many
    return dict(sorted(groups.items()))


def _groups(record: Record, play: Play, by: By) -> Iterable[str]:
    tags, seats = record.tags, play.position.seats
    match by:
        case By.RULES:
            return [play.position.rules.name]
        case By.PLAYERS:
            return {name for seat in seats if (name := tags.get(seat.tag, ""))}
        case By.YEAR | By.MONTH:
            return [tags.get("Date", "")[: len("2026" if by is By.YEAR else "2026-11")]]
        case By.CLOCK:
            return [tags.get("Clock", "")]
        case By.RATING:
            ratings = [rating for seat in seats if (rating := rating_of(tags, seat))]
            return [rating_band(sum(ratings) / len(ratings) if ratings else None)]


def rating_of(tags: Mapping[str, str], seat: Seat) -> int | None:
    """Return the rating of a player from any of the tags in use for it; None without one."""
    for name in (f"{seat.tag}Rating", f"{seat.tag}Elo", *(f"{at}rating" for at in seat.letters)):
        with suppress(ValueError, OverflowError):
            if name in tags and 0 < (rating := round(float(tags[name]))) < 1 << 15:
                return rating
    return None


def rating_band(rating: float | None) -> str:
    """Return the name of a rating band; alphabetical order is the order of ratings.

    >>> rating_band(1650), rating_band(800), rating_band(None)
    ('1600', '0800', '')
    """
    return "" if rating is None else f"{int(rating / RATING_BAND) * RATING_BAND:04}"


def group_text(by: By, group: str) -> Text:
    """Return the name of a group as shown to people; a rule set keeps the name that is typed.

    >>> str(group_text(By.RATING, "0800")), str(group_text(By.CLOCK, ""))
    ('800–999', 'no clock')
    """
    if by is By.RATING and group:
        return verbatim(f"{int(group)}–{int(group) + RATING_BAND - 1}")
    missing = {
        By.YEAR: text("no date"),
        By.MONTH: text("no date"),
        By.CLOCK: text("no clock"),
        By.RATING: text("no rating"),
    }
    return verbatim(group) if group or by not in missing else missing[by]
