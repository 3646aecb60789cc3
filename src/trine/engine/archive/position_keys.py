"""The keys by which an archive finds positions: 64 bits, the same for all images of a position.

A position is turned and mirrored by the symmetries of its room, and the least of the kernel's keys
of these images is its key, mixed with the name of the rule set. Those keys come of fixed numbers
(`trine.core.compiled.zobrist`), so they are the same on every machine and in every year; a test
pins some. Should a kernel ever change them, `VERSION` changes too, and an older archive says so.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final, NamedTuple

from trine.core.contract import Room
from trine.core.contract.position import Position
from trine.games import open_kernel

VERSION: Final = 2
"""The version of the keys."""


class PositionKey(NamedTuple):
    """The key of a position, and which image of it has that key."""

    key: int
    image: str
    """The name of the symmetry that leads there."""


def position_key(room: Room, position: Position) -> PositionKey:
    images = room.rules.symmetries(position)
    keys = [_key(room, image.position(position)) for image in images]
    least = min(keys)
    name = images[keys.index(least)].name
    return PositionKey(least ^ salt(room.name, position.rules.name), name)


def _key(room: Room, position: Position) -> int:
    """Return the key of the kernel, or, of a position it does not know, one of the text."""
    if not room.rules.unsearched(position):
        return open_kernel(room.name).key_of(position)
    words = room.rules.format_position(position)
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "little")


@cache
def salt(game: str, rules: str) -> int:
    """Return what tells the positions of a rule set from those of others.

    >>> hex(salt("arimaa", "official"))
    '0x2091d4e3bdc9965c'
    """
    return int.from_bytes(hashlib.sha256(f"{game}/{rules}".encode()).digest()[:8], "little")
