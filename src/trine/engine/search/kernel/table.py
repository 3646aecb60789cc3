"""The transposition table: results of positions searched before, for one search at a time.

A bucket has four entries in one cache line. An entry is two words: data, and the key.

Data, from the lowest bit: action (16), score (16), evaluation (16), depth (8), bound (2), age (6).
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import WordRows
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import prefetch
from trine.core.contract.score import PROVEN_SCORE

ENTRIES: Final = 4
BUCKET_WORDS: Final = 2 * ENTRIES
BUCKET_BYTES: Final = 8 * BUCKET_WORDS

LOWER: Final = 1
"""A lower bound: the true score is at least this, since the search stopped at a cutoff."""
UPPER: Final = 2  # an upper bound: the true score is at most this, since no action reached alpha
EXACT: Final = 3

AGES: Final = 64
NO_ACTION: Final = 0xFFFF
NO_EVALUATION: Final = -0x8000

_BITS_16: Final = np.uint64(0xFFFF)
_HALF: Final = np.uint64(32)
_SCORE_AT: Final = np.uint64(16)
_EVALUATION_AT: Final = np.uint64(32)
_DEPTH_AT: Final = np.uint64(48)
_BOUND_AT: Final = np.uint64(56)
_AGE_AT: Final = np.uint64(58)
_NONE: Final = np.uint64(0)
AGE_PENALTY: Final = 4
"""Units: plies; an entry's replacement value falls by this with each later search. Guess."""


@kernel(forceinline=True)
def _signed(bits: np.uint64) -> int:
    low = np.int64(bits & _BITS_16)
    return low - 0x10000 if low >= 0x8000 else low


@kernel(forceinline=True)
def action_of(data: np.uint64) -> int:
    """Return the best action of an entry, or `NO_ACTION`."""
    return np.int64(data & _BITS_16)


@kernel(forceinline=True)
def score_of(data: np.uint64, ply: int) -> int:
    """Return the score of an entry, with wins counted from the root."""
    score = _signed(data >> _SCORE_AT)
    if score > PROVEN_SCORE:
        return score - ply
    return score + ply if score < -PROVEN_SCORE else score


@kernel(forceinline=True)
def evaluation_of(data: np.uint64) -> int:
    """Return the static evaluation of the position, or `NO_EVALUATION`."""
    return _signed(data >> _EVALUATION_AT)


@kernel(forceinline=True)
def depth_of(data: np.uint64) -> int:
    return np.int64(data >> _DEPTH_AT & np.uint64(255))


@kernel(forceinline=True)
def bound_of(data: np.uint64) -> int:
    """Return `LOWER`, `UPPER` or `EXACT`; 0 for an empty entry."""
    return np.int64(data >> _BOUND_AT & np.uint64(3))


@kernel(forceinline=True)
def age_of(data: np.uint64) -> int:
    """Return the number of the search that wrote the entry, modulo `AGES`."""
    return np.int64(data >> _AGE_AT)


@kernel(forceinline=True)
def bucket_of(table: WordRows, key: np.uint64) -> int:
    """Return the bucket index of a key; the number of buckets need not be a power of two."""
    return np.int64((key >> _HALF) * np.uint64(len(table)) >> _HALF)


@kernel(forceinline=True)
def prefetch_bucket(table: WordRows, key: np.uint64) -> None:
    """Prefetch the bucket of a key that will soon be probed."""
    prefetch(table, bucket_of(table, key))


@kernel(forceinline=True)
def probe(table: WordRows, key: np.uint64) -> np.uint64:
    """Return the data of a position; 0 if the table has no entry for it."""
    bucket = table[bucket_of(table, key)]
    for entry in range(0, BUCKET_WORDS, 2):
        data = bucket[entry]
        if data and bucket[entry + 1] == key:
            return data
    return _NONE


@kernel(forceinline=True)
def store(
    table: WordRows,
    key: np.uint64,
    ply: int,
    action: int,
    score: int,
    evaluation: int,
    depth: int,
    bound: int,
    age: int,
) -> None:
    """Store a result in place of the least valuable entry of its bucket.

    An exact score of the same search and position is kept, if its depth is greater.
    """
    bucket = table[bucket_of(table, key)]
    place, least = 0, 1 << 30
    for entry in range(0, BUCKET_WORDS, 2):
        data = bucket[entry]
        if data == _NONE or bucket[entry + 1] == key:
            place = entry
            if data and bound_of(data) == EXACT and depth < depth_of(data) and age == age_of(data):
                return  # this search already has a better result
            if data and action == NO_ACTION:
                action = action_of(data)
            if data and evaluation == NO_EVALUATION:
                evaluation = evaluation_of(data)
            break
        worth = depth_of(data) - AGE_PENALTY * (age - age_of(data) & AGES - 1)
        if worth < least:
            place, least = entry, worth
    if score > PROVEN_SCORE:  # wins are stored as distances from the position
        score += ply
    elif score < -PROVEN_SCORE:
        score -= ply
    data = (
        np.uint64(action)
        | np.uint64(score & 0xFFFF) << _SCORE_AT
        | np.uint64(evaluation & 0xFFFF) << _EVALUATION_AT
        | np.uint64(depth) << _DEPTH_AT
        | np.uint64(bound) << _BOUND_AT
        | np.uint64(age) << _AGE_AT
    )
    bucket[place] = data
    bucket[place + 1] = key
