"""The analysis that workers do in parts: together the parts are what one review would be."""

from itertools import pairwise

import pytest

from playing import records_in
from trine.core.clock import Limits
from trine.engine.players.bot import Bot
from trine.engine.players.review import review
from trine.house.analysis import analysis_worker as analyst
from trine.house.analysis.analysis_worker import HASH_SIZE, GradedTurn, review_part, think
from trine.play.record.replay import replay

GAME = '[Game "corridor"]\n\n1s e2\n1n e8\n2s e1\n2n e7\n3s a1h\n3n e6\n'


@pytest.fixture(autouse=True)
def new_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a worker that has just begun, with searches that no clock ends."""
    monkeypatch.setattr(analyst, "SEARCH_LIMITS", Limits(depth=3))
    for known in (analyst._plays, analyst._reviews, analyst._bots):
        known.clear()


def in_parts(*, forgetful: bool) -> list[GradedTurn]:
    """A review of one turn each, by one worker, or always by another that knows nothing."""
    judged: list[GradedTurn] = []
    while True:
        if forgetful:
            analyst._reviews.clear()
        after = judged[-1].before if judged else None
        part = review_part(GAME, len(judged), after, 0)
        assert len(part.judged) == 1
        judged += part.judged
        assert part.done == len(judged)
        if part.done == part.total:
            return judged[::-1]


def test_a_review_in_parts_is_the_review() -> None:
    (record,) = records_in(GAME)
    play = replay(record)
    whole = review(Bot("corridor", hash_mb=HASH_SIZE), play, Limits(depth=3))
    parts = in_parts(forgetful=False)
    assert [(one.index, one.before.chances, one.after.chances) for one in parts] == [
        (turn.index, turn.before.chances, turn.after.chances) for turn in whole.turns
    ]
    graded = [turn.index for turn in whole.turns if turn.grade]
    assert graded and [one.index for one in parts if one.verdict] == graded
    for one in parts:
        assert bool(one.better) == bool(one.better_turn)


def test_another_worker_goes_on_where_one_has_ended() -> None:
    parts = in_parts(forgetful=True)
    assert [one.index for one in parts] == list(range(6))
    for one, following in pairwise(parts):
        assert one.after.chances == following.before.chances


def test_a_thought_has_lines_that_can_be_played_and_reasons() -> None:
    (record,) = records_in(GAME)
    play = replay(record)
    thought = think(GAME, [], 0.3, 2)
    assert len(thought.found.lines) == 2 and thought.found.depth >= 1
    assert sum(thought.chances) == pytest.approx(1)
    for line in thought.found.lines:
        ahead = play.copy()
        for turn in line.turns:
            assert turn.tag == ahead.turn_tag
            ahead.enter(turn.words)
        assert str(line.score)
    # Less time than was asked for would mean that there is nothing more to find.
    for seconds in (0.1, 0.2, 0.3, 0.4, 0.5):
        assert think(GAME, [], seconds, 2).seconds > 0.9 * seconds
    setup = think('[Game "arimaa"]\n', [], 0.3, 1)
    assert not setup.chances and setup.found.lines[0].turns[0].tag == "1g"


@pytest.mark.parametrize(
    ("rules", "told"),
    [("great-wall", "a draw, solved"), ("quoridor", "North wins in 6 turns, solved")],
)
def test_a_board_that_is_solved_is_not_searched(rules: str, told: str) -> None:
    found = think(f'[Game "corridor"]\n[Rules "{rules}"]\n[Size "3"]\n\n', [], 0.3, 2).found
    assert (str(found.lines[0].score), found.depth, len(found.lines)) == (told, 0, 2)
