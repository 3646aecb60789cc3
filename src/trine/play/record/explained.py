"""A short Arimaa record, explained line by line to readers of a log."""

from collections.abc import Iterator
from typing import Final

from trine.core.contract.position import Reason
from trine.core.contract.record import format_record
from trine.core.text.sentence import Text, text
from trine.games import new_play
from trine.play.record.replay import record_of

_PLAYED: Final = ("setup 99of9", "end", "setup 99of9", "end", "e2nn end d7s e7s end c2n end")
"""Both sides set up and play; then Gold loses a cat on a trap, and Silver resigns."""
_TAGS: Final = {
    "Game": text("The game."),
    "Rules": text("The rule set."),
    "Gold": text("The players, by name."),
    "Silver": None,
    "Date": text("The day on which they played."),
    "Result": text("Who won, or draw."),
    "Reason": text("Why the play ended: here Silver resigned."),
}
_TURNS: Final = (
    text(
        "Gold's first turn, the setup: the letter of each piece, with its square. Capital letters "
        "are Gold's, small letters Silver's; E or e is an elephant, M a camel, H a horse, D a dog, "
        "C a cat, R a rabbit."
    ),
    text("Silver's first turn, its setup."),
    text(
        "Gold's second turn, step by step: the letter of the piece, its square, and the way it "
        "goes: n is up, s down, e right, w left, as Gold sees the board. In a log there follows, "
        "between braces, the time that the turn took, and when it ended."
    ),
    text("Silver's second turn. The end of a turn is the end of the line."),
    text("The cat goes on a trap with no friend beside it: x says that it is taken."),
)


def explained(rules: str) -> Iterator[tuple[str, Text | None]]:
    """Yield the lines of a record in a rule set, each with its meaning, if it needs one.

    >>> [line for line, _ in explained("diagonal")][-4:]
    ['2s md7s ee7s', '3g Cc2n Cc3x', '[Result "Gold"]', '[Reason "resignation"]']
    """
    play = new_play(f"arimaa/{rules}")
    for typed in _PLAYED:
        play.enter(typed)
    play.leave(Reason.RESIGNATION)
    tags = {"Gold": "Anna", "Silver": "Bela", "Date": "2026-11-26"}
    meanings = iter(_TURNS)
    for line in format_record(record_of(play, tags)).splitlines():
        if line:
            yield line, _TAGS[line[1:].partition(" ")[0]] if line[0] == "[" else next(meanings)
