"""Measures a batch in steps a second: medians of several runs, beside the aims.

    .venv/bin/python benchmarks/batch.py [--games N]

A step is one action in one game, with everything that `Batch.step` does: the legality check, the
result, repetition, rewards, masks of the next legal actions, planes of observation, and a reset of
games that end. Choosing random actions is timed apart. All kinds run in turns, with one thread and
with two, so that other work on the machine affects all alike.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from trine.engine.batch import Batch

AIM = 1.0
"""Units: million steps a second, on two threads."""
RUNS = 7
SECONDS = 0.4
"""Units: seconds; the approximate length of a run of each kind."""
WARM_UP = 300
"""The number of steps until the games differ."""
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("arimaa/official", {}),
    ("arimaa/classic", {}),
    ("arimaa/ejection", {}),
    ("arimaa/diagonal", {}),
    ("tzaar/official", {}),
    ("tzaar/open", {}),
    ("tzaar/official", {"setup": "placement"}),
    ("corridor/quoridor", {}),
    ("corridor/quoridor", {"players": 4}),
    ("corridor/corridor", {}),
    ("corridor/corridor-8", {}),
    ("corridor/great-wall", {}),
    ("corridor/great-wall", {"players": 4}),
    ("corridor/quoridor", {"size": 19}),
]


@dataclass
class Kind:
    """A batch, and the times of its runs."""

    batch: Batch
    steps: int = 0
    """The number of steps of a run."""
    stepping: list[float] = field(default_factory=list)
    choosing: list[float] = field(default_factory=list)
    ended: int = 0

    def run(self) -> tuple[float, float]:
        """Return the seconds spent in steps, and in choosing actions."""
        stepping = choosing = 0.0
        for _ in range(self.steps):
            began = time.perf_counter()
            actions = self.batch.random_actions()
            between = time.perf_counter()
            seen = self.batch.step(actions)
            stepping += time.perf_counter() - between
            choosing += between - began
            self.ended += int(seen.done.sum())
        return stepping, choosing

    def warm_up(self) -> None:
        """Play until the games differ, and find the number of steps that fit in a run."""
        self.steps = WARM_UP
        stepping, choosing = self.run()
        self.steps = max(1, int(WARM_UP * SECONDS / (stepping + choosing)))
        self.ended = 0

    def measure(self) -> None:
        """Run once, and add the speeds."""
        stepping, choosing = self.run()
        played = self.steps * self.batch.games
        self.stepping.append(played / stepping / 1e6)
        self.choosing.append(played / (stepping + choosing) / 1e6)


def parts(batch: Batch) -> str:
    """Return the times of listing actions with masks, and of observing, in a step; one thread."""
    part = batch._parts[0]
    moves, of = part.moves, part.of

    def nanoseconds(call: Callable[[], object]) -> float:
        times = []
        for _ in range(RUNS * 5):
            began = time.perf_counter()
            call()
            times.append(time.perf_counter() - began)
        return statistics.median(times) / batch.games * 1e9

    listing = nanoseconds(
        lambda: moves.list_actions(
            of.rows,
            of.keys,
            of.repetition_state,
            of.results,
            part.rule,
            part.lines,
            part.buffers,
            of.legal,
            of.counts,
            of.masks,
            of.movers,
        )
    )
    observing = nanoseconds(lambda: moves.observe(of.rows, of.movers, of.seen))
    return f"masks {listing:5.0f} ns, planes {observing:4.0f} ns"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1024)
    games = parser.parse_args().games
    print(f"{games} games each; million steps a second, masks and observations included;")
    print("in brackets with choosing random actions; then the times of parts, one thread")
    for game, options in KINDS:
        pair = [Kind(Batch(game, games, threads=threads, **options)) for threads in (1, 2)]
        for kind in pair:
            kind.warm_up()
        for _ in range(RUNS):
            for kind in pair:
                kind.measure()
        (one, with_one), (two, with_two) = (
            (statistics.median(kind.stepping), statistics.median(kind.choosing)) for kind in pair
        )
        name = " ".join([game, *(f"{option}={value}" for option, value in options.items())])
        aim = f"aim {AIM}" if options.get("size", 9) <= 9 else "no aim"
        print(
            f"{name:<34} one thread {one:5.2f} ({with_one:5.2f})   two {two:5.2f} "
            f"({with_two:5.2f}), {two / one:4.2f} times   {aim}   {parts(pair[0].batch)}"
        )
        for kind in pair:
            kind.batch.close()


if __name__ == "__main__":
    main()
