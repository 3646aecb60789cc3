"""The keys by which an archive finds positions: 64 bits, the same for all images of a position.

A position is turned and mirrored by the symmetries of its room, and the least of the kernel's keys
of these images is its key, mixed with the name of the rule set. Those keys come of fixed numbers
(`trine.core.compiled.zobrist`), so they are the same on every machine and in every year; a test
pins some. Should a kernel ever change them, `VERSION` changes too, and an older archive says so.

A *play* is not asked position by position: its images are played in compiled code, each from where
its symmetry leads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.jit import fill_in
from trine.core.contract import Room
from trine.core.contract.position import Action, Position
from trine.core.contract.symmetry import Symmetry
from trine.core.contract.turn import Turn
from trine.core.play import Play
from trine.engine.archive.kernel import follow
from trine.games import open_kernel, open_room

VERSION: Final = 2
"""The version of the keys."""


REMEMBERED: Final = 1000
"""The number of positions whose images are remembered."""
Numbered: TypeAlias = Sequence[tuple[int, Action]]
"""Actions of a play in order, with their numbers."""


class PositionKey(NamedTuple):
    """The key of a position, and which image of it has that key."""

    key: int
    image: str
    """The name of the symmetry that leads there."""


class PositionKeys:
    """The keys of the positions of a game."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._kernel = open_kernel(room.name)
        self._follow = fill_in(
            follow, self._kernel.generate, play=self._kernel.play, key=self._kernel.key
        )
        self._images: dict[tuple[str, str, int, int], NDArray[np.int32]] = {}
        self._begun: dict[Position, tuple[Sequence[Symmetry], NDArray[np.uint64]]] = {}

    def of(self, position: Position) -> PositionKey:
        images = self._room.rules.symmetries(position)
        keys = [self._key(image.position(position)) for image in images]
        least = min(range(len(keys)), key=keys.__getitem__)
        return PositionKey(
            keys[least] ^ salt(self._room.name, position.rules.name), images[least].name
        )

    def _key(self, position: Position) -> int:
        """Return the key of the kernel, or, of a position it does not know, one of the text."""
        if not self._room.rules.unsearched(position):
            return self._kernel.key_of(position)
        words = self._room.rules.format_position(position)
        return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "little")

    def of_play(self, play: Play) -> list[PositionKey]:
        """Return the keys at the beginnings of a play's turns, and behind the last whole one."""
        if self._room.rules.unsearched(play.start):
            before = (turn.before for turn in play.turns)
            return [self.of(position) for position in (*before, play.turn_start)]
        found, turns = [self.of(play.start)], play.turns
        at = 0
        while at < len(turns):
            stop = at
            # A setup has other symmetries than what follows, and nobody plays who leaves.
            while stop < len(turns) and not turns[stop].left:
                if turns[stop].before.in_setup != turns[at].before.in_setup:
                    break
                stop += 1
            if stop > at:
                found.pop()
                actions, ends = self._numbers(turns[at:stop])
                found += self.followed(turns[at].before, actions, ends)
            if stop < len(turns) and turns[stop].left:
                found.append(self.of(turns[stop].after))
                stop += 1
            at = stop
        return found

    def followed(
        self, start: Position, actions: Numbered, ends: NDArray[np.int64]
    ) -> list[PositionKey]:
        """Return the keys of a position and behind each turn, given how many actions end each."""
        symmetries, rows = self._images_of(start)
        played = np.array([number for number, _ in actions], np.intp)
        numbers = np.zeros((len(symmetries), len(actions)), np.int32)
        for image, symmetry in enumerate(symmetries):
            numbers[image] = self._imaged(symmetry, start, actions, played)
        keys = np.zeros((len(symmetries), len(ends) + 1), np.uint64)
        self._follow(rows.copy(), numbers, ends, keys)
        least = keys.argmin(axis=0)
        mixed = np.uint64(salt(self._room.name, start.rules.name))
        return [
            PositionKey(key, symmetries[image].name)
            for key, image in zip((keys.min(axis=0) ^ mixed).tolist(), least.tolist(), strict=True)
        ]

    def _images_of(self, start: Position) -> tuple[Sequence[Symmetry], NDArray[np.uint64]]:
        """Return the symmetries of a position, and the rows of its images: of many games, one."""
        if start not in self._begun:
            symmetries = self._room.rules.symmetries(start)
            rows = np.zeros((len(symmetries), 2, self._kernel.words(start)), np.uint64)
            for image, symmetry in enumerate(symmetries):
                self._kernel.to_row(symmetry.position(start), rows[image, 0])
            if len(self._begun) >= REMEMBERED:
                self._begun.clear()
            self._begun[start] = symmetries, rows
        return self._begun[start]

    def played(self, start: Position, actions: Numbered) -> Position:
        """Return the position after legal actions, without the number of its turn."""
        rows = np.zeros((2, self._kernel.words(start)), np.uint64)
        self._kernel.to_row(start, rows[0])
        for number, _ in actions:
            self._kernel.play(rows, 0, number)
            rows[0] = rows[1]
        position: Position = self._kernel.to_position(rows[0])
        return position

    def _numbers(self, turns: Sequence[Turn]) -> tuple[Numbered, NDArray[np.int64]]:
        """Return the actions of turns with their numbers, and how many end with each."""
        found, ends, number_of = [], [], self._kernel.number_of
        for turn in turns:
            found += [(number_of(turn.before, action), action) for action in turn.actions]
            ends.append(len(found))
        return found, np.array(ends, np.int64)

    def _imaged(
        self, symmetry: Symmetry, start: Position, actions: Numbered, numbers: NDArray[np.intp]
    ) -> NDArray[np.int32]:
        """Return the numbers of the images of actions, as the kernel has them on this board."""
        known = self._known(symmetry, start)
        images = known[numbers]
        if (images < 0).any():
            for number, action in actions:
                if known[number] < 0:
                    known[number] = self._kernel.number_of(start, symmetry.action(action))
            images = known[numbers]
        return images

    def _known(self, symmetry: Symmetry, start: Position) -> NDArray[np.int32]:
        """Return the images of numbers that are known on a board, -1 for the others."""
        actions = self._kernel.actions(start)
        board = (symmetry.name, start.rules.name, len(start.seats), actions)
        if board not in self._images:
            self._images[board] = np.full(actions, -1, np.int32)
        return self._images[board]


@cache
def open_keys(game: str) -> PositionKeys:
    return PositionKeys(open_room(game))


@cache
def salt(game: str, rules: str) -> int:
    """Return what tells the positions of a rule set from those of others.

    >>> hex(salt("arimaa", "official"))
    '0x2091d4e3bdc9965c'
    """
    return int.from_bytes(hashlib.sha256(f"{game}/{rules}".encode()).digest()[:8], "little")
