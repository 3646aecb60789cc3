"""Plans of games: from where they begin."""

from __future__ import annotations

from random import Random

import pytest

from trine.core.errors import IllegalError
from trine.engine.selfplay.selfplay_plan import MOST_RANDOM, SelfPlayPlan
from trine.games import ROOMS, open_room


@pytest.mark.parametrize("game", ROOMS)
def test_beginnings_differ(game: str) -> None:
    room = open_room(game)
    plan = SelfPlayPlan(game, room.default_rules)
    starts = [plan.begin(Random(number)) for number in range(20)]
    assert len({room.rules.format_position(play.position) for play in starts}) > 15
    assert not any(play.position.in_setup for play in starts)
    lengths = {sum(not turn.before.in_setup for turn in play.turns) for play in starts}
    assert min(lengths) == 0 and max(lengths) <= MOST_RANDOM and len(lengths) > 4


def test_games_of_four_are_not_learnt_from() -> None:
    with pytest.raises(IllegalError, match="two players"):
        SelfPlayPlan("corridor", "quoridor", (("Players", "4"),))
