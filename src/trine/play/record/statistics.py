"""Figures about many games: how they end, who wins, how long they take, how much can be chosen."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median
from typing import Final

from trine.core.contract import Room
from trine.core.contract.outcome import Outcome, Reason
from trine.core.contract.position import Position
from trine.core.contract.record import Record, WrittenTurn
from trine.core.contract.seat import Seat
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
"""How rated games of people had ended until December 2006, by game and rule set.

Source: the French document."""

CountChoices = Callable[[Room, Position], int]
"""A function of a room that counts the legal turns of a position."""


class By(StrEnum):
    """The key by which games are grouped."""

    RULES = "rules"
    PLAYERS = "players"
    YEAR = "year"
    MONTH = "month"
    CLOCK = "clock"
    """The time control."""
    RATING = "rating"
    """The mean rating of the players, in bands of `RATING_BAND`."""


RATING_BAND: Final = 200
"""Units: rating points."""


@dataclass(frozen=True)
class Summary:
    """The figures of a group in which a game is over."""

    over: int
    ends: Sequence[tuple[Reason, int, float]]
    """The reasons, the most frequent first, each with how many games ended so, and with their share
    in per cent of those that are over."""
    first: tuple[float, float]
    """The score of those who moved first and its error of 95 %. Units: per cent."""
    turns: tuple[float, int, int]
    """The median, the least and the most, as for choices."""
    seconds: float | None
    """The median of a turn's time, if it is known."""
    choices: tuple[float, int, int] | None
    """The numbers of legal turns, if they were counted."""


@dataclass
class GroupFigures:
    """The figures of a group of games."""

    unfinished: int = 0
    reasons: Counter[Reason] = field(default_factory=Counter)
    first: list[float] = field(default_factory=list)
    """The scores of those who moved first: 1 a win, 0.5 a draw, 0 a loss."""
    turns: list[int] = field(default_factory=list)
    """The numbers of turns of the games that were played to an end, by all players together."""
    seconds: list[float] = field(default_factory=list)
    """Units: seconds; the times of the turns whose records tell them."""
    choices: list[int] = field(default_factory=list)
    """The numbers of legal turns of the positions in which a turn was played, if counted."""

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
        """Return the figures of these games, of which one at least is over."""
        score, error = mean(self.first)
        return Summary(
            self.over,
            [(one, many, 100 * many / self.over) for one, many in self.reasons.most_common()],
            (100 * score, 100 * error),
            (median(self.turns), min(self.turns), max(self.turns)),
            median(self.seconds) if self.seconds else None,
            (median(self.choices), min(self.choices), max(self.choices)) if self.choices else None,
        )


def mean(values: list[float]) -> tuple[float, float]:
    """Return the mean of some values, and its error, two standard deviations.

    >>> mean([1.0, 0.0, 1.0, 0.0])
    (0.5, 0.5)
    """
    middle = sum(values) / len(values)
    variance = sum((value - middle) ** 2 for value in values) / len(values)
    return middle, 2 * math.sqrt(variance / len(values))


def count(
    records: Iterable[Record],
    by: By,
    refused: Callable[[TrineError], None],
    choices: CountChoices | None = None,
) -> Mapping[tuple[str, str], GroupFigures]:
    """Return the figures of games by game and group, in alphabetical order.

    Args: ``refused`` is called for a record that is not legal, which is not counted; ``choices``
    counts the legal turns before each turn but those that set up a whole side.
    """
    found: defaultdict[tuple[str, str], GroupFigures] = defaultdict(GroupFigures)
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
            if after is not position:  # else somebody resigned
                before.append(position)
            if (taken := seconds_of(turn.comments)) is not None:
                seconds.append(taken)

        try:
            play = replay(record, on_turn=note)
        except TrineError as error:
            refused(error)
            continue
        room = play.room
        many = [choices(room, one) for one in before if choices and not room.sets_up_whole(one)]
        for group in _groups(record, play, by):
            games = found[room.name, group]
            games.add(play.outcome, len(play.turns))
            games.seconds += seconds
            games.choices += many
    return dict(sorted(found.items()))


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
            known = [rating for seat in seats if (rating := rating_of(tags, seat))]
            return [rating_band(sum(known) / len(known) if known else None)]


def rating_of(tags: Mapping[str, str], seat: Seat) -> int | None:
    """Return the rating of a player, under the names that tags have for it."""
    for name in (f"{seat.tag}Rating", f"{seat.tag}Elo", *(f"{at}rating" for at in seat.letters)):
        with suppress(ValueError, OverflowError):
            if name in tags and 0 < (rating := round(float(tags[name]))) < 1 << 15:
                return rating
    return None


def rating_band(rating: float | None) -> str:
    """Return the group of a mean rating, in whose order groups are alphabetical.

    >>> rating_band(1650), rating_band(800), rating_band(None)
    ('1600', '0800', '')
    """
    return "" if rating is None else f"{int(rating / RATING_BAND) * RATING_BAND:04}"


def group_text(by: By, group: str) -> Text:
    """Return the name of a group for people; that of a rule set as it is typed.

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
