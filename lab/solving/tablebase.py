"""The tablebase of a board: layers computed from the most walls to none, and lookups."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solving.kernel import MAX_TARGETS, solve_sets
from solving.layers import Hands, Layer, lists_of_sets, states_at_most
from solving.maze import Maze, MazeState
from trine.core.errors import IllegalError
from trine.core.text.sentence import number, text
from trine.core.work.files import UNFINISHED

MAX_DISK: Final = 20 * 10**9
"""Units: bytes; larger tablebases are refused."""
MAX_MEMORY: Final = 8 * 10**9
"""Units: bytes; the maximum for two layers, which are in memory together."""
MAX_LISTED: Final = 100 * 10**9
"""Units: positions; boards whose layers may have more are refused without counting, because even
the list of wall sets would be too long."""
CHUNK_POSITIONS: Final = 2048
"""The number of positions solved between two checks for Ctrl-C."""

OnProgress = Callable[[int, int, int], None]
"""A callback with a layer's walls, the bytes done and all bytes."""


@dataclass(frozen=True, eq=False)
class Plan:
    """The layers of a board before they are solved."""

    maze: Maze
    sets: tuple[NDArray[Any], ...]

    @property
    def bytes(self) -> list[int]:
        """The positions of each layer, one byte each."""
        graph = 2 * len(self.maze.steps) ** 2
        return [
            len(sets) * max(1, Hands.at(self.maze.hands, walls).splits) * graph
            for walls, sets in enumerate(self.sets)
        ]


def plan(maze: Maze) -> Plan:
    """Return the layers of a board.

    Raises:
        IllegalError: they would need more disk or memory than is allowed.
    """
    bound = states_at_most(maze)
    if max(bound) > MAX_LISTED:
        raise IllegalError(
            text(
                "{board} is too large to be solved: up to {count} positions, a byte each; there is "
                "room for {disk}",
                board=maze.name,
                count=number(sum(bound)),
                disk=number(MAX_DISK),
            )
        )
    found = Plan(maze, tuple(lists_of_sets(maze)))
    sizes = found.bytes
    two = max(sum(sizes[at : at + 2]) for at in range(len(sizes)))
    if sum(sizes) > MAX_DISK or two > MAX_MEMORY:
        raise IllegalError(
            text(
                "{board} is too large to be solved: {count} positions, a byte each, {two} of them "
                "in two layers; there is room for {disk}, and for {memory} in two layers",
                board=maze.name,
                count=number(sum(sizes)),
                two=number(two),
                disk=number(MAX_DISK),
                memory=number(MAX_MEMORY),
            )
        )
    return found


@dataclass(frozen=True, eq=False)
class Tablebase:
    """A solved board."""

    maze: Maze
    layers: tuple[Layer, ...]
    longest: tuple[int, ...]
    """By walls on the board, the longest win in actions of both players; 0 if there is none."""

    def value(self, state: MazeState) -> int:
        """Return the value of a position, as in `solving.kernel`; -1 if there is none."""
        walls = state.walls.bit_count()
        return self.layers[walls].value(self.maze, state) if walls < len(self.layers) else -1


def solve(
    planned: Plan, folder: Path | None = None, on_progress: OnProgress | None = None
) -> Tablebase:
    """Solve a board; in a folder, with a file for each layer, starting from existing ones.

    A layer is written to a temporary file, then renamed into place.
    """
    maze, sizes = planned.maze, planned.bytes
    layers: list[Layer] = []
    longest: list[int] = []
    more = Layer(len(sizes), np.zeros(0, np.uint64), Hands(0, 0), np.zeros(0, np.uint8))
    for walls in reversed(range(len(sizes))):
        done = sum(sizes[walls + 1 :])
        file = folder / file_name(maze, walls) if folder else None
        if file and file.exists() and file.stat().st_size == sizes[walls]:
            layer = Layer(walls, planned.sets[walls], Hands.at(maze.hands, walls), opened(file))
            most = _longest(layer.values)
        else:
            beside = file.with_name(file.name + UNFINISHED) if file else None
            values: NDArray[Any] = (
                np.asarray(np.memmap(beside, np.uint8, "w+", shape=(sizes[walls],)))
                if beside
                else np.zeros(sizes[walls], np.uint8)
            )
            layer = Layer(walls, planned.sets[walls], Hands.at(maze.hands, walls), values)
            most = _fill(maze, layer, more, partial(_tell, on_progress, walls, done, sum(sizes)))
            if file and beside:
                base = values.base
                assert isinstance(base, np.memmap)
                base.flush()
                beside.replace(file)
                del base, values
                layer = Layer(walls, layer.sets, layer.hands, opened(file))
        if on_progress:
            on_progress(walls, sum(sizes[walls:]), sum(sizes))
        layers.append(layer)
        longest.append(most)
        more = layer
    return Tablebase(maze, tuple(reversed(layers)), tuple(reversed(longest)))


def _tell(on_progress: OnProgress | None, walls: int, done: int, total: int, more: int) -> None:
    if on_progress:
        on_progress(walls, done + more, total)


def file_name(maze: Maze, walls: int) -> str:
    """Return the name of the file of a layer."""
    hands = "any" if maze.hands < 0 else f"{maze.hands}"
    return f"{maze.name}-hands-{hands}-walls-{walls:02}.layer"


def opened(file: Path) -> NDArray[Any]:
    """Return the values of a layer as a read-only memory map."""
    return np.asarray(np.memmap(file, np.uint8, "c"))


def _longest(values: NDArray[Any]) -> int:
    """Return the longest win among values."""
    most = 0
    for start in range(0, len(values), 1 << 24):
        part = values[start : start + (1 << 24)]
        most = max(most, int(np.where(part & 1, 0, part).max(initial=0)) - 1)
    return max(0, most)


def _fill(maze: Maze, layer: Layer, more: Layer, on_progress: Callable[[int], object]) -> int:
    """Compute the values of a layer from those of the next; return its longest win."""
    pairs = len(maze.steps) ** 2
    targets = np.zeros((pairs, MAX_TARGETS), np.int64)
    work = np.zeros((7, 2 * pairs), np.int64)
    goals = np.array(maze.goals, np.uint64)
    each = 2 * pairs * max(1, layer.hands.splits)
    most = 0
    for start in range(0, len(layer.sets), CHUNK_POSITIONS):
        stop = min(start + CHUNK_POSITIONS, len(layer.sets))
        found = solve_sets(
            layer.sets,
            start,
            stop,
            layer.hands.least,
            layer.hands.splits,
            layer.values,
            more.sets,
            more.hands.least,
            more.hands.splits,
            more.values,
            maze.steps,
            maze.shuts,
            maze.conflicts,
            goals,
            maze.square_images,
            maze.place_images,
            maze.diagonal,
            maze.may_trap,
            targets,
            work,
        )
        most = max(most, int(found))
        on_progress(stop * each)
    return most
