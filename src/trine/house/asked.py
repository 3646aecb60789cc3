"""Commands to a game as they are asked for, and their answers."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

MOST_ANSWERS: Final = 256
"""Commands whose answers are known when they come again."""


@dataclass(frozen=True)
class Asked:
    """The person behind a command, and what was known when it was sent."""

    person: str | None
    """The id of a person."""
    call: str = ""
    """A name of the command, by which it is known when it comes again."""
    seen: int | None = None
    """The number of the last event that had been seen."""
    at: float | None = None
    """The moment when it came in."""


@dataclass
class Answers:
    """The answers to the latest commands of one game, so that none is carried out twice."""

    _answers: OrderedDict[tuple[str | None, str], int] = field(default_factory=OrderedDict)

    def remember(self, person: str | None, call: str, seq: int) -> None:
        """Keep the number of the event that a command has led to."""
        self._answers[person, call] = seq
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)

    def known(self, asked: Asked) -> int | None:
        """The answer to a command that has come before; None where it is new."""
        return self._answers.get((asked.person, asked.call)) if asked.call else None
