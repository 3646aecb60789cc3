"""Measures the referee of TZAAR: medians of several runs, then deep perft counts.

    .venv/bin/python benchmarks/tzaar_referee.py [--deep]

`--deep` adds counts that take too long for a test: some 15 seconds.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable

from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.position import Position
from trine.games.tzaar.starts import start

MIDDLE = "official .Z.T./.t..Y./T..z.y./Y2.t..T.t/..TZ*.y.T/t.Y3..z.y/.T.t..Y/z.t.T./.Y3t.Z white 2"
DEEP_COUNTS: tuple[tuple[str, dict[str, str], int, int], ...] = (
    ("fixed start, official", {}, 4, 11_010_135),
    ("empty board, placement", {"Setup": "placement"}, 3, 5_543_640),
)
"""Start positions, and their perft counts by other programs."""


def median_ms(call: Callable[[], object], runs: int) -> float:
    """Return the median milliseconds of some runs, after a warm-up run."""
    call()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def perft(position: Position, depth: int) -> int:
    """Return the number of action sequences of a length."""
    actions = position.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(perft(position.play_unchecked(action), depth - 1) for action in actions)


def random_play(seed: int) -> list[Position]:
    """Return the positions of a random play."""
    rng = random.Random(seed)
    positions = [start("official", {"Setup": "random", "Seed": str(seed)})]
    while actions := positions[-1].legal_actions():
        positions.append(positions[-1].play_unchecked(rng.choice(actions)))
    return positions


def main() -> None:
    for name, position in (
        ("fixed start", start("official", {})),
        ("empty board", start("official", {"Setup": "placement"})),
        ("middle game", parse_position(MIDDLE)),
    ):
        count = len(position.legal_actions())
        took = median_ms(position.legal_actions, 300)
        print(f"legal actions, {name:<12} {count:>6}   {took:8.3f} ms")
    position = parse_position(MIDDLE)
    action = position.legal_actions()[0]
    print(
        f"why not, {'middle game':<25}   {median_ms(lambda: position.why_not(action), 300):8.3f} ms"
    )
    print(f"outcome, {'middle game':<25}   {median_ms(position.outcome, 300):8.3f} ms")
    lengths = [len(random_play(seed)) for seed in range(20)]
    took = median_ms(lambda: random_play(1), 20)
    print(f"a random play, {statistics.median(lengths):>5.0f} actions     {took:8.1f} ms")
    if "--deep" in sys.argv[1:]:
        for name, options, depth, expected in DEEP_COUNTS:
            began = time.perf_counter()
            count = perft(start("official", options), depth)
            verdict = "as others counted" if count == expected else f"others counted {expected:,}"
            print(f"{name}: {count:,} at depth {depth}, {verdict}", end="")
            print(f"   {time.perf_counter() - began:8.1f} s")


if __name__ == "__main__":
    main()
