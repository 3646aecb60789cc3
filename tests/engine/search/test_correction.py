"""Correction history: means of differences, and the searches that use them."""

import pytest

from engine.search.test_alphabeta import layout_of, middle_game
from trine.core.clock import Limits
from trine.core.compiled.jit import kernel
from trine.core.play import Play
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.kernel.constants import SearchConstants
from trine.engine.search.kernel.correction import MAX_DIFFERENCE, correction, learn_correction
from trine.engine.search.kernel.worker import GameFunctions, Worker
from trine.games import new_play

QUIET = "2g 1rrrcd2/r1hc1h1r/1d1r1em1/5E2/2H5/1D1R1M2/2RC1H1R/1RRRCD2"


@kernel()
def learned(game: GameFunctions, worker: Worker, difference: int, times: int) -> int:
    for _ in range(times):
        learn_correction(game, worker, 0, 0, difference, 15)
    return correction(game, worker, 0, 0)


def laid_out(position: str) -> tuple[AlphaBeta, Worker]:
    search = AlphaBeta("arimaa", hash_mb=1, constants=SearchConstants(correction_scale=256))
    return search, layout_of(search, new_play("arimaa", position=position))


@pytest.mark.parametrize("difference", [0, 40, -70, 10 * MAX_DIFFERENCE])
def test_a_correction_becomes_the_mean_of_what_was_learned(difference: int) -> None:
    search, worker = laid_out(QUIET)
    assert learned(search.functions, worker, difference, 0) == 0
    expected = min(difference, MAX_DIFFERENCE)
    after_one = learned(search.functions, worker, difference, 1)
    assert abs(after_one - expected / 16) <= 1
    assert abs(learned(search.functions, worker, difference, 200) - expected) <= 1


def test_what_was_learned_holds_where_a_part_is_the_same() -> None:
    search, worker = laid_out(QUIET)
    learned(search.functions, worker, 100, 200)
    for position, parts in (
        (QUIET.replace("2g", "2s"), 0),  # the other side is to move
        (QUIET.replace("1RRRCD2", "RRR1CD2"), 4),  # nothing near a trap has changed
        (QUIET.replace("2RC1H1R", "1R1C1H1R"), 3),  # one trap has
    ):
        other = layout_of(search, new_play("arimaa", position=position))
        again = worker._replace(rows=other.rows)
        mover = int(position[1] == "s")
        assert abs(corrected(search.functions, again, mover) - 25 * parts) <= 1


@kernel()
def corrected(game: GameFunctions, worker: Worker, mover: int) -> int:
    return correction(game, worker, 0, mover)


def test_a_search_uses_corrections_only_where_a_game_has_parts() -> None:
    for game, uses in (("arimaa", True), ("tzaar", False), ("corridor", False)):
        nodes = [searched(game, middle_game(game), scale) for scale in (0, 256)]
        assert (nodes[0] != nodes[1]) is uses


def searched(game: str, play: Play, scale: int) -> int:
    search = AlphaBeta(game, hash_mb=1, constants=SearchConstants(correction_scale=scale))
    return search.search(play, Limits(depth=7))[0].nodes
