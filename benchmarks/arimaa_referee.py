"""Measures the referee of Arimaa, beside pyrimaa in the same process: medians of several runs.

    .venv/bin/python benchmarks/arimaa_referee.py

Absolute times depend on the machine; the ratio to pyrimaa less so. docs/why/measuring.md has the
figures of one machine.
"""

import statistics
import time
from collections.abc import Callable

from pyrimaa import board as pyrimaa

from trine.games.arimaa.diagrams import format_position, parse_position
from trine.games.arimaa.position import Position, turn_results
from trine.games.arimaa.rules import RULE_SETS
from trine.games.arimaa.view.insight import insight

MIDDLE = "2s 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"
OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"


def median_ms(call: Callable[[], object], runs: int) -> float:
    """Return the median milliseconds of some runs, after a warm-up run."""
    call()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def turns_by_pyrimaa(position: Position) -> int:
    """Return the number of distinct positions that pyrimaa finds after a whole turn."""
    colour = pyrimaa.Color.GOLD if position.mover == 0 else pyrimaa.Color.SILVER
    start = pyrimaa.parse_short_pos(colour, 4, format_position(position)[2:])
    return len(start.get_moves())


def main() -> None:
    for name, rules in RULE_SETS.items():
        position = parse_position(MIDDLE, rules)
        actions = len(position.legal_actions())
        took = median_ms(position.legal_actions, 300)
        print(f"legal actions, middle game, {name:<9} {actions:>6}   {took:8.3f} ms")
    for name, text in (("opening", OPENING), ("middle game", MIDDLE)):
        position = parse_position(text)
        ours = median_ms(lambda position=position: turn_results(position), 7)  # type: ignore[misc]
        theirs = median_ms(lambda position=position: turns_by_pyrimaa(position), 5)  # type: ignore[misc]
        count = len(turn_results(position))
        print(f"all turns, {name:<11} {count:>15}   {ours:8.1f} ms", end="")
        print(f"   pyrimaa {theirs:8.1f} ms   ratio {ours / theirs:.2f}")
    position = parse_position(MIDDLE)
    print(f"insight, middle game {'':>16}   {median_ms(lambda: insight(position), 5):8.1f} ms")


if __name__ == "__main__":
    main()
