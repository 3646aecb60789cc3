"""Measures how many known judgements of Arimaa a search shares: who leads, which exchanges are
good.

    PYTHONPATH=tests .venv/bin/python -P benchmarks/judgement.py [--seconds 0.5]

The positions and their sources are in ``tests/games/arimaa/test_judgement.py``. An exchange is
judged by the sum of the points with either side to move.
"""

import argparse

from games.arimaa.test_judgement import CLEARLY, EXCHANGES, LED, without
from trine.core.clock import Limits
from trine.core.play import Play
from trine.engine.search.alphabeta import AlphaBeta
from trine.games import open_room
from trine.games.arimaa.board import SIDES
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.position import Position


def points(position: Position, side: int, seconds: float) -> int:
    """Return the points of a side by a search of some seconds."""
    limits, play = Limits(hard=seconds), Play(open_room("arimaa"), position)
    found = AlphaBeta("arimaa").search(play, limits)[0].score.points
    return found if position.mover == side else -found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="thinking about a position")
    seconds = parser.parse_args().seconds
    led = [points(parse_position(words), side, seconds) for words, side in LED.items()]
    won = [
        sum(points(Position.of(of.rules, of.board, mover), side, seconds) for mover in SIDES)
        for of, side in ((without(*lost), side) for lost, side in EXCHANGES.items())
    ]
    print(f"leads: {sum(found > CLEARLY for found in led)} of {len(led)}; {led}")
    print(f"exchanges: {sum(found > 0 for found in won)} of {len(won)}; {won}")


if __name__ == "__main__":
    main()
