"""The room's knowledge about playing well: its terms are what they say, its choices are legal.

``TRINE_PLAYS`` sets how many random positions are compared.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from games.arimaa.enumeration import crowded, row_of, rows_within
from kernels import OTHERWISE, assert_passes_again
from trine.core.contract.score import FORBIDDEN, LOSES, NO_MATTER
from trine.games import open_heuristics
from trine.games.arimaa.board import BESIDE, EMPTY, SIDE, SIDES, SQUARE_OF, STRENGTH, TRAPS
from trine.games.arimaa.compiled import KERNEL
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.encoding import END_NUMBER, action_of, to_position
from trine.games.arimaa.kernel import features as kernel_features
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel.captures import captures_in_turn
from trine.games.arimaa.kernel.row import DUE, STATE, STEPS_AT
from trine.games.arimaa.knowledge.strategy import run
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import RULE_SETS, is_frozen, is_supported
from trine.games.arimaa.starts import start_position

PLAYS = int(os.environ.get("TRINE_PLAYS", "50"))
HEURISTICS = open_heuristics("arimaa")
NAMES = [term.name for term in HEURISTICS.terms]
OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"

Array = np.ndarray[Any, Any]


def counted(row: Array, player: int) -> dict[str, float]:
    """The terms of a position by their names."""
    features = np.full(len(HEURISTICS.terms), np.nan, np.float32)
    HEURISTICS.evaluate(row, player, HEURISTICS.weights, features)
    return dict(zip(NAMES, map(float, features), strict=True))


def score(row: Array, player: int) -> int:
    return int(
        HEURISTICS.evaluate(row, player, HEURISTICS.weights, np.zeros(len(NAMES), np.float32))
    )


def rows_of_plays(seed: int, plays: int) -> list[Array]:
    """Rows at the beginning of turns and within them, by all rule sets."""
    chance = random.Random(seed)
    positions = [crowded(chance, near_goal=0.2) for _ in range(plays)]
    return [row for position in positions for row in rows_within(position, chance)]


def generated(row: Array) -> list[int]:
    out = np.zeros(kernel.MOST_ACTIONS, np.int32)
    return [int(action) for action in out[: kernel.generate(row, out)]]


def swapped(position: Position) -> Position:
    """The same with the sides changed: upside down, and in the other colours."""
    board = "".join(position.board[square ^ 56] for square in range(64)).swapcase()
    return Position.of(position.rules, board, 1 - position.mover)


def mirrored(position: Position) -> Position:
    """The same seen in a mirror that stands along the d- and e-files."""
    board = "".join(position.board[square ^ 7] for square in range(64))
    return Position.of(position.rules, board, position.mover)


# --- the inputs of nets --------------------------------------------------------------------------


def seen_by_nets(row: Array) -> set[int]:
    seen = HEURISTICS.net
    assert seen is not None
    words = np.zeros((len(seen.mirrored) + 63) // 64, np.uint64)
    seen.write(row, words)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return {int(place) for place in np.flatnonzero(bits)}


def expected_inputs(position: Position) -> set[int]:
    """What a net is to see, as plainly as can be: 64 squares for each side and standing, 48 inputs
    for each trap."""
    board, found = position.board, set[int]()
    for square, piece in enumerate(board):
        if piece != EMPTY:
            side = SIDE[piece]
            stronger = sum(
                SIDE[other] == 1 - side and STRENGTH[other] > STRENGTH[piece] for other in board
            )
            standing = 5 if piece in "Rr" else (0, 1, 2, 2, 3, 3, 4, 4, 4)[stronger]
            found.add((side * 6 + standing) * 64 + square)
    for number, trap in enumerate(TRAPS):
        rings = [
            [STRENGTH[board[near]] for near in BESIDE[trap] if SIDE[board[near]] == side]
            for side in SIDES
        ]
        gold, silver = (max(ring, default=0) for ring in rings)
        strongest = 1 if gold > silver else 2 if silver > gold else 0
        holders = 4 * min(len(rings[0]), 3) + min(len(rings[1]), 3)
        found.add(768 + number * 48 + holders * 3 + strongest)
    return found


def test_a_net_sees_standings_squares_and_traps() -> None:
    for row in rows_of_plays(5, PLAYS):
        assert seen_by_nets(row) == expected_inputs(to_position(row))


def test_a_net_sees_colours_and_wings_alike() -> None:
    chance, seen = random.Random(6), HEURISTICS.net
    assert seen is not None and seen.symmetries is not None and seen.bucket is not None
    for _ in range(PLAYS):
        position = crowded(chance)
        row, here = row_of(position), seen_by_nets(row_of(position))
        assert seen_by_nets(row_of(swapped(position))) == {int(seen.mirrored[at]) for at in here}
        assert seen_by_nets(row_of(mirrored(position))) == {
            int(seen.symmetries[1][at]) for at in here
        }
        pieces = 64 - position.board.count(EMPTY)
        assert seen.bucket(row) == (pieces - 1) // 8


def test_a_net_sees_nothing_in_the_setup() -> None:
    assert seen_by_nets(row_of(start_position(RULE_SETS["official"]))) == set()


# --- the evaluation ------------------------------------------------------------------------------


def test_what_is_good_for_one_player_is_as_bad_for_the_other() -> None:
    for row in rows_of_plays(1, 2 * PLAYS):
        assert score(row, 0) == -score(row, 1)
        gold, silver = counted(row, 0), counted(row, 1)
        assert gold == {name: -value for name, value in silver.items()}


def test_a_score_does_not_depend_on_colour_or_wing() -> None:
    chance = random.Random(2)
    for _ in range(4 * PLAYS):
        position = crowded(chance)
        here = row_of(position)
        for player in SIDES:
            assert score(here, player) == score(row_of(swapped(position)), 1 - player)
            assert score(here, player) == score(row_of(mirrored(position)), player)


def test_the_opening_is_even_but_for_the_steps() -> None:
    row = row_of(parse_position(OPENING))
    features = counted(row, 0)
    assert {name for name, value in features.items() if value} == {"steps_left"}
    assert features["steps_left"] == 4
    assert score(row, 0) == round(4 * HEURISTICS.weights[NAMES.index("steps_left")])


def test_a_score_is_the_sum_of_its_terms() -> None:
    for row in rows_of_plays(3, PLAYS):
        features = counted(row, 0)
        summed = sum(features[term.name] * term.weight for term in HEURISTICS.terms)
        assert abs(score(row, 0) - max(-20_000, min(20_000, summed))) < 1


def test_scores_stay_within_their_bounds() -> None:
    row = row_of(parse_position("2g 7r/8/8/8/8/8/8/EMHHDDCC"))
    features = np.zeros(len(NAMES), np.float32)
    weights = HEURISTICS.weights.copy()
    weights[NAMES.index("material")] *= 1000
    assert HEURISTICS.evaluate(row, 0, weights, features) == 20_000
    assert HEURISTICS.evaluate(row, 1, weights, features) == -20_000


def test_behind_the_terms_every_piece_has_a_worth_on_every_square() -> None:
    assert len(HEURISTICS.weights) == kernel_features.ALL_WEIGHTS == len(NAMES) + 6 * 64


def own_squares(position: Position, side: int) -> list[int]:
    return [square for square, piece in enumerate(position.board) if SIDE[piece] == side]


def is_rabbit(position: Position, square: int) -> bool:
    return position.board[square] in "Rr"


def harlog(position: Position, side: int) -> float:
    """The formula as it was published, the first rabbit of a full army counting one."""
    q, g = 1.447530126, 0.6314442034
    own = [position.board[square] for square in own_squares(position, side)]
    enemies = [position.board[square] for square in own_squares(position, 1 - side)]
    total = 0.0
    for piece in own:
        if piece not in "Rr":
            above = sum(STRENGTH[enemy] > STRENGTH[piece] for enemy in enemies)
            total += 1 / (q + above) if above else 2 / q
    rabbits = sum(piece in "Rr" for piece in own)
    return (total + g * math.log(rabbits * len(own))) / 0.12507009891301202 if rabbits else math.nan


def rank_of(side: int, square: int) -> int:
    return square // 8 if side == 0 else 7 - square // 8


def touched(position: Position, side: int) -> list[int]:
    board = position.board
    return [
        square
        for square in own_squares(position, side)
        if any(
            SIDE[board[near]] == 1 - side and STRENGTH[board[near]] > STRENGTH[board[square]]
            for near in position.rules.reach[square]
        )
    ]


def guards(position: Position, side: int, trap: int) -> int:
    return sum(SIDE[position.board[near]] == side for near in BESIDE[trap])


def home_traps(side: int) -> list[int]:
    return [trap for trap in TRAPS if rank_of(side, trap) == 2]


def mobile(position: Position, square: int) -> bool:
    board = position.board
    return not is_frozen(position.rules, board, square) and any(
        board[near] == EMPTY for near in BESIDE[square]
    )


OBVIOUS: dict[str, Callable[[Position, int], float]] = {
    "steps_left": lambda p, s: p.steps_left if p.mover == s else 0,
    "horse_rank": lambda p, s: sum(
        rank_of(s, square) for square in own_squares(p, s) if p.board[square] in "Hh"
    ),
    "between_traps": lambda p, s: sum(
        STRENGTH[p.board[square]]
        for square in own_squares(p, s)
        if SQUARE_OF["c3"] <= square <= SQUARE_OF["f6"]
        and 2 <= square % 8 <= 5
        and square not in TRAPS
    ),
    "elephant_room": lambda p, s: sum(
        p.board[near] == EMPTY
        for square in own_squares(p, s)
        if p.board[square] in "Ee"
        for near in BESIDE[square]
    ),
    "home_trap_two": lambda p, s: sum(guards(p, s, trap) == 2 for trap in home_traps(s)),
    "away_trap_more": lambda p, s: sum(guards(p, s, trap) > 2 for trap in home_traps(1 - s)),
    "frozen_horses": lambda p, s: sum(
        p.board[square] in "Hh" and is_frozen(p.rules, p.board, square)
        for square in own_squares(p, s)
    ),
    "frozen_horses_away": lambda p, s: sum(
        p.board[square] in "Hh" and rank_of(s, square) > 3 and is_frozen(p.rules, p.board, square)
        for square in own_squares(p, s)
    ),
    "frozen_rabbits": lambda p, s: sum(
        is_rabbit(p, square) and is_frozen(p.rules, p.board, square) for square in own_squares(p, s)
    ),
    "touched_officers": lambda p, s: sum(not is_rabbit(p, square) for square in touched(p, s)),
    "lonely": lambda p, s: sum(
        rank_of(s, square) > 1 and p.board[square] not in "Ee" and not is_supported(p.board, square)
        for square in own_squares(p, s)
    ),
    "mobile": lambda p, s: sum(mobile(p, square) for square in own_squares(p, s)),
    "room": lambda p, s: len(
        {
            near
            for square in own_squares(p, s)
            if not is_frozen(p.rules, p.board, square)
            for near in BESIDE[square]
            if p.board[near] == EMPTY
        }
    ),
    "friends": lambda p, s: sum(is_supported(p.board, square) for square in own_squares(p, s)),
    "home_open": lambda p, s: sum(
        p.board[square] == EMPTY for square in range(64) if rank_of(s, square) == 0
    ),
    "home_trap_officers": lambda p, s: sum(
        any(p.board[near] in ("EMHDC", "emhdc")[s] for near in BESIDE[trap])
        for trap in home_traps(s)
    ),
    "rabbits_stopped": lambda p, s: sum(
        is_rabbit(p, square)
        and 3 <= rank_of(s, square) <= 6
        and SIDE[p.board[square + 8 - 16 * s]] == 1 - s
        for square in own_squares(p, s)
    ),
    "rabbits_rank_5": lambda p, s: sum(
        is_rabbit(p, square) and rank_of(s, square) == 4 for square in own_squares(p, s)
    ),
    "goal_in_four": lambda p, s: run(p.rules, p.board, s, 4) is not None,
}
"""The values of some terms, spelt out: for a position and a side."""


@pytest.mark.parametrize("name", OBVIOUS)
def test_a_term_counts_what_it_says(name: str) -> None:
    seen = set()
    for row in rows_of_plays(4, PLAYS):
        position = to_position(row)
        expected = OBVIOUS[name](position, 0) - OBVIOUS[name](position, 1)
        assert counted(row, 0)[name] == expected, position
        seen.add(expected)
    assert len(seen) > 2, "the term is the same everywhere"


def test_an_elephant_that_cannot_move_is_blockaded() -> None:
    shut_in = "26g 1r2rrr1/2rcdEmr/4d1h1/r1h3r1/4e1D1/RH2H1MR/R1C1CR2/R1R2R1R"
    assert counted(row_of(parse_position(shut_in)), 0)["elephant_blocked"] == 1
    way_out = shut_in.replace("2rcdEmr", "2rcdE1r")
    assert counted(row_of(parse_position(way_out)), 0)["elephant_blocked"] < 0.8
    assert counted(row_of(parse_position(OPENING)), 0)["elephant_blocked"] == 0


def gold_terms(words: str) -> dict[str, float]:
    return counted(row_of(parse_position(f"10g {words}")), 0)


@pytest.mark.parametrize(
    ("near", "steps"),
    [
        ("8/2De4", "four"),  # beside the trap, alone: two steps
        ("8/8/2De4", "four"),  # two steps away: four
        ("8/8/2D1e3", "six"),  # and an enemy who has to come: five
        ("8/8/3D2e1", "eight"),  # three steps away, and two for the enemy: eight
        ("8/8/8/3De3", ""),  # nearer to its own trap
    ],
)
def test_a_piece_is_in_danger_by_the_steps_that_it_takes(near: str, steps: str) -> None:
    ranks = ["r6r", "2m5", *near.split("/")]
    words = "/".join([*ranks, *["8"] * (7 - len(ranks)), "R3E2R"])
    terms = gold_terms(words)
    for most in ("four", "six", "eight"):
        assert bool(terms[f"danger_in_{most}"]) == (most == steps)


@pytest.mark.parametrize(
    ("rabbit", "six", "twelve"),
    [
        ("8/8/8/8/8/8/R7/8", 1, 1),
        ("8/8/8/8/8/8/8/R7", 0, 1),
        ("8/8/8/2hdh3/2mRd3/8/8/8", 0, 0),
    ],
)
def test_a_run_counts_by_its_steps(rabbit: str, six: int, twelve: int) -> None:
    """Six steps from the second rank, seven from the first; one rabbit is shut in."""
    terms = gold_terms(rabbit)
    assert (terms["goal_in_six"], terms["goal_in_twelve"]) == (six, twelve)


def test_threats_to_rabbits_and_at_home_count_besides() -> None:
    """A rabbit, or a cat, alone beside a trap with an elephant at its side."""
    for piece, where, at_home in [
        ("R", "8/8/8/8/8/8/2{}e4/8", True),
        ("R", "8/2{}e4/8/8/8/8/8/8", False),
        ("C", "8/8/8/8/8/8/2{}e4/8", True),
    ]:
        terms = gold_terms(where.format(piece))
        assert terms["lost_rabbits"] == (piece == "R")
        assert bool(terms["lost_at_home"]) == at_home


def test_a_piece_is_in_danger_as_far_as_the_enemy_rules_the_trap() -> None:
    alone = "r6r/{camel}/8/2De4/8/8/8/{gold}"
    ruled = gold_terms(alone.format(camel="2m5", gold="R3E2R"))["danger_in_four"]
    shared = gold_terms(alone.format(camel="8", gold="R1m1E2R"))["danger_in_four"]
    ours = gold_terms(alone.format(camel="2E5", gold="R1m4R"))["danger_in_four"]
    assert ruled > 2 * shared > 4 * ours


def test_rabbits_are_worth_more_where_their_side_rules_the_trap_and_the_way_is_open() -> None:
    near = gold_terms("r4r1r/8/8/1R1E4/8/8/8/4e3")
    far = gold_terms("r4r1r/8/8/1R6/8/8/8/3Ee3")
    assert near["rabbits_ruled"] > 1.4 * far["rabbits_ruled"] > 0
    assert 0 < near["rabbits_through"] < near["rabbits_ruled"]
    closed = gold_terms("rcr2r1r/hd6/8/1R1E4/8/8/8/4e3")
    assert closed["rabbits_ruled"] and not closed["rabbits_through"]
    at_home = gold_terms("r4r1r/8/8/3E4/8/8/1R6/4e3")
    assert not at_home["rabbits_ruled"]


def test_material_is_what_harlog_gives() -> None:
    compared = 0
    for row in rows_of_plays(5, PLAYS):
        position = to_position(row)
        expected = harlog(position, 0) - harlog(position, 1)
        if not math.isnan(expected):
            assert counted(row, 0)["material"] == pytest.approx(expected, rel=1e-4, abs=1e-4)
            compared += 1
    assert compared > PLAYS


# --- tactics -------------------------------------------------------------------------------------


def test_tactical_actions_are_legal_and_begin_captures() -> None:
    found = 0
    for row in rows_of_plays(6, 4 * PLAYS):
        if kernel.result(row) != kernel.ONGOING:
            continue
        out = np.full(kernel.MOST_ACTIONS, -7, np.int32)
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
    out = np.zeros(kernel.MOST_ACTIONS, np.int32)
    total = HEURISTICS.tactical(row, out)
    assert "rc4s" in {str(action_of(to_position(row), int(action))) for action in out[:total]}


def test_nothing_is_tactical_in_the_opening_or_in_a_setup() -> None:
    out = np.zeros(kernel.MOST_ACTIONS, np.int32)
    assert HEURISTICS.tactical(row_of(parse_position(OPENING)), out) == 0
    assert HEURISTICS.tactical(row_of(start_position(RULE_SETS["official"])), out) == 0


def test_preferences_are_small_numbers_for_the_given_actions_only() -> None:
    for row in rows_of_plays(7, PLAYS):
        out = np.zeros(kernel.MOST_ACTIONS, np.int32)
        total = kernel.generate(row, out)
        scores = np.full(kernel.MOST_ACTIONS, 7777, np.int32)
        before = out.copy()
        HEURISTICS.score_moves(row, out, total, scores)
        assert (out == before).all()
        assert (np.abs(scores[:total]) <= 1000).all()
        assert (scores[total:] == 7777).all()


def preferred(words: str) -> list[str]:
    """The actions of a position, those that look best first."""
    row = row_of(parse_position(words))
    out, scores = np.zeros((2, kernel.MOST_ACTIONS), np.int32)
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
        rows = np.zeros((2, kernel.WORDS), np.uint64)
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
    rows = np.zeros((2, kernel.WORDS), np.uint64)
    rows[0] = row_of(start_position(RULE_SETS["official"]))
    assert not HEURISTICS.null_move(rows, 0)


def test_the_third_time_matters_as_the_rules_say() -> None:
    meanings = {
        name: KERNEL.repetition.rule(start_position(rules)) for name, rules in RULE_SETS.items()
    }
    assert meanings == {
        "official": FORBIDDEN,
        "classic": LOSES,
        "ejection": FORBIDDEN,
        "diagonal": NO_MATTER,
    }


def test_the_end_of_a_turn_is_preferred_to_losing_a_piece_only() -> None:
    position = parse_position("2g 7r/8/8/8/2D5/8/8/R7")
    step = next(step for step in position.possible_steps() if str(step) == "Ra1n")
    row = row_of(position.play_unchecked(step))
    out, scores = np.zeros((2, kernel.MOST_ACTIONS), np.int32)
    total = kernel.generate(row, out)
    HEURISTICS.score_moves(row, out, total, scores)
    by_number = dict(zip(out[:total].tolist(), scores[:total].tolist(), strict=True))
    into_trap = 4 * SQUARE_OF["c4"] + 2
    assert by_number[into_trap] < by_number[END_NUMBER] < max(by_number.values())


@OTHERWISE
def test_the_mind_runs_checked_and_interpreted(setting: str) -> None:
    """In a process of its own; NumPy may tell there that words overflow."""
    tests = "colour_or_wing or sum_of_its_terms or tactical or preferences or skipped"
    quiet = ("-W", "default", "-W", "ignore::RuntimeWarning")
    assert_passes_again(__file__, tests, *quiet, TRINE_PLAYS="4", **{setting: "1"})
