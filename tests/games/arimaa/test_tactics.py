"""What a search asks of the room: tactical actions, the order of actions, skipped turns."""

import numpy as np

from games.arimaa.enumeration import row_of
from games.arimaa.mind import HEURISTICS, OPENING, PLAYS, generated, rows_of_plays
from mining.kernel import captures_in_turn
from trine.core.contract.score import FORBIDDEN, LOSES, ONGOING, UNRESTRICTED
from trine.games.arimaa.board import SQUARE_OF
from trine.games.arimaa.compiled import END_NUMBER, KERNEL, action_of, to_position
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel.layout import DUE, STATE, STEPS_AT
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import RULE_SETS
from trine.games.arimaa.starts import start_position


def test_tactical_actions_are_legal_and_begin_captures() -> None:
    found = 0
    for row in rows_of_plays(6, 4 * PLAYS):
        if kernel.result(row) != ONGOING:
            continue
        out = np.full(MAX_ACTIONS, -7, np.int32)
        state = int(row[STATE])
        forced = bool(state & int(DUE)) or state >> int(STEPS_AT) & 31 == 4
        assert HEURISTICS.must_act is not None
        assert HEURISTICS.must_act(row) == forced
        if forced:
            continue
        total = HEURISTICS.tactical(row, out)
        actions = [int(action) for action in out[:total]]
        assert set(actions) <= set(generated(row))
        assert len(set(actions)) == len(actions)
        if actions:
            assert captures_in_turn(row)
            found += 1
    assert found > PLAYS


def test_a_capture_at_hand_is_tactical() -> None:
    row = row_of(parse_position("2g 7r/8/8/4c3/2rE4/8/8/R7"))
    out = np.zeros(MAX_ACTIONS, np.int32)
    total = HEURISTICS.tactical(row, out)
    assert "rc4s" in {str(action_of(to_position(row), int(action))) for action in out[:total]}


def test_nothing_is_tactical_in_the_opening_or_in_a_setup() -> None:
    out = np.zeros(MAX_ACTIONS, np.int32)
    assert HEURISTICS.tactical(row_of(parse_position(OPENING)), out) == 0
    assert HEURISTICS.tactical(row_of(start_position(RULE_SETS["official"])), out) == 0


def preferred(words: str) -> list[str]:
    row = row_of(parse_position(words))
    out, scores = np.zeros((2, MAX_ACTIONS), np.int32)
    total = kernel.generate(row, out)
    HEURISTICS.score_moves(row, out, total, scores)
    order = np.argsort(-scores[:total], kind="stable")
    return [str(action_of(to_position(row), int(out[place]))) for place in order]


def test_goals_and_captures_look_best_and_losses_worst() -> None:
    assert preferred("2g 8/R7/8/8/4e3/8/7r/4E3")[0] == "Ra7n"
    assert preferred("2g 7r/8/8/4c3/2rE4/8/8/R7")[0] == "rc4s"
    assert preferred("2g 7r/8/8/8/2D5/8/8/R7")[-1] == "Dc4s"


def test_a_skipped_turn_leaves_the_board_and_changes_the_mover() -> None:
    refused = 0
    for row in rows_of_plays(8, PLAYS):
        rows = np.zeros((2, layout.WORDS), np.uint64)
        rows[0] = row
        before = to_position(row)
        if HEURISTICS.null_move(rows, 0):
            after = to_position(rows[1])
            assert after == Position.of(before.rules, before.board, 1 - before.mover)
            assert kernel.key(rows[1]) == kernel.fresh_key(rows[1])
        else:
            assert before.push and before.push.due
            refused += 1
        assert (rows[0] == row).all()
    assert refused


def test_no_setup_is_skipped() -> None:
    rows = np.zeros((2, layout.WORDS), np.uint64)
    rows[0] = row_of(start_position(RULE_SETS["official"]))
    assert not HEURISTICS.null_move(rows, 0)


def test_the_third_time_matters_as_the_rules_say() -> None:
    names = ("official", "classic", "ejection", "diagonal")
    found = [KERNEL.repetition.rule(start_position(RULE_SETS[name])) for name in names]
    assert found == [FORBIDDEN, LOSES, FORBIDDEN, UNRESTRICTED]
    assert set(names) == set(RULE_SETS)


def test_the_end_of_a_turn_is_preferred_to_losing_a_piece_only() -> None:
    position = parse_position("2g 7r/8/8/8/2D5/8/8/R7")
    step = next(step for step in position.possible_steps() if str(step) == "Ra1n")
    row = row_of(position.play_unchecked(step))
    out, scores = np.zeros((2, MAX_ACTIONS), np.int32)
    total = kernel.generate(row, out)
    HEURISTICS.score_moves(row, out, total, scores)
    by_number = dict(zip(out[:total].tolist(), scores[:total].tolist(), strict=True))
    into_trap = 4 * SQUARE_OF["c4"] + 2
    assert by_number[into_trap] < by_number[END_NUMBER] < max(by_number.values())
