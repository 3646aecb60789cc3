"""Measures the referee of Corridor: medians of many runs, and perft.

    .venv/bin/python benchmarks/corridor_referee.py [DEPTH]

Perft of Quoridor goes to depth 3 by default; 4 takes minutes. Absolute times depend on the machine.
"""

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from trine.games.corridor.diagrams import format_position, parse_position
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS

SHORT_WALLS = (
    "a6h,a7v,b3h,b6v,c2v,c4h,c5h,d4v,d7h,e2h,e5v,e6h,f3h,f4v,g2v,g5h,g7v,h6h"  # 18, middle game
)
MIDDLES = (
    "quoridor 9 2 e4,d6 a3h,a6v,b5h,c1v,c7h,d3v,d8v,e5h,e7h,f2h,f4v,g3h,g6v,g8h,h1v,h5h 2,2 1",
    "quoridor 9 4 e4,c5,d7,g6 a3h,a6v,b5h,c1v,c7h,d3v,d8v,e5h,e7h,f2h,f4v,g3h,g6v,g8h,h1v,h5h "
    "1,1,1,1 1",
    f"corridor 9 2 e4,d6 {SHORT_WALLS} 1,1 1",
    "corridor-8 9 2 e4,d6 a6h,b3h,b6v,c2v,c4h,d4v,d7h,e2h,e5v,e6h,f3h,g2v,g5h,g7v,h6h 1,0 1",
    f"great-wall 9 2 e4,d6 {SHORT_WALLS} *,* 1",
    f"great-wall 9 4 e4,c5,d6,g6 {SHORT_WALLS} *,*,*,* 1",
)
PUBLISHED = (131, 16_677, 2_062_264, 247_569_030)
"""Perft counts of the start of Quoridor; several programs agree."""


def median_ms(make: Callable[[], Position], ask: Callable[[Position], object], runs: int) -> float:
    """Return the median milliseconds over positions without cached results."""
    times = []
    for _ in range(runs + 1):
        position = make()
        began = time.perf_counter()
        ask(position)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:]) * 1000


def perft(position: Position, depth: int) -> int:
    """Return the number of action sequences; finished plays have no continuation."""
    actions = position.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(perft(position.play_unchecked(action), depth - 1) for action in actions)


def main() -> None:
    for text in MIDDLES:
        name = " ".join(text.split()[:3])

        def make(text: str = text) -> Position:
            return replace(parse_position(text))  # a copy: parsing has cached paths already

        actions = len(make().legal_actions())
        took = median_ms(make, Position.legal_actions, 300)
        far = median_ms(make, Position.distances, 300)
        print(
            f"{name:<14} {len(make().walls)} walls   legal actions {actions:>4} {took:8.3f} ms"
            f"   distances {far:.3f} ms"
        )
    start = Position.first(RULE_SETS["quoridor"])
    print(format_position(start))
    deepest = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for depth, published in zip(range(1, deepest + 1), PUBLISHED, strict=False):
        began = time.perf_counter()
        count = perft(start, depth)
        took = time.perf_counter() - began
        verdict = "as published" if count == published else f"NOT {published}"
        print(f"perft {depth} {count:>12}   {took:8.2f} s   {verdict}")


if __name__ == "__main__":
    main()
