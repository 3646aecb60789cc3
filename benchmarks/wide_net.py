"""A wide net of Arimaa without terms: labels for it, and its learning curve.

    .venv/bin/python -P benchmarks/wide_net.py labels FOLDER --nodes N [--worker W]
    .venv/bin/python -P benchmarks/wide_net.py curve FOLDER [--width H] [--epochs E]

`labels` scores positions out of the trees of searches by searches of their own, a file of 40 games
after the other until it is stopped; the next time it goes on after the last file. Each worker has
games of its own. `curve` learns from an eighth, a third and all of the labels below FOLDER, and
says how far off each net and the terms are by labels of the games that are held out. What came of
it stands in docs/experiments/2026-11-wide-net-of-arimaa.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from trine.core.contract.score import SURE
from trine.games.arimaa.board import BESIDE, TRAPS
from trine.games.arimaa.kernel.inputs import RABBIT, STANDING, STANDINGS
from trine.games.arimaa.kernel.row import (
    DUE,
    IN_SETUP,
    LEFT,
    MOVER,
    MOVER_AT,
    PUSHING,
    STATE,
    STEPS,
    STEPS_AT,
)
from trine.learn.files import write_arrays
from trine.learn.logistic import SLOPE
from trine.learn.sides import Side
from trine.learn.sources.trees import label_games
from trine.selfplay.features import FeatureExtractor
from trine.selfplay.plan import Plan

GAMES: Final = 40
"""Units: games; of a file."""
HELD_OUT: Final = 8
"""One game of so many judges."""
SHARES: Final = (1 / 8, 1 / 3, 1)
BATCH: Final = 2048
RATE: Final = 0.002
DECAY: Final = 0.05
PATIENCE: Final = 3
MOMENTS: Final = (0.9, 0.999)
NEAR: Final = 500
"""Units: points; positions nearer to even than this are judged apart."""

STATES: Final = 3
"""A piece is free, held beside a friend, or frozen."""
HOLDERS: Final = 4
TRAP_INPUTS: Final = HOLDERS * HOLDERS * 3
FIRST_OF_TRAPS: Final = 2 * STANDINGS * STATES * 64
INPUTS: Final = FIRST_OF_TRAPS + len(TRAPS) * TRAP_INPUTS
MOST_SET: Final = 36
STAGES: Final = 6
"""The steps that a turn has had, and one more stage in the middle of a push or pull."""
BUCKETS: Final = 4 * STAGES
NEIGHBOURS: Final = np.array([[*near, *[-1] * (4 - len(near))] for near in BESIDE], np.int64)
TRAP_SQUARES: Final = np.array(sorted(TRAPS), np.int64)
OPEN: Final = PUSHING | DUE | LEFT

Floats = NDArray[np.float32]


# --- labels --------------------------------------------------------------------------------------


def make_labels(folder: Path, nodes: int, worker: int) -> None:
    """Write files of labels until it is stopped."""
    plan = Plan("arimaa", "official", nodes=nodes, seed=777 + worker)
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while True:
        path = folder / f"{nodes}-{worker}-{number:05}.npz"
        if not path.exists():
            _, made = label_games(plan, Side(), number, GAMES)
            write_arrays(path, rows=made.rows, scores=made.scores, games=made.games)
            print(f"{path.name}: {len(made)}, {len(made) / made.seconds:.0f} a second", flush=True)
        number += 1


class Labels(NamedTuple):
    """Positions, each once, with scores for the player to move."""

    rows: NDArray[np.uint64]
    scores: Floats
    games: NDArray[np.int64]


def read_labels(folder: Path) -> Labels:
    """Return the labels of all files of a folder but those of certain ends, and of the setup."""
    parts = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as data:
            worker = int(path.stem.split("-")[1])
            parts.append((data["rows"], data["scores"], data["games"] + worker * 10**7))
    rows, scores, games = (np.concatenate(column) for column in zip(*parts, strict=True))
    keys = np.ascontiguousarray(np.delete(rows, np.s_[4:10], 1))
    first = np.unique(keys.view(f"V{keys.shape[1] * 8}"), return_index=True)[1]
    usual = (np.abs(scores[first]) < SURE) & (rows[first, STATE] & IN_SETUP == 0)
    kept = np.sort(first[usual])
    return Labels(np.ascontiguousarray(rows[kept]), scores[kept].astype(np.float32), games[kept])


# --- what the net sees ---------------------------------------------------------------------------


class Seen(NamedTuple):
    """Positions as the net sees them."""

    inputs: NDArray[np.int16]
    """Shapes: position, place. The inputs that are set, as Gold sees them."""
    counts: NDArray[np.int64]
    movers: NDArray[np.int64]
    buckets: NDArray[np.int64]
    stages: NDArray[np.int64]
    targets: Floats


@njit(cache=True)  # type: ignore[untyped-decorator]
def see(
    rows: NDArray[np.uint64],
    inputs: NDArray[np.int16],
    counts: NDArray[np.int64],
    pieces: NDArray[np.int64],
) -> None:
    """Write the inputs of positions: each piece by side, standing, state and square; the traps."""
    board, kinds = np.zeros(64, np.int64), np.zeros((2, 8), np.int64)
    for place in range(len(rows)):
        row, total = rows[place], 0
        kinds[:] = 0
        for square in range(64):
            at = np.uint64(square)
            one = np.uint64(1)
            strength = (row[0] >> at & one) | (row[1] >> at & one) << 1 | (row[2] >> at & one) << 2
            board[square] = np.int64(strength)
            if strength:
                board[square] += 8 * np.int64(row[3] >> at & one)
                kinds[board[square] >> 3, board[square] & 7] += 1
        pieces[place] = kinds.sum()
        for square in range(64):
            if board[square] == 0:
                continue
            side, own = board[square] >> 3, board[square] & 7
            standing = RABBIT if own == 1 else STANDING[kinds[1 - side, own + 1 :].sum()]
            friend, held = False, False
            for near in NEIGHBOURS[square]:
                if near >= 0 and board[near]:
                    friend |= board[near] >> 3 == side
                    held |= board[near] >> 3 != side and board[near] & 7 > own
            state = 0 if not held else 1 if friend else 2
            piece = (side * STANDINGS + standing) * STATES + state
            inputs[place, total] = piece * 64 + square
            total += 1
        for trap in range(len(TRAP_SQUARES)):
            holders, best = np.zeros(2, np.int64), np.zeros(2, np.int64)
            for near in NEIGHBOURS[TRAP_SQUARES[trap]]:
                if board[near]:
                    side = board[near] >> 3
                    holders[side] = min(holders[side] + 1, HOLDERS - 1)
                    best[side] = max(best[side], board[near] & 7)
            strongest = 1 if best[0] > best[1] else 2 if best[1] > best[0] else 0
            told = (holders[0] * HOLDERS + holders[1]) * 3 + strongest
            inputs[place, total] = FIRST_OF_TRAPS + trap * TRAP_INPUTS + told
            total += 1
        counts[place] = total


def seen_of(labels: Labels) -> Seen:
    """Return positions as the net sees them."""
    count = len(labels.rows)
    inputs, counts = np.zeros((count, MOST_SET), np.int16), np.zeros(count, np.int64)
    pieces, state = np.zeros(count, np.int64), labels.rows[:, STATE]
    see(labels.rows, inputs, counts, pieces)
    stages = ((state & STEPS) >> STEPS_AT).astype(np.int64)
    stages[state & OPEN != 0] = STAGES - 1
    movers = ((state & MOVER) >> MOVER_AT).astype(np.int64)
    buckets = np.maximum(0, pieces - 1) // 8 * STAGES + stages
    targets = 1 / (1 + np.exp(-labels.scores * SLOPE))
    return Seen(inputs, counts, movers, buckets, stages, targets.astype(np.float32))


def images() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each input the one with the colours swapped, and the one in a mirror."""
    swapped, mirrored = np.zeros(INPUTS, np.int64), np.zeros(INPUTS, np.int64)
    for number in range(FIRST_OF_TRAPS):
        piece, square = divmod(number, 64)
        other = (piece + STANDINGS * STATES) % (2 * STANDINGS * STATES)
        swapped[number], mirrored[number] = other * 64 + (square ^ 56), number ^ 7
    for number in range(len(TRAPS) * TRAP_INPUTS):
        trap, told = divmod(number, TRAP_INPUTS)
        holders, strongest = divmod(told, 3)
        gold, silver = divmod(holders, HOLDERS)
        turned = (silver * HOLDERS + gold) * 3 + -strongest % 3
        swapped[FIRST_OF_TRAPS + number] = FIRST_OF_TRAPS + (trap ^ 2) * TRAP_INPUTS + turned
        mirrored[FIRST_OF_TRAPS + number] = FIRST_OF_TRAPS + (trap ^ 1) * TRAP_INPUTS + told
    return swapped, mirrored


# --- learning ------------------------------------------------------------------------------------


class Net(NamedTuple):
    """Two views through the same hidden layer, clipped to 0 to 1; or a gradient of it."""

    first: Floats
    """Shapes: input, width."""
    bias: Floats
    last: Floats
    """Shapes: bucket, twice the width: the view of the player to move, then the other's."""
    rest: Floats


@njit(fastmath=True, cache=True, nogil=True)  # type: ignore[untyped-decorator]
def learn(
    net: Net,
    gradient: Net,
    seen: Seen,
    order: NDArray[np.int64],
    mirrors: NDArray[np.bool_],
    views: NDArray[np.int64],
    outputs: Floats,
    teaching: bool,
) -> float:
    """Return the sum of the losses of positions, and add to the gradient, or only tell outputs.

    Args: ``views`` are the images with swapped colours, then those in a mirror.
    """
    width, loss = net.first.shape[1], 0.0
    sums, back = np.zeros((2, width), np.float32), np.zeros((2, width), np.float32)
    low, high = np.float32(0), np.float32(1)
    for number in range(len(order)):
        place = order[number]
        mover, bucket = seen.movers[place], seen.buckets[place]
        sums[0] = net.bias
        sums[1] = net.bias
        for index in range(seen.counts[place]):
            one = np.int64(seen.inputs[place, index])
            one = views[1, one] if mirrors[number] else one
            own, other = net.first[one], net.first[views[0, one]]
            for lane in range(width):
                sums[mover, lane] += own[lane]
                sums[1 - mover, lane] += other[lane]
        last, total = net.last[bucket], net.rest[bucket]
        for lane in range(width):
            total += min(max(sums[0, lane], low), high) * last[lane]
            total += min(max(sums[1, lane], low), high) * last[width + lane]
        target = seen.targets[place]
        chance = 1 / (1 + math.exp(-total))
        loss -= target * math.log(max(chance, 1e-9))
        loss -= (1 - target) * math.log(max(1 - chance, 1e-9))
        outputs[number] = total
        if not teaching:
            continue
        error = np.float32(chance - target)
        gradient.rest[bucket] += error
        to_last = gradient.last[bucket]
        for view in range(2):
            for lane in range(width):
                at, value = view * width + lane, sums[view, lane]
                to_last[at] += error * min(max(value, low), high)
                back[view, lane] = error * last[at] if low < value < high else low
        for lane in range(width):
            gradient.bias[lane] += back[0, lane] + back[1, lane]
        for index in range(seen.counts[place]):
            one = np.int64(seen.inputs[place, index])
            one = views[1, one] if mirrors[number] else one
            own, other = gradient.first[one], gradient.first[views[0, one]]
            for lane in range(width):
                own[lane] += back[mover, lane]
                other[lane] += back[1 - mover, lane]
    return loss


@njit(fastmath=True, cache=True, nogil=True)  # type: ignore[untyped-decorator]
def step(
    weights: Floats, gradient: Floats, means: Floats, squares: Floats, rate: float, time: int
) -> None:
    """Take a step of AdamW, and clear the gradient."""
    fast, slow = MOMENTS
    for at in range(weights.size):
        slope = gradient[at]
        gradient[at] = 0
        means[at] += (1 - fast) * (slope - means[at])
        squares[at] += (1 - slow) * (slope * slope - squares[at])
        size = means[at] / (1 - fast**time)
        size /= math.sqrt(squares[at] / (1 - slow**time)) + 1e-8
        weights[at] -= rate * (size + DECAY * weights[at])


def trained(
    seen: Seen, inside: NDArray[Any], outside: NDArray[Any], width: int, epochs: int
) -> Floats:
    """Return what the best net of a training says of the positions outside. Units: log odds."""
    rng, views = np.random.default_rng(0), np.array(images())
    net = Net(
        rng.normal(0, 0.08, (INPUTS, width)).astype(np.float32),
        np.full(width, 0.3, np.float32),
        rng.normal(0, 0.1, (BUCKETS, 2 * width)).astype(np.float32),
        np.zeros(BUCKETS, np.float32),
    )
    gradient, means, squares = (Net(*map(np.zeros_like, net)) for _ in range(3))
    steps, time = epochs * -(-len(inside) // BATCH), 0
    losses, said = list[float](), np.zeros(max(BATCH, len(outside)), np.float32)
    best = said
    plain = np.zeros(len(outside), np.bool_)
    for _ in range(epochs):
        order = rng.permutation(inside)
        mirrors = rng.random(len(order)) < 0.5
        for begin in range(0, len(order), BATCH):
            part = order[begin : begin + BATCH]
            learn(net, gradient, seen, part, mirrors[begin : begin + BATCH], views, said, True)
            time += 1
            rate = RATE * 0.5 * (1 + math.cos(math.pi * time / steps))
            for weights, slopes, mean, square in zip(net, gradient, means, squares, strict=True):
                slopes /= len(part)
                step(*(array.reshape(-1) for array in (weights, slopes, mean, square)), rate, time)
        loss = learn(net, gradient, seen, outside, plain, views, said, False)
        if loss < min(losses, default=math.inf):
            best = said[: len(outside)].copy()
        losses.append(loss)
        if len(losses) - 1 - int(np.argmin(losses)) >= PATIENCE:
            break
    return best


# --- judging -------------------------------------------------------------------------------------


def stages_worth(
    odds: NDArray[Any], targets: Floats, stages: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return what the positions of each stage of a turn have in common. Units: log odds."""
    worth = np.zeros(STAGES)
    for stage in np.unique(stages):
        own = stages == stage
        for _ in range(30):
            chance = 1 / (1 + np.exp(-(odds[own] + worth[stage])))
            worth[stage] -= (chance - targets[own]).sum() / (chance * (1 - chance)).sum()
    return worth


def judged(odds: NDArray[Any], targets: Floats, scores: Floats) -> str:
    """Return how far something is off, in words."""
    chance = np.clip(1 / (1 + np.exp(-odds)), 1e-9, 1 - 1e-9)
    true = np.clip(targets.astype(float), 1e-9, 1 - 1e-9)
    loss = true * np.log(true / chance) + (1 - true) * np.log((1 - true) / (1 - chance))
    off = np.abs(odds / SLOPE - scores)
    near = np.median(off[np.abs(scores) < NEAR])
    return f"loss beyond the entropy {loss.mean():.4f}; points off, near even {near:.0f}"


def curve(folder: Path, width: int, epochs: int) -> Iterator[str]:
    """Return the lines of a learning curve."""
    labels = read_labels(folder)
    seen = seen_of(labels)
    held = labels.games % HELD_OUT == 0
    inside, outside = np.flatnonzero(~held), np.flatnonzero(held)
    facts = seen.targets[outside], labels.scores[outside]
    terms = FeatureExtractor.of("arimaa").extract(labels.rows)[1]["terms"] * SLOPE
    worth = stages_worth(terms[inside], seen.targets[inside], seen.stages[inside])
    yield f"{len(inside)} labels, {len(outside)} held out"
    yield f"the terms: {judged((terms + worth[seen.stages])[outside], *facts)}"
    games = np.random.default_rng(1).permutation(np.unique(labels.games[inside]))
    for share in SHARES:
        chosen = games[: math.ceil(share * len(games))]
        part = inside[np.isin(labels.games[inside], chosen)]
        odds = trained(seen, part, outside, width, epochs)
        yield f"{len(part)} labels, width {width}: {judged(odds, *facts)}"


def main() -> None:
    """Make labels, or print a curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("labels", "curve"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nodes", type=int, default=250)
    parser.add_argument("--worker", type=int, default=0)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=12)
    wish = parser.parse_args()
    if wish.what == "labels":
        make_labels(wish.folder, wish.nodes, wish.worker)
    for line in curve(wish.folder, wish.width, wish.epochs):
        print(line, flush=True)


if __name__ == "__main__":
    main()
