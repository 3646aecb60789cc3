"""Tablebases of solved small boards for two players: the value of each position.

``solved.zip`` has a table for each rule set, size and number of walls each; ``lab/solve.py`` makes
it. A *layer* is all positions with one number of walls on the board. A table has all layers, from
no wall on. A layer is: the number of sets of walls, and the number of positions with each set (4
bytes each); the sets, sorted (8 bytes each, a bit for each place in the order of `footprints`); and
a byte for each set, distribution of the walls in hand, mover, and squares of South and North. Of
sets that are images of each other by symmetry, only the least is stored.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from importlib.resources import as_file, files
from struct import unpack_from
from typing import Final
from zipfile import ZipFile

from trine.games.corridor.position import Position
from trine.games.corridor.rules import Wall, footprints
from trine.games.corridor.symmetries import symmetries

MAX_SIZE: Final = 4  # size of the largest board that has a table
SHARED_TABLES: Final = {"corridor-8": "corridor"}
"""By rule set, the rule set that it shares tables with: they differ only in the number of walls."""
FORBIDDEN: Final = 255  # the byte of an index that is no position


def table_of(position: Position) -> tuple[str, int]:
    """Return the name of the table for a position, and each player's number of walls at the start.

    Returns: an empty name if there is no table; -1 walls if they are unlimited.
    """
    if len(position.pawns) != 2 or min(position.pawns) < 0 or position.size > MAX_SIZE:
        return "", -1
    name = f"{SHARED_TABLES.get(position.rules.name, position.rules.name)}-{position.size}"
    hands = [hand for hand in position.hands if hand is not None]
    if not hands:
        return name, -1
    # A table is for equal hands at the start; every wall on the board was in one of them.
    each, odd = divmod(sum(hands) + len(position.walls), 2)
    return ("", -1) if odd or max(hands) > each else (f"{name}-{each}", each)


def solved(position: Position) -> int | None:
    """Return the value of a position at best play.

    Returns: 0 for a draw; else 1 + the number of actions of both players until the end, even if the
        player to move wins and odd if that player loses; None if no table has the position.

    >>> from trine.games.corridor.starts import start
    >>> solved(start("quoridor", {"Size": "3"})), solved(start("quoridor", {}))
    (13, None)
    """
    name, each = table_of(position)
    layers, count = _layers(name) if name else (), len(position.walls)
    if count >= len(layers):
        return None
    images = [image.position(position) for image in symmetries(position)]
    walls, image = min(zip(map(_set_of, images), images, strict=True), key=lambda one: one[0])
    sets, values, positions = layers[count]
    place = bisect_left(sets, walls)
    if place == len(sets) or sets[place] != walls:
        return None
    split = max(0, (image.hands[0] or 0) - max(0, each - count))
    south, north = image.pawns
    squares = position.size**2
    at = ((split * 2 + image.mover) * squares + south) * squares + north
    value = values[place * positions + at]
    return None if value == FORBIDDEN else value


def _set_of(position: Position) -> int:
    numbers = _places(position.size, position.rules.wall_length)
    return sum(1 << numbers[wall] for wall in position.walls)


@lru_cache
def _places(size: int, length: int) -> dict[Wall, int]:
    return {wall: number for number, wall in enumerate(footprints(size, length))}


@lru_cache(maxsize=8)
def _layers(name: str) -> tuple[tuple[memoryview[int], bytes, int], ...]:
    """Return each layer's sets, values and number of positions for a set; empty if not shipped."""
    with as_file(files(__package__) / "solved.zip") as path, ZipFile(path) as shipped:
        if name not in shipped.namelist():
            return ()
        data = shipped.read(name)
    found, at = [], 0
    while at < len(data):
        sets, positions = unpack_from("<II", data, at)
        middle = at + 8 + 8 * sets
        at, begin = middle + sets * positions, at + 8
        # Native byte order is right: every platform of Numba is little-endian.
        found.append((memoryview(data[begin:middle]).cast("Q"), data[middle:at], positions))
    return tuple(found)
