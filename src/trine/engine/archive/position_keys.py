"""The 64-bit keys of positions in archives, equal for all symmetric images of a position.

The key of a position is the least of the kernel's keys of its symmetric images, mixed with the name
of the rule set. The kernel's keys use fixed numbers (`trine.core.compiled.arrays`), so they are
the same everywhere and forever; a test pins some. If a kernel changes them, raise `VERSION`, so
that older archives are refused.
"""

import hashlib
from functools import cache
from typing import Final, NamedTuple

from trine.core.contract.position import Position
from trine.core.contract.room import Room
from trine.games import open_kernel

VERSION: Final = 2


class PositionKey(NamedTuple):
    """The key of a position, and the symmetry that leads to it."""

    key: int
    image: str  # name of the symmetry that leads to the image with the key


def position_key(room: Room, position: Position) -> PositionKey:
    images = room.rules.symmetries(position)
    keys = [_key(room, image.position(position)) for image in images]
    least = min(keys)
    name = images[keys.index(least)].name
    return PositionKey(least ^ salt(room.name, position.rules.name), name)


def _key(room: Room, position: Position) -> int:
    """Return the kernel's key; for positions unknown to the kernel, a hash of the text."""
    if not room.rules.unsearched(position):
        return open_kernel(room.name).key_of(position)
    words = room.rules.format_position(position)
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "little")


@cache
def salt(game: str, rules: str) -> int:
    """Return the number that distinguishes the keys of a rule set.

    >>> hex(salt("arimaa", "official"))
    '0x2091d4e3bdc9965c'
    """
    return int.from_bytes(hashlib.sha256(f"{game}/{rules}".encode()).digest()[:8], "little")
