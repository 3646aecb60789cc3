"""The kernel plays the same game as the referee.

``TRINE_PLAYS`` sets how many random plays of each rule set are compared.
"""

import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

from games.arimaa import twins
from kernels import OTHERWISE, as_result, assert_passes_again, plays, python
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import TrineError
from trine.engine.search.perft import open_loop
from trine.games.arimaa.compiled import KERNEL, action_of, number_of
from trine.games.arimaa.diagrams import format_position, parse_position
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel import rules as kernel_turns
from trine.games.arimaa.position import Position, turn_results
from trine.games.arimaa.rules import COMPETITION, END, RULE_SETS, STEPS, RuleSet
from trine.games.arimaa.starts import start_position

PLAYS = plays(15)
ACTIONS_IN_PLAY = 120
OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"
MIDDLE = "2s 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"
FEW = "2g 8/8/8/2rrE3/3h4/8/1r6/R7"
ALIKE = "2g 8/8/E7/Rr6/8/8/8/8"
"""One turn can lead to boards that differ only in who owns what."""


@pytest.mark.parametrize(
    "rules", [*RULE_SETS.values(), COMPETITION], ids=[*RULE_SETS, "competition"]
)
def test_the_kernel_plays_as_the_referee_does(rules: RuleSet) -> None:
    for seed in range(PLAYS):
        rng = random.Random(f"{rules.name} {seed}")
        whole = seed % 10 == 0
        position = start_position(rules) if whole else twins.scattered(rules, rng)
        row = twins.row_of(position)
        for _ in range(ACTIONS_IN_PLAY * (1 + 3 * whole)):
            twins.compare(position, row)
            if position.outcome():
                break
            action = twins.choose(position, rng)
            row = twins.after(row, number_of(position, action))
            position = position.play_unchecked(action)


@pytest.mark.parametrize("name", RULE_SETS)
def test_whole_turns_make_the_positions_that_the_referee_finds(name: str) -> None:
    rng = random.Random(name)
    compared = 0
    for _ in range(PLAYS // 5):
        position = twins.scattered(RULE_SETS[name], rng, most=7)
        if position.outcome():
            continue
        theirs = sorted(result.board for result in turn_results(position))
        assert sorted(twins.boards_after_turn(position)) == theirs
        assert kernel.count_turns(twins.row_of(position)) == len(theirs)
        compared += 1
    assert compared or PLAYS < 10


def counted(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if position.outcome():
        return 0
    return sum(
        counted(position.play_unchecked(action), depth - 1) for action in position.legal_actions()
    )


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize(("text", "depth"), [(FEW, 5), (MIDDLE, 3), (OPENING, 3)])
def test_perft_counts_the_sequences_of_the_referee(name: str, text: str, depth: int) -> None:
    position = parse_position(text, RULE_SETS[name])
    rows, buffers = twins.rows_of(position, depth)
    for plies in range(depth + 1):
        expected = counted(position, plies)
        assert open_loop(KERNEL, in_bulk=False)(rows, 0, buffers, plies) == expected
        assert open_loop(KERNEL, in_bulk=True)(rows, 0, buffers, plies) == expected


def test_perft_of_the_setup() -> None:
    rows, buffers = twins.rows_of(start_position(RULE_SETS["official"]), 3)
    # 16 squares and 6 kinds; then a kind of which there was one is gone: 15 · (2 · 5 + 4 · 6).
    assert [open_loop(KERNEL, in_bulk=False)(rows, 0, buffers, depth) for depth in (1, 2)] == [
        96,
        16 * 15 * 34,
    ]


@pytest.mark.parametrize(
    ("placing", "is_begun"),
    [
        # The elephant pulls the rabbit; pushing it back with two steps would change nothing.
        ("2g 7r/8/8/8/3rE3/8/8/R7", False),
        ("2g 7r/8/8/4M3/3rE3/8/8/R7", True),  # by the camel
    ],
)
def test_a_push_that_would_undo_the_turn_is_not_begun(placing: str, is_begun: bool) -> None:
    position = parse_position(placing)
    for step in (STEPS["E", 28, "e"], STEPS["r", 27, "e"]):
        position = position.play(step)
    back = number_of(position, STEPS["r", 28, "w"])
    assert (back in twins.generated(twins.row_of(position))) == is_begun
    twins.compare(position, twins.row_of(position))


def test_a_push_and_a_pull_can_be_the_same_step() -> None:
    position = parse_position("2g 7e/7r/8/5M2/4Er2/8/6d1/R7", RULE_SETS["diagonal"])
    row = twins.row_of(position)
    for step in (STEPS["E", 28, "n"], STEPS["r", 29, "w"]):
        row = twins.after(row, number_of(position, step))
        position = position.play(step)
        twins.compare(position, row)
    assert {512, number_of(position, STEPS["E", 36, "se"])} <= set(twins.generated(row))


@pytest.mark.parametrize(
    ("name", "actions", "board"),
    [
        ("official", 65, "rHdr.rCreR.Em.R.RR.r.c.RR.D.rD.R.C.d..c.R.hMhrHr"),
        ("diagonal", 67, "rCHhcc.DRR..M.r.eR.d.h.Er.d.DRm..H.rR..rr.rRRrCR"),
    ],
)
def test_positions_with_max_actions_leave_room(name: str, actions: int, board: str) -> None:
    """The most that a search by chance (hill climbing) has found."""
    position = Position.of(RULE_SETS[name], f"{'.' * 8}{board}{'.' * 8}", 0)
    twins.compare(position, twins.row_of(position))
    assert len(twins.generated(twins.row_of(position))) == actions


def test_keys_of_different_positions_differ() -> None:
    """All positions within two actions of some, hands and open turns among them."""
    seen: dict[int, Position] = {}
    fronts = [start_position(RULE_SETS["ejection"]), parse_position(MIDDLE, RULE_SETS["diagonal"])]
    fronts.append(parse_position(MIDDLE, RULE_SETS["official"]))
    for _ in range(3):
        for position in fronts:
            assert seen.setdefault(int(kernel.key(twins.row_of(position))), position) == position
        fronts = [
            position.play_unchecked(action)
            for position in fronts[:200]
            for action in position.legal_actions()
        ]
    assert len(seen) > 1000


def test_buffers_that_are_too_small_are_refused() -> None:
    row = twins.row_of(parse_position(OPENING))
    for boards, table, total in (
        (3354, 8192, -1),
        (3355, 8192, 3353),
        (4097, 8192, -1),
        (3355, 8000, -1),
    ):
        buffer = np.zeros((boards, kernel.BOARD_WORDS), np.uint64)
        assert kernel.turn_results(row, buffer, np.zeros(table, np.uint64)) == total


def test_turns_are_counted_only_from_their_beginning() -> None:
    boards = np.zeros((64, kernel.BOARD_WORDS), np.uint64)
    table = np.zeros(128, np.uint64)
    within = parse_position(OPENING).play(STEPS["D", 8, "n"])
    for position in (within, start_position(RULE_SETS["official"])):
        assert kernel.turn_results(twins.row_of(position), boards, table) == -1
        assert kernel.count_turns(twins.row_of(position)) == -1


def test_more_turns_than_usual_are_counted_in_larger_buffers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernel_turns, "DEFAULT_TABLE_SIZE", 16)
    assert kernel.count_turns(twins.row_of(parse_position(OPENING))) == 3353


def test_handicaps_stand_in_the_row() -> None:
    position = start_position(RULE_SETS["ejection"], "gold:camel,dog silver:r,r,r")
    twins.compare(position, twins.row_of(position))
    for _ in range(15):
        position = position.play_unchecked(position.legal_actions()[0])
        twins.compare(position, twins.row_of(position))


def test_the_results_that_need_no_history() -> None:
    for text, name, winner, reason in (
        ("2s R7/8/8/8/8/8/r6r/4E3", "official", 0, Reason.GOAL),
        ("2s R7/8/8/8/8/8/8/r3E3", "official", 0, Reason.GOAL),
        ("2g 4E3/8/8/8/R7/8/8/r7", "classic", 1, Reason.GOAL),
        ("2g 4e3/8/8/R7/8/8/8/E7", "official", 0, Reason.ELIMINATION),
        ("2g 4e3/8/8/r7/8/8/8/E7", "ejection", 1, Reason.ELIMINATION),
        ("2g 4e3/8/8/8/8/8/8/E7", "ejection", 1, Reason.ELIMINATION),
        ("2g 4e3/8/8/8/8/8/8/E7", "classic", None, Reason.ELIMINATION),
        ("2s 2M5/8/8/8/6Er/R7/DR6/eCR5", "official", 0, Reason.IMMOBILIZATION),
    ):
        position = parse_position(text, RULE_SETS[name])
        outcome = position.outcome()
        assert outcome == Outcome(winner, reason), text
        assert kernel.result(twins.row_of(position)) == as_result(outcome)
        assert twins.generated(twins.row_of(position)) == []


@OTHERWISE
def test_the_kernel_runs_checked_and_interpreted(setting: str) -> None:
    """Short plays in a process of its own; NumPy may tell there that words overflow."""
    tests = "plays_as_the_referee_does or whole_turns or buffers"
    quiet = ("-W", "default", "-W", "ignore::RuntimeWarning")
    assert_passes_again(__file__, tests, *quiet, TRINE_PLAYS="4", **{setting: "1"})


def test_boards_with_equal_keys_are_told_apart() -> None:
    """With all keys 0, each board is found only by comparing it with all others."""
    words = f"""
import numpy as np
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.compiled import to_row
from trine.games.arimaa.diagrams import format_position, parse_position
layout.PIECE_KEYS[:] = 0
layout.stir = lambda word: np.uint64(0)
row = np.zeros(layout.WORDS, np.uint64)
to_row(parse_position({ALIKE!r}), row)
assert row[layout.BOARD_KEY] == 0
boards = np.zeros((512, kernel.BOARD_WORDS), np.uint64)
print(kernel.turn_results(row, boards, np.zeros(1024, np.uint64)))
"""
    boards = {result.board for result in turn_results(parse_position(ALIKE))}
    status, said = python("-c", words, NUMBA_DISABLE_JIT="1")
    assert said.split() == [str(len(boards))] and status == 0, said
    assert len({board.upper() for board in boards}) < len(boards)


def test_the_referee_refuses_what_the_kernel_does_not_generate() -> None:
    position = parse_position(FEW)
    legal = set(twins.generated(twins.row_of(position)))
    for number in set(range(512)) - legal:
        square = number % 256 // 4
        if position.board[square] != ".":
            with pytest.raises(TrineError):
                position.play(action_of(position, number))
    assert END not in position.legal_actions()


def test_a_position_that_was_packed_and_read_again_is_the_same_to_the_kernel() -> None:
    """A rule set is known by what it says, not by where it lies in memory."""
    words = "2g 7r/8/8/3c4/3E4/8/8/R7"
    position = replace(parse_position(words, RULE_SETS["classic"]), rules=COMPETITION)
    again = pickle.loads(pickle.dumps(position))
    assert format_position(again, "fen") == format_position(position, "fen")
    assert np.array_equal(KERNEL.row_of(again), KERNEL.row_of(position))
