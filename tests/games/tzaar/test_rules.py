"""The laws of the board, one by one."""

from trine.games.tzaar.board import BLACK, POINT_OF, WHITE
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.notation import parse_action
from trine.games.tzaar.rules import (
    RULE_SETS,
    Capture,
    Heights,
    Stacking,
    after_moving,
    can_capture,
    captures_from,
    captures_of,
    missing_kind,
    reached,
    shown,
    stackings_of,
)

BOARD = ".Y2.t./....../......./......../Z3.t2.*..../....y4.../.z...../....../T...."
"""White: Tzaar of height 3 on e1, Tzarra of 2 on a2, Tott on i1. Black: Totts of 2 on e3 and of 1 on
a4, Tzarra of 4 on f5, Tzaar on g2."""


def board(columns: str) -> tuple[str, Heights]:
    position = parse_position(f"open {columns} white 2")
    return position.tops, position.heights


def words(actions: object) -> list[str]:
    assert isinstance(actions, list)
    return sorted(map(str, actions))


def test_there_are_two_rule_sets_without_draws() -> None:
    assert list(RULE_SETS) == ["official", "open"]
    assert [rules.first_turn_single for rules in RULE_SETS.values()] == [True, False]
    assert not any(rules.draws for rules in RULE_SETS.values())


def test_a_stack_goes_over_empty_points_to_the_first_stack_of_a_line() -> None:
    tops, _ = board(BOARD)
    assert sorted(reached(tops, POINT_OF["e1"])) == [POINT_OF["e3"], POINT_OF["i1"]]
    assert sorted(reached(tops, POINT_OF["f5"])) == []


def test_a_stack_takes_what_is_not_higher() -> None:
    tops, heights = board(BOARD)
    assert words(captures_from(tops, heights, POINT_OF["e1"])) == ["e1xe3"]
    assert words(captures_from(tops, heights, POINT_OF["a2"])) == ["a2xa4"]
    assert words(captures_of(tops, heights, WHITE)) == ["a2xa4", "e1xe3"]
    assert words(captures_of(tops, heights, BLACK)) == []
    assert can_capture(tops, heights, WHITE)
    assert not can_capture(tops, heights, BLACK)


def test_a_captured_stack_leaves_whole_and_the_captor_keeps_its_height() -> None:
    tops, heights = after_moving(*board(BOARD), parse_capture("e1xe3"))
    assert (tops[POINT_OF["e1"]], heights[POINT_OF["e1"]]) == (".", 0)
    assert (tops[POINT_OF["e3"]], heights[POINT_OF["e3"]]) == ("Z", 3)


def parse_capture(word: str) -> Capture | Stacking:
    action = parse_action(word)
    assert isinstance(action, Capture | Stacking)
    return action


def test_stacking_adds_heights_and_the_moved_piece_comes_on_top() -> None:
    tops, heights = board("T3Y2.../....../......./......../....*..../......../.ty..../....../Z...z")
    assert words(stackings_of(tops, WHITE)) == ["a1+a2", "a2+a1"]
    after, higher = after_moving(tops, heights, parse_capture("a1+a2"))
    assert (after[POINT_OF["a2"]], higher[POINT_OF["a2"]]) == ("T", 5)
    assert sum(higher) == sum(heights)


def test_only_tops_count() -> None:
    tops, _ = board("T3Y2.../....../......./......../....*..../......../.ty..../....../Z...z")
    assert shown(tops, WHITE) == (1, 1, 1)
    assert missing_kind(tops, WHITE) == missing_kind(tops, BLACK) == ""
    assert missing_kind(tops.replace("y", "t"), BLACK) == "Y"
    assert missing_kind(tops.replace("T", "Z"), WHITE) == "T"
