"""Plans of games: from where they begin."""

from random import Random

import pytest

from trine.core.errors import IllegalError
from trine.engine.selfplay.selfplay_plan import MAX_RANDOM_TURNS, SelfPlayPlan
from trine.games import ROOMS, open_room


@pytest.mark.parametrize("game", ROOMS)
def test_beginnings_differ(game: str) -> None:
    room = open_room(game)
    plan = SelfPlayPlan(game, room.default_rules)
    starts = [plan.begin(Random(number)) for number in range(20)]
    assert len({room.rules.format_position(play.position) for play in starts}) > 15
    assert not any(play.position.in_setup for play in starts)
    lengths = {sum(not turn.before.in_setup for turn in play.turns) for play in starts}
    assert min(lengths) == 0 and max(lengths) <= MAX_RANDOM_TURNS and len(lengths) > 4


def test_games_of_four_are_not_learnt_from() -> None:
    with pytest.raises(IllegalError, match="two players"):
        SelfPlayPlan("corridor", "quoridor", (("Players", "4"),))


def test_two_of_three_games_begin_in_given_positions() -> None:
    room = open_room("arimaa")
    given = [SelfPlayPlan("arimaa", "official").begin(Random(number)) for number in range(3)]
    book = tuple(room.rules.format_position(play.position) for play in given)
    plan = SelfPlayPlan("arimaa", "official", beginnings=book)
    plays = [plan.begin(Random(number)) for number in range(60)]
    from_book = [play for play in plays if room.rules.format_position(play.start) in book]
    assert 25 < len(from_book) < 55
    assert {len(play.turns) for play in from_book} <= {0, 1, 2}
    assert all(len(play.turns) >= 2 for play in plays if play not in from_book)
