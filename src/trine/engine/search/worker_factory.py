"""The memory of a search: workers with their stacks, and the transposition table."""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.heuristics import Heuristics, Kernel
from trine.core.contract.score import PROVEN_SCORE, UNRESTRICTED
from trine.core.play import Play
from trine.engine.search.kernel.constants import DEFAULT_CONSTANTS
from trine.engine.search.kernel.correction import ENTRIES, no_key
from trine.engine.search.kernel.quiescence import never
from trine.engine.search.kernel.stack import MAX_DEPTH, MAX_PLY, MAX_SEATS
from trine.engine.search.kernel.static_eval import no_inputs, one_bucket
from trine.engine.search.kernel.table import BUCKET_BYTES, BUCKET_WORDS
from trine.engine.search.kernel.worker import STATE, GameFunctions, Worker
from trine.engine.search.nets import NO_NET, SearchNet, aligned

PLIES: Final = MAX_PLY + 2
MEGABYTE: Final = 1 << 20


def functions_of(kernel: Kernel, heuristics: Heuristics) -> GameFunctions:
    seen = heuristics.net
    return GameFunctions(
        kernel.generate,
        kernel.play,
        kernel.result,
        kernel.mover,
        kernel.key,
        heuristics.evaluate,
        heuristics.tactical,
        heuristics.must_act or never,
        heuristics.score_moves,
        heuristics.detect_win,
        heuristics.null_move,
        heuristics.correction_key or no_key,
        seen.write_active if seen else no_inputs,
        (seen and seen.bucket) or one_bucket,
    )


def new_table(megabytes: float) -> NDArray[np.uint64]:
    buckets = max(1, int(megabytes * MEGABYTE) // BUCKET_BYTES)
    return aligned((buckets, BUCKET_WORDS), np.uint64)


def new_lines() -> NDArray[np.int32]:
    """Return an array for the lines of a search (`trine.engine.search.kernel.pvs`)."""
    return np.zeros((MAX_DEPTH + 1, PLIES + 5), np.int32)


def repetition_state_of(past: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Return the `repetition_state` of keys: their number, and whether one occurs twice.

    >>> repetition_state_of(np.array([7, 5, 7], np.uint64)).tolist()
    [3, 1]
    """
    return np.array([len(past), len(past) > len(np.unique(past))], np.int32)


class WorkerFactory:
    """Makes workers for plays of a game; caches the keys of positions.

    Root actions with equal scores keep the referee's order; with ``in_kernel_order`` the kernel's,
    as in compiled self-play.
    """

    def __init__(
        self, kernel: Kernel, heuristics: Heuristics, *, in_kernel_order: bool = False
    ) -> None:
        self.kernel = kernel
        self.heuristics = heuristics
        self.in_kernel_order = in_kernel_order
        self.key_of = lru_cache(4096)(kernel.key_of)

    def worker(
        self,
        play: Play,
        table: NDArray[np.uint64],
        stop: NDArray[np.int64],
        weights: NDArray[np.float32],
        net: SearchNet = NO_NET,
    ) -> Worker:
        """Return a worker whose root is the position of a play, with its actions and history."""
        kernel, heuristics, position = self.kernel, self.heuristics, play.position
        width, past = kernel.max_actions, self.past(play)
        worker = Worker(
            rows=np.zeros((PLIES + 1, kernel.words), np.uint64),
            actions=np.zeros((PLIES, width), np.int32),
            scores=np.zeros((PLIES, width), np.int32),
            pv=np.zeros((PLIES + 1, PLIES + 1), np.int32),
            killers=np.full((PLIES, 2), -1, np.int32),
            history=np.zeros((MAX_SEATS, kernel.actions(position)), np.int32),
            corrections=np.zeros((2 * heuristics.correction_keys, ENTRIES), np.int16),
            keys=np.append(past, np.zeros(PLIES, np.uint64)),
            repetition_state=repetition_state_of(past),
            excluded=np.zeros(0, np.uint64),
            weights=weights,
            counts=np.zeros(len(heuristics.terms), np.float32),
            table=table,
            stop=stop,
            state=np.zeros(1, STATE).view(np.recarray),
            **net.arrays(PLIES + 1),
        )
        state = worker.state[0]
        net.write(state)
        kernel.to_row(position, worker.rows[0])
        numbers = self._legal_numbers(play, worker.rows[0], worker.actions[0])
        state.root_actions = len(numbers)
        worker.actions[0, : len(numbers)] = numbers
        state.proven = PROVEN_SCORE
        DEFAULT_CONSTANTS.write(state, heuristics)
        state.repetition_rule = kernel.repetition.rule(position)
        state.players = len(position.seats)
        state.playing = sum(1 << player for player in position.playing)
        end = play.room.rules.end
        state.end_action = -1 if end is None else kernel.number_of(position, end)
        return worker

    def _legal_numbers(
        self, play: Play, row: NDArray[np.uint64], buffer: NDArray[np.int32]
    ) -> list[int]:
        numbers = [self.kernel.number_of(play.position, action) for action in play.legal_actions()]
        if not self.in_kernel_order:
            return numbers
        legal, total = frozenset(numbers), self.kernel.generate(row, buffer)
        return [number for number in buffer[:total].tolist() if number in legal]

    def past(self, play: Play) -> NDArray[np.uint64]:
        """Return the keys of a play's positions so far; empty if repetition has no effect."""
        if self.kernel.repetition.rule(play.position) == UNRESTRICTED:
            return np.zeros(0, np.uint64)
        repetition_state = [self.key_of(turn.before) for turn in play.turns]
        return np.array([*repetition_state, self.key_of(play.turn_start)], np.uint64)
