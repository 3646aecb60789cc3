"""A turn of a game in a house takes no more function calls than recorded."""

import asyncio
from pathlib import Path

from house.web.turn_cost import cost_of_turns

RECORDED = 4_300
"""Units: function calls. Time would tell what else runs on the machine; benchmarks/turn.py measures
it."""


def test_a_turn_takes_no_more_calls_than_recorded(tmp_path: Path) -> None:
    cost = asyncio.run(cost_of_turns(tmp_path, games=4, turns=6))
    assert RECORDED * 0.6 < cost.calls < RECORDED * 1.15, cost
