"""The levels and the clocks that can be chosen for a game, as people read them."""

from __future__ import annotations

from typing import Final

from trine.core.text.sentence import text

LEVELS: Final = (
    text("plays almost anything, and overlooks most of what you do"),
    text("sees one turn ahead, and misses more than half"),
    text("sees a capture when it is there, and often not"),
    text("knows what it wants, and overlooks your best answers"),
    text("looks ahead, and misses about every third idea"),
    text("plays soundly, and misses something now and then"),
    text("makes few mistakes"),
    text("overlooks next to nothing"),
    text("plays with care, and takes about a second for it"),
    text("plays as well as it can"),
)
"""A description of each level of the computer, from the first."""
CLOCKS: Final = {
    "": text("no clock"),
    "1+5": text("very quick: 1 minute, and 5 seconds a turn"),
    "3+2": text("quick: 3 minutes, and 2 seconds a turn"),
    "5+5": text("lively: 5 minutes, and 5 seconds a turn"),
    "10+10": text("calm: 10 minutes, and 10 seconds a turn"),
    "15+15": text("thoughtful: 15 minutes, and 15 seconds a turn"),
    "30+20": text("slow: 30 minutes, and 20 seconds a turn"),
}
"""The clocks to choose from, by their notation."""
DAYS: Final = (1, 2, 3, 5, 7, 10, 14)
"""The choices of days for a turn by correspondence."""
VACATIONS: Final = (0, 3, 7, 14, 30)
"""The choices of vacation days of each player by correspondence."""
MATCH_CLOCK: Final = {"0:30/5/100/5": text("as in matches: 30 seconds a turn, and a reserve")}
"""The clock of matches, for rooms that can say who is ahead when time is up."""
