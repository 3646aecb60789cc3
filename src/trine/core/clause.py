"""One clause of a rule book, as `trine rules` prints it, and positions to try it on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trine.core.errors import IllegalError
from trine.core.outcome import Outcome
from trine.core.play import Play
from trine.core.text import Text, text
from trine.core.wording import describe, names

if TYPE_CHECKING:
    from trine.core.doors import Room


@dataclass(frozen=True)
class Try:
    """Something to try in the position of an example."""

    line: str
    """Actions as a person types them; of a line that is refused, only the last one is illegal."""
    refused: str = ""
    """Why the referee refuses the last action, as it says so in English; empty if it is legal."""
    outcome: Outcome | None = None
    """How the play ends with the last action, if it does."""


@dataclass(frozen=True)
class Example:
    """A position that shows a clause at work, and what to try there."""

    position: str
    """As text; ``{rules}`` in it stands for the name of the rule set."""
    tries: tuple[Try, ...]


@dataclass(frozen=True)
class Clause:
    """A clause: its words, the rule sets that have it, and its source."""

    chapter: Text
    words: Text
    source: Text
    reading: Text | None = None
    """The reason for our reading, where the source is silent or can be read in two ways."""
    only: tuple[str, ...] = ()
    """The rule sets that have it; empty for all."""
    example: Example | None = None
    """None where there is nothing to try, as with the clause that describes the board."""


def clauses_of(rules: str, book: Iterable[Clause], **blanks: str) -> list[Clause]:
    """The clauses of a rule set, in the order of the book, with positions of that rule set.

    Args: ``blanks`` fill what else in the positions depends on the rule set.
    """
    return [
        _filled(clause, {"rules": rules, **blanks})
        for clause in book
        if not clause.only or rules in clause.only
    ]


def _filled(clause: Clause, blanks: dict[str, str]) -> Clause:
    if (example := clause.example) is None:
        return clause
    return replace(clause, example=replace(example, position=example.position.format(**blanks)))


@dataclass(frozen=True)
class Verdict:
    """What the referee says to something that was tried."""

    legal: bool
    after: Play
    """The play after it; as it was, if it is refused."""
    told: Text | None
    """Why it is refused, or how the play ends with it; None if it is legal and the play goes on."""

    def about(self, line: str) -> Text:
        """The verdict on a line as a sentence."""
        if self.told is None:
            return text("{step} is legal", step=line)
        if self.legal:
            return text("{step} is legal: {outcome}", step=line, outcome=self.told)
        return text("{step} is not legal: {reason}", step=line, reason=self.told)


def verdict_on(room: Room, rules: str, position: str, line: str) -> Verdict:
    """Try actions in a position, as somebody does who reads the rules.

    Raises:
        MalformedError: the position or the line cannot be read.

    >>> from trine.games import open_room
    >>> arimaa = open_room("arimaa")
    >>> print(verdict_on(arimaa, "official", "2g r7/8/8/8/8/R7/8/8", "a3s").about("a3s"))
    a3s is not legal: a rabbit does not step backward
    """
    play = Play(room, room.parse_position(position, rules))
    try:
        play.enter(line)
    except IllegalError as error:
        reason = error.message.values.get("reason")
        return Verdict(False, play, reason if isinstance(reason, Text) else error.message)
    ended = describe(names(play.position.seats), play.outcome) if play.outcome else None
    return Verdict(True, play, ended)
