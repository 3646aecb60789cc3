"""Solves small Corridor boards by retrograde analysis, by layers of walls.

    .venv/bin/python lab/solve.py corridor-8 4
    .venv/bin/python lab/solve.py corridor 4 --walls 4 --out FOLDER
    .venv/bin/python lab/solve.py --ship

Solved layers are kept in the folder, so that the same command resumes. ``--ship`` rebuilds the
tablebases that the game ships (``docs/why/solved.md``).
"""

import argparse
import sys
from pathlib import Path
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

from solving.boards import MAX_COUNTED, MAX_SHIPPED, board_of, packed, shipped_starts, start_value
from solving.layers import states_at_most
from solving.tablebase import plan, solve
from trine.core.contract.position import Position
from trine.core.errors import TrineError
from trine.core.play import written_actions
from trine.games.corridor import ROOM
from trine.games.corridor.knowledge import solved as shipped

TABLES = Path(str(shipped.__file__)).with_suffix(".zip")
SHOWN_ACTIONS = 12
"""Units: actions; the shown length of the best play from the start."""


def ship(file: Path) -> None:
    """Write the tablebases of all boards that are small enough."""
    with ZipFile(file, "w", ZIP_LZMA) as tables:
        for first in shipped_starts():
            maze = board_of(first)
            if sum(states_at_most(maze)) > MAX_COUNTED:
                continue
            planned = plan(maze)
            if sum(planned.bytes) <= MAX_SHIPPED:
                name = f"{maze.name}-{maze.hands}".removesuffix("--1")
                tables.writestr(ZipInfo(name), packed(solve(planned)), ZIP_LZMA)


def show(first: Position, folder: Path | None) -> None:
    """Solve a board, and print who wins from its start."""
    planned = plan(board_of(first))
    sizes = planned.bytes
    print(f"{sum(sizes):,} positions, a byte each, in {len(sizes)} layers; {max(sizes):,} in one")
    if folder:
        folder.mkdir(parents=True, exist_ok=True)

    def on_progress(walls: int, done: int, total: int) -> None:
        print(f"\r{walls:3} walls, {done / total:6.1%} ", end="", file=sys.stderr)

    table = solve(planned, folder, on_progress)
    print(file=sys.stderr)
    for walls, (size, longest) in enumerate(zip(sizes, table.longest, strict=True)):
        print(f"  walls on the board {walls}: {size:,} positions, longest win {longest}")
    found = start_value(table, first)
    if found.wins is None:
        print("the start is a draw at best play of both")
    else:
        winner = first.seats[first.mover if found.wins else 1 - first.mover].name
        print(f"{winner} wins from the start, in {found.actions} actions of both at best play")
    print(f"  {written_actions(ROOM, first, found.line[:SHOWN_ACTIONS])}")


def main(arguments: list[str] | None = None) -> None:
    """Solve a board, or rebuild the shipped tablebases."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rules", nargs="?", choices=sorted(ROOM.rule_sets))
    parser.add_argument("size", nargs="?", default="3")
    parser.add_argument("--walls", help="fewer walls for each player")
    parser.add_argument("--out", type=Path, help="the folder for the layers")
    parser.add_argument("--ship", action="store_true", help="make the tables that are shipped")
    given = parser.parse_args(arguments)
    if given.ship:
        ship(TABLES)
        return
    if not given.rules:
        parser.error("which rule set?")
    options = {"Size": given.size} | ({"Walls": given.walls} if given.walls else {})
    try:
        show(ROOM.rules.start(given.rules, options), given.out)
    except TrineError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("\nstopped; what is solved is kept, and the same command goes on")
        sys.exit(130)


if __name__ == "__main__":
    main()
