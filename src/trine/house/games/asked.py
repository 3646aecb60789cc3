"""Requests for commands in a game, refusals, and the answers to repeated ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from trine.core.text.sentence import text
from trine.house.games.events import Event
from trine.house.refusals import HouseError, NotHereError

CALL: Final = "call"
"""In the data of an event, the person who has asked for it, and the name of the command."""
MOST_ANSWERS: Final = 256
"""The number of commands whose answers are remembered, in case they are repeated."""


class NoGameError(NotHereError):
    """The error of a game that does not exist."""

    def __init__(self) -> None:
        super().__init__(text("there is no such game here"))


class OutdatedError(HouseError):
    """The error of a request that was made before the game went on."""

    def __init__(self) -> None:
        super().__init__(text("the game has gone on meanwhile"))


class NotYoursError(HouseError):
    """The error of a person without a seat for the request."""

    def __init__(self) -> None:
        super().__init__(text("only players can do that, each at the own seat"))


@dataclass(frozen=True)
class Asked:
    """The person behind a command, and the state that they had seen."""

    person: str | None
    """The id of a person."""
    call: str = ""
    """The id of the command, by which a repetition is recognised."""
    seen: int | None = None
    """The number of the last event that the person had seen."""
    at: float | None = None
    """The moment of its arrival."""


@dataclass(frozen=True)
class Moment:
    """The circumstances of a command beside the game: the time, and who is present."""

    at: float
    """As the entries of the game have it. Units: seconds since 1970."""
    claimable: frozenset[int] = frozenset()
    """The seats whose absence can be claimed."""
    lags: Sequence[float] = ()
    """The refund of lag for a turn of each seat. Units: seconds."""


@dataclass
class Answers:
    """The answers to the latest commands of a game, so that none is carried out twice."""

    _answers: OrderedDict[tuple[str | None, str], int] = field(default_factory=OrderedDict)

    @classmethod
    def of(cls, events: Sequence[Event]) -> Self:
        answers = cls()
        for number, event in enumerate(events, 1):
            if call := event.data.get(CALL):
                answers.remember(call[0], call[1], number)
        return answers

    def remember(self, person: str | None, call: str, seq: int) -> None:
        """Remember the number of the event that a command led to."""
        self._answers[person, call] = seq
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)

    def known(self, asked: Asked) -> int | None:
        """Return the answer to a repeated command; None for a new one."""
        return self._answers.get((asked.person, asked.call)) if asked.call else None
