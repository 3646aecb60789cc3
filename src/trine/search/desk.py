"""Laying out what a search needs for a play: rows, keys, buffers, and the table."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.doors import NO_MATTER, Heuristics, Kernel, Position
from trine.core.play import Play
from trine.search.kernel_doors import (
    CHOICES,
    END,
    MARGIN,
    MOST_PLIES,
    PLAYERS,
    PLAYING,
    STATES,
    THIRD,
    Desk,
    Doors,
)
from trine.search.kernel_table import BUCKET_BYTES, BUCKET_WORDS

PLIES: Final = MOST_PLIES + 2
MOST_SEATS: Final = 4
MEGABYTE: Final = 1 << 20


def doors_of(kernel: Kernel, mind: Heuristics) -> Doors:
    """The functions of a game that a search calls."""
    return Doors(
        kernel.generate,
        kernel.play,
        kernel.result,
        kernel.mover,
        kernel.key,
        mind.evaluate,
        mind.tactical,
        mind.prefer,
        mind.foresee,
        mind.skip,
    )


def new_table(megabytes: float) -> NDArray[np.uint64]:
    """An empty table of a size."""
    buckets = max(1, int(megabytes * MEGABYTE) // BUCKET_BYTES)
    return np.zeros((buckets, BUCKET_WORDS), np.uint64)


class Layout:
    """Lays out desks for the plays of a game; keeps what stays the same from turn to turn."""

    def __init__(self, kernel: Kernel, mind: Heuristics) -> None:
        self.kernel = kernel
        self.mind = mind
        self.key_of = lru_cache(4096)(self._key_of)

    def desk(
        self,
        play: Play,
        table: NDArray[np.uint64],
        stop: NDArray[np.int64],
        memory: NDArray[np.float32],
    ) -> Desk:
        """A desk with the position of a play, its legal actions and its history."""
        kernel, mind, position = self.kernel, self.mind, play.position
        width = kernel.most_actions
        desk = Desk(
            rows=np.zeros((PLIES + 1, kernel.words(position)), np.uint64),
            actions=np.zeros((PLIES, width), np.int32),
            scores=np.zeros((PLIES, width), np.int32),
            lines=np.zeros((PLIES + 1, PLIES + 1), np.int32),
            killers=np.full((PLIES, 2), -1, np.int32),
            history=np.zeros((MOST_SEATS, kernel.actions(position)), np.int32),
            keys=np.zeros(PLIES, np.uint64),
            past=self._past(play),
            barred=np.zeros(0, np.uint64),
            memory=memory,
            values=np.zeros(len(mind.terms), np.float32),
            table=table,
            stop=stop,
            state=np.zeros(STATES, np.int64),
        )
        kernel.to_row(position, desk.rows[0])
        for index, action in enumerate(play.legal_actions()):
            desk.actions[0, index] = kernel.number_of(position, action)
            desk.state[CHOICES] = index + 1
        desk.state[MARGIN] = mind.margin
        desk.state[THIRD] = mind.third_time(position)
        desk.state[PLAYERS] = len(position.seats)
        desk.state[PLAYING] = sum(1 << player for player in position.playing)
        end = play.room.end
        desk.state[END] = -1 if end is None else kernel.number_of(position, end)
        return desk

    def _past(self, play: Play) -> NDArray[np.uint64]:
        """What has stood in a play, as a hash table."""
        if self.mind.third_time(play.position) == NO_MATTER:
            return np.zeros((1, 2), np.uint64)
        stood = [self.key_of(turn.before) for turn in play.turns]
        stood.append(self.key_of(play.turn_start))
        table = np.zeros((1 << (4 * len(stood) + 4).bit_length(), 2), np.uint64)
        last = len(table) - 1
        for key in stood:
            slot = key & last
            while table[slot, 1] and int(table[slot, 0]) != key:
                slot = slot + 1 & last
            table[slot] = key, int(table[slot, 1]) + 1
        return table

    def _key_of(self, position: Position) -> int:
        return int(self.kernel.key(self.row_of(position)))

    def row_of(self, position: Any) -> NDArray[np.uint64]:
        """A position as a row."""
        row = np.zeros(self.kernel.words(position), np.uint64)
        self.kernel.to_row(position, row)
        return row
