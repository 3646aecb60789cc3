"""How long a review takes, and how far one with less time agrees with one with more.

    .venv/bin/python benchmarks/review.py FILE [GAME]

The last line is what the others are compared with. The figures of one machine stand in
docs/measuring.md.
"""

from __future__ import annotations

import sys
import time
from itertools import islice
from statistics import mean

from trine.core.limits import Limits
from trine.core.play import Play
from trine.engine.bot import Bot
from trine.engine.review import Review, review
from trine.record.formats import read_file
from trine.record.replay import replay_as_far_as_legal

SECONDS = (0.25, 0.5, 1.0, 4.0)
"""Units: seconds; for each position."""


def timed(play: Play, seconds: float) -> tuple[Review, float]:
    """A review by a new bot, and how long it took."""
    bot = Bot(play.room.name)
    began = time.perf_counter()
    return review(bot, play, Limits(hard=seconds)), time.perf_counter() - began


def compare(play: Play) -> None:
    """Review a play with every limit, and compare each with the longest."""
    found = [timed(play, seconds) for seconds in SECONDS]
    longest = found[-1][0]
    for seconds, (one, took) in zip(SECONDS, found, strict=True):
        pairs = list(zip(one.turns, longest.turns, strict=True))
        apart = mean(abs(turn.loss - other.loss) for turn, other in pairs)
        differ = sum((turn.grade is None) != (other.grade is None) for turn, other in pairs)
        graded = sum(turn.grade is not None for turn in one.turns)
        accuracies = [one.accuracy(player) for player in range(len(play.position.seats))]
        print(
            f"{seconds:5} s a position: {took:6.1f} s for {len(pairs)} turns, {graded} graded, "
            f"{differ} differently; losses {100 * apart:.1f} of 100 apart; accuracy "
            + ", ".join("-" if one is None else f"{100 * one:.0f} %" for one in accuracies)
        )


def main() -> None:
    """Review a game of a file."""
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    _, records = read_file(sys.argv[1])
    play, wrong = replay_as_far_as_legal(next(islice(records, number - 1, None)))
    if wrong:
        print(wrong)
    compare(play)


if __name__ == "__main__":
    main()
