"""One contract for what every room knows about playing well: what the search may rely on."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from trine.core.compiled.arrays import Rows
from trine.core.contract.heuristics import Heuristics, Kernel
from trine.core.contract.position import Position
from trine.core.contract.score import ONGOING
from trine.core.play import Play
from trine.engine.search.kernel.constants import CONSTANTS, DEFAULT_CONSTANTS
from trine.games import ROOMS, new_play, open_heuristics, open_kernel, open_room
from trine.games.arimaa.board import EMPTY, SIDE

NEAR_THE_END = "2g 2e5/R6r/1r4R1/3E4/8/1R4r1/r6R/8"
"""Arimaa: random plays from the empty board hardly come near a goal."""
STARTS: list[tuple[str, dict[str, str]]] = [
    *((f"{name}/{rules}", {}) for name in ROOMS for rules in open_room(name).rule_sets),
    *((f"arimaa/{rules}", {"position": NEAR_THE_END}) for rules in open_room("arimaa").rule_sets),
    ("tzaar/open", {"setup": "placement"}),
    ("corridor/quoridor", {"players": "4", "size": "5"}),
    ("corridor/quoridor", {"size": "11"}),
    ("corridor/great-wall", {"players": "3"}),
]
PLIES = 160
MOST = 20_000
"""Units: points; no score is farther from 0."""
FAR = 3 * 11 * 11 + 1
"""So many numbers of actions has the largest board of Corridor that is searched, on which random plays last too long."""
UNTOUCHED = -77_777
MOST_NODES = 30_000
"""Units: positions looked at for one proof; what takes more is left unproven."""


def names(start: tuple[str, dict[str, str]]) -> str:
    game, options = start
    return game + "".join(f" {name}={value}" for name, value in options.items())


@pytest.fixture(params=STARTS, ids=names)
def play(request: pytest.FixtureRequest) -> Play:
    game, options = request.param
    return new_play(game, **options)


def opened(play: Play) -> tuple[Kernel, Heuristics]:
    return open_kernel(play.room.name), open_heuristics(play.room.name)


def positions(play: Play, seeds: int = 2, step: int = 7) -> Iterator[Position]:
    for seed in range(seeds):
        rng, here = random.Random(seed), play.copy()
        for ply in range(PLIES):
            if here.outcome:
                break
            if ply % step == 0:
                yield here.position
            here.act_unchecked(rng.choice(here.legal_actions()))


def rows_of(kernel: Kernel, position: Position, plies: int = 2) -> Rows:
    rows = np.zeros((plies, kernel.words), np.uint64)
    kernel.to_row(position, rows[0])
    return rows


def generated(kernel: Kernel, row: Rows) -> list[int]:
    buffer = np.zeros(kernel.max_actions, np.int32)
    return [int(action) for action in buffer[: kernel.generate(row, buffer)]]


def test_the_numbers_of_a_table_are_counted_as_the_evaluation_sums_them(play: Play) -> None:
    kernel, heuristics = opened(play)
    table = heuristics.table
    if table is None or len(play.position.seats) > 2:
        return
    terms = [term.name for term in heuristics.terms]
    assert heuristics.weights[terms.index(table.term)] == 1
    numbers = np.array(list(table.numbers.values()))
    assert np.array_equal(table.spread(numbers.tolist()), heuristics.weights[len(terms) :])
    for position in positions(play, seeds=1):
        row, counts = rows_of(kernel, position)[0], np.zeros(len(terms), np.float32)
        for player in range(2):
            heuristics.evaluate(row, player, heuristics.weights, counts)
            assert table_sum(table.numbers, position, player) == pytest.approx(
                counts[terms.index(table.term)], abs=0.01
            )


def table_sum(numbers: Mapping[str, float], position: Any, player: int) -> float:
    """The numbers of Arimaa's table for a player's pieces, minus those for the others."""
    total = 0.0
    for square, piece in enumerate(position.board):
        if piece != EMPTY:
            rank, file = divmod(square, 8)
            own_rank = 8 - rank if SIDE[piece] else rank + 1
            number = numbers[f"{piece.upper()}_{'abcd'[min(file, 7 - file)]}{own_rank}"]
            total += number if SIDE[piece] == player else -number
    return total


@pytest.mark.parametrize("name", ROOMS)
def test_weights_are_finite_and_those_of_the_terms_come_first(name: str) -> None:
    heuristics = open_heuristics(name)
    assert heuristics.terms
    assert np.isfinite(heuristics.weights).all()
    assert heuristics.weights.dtype == np.float32
    for term, weight in zip(heuristics.terms, heuristics.weights, strict=False):
        assert np.float32(term.weight) == weight
    assert len({term.name for term in heuristics.terms}) == len(heuristics.terms)


@pytest.mark.parametrize("name", ROOMS)
def test_the_constants_of_the_search_are_known_and_within_their_bounds(name: str) -> None:
    for constant, value in DEFAULT_CONSTANTS.filled(open_heuristics(name))._asdict().items():
        assert CONSTANTS[constant].min <= value <= CONSTANTS[constant].max


def test_scores_are_within_bounds_and_negate_for_the_other_side(play: Play) -> None:
    kernel, heuristics = opened(play)
    for position in positions(play):
        row = rows_of(kernel, position)[0]
        before, scores, found = row.copy(), [], []
        for player in range(len(position.seats)):
            counts = np.full(len(heuristics.terms), np.nan, np.float32)
            scores.append(heuristics.evaluate(row, player, heuristics.weights, counts))
            assert np.isfinite(counts).all()
            found.append(counts)
            summed = float(counts @ heuristics.weights[: len(counts)])
            assert abs(scores[-1] - max(-MOST, min(MOST, summed))) < 1, "the sum of its terms"
        assert all(abs(score) <= MOST for score in scores)
        if len(scores) == 2:
            assert sum(scores) == 0 and (found[0] == -found[1]).all()
        assert kernel.to_position(row) == kernel.to_position(before)


@pytest.mark.parametrize("name", ROOMS)
def test_scores_stay_within_bounds_whatever_the_weights(name: str) -> None:
    kernel, heuristics = open_kernel(name), open_heuristics(name)
    play, found = new_play(name), set[int]()
    rng, counts = random.Random(3), np.zeros(len(heuristics.terms), np.float32)
    while len(play.turns) < 20 and not play.outcome:
        for weight in (-1e9, 1e9):
            weights = np.full(len(heuristics.weights), weight, np.float32)
            row = kernel.row_of(play.position)
            found |= {int(heuristics.evaluate(row, one, weights, counts)) for one in (0, 1)}
        play.act_unchecked(rng.choice(play.legal_actions()))
    assert min(found) == -MOST and max(found) == MOST


def test_tactical_actions_are_legal(play: Play) -> None:
    kernel, heuristics = opened(play)
    for position in positions(play):
        row = rows_of(kernel, position)[0]
        buffer = np.full(kernel.max_actions + 1, UNTOUCHED, np.int32)
        total = heuristics.tactical(row, buffer[:-1])
        found = [int(action) for action in buffer[:total]]
        assert len(set(found)) == len(found)
        assert set(found) <= set(generated(kernel, row))
        assert buffer[-1] == UNTOUCHED


def test_every_action_has_a_score_within_bounds(play: Play) -> None:
    kernel, heuristics = opened(play)
    for position in positions(play):
        row = rows_of(kernel, position)[0]
        actions, scores = (np.full(kernel.max_actions, UNTOUCHED, np.int32) for _ in range(2))
        total = kernel.generate(row, actions)
        listed = actions.copy()
        heuristics.score_moves(row, actions, total, scores)
        assert (np.abs(scores[:total]) <= 1000).all()
        assert (scores[total:] == UNTOUCHED).all()
        assert (actions == listed).all()


def test_a_null_move_gives_the_turn_to_another(play: Play) -> None:
    kernel, heuristics = opened(play)
    for position in positions(play):
        rows = rows_of(kernel, position)
        if heuristics.null_move(rows, 0):
            assert kernel.mover(rows[1]) != position.mover
            assert not kernel.to_position(rows[1]).turn_open
        assert kernel.to_position(rows[0]) == position


def test_the_opening_is_the_rest_of_a_legal_turn(play: Play) -> None:
    _, heuristics = opened(play)
    for index, position in enumerate(positions(play, 1)):
        here = position
        actions = heuristics.opening(here, random.Random(index))
        for action in actions:
            assert here.mover == position.mover
            assert here.why_not(action) is None
            here = here.play_unchecked(action)
        assert not (actions and here.turn_open)


def test_inputs_are_within_their_bounds_and_seen_by_both_sides(play: Play) -> None:
    kernel, heuristics = opened(play)
    inputs = heuristics.net
    if inputs is None or len(play.position.seats) != 2:
        return
    count = len(inputs.mirrored)
    numbers = list(range(count))
    assert inputs.game == play.room.name and inputs.mirrored.dtype == np.int32
    assert inputs.mirrored[inputs.mirrored].tolist() == numbers, "a mirror's mirror image"
    if inputs.symmetries is not None:
        assert inputs.symmetries[0].tolist() == numbers
        for symmetry in inputs.symmetries:
            assert sorted(symmetry.tolist()) == numbers
            assert (inputs.mirrored[symmetry] == symmetry[inputs.mirrored]).all()
    if inputs.factorizer is not None:
        assert inputs.factorizer.dtype == np.int32 and inputs.factorizer.shape[1] == count
        for way in inputs.factorizer:
            assert set(way[inputs.mirrored][way == -1].tolist()) <= {-1}
        groups = set(inputs.factorizer.ravel().tolist()) - {-1}
        assert groups == set(range(len(groups))), "numbered through all ways"
    words = np.full((count + 63) // 64, UNTOUCHED % 2**64, np.uint64)
    for position in positions(play):
        row = rows_of(kernel, position)[0]
        before = row.copy()
        inputs.write_active(row, words)
        active = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
        assert len(active) <= inputs.max_active and (active < count).all()
        assert inputs.bucket is None or 0 <= inputs.bucket(row) < inputs.buckets
        assert inputs.stage is None or 0 <= inputs.stage(row) < 64
        assert (row == before).all()


class TooLongError(Exception):
    """A proof looks at more positions than `MOST_NODES`."""


class Prover:
    """Whether a player can force a win, by looking at everything."""

    def __init__(self, kernel: Kernel, position: Position, plies: int) -> None:
        self.kernel, self.nodes = kernel, 0
        self.rows = rows_of(kernel, position, plies + 2)
        self.known: dict[tuple[int, int], bool] = {}

    def wins(self, player: int, within: int, ply: int = 0) -> bool:
        row = self.rows[ply]
        result = self.kernel.result(row)
        if result != ONGOING or within == 0:
            return result == player
        key = int(self.kernel.key(row)), within
        if key not in self.known:
            self.nodes += 1
            if self.nodes > MOST_NODES:
                raise TooLongError
            decide = any if self.kernel.mover(row) == player else all
            self.known[key] = decide(
                self._after(action, player, within, ply) for action in generated(self.kernel, row)
            )
        return self.known[key]

    def _after(self, action: int, player: int, within: int, ply: int) -> bool:
        self.kernel.play(self.rows, ply, action)
        return self.wins(player, within - 1, ply + 1)


def test_what_is_said_to_be_won_is_won(play: Play) -> None:
    kernel, heuristics = opened(play)
    proven, two = 0, len(play.position.seats) == 2
    for position in positions(play, seeds=4, step=1):
        said = heuristics.detect_win(rows_of(kernel, position)[0])
        assert two or said >= 0
        if said == 0 or abs(said) > 5 or proven == 12:
            continue
        winner = position.mover if said > 0 else 1 - position.mover
        try:
            assert Prover(kernel, position, abs(said)).wins(winner, abs(said)), (position, said)
        except TooLongError:
            continue
        proven += 1
    assert proven or play.position.in_setup or kernel.actions(play.position) == FAR
