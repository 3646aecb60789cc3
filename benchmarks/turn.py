"""Measures the cost of a turn of a game of two in a house, without a network.

    PYTHONPATH=tests .venv/bin/python -P benchmarks/turn.py [--games 4] [--turns 24]

The house, its store and the pages of the players are in this process. The cost is also printed in
fixed loops of Python, timed alternately, so that machines can be compared.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from house.web.turn_cost import cost_of_turns


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=4, help="of each room")
    parser.add_argument("--turns", type=int, default=24, help="of each game")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent.parent, prefix="house-") as folder:
        cost = asyncio.run(cost_of_turns(Path(folder), given.games, given.turns))
    print(
        f"{cost.turns} turns: {cost.seconds * 1e6:.0f} µs of a processor a turn, as long as "
        f"{cost.loops:.1f} fixed loops, {cost.calls:.0f} function calls"
    )


if __name__ == "__main__":
    main()
