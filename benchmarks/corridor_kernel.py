"""Measures the kernel of Corridor: medians of several runs, beside the aims.

    .venv/bin/python benchmarks/corridor_kernel.py

If PyPI's `open_spiel` is installed, it makes the same lists, in turns with ours. It is called from
Python, our loop is compiled: each as its users do.
"""

import importlib
import random
from typing import Any

import numba
import numpy as np

from timing import measure_compiling, seconds
from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.contract.score import ONGOING
from trine.engine.search.perft import open_loop
from trine.games.corridor.compiled import KERNEL, to_row
from trine.games.corridor.kernel import layout, rules
from trine.games.corridor.kernel import rules as kernel
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS

MAX_PLIES = 324
"""Units: plies; open_spiel ends a play of Quoridor at this length, and so does the comparison."""
MAX_DEPTH = 4
LISTS = 500
REPEATED = 20
COUNTS = (
    ("2 players, 10 walls each", 2, {131: None, 16_677: None, 2_062_264: 0.02, 247_569_030: 0.5}),
    ("4 players, 5 walls each", 4, {131: None, 16_677: None, 2_062_065: None}),
)
"""Perft counts that other programs found, and the aims in seconds."""
NATIVE = {2_062_264: 0.013, 247_569_030: 0.26}
"""Units: seconds; the time of the fastest native program known, in Rust, as once measured."""


def arrays(position: Position, plies: int = MAX_DEPTH) -> tuple[Rows, Buffer]:
    """Return rows that begin with a position, and buffers."""
    rows = np.zeros((plies + 1, layout.WORDS), np.uint64)
    to_row(position, rows[0])
    return rows, np.zeros((plies + 1, rules.MAX_ACTIONS), np.int32)


# --- loops that Python would be too slow for -----------------------------------------------------


@numba.njit(nogil=True)
def list_often(rows, spare, out, times):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(times):
        for place in range(len(rows)):
            kernel.copy(rows[place], spare)  # discards cached results
            total += rules.generate(spare, out)
    return total


# --- measurements --------------------------------------------------------------------------------


def measure_counting() -> None:
    for name, players, counts in COUNTS:
        rows, buffers = arrays(Position.first(RULE_SETS["quoridor"], 9, players))
        for depth, (expected, aim) in enumerate(counts.items(), start=1):
            for way, count in (
                ("in bulk", open_loop(KERNEL, in_bulk=True)),
                ("played", open_loop(KERNEL, in_bulk=False)),
            ):
                if expected < 100_000 or (way == "played" and expected > 100_000_000):
                    continue
                assert count(rows, 0, buffers, depth) == expected, (name, depth, way)
                (took,) = seconds(lambda: count(rows, 0, buffers, depth))  # noqa: B023
                aims = ""
                if aim and way == "in bulk":
                    aims = f"   aim {aim} s; Rust's {NATIVE[expected]} s is quoted, not run here"
                print(
                    f"{name:<25} {expected:>11,} {way:<8} {took:8.5f} s "
                    f"{expected / took / 1e6:8.1f} million a second{aims}"
                )


# --- beside open_spiel ---------------------------------------------------------------------------


def their_play(game: Any, plies: int = MAX_PLIES) -> Any:
    state = game.new_initial_state()
    for _ in range(plies):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        state.apply_action(actions[int(random.random() * len(actions))])
    return state


def compare_with_open_spiel() -> None:
    try:
        spiel = importlib.import_module("pyspiel")
    except ImportError:
        print("open_spiel is not installed: not compared")
        return
    game = spiel.load_game("quoridor(players=2)")
    rows, buffers = arrays(Position.first(RULE_SETS["quoridor"]))
    dice, out = random.Random(1), buffers[0]
    for plies in (0, 5, 10, 15, 18):
        states = [their_play(game, plies) for _ in range(LISTS)]
        ours = np.stack([row_after(rows, out, dice, plies) for _ in range(LISTS)])
        theirs_took, took = seconds(
            lambda: [state.legal_actions() for state in states],  # noqa: B023
            lambda: list_often(ours, rows[1], out, REPEATED),  # noqa: B023
        )
        print(
            f"lists of legal actions after {plies:>2} plies {LISTS * REPEATED / took:>11,.0f} a "
            f"second, open_spiel {LISTS / theirs_took:>8,.0f}: "
            f"{theirs_took * REPEATED / took:.1f} times   aim 20"
        )


def row_after(rows: Rows, out: Buffer, dice: random.Random, plies: int) -> Row:
    """Return the row of an unfinished play after some random actions."""
    row: Row = rows[0].copy()
    for _ in range(plies):
        rows[2] = row
        kernel.play(rows[2:], 0, int(dice.choice(out[: rules.generate(rows[2], out)])))
        row = rows[3].copy()
        if layout.result(row) != ONGOING:
            return row_after(rows, out, dice, plies)
    return row


def main() -> None:
    measure_compiling("trine.games.corridor.kernel.rules")
    measure_counting()
    compare_with_open_spiel()


if __name__ == "__main__":
    main()
