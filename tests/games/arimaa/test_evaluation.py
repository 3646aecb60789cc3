"""The evaluation: symmetries, and terms against plain counts and the formula of their source."""

import math
import random
from collections.abc import Callable

import pytest

from games.arimaa.enumeration import crowded, row_of
from games.arimaa.mind import (
    HEURISTICS,
    NAMES,
    OPENING,
    PLAYS,
    counted,
    mirrored,
    rows_of_plays,
    score,
    swapped,
)
from kernels import OTHERWISE, assert_passes_again
from trine.games.arimaa.board import BESIDE, EMPTY, SIDE, SIDES, SQUARE_OF, STRENGTH, TRAPS
from trine.games.arimaa.compiled import to_position
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.knowledge.strategy import run
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import is_frozen, is_supported


def test_a_score_does_not_depend_on_colour_or_wing() -> None:
    rng = random.Random(2)
    for _ in range(4 * PLAYS):
        position = crowded(rng)
        here = row_of(position)
        for player in SIDES:
            assert score(here, player) == score(row_of(swapped(position)), 1 - player)
            assert score(here, player) == score(row_of(mirrored(position)), player)


def test_the_opening_is_even_but_for_the_steps() -> None:
    row = row_of(parse_position(OPENING))
    counts = counted(row, 0)
    assert {name for name, value in counts.items() if value} == {"steps_left"}
    assert counts["steps_left"] == 4
    assert score(row, 0) == round(4 * HEURISTICS.weights[NAMES.index("steps_left")])


def test_behind_the_terms_every_piece_has_a_worth_on_every_square() -> None:
    assert len(HEURISTICS.weights) == len(NAMES) + 6 * 64


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
    [("8/8/8/8/8/8/R7/8", 1, 1), ("8/8/8/8/8/8/8/R7", 0, 1), ("8/8/8/2hdh3/2mRd3/8/8/8", 0, 0)],
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


@OTHERWISE
def test_evaluation_and_tactics_run_checked_and_interpreted(setting: str) -> None:
    """In a process of their own; NumPy may tell there that words overflow."""
    tests = "colour_or_wing or opening_is_even or tactical or look_best or skipped"
    tactics = __file__.replace("evaluation", "tactics")
    more = ("-W", "default", "-W", "ignore::RuntimeWarning", tactics)
    assert_passes_again(__file__, tests, *more, TRINE_PLAYS="4", **{setting: "1"})
