"""The referee's verdict on something tried, as by a person who reads the rules."""

from __future__ import annotations

from dataclasses import dataclass

from trine.core.contract import Room
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.text.wording import describe, names


@dataclass(frozen=True)
class Verdict:
    """The referee's verdict on something that was tried."""

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
    """Try actions in a position, as a reader of the rules does.

    Raises:
        MalformedError: the position or the line cannot be read.

    >>> from trine.games import open_room
    >>> arimaa = open_room("arimaa")
    >>> print(verdict_on(arimaa, "official", "2g r7/8/8/8/8/R7/8/8", "a3s").about("a3s"))
    a3s is not legal: a rabbit does not step backward
    """
    play = Play(room, room.rules.parse_position(position, rules))
    try:
        play.enter(line)
    except IllegalError as error:
        reason = error.message.values.get("reason")
        return Verdict(False, play, reason if isinstance(reason, Text) else error.message)
    ended = describe(names(play.position.seats), play.outcome) if play.outcome else None
    return Verdict(True, play, ended)
