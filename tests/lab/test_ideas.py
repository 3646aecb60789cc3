"""Ideas of turns of Arimaa: many turns that differ in idle steps alone count as one."""

from random import Random

import pytest

from mining import ideas
from mining.judges import Turns, agree, has_ideas, shares_idea
from mining.miner import Miner
from trine.core.clock import Limits
from trine.core.play import Play
from trine.engine.puzzles.exercise import Answer, is_solved_by
from trine.engine.puzzles.puzzle import Judgement, Puzzle
from trine.engine.search.alphabeta import AlphaBeta
from trine.games import open_kernel, open_room

pytestmark = pytest.mark.nightly

CAPTURE = "37g 5r2/rd1r1r2/4dc2/H5Eh/m1RR1M1r/1C2De2/R1R2cRR/4R1C1"
"""The cat on f2 can be taken in f3, from where the elephant beside it can be drawn."""
SHARED_BY_REFEREE = ("trap", "rescue", "threat")
"""The themes whose meaning does not depend on which of several pieces is meant."""


def a_play(words: str) -> Play:
    room = open_room("arimaa")
    return Play(room, room.rules.parse_position(words, "official"))


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    found = Miner(open_room("arimaa")).judged(a_play(CAPTURE).position, "")
    assert found
    return found


@pytest.mark.parametrize(
    "words",
    ["2g r7/8/3H4/3e4/8/8/8/R7", "2g r7/2cH4/8/3e4/1R6/8/4r3/4D3", "2s r7/8/1R6/3e4/8/8/4r3/R3D3"],
)
def test_what_turns_achieve_is_what_the_referee_sees(words: str) -> None:
    play, room, kernel = a_play(words), open_room("arimaa"), open_kernel("arimaa")
    turns = room.rules.turn_results(play.position)
    assert set(ideas.ACHIEVEMENTS) <= set(room.handbook.themes)
    row = kernel.row_of(play.position)
    assert len(ideas.every_turn(row)) == len(turns)
    for after, actions in Random(0).sample(sorted(turns.items(), key=str), 12):
        reached = kernel.row_of(after)[None, :]
        turn = actions if actions[-1] == room.rules.end else (*actions, room.rules.end)
        for name in SHARED_BY_REFEREE:
            achieves = bool(ideas.achieved(row, reached, name).any())
            assert achieves == room.handbook.themes[name].used(play.position, turn), (name, turn)


def test_turns_with_other_idle_steps_share_an_idea(puzzle: Puzzle) -> None:
    play = Play(puzzle.room, puzzle.start)
    (idea,) = [one for one in Turns(play).ideas(puzzle.line[0].after) if one.theme == puzzle.idea]
    known = puzzle.room.rules.turn_results(puzzle.start)
    shared = [after for after in known if shares_idea("arimaa", idea, after)]
    assert 1 < len(shared) == len(idea.keys)
    for after in shared[:8]:
        assert puzzle.room.handbook.themes[puzzle.idea].used(puzzle.start, known[after])


def test_a_search_finds_the_best_turn_without_an_idea(puzzle: Puzzle) -> None:
    """With so few nodes that no turn is seen whole, it would still count the idea."""
    play, search = Play(puzzle.room, puzzle.start), AlphaBeta("arimaa", hash_mb=4)
    (idea,) = [one for one in Turns(play).ideas(puzzle.line[0].after) if one.theme == puzzle.idea]
    best = search.search(play, Limits(nodes=100_000))[0]
    search.clear()
    search.excluded = tuple(idea.keys)
    other = search.search(play, Limits(nodes=100_000))[0]
    assert best.score.points > other.score.points


def test_an_idea_that_all_others_miss_by_far_is_a_puzzle(puzzle: Puzzle) -> None:
    assert puzzle.idea == "trap"
    assert puzzle.themes[1:] == ("trap",)
    best, other = puzzle.chances
    assert best - other >= 0.2
    middle = (best + other) / 2
    assert is_solved_by(puzzle, Answer(middle + 0.01, "")), "idle steps may cost a little"
    assert not is_solved_by(puzzle, Answer(middle - 0.01, ""))


def test_a_second_judge_must_find_the_same_idea(puzzle: Puzzle) -> None:
    play = Play(puzzle.room, puzzle.start)
    judged = Miner(puzzle.room)._first.judge(play)
    assert judged and judged.idea
    assert agree(judged, judged)
    assert not agree(judged, Judgement(judged.before, judged.solutions, judged.other))


def test_games_of_short_turns_have_turns_and_no_ideas() -> None:
    assert has_ideas("arimaa")
    assert not has_ideas("corridor")
    assert not has_ideas("tzaar")
